#include <dalembert/analysis/eigenvalues.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include <Eigen/LU>

#include "support/catch.hpp"

namespace eigenvalues_test {

using namespace dalembert;
using C = std::complex<double>;
using Column = Vec<double, Eigen::Dynamic>;
using Matrix = Mat<double, Eigen::Dynamic>;

Matrix random_matrix(Eigen::Index n, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  Matrix a(n, n);
  for (Eigen::Index i = 0; i < a.size(); ++i) a.data()[i] = normal(engine);
  return a;
}

TEST_CASE("a characteristic polynomial is the product over the eigenvalues that were put in",
          "[eigenvalues]") {
  std::mt19937 engine(test::seed());
  for (Eigen::Index n = 0; n <= 9; ++n) {
    // Blocks (x, y; −y, x) have the eigenvalues x ± iy.
    Matrix a = Matrix::Zero(n, n);
    std::vector<C> expected;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double x = 0.7 * static_cast<double>(i) - 2;
      a(i, i) = x;
      if (i % 3 == 1) a(i, i) = a(i - 1, i - 1), a(i, i - 1) = -1.1, a(i - 1, i) = 1.1;
    }
    for (Eigen::Index i = 0; i < n; ++i) {
      const bool first = i % 3 == 0 && i + 1 < n, second = i % 3 == 1;
      expected.emplace_back(a(i, i), first ? 1.1 : second ? -1.1 : 0.0);
    }
    const Matrix basis = random_matrix(n, engine) + 3 * Matrix::Identity(n, n);
    const Matrix mixed = n > 0 ? Matrix(basis * a * basis.inverse()) : a;
    std::vector<C> product = {1};
    for (const C& value : expected) {
      product.push_back(0);
      for (std::size_t k = product.size() - 1; k > 0; --k) product[k] -= value * product[k - 1];
    }
    const Column found = analysis::characteristic_polynomial<double>(mixed);
    REQUIRE(found.size() == n + 1);
    for (Eigen::Index k = 0; k <= n; ++k) {
      CAPTURE(n, k);
      CHECK(std::abs(found[k] - product[static_cast<std::size_t>(k)]) < 1e-9);
    }
    const auto values = analysis::eigenvalues<double>(mixed);
    std::sort(expected.begin(), expected.end(), [](const C& x, const C& y) {
      return x.real() > y.real() || (x.real() == y.real() && x.imag() > y.imag());
    });
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(std::abs(values[i] - expected[i]) < 1e-9);
  }
}

TEST_CASE("the roots of a polynomial are those that it was made of", "[eigenvalues]") {
  // 2 (x − 1)(x + 3)(x² − 4x + 13)
  Column polynomial(5);
  polynomial << 2, -4, 4, 76, -78;
  const auto found = analysis::roots<double>(polynomial);
  const std::vector<C> expected = {{2, 3}, {2, -3}, {1, 0}, {-3, 0}};
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-13);
  CHECK(analysis::roots<double>(Column::Ones(1)).empty());
  CHECK_THROWS_AS(analysis::roots<double>(Column()), std::invalid_argument);
  CHECK_THROWS_AS(analysis::roots<double>(Column::Zero(3)), std::invalid_argument);
  polynomial[2] = std::nan("");
  CHECK_THROWS_AS(analysis::roots<double>(polynomial), std::invalid_argument);
}

TEST_CASE("the cheapest assignment is the best of all permutations", "[eigenvalues]") {
  std::mt19937 engine(test::seed());
  for (int n = 0; n <= 6; ++n)
    for (int trial = 0; trial < 20; ++trial) {
      const Matrix cost = random_matrix(n, engine).cwiseAbs();
      const auto total = [&](const std::vector<std::size_t>& p) {
        double sum = 0;
        for (std::size_t i = 0; i < p.size(); ++i)
          sum += cost(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(p[i]));
        return sum;
      };
      std::vector<std::size_t> p(static_cast<std::size_t>(n));
      std::iota(p.begin(), p.end(), std::size_t{0});
      double best = total(p);
      while (std::next_permutation(p.begin(), p.end())) best = std::min(best, total(p));
      auto found = analysis::detail::cheapest_assignment<double>(cost);
      CHECK(total(found) == Approx(best).margin(1e-14));
      std::sort(found.begin(), found.end());
      std::sort(p.begin(), p.end());
      CHECK(found == p);
    }
}

TEST_CASE("curves keep their course where they cross", "[eigenvalues]") {
  // Two real values that cross at 0, and a pair that comes down on the axis at 1.5 and parts there.
  const auto spectrum = [](double p) {
    const C root = std::sqrt(C(p - 1.5));
    std::vector<C> values = {C(p), C(-p), C(-4) + root, C(-4) - root};
    std::sort(values.begin(), values.end(),
              [](const C& x, const C& y) { return std::arg(x + 0.1) < std::arg(y + 0.1); });
    return values;
  };
  std::vector<double> parameters;
  for (int i = -16; i <= 24; ++i) parameters.push_back(0.0625 * i + 0.01);
  const auto curves = analysis::eigenvalue_curves(parameters, spectrum);
  const auto& first = curves.front().values;
  for (std::size_t i = 0; i < 4; ++i) {
    if (std::abs(first[i].imag()) > 0.1) continue;
    const double slope = first[i].real() / curves.front().parameter;
    for (const auto& point : curves) CHECK(std::abs(point.values[i] - slope * point.parameter) < 1e-14);
  }
  for (std::size_t k = 1; k < curves.size(); ++k)
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(curves[k].values[i] - curves[k - 1].values[i]) < 0.4);
}

TEST_CASE("what is no square, or makes no curve, is refused", "[eigenvalues]") {
  CHECK_THROWS_AS(analysis::eigenvalues<double>(Matrix::Zero(2, 3)), std::invalid_argument);
  CHECK_THROWS_AS(analysis::characteristic_polynomial<double>(Matrix::Zero(2, 3)), std::invalid_argument);
  CHECK_THROWS_AS(analysis::eigenvalues<double>(Matrix::Constant(2, 2, std::nan(""))), std::invalid_argument);
  const auto growing = [](double p) { return std::vector<C>(p > 0.5 ? 2 : 1, C(p)); };
  CHECK_THROWS_AS(analysis::eigenvalue_curves(std::vector<double>{0, 1}, growing), std::invalid_argument);
  const auto same = [](double p) { return std::vector<C>{C(p)}; };
  CHECK_THROWS_AS(analysis::eigenvalue_curves(std::vector<double>{0, 1, 0.5}, same), std::invalid_argument);
  CHECK_THROWS_AS(analysis::eigenvalue_curves(std::vector<double>{1, 1}, same), std::invalid_argument);
}

}  // namespace eigenvalues_test
