#include <dalembert/linalg/detail/growing.hpp>

#include <utility>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace growing_test {

using Matrix = dalembert::linalg::detail::Growing<Eigen::MatrixXd>;
using Column = dalembert::linalg::detail::Growing<Eigen::VectorXd>;

/// Numbers that tell where they are.
Eigen::MatrixXd numbers(Eigen::Index rows, Eigen::Index cols) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [](auto i, auto j) { return double(10 * i + j + 1); });
}

TEST_CASE("a matrix that grows takes memory for the largest size only", "[linalg]") {
  Matrix a;
  Column b;
  CHECK(a.rows() == 0);
  CHECK(a.cols() == 0);
  CHECK(b.size() == 0);
  CHECK(test::allocations_during([&] { a.resize(4, 5); }) == 1);
  CHECK(a.isZero(0));
  b.resize(20);
  const double* const memory = a.data();
  CHECK(test::allocations_during([&] {
          a.resize(2, 3);
          a.resize(10, 2);
          a.set_zero(1, 20);
          b.resize(7);
          b.set_zero(20);
          a.resize(5, 4);
        }) == 0);
  CHECK(a.data() == memory);
  CHECK(a.rows() == 5);
  CHECK(a.cols() == 4);
  CHECK(b.rows() == 20);
  a.resize(5, 5);
  CHECK(a.size() == 25);
  CHECK(a.isZero(0));
}

TEST_CASE("numbers stay in memory while the size changes, until they are set to zero", "[linalg]") {
  Matrix a(numbers(3, 4));
  a.resize(2, 2);
  CHECK(a(0, 0) == 1);
  CHECK(a(0, 1) == 21);  // the third of a column of three
  a.resize(3, 4);
  CHECK(a == numbers(3, 4));
  a.set_zero(3, 2);
  CHECK(a.isZero(0));
  a.resize(3, 4);
  CHECK(a.leftCols(2).isZero(0));
  CHECK(a.rightCols(2) == numbers(3, 4).rightCols(2));
}

TEST_CASE("copies have numbers of their own", "[linalg]") {
  const Eigen::MatrixXd wanted = numbers(4, 2);
  Matrix a(wanted), b(a), c;
  c = a;
  c = std::as_const(c);
  CHECK(c == wanted);
  a.setZero();
  a.resize(40, 20);
  CHECK(b == wanted);
  CHECK(c == wanted);
  Matrix taken(std::move(b));
  CHECK(taken == wanted);
  std::vector<Column> list(3, Column(wanted.col(1)));
  list.resize(100);
  list[0][0] = -1;
  CHECK(list[1] == wanted.col(1));
  CHECK(list[99].size() == 0);
}

TEST_CASE("an expression gives its size and its numbers, and products work as those of Eigen", "[linalg]") {
  Matrix a(numbers(3, 3)), b;
  Column x(Eigen::Vector3d(1, -1, 2)), y;
  b = a.transpose() * a;
  y = b * x;
  CHECK(y == numbers(3, 3).transpose() * numbers(3, 3) * Eigen::Vector3d(1, -1, 2));
  CHECK(test::allocations_during([&] { y = 2 * x.head(2); }) == 0);
  CHECK(y == Eigen::Vector2d(2, -2));
  y += x.tail(2);
  CHECK(y == Eigen::Vector2d(1, 0));
}

}  // namespace growing_test
