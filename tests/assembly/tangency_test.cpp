// How places move so that their tangency holds, and where none would do.

#include <dalembert/assembly/detail/tangency.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace tangency_test {

using namespace dalembert;
using assembly::detail::slide;

TEST_CASE("places slide to where the linear tangency vanishes, whatever its scale", "[assembly]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 50; ++round) {
    const double size = draw.power(-6, 6);
    const Vec<double, 1> one(size * draw.between(-1, 1));
    const Mat<double, 1> slope = Mat<double, 1>::Constant(size * draw.between(0.5, 2));
    CHECK(std::abs(one[0] + slope(0, 0) * slide<1>(slope, one, 0.0)[0]) < 1e-15 * size);
    Mat<double, 2> slopes;
    slopes << draw.between(1, 2), draw.between(-0.5, 0.5), draw.between(-0.5, 0.5), draw.between(1, 2);
    slopes *= size;
    const Vec<double, 2> two(size * draw.between(-1, 1), size * draw.between(-1, 1));
    CHECK((two + slopes * slide<2>(slopes, two, 0.0)).norm() < 1e-14 * size);
  }
}

TEST_CASE("a tangency without a slope, or of parallel rods, moves no place", "[assembly]") {
  CHECK_THROWS_AS(slide<1>(Mat<double, 1>(Mat<double, 1>::Zero()), Vec<double, 1>(1.0), 2.0), ParallelRods);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(slide<1>(Mat<double, 1>(Mat<double, 1>::Constant(nan)), Vec<double, 1>(1.0), 2.0),
                  InvalidState);
  for (const double size : {1e-6, 1.0, 1e6}) {
    const double apart = 1.00001;
    Mat<double, 2> slopes;
    slopes << size, -size, -size, apart * size;
    CHECK_THROWS_AS(slide<2>(slopes, Vec<double, 2>(1, 1), 2.0), ParallelRods);
  }
}

}  // namespace tangency_test
