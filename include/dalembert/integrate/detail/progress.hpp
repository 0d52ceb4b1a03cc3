#pragma once

#include <ctime>

#include <dalembert/core/number.hpp>
#include <dalembert/integrate/drive_options.hpp>

namespace dalembert::detail {

/// Tells a run's progress now and then.
class ProgressReporter {
 public:
  template <class S>
  ProgressReporter(const RunNumbers<S>& numbers, double start)
      : tell_(*numbers.progress),
        interval_(numbers.progress_interval),
        start_(start),
        span_(number::plain(numbers.until) - start) {}

  /// Call back if there is one and it is time to, or `always`.
  void tell(double now, bool always) {
    if (tell_) tell_now(now, always);
  }

 private:
  /// A clock that is never set back [s]: that of POSIX, for <chrono> is much to compile.
  [[nodiscard, gnu::noinline]] static double wall_time() noexcept {
    std::timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  [[gnu::noinline]] void tell_now(double now, bool always) {
    const double wall = wall_time();
    if (!always && wall - told_ < interval_) return;
    told_ = wall;
    const double fraction = span_ > 0 ? (now - start_) / span_ : 1.0;
    tell_({fraction, now, (wall - began_) * (1.0 / fraction - 1.0)});
  }

  const std::function<void(const Progress&)>& tell_;
  double interval_, start_, span_;
  double began_ = wall_time(), told_ = began_;
};

}  // namespace dalembert::detail
