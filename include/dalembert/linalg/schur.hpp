#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/real.hpp>

namespace dalembert::linalg {

/// The Schur form A = Z T Zᴴ of a matrix that is complex or real and symmetric, T upper triangular, and its
/// eigenvectors: Householder's reduction to Hessenberg form, then QR steps with Wilkinson's shift by Givens's
/// rotations. Entry (i, j) of a matrix is a[j n + i]. Source: Golub & Van Loan 1996, sections 7.4, 7.5, 8.3.
template <class C>
class Schur {
 public:
  using S = typename Eigen::NumTraits<C>::Real;  ///< of magnitudes
  using Matrix = std::vector<C>;                 ///< column after column

  /// Of an n×n matrix. Where it has an entry that is no number, `converged()` is false.
  Schur(Matrix a, std::size_t n) : n_(n), t_(std::move(a)), z_(n * n, C(0)) {
    for (std::size_t i = 0; i < n; ++i) z_[i * n + i] = C(1);
    make_hessenberg();
    make_triangular();
  }

  /// Whether all eigenvalues were found.
  [[nodiscard]] bool converged() const noexcept { return converged_; }
  /// Eigenvalue j.
  [[nodiscard]] C value(std::size_t j) const { return t_[j * n_ + j]; }
  /// Eigenvector j, of length 1; those of a symmetric matrix are at right angles.
  [[nodiscard]] std::vector<C> vector(std::size_t j) const {
    std::vector<C> y(j + 1, C(0)), x(n_, C(0));
    y[j] = C(1);
    if constexpr (!std::is_same_v<S, C>) substitute_back(j, y);
    S square(0);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t m = 0; m <= j; ++m) x[i] += z_[m * n_ + i] * y[m];
      square += std::norm(x[i]);
    }
    for (C& one : x) one /= std::sqrt(square);
    return x;
  }

 private:
  [[nodiscard]] C& t(std::size_t i, std::size_t j) { return t_[j * n_ + i]; }
  [[nodiscard]] const C& t(std::size_t i, std::size_t j) const { return t_[j * n_ + i]; }
  [[nodiscard]] static C conj(const C& x) { return Eigen::numext::conj(x); }

  /// T y = value(j) y.
  void substitute_back(std::size_t j, std::vector<C>& y) const {
    S size(0);
    for (const C& x : t_) size = std::max(size, std::abs(x));
    const S least = std::numeric_limits<S>::epsilon() * size;
    for (std::size_t i = j; i-- > 0;) {
      C sum(0);
      for (std::size_t m = i + 1; m <= j; ++m) sum -= t(i, m) * y[m];
      C apart = value(i) - value(j);
      if (!(std::abs(apart) > least)) apart = C(least);
      y[i] = sum / apart;
    }
  }

  void make_hessenberg() {
    std::vector<C> v(n_);
    for (std::size_t k = 0; k + 2 < n_; ++k) {
      S square(0);
      for (std::size_t i = k + 1; i < n_; ++i) square += std::norm(v[i] = t(i, k));
      if (!(square > S(0))) continue;
      const S length = std::sqrt(square), head = std::abs(v[k + 1]);
      v[k + 1] += head > S(0) ? v[k + 1] / head * length : C(length);
      const S twice = 1 / (square + length * head);  // 2/|v|²
      for (std::size_t j = k; j < n_; ++j) {
        C sum(0);
        for (std::size_t i = k + 1; i < n_; ++i) sum += conj(v[i]) * t(i, j);
        for (std::size_t i = k + 1; i < n_; ++i) t(i, j) -= twice * sum * v[i];
      }
      for (Matrix* m : {&t_, &z_})
        for (std::size_t i = 0; i < n_; ++i) {
          C sum(0);
          for (std::size_t j = k + 1; j < n_; ++j) sum += (*m)[j * n_ + i] * v[j];
          for (std::size_t j = k + 1; j < n_; ++j) (*m)[j * n_ + i] -= twice * sum * conj(v[j]);
        }
      for (std::size_t i = k + 2; i < n_; ++i) t(i, k) = C(0);
    }
  }

  /// Entries below the diagonal are zero beside their neighbours on it; of a symmetric matrix, which may have
  /// many eigenvalues that are zero, beside its largest.
  void make_triangular() {
    S largest(0);
    if constexpr (std::is_same_v<S, C>)
      for (const C& x : t_) largest = std::max(largest, std::abs(x));
    std::size_t last = n_;  // rows from here on are triangular
    int steps = 0;
    while (last > 1) {
      std::size_t first = last - 1;
      for (; first > 0; --first) {
        const S beside = std::abs(t(first, first)) + std::abs(t(first - 1, first - 1));
        const S size = std::max(beside, largest);
        if (std::abs(t(first, first - 1)) <= std::numeric_limits<S>::epsilon() * size) break;
      }
      if (first > 0) t(first, first - 1) = C(0);
      if (first == last - 1) {
        --last;
        steps = 0;
        continue;
      }
      if (++steps > 100) {
        converged_ = false;
        return;
      }
      step(first, last, steps % 11 == 10);
    }
  }
  /// The eigenvalue of the last 2×2 block that is nearer to its last entry, or something else to break a
  /// cycle.
  [[nodiscard]] C shift(std::size_t last, bool other) const {
    const C a = t(last - 2, last - 2), b = t(last - 2, last - 1), c = t(last - 1, last - 2),
            d = t(last - 1, last - 1);
    if (other) return d + C(std::abs(c));
    const C half = (a - d) / S(2);
    C square = half * half + b * c;
    if constexpr (std::is_same_v<S, C>) square = std::max(square, S(0));  // b = c but for rounding
    const C root = std::sqrt(square);
    const C divisor = std::abs(half + root) > std::abs(half - root) ? half + root : half - root;
    return divisor == C(0) ? d : d - b * c / divisor;
  }
  void step(std::size_t first, std::size_t last, bool other) {
    const C sigma = shift(last, other);
    for (std::size_t i = first; i < last; ++i) t(i, i) -= sigma;
    std::vector<std::pair<C, C>> rotations;
    for (std::size_t k = first; k + 1 < last; ++k) {
      const C x = t(k, k), y = t(k + 1, k);
      const S length = std::sqrt(std::norm(x) + std::norm(y));
      const C c = length > S(0) ? x / length : C(1), s = length > S(0) ? y / length : C(0);
      rotations.emplace_back(c, s);
      for (std::size_t j = k; j < n_; ++j) {
        const C above = t(k, j), below = t(k + 1, j);
        t(k, j) = conj(c) * above + conj(s) * below;
        t(k + 1, j) = c * below - s * above;
      }
    }
    for (std::size_t k = first; k + 1 < last; ++k) {
      const auto [c, s] = rotations[k - first];
      const auto turn = [&, c = c, s = s](Matrix& m, std::size_t end) {
        for (std::size_t i = 0; i < end; ++i) {
          const C left = m[k * n_ + i], right = m[(k + 1) * n_ + i];
          m[k * n_ + i] = left * c + right * s;
          m[(k + 1) * n_ + i] = right * conj(c) - left * conj(s);
        }
      };
      turn(t_, std::min(k + 2, last));
      turn(z_, n_);
    }
    for (std::size_t i = first; i < last; ++i) t(i, i) += sigma;
  }

  std::size_t n_;
  Matrix t_, z_;
  bool converged_ = true;
};

/// The eigenvalues of a symmetric matrix, the smallest first, each to a few rounding units of the largest.
/// Those of a matrix with an entry that is no number are none.
template <PlainReal S, int N>
[[nodiscard]] Vec<S, N> symmetric_eigenvalues(const Mat<S, N>& a) {
  const Schur<S> schur(std::vector<S>(a.data(), a.data() + a.size()), static_cast<std::size_t>(N));
  if (!schur.converged()) return Vec<S, N>::Constant(std::numeric_limits<S>::quiet_NaN());
  Vec<S, N> found;
  for (int i = 0; i < N; ++i) found[i] = schur.value(static_cast<std::size_t>(i));
  dalembert::detail::heap_sort(found.data(), found.data() + N);
  return found;
}

}  // namespace dalembert::linalg
