#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/linalg/small_solve.hpp>
#include <dalembert/problem/concepts.hpp>
#include "support/linear/crossing.hpp"
#include "support/linear/state.hpp"

/// Straight rods in rolling contact, in small displacements and turns: what `Rod` under `RollingContact` is to first order about rest without load. Each
/// rod has a field φ = (φ₁, φ₂) as in rod.hpp. A contact joins the place s₁ of one rod with s₂ of another, whose frames are turned by
/// ξ = Λ₁ᵀΛ₂ and apart by κ = Λ₁ᵀ(r₂ − r₁), both as at rest. With averages φ(s) = Σ α_k φ_k over the nodes, f₁ + f₂ = 1,
///   A φ̇ = φ̇₁(s₁) + f₁ φ̇₂(s₁) × κ − ξ φ̇₁(s₂) + f₂ ξ φ̇₂(s₂) × κ = 0                                                (1)
///   κ·A φ = 0                                    the gap                                                          (2)
///   M φ̈ = −K φ + Aᵀλ,  A φ̈ = 0                   λ the force on the first rod, in its frame [N]                    (3)
/// A does not change, so the one block solve λ = G⁻¹ A M⁻¹K φ has a constant G = A M⁻¹Aᵀ, of three rows a contact, which is factored once. M is
/// a 6×6 block for each node, full where the inertia is: what bodies of an `Assembly` cannot have. A φ is an integral: to first order rolling
/// is holonomic. The places of contact move at the rates
///   D (ṡ₁, ṡ₂) = −((V₂ − V₁)·t₁ + κ·V₁′, (V₂ − V₁)·t₂ + κ·V₂′),  D = (−1, c; −c, 1),  c = t₁·t₂                    (4)
/// with V the velocity of the centreline and t its tangent; that changes the motion to second order only. No force presses rods that are at rest
/// without load, so λ may have any sign: the contact is bilateral.
/// Source: Gay-Balmaz & Putkaradze, eqs (13), (14), without the transposes of (14), with the coupling that (13) lacks.
namespace test::linear {

/// Any number of linear rods in any number of contacts, as a `Problem`; see the head of this file.
template <PlainReal S>
class LinearRods {
 public:
  using Scalar = S;                       ///< the number type
  using Rod = LinearRod<S>;               ///< a rod
  using Contact = LinearCrossing<S>;      ///< a contact
  using State = LinearState<S>;           ///< a point of phase space
  using Increment = LinearIncrement<S>;   ///< the space of stages
  using Rates = LinearRates<S>;           ///< what is solved for
  using NodeLoads = LinearLoads<S>;       ///< what `verlet` keeps
  using Column = Vec<S, Eigen::Dynamic>;  ///< numbers of all nodes, or a number per row
  using Residual = Column;                ///< equations of motion, then rows
  using Index = Eigen::Index;             ///< counts numbers

  /// Of these rods in these contacts. Throws std::invalid_argument for no rods, a contact of rods that are not there or of a rod with itself, one
  /// whose window leaves a rod or holds an end, κ that is zero, not finite or not across both rods, a share outside [0, 1], and contacts
  /// whose rows depend on each other.
  template <Kernel K = CubicSpline>
  explicit LinearRods(std::vector<Rod> rods, const std::vector<Contact>& contacts = {}, K kernel = {})
      : rods_(std::move(rods)),
        g_(3 * static_cast<int>(contacts.size())),
        gap_(static_cast<int>(contacts.size())) {
    require(!rods_.empty(), "LinearRods", "rods", rods_.size(), "there must be one");
    Index node = 0;
    for (const Rod& rod : rods_) {
      first_.push_back(node);
      node += 6 * rod.nodes();
    }
    size_ = node;
    for (const Contact& contact : contacts) rows_.emplace_back(contact, rods_, first_, kernel);
    factor();
  }

  /// The rods.
  [[nodiscard]] const std::vector<Rod>& rods() const noexcept { return rods_; }
  /// Three a contact.
  [[nodiscard]] int row_count() const noexcept { return 3 * static_cast<int>(rows_.size()); }
  /// How many numbers φ has.
  [[nodiscard]] Index size() const noexcept { return size_; }

