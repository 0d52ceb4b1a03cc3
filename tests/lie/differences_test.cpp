#include <cmath>

#include <dalembert/lie/differences.hpp>
#include <dalembert/lie/se3.hpp>

#include "support/catch.hpp"

using namespace dalembert;

namespace differences_test {

using V = Vec<double, 3>;

TEST_CASE("differences of numbers and vectors are derivatives", "[lie][differences]") {
  const V at(0.4, -1.2, 2.0);
  const Mat<double, 1, 3> slope =
      difference_jacobian([](const V& x) { return std::sin(x[0]) * x[1] + x[2] * x[2]; }, at);
  CHECK((slope - Mat<double, 1, 3>(std::cos(0.4) * -1.2, std::sin(0.4), 4.0)).norm() < 1e-11);
  const Mat<double, 2, 3> J =
      difference_jacobian([](const V& x) { return Vec<double, 2>(x[0] * x[1], x[2]); }, at);
  Mat<double, 2, 3> expected;
  expected << -1.2, 0.4, 0, 0, 0, 1;
  CHECK((J - expected).norm() < 1e-11);
}

TEST_CASE("differences on a group are body derivatives", "[lie][differences]") {
  const SO3d g = SO3d::exp({0.3, 1.0, -0.7});
  const V p(1, 2, 3);
  // d/ds R exp(sω) p = R(ω × p) = −R p̂ ω
  const Mat<double, 3> moved = difference_jacobian([&](const SO3d& x) { return x.act(p); }, g);
  CHECK((moved + g.matrix() * SO3d::hat(p)).norm() < 1e-11);
  // the inverse turns a body velocity into minus the spatial one
  const Mat<double, 3> inverse = difference_jacobian([](const SO3d& x) { return x.inverse(); }, g);
  CHECK((inverse + g.Ad()).norm() < 1e-11);
  // multiplication from the right changes the frame
  const SO3d h = SO3d::exp({1, 0, 0.5});
  const Mat<double, 3> product = difference_jacobian([&](const SO3d& x) { return x * h; }, g);
  CHECK((product - h.inverse().Ad()).norm() < 1e-11);
}

TEST_CASE("differences in long double are finer", "[lie][differences]") {
  Vec<long double, 6> xi;
  xi << 0.3L, 1, -0.7L, 0.2L, 0.4L, -1;
  const Mat<long double, 6> J =
      difference_jacobian([](const Vec<long double, 6>& x) { return SE3<long double>::exp(x); }, xi);
  CHECK((J - SE3<long double>::right_jacobian(xi)).norm() < 1e-14L);
}

}  // namespace differences_test
