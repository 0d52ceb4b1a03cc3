#pragma once

#include <algorithm>
#include <utility>

#include <dalembert/assembly/detail/trapezoid.hpp>
#include <dalembert/core/number.hpp>

/// LU decomposition with row and column pivots of a square matrix of any size and rank, column by column in
/// memory.
namespace dalembert::assembly::detail {

/// P G Q = L D U with the largest pivot first, for a G made of rows of numbers of type S; L is n×r, U r×n,
/// with ones on their diagonals, r the rank. The solution of G x = b that has the least norm, and what is
/// left of b where there is none.
///   r = n: L y = P b, D U Qᵀx = y      r < n: x = Q Uᵀ(U Uᵀ)⁻¹D⁻¹(LᵀL)⁻¹Lᵀ P b                         (1)
template <class S>
class General {
 public:
  using W = Wide<S>;  ///< the number type of G

  /// Decompose the n×n matrix in `g`, which is overwritten; `order` holds 2n numbers, `small` 2n². A pivot
  /// that may be rounding is none.
  void decompose(W* g, int n, W* small, int* order) {
    g_ = g;
    n_ = n;
    order_ = order;
    rank_ = 0;
    smallest_ = W(1);
    W largest(0);
    for (int i = 0; i < n; ++i) order_[i] = order_[n + i] = i;
    for (int j = 0; j < n; ++j) {
      int row = j, column = j;
      for (int k = j; k < n; ++k)
        for (int i = j; i < n; ++i)
          if (number::abs(at(i, k)) > number::abs(at(row, column))) row = i, column = k;
      const W pivot = number::abs(at(row, column));
      if (j == 0) largest = pivot;
      if (!(pivot > pivot_rounding<S>(j) * largest)) break;
      smallest_ = std::min(smallest_, W(pivot / largest));
      exchange(j, row, column);
      for (int i = j + 1; i < n; ++i) at(i, j) /= at(j, j);
      for (int k = j + 1; k < n; ++k)
        for (int i = j + 1; i < n; ++i) at(i, k) -= at(i, j) * at(j, k);
      ++rank_;
      for (int i = j + 1; i < n; ++i) finish(j + 1, i, pivot_rounding<S>(j + 1) * largest);
    }
    if (rank_ == n_) return;
    for (int j = 0; j < rank_; ++j)
      for (int k = j + 1; k < n; ++k) at(j, k) /= at(j, j);
    lower_ = {g_, 1, n_, n_, rank_, small};
    upper_ = {g_, n_, 1, n_, rank_, small + n * n};
  }

  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// The smallest pivot over the largest entry.
  [[nodiscard]] W smallest() const noexcept { return smallest_; }

  /// x = G⁺ b, in place; `left` gets b − G x. `work` holds n numbers.
  void solve(W* b, W* left, W* work) const {
    for (int i = 0; i < n_; ++i) work[i] = b[order_[i]];
    if (rank_ < n_) {
      W* y = left;  // r numbers
      lower_.fit(work, y);
      for (int i = 0; i < n_; ++i) b[i] = work[i] - lower_.times(y, i);
      for (int j = 0; j < rank_; ++j) y[j] /= at(j, j);
      upper_.lift(y, work);
      for (int i = 0; i < n_; ++i) left[order_[i]] = b[i];
    } else {
      std::fill_n(left, n_, W(0));
      for (int j = 0; j < n_; ++j)
        for (int i = j + 1; i < n_; ++i) work[i] -= at(i, j) * work[j];
      for (int j = n_ - 1; j >= 0; --j) {
        work[j] /= at(j, j);
        for (int i = 0; i < j; ++i) work[i] -= at(i, j) * work[j];
      }
    }
    for (int i = 0; i < n_; ++i) b[order_[n_ + i]] = work[i];
  }

 private:
  [[nodiscard]] W& at(int i, int j) const noexcept { return g_[j * n_ + i]; }

  /// A row, or a column, that follows from those before it is zero from `from` on: what is left is rounding,
  /// which grows where later pivots are small.
  void finish(int from, int i, const W& rounding) {
    W in_row(0), in_column(0);
    for (int k = from; k < n_; ++k) {
      in_row = std::max(in_row, W(number::abs(at(i, k))));
      in_column = std::max(in_column, W(number::abs(at(k, i))));
    }
    for (int k = from; k < n_; ++k) {
      if (in_row <= rounding) at(i, k) = W(0);
      if (in_column <= rounding) at(k, i) = W(0);
    }
  }
  /// Row and column j change places with these.
  void exchange(int j, int row, int column) {
    std::swap(order_[j], order_[row]);
    std::swap(order_[n_ + j], order_[n_ + column]);
    if (row != j)
      for (int k = 0; k < n_; ++k) std::swap(at(j, k), at(row, k));
    if (column != j)
      for (int i = 0; i < n_; ++i) std::swap(at(i, j), at(i, column));
  }

  W* g_ = nullptr;
  int* order_ = nullptr;
  int n_ = 0;
  int rank_ = 0;
  W smallest_{};
  Trapezoid<W> lower_, upper_;  // L and Uᵀ, where r < n
};

}  // namespace dalembert::assembly::detail
