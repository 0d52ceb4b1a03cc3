#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <dalembert/core/detail/complex_schur.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/core/errors.hpp>

/// The eigenvectors of largest eigenvalue of any operator on complex vectors, known by what it does to one:
/// Arnoldi's method in blocks of six, which finds as many equal eigenvalues. Source: Saad 1992, Numerical
/// Methods for Large Eigenvalue Problems, chapter 6.
namespace dalembert::assembly::detail {

/// An eigenvalue θ and its vector x of length 1 in a metric, and |OP x − θ x|/|θ| there.
template <class S>
struct ArnoldiPair {
  std::complex<S> value;
  std::vector<std::complex<S>> vector;
  S residual;
};

/// The `count` pairs of largest |θ|, the largest first; fewer where `start` leads to no more. `apply(x)`
/// makes x ← OP x, `start(x)` makes numbers at random a vector of the space that the operator is for.
/// Throws NoConvergence.
template <class S, class Apply, class Start>
[[nodiscard]] std::vector<ArnoldiPair<S>> arnoldi(const Apply& apply, const Start& start,
                                                  const std::vector<S>& metric, std::size_t count,
                                                  std::size_t largest, S tolerance, double time) {
  using C = std::complex<S>;
  using Column = std::vector<C>;
  constexpr std::size_t block = 6;
  const std::size_t most = std::min(largest, metric.size()), stride = most + block;
  std::vector<Column> basis;
  std::vector<C> h(stride * stride, C(0));  // entry (i, j) at j stride + i
  const auto product = [&](const Column& a, const Column& b) {
    S real(0), imaginary(0);  // by hand: products of complex numbers look for infinities
    for (std::size_t i = 0; i < a.size(); ++i) {
      real += metric[i] * (a[i].real() * b[i].real() + a[i].imag() * b[i].imag());
      imaginary += metric[i] * (a[i].real() * b[i].imag() - a[i].imag() * b[i].real());
    }
    return C(real, imaginary);
  };
  const auto add = [](const C& factor, const Column& a, Column& x) {
    const S u = factor.real(), v = factor.imag();
    for (std::size_t i = 0; i < a.size(); ++i)
      x[i] += C(u * a[i].real() - v * a[i].imag(), u * a[i].imag() + v * a[i].real());
  };
  const auto append = [&](Column x, C* share, S loss) {
    const S before = std::sqrt(product(x, x).real());
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t i = 0; i < basis.size(); ++i) {
        const C along = product(basis[i], x);
        add(-along, basis[i], x);
        if (share) share[i] += along;
      }
    const S left = std::sqrt(product(x, x).real());
    if (!(left > loss * before)) return;
    for (C& one : x) one /= left;
    if (share) share[basis.size()] = left;
    basis.push_back(std::move(x));
  };
  std::uint64_t seed = 1;
  const auto random = [&] {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return static_cast<S>(seed >> 40) / S(1 << 23) - S(1);
  };
  for (std::size_t i = 0; i < block; ++i) {
    Column x(metric.size());
    for (C& one : x) one = C(random(), random());
    start(x);
    apply(x);
    append(std::move(x), nullptr, S(1e-8));
  }
  for (std::size_t k = 0;; ++k) {
    const bool whole = k == basis.size();
    if (whole || k == most || (k >= count + block && (k - count) % block == 0)) {
      std::vector<C> t(k * k);
      for (std::size_t j = 0; j < k; ++j)
        std::copy_n(h.begin() + static_cast<std::ptrdiff_t>(j * stride), k,
                    t.begin() + static_cast<std::ptrdiff_t>(j * k));
      const dalembert::detail::ComplexSchur<S> schur(std::move(t), k);
      std::vector<std::size_t> order(k);
      std::iota(order.begin(), order.end(), std::size_t(0));
      dalembert::detail::heap_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        return std::abs(schur.value(i)) > std::abs(schur.value(j));
      });
      std::vector<ArnoldiPair<S>> pairs;
      const S rounding =
          k > 0 ? S(1e3) * std::numeric_limits<S>::epsilon() * std::abs(schur.value(order[0])) : S(0);
      for (std::size_t i = 0; i < std::min(count, k); ++i) {
        const C value = schur.value(order[i]);
        const Column y = schur.vector(order[i]);
        S square(0);
        for (std::size_t row = k; row < basis.size(); ++row) {
          C sum(0);
          for (std::size_t j = 0; j < k; ++j) sum += h[j * stride + row] * y[j];
          square += std::norm(sum);
        }
        const S error = std::sqrt(square);
        if (!whole && !(error <= tolerance * std::abs(value) + rounding)) break;
        if (!(std::abs(value) > rounding)) break;
        Column x(metric.size(), C(0));
        for (std::size_t j = 0; j < k; ++j) add(y[j], basis[j], x);
        pairs.push_back({value, std::move(x), error / std::abs(value)});
      }
      if (schur.converged() && (whole || pairs.size() == count)) return pairs;
      if (k == most || !schur.converged())
        throw NoConvergence(message({"NoConvergence: ", count, " eigenvalues are not found in a space of ", k,
                                     " directions; allow a larger one, or take another shift"}),
                            time);
    }
    Column x = basis[k];
    apply(x);
    append(std::move(x), &h[k * stride], S(1e3) * std::numeric_limits<S>::epsilon());
  }
}

}  // namespace dalembert::assembly::detail
