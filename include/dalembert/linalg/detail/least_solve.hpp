#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/cone_types.hpp>
#include <dalembert/linalg/detail/ordered_band.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// Steps of Newton's method where matrices may be singular.
namespace dalembert::linalg::detail {

/// Of matrices J one after the other, in memory that grows with the largest.
template <class S, class Matrix>
class LeastSolve {
 public:
  /// For matrices that are zero but for this pattern, which must outlast their solution.
  void find(const BlockPattern& pattern) {
    pattern_ = &pattern;
    band_.find(pattern);
  }

  /// x of J x = F; where J is singular, or so nearly that x is far above the size of what it changes, nearly
  /// the least x, which the next step of Newton's method makes good.
  template <class Column>
  [[gnu::cold, gnu::noinline]] void operator()(const Matrix& J, const Column& F, S size, Column& x) {
    x = F;
    left_.resize(F.size());
    const bool banded = band_.pays();
    if (banded ? band_.factor(J) : factor(J)) {
      banded ? band_.solve(x) : lu_.solve(x);
      if (magnitude(x) <= S(1e3) * std::max(size, magnitude(F))) return;
    }
    // x = Jᵀ(JJᵀ + δ)⁻¹F
    S trace(0);
    pattern_->each_entry([&](Eigen::Index i, Eigen::Index j) { trace += J(i, j) * J(i, j); });
    const S shift = S(1e3) * std::numeric_limits<S>::epsilon() * trace;
    left_ = F;
    if (band_.factor_squares(J, shift)) {
      band_.solve(left_);
    } else if (factor_squares(J, shift)) {
      lu_.solve(left_);
    } else {
      for (S& entry : left_) entry = std::numeric_limits<S>::quiet_NaN();
    }
    x.set_zero(F.size());
    pattern_->each_entry([&](Eigen::Index i, Eigen::Index k) { x[k] += J(i, k) * left_[i]; });
  }

 private:
  [[nodiscard]] bool factor(const Matrix& J) {
    lu_.resize(static_cast<int>(J.rows()));
    lu_.matrix = J;
    return lu_.compute() && is_regular<S>(static_cast<std::size_t>(J.rows()), [&](std::size_t i) {
             return lu_.matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
           });
  }
  [[nodiscard]] bool factor_squares(const Matrix& J, S shift) {
    lu_.resize(static_cast<int>(J.rows()));
    lu_.matrix.set_zero(J.rows(), J.rows());
    pattern_->add_squares(J, [&](Eigen::Index i, Eigen::Index k) -> S& { return lu_.matrix(i, k); });
    for (Eigen::Index i = 0; i < J.rows(); ++i) lu_.matrix(i, i) += shift;
    return lu_.compute();
  }

  const BlockPattern* pattern_ = nullptr;
  OrderedBand<S> band_{};
  DenseLU<S, Matrix> lu_{0};
  typename ConeProblem<S>::GrowingColumn left_{};
};
/// x ← A⁺x.
template <class LU, class Column>
void solve_ranked(const LU& lu, Column& x) {
  using S = typename Column::Scalar;
  std::vector<typename LU::W> b(x.data(), x.data() + x.size()), left(b.size()), work(b.size());
  lu.solve(b.data(), left.data(), work.data());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = static_cast<S>(b[static_cast<std::size_t>(i)]);
}

}  // namespace dalembert::linalg::detail
