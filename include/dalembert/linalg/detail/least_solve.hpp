#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// Steps of Newton's method where matrices may be singular.
namespace dalembert::linalg::detail {

/// Whether the smallest of n pivots is more than what rounding leaves of the largest.
template <class S, class Pivot>
[[nodiscard, gnu::noinline]] bool is_regular(std::size_t n, const Pivot& pivot) {
  S least = std::numeric_limits<S>::infinity(), most(0);
  for (std::size_t i = 0; i < n; ++i) {
    const S size = std::abs(pivot(i));
    least = std::min(least, size);
    most = std::max(most, size);
  }
  return least > S(64) * S(n) * std::numeric_limits<S>::epsilon() * most;
}

/// x of J x = F; where J is singular nearly the least x, which the next step of Newton's method makes good.
/// `lu` and y are room.
template <class S, class Matrix, class Column>
void least_solve(const Matrix& J, const Column& F, DenseLU<S, Matrix>& lu, Column& x, Column& y) {
  const int n = static_cast<int>(F.size());
  x = F;
  lu.resize(n);
  lu.matrix = J;
  const auto pivot = [&lu](std::size_t i) {
    const auto at = static_cast<Eigen::Index>(i);
    return lu.matrix(at, at);
  };
  if (lu.compute() && is_regular<S>(static_cast<std::size_t>(n), pivot)) return lu.solve(x);
  // x = Jᵀ(JJᵀ + δ)⁻¹F
  S trace(0);
  for (int i = 0; i < n; ++i)
    for (int k = i; k < n; ++k) {
      S sum(0);
      for (int l = 0; l < n; ++l) sum += J(i, l) * J(k, l);
      lu.matrix(i, k) = lu.matrix(k, i) = sum;
      if (i == k) trace += sum;
    }
  for (int i = 0; i < n; ++i) lu.matrix(i, i) += S(1e3) * std::numeric_limits<S>::epsilon() * trace;
  y = F;
  if (!lu.compute()) {
    for (S& entry : x) entry = std::numeric_limits<S>::quiet_NaN();
    return;
  }
  lu.solve(y);
  for (int k = 0; k < n; ++k) {
    x[k] = S(0);
    for (int i = 0; i < n; ++i) x[k] += J(i, k) * y[i];
  }
}
/// x ← A⁺x.
template <class LU, class Column>
void solve_ranked(const LU& lu, Column& x) {
  using S = typename Column::Scalar;
  std::vector<typename LU::W> b(x.data(), x.data() + x.size()), left(b.size()), work(b.size());
  lu.solve(b.data(), left.data(), work.data());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = static_cast<S>(b[static_cast<std::size_t>(i)]);
}

}  // namespace dalembert::linalg::detail
