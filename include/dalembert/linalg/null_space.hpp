#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/linalg/detail/elimination.hpp>

/// What decompositions of singular matrices share: which pivots are rounding, and null spaces.
namespace dalembert::linalg {

/// What products of numbers of type S are summed in.
template <class S = double>
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

/// a·b, in sums that a processor makes side by side where they are long.
template <class W>
[[nodiscard, gnu::noinline]] W product(const W* a, const W* b, int n) noexcept {
  constexpr int lanes = 4;
  W rest(0);
  int i = 0;
  if (n >= 2 * lanes) {
    W sums[lanes] = {};
    for (; i + lanes <= n; i += lanes)
      for (int k = 0; k < lanes; ++k) sums[k] += a[i + k] * b[i + k];
    for (const W& sum : sums) rest += sum;
  }
  for (; i < n; ++i) rest += a[i] * b[i];
  return rest;
}

/// A basis of the null vectors of a matrix, and P = 1 − N (NᵀN)⁻¹Nᵀ, which takes their part away.
template <class W>
class NullSpace {
 public:
  /// None, of vectors of n numbers.
  void clear(int n) noexcept {
    n_ = n;
    count_ = 0;
  }
  /// How many there are.
  [[nodiscard]] int count() const noexcept { return count_; }
  /// One more, zero until it is found. Allocates where there were never as many.
  [[gnu::noinline]] std::vector<W>& add() {
    const auto last = static_cast<std::size_t>(count_++);
    if (basis_.size() == last) basis_.emplace_back();
    basis_[last].assign(static_cast<std::size_t>(n_), W(0));
    return basis_[last];
  }
  /// Vector d.
  [[nodiscard]] std::vector<W>& operator[](int d) noexcept { return basis_[static_cast<std::size_t>(d)]; }
  /// Vector d was found: it is put at right angles to those before it, with length 1.
  [[gnu::noinline]] void finish(int d) {
    std::vector<W>& v = (*this)[d];
    for (int twice = 0; twice < 2; ++twice) project(v.data(), d);
    const W scale = W(1) / number::sqrt(product(v.data(), v.data(), n_));
    for (W& x : v) x *= scale;
  }
  /// x ← P x.
  void project(W* x) const { project(x, count_); }

 private:
  [[gnu::noinline]] void project(W* x, int count) const {
    for (int d = 0; d < count; ++d) {
      const W* const unit = basis_[static_cast<std::size_t>(d)].data();
      const W share = product(unit, static_cast<const W*>(x), n_);
      detail::subtract_multiple(share, unit, x, n_);
    }
  }

  int n_ = 0, count_ = 0;
  std::vector<std::vector<W>> basis_;
};

}  // namespace dalembert::linalg
