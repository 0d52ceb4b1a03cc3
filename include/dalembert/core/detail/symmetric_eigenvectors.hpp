#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include <dalembert/core/detail/heap_sort.hpp>

namespace dalembert::detail {

/// The eigenvalues of a symmetric matrix of any size, and its orthonormal eigenvectors.
template <class S>
struct SymmetricEigenvectors {
  std::vector<S> values;   ///< the smallest first
  std::vector<S> vectors;  ///< entry i of vector j is vectors[j n + i]

  /// Of the matrix with entry (i, j) = a[j n + i], by Jacobi's rotations, each to a few rounding units of the
  /// largest. Entries that are no numbers stay so. Source: Golub & Van Loan 1996, section 8.4.
  SymmetricEigenvectors(std::vector<S> a, std::size_t n) {
    std::vector<S> v(n * n, S(0));
    for (std::size_t i = 0; i < n; ++i) v[i * n + i] = S(1);
    const auto turn = [](S* x, S* y, std::size_t count, std::size_t stride, S c, S s) {
      for (std::size_t i = 0; i < count; ++i, x += stride, y += stride) {
        const S old = *x;
        *x = c * old - s * *y;
        *y = s * old + c * *y;
      }
    };
    for (int sweep = 0; sweep < 40; ++sweep) {
      S off(0), on(0);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i <= j; ++i) (i < j ? off : on) += a[j * n + i] * a[j * n + i];
      if (!(off > on * std::numeric_limits<S>::epsilon() * std::numeric_limits<S>::epsilon())) break;
      for (std::size_t p = 0; p < n; ++p)
        for (std::size_t q = p + 1; q < n; ++q) {
          const S between = a[q * n + p];
          if (between == S(0)) continue;
          const S slope = (a[q * n + q] - a[p * n + p]) / (2 * between);
          const S t = (slope < 0 ? S(-1) : S(1)) / (std::abs(slope) + std::hypot(S(1), slope));
          const S c = 1 / std::sqrt(1 + t * t), s = t * c;
          turn(&a[p * n], &a[q * n], n, 1, c, s);  // columns, then rows
          turn(&a[p], &a[q], n, n, c, s);
          turn(&v[p * n], &v[q * n], n, 1, c, s);
        }
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    dalembert::detail::heap_sort(order.begin(), order.end(),
                                 [&](std::size_t i, std::size_t j) { return a[i * n + i] < a[j * n + j]; });
    vectors.resize(n * n);
    for (std::size_t j = 0; j < n; ++j) {
      values.push_back(a[order[j] * n + order[j]]);
      std::copy_n(v.begin() + static_cast<std::ptrdiff_t>(order[j] * n), n,
                  vectors.begin() + static_cast<std::ptrdiff_t>(j * n));
    }
  }
};

}  // namespace dalembert::detail
