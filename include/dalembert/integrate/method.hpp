#pragma once

#include <dalembert/integrate/check.hpp>

/// The face of every integrator. A method is a small description; `stepper` makes its workspace once, for one
/// problem and states of one shape, and from then on a step does not allocate.
///   auto stepper = RungeKutta4{}.stepper(problem, state);
///   const auto report = stepper.step(problem, state, 0.01);
namespace dalembert {

/// What `drive` and a user's own loop ask of a workspace.
///   step(problem, state, h)  moves `state` on by h [s]; if it throws, `state` is as before. It asks first
///                            whether the prescribed motions of a `DrivenProblem` can be followed
///                            (`check_step`), so that a loop of one's own is told of a jump as `drive` is
///   reset()                  optional: forgets what was kept from the last step; needed after `state` was
///                            changed by hand
///   previous()               optional: the state before the last step, so that a loop need not copy it
template <class W, class P>
concept StepperFor = Observable<P> &&
    requires(W& stepper, const P& problem, typename P::State& state, typename P::Scalar h) {
  { stepper.step(problem, state, h) } -> std::convertible_to<StepReport<typename P::Scalar>>;
};

/// Has a workspace forget its last step, if it keeps something of it.
template <class W>
void forget_last_step(W& stepper) {
  if constexpr (requires { stepper.reset(); }) stepper.reset();
}

/// A description of an integrator that serves the problem P: `order` of convergence, `stepper(problem,
/// state)`, and `symmetric` if it is (its adjoint is itself).
template <class M, class P>
concept MethodFor = Observable<P> &&
    requires(const M& method, const P& problem, const typename P::State& state) {
  { M::order } -> std::convertible_to<int>;
  { method.stepper(problem, state) } -> StepperFor<P>;
};

/// A method whose adjoint is itself.
template <class M>
concept SymmetricMethod = requires {
  requires M::symmetric;
};

/// A method whose steps estimate their error: the estimate shrinks like h to the power `error_order` > 0.
template <class M>
concept EstimatesError = requires {
  requires(M::error_order > 0);
};

/// A method whose workspace keeps from step to step what no state holds, which is a point of phase space and
/// nothing else: accelerations, or where Newton's method begins and with which matrix. A run that goes on
/// from a state begins that anew, and is the uninterrupted run as accurately as the method is, or as Newton's
/// method was asked to be, but not bit for bit. With other methods and equal steps it is, but for the
/// rounding that compensated collocation carries.
template <class M>
concept KeepsMemory = requires {
  requires(M::keeps_memory);
};

/// A method whose steps h of an undamped oscillation of angular frequency ω grow where ωh >
/// `stability_limit()`.
template <class M>
concept HasStabilityLimit = requires {
  { M::stability_limit() } -> std::convertible_to<double>;
};

}  // namespace dalembert
