// Numbers of one constraint among those of all.

#include <dalembert/assembly/detail/segments.hpp>

#include <Eigen/Core>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace segments_test {

using namespace dalembert;
using assembly::detail::put;
using assembly::detail::take;
using Column = Eigen::VectorXd;

TEST_CASE("numbers that are put at a place are found there, and no others change", "[assembly][segments]") {
  test::Draw draw(test::seed());
  for (const double size : {1e-6, 1.0, 1e6}) {
    const Column before = size * Column::NullaryExpr(9, [&] { return draw.between(-1, 1); });
    for (int first = 0; first + 3 <= 9; ++first) {
      CAPTURE(first);
      Column all = before;
      const Vec<double, 3> x = size * draw.vector();
      put(x, all, first);
      CHECK(take<3>(all, first) == x);
      CHECK(all.head(first) == before.head(first));
      CHECK(all.tail(6 - first) == before.tail(6 - first));
      CHECK(take<2>(all, first + 1) == x.tail<2>());
      CHECK(take<3>(before, first) == before.segment<3>(first));
    }
  }
}

TEST_CASE("expressions are put as their values, and nothing where there are no numbers",
          "[assembly][segments]") {
  Column all = Column::LinSpaced(5, 1, 5);
  const Vec<double, 2> x(7, 8), y(1, -1);
  put(x + 2 * y, all, 3);
  CHECK(all == (Column(5) << 1, 2, 3, 9, 6).finished());
  put(Vec<double, 0>{}, all, 5);
  CHECK(take<0>(all, 5).size() == 0);
  put(Column(Column::Constant(2, 4)), all, 0);
  CHECK(all == (Column(5) << 4, 4, 3, 9, 6).finished());
}

TEST_CASE("the slots of constraints split a column into their numbers", "[assembly][segments]") {
  const assembly::detail::Slot first{}, second{.kind = 1, .number = 2, .row = 2, .position = 1, .z = 1};
  Column rows = Column::Zero(5);
  put(Vec<double, 2>(1, 2), rows, first.row);
  put(Vec<double, 3>(3, 4, 5), rows, second.row);
  CHECK(rows == Column(Column::LinSpaced(5, 1, 5)));
  CHECK(first.index + first.kind + first.number == 0);
}

}  // namespace segments_test
