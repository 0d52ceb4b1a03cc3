#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <Eigen/Cholesky>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/linalg/schur.hpp>
#include <dalembert/mechanics/detail/slow_series.hpp>
#include <dalembert/mechanics/detail/state_space.hpp>
#include <dalembert/mechanics/friction.hpp>
#include <dalembert/mechanics/slow_manifold_report.hpp>
#include <dalembert/problem/concepts.hpp>

/// The slow motions of a system whose constraints are a linear friction ν/ε (mechanics/friction.hpp), to
/// any order in ε. With s the slip, A = ∂s/∂ξ, and ξ = ξ_D + B s, B = M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹,
/// ξ_D is without slip, and B s orthogonal to it in the metric of kinetic energy. Motions fall like
/// exp(−σt/ε), σ the eigenvalues of AM⁻¹Aᵀν, onto
///   s = ε c₁ + ε² c₂ + …,   functions of (g, ξ_D, t),   c₁ = −ν⁻¹λ                    (1)
/// with λ the reaction of Lagrange and d'Alembert, and there obey the nonholonomic equations, corrected:
///   ġ = g(ξ_D + ε B c₁ + ε² B c₂ + …),   ξ̇_D = X₀ + ε X₁ + ε² X₂ + …            (2)
/// This is (2), truncated after εʳ, as a `Problem`: X₀ are the equations of Lagrange and d'Alembert. Over
/// a fixed time its solutions are within O(ε^{r+1}) of the motions under friction that start on (1). They
/// drift: ξ_D obeys the constraints, but ġ does not. Coefficients are exact to rounding: invariance of (1)
/// makes the coefficient of tⁱεʲ of a slow motion a linear problem in those of lower degree
/// (mechanics/detail/slow_series.hpp), and system functions are evaluated over `Jet`s. The series are
/// asymptotic: for a given ε there is an order after which they get worse; see `report`, and
/// `SlowManifoldWatch`. ℓ is to be quadratic in ξ. The same to first order by the connection of an adapted
/// frame: mechanics/adapted_frame.hpp.
/// Source: Eldering 2016, eqs (29), (34), (36), there with h⁽ⁱ⁾ = i! cᵢ; the construction is
/// Fenichel's, 1979. Printed with errors there: (19a) lacks a minus sign before its term in ε, (19b) the
/// factor (I + ma²)⁻² of its last, X⁽¹⁾ of section 7.1 has the sign of φ̇ reversed, and (42), (45)
/// have signs of C that leave torsion; tests/validation/frictional_sleigh_test.cpp and
/// tests/mechanics/connection_test.cpp have the evidence.
namespace dalembert {

/// How a state of the corrected system changes.
template <MechanicalSystem System>
struct SlowRates {
  using S = ScalarOf<System>;                                                      ///< the number type
  static constexpr int k = detail::slip_rows<System>;                              ///< rows
  typename System::Group::Tangent xidot = detail::zeros<S, System::Group::dof>();  ///< ξ̇_D
  typename System::Group::Tangent drift = detail::zeros<S, System::Group::dof>();  ///< ξ − ξ_D
  Vec<S, k> lambda =
      detail::zeros<S, k>();               ///< the force of friction on the rows, to the order of the motion
  Vec<S, k> slip = detail::zeros<S, k>();  ///< s, likewise
};

/// (2) as a problem, to any order up to `MaxOrder`; see the head of this file. A state is (g, ξ_D, t).
template <MechanicalSystem System, int MaxOrder>
class SlowManifold : public detail::StateSpace<System, 0> {
  using Space = detail::StateSpace<System, 0>;
  static_assert(
      detail::only_slips<System> && detail::derives_variational<System>,
      "SlowManifold: the system needs rows of order 0 or 1 under d'Alembert's principle, none of order 2, "
      "and no internal coordinates");
  static_assert(LieGroup<ConfigurationOf<System>>, "SlowManifold: the system must not be a reduced one");
  static_assert(MaxOrder >= 0, "SlowManifold: its order is 0 or more");
  static constexpr int n = System::Group::dof, k = detail::slip_rows<System>;

 public:
  using typename Space::Group;      ///< the group of motions
  using typename Space::Increment;  ///< an element of the linear space of stages
  using typename Space::Scalar;     ///< the number type
  using typename Space::State;      ///< (g, ξ_D, t)
  using Rates = SlowRates<System>;  ///< what the equations answer
  using Slip = Vec<Scalar, k>;      ///< s, in units of the rows
  /// c₁ to c_{MaxOrder+1}.
  using Coefficients = std::array<Slip, static_cast<std::size_t>(MaxOrder) + 1>;

