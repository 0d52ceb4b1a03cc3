#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dalembert/core/number.hpp>

/// LU decomposition with row pivots of a square matrix of any size, column by column in memory.
namespace dalembert::assembly::detail {

/// P G = L U. A pivot below `threshold` times the largest entry ends the decomposition; the rank tells.
template <class S>
class General {
 public:
  static constexpr S threshold = S(4096) * std::numeric_limits<S>::epsilon();

  /// Decompose the n×n matrix in `g`, which is overwritten; `order` holds n numbers.
  void decompose(S* g, int n, int* order) {
    g_ = g;
    n_ = n;
    order_ = order;
    rank_ = 0;
    S largest(0);
    for (int i = 0; i < n * n; ++i) largest = std::max(largest, number::abs(g[i]));
    for (int j = 0; j < n; ++j) {
      int pivot = j;
      for (int i = j + 1; i < n; ++i)
        if (number::abs(at(i, j)) > number::abs(at(pivot, j))) pivot = i;
      order[j] = pivot;
      if (!(number::abs(at(pivot, j)) > threshold * largest)) return;
      if (pivot != j)
        for (int k = 0; k < n; ++k) std::swap(at(j, k), at(pivot, k));
      for (int i = j + 1; i < n; ++i) at(i, j) /= at(j, j);
      for (int k = j + 1; k < n; ++k)
        for (int i = j + 1; i < n; ++i) at(i, k) -= at(i, j) * at(j, k);
      ++rank_;
    }
  }

  [[nodiscard]] int rank() const noexcept { return rank_; }

  /// b ← G⁻¹ b where the rank is full; else b is left as it is, and all of it is left over.
  void solve(S* b, S* left, S*) const {
    for (int i = 0; i < n_; ++i) left[i] = rank_ == n_ ? S(0) : b[i];
    if (rank_ < n_) return;
    for (int j = 0; j < n_; ++j) std::swap(b[j], b[order_[j]]);
    for (int j = 0; j < n_; ++j)
      for (int i = j + 1; i < n_; ++i) b[i] -= at(i, j) * b[j];
    for (int j = n_ - 1; j >= 0; --j) {
      b[j] /= at(j, j);
      for (int i = 0; i < j; ++i) b[i] -= at(i, j) * b[j];
    }
  }

 private:
  [[nodiscard]] S& at(int i, int j) const noexcept { return g_[j * n_ + i]; }

  S* g_ = nullptr;
  int* order_ = nullptr;
  int n_ = 0;
  int rank_ = 0;
};

}  // namespace dalembert::assembly::detail
