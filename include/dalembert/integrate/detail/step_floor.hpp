#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/integrate/drive_options.hpp>

namespace dalembert::detail {

/// Tells when the steps of an adaptive run have become so short that it does not get on; see
/// `DriveOptions::shortest_step`.
template <class S>
class StepFloor {
 public:
  /// For a run that begins at the time `start` [s].
  StepFloor(const RunNumbers<S>& options, S start)
      : until_(options.until),
        shortest_(options.shortest_step.value_or(S(0))),
        crawl_(options.shortest_step ? S(0)
                                     : std::min(options.longest_step, S(1e-9) * (options.until - start))) {}

  /// Whether the run ends because its tolerance asks for a step of length `wanted` at the time `now` [s],
  /// after a rejection or not. To be asked once for each step that is tried.
  [[nodiscard]] bool ends_at(S wanted, S now, bool rejected) {
    using std::abs;
    if (rejected && wanted <= S(16) * std::numeric_limits<S>::epsilon() * (abs(now) + abs(until_)))
      return true;
    if (wanted < shortest_) return true;
    crawling_ = wanted < crawl_ ? crawling_ + 1 : 0;
    return crawling_ > patience;
  }

 private:
  static constexpr long patience = 10000;

  S until_, shortest_, crawl_;
  long crawling_ = 0;  // steps in a row that were shorter than `crawl_`
};

}  // namespace dalembert::detail
