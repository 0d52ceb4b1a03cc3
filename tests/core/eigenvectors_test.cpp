// Dense eigenvectors that need no header of Eigen: of symmetric matrices and of complex ones.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <random>
#include <vector>

#include <dalembert/core/detail/complex_schur.hpp>
#include <dalembert/core/detail/symmetric_eigenvectors.hpp>

#include "support/catch.hpp"

namespace eigenvectors_test {

using Complex = std::complex<double>;
using dalembert::detail::ComplexSchur;
using dalembert::detail::SymmetricEigenvectors;

std::vector<double> random_numbers(std::size_t count) {
  std::mt19937_64 engine(test::seed());
  std::vector<double> x(count);
  for (double& one : x) one = static_cast<double>(engine() >> 11) * 0x1p-52 - 1.0;
  return x;
}

/// The largest entry of A v − λ v.
template <class T>
double missing(const std::vector<T>& a, const T* v, T lambda, std::size_t n) {
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    T left = -lambda * v[i];
    for (std::size_t j = 0; j < n; ++j) left += a[j * n + i] * v[j];
    most = std::max(most, std::abs(left));
  }
  return most;
}

TEST_CASE("a symmetric matrix has orthonormal eigenvectors, and its eigenvalues in order", "[core]") {
  const std::size_t n = 23;
  std::vector<double> a = random_numbers(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];
  for (std::size_t i = 0; i < n; ++i) a[i] = a[i * n] = 0;  // and one that is zero
  const SymmetricEigenvectors<double> found(a, n);
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(missing(a, &found.vectors[i * n], found.values[i], n) < 1e-13);
    if (i > 0) CHECK(found.values[i - 1] <= found.values[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += found.vectors[i * n + k] * found.vectors[j * n + k];
      CHECK(std::abs(sum - (i == j ? 1 : 0)) < 1e-13);
    }
  }
}

TEST_CASE("a complex matrix has eigenvectors, even where they are fewer than its rows", "[core]") {
  for (const std::size_t n : {1u, 2u, 17u}) {
    const std::vector<double> numbers = random_numbers(2 * n * n);
    std::vector<Complex> a(n * n);
    for (std::size_t i = 0; i < n * n; ++i) a[i] = Complex(numbers[2 * i], numbers[2 * i + 1]);
    const ComplexSchur<double> found(a, n);
    REQUIRE(found.converged());
    Complex trace(0), sum(0);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(missing(a, found.vector(i).data(), found.value(i), n) < 1e-12);
      trace += a[i * n + i];
      sum += found.value(i);
    }
    CHECK(std::abs(trace - sum) < 1e-12);
  }
  // a cyclic exchange, whose QR steps without an unlike shift go round: the roots of one
  const std::size_t n = 4;
  std::vector<Complex> cycle(n * n, Complex(0)), block(9, Complex(0));
  for (std::size_t i = 0; i < n; ++i) cycle[i * n + (i + 1) % n] = 1;
  const ComplexSchur<double> roots(cycle, n);
  REQUIRE(roots.converged());
  for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(std::pow(roots.value(i), 4) - 1.0) < 1e-13);
  // Jordan's block has one eigenvector
  for (std::size_t i = 0; i < 3; ++i) block[i * 3 + i] = 2;
  block[3] = block[7] = 1;
  const ComplexSchur<double> jordan(block, 3);
  REQUIRE(jordan.converged());
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::abs(jordan.value(i) - 2.0) < 1e-4);
    CHECK(missing(block, jordan.vector(i).data(), jordan.value(i), 3) < 1e-12);
  }
  CHECK_FALSE(ComplexSchur<double>({Complex(std::nan("")), 0, 1, 2}, 2).converged());
}

}  // namespace eigenvectors_test
