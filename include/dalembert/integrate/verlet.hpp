#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/integrate/check.hpp>
#include <dalembert/integrate/detail/last_state.hpp>
#include <dalembert/integrate/method.hpp>

/// Half-explicit Verlet (velocity form, RATTLE with velocity constraints), for any `SplitProblem`. One step
/// of length h:
///   v ← v + ½h M⁻¹(F + Aᵀλ)      half kick, λ from the constraints at acceleration level
///   (q, v) ← exact flow of the kinetic energy for h
///   q ← q + M⁻¹Aᵀμ, v ← v + M⁻¹Aᵀμ/h      onto the holonomic constraints, in the mass metric
///   v ← v + ½h M⁻¹F, v ← v − M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹A v      onto the velocity constraints
/// Where rows are friction, u + ελ = 0, the kicks take λ with them implicitly, so that no step is too long
/// for a small ε: the first one such that a slip alone is multiplied by (1 + ³⁄₂z)/(1 + z)², the last
/// one by 1/(1 + ½z), z = hG/ε, together exp(−z) to second order. One evaluation of the forces a step.
/// Second order in positions; without constraints it is symplectic and symmetric, and needs h < 2/ω_max.
/// Satisfies holonomic and velocity constraints to round-off at every node of time; energy stays within a
/// band that shrinks like h².
namespace dalembert {

/// Workspace of `Verlet` for the problem P. A Team does pieces of work as `OneByOne` does.
template <SplitProblem P, class Team = OneByOne>
class VerletStepper {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// For states of the shape of `state`.
  VerletStepper(const P& problem, const State& state, Team team = {});

  /// Move `state` on by h [s], h > 0. Whatever the problem throws passes through, and `state` is then as
  /// before. The loads kept from the last step serve if it ended in this state; after a change of numbers in
  /// the state's arrays call `reset`.
  [[nodiscard]] StepReportOf<P> step(const P& problem, State& state, Scalar h);

  /// Forget the loads kept from the end of the last step.
  void reset() noexcept { loads_of_.forget(); }

  /// The loads and the multiplier at the end of the last step; the loads of strings that step in one sweep
  /// are those of the nodes alone that bear places of constraints.
  [[nodiscard]] const typename P::NodeLoads& loads() const noexcept { return loads_; }

  /// The state before the last step that succeeded.
  [[nodiscard]] const State& previous() const noexcept { return next_; }

 private:
  /// With fewer, the bodies of a part are done before a team has met twice.
  static constexpr int nodes_worth_a_team = 4096;

  static void join(const StepReport<Scalar>& part, StepReport<Scalar>& all) noexcept {
    all.converged = all.converged && part.converged;
    all.iterations = std::max(all.iterations, part.iterations);
  }
  template <class Part, class Run>
  void step_part(const Part& part, const State& state, Scalar h, const Run& run, StepReport<Scalar>& report) {
    constexpr bool halves = PartedProblem<P>;
    if constexpr (halves)
      part.begin_step(state, loads_, h, next_, run);
    else
      part.kick_drift(state, loads_, h / 2, h, next_);
    // contacts that open and close are work for several
    constexpr bool shares = requires { part.finish_step(next_, loads_, run); };
    Projection<Scalar> position;
    if constexpr (shares)
      position = part.project_position(next_, h, loads_, run);
    else
      position = part.project_position(next_, h, loads_);
    if constexpr (halves) {
      part.end_step(next_, loads_, h, run);
    } else {
      part.loads(next_, loads_);
      part.kick(next_, loads_, h / 2);
    }
    Projection<Scalar> velocity;
    if constexpr (shares)
      velocity = part.finish_step(next_, loads_, run);
    else
      velocity = part.finish_step(next_, loads_);
    join({.converged = position.converged && velocity.converged, .iterations = position.iterations}, report);
  }

  State next_;
  typename P::NodeLoads loads_;
  detail::LastState<State> loads_of_{};
  std::vector<StepReport<Scalar>> reports_;  // of the parts
  [[no_unique_address]] Team team_;
};

template <SplitProblem P, class Team>
VerletStepper<P, Team>::VerletStepper(const P& problem, const State& state, Team team)
    : next_(state), loads_(problem.make_loads()), team_(std::move(team)) {
  if constexpr (PartedProblem<P>) reports_.resize(problem.parts());
}

template <SplitProblem P, class Team>
auto VerletStepper<P, Team>::step(const P& problem, State& state, Scalar h) -> StepReportOf<P> {
  check_step(problem, state, h, true);
  if (!loads_of_.is(state)) {
    problem.locate(state, loads_);
    problem.loads(state, loads_);
    if constexpr (!requires { requires P::reacts_in_step; }) problem.add_constraint_forces(state, loads_);
  }
  loads_of_.forget();
  StepReportOf<P> report;
  if constexpr (PartedProblem<P>) {
    next_.time = state.time + h;
    if (problem.parts() >= 2 * team_.size() && problem.parts_are_apart()) {
      team_(problem.parts(), [&](std::size_t i) {
        reports_[i] = {};
        step_part(problem.part(i), state, h, OneByOne{}, reports_[i]);
      });
      for (const StepReport<Scalar>& mine : reports_) join(mine, report);
    } else {
      for (std::size_t i = 0; i < problem.parts(); ++i) {
        const auto part = problem.part(i);
        if (team_.size() > 1 && part.nodes() >= nodes_worth_a_team)
          step_part(part, state, h, team_, report);
        else
          step_part(part, state, h, OneByOne{}, report);
      }
    }
    problem.join_parts(loads_);
  } else {
    step_part(problem, state, h, OneByOne{}, report);
  }
  if constexpr (ImpactProblem<P>) report.works = problem.works(loads_);
  std::swap(state, next_);
  loads_of_.note(state, h);
  return report;
}

/// The half-explicit Verlet method; see the head of this file.
struct Verlet {
  static constexpr int order = 2;              ///< order of convergence
  static constexpr bool symmetric = false;     ///< whether the adjoint method is the method itself
  static constexpr int error_order = 0;        ///< power of h in the error estimate, 0 without one
  static constexpr bool takes_impacts = true;  ///< contacts may open and close

  /// The longest step times the angular frequency of an undamped oscillation that does not grow.
  [[nodiscard]] static constexpr double stability_limit() noexcept { return 2; }

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P, class State>
  [[nodiscard]] auto stepper(const P& problem, const State& state) const {
    check_split_problem<P>();
    if constexpr (SplitProblem<P>) {
      check_state(problem, state);
      return VerletStepper<P>(problem, state);
    }
  }
};

}  // namespace dalembert
