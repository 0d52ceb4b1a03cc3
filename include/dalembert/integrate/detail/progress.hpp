#pragma once

#include <chrono>

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
  [[gnu::noinline]] void tell_now(double now, bool always) {
    const auto wall = std::chrono::steady_clock::now();
    if (!always && std::chrono::duration<double>(wall - told_).count() < interval_) return;
    told_ = wall;
    const double fraction = span_ > 0 ? (now - start_) / span_ : 1.0;
    const double spent = std::chrono::duration<double>(wall - began_).count();
    tell_({fraction, now, spent * (1.0 / fraction - 1.0)});
  }

  const std::function<void(const Progress&)>& tell_;
  double interval_, start_, span_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_ = began_;
};

}  // namespace dalembert::detail
