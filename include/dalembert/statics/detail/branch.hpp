#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/statics/detail/static_equations.hpp>

/// The equations of a branch of equilibria: G(u, p) = 0 for the unknowns u of statics and a parameter p, with
/// one more, a plane that the next point shall lie in. Each step solves
///   K δu = g + g_p δp,   c·δu + c_p δp = 0                                                          (1)
/// where g is what is not yet balanced, by two solutions with one decomposition of K,
///   δu = a + b δp,  a = K⁻¹g,  b = K⁻¹g_p,  δp = −c·a/(c·b + c_p)                           (2)
/// The product of two displacements u, v of n nodes in a system as large as ℓ, and of two parameters,
///   (u, p)·(v, q) = (1/n) Σ (δr·δr′/ℓ² + Σ·Σ′) + p q/P²                                  (3)
/// P the scale of the parameter. g_p is a central difference, with all that the path moves.
/// Source: Keller 1977, Applications of Bifurcation Theory (ed. Rabinowitz), 359; Riks 1979, Int. J. Solids
/// Struct. 15, 529.
namespace dalembert::assembly::detail {

/// A point of a branch and of the space of (3).
template <class S>
struct BranchSpot {
  State<S> state;
  Column<S> multipliers;
  S parameter{};
};

/// A direction of (3): unknowns, and the parameter.
template <class S>
struct BranchDirection {
  Column<S> unknowns;
  S parameter{};
};

/// Solves (1), (2) for a system of statics whose loads `put(parameter)` puts.
template <class S>
class BranchEquations final : public NewtonSystem<S> {  // NOLINT(cppcoreguidelines-virtual-class-destructor)
 public:
  using Direction = BranchDirection<S>;

  BranchEquations(StaticEquations<S>& system, State<S>& x, const PutLoads<S>& put,
                  const StaticOptions<S>& options, S scale)
      : system_(system), x_(x), put_(put), options_(options), scale_(scale) {
    system_.find_held();
  }

  /// Newton iterations of the last `correct`.
  [[nodiscard]] int iterations() const noexcept { return used_; }
  /// Newton iterations of all.
  [[nodiscard]] int all_iterations() const noexcept { return result_.iterations; }

  [[nodiscard]] BranchSpot<S> spot() const { return {x_, std::as_const(system_).multipliers(), parameter_}; }
  void go_to(const BranchSpot<S>& spot) {
    x_ = spot.state;
    system_.multipliers() = spot.multipliers;
    put(spot.parameter);
  }
  /// Put the loads and held nodes at a value of the parameter.
  void put(S parameter) {
    parameter_ = parameter;
    put_(parameter);
    system_.put_held();
  }
  /// A load path of a static search that begins here, to a parameter.
  void begin(S parameter) {
    put(parameter);
    system_.save();
    system_.set_target();
    system_.assemble();
    auto& table = system_.table();
    size_ = table.metres;
    // a motion that changes no force, as that of a bent round rod about its axis, has an eigenvalue of
    // either sign by rounding, that of positions too: springs make it positive
    table.equations.hold_nodes(S(64) * std::max(S(1), table.far / size_));
  }

  /// The product (3) of the unknowns.
  [[nodiscard]] S product(const Column<S>& u, const Column<S>& v) const {
    const Index rows = system_.table().nodes;
    S displacements(0), turns(0);
    for (Index row = 0; row < rows; ++row) (row % 6 < 3 ? displacements : turns) += u[row] * v[row];
    return (displacements / (size_ * size_) + turns) * S(6) / static_cast<S>(rows);
  }
  /// The product (3).
  [[nodiscard]] S product(const Direction& a, const Direction& b) const {
    return product(a.unknowns, b.unknowns) + a.parameter * b.parameter / (scale_ * scale_);
  }
  void normalise(Direction& a) const {
    const S length = number::sqrt(product(a, a));
    a.unknowns /= length;
    a.parameter /= length;
  }

