#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/analysis/detail/neighbourhood.hpp>
#include <dalembert/integrate/method.hpp>

/// Lyapunov exponents: the rates at which small disturbances of a motion grow or shrink in the long run.
///   λ₁ = lim 1/t log |δ(t)|/|δ(0)|,   λ₁ + … + λ_k = lim 1/t log of the growth of k-dimensional volumes   (1)
/// Disturbances are columns (η, δξ, δz) that obey the constraints; the exponents do not depend on how they are
/// measured, but estimates over a finite time do. They tend to (1) slowly: like 1/√t in chaos, like log t/t
/// where disturbances grow like a power. The sum of all exponents is the mean divergence of the motion. Any
/// method steps, and its errors are part of what is measured.
/// Sources: Benettin, Galgani, Strelcyn 1976 for two motions; Shimada and Nagashima 1979 and Benettin, Galgani,
/// Giorgilli, Strelcyn 1980 for the spectrum.
namespace dalembert::analysis {

/// How to measure exponents. Times are in [s].
template <PlainReal S>
struct LyapunovOptions {
  S step{};      ///< of the integrator
  S duration{};  ///< of the measurement; rounded to whole intervals
  S interval{};  ///< between renormalisations, in which disturbances must stay small; rounded to whole steps
  S transient = 0;  ///< that passes before the measurement, so that the motion and the disturbances settle
  S separation = S(1e-7L);  ///< size of a disturbance after renormalisation, in the norm of columns

  /// Throws std::invalid_argument for a number that breaks its rule.
  void check() const {
    const auto positive = [](const char* quantity, S value) {
      require(std::isfinite(value) && value > 0, "LyapunovOptions", quantity, value,
              "it must be positive and finite");
    };
    positive("step", step);
    positive("duration", duration);
    positive("interval", interval);
    positive("separation", separation);
    require(std::isfinite(transient) && transient >= 0, "LyapunovOptions", "transient", transient,
            "a time must be finite and not negative [s]");
  }
};

/// Exponents, the largest first as a rule, and how settled they are [1/s].
template <PlainReal S>
struct LyapunovSpectrum {
  static constexpr int windows = 16;  ///< equal parts of the measurement

  Vec<S, Eigen::Dynamic> exponents;  ///< over the whole measurement
  Vec<S, Eigen::Dynamic>
      standard_error;  ///< of them, from the scatter of the windows, as if these were independent
  S duration{};        ///< of the measurement [s]
  /// Growth rates over each window: the mean of the first k is the running estimate after k of them.
  std::array<Vec<S, Eigen::Dynamic>, static_cast<std::size_t>(windows)> rates;

  /// The estimate after the first `count` windows, 1 ≤ count ≤ windows.
  [[nodiscard]] Vec<S, Eigen::Dynamic> running(int count) const {
    require(1 <= count && count <= windows, "LyapunovSpectrum", "count", count,
            "it must be one of the windows");
    Vec<S, Eigen::Dynamic> sum = rates[0];
    for (int i = 1; i < count; ++i) sum += rates[static_cast<std::size_t>(i)];
    return sum / static_cast<S>(count);
  }
  /// How far the estimates over the first half and the whole are apart, at most over the exponents: the figure
  /// of convergence.
  [[nodiscard]] S change() const { return (exponents - running(windows / 2)).cwiseAbs().maxCoeff(); }
};

namespace detail {

/// Collects logarithms of growth, interval by interval.
template <class S>
class GrowthRecord {
 public:
  GrowthRecord(Eigen::Index count, long intervals, S interval) : intervals_(intervals), interval_(interval) {
    for (auto& sum : out_.rates) sum = Column<S>::Zero(count);
  }

  void add(const Column<S>& log_growth) {
    const auto window = static_cast<std::size_t>(done_++ * windows / intervals_);
    out_.rates[window] += log_growth;
    ++sizes_[window];
  }

  LyapunovSpectrum<S> result() {
    out_.duration = static_cast<S>(intervals_) * interval_;
    out_.exponents = out_.rates[0];
    for (std::size_t i = 1; i < out_.rates.size(); ++i) out_.exponents += out_.rates[i];
    out_.exponents /= out_.duration;
    out_.standard_error = Column<S>::Zero(out_.exponents.size());
    for (std::size_t i = 0; i < out_.rates.size(); ++i) {
      out_.rates[i] /= static_cast<S>(sizes_[i]) * interval_;
      out_.standard_error += (out_.rates[i] - out_.exponents).cwiseAbs2();
    }
    out_.standard_error = (out_.standard_error / S(windows * (windows - 1))).cwiseSqrt();
    return std::move(out_);
  }

 private:
  static constexpr int windows = LyapunovSpectrum<S>::windows;
  LyapunovSpectrum<S> out_;
  std::array<long, static_cast<std::size_t>(windows)> sizes_{};
  long intervals_, done_ = 0;
  S interval_;
};

/// What both ways of measuring share: a motion, its stepper, and the count of steps and intervals.
template <class M, CoordinateProblem P>
class LyapunovRun {
 public:
  using S = typename P::Scalar;
  using State = typename P::State;

