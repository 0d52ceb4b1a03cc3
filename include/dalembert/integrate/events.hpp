#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/integrate/dense_output.hpp>
#include <dalembert/integrate/method.hpp>

/// Event location: zeros of a function of the state along the motion, located by stepping anew, with a
/// shorter step, from the beginning of the step in which the sign changed. The located state is one that the
/// method itself produced; where the method has dense output, its zero is where the search begins, which
/// saves steps, half of them with order 8. Two sign changes within one step go unnoticed. Where the function
/// is not a number, at a node of time or along a stretch of the motion, the signs before and after count; a
/// change between them happens where it is a number again. A flow whose steps all have one length is not
/// stepped anew: its events are located at the end of their step.
namespace dalembert {

/// Which sign changes count.
enum class SignChange { any, rising, falling };

namespace detail {

/// Whether going from the value `before` to `after` is a crossing that counts.
template <class S>
[[nodiscard]] bool crossed(SignChange which, S before, S after) noexcept {
  const bool rises = before < 0 && after >= 0;
  const bool falls = before > 0 && after <= 0;
  return (rises && which != SignChange::falling) || (falls && which != SignChange::rising);
}

}  // namespace detail

/// A zero to watch for.
template <class P>
struct Event {
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  std::string name;  ///< for reports
  /// The function whose zero is the event. What it throws passes through.
  std::function<Scalar(const P&, const State&)> value;
  SignChange crossing = SignChange::any;  ///< which sign changes count
  bool terminal = false;                  ///< whether the run ends here
  /// Called with the located state, in order of time, after the observers if it is one of theirs. It looks
  /// on: the run goes on from the end of the step as if nothing had happened. To change the motion, as in an
  /// impact, let the event be terminal, change the state when `drive` returns, and drive on from there.
  std::function<void(const P&, const State&)> action{};
  Scalar tolerance = 0;  ///< of the located time [s]; 0 for a few units of round-off

  /// Whether going from the value `before` to `after` is a crossing. A zero counts for the step that ends
  /// there.
  [[nodiscard]] bool crossed(Scalar before, Scalar after) const noexcept {
    return detail::crossed(crossing, before, after);
  }
};

/// An event that happened: its index in the list that was watched, and the state there.
template <class State>
struct EventHit {
  std::size_t event;  ///< number of the event in the options
  State state;        ///< where it happened
};

namespace detail {

/// A sign change between two places, narrowed down by regula falsi with the Illinois modification, and by
/// bisection every eighth time.
template <class S>
class Bracket {
 public:
  /// Between 0 and `width`, where the function is `before` ≠ 0 and `after` of another sign or zero.
  Bracket(S width, S before, S after)
      : high_(width), value_low_(before), value_high_(after), falling_(before > 0) {}

  /// Whether the zero is not yet known to `tolerance`.
  [[nodiscard]] bool open(S tolerance) const {
    return tries_ < 200 && high_ - low_ > tolerance && value_high_ != S(0);
  }

  /// Where to look next.
  [[nodiscard, gnu::noinline]] S next(S tolerance) const {
    using std::isfinite;
    const S width = high_ - low_;
    S secant = -value_low_ / (value_high_ - value_low_) * width;
    if (tries_ % 8 == 7 || !isfinite(secant)) secant = width / 2;
    const S margin = std::min(tolerance, width) / 2;
    return low_ + std::clamp(secant, margin, width - margin);
  }

  /// Whether one end is all but at the zero, and the other far from it.
  [[nodiscard]] bool lopsided() const {
    using std::abs;
    const S low = abs(value_low_), high = abs(value_high_);
    return std::max(low, high) > 100 * std::min(low, high);
  }

  /// A place from which that end is probably on the other side of the zero: `reach` times as far as the
  /// secant says.
  [[nodiscard]] S beyond(S reach, S tolerance) const {
    using std::abs;
    const S width = high_ - low_;
    const S slope = abs(value_high_ - value_low_) / width;
    const S step = std::clamp(reach * std::min(abs(value_low_), abs(value_high_)) / slope,
                              std::min(tolerance, width) / 2, width / 2);
    return abs(value_low_) < abs(value_high_) ? low_ + step : high_ - step;
  }

  /// Take note of the value at a place within; whether it lies at or beyond the zero, which what is not a
  /// number does not.
  [[gnu::noinline]] bool put(S place, S value) {
    ++tries_;
    const bool beyond_zero = falling_ ? value <= 0 : value >= 0;
    if (beyond_zero) {
      high_ = place;
      value_high_ = value;
      if (moved_ == -1) value_low_ /= 2;
    } else {
      low_ = place;
      value_low_ = value;
      if (moved_ == 1) value_high_ /= 2;
    }
    moved_ = beyond_zero ? -1 : 1;
    return beyond_zero;
  }

  /// The end at or beyond the zero.
  [[nodiscard]] S high() const { return high_; }

 private:
  S low_ = 0, high_;
  S value_low_, value_high_;
  bool falling_;
  int moved_ = 0;  // which side moved last: +1 low, −1 high
  int tries_ = 0;
};

/// What a search for the zero of an event asks for: its function, and steps from the beginning of the one
/// that it lies in.
template <class State>
class EventSearch {
 public:
  using S = std::remove_cv_t<decltype(State::time)>;

