#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/detail/elimination.hpp>

/// LU decomposition of a matrix whose entries lie near its diagonal, with the largest pivot of each column: n
/// rows of a band of b entries take n b² multiplications. Its numbers may be complex. Source: Golub & Van
/// Loan 1996, section 4.3.5.
namespace dalembert::linalg {

/// Of n rows; entry (i, j) may be other than zero for −lower ≤ j − i ≤ upper.
template <class S = double>
class BandLU {
  [[nodiscard]] static auto magnitude(const S& x) {
    using std::abs;
    return abs(x);
  }
  using Real = decltype(magnitude(std::declval<S>()));

 public:
  /// Room for such a matrix, all zero.
  void start(std::size_t n, std::size_t lower, std::size_t upper) {
    n_ = n;
    lower_ = lower;
    width_ = 2 * lower + upper + 1;  // exchanged rows reach farther to the right
    entries_.assign(n * width_, S(0));
    order_.resize(n);
    ends_.resize(n);
    for (std::size_t i = 0; i < n; ++i) ends_[i] = std::min(n, i + upper + 1);
  }
  /// Entry (i, j), within the band.
  [[nodiscard]] const S& at(std::size_t i, std::size_t j) const noexcept {
    return entries_[i * width_ + (j + lower_ - i)];
  }
  /// The same, to be written.
  [[nodiscard]] S& at(std::size_t i, std::size_t j) noexcept {
    return entries_[i * width_ + (j + lower_ - i)];
  }

  /// Decompose. False where a column has no pivot of more than `least` rounding units.
  [[nodiscard, gnu::noinline]] bool decompose(const Real& least = std::numeric_limits<Real>::epsilon()) {
    sign_ = 1;
    for (std::size_t j = 0; j < n_; ++j) {
      const std::size_t last = std::min(n_ - 1, j + lower_);
      std::size_t pivot = j;
      for (std::size_t i = j + 1; i <= last; ++i)
        if (magnitude(at(i, j)) > magnitude(at(pivot, j))) pivot = i;
      order_[j] = pivot;
      if (!(magnitude(at(pivot, j)) > least * std::numeric_limits<Real>::epsilon())) {
        lost_ = j;
        return false;
      }
      S* const row = &at(j, j);
      if (pivot != j) {
        std::swap(ends_[pivot], ends_[j]);
        std::swap_ranges(row, row + (std::max(ends_[pivot], ends_[j]) - j), &at(pivot, j));
      }
      const std::size_t count = ends_[j] - j;
      const S inverse = S(1) / row[0];
      if constexpr (std::totally_ordered<S>)
        if ((pivot != j) != (row[0] < S(0))) sign_ = -sign_;
      for (std::size_t i = j + 1; i <= last; ++i) {
        S* const other = &at(i, j);
        if (number::is_zero(other[0])) continue;
        const S factor = other[0] * inverse;
        other[0] = factor;
        detail::subtract_multiple(factor, row + 1, other + 1, count - 1);
        ends_[i] = std::max(ends_[i], ends_[j]);
      }
    }
    return true;
  }
  /// The column that had none.
  [[nodiscard]] std::size_t lost() const noexcept { return lost_; }
  /// Of the determinant of the matrix that was decomposed: 1 or −1. Of real matrices.
  [[nodiscard]] int sign() const noexcept { return sign_; }
  /// Eliminate without exchanges, in the order of the rows, and count the negative pivots: of a symmetric
  /// matrix, whose rows and columns may be multiplied by any positive numbers, that many eigenvalues are
  /// negative (Sylvester's law of inertia). Overwrites the matrix.
  [[nodiscard, gnu::noinline]] std::size_t count_negative() {
    std::size_t count = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      const std::size_t last = std::min(n_ - 1, j + lower_), end = std::min(n_, j + width_ - 2 * lower_);
      S* const row = &at(j, j);
      S& pivot = row[0];
      if (pivot == S(0)) pivot = std::numeric_limits<S>::epsilon() * std::numeric_limits<S>::epsilon();
      if (pivot < S(0)) ++count;
      for (std::size_t i = j + 1; i <= last; ++i) {
        S* const other = &at(i, j);
        if (number::is_zero(other[0])) continue;
        const S factor = other[0] / pivot;
        detail::subtract_multiple(factor, row + 1, other + 1, end - j - 1);
      }
    }
    return count;
  }
  /// b ← the solution.
  void solve(S* b) const {
    for (std::size_t j = 0; j < n_; ++j) {
      std::swap(b[j], b[order_[j]]);
      const std::size_t last = std::min(n_ - 1, j + lower_);
      for (std::size_t i = j + 1; i <= last; ++i) b[i] -= at(i, j) * b[j];
    }
    for (std::size_t j = n_; j-- > 0;) {
      S sum = b[j];
      for (std::size_t k = j + 1; k < ends_[j]; ++k) sum -= at(j, k) * b[k];
      b[j] = sum / at(j, j);
    }
  }

 private:
  std::size_t n_ = 0, lower_ = 0, width_ = 0, lost_ = 0;
  int sign_ = 1;
  std::vector<S> entries_;
  std::vector<std::size_t> order_, ends_;  // row exchanged with each, where its entries end
};

}  // namespace dalembert::linalg