  /// Go along a direction.
  void move(const Direction& along, S length) {
    system_.displace(along.unknowns, length);
    put(parameter_ + length * along.parameter);
  }

  /// Newton's method in the plane at right angles to a direction, or at a fixed parameter; empty if it
  /// converged, otherwise what went wrong.
  [[nodiscard]] std::string correct(const Direction* plane = nullptr) {
    plane_ = plane;
    return newton<S>(*this, options_, result_, used_, 0);
  }
  /// To the equilibrium at the present parameter. Throws NoConvergence.
  void settle() {
    if (const std::string failure = correct(); !failure.empty())
      throw NoConvergence(message({"NoConvergence: no static equilibrium at the parameter ",
                                   shortest_text(value_of(parameter_)), ": ", failure}),
                          system_.time());
  }
  /// What Newton's method asks for: equations (1), (2).
  void assemble() override {
    if (plane_) rate_ = rate();
    system_.assemble();
  }
  [[nodiscard]] S residual(S tolerance) const override { return system_.residual(tolerance); }
  void check_turns() const override { system_.check_turns(); }
  [[nodiscard]] StaticStep<S> solve(const StaticOptions<S>& o) override {
    decompose();
    step_ = {solution(system_.unbalanced()), S(0)};
    if (plane_) {
      const Column<S> b = solution(rate_);
      step_.parameter = -product(plane_->unknowns, step_.unknowns) /
                        (product(plane_->unknowns, b) + plane_->parameter / (scale_ * scale_));
      step_.unknowns += step_.parameter * b;
    }
    return system_.table().measure(step_.unknowns, o);
  }
  void move(S fraction) override { move(step_, fraction); }

  /// The unit tangent of the branch at the present state; decomposes K. Throws SingularSystem.
  [[nodiscard]] Direction tangent() {
    const Column<S> g_p = rate();
    system_.assemble();
    decompose();
    Direction t{solution(g_p), S(1)};
    normalise(t);
    return t;
  }

  /// K⁻¹b after `tangent`. Throws SingularSystem.
  [[nodiscard]] Column<S> solution(const Column<S>& b) {
    Column<S> x;
    if (!system_.table().equations.solve_again(b, x)) throw SingularSystem("the stiffness is singular");
    return x;
  }
  /// A column with something of each mode, 0 where a degree is held.
  [[nodiscard]] Column<S> any(std::uint32_t seed = 2463534242U) const {
    Column<S> v = Column<S>::Zero(unknowns());
    const StaticTable<S>& table = system_.table();
    for (Index row = 0; row < table.nodes; ++row) {
      seed = seed * 1664525U + 1013904223U;
      if (!table.held(row)) v[row] = (row % 6 < 3 ? size_ : S(1)) * (S(seed >> 8) / S(1U << 24) - S(0.5));
    }
    return v;
  }

  /// After `tangent`: the eigenvalue μ of K v = μ B v next to zero, and its v, of length 1; B is the matrix
  /// of (3). By inverse iteration, at right angles to other modes.
  [[nodiscard]] std::pair<S, Column<S>> softest(const std::vector<Column<S>>& others = {}) {
    Column<S> v = any(), w;
    S value(0);
    for (int i = 0; i < 60; ++i) {
      for (const Column<S>& other : others) v -= product(other, v) * other;
      v /= number::sqrt(product(v, v));
      if (!system_.table().equations.solve_again(weighted(v), w)) break;
      const S before = value;
      value = S(1) / product(v, w);
      v = w;
      if (number::abs(value - before) <= S(1e-9) * number::abs(value)) break;
    }
    for (const Column<S>& other : others) v -= product(other, v) * other;
    set_length(v);
    return {v.dot(system_.table().equations.multiply(v)), v};
  }
  /// After `tangent`: modes that springs alone hold, six at most.
  [[nodiscard]] std::vector<Column<S>> neutral_modes() {
    std::vector<Column<S>> modes;
    while (modes.size() < 6) {
      auto [value, mode] = softest(modes);
      if (!is_neutral(value, mode)) break;
      modes.push_back(std::move(mode));
    }
    return modes;
  }
  /// Whether what springs add to the eigenvalue of a mode is as large as itself.
  [[nodiscard]] bool is_neutral(S value, const Column<S>& mode) const {
    return number::abs(value) <= S(2) * system_.table().equations.spring_energy(mode);
  }
  /// Make the length of a mode 1, and its sign such that the first of its largest numbers, or one nearly as
  /// large, is positive.
  void set_length(Column<S>& v) const {
    S length = number::sqrt(product(v, v)), most(0);
    const Index rows = system_.table().nodes;
    for (Index row = 0; row < rows; ++row) most = std::max(most, number::abs(v[row]));
    for (Index row = 0; row < rows; ++row)
      if (number::abs(v[row]) > S(0.9) * most) {
        if (v[row] < S(0)) length = -length;
        break;
      }
    v /= length;
  }

