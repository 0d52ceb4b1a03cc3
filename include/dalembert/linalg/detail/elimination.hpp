#pragma once

#include <utility>

#include <dalembert/core/number.hpp>

/// What eliminations do with rows and columns, and inverses of small matrices, row by row in memory, by Gauss
/// and Jordan's method.
namespace dalembert::linalg::detail {

/// y ← y − a x, of n numbers each.
template <class A, class X, class Y, class Count>
[[gnu::always_inline]] inline void subtract_multiple(A a, const X* x, Y* y, Count n) noexcept {
  for (Count i = 0; i < n; ++i) y[i] -= a * x[i];
}

/// A step with the pivot at (row, column), in place, of n rows that begin `stride` numbers apart; false where
/// that is zero, or no number.
template <class S>
[[gnu::noinline]] bool eliminate(S* a, int n, int stride, int row, int column) noexcept {
  const S scale = S(1) / a[stride * row + column];
  a[stride * row + column] = S(1);
  for (int k = 0; k < n; ++k) a[stride * row + k] *= scale;
  for (int i = 0; i < n; ++i) {
    if (i == row) continue;
    const S factor = a[stride * i + column];
    a[stride * i + column] = S(0);
    subtract_multiple(factor, a + stride * row, a + stride * i, n);
  }
  return number::isfinite(scale);
}
/// a ← a⁻¹ with pivots by rows; false where one is zero, or no number.
template <class S>
[[nodiscard]] bool invert(S* a, int n, int stride) noexcept {
  int exchange[8];
  for (int j = 0; j < n; ++j) {
    int pivot = j;
    for (int i = j + 1; i < n; ++i)
      if (number::abs(a[stride * i + j]) > number::abs(a[stride * pivot + j])) pivot = i;
    exchange[j] = pivot;
    if (pivot != j)
      for (int k = 0; k < n; ++k) std::swap(a[stride * j + k], a[stride * pivot + k]);
    if (!eliminate(a, n, stride, j, j)) return false;
  }
  for (int j = n - 1; j >= 0; --j)
    if (exchange[j] != j)
      for (int i = 0; i < n; ++i) std::swap(a[stride * i + j], a[stride * i + exchange[j]]);
  return true;
}

}  // namespace dalembert::linalg::detail
