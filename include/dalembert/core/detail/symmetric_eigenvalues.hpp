#pragma once

#include <cmath>
#include <limits>

#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/real.hpp>

namespace dalembert::detail {

/// The eigenvalues of a small symmetric matrix, the smallest first, each to a few rounding units of the
/// largest: Jacobi's rotations, as plain loops. Those of a matrix with an entry that is no number are none.
template <PlainReal S, int N>
[[nodiscard]] Vec<S, N> symmetric_eigenvalues(Mat<S, N> a) {
  for (int sweep = 0; sweep < 30; ++sweep) {
    S off(0), on(0);
    for (int j = 0; j < N; ++j)
      for (int i = 0; i <= j; ++i) (i < j ? off : on) += a(i, j) * a(i, j);
    if (!(off + on >= 0)) return Vec<S, N>::Constant(std::numeric_limits<S>::quiet_NaN());
    if (off <= on * std::numeric_limits<S>::epsilon() * std::numeric_limits<S>::epsilon()) break;
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) {
        if (a(p, q) == S(0)) continue;
        // the angle, at most an eighth of a turn, that makes entry (p, q) zero
        const S slope = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const S t = (slope < 0 ? S(-1) : S(1)) / (std::abs(slope) + std::hypot(S(1), slope));
        const S c = 1 / std::sqrt(1 + t * t), s = t * c;
        for (int i = 0; i < N; ++i) {
          const S x = a(i, p), y = a(i, q);
          a(i, p) = c * x - s * y;
          a(i, q) = s * x + c * y;
        }
        for (int i = 0; i < N; ++i) {
          const S x = a(p, i), y = a(q, i);
          a(p, i) = c * x - s * y;
          a(q, i) = s * x + c * y;
        }
      }
  }
  Vec<S, N> found;
  for (int i = 0; i < N; ++i) found[i] = a(i, i);
  dalembert::detail::heap_sort(found.data(), found.data() + N);
  return found;
}

}  // namespace dalembert::detail