  /// After `tangent`: the sign of the determinant of K.
  [[nodiscard]] int sign() const { return system_.table().equations.sign(); }
  /// After `tangent`, whose factors are then gone: in how many independent directions that constraints allow
  /// the equilibrium is unstable; −1 where K is not symmetric, as with loads that follow bodies, or
  /// internal coordinates that follow.
  [[nodiscard]] int count_unstable() {
    StaticTable<S>& table = system_.table();
    symmetric_ = symmetric_ && table.slides == 0 && is_symmetric();  // once it is not it stays so
    if (!symmetric_) return -1;
    return static_cast<int>(table.equations.count_negative()) - table.positions;
  }

 private:
  /// Whether uᵀK v = vᵀK u on free degrees, but for rounding.
  [[nodiscard]] bool is_symmetric() const {
    const auto& K = system_.table().equations;
    const Column<S> u = any(), v = any(1);
    const S apart = u.dot(K.multiply(v)) - v.dot(K.multiply(u)),
            sizes = u.cwiseAbs().dot(K.multiply_sizes(v));
    return number::abs(apart) <= S(5e5) * std::numeric_limits<S>::epsilon() * sizes;
  }
  [[nodiscard]] Index unknowns() const { return system_.table().multiplier(system_.table().positions); }

  /// B v, on free degrees.
  [[nodiscard]] Column<S> weighted(const Column<S>& v) const {
    const StaticTable<S>& table = system_.table();
    Column<S> b = Column<S>::Zero(unknowns());
    for (Index row = 0; row < table.nodes; ++row)
      if (!table.held(row))
        b[row] = v[row] * (row % 6 < 3 ? S(1) / (size_ * size_) : S(1)) * S(6) / S(table.nodes);
    return b;
  }

  /// g_p.
  [[nodiscard]] Column<S> rate() {
    const S at = parameter_, step = std::cbrt(std::numeric_limits<S>::epsilon()) * scale_;
    const State<S> here = x_;
    Column<S> change = Column<S>::Zero(unknowns());
    for (const int side : {1, -1}) {
      put(at + S(side) * step);
      system_.assemble_loads();
      change += S(side) * system_.unbalanced();
      x_ = here;
    }
    put(at);
    return change / (S(2) * step);
  }

  void decompose() {
    if (!system_.table().equations.factor()) throw SingularSystem("the stiffness is singular");
  }

  StaticEquations<S>& system_;
  State<S>& x_;
  const PutLoads<S>& put_;
  StaticOptions<S> options_;
  S scale_, size_{1}, parameter_{};
  bool symmetric_ = true;
  const Direction* plane_ = nullptr;  // of Newton's method, if there is one,
  Column<S> rate_;                    // g_p there,
  Direction step_;                    // and its step
  int used_ = 0;
  StaticResult<S> result_{};
};

}  // namespace dalembert::assembly::detail
