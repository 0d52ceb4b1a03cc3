#include <dalembert/linalg/detail/elimination.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace elimination_test {

using namespace dalembert::linalg::detail;

/// A square matrix row by row, in rows that begin `stride` numbers apart; what is between them is 7.
struct Rows {
  int n, stride;
  std::vector<double> numbers;

  Rows(int size, int apart) : n(size), stride(apart), numbers(static_cast<std::size_t>(size * apart), 7.0) {}
  double* data() { return numbers.data(); }
  double& operator()(int i, int j) { return numbers[static_cast<std::size_t>(stride * i + j)]; }
  double operator()(int i, int j) const { return numbers[static_cast<std::size_t>(stride * i + j)]; }
  bool keeps_gaps() const {
    for (int i = 0; i < n; ++i)
      for (int j = n; j < stride; ++j)
        if ((*this)(i, j) != 7) return false;
    return true;
  }
};

/// D₁ Q D₂ with entries of Q between −1 and 1, and D₁ and D₂ from 1e-6 to 1e6.
Rows random_rows(int n, int stride, test::Draw& draw) {
  Rows a(n, stride);
  std::vector<double> columns;
  for (int j = 0; j < n; ++j) columns.push_back(draw.power(-6, 6));
  for (int i = 0; i < n; ++i) {
    const double row = draw.power(-6, 6);
    for (int j = 0; j < n; ++j) a(i, j) = row * draw.between(-1, 1) * columns[static_cast<std::size_t>(j)];
  }
  return a;
}

TEST_CASE("a multiple of some numbers is taken from as many others", "[linalg]") {
  const double x[] = {1, -2, 4, 8};
  double y[] = {10, 20, 30, 40};
  subtract_multiple(0.5, x, y, 3);
  CHECK(y[0] == 9.5);
  CHECK(y[1] == 21);
  CHECK(y[2] == 28);
  CHECK(y[3] == 40);
  subtract_multiple(0.5, x, y, 0);
  CHECK(y[0] == 9.5);
}

TEST_CASE("a step exchanges an unknown of A x + y = 0 for a right side", "[linalg]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 200; ++round) {
    const int n = 1 + draw.below(6), row = draw.below(n), column = draw.below(n);
    Rows a(n, n + draw.below(3));
    const double size = draw.power(-6, 6);  // of A, and of y beside x
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) a(i, j) = size * draw.between(-1, 1);
    a(row, column) = size * draw.between(0.5, 1);
    std::vector<double> x, y;
    for (int i = 0; i < n; ++i) x.push_back(draw.between(-1, 1));
    for (int i = 0; i < n; ++i) {
      y.push_back(0);
      for (int j = 0; j < n; ++j) y.back() -= a(i, j) * x[static_cast<std::size_t>(j)];
    }
    REQUIRE(eliminate(a.data(), n, a.stride, row, column));
    std::swap(x[static_cast<std::size_t>(column)], y[static_cast<std::size_t>(row)]);
    for (int i = 0; i < n; ++i) {
      double sum = y[static_cast<std::size_t>(i)], terms = std::abs(sum);
      for (int j = 0; j < n; ++j) {
        sum += a(i, j) * x[static_cast<std::size_t>(j)];
        terms += std::abs(a(i, j) * x[static_cast<std::size_t>(j)]);
      }
      CHECK(std::abs(sum) < 1e-14 * terms);
    }
    CHECK(a.keeps_gaps());
  }
}

TEST_CASE("an inverse times its matrix is one, whatever the scales of rows and columns", "[linalg]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 300; ++round) {
    const int n = 1 + round % 8;
    const Rows a = random_rows(n, n + draw.below(3), draw);
    Rows inverse = a;
    REQUIRE(invert(inverse.data(), n, inverse.stride));
    CHECK(inverse.keeps_gaps());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = i == j ? -1 : 0, terms = 0;
        for (int k = 0; k < n; ++k) {
          sum += inverse(i, k) * a(k, j);
          terms = std::max(terms, std::abs(inverse(i, k) * a(k, j)));
        }
        CAPTURE(n, i, j, terms);
        CHECK(std::abs(sum) < 1e-12 * (1 + terms));
      }
  }
}

TEST_CASE("rows are exchanged where a pivot is zero or small beside others", "[linalg]") {
  Rows turn(3, 3);  // x → y → z → x: its inverse is its transpose
  std::fill(turn.numbers.begin(), turn.numbers.end(), 0.0);
  turn(0, 1) = turn(1, 2) = turn(2, 0) = 1;
  Rows inverse = turn;
  REQUIRE(invert(inverse.data(), 3, 3));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(inverse(i, j) == turn(j, i));
  for (const double sign : {1.0, -1.0}) {
    Rows small(2, 2);
    small(0, 0) = 1e-20;
    small(0, 1) = small(1, 1) = 1;
    small(1, 0) = sign;
    REQUIRE(invert(small.data(), 2, 2));
    CHECK(small(0, 0) == Approx(-sign).epsilon(1e-15));
    CHECK(small(0, 1) == Approx(sign).epsilon(1e-15));
    CHECK(small(1, 0) == Approx(1).epsilon(1e-15));
    CHECK(std::abs(small(1, 1)) < 1e-19);
  }
}

TEST_CASE("what has no inverse, or is no number, is told", "[linalg]") {
  for (int at = 0; at < 3; ++at)
    for (const double wrong : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
      Rows a(3, 3);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) a(i, j) = i == j ? 2 : 0;
      REQUIRE(invert(a.data(), 3, 3));
      a(at, at) = wrong;
      CHECK_FALSE(invert(a.data(), 3, 3));
    }
  double pivot = 0;
  CHECK_FALSE(eliminate(&pivot, 1, 1, 0, 0));
}

}  // namespace elimination_test
