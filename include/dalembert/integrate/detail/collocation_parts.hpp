#pragma once

#include <array>
#include <cstddef>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/integrate/detail/collocation_nodes.hpp>
#include <dalembert/integrate/detail/jacobian.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// What the stages of a collocation method are made of: weights with more digits than a scalar has,
/// multipliers that hold constraints, and the matrix of Newton's method.
namespace dalembert::detail {

/// A coefficient in two parts, so that a product with the step loses nothing that matters: rounded weights
/// would let energy drift.
template <class S>
struct Weight {
  S high{};  ///< rounded
  S low{};   ///< what rounding took away

  /// The parts of h · weight.
  [[nodiscard]] Weight scaled(S h) const {
    const S product = h * high;
    return {product, std::fma(h, high, -product) + h * low};
  }
};

/// Per node, a weight.
template <class S, int Stages>
using Weights = std::array<Weight<S>, static_cast<std::size_t>(Stages)>;

/// ∫₀ᵗ l_j for the nodes of F.
template <class F, class S>
[[nodiscard]] constexpr Weights<S, F::stages> split_integrals(long double t) noexcept {
  const auto exact = collocation::integrals(F::nodes, t);
  Weights<S, F::stages> weights{};
  for (std::size_t j = 0; j < exact.size(); ++j) {
    weights[j].high = static_cast<S>(exact[j]);
    weights[j].low = static_cast<S>(exact[j] - static_cast<long double>(weights[j].high));
  }
  return weights;
}

/// The multipliers μ_i and the points at which they hold constraints; nothing for problems that cannot be
/// held.
template <class F, class P>
struct HeldStages {};

template <class F, ProjectableProblem P>
struct HeldStages<F, P> {
  using S = typename P::Scalar;
  static constexpr int rows = P::held_rows;
  using Residuals = Mat<S, rows, F::stages>;

  Residuals mu;                             ///< μ_i, a column per stage
  Residuals residual;                       ///< what is violated, a column per point
  linalg::SmallLDLT<S, rows> delassus;      ///< A M⁻¹Aᵀ near the middle of the step
  linalg::DenseLU<S> integrals{F::stages};  ///< ∫₀^{point} l_j, a row per point

  HeldStages() {
    set_zero(mu);
    set_zero(residual);
    for (std::size_t q = 0; q < F::held.size(); ++q) {
      const auto row = collocation::integrals(F::nodes, F::held[q]);
      for (std::size_t j = 0; j < row.size(); ++j)
        integrals.matrix(static_cast<int>(q), static_cast<int>(j)) = static_cast<S>(row[j]);
    }
    (void)integrals.compute();  // regular: the points are different
  }

  /// Start a step whose middle is near `state`.
  void begin(const P& problem, const typename P::State& state) {
    set_zero(mu);
    delassus.compute_semidefinite(problem.delassus(state));
  }
  /// Change μ by what the slips ask for in a step of length h, to first order.
  void correct(S h) {
    for (int q = 0; q < F::stages; ++q) {
      Vec<S, rows> column = columns<1>(residual, q);
      delassus.solve_lower(column);
      delassus.solve_upper(column);
      place(residual, 0, q, column);
    }
    for (int i = 0; i < rows; ++i) {
      Vec<S, F::stages> row;
      for (int q = 0; q < F::stages; ++q) row[q] = residual(i, q);
      integrals.solve(row);
      for (int q = 0; q < F::stages; ++q) mu(i, q) -= row[q] / h;
    }
  }
};

/// Matrix of Newton's method 1 − h a⊗D, factored; nothing for problems without coordinates.
template <class F, class P>
struct NewtonStages {
  static constexpr bool available = false;
  NewtonStages(const P& /*problem*/, const typename P::State& /*state*/) {}
};

template <class F, SmallProblem P>
struct NewtonStages<F, P> {
  using S = typename P::Scalar;
  static constexpr bool available = true;
  static constexpr int dimension = P::Increment::dimension;
  static constexpr int size = F::stages * dimension;

  SlopeJacobian<P> jacobian;
  Mat<S, dimension> slope_jacobian;
  linalg::DenseLU<S> factors{size};
  Vec<S, size> residual;

  NewtonStages(const P& problem, const typename P::State& state) : jacobian(problem, state) {}

  /// Factor the matrix of a step of length h from `state`. Returns false if it is singular.
  [[nodiscard]] bool prepare(const P& problem, const typename P::State& state, S h) {
    jacobian.compute(problem, state, slope_jacobian);
    for (int i = 0; i < F::stages; ++i) set_stage(i, h);
    return factors.compute();
  }
  /// The rows of stage i, at centre ⊕ offset, of the matrix where each stage has a D of its own; to be
  /// factored when all are there.
  void prepare_stage(const P& problem, const typename P::State& centre, const typename P::Increment& offset,
                     int i, S h) {
    jacobian.compute(problem, centre, offset, slope_jacobian);
    set_stage(i, h);
  }

 private:
  /// The rows of stage i from D.
  void set_stage(int i, S h) {
    const auto a = collocation::integrals(F::nodes, F::nodes[static_cast<std::size_t>(i)]);
    for (int j = 0; j < F::stages; ++j) {
      const S factor = -h * static_cast<S>(a[static_cast<std::size_t>(j)]);
      for (int row = 0; row < dimension; ++row)
        for (int column = 0; column < dimension; ++column)
          factors.matrix(i * dimension + row, j * dimension + column) =
              factor * slope_jacobian(row, column) + S(i == j && row == column ? 1 : 0);
    }
  }
};

}  // namespace dalembert::detail
