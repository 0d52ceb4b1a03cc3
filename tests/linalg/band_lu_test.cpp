#include <dalembert/linalg/band_lu.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "support/catch.hpp"

namespace band_lu_test {

using Matrix = Eigen::MatrixXd;

/// A random matrix with entries at most so far from the diagonal.
Matrix banded(int n, int lower, int upper, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Matrix a = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - lower); j <= std::min(n - 1, i + upper); ++j) a(i, j) = number(random);
  return a;
}

dalembert::linalg::BandLU<double> put(const Matrix& a, int lower, int upper) {
  const auto size = [](Eigen::Index i) { return static_cast<std::size_t>(i); };
  dalembert::linalg::BandLU<double> lu;
  lu.start(size(a.rows()), size(lower), size(upper));
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = std::max<Eigen::Index>(0, i - lower);
         j <= std::min<Eigen::Index>(a.rows() - 1, i + upper); ++j)
      lu.at(size(i), size(j)) = a(i, j);
  return lu;
}

TEST_CASE("a band is solved, and the sign of its determinant known", "[linalg][band]") {
  std::mt19937 random(test::seed());
  int negative = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix a = banded(15, 3, 2, random);
    auto lu = put(a, 3, 2);
    REQUIRE(lu.decompose());
    CHECK(lu.sign() == (a.determinant() > 0 ? 1 : -1));
    negative += lu.sign() < 0 ? 1 : 0;
    const Eigen::VectorXd b = banded(15, 15, 15, random).col(0);
    Eigen::VectorXd x = b;
    lu.solve(x.data());
    CHECK((a * x - b).norm() < 1e-9 * x.norm());
  }
  CHECK(negative > 2);
  CHECK(negative < 18);
}

TEST_CASE("negative eigenvalues of a symmetric band are counted without finding them", "[linalg][band]") {
  std::mt19937 random(test::seed());
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix half = banded(15, 3, 3, random);
    const Matrix a = half + half.transpose() + 0.5 * Matrix::Identity(15, 15);
    const Matrix scaled =
        Eigen::VectorXd::LinSpaced(15, 1, 30).asDiagonal() * a;  // rows times positive numbers
    const auto values = Eigen::SelfAdjointEigenSolver<Matrix>(a).eigenvalues().eval();
    CHECK(put(scaled, 3, 3).count_negative() == static_cast<std::size_t>((values.array() < 0).count()));
  }
}

TEST_CASE("a pivot that is zero does not end the count of negative eigenvalues", "[linalg][band]") {
  Matrix a(4, 4);
  a << 0, 1, 1, 0, 1, -3, 0, 0, 1, 0, -3, 1, 0, 0, 1, 2;
  const auto values = Eigen::SelfAdjointEigenSolver<Matrix>(a).eigenvalues().eval();
  CHECK(put(a, 2, 2).count_negative() == static_cast<std::size_t>((values.array() < 0).count()));
}

}  // namespace band_lu_test
