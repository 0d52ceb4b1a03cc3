#pragma once

#include <limits>
#include <type_traits>

#include <dalembert/core/number.hpp>

/// What decompositions of singular matrices share: which pivots are rounding, and least squares with their
/// factors.
namespace dalembert::assembly::detail {

/// What products of numbers of type S are summed in.
template <class S>
using Wide = std::conditional_t<std::is_same_v<S, float>, double, S>;

/// The part of the largest entry that rounding leaves of a pivot that would be zero, after so many products
/// that were summed in `Wide<S>`. Rows are known to rounding in S, far from the origin to some hundred times
/// as much: a row that follows from others leaves the square of that.
template <class S>
[[nodiscard]] Wide<S> pivot_rounding(int products) noexcept {
  using W = Wide<S>;
  const W rows = W(1024) * W(std::numeric_limits<S>::epsilon());
  return W(8) * W(products + 4) * std::numeric_limits<W>::epsilon() + rows * rows;
}

/// An n×r matrix K with ones on its diagonal and zeros above, whose other entries, in `entry`, are at most
/// about 1, so that KᵀK is far from singular. Entry (i, j) lies at i·down + j·right.
template <class W>
class Trapezoid {
 public:
  Trapezoid() = default;
  /// Decompose KᵀK by Cholesky's method into `gram`, room for r² numbers.
  Trapezoid(const W* entry, int down, int right, int n, int r, W* gram)
      : entry_(entry), gram_(gram), down_(down), right_(right), n_(n), r_(r) {
    for (int j = 0; j < r; ++j)
      for (int i = j; i < r; ++i) {
        g(i, j) = W(0);
        for (int k = i; k < n; ++k) g(i, j) += at(k, i) * at(k, j);
      }
    for (int j = 0; j < r; ++j) {
      const W root = number::sqrt(g(j, j));
      for (int i = j; i < r; ++i) g(i, j) /= root;
      for (int k = j + 1; k < r; ++k)
        for (int i = k; i < r; ++i) g(i, k) -= g(i, j) * g(k, j);
    }
  }

  /// y = (KᵀK)⁻¹Kᵀb: K y is what of b lies in the range of K.
  void fit(const W* b, W* y) const {
    for (int j = 0; j < r_; ++j) {
      y[j] = W(0);
      for (int i = j; i < n_; ++i) y[j] += at(i, j) * b[i];
    }
    solve(y);
  }
  /// x = K(KᵀK)⁻¹y, the shortest x with Kᵀx = y; y becomes (KᵀK)⁻¹y.
  void lift(W* y, W* x) const {
    solve(y);
    for (int i = 0; i < n_; ++i) x[i] = times(y, i);
  }
  /// Entry i of K y.
  [[nodiscard]] W times(const W* y, int i) const {
    W sum(0);
    for (int j = 0; j < r_ && j <= i; ++j) sum += at(i, j) * y[j];
    return sum;
  }

 private:
  [[nodiscard]] W at(int i, int j) const { return i == j ? W(1) : entry_[i * down_ + j * right_]; }
  [[nodiscard]] W& g(int i, int j) const { return gram_[j * r_ + i]; }
  /// y ← (KᵀK)⁻¹y.
  void solve(W* y) const {
    for (int j = 0; j < r_; ++j) {
      y[j] /= g(j, j);
      for (int i = j + 1; i < r_; ++i) y[i] -= g(i, j) * y[j];
    }
    for (int j = r_ - 1; j >= 0; --j) {
      for (int i = j + 1; i < r_; ++i) y[j] -= g(i, j) * y[i];
      y[j] /= g(j, j);
    }
  }

  const W* entry_ = nullptr;
  W* gram_ = nullptr;
  int down_ = 0, right_ = 0, n_ = 0, r_ = 0;
};

}  // namespace dalembert::assembly::detail
