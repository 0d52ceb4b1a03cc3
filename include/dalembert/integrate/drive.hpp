#pragma once

#include <type_traits>

#include <dalembert/integrate/detail/fixed_step.hpp>
#include <dalembert/integrate/detail/run.hpp>
#include <dalembert/integrate/detail/stability.hpp>
#include <dalembert/integrate/stable_step.hpp>

/// The one loop of every run.
///   drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 10.0}, observer, …);
namespace dalembert {

/// Step `state` with `method` until `options.until`. Observers are called as observer(problem, state) or
/// observer(problem, state, report) at the start, at each output time and at the end, before the action of an
/// event at that time. Steps are equal: the longest that divide the time between two outputs and are not
/// longer than `step`, or `step` itself where every step is an output; an event, or the end, cuts only the
/// step that it lies in. All their ends are hit without drift. With a tolerance their lengths are the
/// integrator's choice, and output times are interpolated where the method can (see `DriveOptions::dense`) or
/// else hit all the same; the end is always hit. With `cfl` the step is a part of the longest stable one. An
/// adaptive run that crawls, and one that leaves its constraints farther than is allowed, cannot go on
/// either: see `DriveOptions::shortest_step` and `max_violation`. Throws std::invalid_argument for options
/// that break their rule, and `IntegrationFailureWith<State>` when the run cannot go on: it holds the last
/// good state, which `state` then is too, and what caused it is nested inside. What an observer, an event's
/// function or its action throws passes through.
template <class M, class P, class... Observers>
DriveReport<typename P::State> drive(const M& method, const P& problem, typename P::State& state,
                                     const std::type_identity_t<DriveOptions<P>>& options,
                                     Observers&&... observers) {
  if constexpr (!Flow<P>) check_problem<P>();
  static_assert(MethodFor<M, P>,
                "this is no integrator for the problem (integrate/method.hpp): it needs order, symmetric "
                "and stepper(problem, state) with step(problem, state, h) and reset()");
  static_assert(
      !ImpactProblem<P> || requires { requires M::takes_impacts; },
      "contacts that open and close are stepped by Verlet alone: other methods know no impacts");
  if constexpr (MethodFor<M, P>) {
    auto numbers = options.numbers();
    detail::take_stable_step(method, problem, state, numbers);
    options.check(state.time, numbers);
    using Run = detail::Run<M, P, std::remove_reference_t<Observers>...>;
    detail::check_tolerances(numbers, EstimatesError<M>, Run::tells_displacement);
    check_state(problem, state);
    detail::check_stability<M>(problem, state, numbers);
    detail::check_fixed_step(problem, state, numbers);
    return Run(method, problem, state, options, numbers, observers...)();
  }
}

}  // namespace dalembert
