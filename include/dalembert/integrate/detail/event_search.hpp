#pragma once

#include <cmath>
#include <exception>
#include <optional>

#include <dalembert/integrate/events.hpp>
#include <dalembert/integrate/method.hpp>
#include <dalembert/problem/concepts.hpp>

namespace dalembert::detail {

/// The steps that a search for events takes with `locator`, and the last one of `stepper` between its ends.
/// `guard` calls a step and turns what it throws into a failure of the run, so that what the function of an
/// event throws is told apart; where the interpolant fails the steps tell.
template <bool dense, class Stepper, class Guard>
struct SearchSteps {
  std::optional<Stepper>& locator;
  Stepper& stepper;
  const Guard& guard;

  template <class P, class S>
  StepReport<S> step(const P& problem, typename P::State& state, S h) {
    return guard([&] { return locator->step(problem, state, h); });
  }
  void reset() { forget_last_step(*locator); }
  template <class P, class S>
  StepReport<S> interpolate(const P& problem, S fraction, typename P::State& out) requires(dense) {
    try {
      return stepper.interpolate(problem, fraction, out);
    } catch (const std::exception&) {
      return {.converged = false};
    }
  }
};

/// The state after a step of length h from `begin`, and the value of an event there.
template <class P, class W>
typename P::Scalar value_within(const Event<P>& event, const P& problem, W& steps,
                                const typename P::State& begin, typename P::Scalar h,
                                typename P::State& there) {
  there = begin;
  forget_last_step(steps);
  (void)steps.step(problem, there, h);
  return event.value(problem, there);
}

/// The crossing of an event that is not a number at an end of the step from `begin` to `end`, where it was
/// `before` and is `after`: it may be a number within. `after` becomes the last number that it was in the
/// step, or before it, so that no change of sign is lost.
template <class P, class W>
[[gnu::noinline]] std::optional<typename P::State> crossing_beside_gap(
    const Event<P>& event, const P& problem, W& steps, const typename P::State& begin,
    const typename P::State& end, typename P::Scalar before, typename P::Scalar& after) {
  using S = typename P::Scalar;
  using std::isnan;
  const S width = end.time - begin.time, margin = S(0x1p-20) * width;
  typename P::State last = end, trial = begin;
  if (isnan(after)) {
    after = before;
    if (isnan(before)) return {};
    // Within a longer gap one look is enough; where it begins its edge is searched for.
    const int most_looks = isnan(event.value(problem, begin)) ? 1 : 20;
    S low = 0, high = width, place = width - margin;
    for (int looks = 0; looks < most_looks; ++looks) {
      const S value = value_within(event, problem, steps, begin, place, trial);
      if (isnan(value)) {
        high = place;
      } else {
        low = place;
        after = value;
        last = trial;
        if (looks == 0) break;
      }
      place = (low + high) / 2;
    }
    if (!(low > 0)) return {};
  } else {
    before = value_within(event, problem, steps, begin, margin, trial);
  }
  if (!event.crossed(before, after)) return {};
  return locate(event, problem, steps, begin, last, before, after);
}

/// The state where `event` happened in the step from `begin` to `end`, if it did: its value was `before`, and
/// is `after`, which becomes the one to go on from. `steps` tries shorter ones; where it interpolates it has
/// taken that step. A flow whose steps all have one length is not tried: what happens in its step does so at
/// the end.
template <class P, class W>
[[nodiscard]] std::optional<typename P::State> crossing_in_step(
    const Event<P>& event, const P& problem, [[maybe_unused]] W& steps, const typename P::State& begin,
    const typename P::State& end, typename P::Scalar before, typename P::Scalar& after) {
  using S = typename P::Scalar;
  using std::isnan;
  if constexpr (FixedStepFlow<P>) {
    if (isnan(after)) after = before;
    if (event.crossed(before, after)) return end;
    return {};
  } else {
    if (isnan(before) || isnan(after))
      return crossing_beside_gap(event, problem, steps, begin, end, before, after);
    if (!event.crossed(before, after)) return {};
    std::optional<S> guess;
    if constexpr (DenseStepperFor<W, P>)
      guess = interpolated_crossing(event, problem, steps, begin, end, before, after);
    return locate(event, problem, steps, begin, end, before, after, guess);
  }
}

}  // namespace dalembert::detail
