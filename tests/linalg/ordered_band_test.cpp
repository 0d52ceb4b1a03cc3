#include <dalembert/linalg/detail/ordered_band.hpp>

#include <dalembert/linalg/detail/least_solve.hpp>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "support/catch.hpp"

namespace ordered_band_test {

using namespace dalembert;
using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

struct Random {
  std::mt19937_64 engine{7};
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
};

/// Blocks of a ring of contacts, or of a grid of so many columns, in an order of chance.
Matrix scattered(int blocks, int columns, Random& random) {
  std::vector<int> order(static_cast<std::size_t>(blocks));
  for (int i = 0; i < blocks; ++i) order[static_cast<std::size_t>(i)] = i;
  for (int i = blocks - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(random.uniform(0, i + 0.999))]);
  Matrix J = Matrix::Zero(3 * blocks, 3 * blocks);
  const auto put = [&](int a, int b) {
    const int i = 3 * order[static_cast<std::size_t>(a)], j = 3 * order[static_cast<std::size_t>(b)];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) J(i + r, j + c) = random.uniform(-1, 1) + (i == j && r == c ? 4 : 0);
  };
  for (int k = 0; k < blocks; ++k) {
    put(k, k);
    if (k + 1 < blocks) put(k, k + 1), put(k + 1, k);
    if (k + columns < blocks) put(k, k + columns), put(k + columns, k);
  }
  return J;
}

