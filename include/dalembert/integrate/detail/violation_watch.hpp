#pragma once

#include <limits>

#include <dalembert/integrate/drive_options.hpp>

namespace dalembert::detail {

/// The largest violation of the constraints in a run, from a sample of its states that costs a long run next to nothing.
template <Observable P>
class ViolationWatch {
 public:
  using S = typename P::Scalar;

  explicit ViolationWatch(const DriveOptions<P>& options) : most_(options.max_violation) {}

  /// Whether the state after so many steps belongs to the sample; every one does where there is a bound.
  [[nodiscard]] bool due(long steps) const {
    const bool bounded = most_.position < infinity || most_.velocity < infinity;
    return bounded || steps <= 100 || steps % 10 == 0;
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
        throw ConstraintsViolated(rows, static_cast<double>(value), static_cast<double>(most),
                                  static_cast<double>(state.time));
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

  Violation<S> most_;
  Violation<S> worst_{};
  S last_ = std::numeric_limits<S>::quiet_NaN();  // time of the last state of the sample
};

}  // namespace dalembert::detail
