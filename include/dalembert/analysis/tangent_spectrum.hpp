#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/analysis/batch_means.hpp>
#include <dalembert/analysis/tangent_flow.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/problem/concepts.hpp>

/// The Lyapunov spectrum, or the largest exponents, of any problem on its constraints, by tangent vectors
/// that are made orthonormal again after each interval, in a metric
///   |δ|² = Σ w_i δ_i²                                                                          (1)
/// over the numbers of an increment: the kinetic metric where the problem tells it by a function
/// `kinetic_metric(problem, state, τ)`, as assemblies do (assembly/kinetic_metric.hpp), else all w_i = 1.
/// Exponents do not depend on w. What has the weight 0 is held, and does not vary.
///   analysis::DifferencedTangents tangents(Verlet{}, problem, state);
///   const auto found = analysis::tangent_spectrum(tangents,
///                                                 {.step = h, .duration = 5.0, .interval = 0.05},
///                                                 analysis::Directions<Problem>{.count = 10});
/// Along the motion itself, and along symmetries, disturbances neither grow nor shrink exponentially: these
/// exponents are zero and say nothing. Such directions Y are carried along by the tangent map, so that what
/// it does to the tangent space without them is known from columns that are kept orthogonal to them:
///   the exponents of all are those of Y and those of the quotient.                             (2)
/// Sources: Shimada and Nagashima 1979; Benettin, Galgani, Giorgilli, Strelcyn 1980.
namespace dalembert::analysis {

/// How many exponents are asked for, and of which directions.
template <ComparableByNumbers P>
struct Directions {
  using S = typename P::Scalar;  ///< the number type
  int count = 1;                 ///< exponents
  bool without_flow = false;  ///< the direction of the motion is removed; of a `Problem` that no clock drives
  /// Symmetries whose directions are removed, called as `Symmetry` (analysis/symmetry.hpp) is.
  std::vector<std::function<typename P::State(const typename P::State&, const S&)>> symmetries{};
  S time_scale = 0;                  ///< τ of the kinetic metric [s]; 0: the interval
  Vec<S, Eigen::Dynamic> weights{};  ///< w of a metric of one's own; empty: as the head of the file says
};

/// Exponents of a problem, those of directions that were removed apart [1/s]. `standard_error` is that of 16
/// parts of the measurement; `error` takes parts as long as they have to be.
template <PlainReal S = double>
struct TangentSpectrum : LyapunovSpectrum<S> {
  Vec<S, Eigen::Dynamic> error{};          ///< of each exponent, see `batch_means`
  Vec<S, Eigen::Dynamic> removed{};        ///< of the flow if it was removed, then of each symmetry
  Vec<S, Eigen::Dynamic> removed_error{};  ///< of these
  Mat<S, Eigen::Dynamic> series{};         ///< growth rates over each interval, an exponent a row
  S interval{};                            ///< between two [s]
};

namespace detail {

/// The weights of a problem's numbers, and how long a disturbance is that is not small.
template <class P>
[[nodiscard]] auto metric_of(const P& problem, const typename P::State& at, const Directions<P>& directions,
                             typename P::Scalar interval) {
  using S = typename P::Scalar;
  struct Metric {
    Column<S> weights;
    S size;
  } metric{directions.weights, S(1)};
  auto u = increment_between(problem, at, at);
  const Eigen::Index count = column_of<P>(at, u).size();
  const S tau = directions.time_scale > 0 ? directions.time_scale : interval;
  if constexpr (requires { kinetic_metric(problem, at, tau); }) {
    auto kinetic = kinetic_metric(problem, at, tau);
    metric.size = kinetic.size;
    if (metric.weights.size() == 0) metric.weights = std::move(kinetic.weights);
  }
  if (metric.weights.size() == 0) metric.weights = Column<S>::Ones(count);
  require(metric.weights.size() == count, "Directions", "weights", metric.weights.size(),
          "there is one for each of the numbers of an increment, here " + std::to_string(count));
  for (const S& w : metric.weights)
    require(std::isfinite(w) && w >= 0, "Directions", "weight", w, "it must be finite and not negative");
  return metric;
}

/// The increment of the motion in unit time, as a column.
template <class P>
[[nodiscard]] Column<typename P::Scalar> flow_direction(const P& problem, const typename P::State& at) {
  static_assert(Problem<P>, "only a problem with rates tells the direction of its motion");
  auto rates = problem.make_rates();
  auto nowhere = increment_between(problem, at, at), slope = nowhere;
  nowhere.set_zero();
  problem.rates(at, rates);
  problem.slope(at, nowhere, rates, slope);
  return column_of<P>(at, slope);
}

/// Tangent vectors of a carrier in numbers whose metric is Euclid's.
template <class T>
class WeighedTangents {
 public:
  using P = typename T::Problem;
  using S = typename P::Scalar;

  WeighedTangents(T& tangents, const Directions<P>& directions, const LyapunovOptions<S>& options, S interval)
      : tangents_(tangents), directions_(directions) {
    const auto metric = metric_of(tangents.problem(), tangents.state(), directions, interval);
    root_ = metric.weights.cwiseSqrt();
    inverse_ = root_.unaryExpr([](const S& w) { return w > 0 ? S(1) / w : S(0); });
    reach_ = options.separation * metric.size;
    start(directions.count);
  }