linalg::detail::BlockPattern pattern_of(const Matrix& J) {
  linalg::detail::BlockPattern pattern;
  const auto blocks = J.rows() / 3;
  pattern.start(static_cast<std::size_t>(blocks));
  for (Eigen::Index a = 0; a < blocks; ++a)
    for (Eigen::Index b = 0; b < a; ++b)
      if (!J.block(3 * a, 3 * b, 3, 3).isZero(0))
        pattern.couple(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  pattern.finish();
  return pattern;
}

TEST_CASE("scattered blocks are solved by a band as by a dense matrix", "[linalg]") {
  Random random;
  linalg::detail::OrderedBand<double> band;
  int paid = 0;
  for (const int blocks : {5, 16, 40, 90})
    for (const int columns : {2, 5}) {
      const Matrix J = scattered(blocks, columns, random);
      const Column F = Column::LinSpaced(3 * blocks, -1, 2);
      const auto pattern = pattern_of(J);
      band.find(pattern);
      paid += 3 * band.reach(1) < static_cast<std::size_t>(J.rows());
      Column x = F;
      REQUIRE(band.factor(J));
      band.solve(x);
      CHECK((J * x - F).norm() < 1e-12 * F.norm());
      CHECK((x - Column(J.partialPivLu().solve(F))).norm() < 1e-11 * x.norm());
      Matrix singular = J;
      singular.row(4) = singular.row(3);
      CHECK(!band.factor(singular));
      x = F;
      REQUIRE(band.factor_squares(singular, 0.5));
      band.solve_squares(x);
      CHECK((singular * (singular.transpose() * x) + 0.5 * x - F).norm() < 1e-11 * F.norm());
    }
  CHECK(paid >= 4);
}

TEST_CASE("squares of any matrix are factored, of blocks or not", "[linalg]") {
  Random random;
  linalg::detail::OrderedBand<double> band;
  for (const int n : {1, 4, 9, 60, 61}) {
    const Matrix J = Matrix::NullaryExpr(n, n, [&] { return random.uniform(-1, 1); });
    linalg::detail::BlockPattern pattern;
    pattern.fill(n);
    band.find(pattern);
    Column x = Column::LinSpaced(n, -1, 2);
    const Column F = x;
    REQUIRE(band.factor(J));
    band.solve(x);
    CHECK((J * x - F).norm() < 1e-9 * F.norm());
    x = F;
    REQUIRE(band.factor_squares(J, 0.1));
    band.solve_squares(x);
    CHECK((J * (J.transpose() * x) + 0.1 * x - F).norm() < 1e-11 * F.norm());
    CHECK(!band.factor_squares(J, -1e3));
    Matrix lost = J;
    lost(n - 1, n / 2) = std::nan("");
    CHECK(!band.factor_squares(lost, 0.1));
  }
}

TEST_CASE("where all couples with all the band is all of the matrix", "[linalg]") {
  linalg::detail::OrderedBand<double> band;
  for (const Matrix& J : {Matrix(Matrix::Ones(60, 60)), Matrix(Matrix::Identity(30, 30))}) {
    const auto pattern = pattern_of(J);
    band.find(pattern);
    CHECK(band.reach(1) == static_cast<std::size_t>(J.rows()) - 1);
    CHECK(band.reach(2) == band.reach(1));
  }
}

TEST_CASE("products and zeros by blocks are those of all entries", "[linalg]") {
  Random random;
  for (const int blocks : {1, 15, 16, 40}) {
    const Matrix J = scattered(blocks, 4, random);
    auto pattern = pattern_of(J);
    const Column x = Column::LinSpaced(3 * blocks, -1, 2);
    Column y = 0.5 * x;
    pattern.add_product(J, x, 2.0, y);
    CHECK((y - (0.5 * x + 2 * J * x)).norm() < 1e-13 * y.norm());
    Matrix cleared = J;
    pattern.clear(cleared);
    CHECK(cleared.isZero(0));
  }
}

TEST_CASE("steps where a matrix is singular are those of its least squares", "[linalg]") {
  // a stack of blocks that press on each other: differences alone are opposed
  Random random;
  using Growing = linalg::ConeProblem<double>::GrowingMatrix;
  using GrowingColumn = linalg::ConeProblem<double>::GrowingColumn;
  linalg::detail::LeastSolve<double, Growing> solve;
  for (const int blocks : {4, 30, 60}) {
    const int n = 3 * blocks;
    Matrix A = Matrix::Zero(n, n);
    for (int k = 0; k + 3 < n; ++k)
      for (int i : {k, k + 3})
        for (int j : {k, k + 3}) A(i, j) += (i == j ? 1 : -1) * random.uniform(0.5, 1.5);
    A = (A + A.transpose().eval()) / 2;
    A = A * A;  // semidefinite, and singular where A is
    A.topRows(3).setZero(), A.leftCols(3).setZero();
    for (int k = 0; k < n; ++k) A.row(k) *= random.uniform(0.5, 2);  // not symmetric
    const Column of = Column::LinSpaced(n, -1, 2);
    Growing J;
    J = A;
    GrowingColumn F, x;
    F = A * of;
    const auto pattern = pattern_of(A);
    solve.find(pattern);
    solve(J, F, of.lpNorm<Eigen::Infinity>(), x);
    CHECK((A * x - F).norm() < 1e-5 * F.norm());
    CHECK(x.head(3).norm() < 1e-9 * x.norm());
  }
}

TEST_CASE("a regular matrix after singular ones is solved as such", "[linalg]") {
  Random random;
  using Growing = linalg::ConeProblem<double>::GrowingMatrix;
  using GrowingColumn = linalg::ConeProblem<double>::GrowingColumn;
  for (const int blocks : {3, 40}) {
    const int n = 3 * blocks;
    Matrix regular = scattered(blocks, 2, random);
    Matrix singular = regular, stiff = regular;
    singular.row(4) = singular.row(3);
    for (int k = 0; k < n; k += 2) stiff.row(k) *= 1e-7;  // least squares alone leave some of it
    const auto pattern = pattern_of(regular);
    linalg::detail::LeastSolve<double, Growing> solve;
    solve.find(pattern);
    const Column of = Column::LinSpaced(n, -1, 2);
    for (Matrix* A : {&singular, &singular, &regular, &singular, &stiff, &regular}) {
      Growing J;
      J = *A;
      Column left = *A * of;
      for (int i = 0; i < 3; ++i) {  // what is left, likewise
        GrowingColumn F, x;
        F = left;
        solve(J, F, of.lpNorm<Eigen::Infinity>(), x);
        left -= *A * x;
      }
      for (int k = 0; k < n; ++k) CHECK(std::abs(left[k]) < 1e-9 * A->row(k).norm() * of.norm());
    }
  }
}

}  // namespace ordered_band_test
