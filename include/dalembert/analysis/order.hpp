#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

/// The order with which a method converges, as a run shows it:
///   error(h) ≈ C hᵖ,   p the slope of log error over log h by least squares                          (1)
/// An order that is declared is believed when p is near it from both sides: less is a fault of the method,
/// more one of the test problem, such as a symmetry or a linear motion. Every error should be well above
/// round-off and every step short enough for (1); `scatter` tells.
namespace dalembert::analysis {

/// What to run.
template <PlainReal S = double>
struct OrderOptions {
  S until{};  ///< end of each run [s]
  /// At least two, different; each fits a whole number of times between the start and `until` [s].
  std::vector<S> steps;
};

/// What the runs show.
template <PlainReal S = double>
struct ObservedOrder {
  S order{};              ///< p of (1)
  S constant{};           ///< C of (1), in the unit of the distance over sᵖ
  S scatter{};            ///< largest |log₂(error/(C hᵖ))|: how far the errors are from (1)
  std::vector<S> steps;   ///< as they were given [s]
  std::vector<S> errors;  ///< one a step

  /// The order between neighbours: log(errorᵢ/errorᵢ₊₁)/log(hᵢ/hᵢ₊₁).
  [[nodiscard]] std::vector<S> local() const {
    std::vector<S> orders;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
      orders.push_back(std::log(errors[i] / errors[i + 1]) / std::log(steps[i] / steps[i + 1]));
    return orders;
  }
};

/// The norm of the column from one state to another.
struct ColumnDistance {
  /// |(η, δξ, δz)| in its mixed units.
  template <CoordinateProblem P>
  [[nodiscard]] typename P::Scalar operator()(const P& problem, const typename P::State& from,
                                              const typename P::State& to) const {
    return problem.difference(from, to).coordinates().norm();
  }
};

/// (1) from errors that are known. Throws std::invalid_argument unless there are as many errors as steps, two
/// or more, all positive and finite, of at least two different steps.
template <PlainReal S>
[[nodiscard]] ObservedOrder<S> fit_order(std::vector<S> steps, std::vector<S> errors) {
  require(steps.size() >= 2, "ObservedOrder", "steps", steps.size(), "an order needs two or more");
  require(errors.size() == steps.size(), "ObservedOrder", "errors", errors.size(),
          "there must be one a step");
  const auto n = static_cast<S>(steps.size());
  S x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    require(std::isfinite(steps[i]) && steps[i] > 0, "ObservedOrder", "step", steps[i],
            "a step must be positive and finite [s]");
    require(std::isfinite(errors[i]) && errors[i] > 0, "ObservedOrder", "error", errors[i],
            "an error must be positive and finite to have a logarithm");
    x_mean += std::log(steps[i]) / n;
    y_mean += std::log(errors[i]) / n;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const S x = std::log(steps[i]) - x_mean;
    xx += x * x;
    xy += x * (std::log(errors[i]) - y_mean);
  }
  require(xx > std::numeric_limits<S>::epsilon(), "ObservedOrder", "steps", steps[0],
          "they must not all be the same");
  ObservedOrder<S> out;
  out.order = xy / xx;
  const S intercept = y_mean - out.order * x_mean;
  out.constant = std::exp(intercept);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const S off = (std::log(errors[i]) - intercept - out.order * std::log(steps[i])) / std::log(S(2));
    out.scatter = std::max(out.scatter, std::abs(off));
  }
  out.steps = std::move(steps);
  out.errors = std::move(errors);
  return out;
}

/// The order of `method` on `problem` from `start`, whose state at `options.until` is `reference`.
/// `distance(problem, from, to)` measures an error in one number. Throws as `fit_order` and `drive`.
template <class M, Problem P, class Distance = ColumnDistance>
[[nodiscard]] ObservedOrder<typename P::Scalar> observed_order(
    const M& method, const P& problem, const typename P::State& start, const typename P::State& reference,
    const OrderOptions<typename P::Scalar>& options, const Distance& distance = {}) {
  using S = typename P::Scalar;
  std::vector<S> errors;
  for (const S step : options.steps) {
    const S count = (options.until - start.time) / step;
    require(std::abs(count - std::round(count)) <= S(1e-6L) * std::max(S(1), count), "OrderOptions", "step",
            step, "it must fit a whole number of times between the start and the end [s]");
    typename P::State state = start;
    drive(method, problem, state, {.step = step, .until = options.until});
    errors.push_back(distance(problem, reference, state));
  }
  return fit_order<S>(options.steps, std::move(errors));
}

/// The same against a run of Dormand and Prince's method with a sixteenth of the shortest step: good for
/// methods of order 5 and less, where steps are not limited by stiffness.
template <class M, Problem P, class Distance = ColumnDistance>
[[nodiscard]] ObservedOrder<typename P::Scalar> observed_order(
    const M& method, const P& problem, const typename P::State& start,
    const OrderOptions<typename P::Scalar>& options, const Distance& distance = {}) {
  require(!options.steps.empty(), "OrderOptions", "steps", 0, "an order needs two or more");
  typename P::State reference = start;
  drive(DormandPrince54{}, problem, reference,
        {.step = *std::min_element(options.steps.begin(), options.steps.end()) / 16, .until = options.until});
  return observed_order(method, problem, start, reference, options, distance);
}

}  // namespace dalembert::analysis