  [[nodiscard]] Eigen::Index removed() const {
    return Eigen::Index(directions_.without_flow) + static_cast<Eigen::Index>(directions_.symmetries.size());
  }
  /// Moves on by one interval. Returns logarithms of growth: of the columns, then of what is removed.
  Column<S> grow(S step, long steps) {
    const Column<S> before = lengths_;
    columns_ = inverse_.asDiagonal() * columns_;
    tangents_.carry(columns_, reach_, step, steps);
    columns_ = root_.asDiagonal() * columns_;
    remove();
    const Column<S> growth = orthonormalise(columns_);
    Column<S> logs(columns_.cols() + removed());
    for (Eigen::Index i = 0; i < columns_.cols(); ++i) logs[i] = std::log(growth[i]);
    for (Eigen::Index i = 0; i < removed(); ++i)
      logs[columns_.cols() + i] = std::log(lengths_[i] / before[i]);
    return logs;
  }

 private:
  /// Columns that are nothing special among those that the constraints allow.
  void start(int count) {
    columns_ = mixed_numbers<S>(root_.size(), std::max(count, 0));
    for (Eigen::Index j = 0; j < columns_.cols(); ++j) columns_.col(j) /= columns_.col(j).norm();
    columns_ = inverse_.asDiagonal() * columns_;
    columns_ = root_.asDiagonal() * tangents_.allowed(columns_, reach_);
    remove();
    const Matrix<S> independent = range(columns_, S(1e-5L));
    require(1 <= count && count <= independent.cols(), "tangent_spectrum", "count", count,
            "there are as many exponents as the constraints and what is removed leave directions, here " +
                std::to_string(independent.cols()));
    columns_ = independent;
  }
  /// Makes the columns orthogonal to what is removed.
  void remove() {
    if (removed() == 0) return;
    const auto& problem = tangents_.problem();
    const auto& at = tangents_.state();
    Matrix<S> span(root_.size(), removed());
    Eigen::Index next = 0;
    if constexpr (Problem<P>)
      if (directions_.without_flow) span.col(next++) = flow_direction(problem, at);
    for (const auto& symmetry : directions_.symmetries)
      span.col(next++) = slope_with(
                             [&](S s) {
                               auto u = increment_between(problem, at, symmetry(at, s));
                               return Column<S>(column_of<P>(at, u));
                             },
                             S(0.05L))
                             .value;
    span = root_.asDiagonal() * span;
    lengths_ = span.colwise().norm().transpose();
    for (Eigen::Index j = 0; j < span.cols(); ++j)
      if (lengths_[j] > 0) span.col(j) /= lengths_[j];
    const Matrix<S> q = range(span, rank_threshold<S>);
    for (Eigen::Index j = 0; j < columns_.cols(); ++j)
      for (int twice = 0; twice < 2; ++twice) remove_components(q, q.cols(), columns_, j);
  }

  T& tangents_;
  const Directions<P>& directions_;
  Column<S> root_, inverse_, lengths_{};
  Matrix<S> columns_{};
  S reach_{};
};

/// Mean and error of each row of a series.
template <class S>
[[nodiscard]] std::pair<Column<S>, Column<S>> means_of_rows(const Matrix<S>& series) {
  Column<S> mean(series.rows()), error(series.rows());
  for (Eigen::Index i = 0; i < series.rows(); ++i) {
    const BatchMeans<S> of = batch_means<S>(series.row(i).transpose());
    mean[i] = of.mean, error[i] = of.error;
  }
  return {std::move(mean), std::move(error)};
}

}  // namespace detail

/// The `directions.count` largest exponents along the motion of a carrier of tangent vectors, which is moved
/// on (analysis/tangent_flow.hpp). `options.separation` is relative to the size that a kinetic metric tells,
/// else absolute. What the problem throws passes through; NoConvergence if a step fails;
/// std::invalid_argument for bad options, a metric of another size, or more exponents than there are
/// directions.
template <class T>
[[nodiscard]] TangentSpectrum<typename T::Scalar> tangent_spectrum(
    T& tangents, const LyapunovOptions<typename T::Scalar>& options,
    const Directions<typename T::Problem>& directions) {
  using S = typename T::Scalar;
  options.check();
  require(directions.time_scale >= 0 && std::isfinite(directions.time_scale), "Directions", "time_scale",
          directions.time_scale, "it must be finite and not negative [s]");
  require(Problem<typename T::Problem> || !directions.without_flow, "Directions", "without_flow", true,
          "only a problem with rates tells the direction of its motion");
  const auto steps = std::max(1L, std::lround(options.interval / options.step));
  const S interval = static_cast<S>(steps) * options.step;
  const auto before = std::lround(options.transient / interval);
  const auto intervals =
      std::max<long>(LyapunovSpectrum<S>::windows, std::lround(options.duration / interval));
  detail::WeighedTangents<T> weighed(tangents, directions, options, interval);
  for (long i = 0; i < before; ++i) (void)weighed.grow(options.step, steps);
  detail::GrowthRecord<S> record(directions.count, intervals, interval);
  detail::Matrix<S> logs(directions.count + weighed.removed(), intervals);
  for (long i = 0; i < intervals; ++i) {
    logs.col(i) = weighed.grow(options.step, steps);
    record.add(logs.col(i).head(directions.count));
  }
  TangentSpectrum<S> out{record.result()};
  logs /= interval;
  out.interval = interval;
  out.series = logs.topRows(directions.count);
  out.error = detail::means_of_rows(out.series).second;
  std::tie(out.removed, out.removed_error) = detail::means_of_rows<S>(logs.bottomRows(weighed.removed()));
  return out;
}

/// The same by differences of motions, from `state`.
template <class M, ComparableByNumbers P>
[[nodiscard]] TangentSpectrum<typename P::Scalar> tangent_spectrum(
    const M& method, const P& problem, const typename P::State& state,
    const LyapunovOptions<typename P::Scalar>& options, const Directions<P>& directions) {
  DifferencedTangents<M, P> tangents(method, problem, state);
  return tangent_spectrum(tangents, options, directions);
}

}  // namespace dalembert::analysis
