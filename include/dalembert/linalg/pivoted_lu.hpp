#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/linalg/detail/elimination.hpp>
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
    sizes_.resize(2 * index(n));
  }
  /// An entry.
  [[nodiscard]] W& operator()(int i, int j) noexcept { return g_[index(j) * index(n_) + index(i)]; }

  /// Decompose the matrix, which is overwritten. A pivot that may be rounding is none; one is the product of
  /// G with what takes its row and its column away from those before, and rounding a part of the terms of
  /// that product. Entry (i, j) is a sum of terms of the size of row i times that of column j; of the largest
  /// entry if no sizes are told.
  void decompose(const W* row_sizes = nullptr, const W* column_sizes = nullptr) {
    rank_ = 0;
    smallest_ = W(1);
    W largest(0), unit(0);
    divide_by_sizes(row_sizes, column_sizes);
    for (int j = 0; j < n_; ++j) {
      int row = j, column = j;
      for (int k = j; k < n_; ++k)
        for (int i = symmetric() ? k : j; i < (symmetric() ? k + 1 : n_); ++i)
          if (number::abs(at(i, k)) > number::abs(at(row, column))) row = i, column = k;
      const W pivot = number::abs(at(row, column));
      if (j == 0) {
        largest = pivot;
        unit = row_sizes ? W(1) : pivot;
      }
      if (!(pivot > W(1e-5) * unit) && !(pivot > rounding(row, column) * unit)) break;
      smallest_ = std::min(smallest_, W(pivot / largest));
      exchange(j, row, column);
      for (int i = j + 1; i < n_; ++i) at(i, j) /= at(j, j);
      for (int k = j + 1; k < n_; ++k) {
        const W factor = at(j, k);
        if (number::is_zero(factor)) continue;
        detail::subtract_multiple(factor, &at(j, j) + 1, &at(j, k) + 1, n_ - j - 1);
      }
      ++rank_;
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
    for (int i = 0; i < n_; ++i) {
      const int mine = row_[index(i)];
      work[i] = i < rank_ ? W(b[mine] / sizes_[index(mine)]) : W(0);
    }
    for (int j = 0; j < rank_; ++j)
      detail::subtract_multiple(work[j], &at(j, j) + 1, work + j + 1, rank_ - j - 1);
    solve_upper(work);
    for (int i = 0; i < n_; ++i) {
      const int mine = column_[index(i)];
      b[mine] = work[i] / sizes_[index(n_ + mine)];
    }
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
      detail::subtract_multiple(x[j], &at(0, j), x, j);
    }
  }
  /// Each entry by the size of its row times that of its column, in the order that was told.
  [[gnu::cold, gnu::noinline]] void divide_by_sizes(const W* row_sizes, const W* column_sizes) {
    W *const of_row = sizes_.data(), *const of_column = of_row + n_;
    for (int i = 0; i < n_; ++i) {
      row_[index(i)] = column_[index(i)] = i;
      of_row[i] = row_sizes ? row_sizes[i] : W(1);
      of_column[i] = column_sizes && !symmetric() ? column_sizes[i] : of_row[i];
    }
    for (int k = 0; k < n_; ++k)
      for (int i = symmetric() ? k : 0; i < n_; ++i) {
        at(i, k) /= of_row[i] * of_column[k];
        if (symmetric()) at(k, i) = at(i, k);
      }
  }
  /// v ← what takes row d of those in their order away, by the rows before it that have pivots.
  void take_row(int d) {
    room_.assign(index(n_), W(0));
    for (int j = rank_ - 1; j >= 0; --j) {
      room_[index(j)] = -at(d, j);
      for (int i = j + 1; i < rank_; ++i) room_[index(j)] -= at(i, j) * room_[index(i)];
    }
    room_[index(d)] = W(1);
  }
  /// v ← what takes column d away.
  void take_column(int d) {
    room_.assign(index(n_), W(0));
    for (int i = 0; i < rank_; ++i) room_[index(i)] = -at(i, d);
    solve_upper(room_.data());
    room_[index(d)] = W(1);
  }
  /// What rounding may leave of an entry, as a part of the terms that entries are sums of.
  [[gnu::cold, gnu::noinline]] W rounding(int row, int column) {
    const auto square = [this] { return product(room_.data(), room_.data(), n_); };
    take_row(row);
    const W of_row = square();
    if (symmetric()) return pivot_rounding<S>(0) * of_row;
    take_column(column);
    return pivot_rounding<S>(0) * number::sqrt(of_row * square());
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
    for (int d = rank_; d < n_; ++d) {
      take_row(d);
      put(row_, 0, across_);
      if (symmetric()) continue;
      take_column(d);
      put(column_, n_, along_);
    }
  }
  /// What takes away a row, or column, of those in this order, whose sizes begin there.
  void put(const std::vector<int>& order, int first, NullSpace<W>& to) const {
    std::vector<W>& mine = to.add();
    for (int i = 0; i < n_; ++i)
      mine[index(order[index(i)])] = room_[index(i)] / sizes_[index(first + order[index(i)])];
    to.finish(to.count() - 1);
  }

  int n_ = 0, rank_ = 0;
  bool symmetric_ = false;
  W smallest_{};
  std::vector<W> g_, room_;        // column by column: L and U, of what is divided by the sizes
  std::vector<W> sizes_;           // of rows, then of columns
  std::vector<int> row_, column_;  // of G, in the order of the pivots
  NullSpace<W> across_, along_;    // the null vectors of Gᵀ, and of G
};

}  // namespace dalembert::linalg