  virtual S value(const State& at) = 0;
  virtual void forget_last_step() = 0;
  virtual void step(State& state, S h) = 0;  ///< one of the kind that the run takes, of length h [s]
  /// The state at a fraction of the run's step, as interpolated; false where that leads nowhere.
  virtual bool interpolate(S fraction, State& out) = 0;
  /// Where to look first in a step [s], if something tells: `find_interpolated`.
  virtual std::optional<S> guess(S, const State&, const State&, S, S) { return {}; }

 protected:
  ~EventSearch() = default;
};

/// How well an event is to be located in a step from `begin` of length `width` [s].
template <class S>
S tolerance_of(S asked, S begin, S width) {
  using std::abs;
  return std::max(asked, S(2) * std::numeric_limits<S>::epsilon() * (abs(begin) + width));
}

/// The value of an event after a step of length h from `begin`, and the state there.
template <class State, class S>
[[gnu::cold, gnu::noinline]] S value_within(EventSearch<State>& search, const State& begin, S h,
                                            State& there) {
  there = begin;
  search.forget_last_step();
  search.step(there, h);
  return search.value(there);
}

/// See `interpolated_crossing`.
template <class State, class S>
[[gnu::cold, gnu::noinline]] std::optional<S> find_interpolated(EventSearch<State>& search, S asked,
                                                                const State& begin, const State& end,
                                                                S before, S after) {
  const S width = end.time - begin.time, tolerance = tolerance_of(asked, S(begin.time), width);
  State trial = begin;
  Bracket<S> bracket(width, before, after);
  while (bracket.open(tolerance)) {
    const S place = bracket.next(tolerance);
    if (!search.interpolate(place / width, trial)) return {};
    bracket.put(place, search.value(trial));
  }
  return bracket.high();
}

/// See `locate`.
template <class State, class S>
[[gnu::cold, gnu::noinline]] State find_crossing(EventSearch<State>& search, S asked, const State& begin,
                                                 const State& end, S before, S after,
                                                 std::optional<S> guess) {
  State trial = begin, found = end;
  const S width = end.time - begin.time, tolerance = tolerance_of(asked, S(begin.time), width);
  Bracket<S> bracket(width, before, after);
  const auto look = [&](S place) {
    if (bracket.put(place, value_within(search, begin, place, trial))) std::swap(found, trial);
  };
  if (guess && *guess > 0 && *guess < width) {
    look(*guess);
    for (S reach = 2; reach < S(1e6) && bracket.lopsided() && bracket.open(tolerance); reach *= 4)
      look(bracket.beyond(reach, tolerance));
  }
  while (bracket.open(tolerance)) look(bracket.next(tolerance));
  search.forget_last_step();
  return found;
}

/// The search for an event of a problem by a workspace of one's own.
template <class P, class W>
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class SearchWith final : public EventSearch<typename P::State> {
 public:
  using State = typename P::State;
  using S = typename P::Scalar;

  SearchWith(const Event<P>& event, const P& problem, W& stepper)
      : event_(event), problem_(problem), stepper_(stepper) {}

  S value(const State& at) override { return event_.value(problem_, at); }
  void forget_last_step() override { dalembert::forget_last_step(stepper_); }
  void step(State& state, S h) override { (void)stepper_.step(problem_, state, h); }
  bool interpolate(S fraction, State& out) override {
    if constexpr (DenseStepperFor<W, P>) {
      try {
        return stepper_.interpolate(problem_, fraction, out).converged;
      } catch (const InvalidState&) {
      }
    }
    return false;
  }

 private:
  const Event<P>& event_;
  const P& problem_;
  W& stepper_;
};

}  // namespace detail

/// Where the last step of `stepper` as interpolated crosses zero, in [s] from its beginning; nothing if it
/// leads out of the model's validity. The step is one from `begin` to `end`, and the event's value goes from
/// `before` ≠ 0 to `after` of another sign.
template <Observable P, DenseStepperFor<P> W>
[[nodiscard]] std::optional<typename P::Scalar> interpolated_crossing(
    const Event<P>& event, const P& problem, W& stepper, const typename P::State& begin,
    const typename P::State& end, typename P::Scalar before, typename P::Scalar after) {
  detail::SearchWith<P, W> search(event, problem, stepper);
  return detail::find_interpolated(search, event.tolerance, begin, end, before, after);
}

/// The state at the zero of `event` in a step that took `begin` to `end` and the value from `before` ≠ 0 to
/// `after` of another sign. The state returned lies at or just beyond the zero. If there is a `guess` [s] of
/// its distance from `begin`, the search begins there. The stepper is reset before and after; it need not be
/// the one that took the step.
template <Observable P, StepperFor<P> W>
[[nodiscard]] typename P::State locate(const Event<P>& event, const P& problem, W& stepper,
                                       const typename P::State& begin, const typename P::State& end,
                                       typename P::Scalar before, typename P::Scalar after,
                                       std::optional<typename P::Scalar> guess = {}) {
  detail::SearchWith<P, W> search(event, problem, stepper);
  return detail::find_crossing(search, event.tolerance, begin, end, before, after, guess);
}

}  // namespace dalembert
