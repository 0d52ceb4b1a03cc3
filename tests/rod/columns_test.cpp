#include <dalembert/rod/columns.hpp>

#include <limits>

#include "support/catch.hpp"

namespace columns_test {

using namespace dalembert;

TEST_CASE("a total is the sum over the nodes, whatever stands in the padding", "[rod]") {
  for (Eigen::Index nodes = 1; nodes < 20; ++nodes) {
    CAPTURE(nodes);
    auto a = rod::zero_columns<double, 6>(nodes);
    a.setConstant(std::numeric_limits<double>::quiet_NaN());
    double expected = 0;
    for (Eigen::Index k = 0; k < nodes; ++k)
      for (int i = 0; i < 6; ++i) expected += a(k, i) = static_cast<double>(10 * k - 7 * i * i);
    CHECK(rod::total(a, nodes) == expected);
  }
}

TEST_CASE("the three numbers of a node are put and had back", "[rod]") {
  auto a = rod::zero_columns<double, 7>(5);
  const Vec<double, 3> x(1, -2, 3);
  rod::put3<4>(a, 2, x);
  CHECK(rod::at3<4>(a, 2) == x);
  CHECK(a(2, 5) == -2);
  CHECK(a.abs().sum() == 6);
}

}  // namespace columns_test