  /// The slow motions of `system` under `friction` to the given order, 0 to MaxOrder. Throws
  /// std::invalid_argument if the order or the friction breaks its rule.
  SlowManifold(const System& system, const LinearFriction<Scalar, k>& friction, int order = MaxOrder)
      : system_(system), friction_(friction), order_(order) {
    friction.check();
    require(0 <= order && order <= MaxOrder, "SlowManifold", "order", order,
            message({"it must be from 0 to ", MaxOrder}));
    softness_ = detail::identity<Scalar, k>();
    (void)linalg::solve_columns(friction.coefficient, softness_);
  }
  /// The slow motions of a system with friction.
  explicit SlowManifold(const Frictional<System, LinearFriction<Scalar, k>>& frictional, int order = MaxOrder)
      : SlowManifold(frictional.constrained(), frictional.friction(), order) {}

  /// The system with constraints, as it was given.
  [[nodiscard]] const System& system() const noexcept { return system_; }
  /// ν and ε, as they were given.
  [[nodiscard]] const LinearFriction<Scalar, k>& friction() const noexcept { return friction_; }
  /// Powers of ε that are kept.
  [[nodiscard]] int order() const noexcept { return order_; }

  /// The state at g with velocity ξ, of which ξ_D is taken, at time t [s]. Throws std::invalid_argument if
  /// a number is not finite.
  [[nodiscard]] State state(const Group& g, const typename Group::Tangent& xi, Scalar t = 0) const {
    State made{.time = t, .g = g, .xi = xi};
    require(made.is_finite(), "SlowManifold", "state", "not finite",
            "time, configuration and velocity must be finite");
    (void)project(made);
    return made;
  }
  /// Of a state of the system with friction, or of any (g, ξ, t), the part (g, ξ_D, t).
  [[nodiscard]] State below(const State& frictional) const {
    State part = frictional;
    (void)project(part);
    return part;
  }
  /// The state (g, ξ, t) on the slow manifold, ξ = ξ_D + B(ε c₁ + … + εʳ c_r), for the system with
  /// friction; r is the order, or `order` up to MaxOrder + 1.
  [[nodiscard]] State on_manifold(const State& at) const { return on_manifold(at, order_); }
  /// The same to another order.
  [[nodiscard]] State on_manifold(const State& at, int order) const {
    require(0 <= order && order <= MaxOrder + 1, "SlowManifold", "order", order,
            message({"it must be from 0 to ", MaxOrder + 1}));
    const Series series = expand(at);
    State lifted = at;
    lifted.xi += sum<n>(series.drift, order);
    return lifted;
  }
  /// c₁ to c_{MaxOrder+1} of (1), in the units of the rows over powers of ε.
  [[nodiscard]] Coefficients coefficients(const State& at) const {
    const Series series = expand(at);
    Coefficients c;
    for (std::size_t j = 0; j < c.size(); ++j) c[j] = series.slip[j + 1];
    return c;
  }
  /// The rates σ/ε at which motions fall onto (1) [1/s], the slowest first.
  [[nodiscard]] Vec<Scalar, k> decay_rates(const State& at) const {
    // AM⁻¹Aᵀν has the eigenvalues of Lᵀ(AM⁻¹Aᵀ)L, ν = LLᵀ.
    const detail::SlipEquations<System> equations(system_, at);
    const Mat<Scalar, n + k> inverse = equations.inverse(at.time);
    Mat<Scalar, k> compliance = detail::identity<Scalar, k>();
    (void)linalg::solve_columns(detail::block_of<k, k>(inverse, n, n), compliance);
    const Mat<Scalar, k> root = friction_.coefficient.llt().matrixL();
    Mat<Scalar, k> symmetric = root.transpose() * compliance * root;
    for (int j = 0; j < k; ++j)
      for (int i = 0; i < j; ++i) symmetric(i, j) = symmetric(j, i);
    return linalg::symmetric_eigenvalues<Scalar, k>(symmetric) / friction_.epsilon;
  }
  /// How large the slip is, and how large the first term of (1) that is left out.
  [[nodiscard]] SlowManifoldReport<Scalar> report(const State& at) const {
    const Series series = expand(at);
    SlowManifoldReport<Scalar> report;
    report.velocity = energy_norm(series, at.xi);
    report.slip = energy_norm(series, sum<n>(series.drift, order_));
    report.reference =
        order_ == 0 ? report.velocity
                    : std::max(report.slip, energy_norm(series, Vec<Scalar, n>(power(1) * series.drift[1])));
    report.remainder = energy_norm(
        series, Vec<Scalar, n>(power(order_ + 1) * series.drift[static_cast<std::size_t>(order_) + 1]));
    return report;
  }
  /// How far a state (g, ξ, t) of the system with friction is from (1), and how long it takes to fall there.
  [[nodiscard]] FastTransient<Scalar> transient(const State& frictional) const {
    const State at = below(frictional);
    const Series series = expand(at);
    FastTransient<Scalar> fast;
    const Vec<Scalar, n> off = frictional.xi - at.xi - sum<n>(series.drift, order_);
    fast.size = energy_norm(series, off);
    fast.remainder = std::max(
        energy_norm(series,
                    Vec<Scalar, n>(power(order_ + 1) * series.drift[static_cast<std::size_t>(order_) + 1])),
        16 * std::numeric_limits<Scalar>::epsilon() * energy_norm(series, frictional.xi));
    fast.decay_rate = decay_rates(at)[0];
    return fast;
  }

