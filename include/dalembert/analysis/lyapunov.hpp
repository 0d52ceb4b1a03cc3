#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/analysis/detail/disturbances.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/integrate/method.hpp>

/// Lyapunov exponents: the rates at which small disturbances of a motion grow or shrink in the long run.
///   λ₁ = lim 1/t log |δ(t)|/|δ(0)|,
///   λ₁ + … + λ_k = lim 1/t log of the growth of k-dimensional volumes                           (1)
/// Disturbances are increments (η, δξ, δz) that obey the constraints; the exponents do not depend on how
/// they are measured, but estimates over a finite time do. They tend to (1) slowly: like 1/√t in chaos,
/// like log t/t where disturbances grow like a power. The sum of all exponents is the mean divergence of the
/// motion. Any method steps, and its errors are part of what is measured. Sources: Benettin, Galgani,
/// Strelcyn 1976 for two motions; Shimada and Nagashima 1979 and Benettin, Galgani, Giorgilli, Strelcyn 1980
/// for the spectrum.
namespace dalembert::analysis {

/// What the largest exponent asks of a problem: states that increments lead to and tell apart.
/// `difference(from, to)`, the increment with from ⊕ it = to, is a member of the problem or a function that
/// is found by its arguments; `retract` adds it. Where the problem has `solve_algebraic` and `project`,
/// disturbed states are brought onto the constraints by them. A length is the Euclidean norm of the numbers
/// of an increment, where these are told (`coordinates`, or `visit_increment` beside the state), else what
/// its `norm()` says.
template <class P>
concept ComparableProblem = StageSpace<typename P::Increment, typename P::Scalar> &&
    std::copyable<typename P::State> &&
    requires(const P& problem, const typename P::State& from, const typename P::State& to,
             const typename P::Increment& offset, typename P::State& state, typename P::Increment& u) {
  { from.time } -> std::convertible_to<typename P::Scalar>;
  { detail::increment_between(problem, from, to) } -> std::same_as<typename P::Increment>;
  problem.retract(from, offset, state);
  u.time = typename P::Scalar(0);
};

/// The same where the numbers of increments are told: what a disturbance is made of where none is given, and
/// what volumes are measured in.
template <class P>
concept ComparableByNumbers = ComparableProblem<P> && detail::has_numbers<P>;

/// How to measure exponents. Times are in [s].
template <PlainReal S = double>
struct LyapunovOptions {
  S step{};      ///< of the integrator
  S duration{};  ///< of the measurement; rounded to whole intervals
  S interval{};  ///< between renormalisations, in which disturbances must stay small; rounded to whole steps
  S transient = 0;  ///< that passes before the measurement, so that the motion and the disturbances settle
  S separation = S(1e-7L);  ///< size of a disturbance after renormalisation

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
template <PlainReal S = double>
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
  /// How far the estimates over the first half and the whole are apart, at most over the exponents: the
  /// figure of convergence.
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

/// Move a state on by so many steps, whatever the stepper did before. Throws NoConvergence where one fails.
template <class Stepper, class P>
void take_steps(Stepper& stepper, const P& problem, typename P::State& state, typename P::Scalar step,
                long steps) {
  forget_last_step(stepper);
  for (long i = 0; i < steps; ++i)
    if (!stepper.step(problem, state, step).converged)
      throw NoConvergence("lyapunov_spectrum: a step did not converge", number::plain(state.time));
}

/// What both ways of measuring share: a motion, its stepper, and the count of steps and intervals.
template <class M, ComparableProblem P>
class LyapunovRun {
 public:
  using S = typename P::Scalar;
  using State = typename P::State;
  using Increment = typename P::Increment;

  LyapunovRun(const M& method, const P& problem, const State& start, const LyapunovOptions<S>& options)
      : problem_(problem), state_(start), stepper_(method.stepper(problem, start)), options_(options) {
    options.check();
    steps_ = std::max(1L, std::lround(options.interval / options.step));
    interval_ = static_cast<S>(steps_) * options.step;
  }

  /// The state at factor · `offset` from the motion, on the constraints.
  [[nodiscard]] State shadow(S factor, const Increment& offset) const {
    return disturbed(problem_, state_, factor, offset);
  }
  /// The increment from the motion to `other`.
  [[nodiscard]] Increment away(const State& other) const {
    return increment_between(problem_, state_, other);
  }

