#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/rod/concepts.hpp>
#include <dalembert/rod/detail/check.hpp>
#include <dalembert/rod/detail/stages.hpp>
#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/residual.hpp>

/// One or more rods as a `Problem`: what integrators step. A single free rod is a `RodProblem` without coupling; two rods in rolling contact have the
/// contact as their coupling. All loops over nodes are those of the rods; nothing here allocates after the state, rates and loads are made.
namespace dalembert::rod {

/// Rods of one kind and what couples them.
template <RodModel R, class C = Uncoupled<typename R::Scalar>>
  requires Coupling<C, R>
class RodProblem {
 public:
  using Scalar = typename R::Scalar;  ///< the number type
  using S = Scalar;                   ///< the number type
  using Index = Eigen::Index;         ///< counts nodes

  /// Time [s], the chains of the rods, and the internal coordinates of the coupling.
  struct State {
    S time{};                       ///< [s]
    std::vector<Chain<S>> chains;   ///< the frames and velocities of the rods' nodes
    typename C::Internal internal;  ///< internal coordinates of the coupling, or their change

    /// Whether the velocities of all nodes are finite; a force that is not finite shows there at once.
    [[nodiscard]] bool is_finite() const noexcept {
      S total{};
      for (const Chain<S>& chain : chains) total += rod::total(chain.velocity, chain.nodes);
      using std::isfinite;
      return isfinite(total);
    }
    /// Where its chains lie: what tells two states apart that have changed places.
    [[nodiscard]] const void* identity() const noexcept { return chains.data(); }
    /// Whether every number is finite.
    [[nodiscard]] bool is_finite_throughout() const noexcept {
      using std::isfinite;
      bool finite = isfinite(time);
      for (const Chain<S>& chain : chains) finite = finite && chain.finite();
      if constexpr (requires { internal.is_finite(); }) finite = finite && internal.is_finite();
      return finite;
    }
    /// Its numbers, for checkpoints.
    template <class Visitor>
    friend void visit_numbers(State& x, Visitor&& visit) {
      visit("time", x.time);
      visit_chains(x.chains, visit);
      if constexpr (requires { visit_numbers(x.chains, x.internal, visit); })
        visit_numbers(x.chains, x.internal, visit);
    }
  };

  /// r̈ (spatial) and ω̇ (body) of each node, the multiplier, and the loads they came from.
  struct Rates {
    std::vector<Columns<S, 6>> xidot;  ///< [m/s², rad/s²]
    std::vector<Columns<S, 6>> loads;  ///< with the constraint forces [N, N m]
    typename C::Multiplier lambda;     ///< what the coupling answered
    typename C::InternalRate zdot;     ///< ż
  };

  /// Displacements (spatial δr, body rotation vector), velocity changes, internals, time; see `StageSpace`.
  struct Increment {
    std::vector<Columns<S, 6>> displacement;  ///< δr (spatial) and rotation vector (body) per node
    std::vector<Columns<S, 6>> velocity;      ///< velocities, a row per node
    typename C::InternalRate z;               ///< changes of the internal coordinates
    S time{};                                 ///< [s]

    /// All zero.
    void set_zero() noexcept {
      for (std::size_t i = 0; i < displacement.size(); ++i) {
        displacement[i].setZero();
        velocity[i].setZero();
      }
      z.setZero();
      time = S(0);
    }
    /// Add factor · k.
    void add_scaled(S factor, const Increment& k) noexcept {
      for (std::size_t i = 0; i < displacement.size(); ++i) {
        displacement[i] += factor * k.displacement[i];
        velocity[i] += factor * k.velocity[i];
      }
      z += factor * k.z;
      time += factor * k.time;
    }
    /// The largest magnitude of an entry but the time.
    [[nodiscard]] S norm() const noexcept {
      S largest = C::internal_size > 0 ? z.template lpNorm<Eigen::Infinity>() : S(0);
      for (std::size_t i = 0; i < displacement.size(); ++i)
        largest = std::max({largest, displacement[i].abs().maxCoeff(), velocity[i].abs().maxCoeff()});
      return largest;
    }
  };