  LyapunovRun(const M& method, const P& problem, const State& start, const LyapunovOptions<S>& options)
      : problem_(problem), state_(start), stepper_(method.stepper(problem, start)), options_(options) {
    options.check();
    steps_ = std::max(1L, std::lround(options.interval / options.step));
    interval_ = static_cast<S>(steps_) * options.step;
  }

  /// Orthonormal columns, nothing special among those that the constraints allow.
  [[nodiscard]] Matrix<S> disturbances(int count) const {
    const Neighbourhood<P> near(problem_, state_, S(1e-3L));
    const Matrix<S> allowed = near.tangent_basis();
    require(1 <= count && count <= allowed.cols(), "lyapunov_spectrum", "count", count,
            "there are as many exponents as the constraints leave directions, here " +
                std::to_string(allowed.cols()));
    Matrix<S> mixed(allowed.cols(), count);
    for (Eigen::Index i = 0; i < mixed.size(); ++i)
      mixed.data()[i] = S(0.6L) + S(0.4L) * std::cos(static_cast<S>(1 + 3 * i + i * i));
    orthonormalise(mixed);
    return allowed * mixed;
  }

  /// The state at `offset` from the motion, on the constraints.
  [[nodiscard]] State shadow(const Column<S>& offset) const {
    return Neighbourhood<P>(problem_, state_, S(1)).consistent(offset);
  }
  /// The column from the motion to `other`.
  [[nodiscard]] Column<S> away(const State& other) const {
    return problem_.difference(state_, other).coordinates();
  }

  /// Move a state on by one interval.
  void advance(State& state) {
    stepper_.reset();
    for (long i = 0; i < steps_; ++i)
      if (!stepper_.step(problem_, state, options_.step).converged)
        throw NoConvergence("lyapunov_spectrum: a step did not converge", static_cast<double>(state.time));
  }

  /// The exponents from `interval(state)`, which moves the motion on by one interval and returns logarithms of
  /// growth.
  template <class Interval>
  LyapunovSpectrum<S> measure(Eigen::Index count, const Interval& interval) {
    const long before = std::lround(options_.transient / interval_);
    const long intervals =
        std::max<long>(LyapunovSpectrum<S>::windows, std::lround(options_.duration / interval_));
    for (long i = 0; i < before; ++i) (void)interval(state_);
    GrowthRecord<S> record(count, intervals, interval_);
    for (long i = 0; i < intervals; ++i) record.add(interval(state_));
    return record.result();
  }

 private:
  const P& problem_;
  State state_;
  decltype(std::declval<const M&>().stepper(std::declval<const P&>(), std::declval<const State&>())) stepper_;
  const LyapunovOptions<S>& options_;
  long steps_ = 1;
  S interval_{};
};

}  // namespace detail

/// The largest exponent, from two motions whose distance is set back to `separation` after each interval. A step
/// costs two. What the problem throws passes through; NoConvergence if a step fails,
/// std::invalid_argument for bad options.
template <class M, CoordinateProblem P>
[[nodiscard]] LyapunovSpectrum<typename P::Scalar> largest_lyapunov_exponent(
    const M& method, const P& problem, const typename P::State& state,
    const LyapunovOptions<typename P::Scalar>& options) {
  using S = typename P::Scalar;
  static_assert(MethodFor<M, P>, "this is no integrator for the problem (integrate/method.hpp)");
  detail::LyapunovRun<M, P> run(method, problem, state, options);
  auto other = run.shadow(options.separation * run.disturbances(1));
  detail::Column<S> apart = run.away(other);
  return run.measure(1, [&](auto& motion) {
    const S before = apart.norm();
    run.advance(motion);
    run.advance(other);
    apart = run.away(other);
    const S after = apart.norm();
    other = run.shadow(options.separation / after * apart);
    apart = run.away(other);
    return detail::Column<S>(detail::Column<S>::Constant(1, std::log(after / before)));
  });
}

/// The `count` largest exponents: the tangent map of each interval, by central differences of width
/// `separation` through the method's own steps, carries that many columns, which are made orthonormal again
/// after each. Costs 2 count + 1 steps a step.
/// Throws as above, and std::invalid_argument if the constraints leave fewer directions.
template <class M, CoordinateProblem P>
[[nodiscard]] LyapunovSpectrum<typename P::Scalar> lyapunov_spectrum(
    const M& method, const P& problem, const typename P::State& state,
    const LyapunovOptions<typename P::Scalar>& options, int count) {
  using S = typename P::Scalar;
  static_assert(MethodFor<M, P>, "this is no integrator for the problem (integrate/method.hpp)");
  detail::LyapunovRun<M, P> run(method, problem, state, options);
  detail::Matrix<S> columns = run.disturbances(count);
  const S width = options.separation;
  std::vector<typename P::State> ahead(static_cast<std::size_t>(count), state), behind = ahead;
  return run.measure(count, [&](auto& motion) {
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      ahead[at] = run.shadow(width * columns.col(i));
      behind[at] = run.shadow(-width * columns.col(i));
      run.advance(ahead[at]);
      run.advance(behind[at]);
    }
    run.advance(motion);
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      columns.col(i) = (run.away(ahead[at]) - run.away(behind[at])) / (2 * width);
    }
    return detail::Column<S>(detail::orthonormalise(columns).array().log());
  });
}

}  // namespace dalembert::analysis
