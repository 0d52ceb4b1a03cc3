#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/problem/concepts.hpp>

/// Drift: how a quantity that should stay what it was, such as an energy or a slip, leaves its first value
/// during a run, in memory that does not grow. Deviations d(t) = q(t) − q(0) are gathered in 16 to 32
/// windows of equally many observations, which merge in pairs when they become too many. Over the windows'
/// means and ranges a drift is
///   growing   if the later half's mean range is more than twice that of the earlier half: oscillations widen
///   bounded   otherwise, if no trend stands out: the line through the means has a slope of at most 10 of its
///             standard errors
///   bounded   or if it levels off: the line through the later half has less than 3/5 of the earlier's slope
///   growing   or if it steepens: that slope is more than 5/3 times as large
///   linear    in what remains
/// An oscillation tells nothing until several periods have passed; what adds up like √t, such as rounding,
/// counts as levelling off.
/// Source: Hairer, Lubich, Wanner 2006, ch. IX, on which integrators keep an energy in a bound.
namespace dalembert::analysis {

/// How a quantity leaves its first value; see the head of this file.
enum class DriftKind {
  bounded,  ///< not, or less and less
  linear,   ///< in proportion to time
  growing,  ///< faster than that
};

/// The word for a kind.
[[nodiscard]] constexpr const char* to_string(DriftKind kind) noexcept {
  return kind == DriftKind::bounded ? "bounded" : kind == DriftKind::linear ? "linear" : "growing";
}

/// The record of one quantity, from observations at times that increase.
template <PlainReal S = double>
class DriftRecord {
 public:
  /// The next observation. Never throws; after what is not finite, `maximum` is not-a-number and the kind
  /// `growing`.
  void add(S time, S value) {
    if (count_ == 0) first_time_ = time, first_ = value;
    const S t = time - first_time_, d = value - first_;
    if (!std::isfinite(d) || std::abs(d) > maximum_) maximum_ = std::isfinite(d) ? std::abs(d) : d - d;
    ++count_;
    // Means and moments are updated, not summed, so that nothing cancels late in a long run.
    const S t_step = t - t_mean_, d_step = d - d_mean_;
    t_mean_ += t_step / static_cast<S>(count_);
    d_mean_ += d_step / static_cast<S>(count_);
    tt_ += t_step * (t - t_mean_);
    td_ += t_step * (d - d_mean_);
    file(t, d);
  }

  /// How many observations there were.
  [[nodiscard]] long count() const noexcept { return count_; }
  /// q(0) [unit of q].
  [[nodiscard]] S first() const noexcept { return first_; }
  /// max |d| [unit of q]; not-a-number if an observation was not finite.
  [[nodiscard]] S maximum() const noexcept { return maximum_; }
  /// The slope of the line through all deviations, by least squares [unit of q/s]; 0 before two times.
  [[nodiscard]] S trend() const noexcept { return tt_ > 0 ? td_ / tt_ : S(0); }

  /// Which kind it is; `bounded` before there are 8 observations.
  [[nodiscard]] DriftKind kind() const {
    if (!std::isfinite(maximum_)) return DriftKind::growing;
    if (full_ < 8) return DriftKind::bounded;
    const std::size_t half = full_ / 2;
    if (mean_range(full_ - half, full_) > 2 * mean_range(0, half)) return DriftKind::growing;
    const Line all = line(0, full_);
    if (!(std::abs(all.slope) > 10 * all.error)) return DriftKind::bounded;
    const S steepening = line(full_ - half, full_).slope / line(0, half).slope;
    if (steepening > S(5) / 3) return DriftKind::growing;
    return steepening < S(3) / 5 ? DriftKind::bounded : DriftKind::linear;
  }

 private:
  /// Means of t and d over some observations, and the extremes of d.
  struct Window {
    S t = 0, d = 0, low = 0, high = 0;
  };
  struct Line {
    S slope = 0, error = 0;
  };

  /// Add an observation to the window that is being filled.
  void file(S t, S d) {
    if (full_ == windows_.size()) merge();
    Window& window = windows_[full_];
    if (filled_ == 0) window = {.t = 0, .d = 0, .low = d, .high = d};
    ++filled_;
    window.t += (t - window.t) / static_cast<S>(filled_);
    window.d += (d - window.d) / static_cast<S>(filled_);
    window.low = std::min(window.low, d);
    window.high = std::max(window.high, d);
    if (filled_ == size_) ++full_, filled_ = 0;
  }

  /// Windows of twice the size, half as many.
  void merge() {
    full_ /= 2;
    size_ *= 2;
    for (std::size_t i = 0; i < full_; ++i) {
      const Window &a = windows_[2 * i], &b = windows_[2 * i + 1];
      windows_[i] = {.t = (a.t + b.t) / 2,
                     .d = (a.d + b.d) / 2,
                     .low = std::min(a.low, b.low),
                     .high = std::max(a.high, b.high)};
    }
  }

  [[nodiscard]] S mean_range(std::size_t begin, std::size_t end) const {
    S sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += windows_[i].high - windows_[i].low;
    return sum / static_cast<S>(end - begin);
  }

  /// The line through the means of some windows, and the standard error of its slope.
  [[nodiscard]] Line line(std::size_t begin, std::size_t end) const {
    const auto n = static_cast<S>(end - begin);
    S t_mean = 0, d_mean = 0, tt = 0, td = 0, rest = 0;
    for (std::size_t i = begin; i < end; ++i) t_mean += windows_[i].t / n, d_mean += windows_[i].d / n;
    for (std::size_t i = begin; i < end; ++i) {
      const S t = windows_[i].t - t_mean;
      tt += t * t;
      td += t * (windows_[i].d - d_mean);
    }
    if (!(tt > 0)) return {};
    const S slope = td / tt;
    for (std::size_t i = begin; i < end; ++i) {
      const S off = windows_[i].d - d_mean - slope * (windows_[i].t - t_mean);
      rest += off * off;
    }
    return {slope, std::sqrt(rest / (n - 2) / tt)};
  }

  std::array<Window, 32> windows_{};
  std::size_t full_ = 0;        ///< windows that are
  long size_ = 1, filled_ = 0;  ///< observations a window takes, and those in the window being filled
  long count_ = 0;
  S first_time_{}, first_{}, maximum_{};
  S t_mean_{}, d_mean_{}, tt_{}, td_{};
};

/// An observer for `drive`: the drift of quantity(problem, state).
///   Drift energy{problem, EnergyOf{}};
///   Drift slip{problem, SlipOf{}};
///   drive(method, problem, state, {.step = 0.01, .until = 1e4}, energy, slip);
template <Problem P, class Quantity>
class Drift : public DriftRecord<typename P::Scalar> {
 public:
  /// For states of `problem`.
  Drift(const P&, Quantity quantity) : quantity_(std::move(quantity)) {}

  /// Observe `state`. What the quantity throws passes through.
  void operator()(const P& problem, const typename P::State& state) {
    this->add(state.time, quantity_(problem, state));
  }

 private:
  Quantity quantity_;
};

/// The energy [J].
struct EnergyOf {
  /// Of `at`.
  template <Problem P>
  [[nodiscard]] typename P::Scalar operator()(const P& problem, const typename P::State& at) const {
    return problem.energy(at);
  }
};

/// The largest violation of velocity rows [unit of the row, m/s for a slip].
struct SlipOf {
  /// Of `at`.
  template <Problem P>
  [[nodiscard]] typename P::Scalar operator()(const P& problem, const typename P::State& at) const {
    return problem.constraint(at).velocity;
  }
};

}  // namespace dalembert::analysis
