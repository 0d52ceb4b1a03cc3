#include <dalembert/linalg/schur.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "support/catch.hpp"

namespace symmetric_eigenvalues_test {

using dalembert::Mat;
using dalembert::Vec;
using dalembert::linalg::symmetric_eigenvalues;

TEST_CASE("eigenvalues of a chain of springs are those of the closed form", "[linalg][eigenvalues]") {
  Mat<double, 8> chain = Mat<double, 8>::Zero();
  for (int i = 0; i < 8; ++i) {
    chain(i, i) = 2;
    if (i > 0) chain(i, i - 1) = chain(i - 1, i) = -1;
  }
  const auto found = symmetric_eigenvalues<double, 8>(chain);
  for (int i = 0; i < 8; ++i)
    CHECK(found[i] == Approx(4 * std::pow(std::sin((i + 1) * M_PI / 18), 2)).epsilon(1e-14));
}

TEST_CASE("eigenvalues that are equal, zero or far apart are found to the rounding of the largest",
          "[linalg][eigenvalues]") {
  std::mt19937 engine{test::seed()};
  std::uniform_real_distribution<double> draw(-1, 1);
  const Vec<double, 6> wanted = (Vec<double, 6>() << -3, 0, 1e-6, 2, 2, 5e3).finished();
  Mat<double, 6> a = wanted.asDiagonal();
  for (int i = 0; i < 20; ++i) {  // mirrored at random planes
    Vec<double, 6> n;
    for (double& x : n) x = draw(engine);
    const Mat<double, 6> mirror = Mat<double, 6>::Identity() - 2 / n.squaredNorm() * n * n.transpose();
    a = mirror * a * mirror;
  }
  const auto found = symmetric_eigenvalues<double, 6>(Mat<double, 6>(a + a.transpose()) / 2);
  CHECK((found - wanted).lpNorm<Eigen::Infinity>() < 1e-13 * 5e3);
  CHECK(symmetric_eigenvalues<double, 6>(Mat<double, 6>::Zero()).norm() == 0);
  CHECK((symmetric_eigenvalues<double, 6>(Mat<double, 6>(wanted.asDiagonal())) - wanted).norm() == 0);
}

TEST_CASE("eigenvalues of what is no matrix of numbers are no numbers", "[linalg][eigenvalues]") {
  Mat<double, 2> a = Mat<double, 2>::Identity();
  a(0, 1) = a(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(symmetric_eigenvalues<double, 2>(a).sum()));
}

TEST_CASE("eigenvalues of a matrix of low rank are found, most of which are zero", "[linalg][eigenvalues]") {
  Mat<double, 12> a = Mat<double, 12>::Zero();
  for (int k = 1; k < 3; ++k) {
    Vec<double, 12> x;
    for (int i = 0; i < 12; ++i) x[i] = std::sin(1.0 + 0.7 * k * i);
    a += k * x * x.transpose();
  }
  const Vec<double, 12> found = symmetric_eigenvalues<double, 12>(a);
  for (int i = 0; i < 10; ++i) CHECK(std::abs(found[i]) < 1e-14 * found[11]);
  CHECK(std::abs(found[10] + found[11] - a.trace()) < 1e-14 * found[11]);
  CHECK(found[10] > 0.1);
}

}  // namespace symmetric_eigenvalues_test