  /// All rods straight and at rest.
  [[nodiscard]] State state(S time = S(0)) const { return {time, zero(size_), zero(size_)}; }
  /// The part of a column of all nodes (`phi` or `xi` of a state, `xidot` of rates) that belongs to rod `i`: six numbers a node, a column for
  /// each.
  [[nodiscard]] Eigen::Map<Field<S>> field(Column& all, std::size_t i) const {
    return {all.data() + first_[i], 6, rods_[i].nodes()};
  }
  /// The same to read.
  [[nodiscard]] Eigen::Map<const Field<S>> field(const Column& all, std::size_t i) const {
    return {all.data() + first_[i], 6, rods_[i].nodes()};
  }

  /// Room for rates.
  [[nodiscard]] Rates make_rates() const { return {zero(size_), zero(0), zero(row_count()), zero(size_)}; }
  /// Room for an increment.
  [[nodiscard]] Increment make_increment() const { return {zero(size_), zero(size_), S(0)}; }
  /// Room for loads.
  [[nodiscard]] NodeLoads make_loads() const {
    return {zero(size_), zero(row_count()), zero(row_count()), zero(row_count() / 3)};
  }
  /// Room for a residual.
  [[nodiscard]] Residual make_residual() const { return zero(size_ + row_count()); }
  /// Throws std::invalid_argument for a state of another shape.
  void check_state(const State& x) const {
    check_size("numbers of a state", x.phi.size(), size_);
    check_size("velocities of a state", x.xi.size(), size_);
  }

  /// φ̈ and λ, equation (3). Throws std::invalid_argument for a state or rates of another shape, as those below; NotFinite.
  void rates(const State& at, Rates& r) const {
    check_state(at);
    check_rates(r);
    forces(at.phi, r.loads);
    react(r.loads, r.lambda);
    accelerate(r.loads, r.xidot);
    throw_if_not_finite("the sum of the accelerations of linear rods", static_cast<double>(r.xidot.sum()),
                        static_cast<double>(at.time));
  }
  /// M φ̈ + K φ − Aᵀλ, on held degrees φ̈, then A φ̈, for given φ̈ and λ. Allocates.
  void residual(const State& at, const Rates& given, Residual& out) const {
    check_state(at);
    check_rates(given);
    if (out.size() != size_ + row_count()) out = make_residual();
    Column f = zero(size_);
    forces(at.phi, f);
    for (std::size_t c = 0; c < rows_.size(); ++c) rows_[c].add_reaction(of(given.lambda, c), f);
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      const auto a = field(given.xidot, i);
      const auto load = field(f, i);
      for (Index k = 0; k < rods_[i].nodes(); ++k) {
        const Vec<S, 6> needed = rods_[i].node_inertia(k) * a.col(k);
        for (int j = 0; j < 6; ++j)
          out[first_[i] + 6 * k + j] = rods_[i].held(k, j) ? a(j, k) : needed[j] - load(j, k);
      }
    }
    const Column left = row_values(given.xidot);
    for (Index j = 0; j < left.size(); ++j) out[size_ + j] = left[j];
  }

  /// (φ̇, φ̈, 1).
  void slope(const State& at, const Increment&, const Rates& r, Increment& k) const noexcept {
    k.phi = at.xi;
    k.xi = r.xidot;
    k.time = S(1);
  }
  /// state = at + offset, held degrees at rest.
  void retract(const State& at, const Increment& offset, State& state) const {
    state.phi = at.phi + offset.phi;
    state.xi = at.xi + offset.xi;
    state.time = at.time + offset.time;
    hold(state.xi);
  }
  /// The increment from one state to another.
  [[nodiscard]] Increment difference(const State& from, const State& to) const {
    return {to.phi - from.phi, to.xi - from.xi, to.time - from.time};
  }
  /// There are no internal coordinates.
  void solve_algebraic(State&) const noexcept {}
  /// Onto (2), then (1), in the kinetic-energy metric, held degrees at rest. Allocates.
  Projection<S> project(State& x) const {
    check_state(x);
    NodeLoads room = make_loads();
    hold(x.xi);
    const S closed = close(x, S(0), room), stopped = stop(x, room);
    return {std::max(closed, stopped), 1, true};
  }

