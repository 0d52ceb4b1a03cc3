#pragma once

#include <chrono>

#include <dalembert/core/number.hpp>
#include <dalembert/integrate/drive_options.hpp>

namespace dalembert::detail {

/// Tells a run's progress now and then.
template <Observable P>
class ProgressReporter {
 public:
  ProgressReporter(const DriveOptions<P>& options, double start) : options_(options), start_(start) {}

  /// Call back if there is one and it is time to, or `always`.
  void tell(double now, bool always) {
    if (!options_.progress) return;
    const auto wall = std::chrono::steady_clock::now();
    if (!always && std::chrono::duration<double>(wall - told_).count() < options_.progress_interval) return;
    told_ = wall;
    const double span = number::plain(options_.until) - start_;
    const double fraction = span > 0 ? (now - start_) / span : 1.0;
    const double spent = std::chrono::duration<double>(wall - began_).count();
    options_.progress({fraction, now, spent * (1.0 / fraction - 1.0)});
  }

 private:
  const DriveOptions<P>& options_;
  double start_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_ = began_;
};

}  // namespace dalembert::detail
