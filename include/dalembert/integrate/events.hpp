#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>

#include <dalembert/integrate/method.hpp>

/// Events: zeros of a function of the state along the motion, located by stepping anew, with a shorter step, from the
/// beginning of the step in which the sign changed. That needs no dense output, and the located state is one that the
/// method itself produced. Two sign changes within one step go unnoticed.
namespace dalembert {

/// Which sign changes count.
enum class Crossing { any, rising, falling };

/// A zero to watch for.
template <class P>
struct Event {
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  std::string name;                                      ///< for reports
  std::function<Scalar(const P&, const State&)> value;   ///< the function whose zero is the event
  Crossing crossing = Crossing::any;                     ///< which sign changes count
  bool terminal = false;                                 ///< whether the run ends here
  std::function<void(const P&, const State&)> action{};  ///< called with the located state, in order of time
  Scalar tolerance = 0;  ///< of the located time [s]; 0 for a few units of round-off

  /// Whether going from the value `before` to `after` is a crossing. A zero counts for the step that ends there.
  [[nodiscard]] bool crossed(Scalar before, Scalar after) const noexcept {
    const bool rises = before < 0 && after >= 0;
    const bool falls = before > 0 && after <= 0;
    return (rises && crossing != Crossing::falling) || (falls && crossing != Crossing::rising);
  }
};

/// An event that happened: its index in the list that was watched, and the state there.
template <class State>
struct EventHit {
  std::size_t event;  ///< number of the event in the options
  State state;        ///< where it happened
};

/// The state at the zero of `event` in a step that took `begin` to `end` and the value from `before` ≠ 0 to `after` of another
/// sign. The state returned lies at or just beyond the zero. Regula falsi with the Illinois modification, and bisection
/// every eighth time. The stepper is reset before and after.
template <Problem P, StepperFor<P> W>
[[nodiscard]] typename P::State locate(const Event<P>& event, const P& problem, W& stepper,
                                       const typename P::State& begin, const typename P::State& end,
                                       typename P::Scalar before, typename P::Scalar after) {
  using S = typename P::Scalar;
  using std::abs;
  typename P::State trial = begin;
  typename P::State found = end;
  S low = 0, high = end.time - begin.time;
  S value_low = before, value_high = after;
  const S round_off = S(2) * std::numeric_limits<S>::epsilon() * (abs(S(begin.time)) + high);
  const S tolerance = std::max(event.tolerance, round_off);

  int moved = 0;  // which side moved last: +1 low, −1 high
  for (int i = 0; i < 200 && high - low > tolerance && value_high != S(0); ++i) {
    const S width = high - low;
    const S secant = i % 8 == 7 ? width / 2 : -value_low / (value_high - value_low) * width;
    const S margin = std::min(tolerance, width) / 2;
    const S middle = low + std::clamp(secant, margin, width - margin);
    trial = begin;
    stepper.reset();
    (void)stepper.step(problem, trial, middle);
    const S value = event.value(problem, trial);
    if (value != S(0) && (value > 0) == (before > 0)) {
      low = middle;
      value_low = value;
      if (moved == 1) value_high /= 2;
      moved = 1;
    } else {
      high = middle;
      value_high = value;
      found = trial;
      if (moved == -1) value_low /= 2;
      moved = -1;
    }
  }
  stepper.reset();
  return found;
}

}  // namespace dalembert
