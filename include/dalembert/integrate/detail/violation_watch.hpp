#pragma once

#include <limits>

#include <dalembert/core/number.hpp>
#include <dalembert/integrate/drive_options.hpp>

namespace dalembert::detail {

/// The largest violation of the constraints in a run, from a sample of its states that costs a long run next to nothing; and the checks that
/// its options ask for.
template <Observable P>
class ViolationWatch {
 public:
  using S = typename P::Scalar;

  explicit ViolationWatch(const DriveOptions<P>& options) : options_(options), most_(options.max_violation) {}

  /// Whether the state after so many steps belongs to the sample; every one does where there is a bound.
  [[nodiscard]] bool due(long steps) const {
    const bool bounded = most_.position < infinity || most_.velocity < infinity;
    return bounded || steps <= 100 || steps % 10 == 0 || check_due(steps);
  }
  /// Whether it is to be checked.
  [[nodiscard]] bool check_due(long steps) const {
    return !options_.checks.empty() && steps % options_.check_every == 0;
  }
  /// Do the checks in a state, once.
  void check(const P& problem, const typename P::State& state) {
    if (state.time == checked_) return;
    for (const auto& one : options_.checks) one(problem, state);
    checked_ = state.time;
  }

  /// Take a state into the sample, once. Throws ConstraintsViolated beyond the bound.
  void look(const P& problem, const typename P::State& state) {
    if (state.time == last_) return;
    last_ = state.time;
    const Violation<S> now = problem.constraint(state);
    keep_larger(worst_.position, now.position);
    keep_larger(worst_.velocity, now.velocity);
    const auto refuse_beyond = [&](const char* rows, S value, S most) {
      if (value > most || (most < infinity && !(value <= most)))
        throw ConstraintsViolated(rows, number::plain(value), number::plain(most), number::plain(state.time));
    };
    refuse_beyond("position", now.position, most_.position);
    refuse_beyond("velocity", now.velocity, most_.velocity);
  }

  /// The largest of the sample; not-a-number if one was.
  [[nodiscard]] const Violation<S>& worst() const noexcept { return worst_; }

 private:
  static constexpr S infinity = std::numeric_limits<S>::infinity();

  static void keep_larger(S& worst, S value) {
    if (!(value <= worst) && worst == worst) worst = value;
  }

  const DriveOptions<P>& options_;
  Violation<S> most_;
  Violation<S> worst_{};
  S last_ = std::numeric_limits<S>::quiet_NaN();  // time of the last state of the sample
  S checked_ = last_;                             // of the last one that was checked
};

}  // namespace dalembert::detail
