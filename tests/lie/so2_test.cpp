#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/lie/so2.hpp>

#include "lie/reference.hpp"
#include "support/catch.hpp"

using namespace dalembert;
using reference::Long;

namespace so2_test {

TEST_CASE("exp and log of SO(2) are accurate to a few ulp from 1e-14 to pi", "[lie][so2]") {
  double sine = 0, cosine = 0, log = 0;  // in units of ε, of the size of the angle up to 1
  const auto off = [](double given, Long expected, Long scale) {
    return static_cast<double>(std::abs((static_cast<Long>(given) - expected) / scale)) /
           std::numeric_limits<double>::epsilon();
  };
  for (const double size : reference::angles()) {
    for (const double angle : {size, -size}) {
      const SO2d g = SO2d::from_angle(angle);
      const Long exact = static_cast<Long>(angle);
      sine = std::max(sine, off(g.sine(), std::sin(exact), std::min(1.0L, std::abs(exact))));
      cosine = std::max(cosine, off(g.cosine(), std::cos(exact), 1));
      const Long back = std::atan2(static_cast<Long>(g.sine()), static_cast<Long>(g.cosine()));
      log = std::max(log, off(g.angle(), back, back));
    }
  }
  CAPTURE(sine, cosine, log);
  CHECK(sine < 4);
  CHECK(cosine < 4);
  CHECK(log < 4);
}

TEST_CASE("SO(2) turns the plane anticlockwise", "[lie][so2]") {
  const SO2d g = SO2d::from_angle(static_cast<double>(pi / 2));
  CHECK((g.act({1, 0}) - Vec<double, 2>(0, 1)).norm() < 1e-15);
  CHECK((g.matrix() * Vec<double, 2>(1, 0) - Vec<double, 2>(0, 1)).norm() < 1e-15);
  CHECK(SO2d::from_direction(0, 3).angle() == Approx(static_cast<double>(pi / 2)));
  CHECK(SO2d::from_direction(-1, -1).angle() == Approx(static_cast<double>(-3 * pi / 4)));
  CHECK_THROWS_AS(SO2d::from_direction(0, 0), std::invalid_argument);
}

TEST_CASE("many turns keep the digits of the angle", "[lie][so2]") {
  for (const double angle : {3.01, -12.0, 1e3, -1e9}) {
    CHECK(SO2d::from_angle(angle).cosine() == std::cos(angle));
    CHECK(SO2d::from_angle(angle).sine() == std::sin(angle));
  }
}

TEST_CASE("the derivative of an angle is 1 all round the circle", "[lie][so2]") {
  for (double angle = -3.1; angle < 3.14; angle += 0.1) {
    const double slope = derivative(
        [](const auto& s) { return SO2<std::decay_t<decltype(s)>>::from_angle(s).angle(); }, angle);
    CHECK(slope == Approx(1).epsilon(2e-15));
  }
}

}  // namespace so2_test