  /// [J]. Throws NotFinite, as those below.
  [[nodiscard]] S kinetic_energy(const State& x) const {
    check_state(x);
    S sum(0);
    for (std::size_t i = 0; i < rods_.size(); ++i) sum += rods_[i].kinetic_energy(field(x.xi, i));
    return finite("the kinetic energy of linear rods", sum, x.time);
  }
  /// Kinetic and elastic [J].
  [[nodiscard]] S energy(const State& x) const {
    S sum = kinetic_energy(x);
    for (std::size_t i = 0; i < rods_.size(); ++i) sum += rods_[i].potential_energy(field(x.phi, i));
    return finite("the energy of linear rods", sum, x.time);
  }
  /// How far (2) and (1) are from holding [m, m/s]. Allocates.
  [[nodiscard]] Violation<S> constraint(const State& x) const {
    check_state(x);
    using dalembert::detail::largest;
    const Violation<S> v{largest(row_errors(x)), largest(row_velocities(x))};
    finite("the violation of the contacts of linear rods", v.position + v.velocity, x.time);
    return v;
  }
  /// A φ̇, three numbers a contact [m/s].
  [[nodiscard]] Column row_velocities(const State& x) const { return row_values(x.xi); }
  /// κ·A φ/|κ|, one number a contact: by how much rods come closer [m].
  [[nodiscard]] Column row_errors(const State& x) const {
    Column errors = zero(row_count() / 3);
    for (std::size_t c = 0; c < rows_.size(); ++c)
      errors[Index(c)] = rows_[c].normal().dot(rows_[c].value(x.phi));
    return errors;
  }
  /// That of the contacts, zero where (1) holds [W].
  [[nodiscard]] Powers<S> power(const State& x, const Rates& r) const {
    check_state(x);
    check_rates(r);
    return {finite("the power of the contacts of linear rods", row_velocities(x).dot(r.lambda), x.time), S(0),
            S(0)};
  }
  /// No motion has a higher angular frequency [rad/s].
  [[nodiscard]] S frequency_bound(const State&) const {
    S bound(0);
    for (const Rod& rod : rods_) bound = std::max(bound, rod.frequency_bound());
    return bound;
  }
  /// How fast contact `c` moves along its rods, (ṡ₁, ṡ₂) of (4), which is of first order [m/s]. Throws ParallelRods.
  [[nodiscard]] Vec<S, 2> contact_rates(const State& x, std::size_t c) const {
    return rows_[c].rates(x.xi, x.time);
  }

  // What `verlet` asks for.

  /// A does not depend on the configuration.
  void locate(const State&, NodeLoads&) const noexcept {}
  /// −K φ.
  void loads(const State& at, NodeLoads& l) const { forces(at.phi, l.forces); }
  /// Add Aᵀλ.
  void add_constraint_forces(const State&, NodeLoads& l) const { react(l.forces, l.lambda); }
  /// φ̇ += h M⁻¹ loads.
  void kick(State& x, const NodeLoads& l, S h) const { kick(x.xi, l, h, x.xi); }
  /// Kicked for `kick`, then at that velocity for h.
  void kick_drift(const State& at, const NodeLoads& l, S kick_time, S h, State& x) const {
    kick(at.xi, l, kick_time, x.xi);
    x.phi = at.phi + h * x.xi;
    x.time = at.time + h;
  }
  /// Onto (2).
  Projection<S> project_position(State& x, S h, NodeLoads& l) const { return {close(x, h, l), 1, true}; }
  /// Onto (1), then Aᵀλ. Throws NotFinite.
  Projection<S> finish_step(State& x, NodeLoads& l) const {
    const S moved = stop(x, l);
    react(l.forces, l.lambda);
    throw_if_not_finite("the sum of the velocities of linear rods", static_cast<double>(x.xi.sum()),
                        static_cast<double>(x.time));
    return {moved, 1, true};
  }

 private:
  using Rows = detail::LinearRows<S>;

  static Column zero(Index n) { return Column::Zero(n); }
  static S finite(const char* what, S value, S time) {
    throw_if_not_finite(what, static_cast<double>(value), static_cast<double>(time));
    return value;
  }
  static Vec<S, 3> of(const Column& rows, std::size_t c) {
    const Index j = 3 * Index(c);
    return {rows[j], rows[j + 1], rows[j + 2]};
  }

