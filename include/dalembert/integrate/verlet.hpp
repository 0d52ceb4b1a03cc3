#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <dalembert/integrate/check.hpp>
#include <dalembert/integrate/detail/last_state.hpp>
#include <dalembert/integrate/method.hpp>

/// Half-explicit Verlet (velocity form), for any `SplitProblem`. One step of length h:
///   v ← v + ½h M⁻¹(F + Aᵀλ)      half kick, λ from the constraints at acceleration level
///   (q, v) ← exact flow of the kinetic energy for h
///   q ← q + M⁻¹Aᵀμ, v ← v + M⁻¹Aᵀμ/h      onto the holonomic constraints, in the mass metric
///   v ← v + ½h M⁻¹F, v ← v − M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹A v      half kick, onto the velocity constraints
/// Where rows are friction, u + ελ = 0, the kicks take λ with them implicitly, so that no step is too long for a small ε: the first one such that
/// a slip alone is multiplied by (1 + ³⁄₂z)/(1 + z)², the last one by 1/(1 + ½z), z = hG/ε, together exp(−z) to second order.
/// One evaluation of the forces a step. Second order in positions; without constraints it is symplectic and symmetric, and needs h < 2/ω_max.
/// Keeps holonomic and velocity constraints to round-off at every node of time; energy stays within a band that shrinks like h².
namespace dalembert {

/// Workspace of `Verlet` for the problem P.
template <SplitProblem P>
class VerletStepper {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// For states of the shape of `state`.
  VerletStepper(const P& problem, const State& state) : next_(state), loads_(problem.make_loads()) {}

  /// Move `state` on by h [s], h > 0. Whatever the problem throws passes through, and `state` is then as before. The loads kept from the
  /// last step serve if it ended in this state; after a change of numbers in the state's arrays call `reset`.
  [[nodiscard]] StepReport<Scalar> step(const P& problem, State& state, Scalar h) {
    check_step(problem, state, h, true);
    if (!loads_of_.is(state)) {
      problem.locate(state, loads_);
      problem.loads(state, loads_);
      if constexpr (!requires { requires P::reacts_in_step; }) problem.add_constraint_forces(state, loads_);
    }
    loads_of_.forget();
    StepReport<Scalar> report;
    if constexpr (PartedProblem<P>)
      for (std::size_t i = 0; i < problem.parts(); ++i) step_part(problem.part(i), state, h, report);
    else
      step_part(problem, state, h, report);
    std::swap(state, next_);
    loads_of_.note(state, h);
    return report;
  }

  /// Forget the loads kept from the end of the last step.
  void reset() noexcept { loads_of_.forget(); }

  /// The loads and the multiplier at the end of the last step; the loads of strings that step in one sweep are those of the nodes alone that bear
  /// places of constraints.
  [[nodiscard]] const typename P::NodeLoads& loads() const noexcept { return loads_; }

  /// The state before the last step that succeeded.
  [[nodiscard]] const State& previous() const noexcept { return next_; }

 private:
  template <class Part>
  void step_part(const Part& part, const State& state, Scalar h, StepReport<Scalar>& report) {
    constexpr bool halves = PartedProblem<P>;
    if constexpr (halves)
      part.begin_step(state, loads_, h, next_);
    else
      part.kick_drift(state, loads_, h / 2, h, next_);
    const Projection<Scalar> position = part.project_position(next_, h, loads_);
    if constexpr (halves) {
      part.end_step(next_, loads_, h);
    } else {
      part.loads(next_, loads_);
      part.kick(next_, loads_, h / 2);
    }
    const Projection<Scalar> velocity = part.finish_step(next_, loads_);
    report.converged = report.converged && position.converged && velocity.converged;
    report.iterations = std::max(report.iterations, position.iterations);
  }

  State next_;
  typename P::NodeLoads loads_;
  detail::LastState<State> loads_of_{};
};

/// The half-explicit Verlet method; see the head of this file.
struct Verlet {
  static constexpr int order = 2;           ///< order of convergence
  static constexpr bool symmetric = false;  ///< whether the adjoint method is the method itself
  static constexpr int error_order = 0;     ///< power of h in the error estimate, 0 without one

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
