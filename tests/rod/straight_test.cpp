#include <dalembert/rod/straight.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/rod/material.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/section.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"

namespace straight_test {

using namespace dalembert;
using V = Vec<double, 3>;
using Line = rod::Straight<>;
using Catch::Matchers::ContainsSubstring;

TEST_CASE(
    "a straight rod lies along a direction of any length, turned out of the axes of space by the smallest "
    "angle",
    "[rod]") {
  test::Draw random(7);
  for (int k = 0; k < 300; ++k) {
    V d = random.vector();
    if (k % 3 == 1)
      d = V(1e-9 * d[0], 1e-9 * d[1], d[2] < 0 ? -1 : 1);  // close to the third axis, either way
    d *= random.power(-6, 6);
    const SO3d frame = Line{.direction = d}.frame();
    CHECK((frame.act(V(0, 0, 1)) - d / d.norm()).norm() < 1e-15);
    const V turned = frame.log();
    CHECK(std::abs(turned[2]) < 1e-15);  // about an axis across e₃
    CHECK(std::abs(turned.norm() - std::atan2(std::hypot(d[0], d[1]), d[2])) < 1e-14);
  }
  CHECK((Line{}.frame().matrix() - Mat<double, 3>::Identity()).norm() == 0);
  CHECK((Line{.direction = {0, 0, -2}}.frame().act(V(1, 2, 3)) - V(1, -2, -3)).norm() < 1e-15);
}

TEST_CASE("the normal of a straight rod is on the side of its first axis", "[rod]") {
  test::Draw random(7);
  for (int k = 0; k < 100; ++k) {
    const V d = random.vector() * random.power(-6, 6);
    const V n = random.vector() * random.power(-6, 6);
    const SO3d frame = Line{.direction = d, .normal = n}.frame();
    CHECK((frame.act(V(0, 0, 1)) - d / d.norm()).norm() < 1e-14);
    const V seen = frame.inverse().act(n) / n.norm();
    CHECK(std::abs(seen[1]) < 1e-14);
    CHECK(seen[0] > 0);
  }
}

TEST_CASE("a chain along a line is the one along its frame", "[rod]") {
  const rod::CircularSection section({.radius = 0.01, .young = 1e7, .density = 1e3});
  const rod::ElasticRod<> rod(rod::LinearElastic(section.stiffness_diagonal()),
                              {.elements = 4, .length = 2, .inertia = section.inertia()});
  const auto chain = rod.straight({1, 2, 3}, {.direction = {0, 3, 4}, .stretch = 1.5});
  CHECK((chain.position(4) - V(1, 2 + 3 * 0.6, 3 + 3 * 0.8)).norm() < 1e-14);
  CHECK((rod.straight({1, 2, 3}).tip().position - V(1, 2, 5)).norm() < 1e-14);
  CHECK(rod.straight({1, 2, 3}).root().position == V(1, 2, 3));
}

TEST_CASE("the frame of a line has derivatives", "[rod]") {
  using D = Dual<double, 1>;
  const double h = 1e-6;
  for (const V& d : {V(0.3, -0.4, 0.7), V(0.3, -0.4, -0.7), V(0, 0, 1)}) {
    const auto at = [&](double x) { return Line{.direction = d + x * V(0.3, 0.5, 0.1)}.frame().matrix(); };
    const Vec<D, 3> seeded(D(d[0], Vec<double, 1>(0.3)), D(d[1], Vec<double, 1>(0.5)),
                           D(d[2], Vec<double, 1>(0.1)));
    const auto frame = rod::Straight<D>{.direction = seeded}.frame().matrix();
    const Mat<double, 3> slope = (at(h) - at(-h)) / (2 * h);
    for (int i = 0; i < 9; ++i)
      CHECK(std::abs(frame(i / 3, i % 3).derivative(0) - slope(i / 3, i % 3)) < 1e-9);
  }
}

TEST_CASE("a line without a direction is refused, and a normal along it", "[rod]") {
  CHECK_THROWS_WITH((Line{.direction = {0, 0, 0}}.frame()), ContainsSubstring("Straight: direction = 0"));
  CHECK_THROWS_AS((Line{.direction = {0, std::numeric_limits<double>::quiet_NaN(), 0}}.frame()),
                  std::invalid_argument);
  CHECK_THROWS_WITH((Line{.direction = {1, 2, 3}, .normal = {-2, -4, -6}}.frame()),
                    ContainsSubstring("normal"));
  CHECK_THROWS_AS((Line{.normal = {1e300 * 1e300, 0, 0}}.frame()), std::invalid_argument);
}

}  // namespace straight_test