  /// Move a state on by one interval.
  void advance(State& state) { take_steps(stepper_, problem_, state, options_.step, steps_); }

  /// The exponents from `interval(state)`, which moves the motion on by one interval and returns logarithms
  /// of growth.
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

/// The largest exponent, from two motions whose distance is set back to `separation` after each interval; at
/// first they are apart along `disturbance`, whose length does not matter. A step costs two. What the problem
/// throws passes through; NoConvergence if a step fails or the motions meet, std::invalid_argument for bad
/// options or a disturbance without a length.
template <class M, ComparableProblem P>
[[nodiscard]] LyapunovSpectrum<typename P::Scalar> largest_lyapunov_exponent(
    const M& method, const P& problem, const typename P::State& state,
    const LyapunovOptions<typename P::Scalar>& options, typename P::Increment disturbance) {
  using S = typename P::Scalar;
  if constexpr (Problem<P>)
    static_assert(MethodFor<M, P>, "this is no integrator for the problem (integrate/method.hpp)");
  detail::LyapunovRun<M, P> run(method, problem, state, options);
  const S given = detail::length_of<P>(state, disturbance);
  require(std::isfinite(given) && given > 0, "largest_lyapunov_exponent", "disturbance", given,
          "its length must be positive and finite");
  auto other = run.shadow(options.separation / given, disturbance);
  auto apart = run.away(other);
  return run.measure(1, [&](auto& motion) {
    const S before = detail::length_of<P>(motion, apart);
    run.advance(motion);
    run.advance(other);
    apart = run.away(other);
    const S after = detail::length_of<P>(motion, apart);
    if (!(before > 0 && after > 0))
      throw NoConvergence("largest_lyapunov_exponent: the disturbed motion is not told from the other",
                          static_cast<double>(motion.time));
    other = run.shadow(options.separation / after, apart);
    apart = run.away(other);
    return detail::Column<S>(detail::Column<S>::Constant(1, std::log(after / before)));
  });
}

/// The same from a disturbance that is nothing special among those that the constraints allow.
template <class M, ComparableByNumbers P>
[[nodiscard]] LyapunovSpectrum<typename P::Scalar> largest_lyapunov_exponent(
    const M& method, const P& problem, const typename P::State& state,
    const LyapunovOptions<typename P::Scalar>& options) {
  options.check();
  detail::Column<typename P::Scalar> mixed =
      detail::mixed_columns(problem, state, 1, options.separation).col(0);
  auto disturbance = detail::increment_between(problem, state, state);
  detail::set_column<P>(state, mixed, disturbance);
  return largest_lyapunov_exponent(method, problem, state, options, std::move(disturbance));
}

/// The `count` largest exponents: the tangent map of each interval, by central differences of width
/// `separation` through the method's own steps, carries that many columns, which are made orthonormal again
/// after each. Costs 2 count + 1 steps a step.
/// Throws as above, and std::invalid_argument if the constraints leave fewer directions.
template <class M, ComparableByNumbers P>
[[nodiscard]] LyapunovSpectrum<typename P::Scalar> lyapunov_spectrum(
    const M& method, const P& problem, const typename P::State& state,
    const LyapunovOptions<typename P::Scalar>& options, int count) {
  using S = typename P::Scalar;
  if constexpr (Problem<P>)
    static_assert(MethodFor<M, P>, "this is no integrator for the problem (integrate/method.hpp)");
  detail::LyapunovRun<M, P> run(method, problem, state, options);
  const S width = options.separation;
  detail::Matrix<S> columns = detail::mixed_columns(problem, state, count, width);
  std::vector<typename P::State> ahead(static_cast<std::size_t>(count), state), behind = ahead;
  auto offset = detail::increment_between(problem, state, state);
  return run.measure(count, [&](auto& motion) {
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      detail::Column<S> column = columns.col(i);
      detail::set_column<P>(motion, column, offset);
      ahead[at] = run.shadow(width, offset);
      behind[at] = run.shadow(-width, offset);
      run.advance(ahead[at]);
      run.advance(behind[at]);
    }
    run.advance(motion);
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      auto forward = run.away(ahead[at]), backward = run.away(behind[at]);
      columns.col(i) =
          (detail::column_of<P>(motion, forward) - detail::column_of<P>(motion, backward)) / (2 * width);
    }
    return detail::Column<S>(detail::orthonormalise(columns).array().log());
  });
}

}  // namespace dalembert::analysis