  /// The numbers of an increment, one by one; see `NumberedProblem`.
  template <class Visitor>
  friend void visit_increment(const State& at, Increment& u, Visitor&& visit) {
    visit_nodes(at.chains, u.displacement, [&](S& x) { visit.position(x); });
    visit_nodes(at.chains, u.velocity, [&](S& x) { visit.velocity(x); });
    for (S& x : u.z) visit.internal(x);
  }
  /// The numbers of rates, one by one.
  template <class Visitor>
  friend void visit_rates(const State& at, Rates& r, Visitor&& visit) {
    visit_nodes(at.chains, r.xidot, [&](S& x) { visit.velocity(x); });
    for (S& x : r.zdot) visit.internal(x);
    if constexpr (C::row_count > 0)
      for (S& x : r.lambda.multiplier) visit.multiplier(x);
  }

  /// Loads on the nodes, with the multiplier once `add_constraint_forces` has been called.
  struct NodeLoads {
    std::vector<Columns<S, 6>> forces;  ///< forces and body torques per node [N, N m]
    typename C::Multiplier lambda;      ///< what the coupling answered
  };

  /// Equations of motion node by node (six a node, force then torque), the internal coordinates, then the constraint rows.
  using Residual = Eigen::Matrix<S, Eigen::Dynamic, 1>;

  /// Throws std::invalid_argument without rods, or for a coupling that was made for others.
  explicit RodProblem(std::vector<R> rods, C coupling = {})
      : rods_(std::move(rods)), coupling_(std::move(coupling)) {
    require(!rods_.empty(), "RodProblem", "rods", rods_.size(), "a problem needs at least one rod");
    coupling_.check_rods(rods_);
  }

  /// The rods.
  [[nodiscard]] const std::vector<R>& rods() const noexcept { return rods_; }
  /// What couples them.
  [[nodiscard]] const C& coupling() const noexcept { return coupling_; }

  /// A state with these chains, held ends put in place. Throws std::invalid_argument if the chains do not fit the rods or are not finite.
  [[nodiscard]] State state(std::vector<Chain<S>> chains, typename C::Internal internal = {},
                            S time = S(0)) const {
    check_shape("RodProblem", rods_, chains);
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      require_entry(chains[i].finite(), "RodProblem", "chain", i, "not finite",
                    "positions and velocities must be finite");
      require_entry(chains[i].unit(), "RodProblem", "quaternions of chain", i, "not of norm 1",
                    "a rotation is a unit quaternion");
      require_entry(chains[i].squares_are_finite(), "RodProblem", "chain", i, "too large",
                    "the squares of positions and velocities must be finite");
    }
    coupling_.check_internal(rods_, internal);
    require(std::isfinite(time), "RodProblem", "time", time, "a time must be finite [s]");
    State x{time, std::move(chains), std::move(internal)};
    hold_ends(x);
    return x;
  }

  /// Throws std::invalid_argument, naming both sizes, for a state of other rods. What is called in every stage or step does not ask.
  void check_state(const State& x) const {
    check_shape("RodProblem", rods_, x.chains);
    coupling_.check_internal(rods_, x.internal);
  }

  /// Room for rates.
  [[nodiscard]] Rates make_rates() const { return {columns(), columns(), {}, zero_internal()}; }
  /// A zero increment.
  [[nodiscard]] Increment make_increment() const { return {columns(), columns(), zero_internal(), S(0)}; }
  /// Room for loads.
  [[nodiscard]] NodeLoads make_loads() const { return {columns(), {}}; }
  /// Room for a residual.
  [[nodiscard]] Residual make_residual() const {
    Index n = C::internal_size + C::row_count;
    for (const R& rod : rods_) n += 6 * rod.nodes();
    return Residual::Zero(n);
  }

