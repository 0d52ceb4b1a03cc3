#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/core/number.hpp>

/// Solves systems that belong to one cluster of constraints: dense, of any size, symmetric and possibly singular, or not symmetric.
namespace dalembert::assembly::detail {

/// K Kᵀ = G by Cholesky's method with the largest pivot first, for a symmetric, positive semidefinite G of unit diagonal; K is n×r in the
/// order of the pivots, r the rank. The solution of G x = b that has the least norm, and what is left of b where there is none.
///   r = n: K y = b, Kᵀ x = y      r < n: x = K (KᵀK)⁻² Kᵀ b, left b − K (KᵀK)⁻¹ Kᵀ b                                (1)
template <class S>
class Semidefinite {
 public:
  /// A pivot below this part of the largest is none.
  static constexpr S threshold = S(4096) * std::numeric_limits<S>::epsilon();

  /// Decompose the n×n matrix in `g`, column by column, which is overwritten. `small` and `order` hold n² and n numbers.
  void decompose(S* g, int n, S* small, int* order) {
    g_ = g;
    n_ = n;
    small_ = small;
    order_ = order;
    rank_ = 0;
    for (int i = 0; i < n; ++i) order[i] = i;
    S largest(0);
    for (int i = 0; i < n; ++i) largest = std::max(largest, at(i, i));
    for (int j = 0; j < n; ++j) {
      int pivot = j;
      for (int i = j + 1; i < n; ++i)
        if (at(i, i) > at(pivot, pivot)) pivot = i;
      if (!(at(pivot, pivot) > threshold * largest)) break;
      exchange(j, pivot);
      const S root = number::sqrt(at(j, j));
      at(j, j) = root;
      for (int i = j + 1; i < n; ++i) at(i, j) /= root;
      for (int k = j + 1; k < n; ++k) {
        const S factor = at(k, j);
        for (int i = k; i < n; ++i) at(i, k) -= at(i, j) * factor;
      }
      ++rank_;
    }
    if (rank_ < n_) decompose_small();
  }

  [[nodiscard]] int rank() const noexcept { return rank_; }

  /// x = G⁺ b, in place; `left` gets b − G x. `work` holds n numbers.
  void solve(S* b, S* left, S* work) const {
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
        left[i] = S(0);
      }
      return;
    }
    const auto times_k = [&](const S* y, int i) {
      S sum(0);
      for (int j = 0; j < std::min(i + 1, rank_); ++j) sum += at(i, j) * y[j];
      return sum;
    };
    S* y = left;  // r numbers
    for (int j = 0; j < rank_; ++j) {
      y[j] = S(0);
      for (int i = j; i < n_; ++i) y[j] += at(i, j) * work[i];
    }
    solve_small(y);  // (KᵀK)⁻¹Kᵀb
    for (int i = 0; i < n_; ++i) b[i] = work[i] - times_k(y, i);
    solve_small(y);
    for (int i = 0; i < n_; ++i) work[i] = times_k(y, i);
    for (int i = 0; i < n_; ++i) left[order_[i]] = b[i];
    for (int i = 0; i < n_; ++i) b[order_[i]] = work[i];
  }

 private:
  [[nodiscard]] S& at(int i, int j) const noexcept { return g_[j * n_ + i]; }
  [[nodiscard]] S& small(int i, int j) const noexcept { return small_[j * n_ + i]; }

  /// Exchange rows and columns of what is left of G, of which the lower half is kept.
  void exchange(int a, int b) {
    if (a == b) return;
    std::swap(order_[a], order_[b]);
    for (int j = 0; j < a; ++j) std::swap(at(a, j), at(b, j));
    for (int i = a + 1; i < b; ++i) std::swap(at(i, a), at(b, i));
    for (int i = b + 1; i < n_; ++i) std::swap(at(i, a), at(i, b));
    std::swap(at(a, a), at(b, b));
  }

  /// Cholesky of KᵀK.
  void decompose_small() {
    for (int j = 0; j < rank_; ++j)
      for (int i = j; i < rank_; ++i) {
        small(i, j) = S(0);
        for (int k = i; k < n_; ++k) small(i, j) += at(k, i) * at(k, j);
      }
    for (int j = 0; j < rank_; ++j) {
      const S root = number::sqrt(small(j, j));
      for (int i = j; i < rank_; ++i) small(i, j) /= root;
      for (int k = j + 1; k < rank_; ++k)
        for (int i = k; i < rank_; ++i) small(i, k) -= small(i, j) * small(k, j);
    }
  }
  void solve_small(S* y) const {
    for (int j = 0; j < rank_; ++j) {
      y[j] /= small(j, j);
      for (int i = j + 1; i < rank_; ++i) y[i] -= small(i, j) * y[j];
    }
    for (int j = rank_ - 1; j >= 0; --j) {
      for (int i = j + 1; i < rank_; ++i) y[j] -= small(i, j) * y[i];
      y[j] /= small(j, j);
    }
  }

  S* g_ = nullptr;
  S* small_ = nullptr;
  int* order_ = nullptr;
  int n_ = 0;
  int rank_ = 0;
};

}  // namespace dalembert::assembly::detail
