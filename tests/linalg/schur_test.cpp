// Dense eigenvectors that need no header of Eigen: of symmetric matrices and of complex ones.

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <random>
#include <vector>

#include <dalembert/linalg/schur.hpp>

#include "support/catch.hpp"

namespace schur_test {

using Complex = std::complex<double>;
using dalembert::linalg::Schur;

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

/// Entry i of column k of Hadamard's matrix.
double walsh(std::size_t k, std::size_t i) { return std::popcount(k & i) % 2 == 0 ? 1 : -1; }

TEST_CASE("a symmetric matrix has orthonormal eigenvectors, even where eigenvalues are equal", "[linalg]") {
  const std::size_t n = 23;
  std::vector<double> a = random_numbers(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];
  for (std::size_t i = 0; i < n; ++i) a[i] = a[i * n] = 0;  // and one that is zero
  std::vector<double> equal(n * n);                         // 1 three times, and 0
  for (std::size_t k = 1; k < 4; ++k)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) equal[(5 + i) * n + 5 + j] += walsh(k, i) * walsh(k, j) / 4;
  for (const std::vector<double>& matrix : {a, equal}) {
    const Schur<double> found(matrix, n);
    REQUIRE(found.converged());
    std::vector<std::vector<double>> vectors;
    for (std::size_t i = 0; i < n; ++i) {
      vectors.push_back(found.vector(i));
      CHECK(missing(matrix, vectors[i].data(), found.value(i), n) < 1e-13);
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += vectors[i][k] * vectors[j][k];
        CHECK(std::abs(sum - (i == j ? 1 : 0)) < 1e-13);
      }
    }
  }
}

TEST_CASE("a complex matrix has eigenvectors, even where they are fewer than its rows", "[linalg]") {
  for (const std::size_t n : {1u, 2u, 17u}) {
    const std::vector<double> numbers = random_numbers(2 * n * n);
    std::vector<Complex> a(n * n);
    for (std::size_t i = 0; i < n * n; ++i) a[i] = Complex(numbers[2 * i], numbers[2 * i + 1]);
    const Schur<Complex> found(a, n);
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
  const Schur<Complex> roots(cycle, n);
  REQUIRE(roots.converged());
  for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(std::pow(roots.value(i), 4) - 1.0) < 1e-13);
  // Jordan's block has one eigenvector
  for (std::size_t i = 0; i < 3; ++i) block[i * 3 + i] = 2;
  block[3] = block[7] = 1;
  const Schur<Complex> jordan(block, 3);
  REQUIRE(jordan.converged());
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::abs(jordan.value(i) - 2.0) < 1e-4);
    CHECK(missing(block, jordan.vector(i).data(), jordan.value(i), 3) < 1e-12);
  }
  CHECK_FALSE(Schur<Complex>({Complex(std::nan("")), 0, 1, 2}, 2).converged());
}

}  // namespace schur_test