  static void check_size(const char* name, Index found, Index wanted) {
    if (found != wanted) require(false, "LinearRods", name, found, message({"these rods have ", wanted}));
  }
  void check_rates(const Rates& r) const {
    check_size("numbers of rates", r.xidot.size(), size_);
    check_size("loads of rates", r.loads.size(), size_);
    check_size("multipliers of rates", r.lambda.size(), row_count());
  }
  void forces(const Column& phi, Column& f) const {
    for (std::size_t i = 0; i < rods_.size(); ++i) rods_[i].forces(field(phi, i), field(f, i));
  }
  void accelerate(const Column& f, Column& a) const {
    for (std::size_t i = 0; i < rods_.size(); ++i) rods_[i].accelerations(field(f, i), field(a, i));
  }
  void hold(Column& velocity) const {
    for (std::size_t i = 0; i < rods_.size(); ++i) rods_[i].hold(field(velocity, i));
  }
  void kick(const Column& from, const NodeLoads& l, S h, Column& to) const {
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      const auto f = field(l.forces, i), before = field(from, i);
      auto after = field(to, i);
      for (Index k = 0; k < rods_[i].nodes(); ++k)
        after.col(k) = before.col(k) + h * (rods_[i].inverse_inertia(k) * f.col(k));
    }
  }
  [[nodiscard]] Column row_values(const Column& v) const {
    Column values = zero(row_count());
    put_values(v, values);
    return values;
  }
  void put_values(const Column& v, Column& values) const {
    for (std::size_t c = 0; c < rows_.size(); ++c)
      values.template segment<3>(3 * Index(c)) = rows_[c].value(v);
  }
  /// λ = −G⁻¹ A M⁻¹ f, f += Aᵀλ.
  void react(Column& f, Column& lambda) const {
    for (std::size_t c = 0; c < rows_.size(); ++c)
      lambda.template segment<3>(3 * Index(c)) = -rows_[c].acceleration(f);
    g_.solve(lambda);
    for (std::size_t c = 0; c < rows_.size(); ++c) rows_[c].add_reaction(of(lambda, c), f);
  }
  /// Onto (1); how far in the metric of the kinetic energy.
  S stop(State& x, NodeLoads& l) const {
    put_values(x.xi, l.room);
    l.lambda = -l.room;
    g_.solve(l.lambda);
    for (std::size_t c = 0; c < rows_.size(); ++c) rows_[c].add_response(of(l.lambda, c), x.xi);
    return std::sqrt(std::max(S(0), -l.room.dot(l.lambda)));
  }
  /// Onto (2), velocities along unless h is zero; how far.
  S close(State& x, S h, NodeLoads& l) const {
    for (std::size_t c = 0; c < rows_.size(); ++c)
      l.room[Index(c)] = l.normal[Index(c)] = -rows_[c].normal().dot(rows_[c].value(x.phi));
    gap_.solve(l.normal);
    S square(0);
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      square += l.room[Index(c)] * l.normal[Index(c)];
      const Vec<S, 3> mu = l.normal[Index(c)] * rows_[c].normal();
      rows_[c].add_response(mu, x.phi);
      if (h != S(0)) rows_[c].add_response(Vec<S, 3>(mu / h), x.xi);
    }
    return std::sqrt(std::max(S(0), square));
  }
  void factor() {
    Column response = zero(size_);
    for (std::size_t c = 0; c < rows_.size(); ++c)
      for (int j = 0; j < 3; ++j) {
        response.setZero();
        rows_[c].add_response(Vec<S, 3>::Unit(j), response);
        g_.matrix.col(3 * Index(c) + j) = row_values(response);
      }
    for (std::size_t c = 0; c < rows_.size(); ++c)
      for (std::size_t d = 0; d < rows_.size(); ++d)
        gap_.matrix(Index(c), Index(d)) = rows_[c].normal().dot(
            g_.matrix.template block<3, 3>(3 * Index(c), 3 * Index(d)) * rows_[d].normal());
    S largest(0), least = std::numeric_limits<S>::infinity();
    bool regular = g_.compute() && gap_.compute();
    for (Index j = 0; j < g_.matrix.rows(); ++j) {
      largest = std::max(largest, std::abs(g_.matrix(j, j)));
      least = std::min(least, std::abs(g_.matrix(j, j)));
    }
    require(regular && !(least < S(1e-9) * largest), "LinearRods", "contacts", rows_.size(),
            "the rows of different contacts must not depend on each other");
  }

  std::vector<Rod> rods_;
  std::vector<Index> first_{};  // where the numbers of each rod begin
  Index size_ = 0;
  std::vector<Rows> rows_{};
  dalembert::linalg::DenseLU<S> g_, gap_;  // of G, and of its part along the normals
};

}  // namespace test::linear
