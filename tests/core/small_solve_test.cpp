#include <dalembert/core/small_solve.hpp>

#include <random>

#include "support/catch.hpp"

namespace {

using namespace dalembert;

template <int R, int C>
Mat<double, R, C> random_matrix(std::mt19937& engine) {
  std::normal_distribution<double> number;
  Mat<double, R, C> a;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) a(i, j) = number(engine);
  return a;
}

TEST_CASE("factors with row exchanges solve, whatever the order of the rows", "[small_solve]") {
  std::mt19937 engine{test::seed()};
  for (int trial = 0; trial < 20; ++trial) {
    Mat<double, 7> a = random_matrix<7, 7>(engine);
    a(0, 0) = 0;
    a(3, 3) = 0;
    const Vec<double, 7> x = random_matrix<7, 1>(engine);
    detail::LuFactors<double> factors(7);
    factors.matrix = a;
    REQUIRE(factors.compute());
    Vec<double, 7> y = a * x;
    factors.solve(y);
    CHECK((y - x).norm() < 1e-11 * x.norm());
  }
  detail::LuFactors<double> singular(2);
  singular.matrix << 1, 2, 2, 4;
  CHECK_FALSE(singular.compute());
}

TEST_CASE("a semidefinite matrix is solved for what lies in its range", "[small_solve]") {
  std::mt19937 engine{test::seed()};
  Mat<double, 4, 6> rows = random_matrix<4, 6>(engine);
  for (const bool empty_row : {false, true}) {
    if (empty_row) rows.row(1).setZero();
    rows.row(2) = 2 * rows.row(0) - rows.row(1);
    const Mat<double, 4> gram = rows * rows.transpose();
    const Vec<double, 4> b = gram * random_matrix<4, 1>(engine);
    detail::SemidefiniteFactor<double, 4> factor;
    factor.compute(gram);
    Vec<double, 4> x = b;
    factor.solve(x);
    CHECK((gram * x - b).norm() < 1e-12 * b.norm());
    CHECK(x[2] == 0);
  }
}

}  // namespace
