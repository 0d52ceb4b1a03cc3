#pragma once

#include <optional>

namespace dalembert {

/// Where the steps of a run end: at start + k·step, at start + j·interval, and at the end. Each of these times
/// is computed anew from its count, so that no drift builds up; two that agree to 1e-6 of a step are one.
template <class S>
class Schedule {
 public:
  /// The next time to step to [s], and whether observers are to be called there.
  struct Target {
    S time;       ///< [s]
    bool output;  ///< whether observers are called there
  };

  /// A run to `until` in steps of `step` > 0, counted from `start` and taken up at `now`; `interval` = 0 asks for output after every step
  /// [s]. The counts must be whole numbers that S and `long` hold.
  Schedule(S start, S until, S step, S interval, S now)
      : start_(start),
        until_(until),
        step_(step),
        interval_(interval),
        steps_(count_before(now, step)),
        outputs_(interval > 0 ? count_before(now, interval) : 1) {}
  /// The same for a run that is taken up where it starts.
  Schedule(S start, S until, S step, S interval) : Schedule(start, until, step, interval, start) {}

  /// The end of the step that begins at `now`, on the grid of equal steps.
  [[nodiscard]] Target next(S now) {
    const S slack = S(1e-6) * step_;
    while (at(steps_, step_) <= now + slack) ++steps_;
    return before(at(steps_, step_), now, slack);
  }

  /// The end of a step of length `h` [s] that begins at `now`; it may be a little longer to avoid a tiny one
  /// after it.
  [[nodiscard]] Target within(S now, S h) { return before(now + h, now, S(1e-2) * h); }

  /// The same for a run whose outputs are interpolated: only the end of the run changes the length of a step.
  [[nodiscard]] Target freely(S now, S h) const {
    const S wanted = now + h;
    if (until_ <= wanted + S(1e-2) * h) return {until_, true};
    return {wanted, !(interval_ > 0)};
  }

  /// The first time of output after `now`, if it is not later than `last`; the end of the run is none of them.
  [[nodiscard]] std::optional<S> output_between(S now, S last) {
    if (!(interval_ > 0)) return {};
    while (at(outputs_, interval_) <= now) ++outputs_;
    const S time = at(outputs_, interval_);
    if (time > last || time >= until_ - S(1e-6) * interval_) return {};
    return time;
  }

  /// Whether `now` is the end of the run.
  [[nodiscard]] bool done(S now) const noexcept { return now >= until_; }

 private:
  [[nodiscard]] S at(long count, S spacing) const { return start_ + static_cast<S>(count) * spacing; }

  /// `wanted`, unless an output or the end comes before it or within `slack` after it.
  Target before(S wanted, S now, S slack) {
    Target target{wanted, !(interval_ > 0)};
    if (interval_ > 0) {
      while (at(outputs_, interval_) <= now) ++outputs_;
      if (at(outputs_, interval_) <= wanted + slack) target = {at(outputs_, interval_), true};
    }
    if (until_ <= target.time + slack) target = {until_, true};
    return target;
  }

  /// A count not later than `now`, and at least 1.
  [[nodiscard]] long count_before(S now, S spacing) const {
    const S passed = (now - start_) / spacing;
    return passed > S(3) ? static_cast<long>(passed) - 2 : 1;
  }

  S start_, until_, step_, interval_;
  long steps_;
  long outputs_;
};

}  // namespace dalembert
