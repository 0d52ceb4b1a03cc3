#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

/// The standard error of the mean of a series whose members are correlated. Members are merged in pairs,
/// again and again: the error that n blocks say if they were independent,
///   σ² = Σ (x_i − x̄)²/(n(n − 1)),                                                             (1)
/// grows with the length of the blocks where neighbours are alike, and falls where they take turns, until
/// blocks are longer than the correlation. Then it stays. Source: Flyvbjerg and Petersen 1989.
namespace dalembert::analysis {

/// What blocks say of a mean.
template <PlainReal S = double>
struct BatchMeans {
  S mean{};   ///< of all members
  S error{};  ///< its standard error: the largest of (1) with 8 to 63 blocks, and of half of what the means
              ///< of both halves are apart by, which sees a trend
  long block = 1;  ///< members in the blocks that say the most, a power of 2

  static constexpr long least_blocks = 8;    ///< fewer say too little
  static constexpr long enough_blocks = 64;  ///< so many may be shorter than the correlation
};

/// Of a series of members that follow each other at equal times. With fewer than 8 the error is infinite.
/// Throws std::invalid_argument without any.
template <PlainReal S>
[[nodiscard]] BatchMeans<S> batch_means(Vec<S, Eigen::Dynamic> series) {
  const auto count = series.size();
  require(count > 0, "batch_means", "members", count, "a mean needs one");
  BatchMeans<S> out;
  out.mean = series.mean();
  if (count < out.least_blocks) {
    out.error = std::numeric_limits<S>::infinity();
    return out;
  }
  const Eigen::Index half = count / 2;
  const S trend = std::abs(series.head(half).mean() - series.tail(count - half).mean()) / 2;
  for (long block = 1; series.size() >= out.least_blocks; block *= 2) {
    const auto n = static_cast<S>(series.size());
    const S error = std::sqrt((series.array() - series.mean()).square().sum() / (n * (n - 1)));
    if (series.size() < out.enough_blocks && !(error <= out.error)) out.error = error, out.block = block;
    const Eigen::Index merged = series.size() / 2;  // a last one alone is left out
    Vec<S, Eigen::Dynamic> pairs(merged);
    for (Eigen::Index i = 0; i < merged; ++i) pairs[i] = (series[2 * i] + series[2 * i + 1]) / 2;
    series = std::move(pairs);
  }
  out.error = std::max(out.error, trend);
  return out;
}

}  // namespace dalembert::analysis