  /// Room for rates.
  [[nodiscard]] Rates make_rates() const { return {}; }
  /// Throws the system's own InvalidState where its model does not hold.
  void require_valid([[maybe_unused]] const State& at) const {
    if constexpr (detail::says_where_valid<System>) system_.require_valid(at.g, at.time);
  }

  /// (2). Throws InvalidState where rows depend on each other or the model does not hold.
  void rates(const State& at, Rates& out) const {
    const Series series = expand(at);
    out.xidot = sum<n>(series.acceleration, order_);
    out.drift = sum<n>(series.drift, order_);
    out.slip = sum<k>(series.slip, order_);
    out.lambda = sum<k>(series.lambda, order_);
  }
  /// The slope of the motion in the coordinates η of a stage at g exp(η).
  void slope(const State& at, const Increment& offset, const Rates& given, Increment& out) const {
    const Vec<Scalar, n> velocity = detail::sum(at.xi, given.drift);
    out.eta = TrivialisationOf<System>::template stage_velocity<Group>(offset.eta, velocity);
    out.xi = given.xidot;
    out.time = 1;
  }
  /// Nothing: there are no internal coordinates.
  void solve_algebraic(State& /*state*/) const {}
  /// ξ onto ξ_D, by the least change in the metric of kinetic energy. Throws like `rates`.
  Projection<Scalar> project(State& state) const {
    require_valid(state);
    const detail::SlipEquations<System> equations(system_, state);
    const Mat<Scalar, n + k> inverse = equations.inverse(state.time);
    Vec<Scalar, n + k> right = detail::zeros<Scalar, n + k>();
    for (int r = 0; r < k; ++r) right[n + r] = equations.slip[r];
    const Vec<Scalar, n> change = detail::part<n>(detail::times(inverse, right));
    state.xi -= change;
    return {.moved = std::sqrt(std::max(Scalar(0), change.dot(equations.mass * change)))};
  }

  /// The energy of the motion with its slip [J].
  [[nodiscard]] Scalar energy(const State& at) const { return dalembert::energy(system_, on_manifold(at)); }
  /// Its kinetic part [J].
  [[nodiscard]] Scalar kinetic_energy(const State& at) const {
    return dalembert::kinetic_energy(system_, on_manifold(at));
  }
  /// How far ξ_D is from obeying the rows as velocities; positions drift.
  [[nodiscard]] Violation<Scalar> constraint(const State& at) const {
    return {.position = 0, .velocity = detail::largest(detail::slip<Scalar>(system_, at))};
  }
  /// Of friction, λᵀs; of what rows that move with time pass on, λᵀ(As + … − s); and of the
  /// system's own forces. They sum to the change of energy to the order of the motion.
  [[nodiscard]] Powers<Scalar> power(const State& at, const Rates& given) const {
    State full = at;
    full.xi += given.drift;
    const detail::SlipEquations<System> equations(system_, full);
    Scalar of_forces(0);
    if constexpr (detail::has<detail::Force, System>)
      of_forces = detail::inner(
          detail::call<detail::Force, System>(system_, full.g, full.time, full.xi, full.z), full.xi);
    Powers<Scalar> power = power_of_forces(system_, full, of_forces);
    const Scalar rubbed = detail::inner(given.lambda, given.slip);
    power.constraint = detail::inner(given.lambda, detail::times(equations.rows, full.xi)) - rubbed;
    power.dissipation += rubbed;
    return power;
  }

 private:
  using Series = detail::SlowSeries<System, MaxOrder>;

  [[nodiscard]] Series expand(const State& at) const {
    require_valid(at);
    Series series;
    series.compute(system_, softness_, at);
    return series;
  }
  [[nodiscard]] Scalar power(int j) const { return std::pow(friction_.epsilon, Scalar(j)); }
  /// Σ εʲ terms[j], j ≤ order.
  template <int size, class Terms>
  [[nodiscard]] Vec<Scalar, size> sum(const Terms& terms, int order) const {
    Vec<Scalar, size> total = detail::zeros<Scalar, size>();
    Scalar factor = 1;
    for (int j = 0; j <= order; ++j, factor *= friction_.epsilon)
      detail::add_scaled(total, factor, terms[static_cast<std::size_t>(j)]);
    return total;
  }
  /// √(xᵀMx) [J^½].
  [[nodiscard]] static Scalar energy_norm(const Series& series, const Vec<Scalar, n>& x) {
    return std::sqrt(std::max(Scalar(0), detail::inner(x, detail::times(series.mass, x))));
  }

  System system_;
  LinearFriction<Scalar, k> friction_;
  int order_;
  Mat<Scalar, k> softness_;
};

}  // namespace dalembert