  /// r̈, ω̇, ż and the multiplier. Throws std::invalid_argument for a state or rates of other rods, ElementTurnedTooFar, and what the
  /// coupling throws.
  void rates(const State& at, Rates& r) const {
    check_state(at);
    check_shape("RodProblem", rods_, r.loads);
    check_shape("RodProblem", rods_, r.xidot);
    forces(rods_, at.chains, at.time, r.loads);
    r.lambda = coupling_.add_forces(rods_, at.chains, at.internal, at.time, r.loads);
    bool finite = true;
    for (std::size_t i = 0; i < rods_.size(); ++i)
      finite = rods_[i].accelerations(at.chains[i], r.loads[i], at.time, r.xidot[i]) && finite;
    if (!finite) [[unlikely]]
      throw NotFinite("NotFinite: accelerations of rods are not finite", static_cast<double>(at.time));
    r.zdot = C::internal_rate(r.lambda);
  }

  /// Equations of motion for given accelerations and multiplier, then the differentiated constraints for given accelerations and ż. Allocates.
  void residual(const State& at, const Rates& given, Residual& out) const requires ResidualCoupling<C, R> {
    check_state(at);
    check_shape("RodProblem", rods_, given.xidot);
    if (out.size() != make_residual().size()) out = make_residual();
    std::vector<Columns<S, 6>> f = columns();
    forces(rods_, at.chains, at.time, f);
    coupling_.add_loads(at.chains, at.internal, given.lambda, f);
    Index row = 0;
    for (std::size_t i = 0; i < rods_.size(); row += 6 * rods_[i].nodes(), ++i)
      equations_of_motion(rods_[i], at.chains[i], given.xidot[i], f[i], at.time, out, row);
    out.tail(out.size() - row) = coupling_.residual(at.chains, at.internal, given.xidot, given.zdot);
  }

