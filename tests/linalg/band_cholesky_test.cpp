#include <dalembert/linalg/band_cholesky.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include <Eigen/Cholesky>

#include "support/catch.hpp"

namespace band_cholesky_test {

using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

std::size_t size(Eigen::Index i) { return static_cast<std::size_t>(i); }

/// Positive definite, with entries less than `reach` from the diagonal.
Matrix banded(int n, int reach, double scale, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Matrix a = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = i; j < std::min(n, i + reach); ++j)
      a(i, j) = a(j, i) = scale * (number(random) + (i == j ? 2 * reach : 0));
  return a;
}
void put(const Matrix& a, int reach, dalembert::linalg::BandCholesky<double>& band) {
  band.start(size(a.rows()), size(reach));
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = i; j < std::min<Eigen::Index>(a.rows(), i + reach); ++j) {
      const bool other = (i + j) % 2 != 0;  // one entry, from either side
      band.at(size(other ? j : i), size(other ? i : j)) = a(i, j);
    }
}

TEST_CASE("a positive definite band is solved", "[linalg][band]") {
  std::mt19937 random(test::seed());
  dalembert::linalg::BandCholesky<double> band;
  for (const int n : {1, 2, 17, 40})
    for (const int reach : {1, 3, 17, 40})
      for (const double scale : {1e-6, 1.0, 1e6}) {
        if (reach > n) continue;
        const Matrix a = banded(n, reach, scale, random);
        const Column b = Column::LinSpaced(n, -1, 2);
        put(a, reach, band);
        REQUIRE(band.decompose());
        Column x = b;
        band.solve(x.data());
        CAPTURE(n, reach, scale);
        CHECK((x - a.llt().solve(b)).norm() < 1e-13 * x.norm());
      }
}

TEST_CASE("a band that is not positive definite is told", "[linalg][band]") {
  std::mt19937 random(test::seed());
  dalembert::linalg::BandCholesky<double> band;
  for (const int at : {0, 5, 11}) {
    Matrix a = banded(12, 4, 1, random);
    a(at, at) = -1;
    put(a, 4, band);
    CHECK(!band.decompose());
    a(at, at) = std::nan("");
    put(a, 4, band);
    CHECK(!band.decompose());
  }
}

}  // namespace band_cholesky_test
