#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/small_solve.hpp>

/// The inverse of the symmetric, positive definite system of one constraint alone, in closed form for up to
/// three rows.
namespace dalembert::linalg {

/// Of N rows; 0 where there is none.
template <class S, int N>
struct SmallInverse {
  S entry[N * (N + 1) / 2 + (N == 0)] = {};  ///< (0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)

  /// Where entry (i, j) is in `entry`.
  [[nodiscard]] static constexpr int at(int i, int j) noexcept {
    return i >= j ? i * (i + 1) / 2 + j : at(j, i);
  }
  /// From the lower half of a matrix, laid out as `entry` is. False where rows nearly depend on each other:
  /// then it is worth nothing.
  [[nodiscard]] bool set(const S (&g)[N * (N + 1) / 2 + (N == 0)]) noexcept {
    // of a float there is little left where digits cancel
    constexpr double least = std::max(1e-6, 8192 * static_cast<double>(std::numeric_limits<S>::epsilon()));
    const S small = static_cast<S>(least);
    if constexpr (N == 1) {
      entry[0] = S(1) / g[0];
      return g[0] > S(0);
    } else if constexpr (N == 2) {
      const S det = g[0] * g[2] - g[1] * g[1], in = S(1) / det;
      entry[0] = g[2] * in;
      entry[1] = -g[1] * in;
      entry[2] = g[0] * in;
      return det > small * g[0] * g[2];
    } else if constexpr (N == 3) {
      const S a = g[2] * g[5] - g[4] * g[4], b = g[4] * g[3] - g[1] * g[5], c = g[1] * g[4] - g[2] * g[3];
      const S det = g[0] * a + g[1] * b + g[3] * c, in = S(1) / det;
      entry[0] = a * in;
      entry[1] = b * in;
      entry[2] = (g[0] * g[5] - g[3] * g[3]) * in;
      entry[3] = c * in;
      entry[4] = (g[1] * g[3] - g[0] * g[4]) * in;
      entry[5] = (g[0] * g[2] - g[1] * g[1]) * in;
      return det > small * g[0] * g[2] * g[5];
    }
    return false;
  }
  /// Times −b.
  [[nodiscard]] Vec<S, N> negative_times(const Vec<S, N>& b) const noexcept {
    Vec<S, N> x;
    for (int i = 0; i < N; ++i) {
      S sum(0);
      for (int j = 0; j < N; ++j) sum -= entry[at(i, j)] * b[j];
      x[i] = sum;
    }
    return x;
  }
};

/// (CCᵀ)⁻¹C, the transpose of the pseudo-inverse of C.
template <class S, int P, int R>
void find_pseudo_inverse(const Mat<S, P, R>& along, Mat<S, P, R>& out) {
  out = along;
  (void)solve_columns(dalembert::detail::times(along, dalembert::detail::transposed(along)), out);
}

}  // namespace dalembert::linalg