  /// (ṙ, J_r⁻¹(θ) ω, r̈, ω̇, ż, 1) for a stage that lies at `offset` from the base of the step.
  void slope(const State& at, const Increment& offset, const Rates& r, Increment& k) const noexcept {
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      detail::slope_of_displacement(at.chains[i], offset.displacement[i], k.displacement[i]);
      k.velocity[i] = r.xidot[i];
    }
    k.z = r.zdot;
    k.time = S(1);
  }

  /// state = at ⊕ offset: positions and velocities added, rotations Λ exp(θ), ends with a prescribed motion put in place.
  void retract(const State& at, const Increment& offset, State& state) const {
    for (std::size_t i = 0; i < rods_.size(); ++i)
      detail::retract(at.chains[i], offset.displacement[i], offset.velocity[i], state.chains[i]);
    if (&at != &state) state.internal = at.internal;
    C::advance_internal(state.internal, offset.z);
    state.time = at.time + offset.time;
    hold_ends(state);
  }

  /// Bring algebraic internals up to date.
  void solve_algebraic(State& x) const { coupling_.solve_algebraic(rods_, x.chains, x.internal, x.time); }

  /// Onto positions, then velocities, in the kinetic-energy metric.
  Projection<S> project(State& x) const {
    check_state(x);
    Projection<S> result = coupling_.project_position(rods_, x.chains, x.internal, x.time, S(0));
    const Projection<S> velocity = coupling_.project_velocity(rods_, x.chains, x.internal);
    result.moved = std::max(result.moved, velocity.moved);
    S total = velocity.moved;  // not finite if a number is not
    for (const Chain<S>& chain : x.chains)
      total += rod::total(chain.configuration, chain.nodes) + rod::total(chain.velocity, chain.nodes);
    check_finite(total, "a projection", x.time);
    return result;
  }

  /// Kinetic and potential energy [J]. Throws NotFinite if it is no number, as do those below.
  [[nodiscard]] S energy(const State& x) const {
    S total = kinetic_energy(x);
    for (std::size_t i = 0; i < rods_.size(); ++i) total += potential_energy(rods_[i], x.chains[i]);
    check_finite(total, "the energy", x.time);
    return total;
  }
  /// Kinetic energy [J].
  [[nodiscard]] S kinetic_energy(const State& x) const {
    check_shape("RodProblem", rods_, x.chains);
    S total{};
    for (std::size_t i = 0; i < rods_.size(); ++i) total += rod::kinetic_energy(rods_[i], x.chains[i]);
    check_finite(total, "the kinetic energy", x.time);
    return total;
  }
  /// A bound on the angular frequencies of small motions about a state [rad/s], without the coupling, which only lowers them.
  [[nodiscard]] S frequency_bound(const State& x) const requires(detail::HasFrequencyBound<R>) {
    check_shape("RodProblem", rods_, x.chains);
    S largest{};
    for (std::size_t i = 0; i < rods_.size(); ++i)
      largest = std::max(largest, rod::frequency_bound(rods_[i], x.chains[i]));
    return largest;
  }
  /// How far the state is from its constraints [m, m/s].
  [[nodiscard]] Violation<S> constraint(const State& x) const {
    check_state(x);
    const Violation<S> violation = coupling_.violation(x.chains, x.internal, x.time);
    check_finite(violation.position + violation.velocity, "the violation of constraints", x.time);
    return violation;
  }

  /// Powers of the constraint forces, of the damping, and of end moments, follower loads and prescribed motions [W].
  [[nodiscard]] Powers<S> power(const State& x, const Rates& r) const {
    check_state(x);
    check_shape("RodProblem", rods_, r.xidot);
    Powers<S> p;
    p.constraint = coupling_.constraint_power(x.chains, x.internal, r.lambda);
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      p.dissipation -= S(2) * rods_[i].parameters().damping.rate * rod::kinetic_energy(rods_[i], x.chains[i]);
      p.load += end_power(rods_[i], x.chains[i], r.xidot[i], r.loads[i], End::start) +
                end_power(rods_[i], x.chains[i], r.xidot[i], r.loads[i], End::finish);
    }
    check_finite(p.constraint + p.dissipation + p.load, "the power", x.time);
    return p;
  }

  // What `verlet` asks for.

  /// Nothing to do: states know where their contact is.
  void locate(const State&, NodeLoads&) const noexcept {}
  /// Forces of a configuration, without those of constraints.
  void loads(const State& at, NodeLoads& loads) const { forces(rods_, at.chains, at.time, loads.forces); }
  /// Add the constraint forces at acceleration level.
  void add_constraint_forces(State& at, NodeLoads& loads) const {
    loads.lambda = coupling_.add_forces(rods_, at.chains, at.internal, at.time, loads.forces);
    C::record_rate(at.internal, loads.lambda);
  }
  /// v += h M⁻¹ loads.
  void kick(State& x, const NodeLoads& loads, S h) const {
    for (std::size_t i = 0; i < rods_.size(); ++i) rods_[i].kick(x.chains[i], loads.forces[i], h);
  }
  /// x = free motion for h from (at, kicked by loads for `kick`).
  void kick_drift(const State& at, const NodeLoads& loads, S kick, S h, State& x) const {
    for (std::size_t i = 0; i < rods_.size(); ++i)
      rods_[i].kick_drift(at.chains[i], loads.forces[i], kick, at.time, h, x.chains[i]);
    x.internal = at.internal;
    x.time = at.time + h;
  }
  /// δq = M⁻¹Aᵀμ, v += δq/h.
  Projection<S> project_position(State& x, S h, NodeLoads&) const {
    return coupling_.project_position(rods_, x.chains, x.internal, x.time, h);
  }
  /// v −= M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹Av, then the constraint forces.
  Projection<S> finish_step(State& x, NodeLoads& loads) const {
    const Projection<S> moved = project_velocity(x);
    add_constraint_forces(x, loads);
    return moved;
  }
  /// The first of both.
  Projection<S> project_velocity(State& x) const {
    return coupling_.project_velocity(rods_, x.chains, x.internal);
  }

 private:
  [[nodiscard]] std::vector<Columns<S, 6>> columns() const {
    std::vector<Columns<S, 6>> c;
    for (const R& rod : rods_) c.push_back(zero_columns<S, 6>(rod.nodes()));
    return c;
  }
  [[nodiscard]] static typename C::InternalRate zero_internal() { return C::InternalRate::Zero(); }

  void hold_ends(State& x) const {
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      rods_[i].hold_end(x.chains[i], End::start, x.time);
      rods_[i].hold_end(x.chains[i], End::finish, x.time);
    }
  }

  std::vector<R> rods_;
  C coupling_;
};

}  // namespace dalembert::rod
