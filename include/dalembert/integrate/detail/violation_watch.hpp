#pragma once

#include <limits>

#include <dalembert/core/number.hpp>
#include <dalembert/integrate/drive_options.hpp>

namespace dalembert::detail {

/// The largest violation of the constraints in a run, from a sample of its states that costs a long run next
/// to nothing; and when the checks that its options ask for are due.
template <class S>
class ViolationWatch {
 public:
  explicit ViolationWatch(const RunNumbers<S>& numbers)
      : most_(numbers.max_violation), check_every_(numbers.has_checks ? numbers.check_every : 0) {}

  /// Whether the state after so many steps belongs to the sample; every one does where there is a bound.
  [[nodiscard]] bool due(long steps) const {
    const bool bounded = most_.position < infinity || most_.velocity < infinity;
    return bounded || steps <= 100 || steps % 10 == 0 || check_due(steps);
  }
  /// Whether it is to be checked.
  [[nodiscard]] bool check_due(long steps) const { return check_every_ > 0 && steps % check_every_ == 0; }
  /// Whether the state at this time is still to be checked: said once.
  [[nodiscard]] bool checks_anew(S time) { return is_new(time, checked_); }
  /// The same of the sample.
  [[nodiscard]] bool looks_anew(S time) { return is_new(time, last_); }

  /// Take a state into the sample. Throws ConstraintsViolated beyond the bound.
  void take(const Violation<S>& now, S time) {
    number::keep_larger(worst_.position, now.position);
    number::keep_larger(worst_.velocity, now.velocity);
    refuse_beyond("position", now.position, most_.position, time);
    refuse_beyond("velocity", now.velocity, most_.velocity, time);
  }

  /// The largest of the sample; not-a-number if one was.
  [[nodiscard]] const Violation<S>& worst() const noexcept { return worst_; }

 private:
  static constexpr S infinity = std::numeric_limits<S>::infinity();

  static bool is_new(S time, S& noted) {
    if (time == noted) return false;
    noted = time;
    return true;
  }
  static void refuse_beyond(const char* rows, S value, S most, S time) {
    if (value > most || (most < infinity && !(value <= most)))
      throw ConstraintsViolated(rows, number::plain(value), number::plain(most), number::plain(time));
  }

  Violation<S> most_;
  long check_every_;
  Violation<S> worst_{};
  S last_ = std::numeric_limits<S>::quiet_NaN();  // time of the last state of the sample
  S checked_ = last_;                             // of the last one that was checked
};

}  // namespace dalembert::detail
