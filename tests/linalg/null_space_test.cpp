#include <dalembert/linalg/null_space.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/plain_matrix.hpp"

namespace null_space_test {

using dalembert::linalg::NullSpace;
using dalembert::linalg::pivot_rounding;
using dalembert::linalg::Wide;
using test::PlainMatrix;

static_assert(std::is_same_v<Wide<float>, double>);
static_assert(std::is_same_v<Wide<double>, double>);
static_assert(std::is_same_v<Wide<long double>, long double>);

TEST_CASE("a product of whole numbers is exact, however many there are", "[linalg][null_space]") {
  test::Draw draw(test::seed());
  for (int n = 0; n <= 33; ++n) {
    std::vector<double> a, b;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      a.push_back(draw.below(201) - 100);
      b.push_back(draw.below(201) - 100);
      sum += a.back() * b.back();
    }
    CAPTURE(n);
    CHECK(dalembert::linalg::product(a.data(), b.data(), n) == sum);
  }
}

TEST_CASE("rounding of pivots grows with the products that are summed, and with that of the rows",
          "[linalg][null_space]") {
  const double epsilon = std::numeric_limits<double>::epsilon();
  CHECK(pivot_rounding<double>(0) >= 32 * epsilon);
  CHECK(pivot_rounding<double>(0) < 33 * epsilon);
  CHECK(pivot_rounding<double>(1000) > 200 * pivot_rounding<double>(0));
  // rows of floats are known to a thousand roundings, and what follows from others leaves the square
  const double rows = 1024.0 * static_cast<double>(std::numeric_limits<float>::epsilon());
  CHECK(pivot_rounding<float>(0) == Approx(rows * rows).epsilon(1e-6));
}

/// Null vectors that are the columns of a matrix.
void fill(NullSpace<double>& space, const PlainMatrix& columns) {
  space.clear(columns.rows);
  for (int d = 0; d < columns.cols; ++d) {
    std::vector<double>& v = space.add();
    CHECK(v == std::vector<double>(static_cast<std::size_t>(columns.rows), 0.0));
    for (int i = 0; i < columns.rows; ++i) v[static_cast<std::size_t>(i)] = columns(i, d);
    space.finish(d);
  }
}

TEST_CASE("null vectors become orthonormal, and what they span is taken away and no more",
          "[linalg][null_space]") {
  test::Draw draw(test::seed());
  NullSpace<double> space;
  for (const int n : {1, 2, 7, 20}) {
    for (int count = 0; count <= n && count < 6; ++count) {
      CAPTURE(n, count);
      PlainMatrix columns = draw.power(-6, 6) * test::random_matrix(n, count, draw);
      // nearly parallel ones too
      if (count > 1)
        for (int i = 0; i < n; ++i) columns(i, count - 1) = columns(i, 0) + 1e-7 * columns(i, count - 1);
      fill(space, columns);
      REQUIRE(space.count() == count);
      for (int a = 0; a < count; ++a)
        for (int b = 0; b <= a; ++b)
          CHECK(std::abs(dalembert::linalg::product(space[a].data(), space[b].data(), n) - (a == b)) < 1e-14);
      // x = N c + y, with y at right angles: y is left
      PlainMatrix along = columns * test::random_matrix(count, 1, draw), x = test::random_matrix(n, 1, draw);
      space.project(x.data());
      PlainMatrix both = x + 1 / (1e-300 + along.norm()) * along;
      space.project(both.data());
      CHECK((both - x).norm() < 1e-8);
      PlainMatrix again = x;
      space.project(again.data());
      CHECK((again - x).norm() < 1e-14);
      const PlainMatrix shares = columns.transpose() * x;
      CHECK(shares.norm() <= 1e-14 * static_cast<double>(n) * columns.norm());
      if (count == 0) CHECK(x.norm() > 0);
    }
  }
}

TEST_CASE("what is taken away of one unit vector is that entry", "[linalg][null_space]") {
  NullSpace<double> space;
  PlainMatrix unit(3);
  unit(1) = -1e-200;
  fill(space, 1e100 * unit);
  CHECK(space[0] == std::vector<double>{0, -1, 0});
  std::vector<double> x{3, 4, 5};
  space.project(x.data());
  CHECK(x == std::vector<double>{3, 0, 5});
}

TEST_CASE("a null space that had as many vectors of that size allocates nothing for others",
          "[linalg][null_space]") {
  test::Draw draw(test::seed());
  NullSpace<double> space;
  fill(space, test::random_matrix(9, 4, draw));
  CHECK(test::allocations_during([&] {
          space.clear(8);
          for (int d = 0; d < 3; ++d) {
            space.add()[static_cast<std::size_t>(d)] = 2;
            space.finish(d);
          }
        }) == 0);
  CHECK(space.count() == 3);
  CHECK(space[2] == std::vector<double>{0, 0, 1, 0, 0, 0, 0, 0});
}

}  // namespace null_space_test
