#pragma once

#include <algorithm>
#include <utility>

#include <dalembert/assembly/detail/trapezoid.hpp>
#include <dalembert/core/number.hpp>

/// Solves systems that belong to one cluster of constraints: dense, of any size, symmetric and possibly
/// singular.
namespace dalembert::assembly::detail {

/// K D² Kᵀ = G by Cholesky's method with the largest pivot first, for a symmetric, positive semidefinite G of
/// unit diagonal, made of rows of numbers of type S; K is n×r in the order of the pivots, with ones on its
/// diagonal, r the rank. The solution of G x = b that has the least norm, and what is left of b where there
/// is none.
///   r = n: K y = b, Kᵀ x = D⁻²y      r < n: x = K (KᵀK)⁻¹D⁻²(KᵀK)⁻¹Kᵀ b, left b − K (KᵀK)⁻¹ Kᵀ b                  (1)
template <class S>
class Semidefinite {
 public:
  using W = Wide<S>;  ///< the number type of G

  /// Decompose the n×n matrix in `g`, column by column, which is overwritten. `small` and `order` hold n² and
  /// n numbers. A pivot that may be rounding is none.
  void decompose(W* g, int n, W* small, int* order) {
    g_ = g;
    n_ = n;
    order_ = order;
    rank_ = 0;
    for (int i = 0; i < n; ++i) order[i] = i;
    W largest(0);
    for (int i = 0; i < n; ++i) largest = std::max(largest, at(i, i));
    smallest_ = W(1);
    for (int j = 0; j < n; ++j) {
      int pivot = j;
      for (int i = j + 1; i < n; ++i)
        if (at(i, i) > at(pivot, pivot)) pivot = i;
      if (!(at(pivot, pivot) > pivot_rounding<S>(j) * largest)) break;
      smallest_ = std::min(smallest_, W(at(pivot, pivot) / largest));
      exchange(j, pivot);
      const W root = number::sqrt(at(j, j));
      at(j, j) = root;
      for (int i = j + 1; i < n; ++i) at(i, j) /= root;
      for (int k = j + 1; k < n; ++k) {
        const W factor = at(k, j);
        for (int i = k; i < n; ++i) at(i, k) -= at(i, j) * factor;
      }
      ++rank_;
      for (int i = j + 1; i < n; ++i)
        if (!(at(i, i) > pivot_rounding<S>(j + 1) * largest)) finish(i, j + 1);
    }
    if (rank_ == n_) return;
    for (int j = 0; j < rank_; ++j)
      for (int i = j + 1; i < n_; ++i) at(i, j) /= at(j, j);
    factor_ = {g_, 1, n_, n_, rank_, small};
  }

  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// The smallest pivot over the largest entry.
  [[nodiscard]] W smallest() const noexcept { return smallest_; }

  /// x = G⁺ b, in place; `left` gets b − G x. `work` holds n numbers.
  void solve(W* b, W* left, W* work) const {
    for (int i = 0; i < n_; ++i) work[i] = b[order_[i]];
    if (rank_ == n_) {
      for (int j = 0; j < n_; ++j) {
        work[j] /= at(j, j);
        for (int i = j + 1; i < n_; ++i) work[i] -= at(i, j) * work[j];
      }
      for (int j = n_ - 1; j >= 0; --j) {
        for (int i = j + 1; i < n_; ++i) work[j] -= at(i, j) * work[i];
        work[j] /= at(j, j);
      }
      for (int i = 0; i < n_; ++i) {
        b[order_[i]] = work[i];
        left[i] = W(0);
      }
      return;
    }
    W* y = left;  // r numbers
    factor_.fit(work, y);
    for (int i = 0; i < n_; ++i) b[i] = work[i] - factor_.times(y, i);
    for (int j = 0; j < rank_; ++j) y[j] /= at(j, j) * at(j, j);
    factor_.lift(y, work);
    for (int i = 0; i < n_; ++i) left[order_[i]] = b[i];
    for (int i = 0; i < n_; ++i) b[order_[i]] = work[i];
  }

 private:
  [[nodiscard]] W& at(int i, int j) const noexcept { return g_[j * n_ + i]; }

  /// A row that follows from those before it couples with no more of them: what is left of it is rounding,
  /// which grows where later pivots are small.
  void finish(int i, int from) {
    for (int k = from; k <= i; ++k) at(i, k) = W(0);
    for (int k = i + 1; k < n_; ++k) at(k, i) = W(0);
  }
  /// Exchange rows and columns of what is left of G, of which the lower half is kept.
  void exchange(int a, int b) {
    if (a == b) return;
    std::swap(order_[a], order_[b]);
    for (int j = 0; j < a; ++j) std::swap(at(a, j), at(b, j));
    for (int i = a + 1; i < b; ++i) std::swap(at(i, a), at(b, i));
    for (int i = b + 1; i < n_; ++i) std::swap(at(i, a), at(i, b));
    std::swap(at(a, a), at(b, b));
  }

  W* g_ = nullptr;
  int* order_ = nullptr;
  int n_ = 0;
  int rank_ = 0;
  W smallest_{};
  Trapezoid<W> factor_;  // K, where r < n
};

}  // namespace dalembert::assembly::detail
