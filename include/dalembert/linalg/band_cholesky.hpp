#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

/// L D Lᵀ of a symmetric, positive definite matrix whose entries lie near its diagonal: n rows of a band of
/// b entries on each side take n b²/2 multiplications. Source: Golub & Van Loan 1996, sections 4.1.2 and
/// 4.3.5.
namespace dalembert::linalg {

/// Of n rows; entry (i, j) may be other than zero for |j − i| < reach.
template <class S = double>
class BandCholesky {
 public:
  /// Room for such a matrix, all zero.
  void start(std::size_t n, std::size_t reach) {
    n_ = n;
    reach_ = reach;
    entries_.assign(n * reach, S(0));
  }
  /// Entries (i, j) and (j, i), within the band.
  [[nodiscard]] S& at(std::size_t i, std::size_t j) noexcept {
    return entries_[std::min(i, j) * reach_ + (i < j ? j - i : i - j)];
  }

  /// Decompose. False where a pivot is not positive.
  [[nodiscard, gnu::noinline]] bool decompose() {
    for (std::size_t j = 0; j < n_; ++j) {
      const S* const row = &entries_[j * reach_];
      if (!(row[0] > S(0))) return false;
      const S inverse = S(1) / row[0];
      const std::size_t count = std::min(reach_, n_ - j);
      for (std::size_t i = 1; i < count; ++i) {
        const S factor = row[i] * inverse;
        if (factor == S(0)) continue;
        S* const other = &entries_[(j + i) * reach_];
        for (std::size_t k = i; k < count; ++k) other[k - i] -= factor * row[k];
      }
    }
    return true;
  }
  /// b ← the solution.
  void solve(S* b) const {
    for (std::size_t j = 0; j < n_; ++j) {
      const S* const row = &entries_[j * reach_];
      const std::size_t count = std::min(reach_, n_ - j);
      const S by = b[j] / row[0];
      for (std::size_t k = 1; k < count; ++k) b[j + k] -= row[k] * by;
    }
    for (std::size_t j = n_; j-- > 0;) {
      const S* const row = &entries_[j * reach_];
      const std::size_t count = std::min(reach_, n_ - j);
      S sum = b[j];
      for (std::size_t k = 1; k < count; ++k) sum -= row[k] * b[j + k];
      b[j] = sum / row[0];
    }
  }

 private:
  std::size_t n_ = 0, reach_ = 0;
  std::vector<S> entries_;  // from the diagonal on, row after row
};

}  // namespace dalembert::linalg
