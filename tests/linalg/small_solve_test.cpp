#include <dalembert/linalg/small_solve.hpp>

#include <array>
#include <cmath>
#include <random>

#include <dalembert/core/dual.hpp>
#include <dalembert/core/pack.hpp>
#include <dalembert/linalg/pivoted_qr.hpp>

#include "support/catch.hpp"

namespace small_solve_test {

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
    dalembert::linalg::DenseLU<double> factors(7);
    factors.matrix = a;
    REQUIRE(factors.compute());
    Vec<double, 7> y = a * x;
    factors.solve(y);
    CHECK((y - x).norm() < 1e-11 * x.norm());
    const double sign = factors.sign_of_determinant();
    CHECK(std::abs(sign) == 1);
    factors.matrix = a;
    factors.matrix.row(2).swap(factors.matrix.row(5));
    REQUIRE(factors.compute());
    CHECK(factors.sign_of_determinant() == -sign);
    factors.matrix = a;
    factors.matrix.row(4) *= -2;
    REQUIRE(factors.compute());
    CHECK(factors.sign_of_determinant() == -sign);
  }
  dalembert::linalg::DenseLU<double> known(2);
  known.matrix << 1, 2, 3, 4;
  REQUIRE(known.compute());
  CHECK(known.sign_of_determinant() == -1);
  dalembert::linalg::DenseLU<double> singular(2);
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
    dalembert::linalg::SmallLDLT<double, 4> factor;
    factor.compute_semidefinite(gram);
    Vec<double, 4> x = b;
    factor.solve_lower(x);
    factor.solve_upper(x);
    CHECK((gram * x - b).norm() < 1e-12 * b.norm());
    CHECK(x[2] == 0);
  }
}

TEST_CASE("columns are solved for with a zero where the first pivot is, and derivatives with them",
          "[small_solve]") {
  std::mt19937 engine{test::seed()};
  for (int trial = 0; trial < 20; ++trial) {
    Mat<double, 4> a = random_matrix<4, 4>(engine);
    a(0, 0) = 0;
    const Mat<double, 4, 3> x = random_matrix<4, 3>(engine);
    const Mat<double, 4> slope = random_matrix<4, 4>(engine);
    using T = Dual<double, 1>;
    Mat<T, 4> lifted;
    Mat<T, 4, 3> b;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) lifted(i, j) = T(a(i, j), Vec<double, 1>(slope(i, j)));
    const Mat<double, 4, 3> right = a * x;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j) b(i, j) = T(right(i, j));
    REQUIRE(dalembert::linalg::solve_columns(lifted, b));
    Mat<double, 4, 3> value, rate;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j) value(i, j) = b(i, j).value(), rate(i, j) = b(i, j).derivative(0);
    CHECK((a * value - right).norm() < 1e-11 * (1 + value.norm()));
    CHECK((a * rate + slope * value).norm() < 1e-9 * (1 + rate.norm()));
  }
  Mat<double, 2> singular;
  singular << 1, 2, 2, 4;
  Mat<double, 2, 1> b(1, 1);
  CHECK_FALSE(dalembert::linalg::solve_columns(singular, b));
}

TEST_CASE("least squares of deficient rank have the shortest of the best solutions", "[small_solve]") {
  std::mt19937 engine{test::seed()};
  for (int trial = 0; trial < 20; ++trial) {
    const Mat<double, 5, 2> left = random_matrix<5, 2>(engine);
    const Mat<double, 2, 4> right = random_matrix<2, 4>(engine);
    const Mat<double, 5, 4> a = left * right;
    const Vec<double, 5> b = random_matrix<5, 1>(engine);
    dalembert::linalg::PivotedQr<double, 5, 4> qr(a, b);
    REQUIRE(qr.rank == 2);
    const Vec<double, 4> x = qr.solve();
    CHECK((a.transpose() * (a * x - b)).norm() < 1e-11 * a.norm() * b.norm());
    // the shortest one has no part along the null space
    const Mat<double, 2> gram = right * right.transpose();
    dalembert::linalg::SmallLDLT<double, 2> factor;
    REQUIRE(factor.compute(gram));
    Vec<double, 2> part = right * x;
    factor.solve_lower(part);
    factor.solve_upper(part);
    CHECK((x - right.transpose() * part).norm() < 1e-11 * x.norm());
  }
}

TEST_CASE("lanes of a pack exchange rows each for itself, and only a singular one is lost", "[small_solve]") {
  using Lanes = Pack<double, 4>;
  std::mt19937 engine{test::seed()};
  Mat<Lanes, 3> a;
  Vec<Lanes, 3> x;
  std::array<Vec<double, 3>, 4> exact;
  for (int lane = 0; lane < 4; ++lane) {
    Mat<double, 3> one = random_matrix<3, 3>(engine);
    one(lane % 3, 0) = 0;  // each lane wants another pivot
    if (lane == 3) one.row(2) = one.row(0) + one.row(1);
    exact[static_cast<std::size_t>(lane)] = random_matrix<3, 1>(engine);
    const Vec<double, 3> right = one * exact[static_cast<std::size_t>(lane)];
    for (int i = 0; i < 3; ++i) {
      x[i].set(lane, right[i]);
      for (int j = 0; j < 3; ++j) a(i, j).set(lane, one(i, j));
    }
  }
  Vec<Lanes, 3> rows, columns;
  for (int i = 0; i < 3; ++i) rows[i] = columns[i] = Lanes(1.0);
  REQUIRE(dalembert::linalg::solve_square<Lanes, 3>(a, rows, columns, x));
  for (int i = 0; i < 3; ++i) {
    for (int lane = 0; lane < 3; ++lane)
      CHECK(x[i][lane] == Approx(exact[static_cast<std::size_t>(lane)][i]).margin(1e-12));
    CHECK(std::isnan(x[i][3]));
  }
}

}  // namespace small_solve_test
