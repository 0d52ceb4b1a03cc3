#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>

namespace dalembert {

/// The length of the equal steps of a run that is asked for steps of length `step` > 0 and outputs each
/// `interval`: the longest that divides the interval and is not longer than `step` by more than 1e-6 of it;
/// `step` itself where `interval` = 0 asks for an output after each [s].
template <class S>
[[nodiscard]] S equal_step(S step, S interval) {
  using T = Number<S>;
  constexpr T rounding = std::numeric_limits<T>::epsilon();
  if (!(interval > 0)) return step;
  const T ratio = value_of(interval) / value_of(step);
  if (!(ratio * rounding < 1)) return step;  // no number tells how often
  return interval / S(std::max(T(1), std::ceil(ratio - (T(1e-6) + 4 * rounding * ratio))));
}

/// Where the steps of a run end: at start + k·interval, at the times that part the intervals into equal
/// steps, and at the end; without an interval at start + k·step and at the end. Steps that change their
/// length between outputs would excite a motion periodically, which near the stability limit of a method
/// makes it grow. Each of these times is computed anew from its counts, so that no drift builds up; two that
/// agree to 1e-6 of a step are one.
template <class S>
class Schedule {
  using T = Number<S>;

 public:
  /// The next time to step to [s], and whether observers are to be called there.
  struct Target {
    S time;       ///< [s]
    S length;     ///< of the step that ends there [s]
    bool output;  ///< whether observers are called there
  };

  /// A run to `until` in steps of `step` > 0, counted from `start` and taken up at `now`; `interval` = 0 asks
  /// for output after every step [s]. The counts must be whole numbers that S and `long` hold.
  Schedule(S start, S until, S step, S interval, S now)
      : start_(start),
        until_(until),
        step_(equal_step(step, interval)),
        interval_(interval),
        in_interval_(interval > 0 ? number::round(interval / step_) : std::numeric_limits<T>::infinity()),
        rounding_(4 * std::numeric_limits<T>::epsilon() *
                  std::max({std::abs(value_of(start)), std::abs(value_of(until)), std::abs(value_of(now))})),
        slack_(std::max(T(1e-6) * value_of(step_), std::min(rounding_, value_of(step_) / 4))),
        outputs_(interval > 0 ? count_before(now - start, interval) : 1) {
    if (interval > 0)
      while (at(outputs_) <= now) ++outputs_;
    steps_ = count_before(now - at(outputs_ - 1), step_);
  }
  /// The same for a run that is taken up where it starts.
  Schedule(S start, S until, S step, S interval) : Schedule(start, until, step, interval, start) {}

  /// The length of the equal steps [s].
  [[nodiscard]] S step() const noexcept { return step_; }

  /// `now`, or the end of an equal step that differs from it by rounding alone: a run that was stopped there
  /// goes on from the same number.
  [[nodiscard]] S rounded(S now) {
    if (done(now)) return now;
    pass(now);
    const S before = steps_ > 1 ? node(steps_ - 1) : at(outputs_ - 1);
    const T rounding = std::min(rounding_, T(1e-6) * value_of(until_ - now));
    return number::abs(before - now) <= rounding ? before : now;
  }

  /// The end of the step that begins at `now`, on the grid of equal steps.
  [[nodiscard]] Target next(S now) {
    pass(now);
    const S time = node(steps_);
    if (until_ > time + slack_) return {time, time - now, ends_interval() || !(interval_ > 0)};
    return {until_, (number::abs(until_ - time) <= rounding_ ? time : until_) - now, true};
  }

  /// The end of a step of length `h` [s] that begins at `now`; it may be a little longer to avoid a tiny one
  /// after it.
  [[nodiscard]] Target within(S now, S h) {
    const S reach = now + h + S(1e-2) * h;
    if (const std::optional<S> output = output_between(now, reach)) return {*output, *output - now, true};
    if (until_ <= reach) return {until_, until_ - now, true};
    return {now + h, (now + h) - now, !(interval_ > 0)};
  }

  /// The same for a run whose outputs are interpolated: only the end of the run changes the length of a step.
  [[nodiscard]] Target freely(S now, S h) const {
    if (until_ <= now + h + S(1e-2) * h) return {until_, until_ - now, true};
    return {now + h, (now + h) - now, !(interval_ > 0)};
  }

  /// The first time of output after `now`, if it is not later than `last`; the end of the run is none of
  /// them.
  [[nodiscard]] std::optional<S> output_between(S now, S last) {
    if (!(interval_ > 0)) return {};
    while (at(outputs_) <= now) ++outputs_;
    const S time = at(outputs_);
    if (time > last || time >= until_ - S(1e-6) * interval_) return {};
    return time;
  }

  /// Whether `now` is the end of the run.
  [[nodiscard]] bool done(S now) const noexcept { return now >= until_; }

 private:
  /// The time of an output.
  [[nodiscard]] S at(long output) const { return start_ + static_cast<S>(output) * interval_; }

  /// Whether the step to go to is the last one before an output.
  [[nodiscard]] bool ends_interval() const { return static_cast<T>(steps_) >= in_interval_; }

  /// The end of a step, counted from the last output.
  [[nodiscard]] S node(long step) const {
    if (static_cast<T>(step) >= in_interval_) return at(outputs_);
    return start_ + (static_cast<S>(outputs_ - 1) * interval_ + static_cast<S>(step) * step_);
  }

  /// Let `steps_` be the first step that ends after `now`.
  void pass(S now) {
    while (node(steps_) <= now + slack_) {
      if (ends_interval()) {
        ++outputs_;
        steps_ = 0;
      }
      ++steps_;
    }
  }

  /// A count not later than the time passed, and at least 1.
  [[nodiscard]] static long count_before(S passed, S spacing) {
    const S count = passed / spacing;
    return count > S(3) ? static_cast<long>(value_of(count)) - 2 : 1;
  }

  S start_, until_, step_, interval_;
  T in_interval_;   // steps from one output to the next
  T rounding_;      // of the times
  T slack_;         // by which two times of equal steps that are one may differ
  long outputs_;    // the output to come, counted from the start
  long steps_ = 1;  // the step to come, counted from the last output
};

}  // namespace dalembert
