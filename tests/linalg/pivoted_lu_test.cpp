#include <dalembert/linalg/pivoted_lu.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>

#include "support/catch.hpp"
#include "support/plain_matrix.hpp"

namespace pivoted_lu_test {

using dalembert::linalg::PivotedLU;
using test::KnownMatrix;
using test::PlainMatrix;

/// The solution and what is left of the right side.
struct Solution {
  PlainMatrix x, left;
};

template <class LU>
void start(LU& lu, const PlainMatrix& g, bool symmetric) {
  lu.start(g.rows, symmetric);
  for (int j = 0; j < g.rows; ++j)
    for (int i = symmetric ? j : 0; i < g.rows; ++i) lu(i, j) = g(i, j);
}
template <class LU>
Solution solve(const LU& lu, const PlainMatrix& b) {
  Solution found{b, PlainMatrix(b.rows)};
  for (double& x : found.left.entries) x = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> work(b.entries.size());
  lu.solve(found.x.data(), found.left.data(), work.data());
  return found;
}

/// What is found of random right sides against the pseudo-inverse.
template <class LU>
void check_solutions(const LU& lu, const KnownMatrix& g, test::Draw& draw) {
  const double condition = g.matrix.norm() * g.inverse.norm();
  for (const double size : {1e-6, 1.0, 1e6}) {
    const PlainMatrix b = size * test::random_matrix(g.matrix.rows, 1, draw), x = g.inverse * b;
    const Solution found = solve(lu, b);
    CHECK((found.x - x).norm() <= 1e-13 * condition * x.norm());
    CHECK((found.left - (b - g.matrix * x)).norm() <= 1e-13 * condition * b.norm());
    if (lu.rank() == g.matrix.rows) CHECK(found.left.norm() == 0);
  }
}
template <class LU>
void check(LU& lu, KnownMatrix g, double scale, int rank, bool symmetric, test::Draw& draw) {
  g.matrix = scale * g.matrix;
  g.inverse = 1 / scale * g.inverse;
  start(lu, g.matrix, symmetric);
  lu.decompose();
  REQUIRE(lu.rank() == rank);
  check_solutions(lu, g, draw);
}

TEST_CASE("of matrices of any rank and scale the solution of least norm is found, and what is left",
          "[linalg][pivoted_lu]") {
  test::Draw draw(test::seed());
  PivotedLU<double> lu;
  PivotedLU<double, true> symmetric_only;
  for (const int n : {11, 1, 2, 6, 3}) {
    for (int rank = 1; rank <= n; ++rank) {
      const double scale = draw.power(-6, 6);
      CAPTURE(n, rank, scale);
      check(lu, test::known_matrix(n, n, rank, false, 3, draw), scale, rank, false, draw);
      const KnownMatrix g = test::known_matrix(n, n, rank, true, 3, draw);
      check(lu, g, scale, rank, true, draw);
      check(lu, g, scale, rank, false, draw);
      check(symmetric_only, g, scale, rank, false, draw);
    }
  }
}

TEST_CASE("rows told twice and rows of zeros take nothing from the others", "[linalg][pivoted_lu]") {
  test::Draw draw(test::seed());
  PlainMatrix rows = test::random_matrix(5, 7, draw);
  for (int j = 0; j < 7; ++j) {
    rows(3, j) = rows(1, j);
    rows(2, j) = 0;
  }
  PivotedLU<double> lu;
  start(lu, rows * rows.transpose(), true);
  lu.decompose();
  REQUIRE(lu.rank() == 3);
  PlainMatrix b = rows * test::random_matrix(7, 1, draw);
  const Solution found = solve(lu, b);
  CHECK(found.x(3) == Approx(found.x(1)).epsilon(1e-12));  // the least norm shares evenly
  CHECK(std::abs(found.x(2)) < 1e-15);
  CHECK(found.left.norm() < 1e-14);
  b(3) += 0.5;
  b(2) = 2;
  const Solution contradiction = solve(lu, b);
  CHECK(contradiction.left(1) == Approx(-0.25));
  CHECK(contradiction.left(3) == Approx(0.25));
  CHECK(contradiction.left(2) == Approx(2.0));
}

TEST_CASE("of a zero matrix all is left, and a matrix without rows is solved", "[linalg][pivoted_lu]") {
  PivotedLU<double> lu;
  for (const bool symmetric : {false, true}) {
    lu.start(3, symmetric);
    lu.decompose();
    CHECK(lu.rank() == 0);
    CHECK(lu.smallest() == 1);
    PlainMatrix b(3);
    b.entries = {1, -2, 3};
    const Solution found = solve(lu, b);
    CHECK(found.x.norm() == 0);
    CHECK(found.left.entries == b.entries);
    lu.start(0, symmetric);
    lu.decompose();
    CHECK(lu.rank() == 0);
    lu.solve(nullptr, nullptr, nullptr);
  }
}

TEST_CASE("the smallest pivot is told as a part of the largest entry", "[linalg][pivoted_lu]") {
  PivotedLU<double> lu;
  start(lu, test::diagonal({0.5, -8, 2}), false);
  lu.decompose();
  CHECK(lu.smallest() == 0.5 / 8);
  PlainMatrix g(2, 2);
  g.entries = {4, 2, 2, 1.5};  // pivots 4 and 1.5 − 2·2/4
  start(lu, g, true);
  lu.decompose();
  CHECK(lu.smallest() == 0.5 / 4);
}

TEST_CASE("rows and columns in units of their own have the rank that they have in one unit",
          "[linalg][pivoted_lu]") {
  test::Draw draw(test::seed());
  PivotedLU<double> lu;
  for (const bool symmetric : {false, true}) {
    for (int round = 0; round < 30; ++round) {
      const int n = 2 + draw.below(6), rank = 1 + draw.below(n);
      const KnownMatrix g = test::known_matrix(n, n, rank, symmetric, 3, draw);
      std::vector<double> rows, columns;
      for (int i = 0; i < n; ++i) {
        rows.push_back(draw.power(-9, 9));
        columns.push_back(symmetric ? rows.back() : draw.power(-9, 9));
      }
      CAPTURE(symmetric, n, rank, rows, columns);
      start(lu, test::diagonal(rows) * g.matrix * test::diagonal(columns), symmetric);
      lu.decompose(rows.data(), columns.data());
      REQUIRE(lu.rank() == rank);
      if (rank < n) continue;
      const PlainMatrix b = test::random_matrix(n, 1, draw);
      const Solution found = solve(lu, test::diagonal(rows) * b);
      CHECK(found.left.norm() == 0);
      CHECK((test::diagonal(columns) * found.x - g.inverse * b).norm() < 1e-13 * b.norm());
    }
  }
  // not so where none are told
  const PlainMatrix apart = test::diagonal({1, 1e-24});
  start(lu, apart, true);
  lu.decompose();
  CHECK(lu.rank() == 1);
  const std::vector<double> sizes{1, 1e-12};
  start(lu, apart, true);
  lu.decompose(sizes.data());
  CHECK(lu.rank() == 2);
}

TEST_CASE("sizes of rows do not change which solution is the shortest", "[linalg][pivoted_lu]") {
  test::Draw draw(test::seed());
  PivotedLU<double> lu;
  for (const bool symmetric : {false, true}) {
    for (int round = 0; round < 20; ++round) {
      const KnownMatrix g = test::known_matrix(6, 6, 4, symmetric, 3, draw);
      std::vector<double> rows, columns;
      for (int i = 0; i < 6; ++i) {
        rows.push_back(draw.between(0.2, 5));
        columns.push_back(draw.between(0.2, 5));
      }
      start(lu, g.matrix, symmetric);
      lu.decompose(rows.data(), columns.data());
      REQUIRE(lu.rank() == 4);
      check_solutions(lu, g, draw);
    }
  }
}

template <class S>
int rank_of_rows_apart(double squared) {
  PivotedLU<S> lu;
  lu.start(2, true);
  lu(0, 0) = lu(1, 0) = 1;
  lu(1, 1) = 1 + squared;
  lu.decompose();
  return lu.rank();
}

TEST_CASE("a pivot is one where it is more than rounding of numbers of its type leaves",
          "[linalg][pivoted_lu]") {
  CHECK(rank_of_rows_apart<double>(1e-12) == 2);
  CHECK(rank_of_rows_apart<double>(1e-15) == 1);
  // the pivot is a difference of two terms of size 1, and so is its rounding
  CHECK(rank_of_rows_apart<double>(1.5 * dalembert::linalg::pivot_rounding<double>(0)) == 1);
  CHECK(rank_of_rows_apart<double>(3 * dalembert::linalg::pivot_rounding<double>(0)) == 2);
  CHECK(rank_of_rows_apart<float>(1e-6) == 2);
  CHECK(rank_of_rows_apart<float>(1e-9) == 1);  // summed in double, of rows that floats are known by
}

TEST_CASE("derivatives of a solution are those of the equations", "[linalg][pivoted_lu]") {
  using T = dalembert::Dual<double, 1>;
  const auto number = [](double value, double rate) { return T(value, dalembert::Vec<double, 1>(rate)); };
  test::Draw draw(test::seed());
  for (const int n : {1, 4, 7}) {
    const KnownMatrix g = test::known_matrix(n, n, n, false, 3, draw);
    const PlainMatrix rate = test::random_matrix(n, n, draw), b = test::random_matrix(n, 1, draw),
                      b_rate = test::random_matrix(n, 1, draw);
    PivotedLU<T> lu;
    lu.start(n, false);
    std::vector<T> x, left(static_cast<std::size_t>(n)), work(left);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) lu(i, j) = number(g.matrix(i, j), rate(i, j));
      x.push_back(number(b(i), b_rate(i)));
    }
    lu.decompose();
    REQUIRE(lu.rank() == n);
    lu.solve(x.data(), left.data(), work.data());
    const PlainMatrix value = g.inverse * b, slope = g.inverse * (b_rate - rate * value);
    for (int i = 0; i < n; ++i) {
      const T& found = x[static_cast<std::size_t>(i)];
      CHECK(std::abs(found.value() - value(i)) < 1e-12);
      CHECK(std::abs(found.derivative(0) - slope(i)) < 1e-12);
    }
  }
}

}  // namespace pivoted_lu_test
