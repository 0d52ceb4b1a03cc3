#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/linalg/null_space.hpp>

/// LU decomposition with pivots of a square matrix of any size and rank, symmetric or not.
namespace dalembert::linalg {

/// P G Q = L U with the largest pivot first, for a G made of rows of numbers of type S; L is n×r, with ones
/// on its diagonal, U r×n, r the rank. Pivots of a symmetric, positive semidefinite G are those on its
/// diagonal, so that Q = Pᵀ. The solution of G x = b that has the least norm, and what is left of b where
/// there is none; P_G projects onto the range of G, L₁ are the first r rows of L and U₁ the first r
/// columns of U:
///   x = P_Gᵀ Q (L₁U₁)⁻¹ P P_G b,    left b − P_G b                                            (1)
/// Where all are symmetric, what others need is left out.
template <class S = double, bool only_symmetric = false>
class PivotedLU {
 public:
  using W = Wide<S>;  ///< the number type of G

  /// Make the matrix zero, with n rows. Of a symmetric one the lower half will do.
  void start(int n, bool symmetric) {
    n_ = n;
    symmetric_ = symmetric;
    g_.assign(index(n) * index(n), W(0));
    for (auto* order : {&row_, &column_}) order->resize(index(n));
  }
  /// An entry.
  [[nodiscard]] W& operator()(int i, int j) noexcept { return g_[index(j) * index(n_) + index(i)]; }

  /// Decompose the matrix, which is overwritten. A pivot that may be rounding is none.
  void decompose() {
    rank_ = 0;
    smallest_ = W(1);
    W largest(0);
    for (std::size_t i = 0; i < row_.size(); ++i) row_[i] = column_[i] = static_cast<int>(i);
    for (int k = 0; symmetric() && k < n_; ++k)
      for (int i = 0; i < k; ++i) at(i, k) = at(k, i);
    for (int j = 0; j < n_; ++j) {
      int row = j, column = j;
      for (int k = j; k < n_; ++k)
        for (int i = symmetric() ? k : j; i < (symmetric() ? k + 1 : n_); ++i)
          if (number::abs(at(i, k)) > number::abs(at(row, column))) row = i, column = k;
      const W pivot = number::abs(at(row, column));
      if (j == 0) largest = pivot;
      if (!(pivot > pivot_rounding<S>(j) * largest)) break;
      smallest_ = std::min(smallest_, W(pivot / largest));
      exchange(j, row, column);
      for (int i = j + 1; i < n_; ++i) at(i, j) /= at(j, j);
      for (int k = j + 1; k < n_; ++k) {
        const W factor = at(j, k);
        if (number::is_zero(factor)) continue;
        for (int i = j + 1; i < n_; ++i) at(i, k) -= at(i, j) * factor;
      }
      ++rank_;
      for (int i = j + 1; i < n_; ++i) finish(j + 1, i, pivot_rounding<S>(j + 1) * largest);
    }
    across_.clear(n_);
    along_.clear(n_);
    if (rank_ < n_) find_null_vectors();
  }

  /// After `decompose`: how many rows do not follow from others.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// The smallest pivot over the largest entry.
  [[nodiscard]] W smallest() const noexcept { return smallest_; }

  /// x = G⁺ b, in place; `left` gets b − G x. `work` holds n numbers.
  void solve(W* b, W* left, W* work) const {
    for (int i = 0; i < n_; ++i) left[i] = b[i];
    across_.project(b);
    for (int i = 0; i < n_; ++i) left[i] -= b[i];
    for (int i = 0; i < n_; ++i) work[i] = i < rank_ ? b[row_[index(i)]] : W(0);
    for (int j = 0; j < rank_; ++j)
      for (int i = j + 1; i < rank_; ++i) work[i] -= at(i, j) * work[j];
    solve_upper(work);
    for (int i = 0; i < n_; ++i) b[column_[index(i)]] = work[i];
    (symmetric() ? across_ : along_).project(b);
  }

 private:
  [[nodiscard]] bool symmetric() const noexcept { return only_symmetric || symmetric_; }
  [[nodiscard]] static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] W& at(int i, int j) noexcept { return (*this)(i, j); }
  [[nodiscard]] const W& at(int i, int j) const noexcept { return g_[index(j) * index(n_) + index(i)]; }

  /// x ← U₁⁻¹x.
  void solve_upper(W* x) const {
    for (int j = rank_ - 1; j >= 0; --j) {
      x[j] /= at(j, j);
      for (int i = 0; i < j; ++i) x[i] -= at(i, j) * x[j];
    }
  }
  /// A row, or a column, that follows from those before it is zero from `from` on: what is left is rounding,
  /// which grows where later pivots are small.
  void finish(int from, int i, const W& rounding) {
    W in_row = number::abs(at(i, i)), in_column = in_row;
    for (int k = from; !symmetric() && k < n_; ++k) {
      in_row = std::max(in_row, W(number::abs(at(i, k))));
      in_column = std::max(in_column, W(number::abs(at(k, i))));
    }
    for (int k = from; in_row <= rounding && k < n_; ++k) at(i, k) = W(0);
    for (int k = from; in_column <= rounding && k < n_; ++k) at(k, i) = W(0);
  }
  /// Row and column j change places with these.
  [[gnu::noinline]] void exchange(int j, int row, int column) {
    std::swap(row_[index(j)], row_[index(row)]);
    std::swap(column_[index(j)], column_[index(column)]);
    if (row != j)
      for (int k = 0; k < n_; ++k) std::swap(at(j, k), at(row, k));
    if (column != j)
      for (int i = 0; i < n_; ++i) std::swap(at(i, j), at(i, column));
  }
  /// Those of Gᵀ, and of G if they are others, of every row and column without a pivot.
  [[gnu::noinline]] void find_null_vectors() {
    std::vector<W>& v = room_;
    for (int d = rank_; d < n_; ++d) {
      v.assign(index(n_), W(0));
      for (int j = rank_ - 1; j >= 0; --j) {
        v[index(j)] = -at(d, j);
        for (int i = j + 1; i < rank_; ++i) v[index(j)] -= at(i, j) * v[index(i)];
      }
      put(v, d, row_, across_);
      if (symmetric()) continue;
      for (int i = 0; i < rank_; ++i) v[index(i)] = -at(i, d);
      solve_upper(v.data());
      put(v, d, column_, along_);
    }
  }
  /// What takes away row, or column, d of those in this order.
  void put(std::vector<W>& v, int d, const std::vector<int>& order, NullSpace<W>& to) const {
    v[index(d)] = W(1);
    std::vector<W>& mine = to.add();
    for (int i = 0; i < n_; ++i) mine[index(order[index(i)])] = v[index(i)];
    to.finish(to.count() - 1);
  }

  int n_ = 0, rank_ = 0;
  bool symmetric_ = false;
  W smallest_{};
  std::vector<W> g_, room_;        // column by column: L and U
  std::vector<int> row_, column_;  // of G, in the order of the pivots
  NullSpace<W> across_, along_;    // the null vectors of Gᵀ, and of G
};

}  // namespace dalembert::linalg
