#include <dalembert/rod/interpolation.hpp>

#include <cmath>

#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace interpolation_test {

using namespace dalembert;
using rod::Chain;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

/// A node on a curve, with a frame that turns about an axis which turns too.
Chain<double> at(double t) {
  Chain<double> chain(3);
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double p = static_cast<double>(k);
    const V w1(0, 0, 3 + p), w2(1, 2, 0);
    const SO3<double> first = SO3<double>::exp(V(std::sin(t) * w1)), second = SO3<double>::exp(V(t * w2));
    chain.set_frame(k, first * second, V(std::cos(2 * t + p), t * t, p * std::sin(t)));
    chain.set_velocity(k, V(-2 * std::sin(2 * t + p), 2 * t, p * std::cos(t)),
                       second.inverse().act(V(std::cos(t) * w1)) + w2);
  }
  return chain;
}

/// Errors of position, frame and velocities halfway, for states that are h apart.
Vec<double, 4> errors(double h) {
  const double t = 0.7;
  const auto guess = rod::interpolated(at(t), t, at(t + h), t + h, t + 0.4 * h), exact = at(t + 0.4 * h);
  Vec<double, 4> worst = Vec<double, 4>::Zero();
  for (Eigen::Index k = 0; k < 3; ++k) {
    const Vec<double, 4> e((guess.position(k) - exact.position(k)).norm(),
                           (guess.rotation(k).inverse() * exact.rotation(k)).log().norm(),
                           (guess.linear_velocity(k) - exact.linear_velocity(k)).norm(),
                           (guess.angular_velocity(k) - exact.angular_velocity(k)).norm());
    worst = worst.cwiseMax(e);
  }
  return worst;
}

TEST_CASE("a rod between two states has frames of fourth and velocities of third order", "[rod]") {
  const Vec<double, 4> coarse = errors(0.04), fine = errors(0.02);
  for (int i = 0; i < 4; ++i) {
    CAPTURE(i, coarse[i], fine[i]);
    CHECK(coarse[i] < 1e-3);
    CHECK_THAT(std::log2(coarse[i] / fine[i]), WithinAbs(i < 2 ? 4 : 3, 0.2));
  }
}

TEST_CASE("both states are met", "[rod]") {
  const auto first = at(0.1), second = at(0.3);
  for (const auto& [time, there] : {std::pair{0.1, first}, std::pair{0.3, second}}) {
    const auto chain = rod::interpolated(first, 0.1, second, 0.3, time);
    for (Eigen::Index k = 0; k < 3; ++k) {
      CHECK((chain.position(k) - there.position(k)).norm() < 1e-15);
      CHECK((chain.rotation(k).inverse() * there.rotation(k)).log().norm() < 1e-14);
      CHECK((chain.linear_velocity(k) - there.linear_velocity(k)).norm() < 1e-14);
      CHECK((chain.angular_velocity(k) - there.angular_velocity(k)).norm() < 1e-13);
    }
  }
}

TEST_CASE("there is nothing between states in another order, or of other rods", "[rod]") {
  const auto x = at(0);
  CHECK_THROWS_WITH(rod::interpolated(x, 0, x, 1, 1.5), ContainsSubstring("time = 1.5"));
  CHECK_THROWS_WITH(rod::interpolated(x, 1, x, 0, 0.5), ContainsSubstring("later time = 0"));
  CHECK_THROWS_WITH(rod::interpolated(x, 0, Chain<double>(4), 1, 0.5), ContainsSubstring("nodes = 4"));
}

}  // namespace interpolation_test
