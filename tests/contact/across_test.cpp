#include <dalembert/contact/across.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace across_test {

using namespace dalembert;
using V = Vec<double, 3>;

TEST_CASE("components across a direction are all of a vector but its part along it, whatever their lengths",
          "[contact]") {
  test::Draw draw(test::seed());
  for (int i = 0; i < 100; ++i) {
    const auto vector = [&] { return V(draw.between(-1, 1), draw.between(-1, 1), draw.between(-1, 1)); };
    const double size = draw.power(-6, 6);
    const V d = draw.power(-6, 6) * vector(), x = size * vector();
    const Vec<double, 2> of_x = contact::across(d, x);
    const double along = d.dot(x) / d.norm();
    CHECK(std::abs(of_x.squaredNorm() + along * along - x.squaredNorm()) < 1e-14 * size * size);
    CHECK(contact::across(d, d).norm() < 1e-15 * d.norm());
    CHECK((contact::across(V(7 * d), x) - of_x).norm() < 1e-14 * size);
    // a right-handed pair with the direction
    V e[2];
    for (int j = 0; j < 3; ++j) {
      const Vec<double, 2> column = contact::across(d, V(V::Unit(j)));
      e[0][j] = column[0];
      e[1][j] = column[1];
    }
    CHECK((e[0].cross(e[1]) - d / d.norm()).norm() < 1e-14);
  }
}

TEST_CASE("components across each axis of space are there", "[contact]") {
  for (int i = 0; i < 3; ++i) {
    const V x(0.3, -0.4, 1.2);
    const double rest = std::hypot(x[(i + 1) % 3], x[(i + 2) % 3]);
    CHECK(contact::across(V(V::Unit(i)), x).norm() == Approx(rest).epsilon(1e-15));
  }
}

}  // namespace across_test
