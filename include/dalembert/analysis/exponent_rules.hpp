#pragma once

#include <algorithm>
#include <vector>

#include <dalembert/analysis/tangent_spectrum.hpp>
#include <dalembert/core/detail/cmath.hpp>

/// What all exponents of a problem obey together, as checks of a spectrum:
///   Σ λ_i = the mean divergence of the motion                                                   (1)
///   λ_i + λ_{n+1−i} = 0     where it is Hamiltonian                                             (2)
///   λ_i + λ_{n+1−i} = −ν   where every velocity of a Hamiltonian problem is damped at the rate ν (3)
/// Nonholonomic constraints as a rule break (2) and (3), not (1).
/// Sources: Liouville for (1); Dressler 1988 for (3).
namespace dalembert::analysis {

/// A quantity, what it should be, and how well it is known [1/s].
template <PlainReal S = double>
struct RuleCheck {
  S found{};     ///< as it was measured
  S expected{};  ///< as the rule has it
  S error{};     ///< of `found`, see `batch_means`

  /// Whether they agree to so many errors, or to a `tolerance` [1/s] where the error is smaller.
  [[nodiscard]] bool holds(S errors = 3, S tolerance = 0) const {
    return std::abs(found - expected) <= std::max(errors * error, tolerance);
  }
};

/// (1), of a spectrum of all exponents; `divergence` is the mean one [1/s].
template <PlainReal S>
[[nodiscard]] RuleCheck<S> sum_rule(const TangentSpectrum<S>& all, S divergence) {
  const auto sum = batch_means<S>(all.series.colwise().sum().transpose());
  return {.found = sum.mean, .expected = divergence, .error = sum.error};
}

/// (2) or (3), `sum` being 0 or −ν, of a spectrum of all exponents, or of all but pairs of them: the
/// largest with the smallest first. Of an odd number the one in the middle is paired with itself.
template <PlainReal S>
[[nodiscard]] std::vector<RuleCheck<S>> pairing(const TangentSpectrum<S>& all, S sum = 0) {
  // Exponents are in the order of their columns, which is that of size once they have settled.
  std::vector<Eigen::Index> order(static_cast<std::size_t>(all.exponents.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return all.exponents[a] > all.exponents[b]; });
  std::vector<RuleCheck<S>> checks;
  for (std::size_t i = 0; 2 * i < order.size(); ++i) {
    const Vec<S, Eigen::Dynamic> both =
        (all.series.row(order[i]) + all.series.row(order[order.size() - 1 - i])).transpose();
    const auto of = batch_means<S>(both);
    checks.push_back({.found = of.mean, .expected = sum, .error = of.error});
  }
  return checks;
}

/// The divergence of the equations of motion at `at`, which lies on the constraints, in the metric of
/// `tangent_spectrum` [1/s]: the rate at which volumes of the tangent space grow there,
///   Σ_i ⟨q_i, d/dε d/dh ((x ⊕ εq_i) ⊕ hX) ⊖ (x ⊕ hX)⟩,    q_i orthonormal,                (4)
/// by differences, to about 1e-5 of the largest rate. It knows nothing of steps or exponents. Its cost grows
/// like the square of the number of directions. Throws NoConvergence if a state cannot be brought onto the
/// constraints.
template <ComparableByNumbers P>
  requires Problem<P>
[[nodiscard]] typename P::Scalar divergence(const P& problem, const typename P::State& at,
                                            const Directions<P>& directions = {}) {
  using S = typename P::Scalar;
  using State = typename P::State;
  const S tau = directions.time_scale > 0 ? directions.time_scale : S(1);
  const auto metric = detail::metric_of(problem, at, directions, tau);
  const detail::Column<S> root = metric.weights.cwiseSqrt();
  const detail::Column<S> inverse = root.unaryExpr([](const S& w) { return w > 0 ? S(1) / w : S(0); });
  auto u = detail::increment_between(problem, at, at);
  const auto column = [&](const State& from, const State& to) {
    auto between = detail::increment_between(problem, from, to);
    return detail::Column<S>(root.cwiseProduct(detail::column_of<P>(from, between)));
  };
  const auto displaced = [&](S factor, detail::Column<S> numbers) {
    detail::set_column<P>(at, numbers, u);
    return detail::disturbed(problem, at, factor, u);
  };
  const auto drifted = [&](const State& from, const detail::Column<S>& velocity, S h) {
    detail::Column<S> numbers = h * velocity;
    auto by = detail::increment_between(problem, from, from);
    detail::set_column<P>(from, numbers, by);
    State to = from;
    problem.retract(from, by, to);
    return to;
  };
  const S reach = S(1e-4L) * metric.size;
  detail::Matrix<S> all(root.size(), root.size());
  for (Eigen::Index i = 0; i < root.size(); ++i) {
    const detail::Column<S> unit = inverse[i] * detail::Column<S>::Unit(root.size(), i);
    all.col(i) = (column(at, displaced(reach, unit)) - column(at, displaced(-reach, unit))) / (2 * reach);
  }
  const detail::Matrix<S> q = detail::range(all, S(1e-5L));
  const detail::Column<S> motion = detail::flow_direction(problem, at);
  const S h = S(1e-3L) * metric.size / std::max(root.cwiseProduct(motion).norm(), metric.size / tau);
  S sum(0);
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    S slope(0);
    for (const S side : {S(1), S(-1)}) {
      const State there = displaced(side * reach, inverse.cwiseProduct(q.col(i)));
      const detail::Column<S> motion_there = detail::flow_direction(problem, there);
      const detail::Column<S> rate = column(drifted(at, motion, h), drifted(there, motion_there, h)) -
                                     column(drifted(at, motion, -h), drifted(there, motion_there, -h));
      slope += side * q.col(i).dot(rate) / (4 * h * reach);
    }
    sum += slope;
  }
  return sum;
}

/// Its mean over a motion, at the end of each interval of `options` once the transient is over [1/s].
template <class M, ComparableByNumbers P>
  requires Problem<P>
[[nodiscard]] BatchMeans<typename P::Scalar> mean_divergence(
    const M& method, const P& problem, typename P::State state,
    const LyapunovOptions<typename P::Scalar>& options, const Directions<P>& directions = {}) {
  using S = typename P::Scalar;
  options.check();
  auto stepper = method.stepper(problem, state);
  const auto steps = std::max(1L, std::lround(options.interval / options.step));
  const S interval = static_cast<S>(steps) * options.step;
  detail::take_steps(stepper, problem, state, options.step,
                     steps * std::lround(options.transient / interval));
  detail::Column<S> series(
      std::max<long>(BatchMeans<S>::least_blocks, std::lround(options.duration / interval)));
  for (S& x : series) {
    detail::take_steps(stepper, problem, state, options.step, steps);
    x = divergence(problem, state, directions);
  }
  return batch_means<S>(series);
}

}  // namespace dalembert::analysis
