#pragma once

#include <concepts>

#include <dalembert/integrate/method.hpp>

/// Dense output: states between the ends of a step. A method that has them declares `dense_order` q, and its
/// workspace answers
///   interpolate(problem, theta, out)      the state at the fraction θ of the last step, 0 ≤ θ ≤ 1
/// with an error like h^(q+1) in one step. It costs no evaluation of the rates, or a few that are kept until
/// the next step. The node at θ = 1 is met to round-off, and the interpolated motion is as smooth as the
/// method declares.
namespace dalembert {

/// A method whose steps can be interpolated.
template <class M>
concept HasDenseOutput = requires {
  requires(M::dense_order > 0);
};

/// A workspace that can interpolate its last step. `interpolate` leaves the state of the run and the next
/// step as they are; its report says whether an inner iteration converged. It throws std::invalid_argument if
/// there is no last step.
template <class W, class P>
concept DenseStepperFor = StepperFor<W, P> &&
    requires(W& stepper, const P& problem, typename P::State& out, typename P::Scalar theta) {
  { stepper.interpolate(problem, theta, out) } -> std::same_as<StepReport<typename P::Scalar>>;
};

}  // namespace dalembert
