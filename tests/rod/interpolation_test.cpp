#include <dalembert/rod/interpolation.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/section_state.hpp>

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

TEST_CASE("the moment in a section between two states of a run is that of the run", "[rod]") {
  using Rod = rod::ElasticRod<double>;
  Rod::Parameters p;
  p.start = rod::Boundary<double>::clamped();
  const Rod model = test::soft_rod<Rod>(0.02, 20, p);
  Chain<double> chain = model.straight(V::Zero(), SO3<double>::identity());
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {  // bent evenly, and twisted
    const double s = model.spacing() * static_cast<double>(k);
    chain.set_velocity(k, V(s * s, 0, 0), V(0, 2 * s, 3 * s));
  }
  const assembly::Assembly problem{assembly::bodies(std::vector{model})};
  auto x = problem.state({chain});
  auto stepper = Verlet{}.stepper(problem, x);
  const double step = 1e-4;
  std::vector<Chain<double>> seen;
  for (int i = 0; i < 240; ++i) {
    (void)stepper.step(problem, x, step);
    seen.push_back(x[0]);
  }
  const auto error = [&](std::size_t apart) {
    double worst = 0, size = 0;
    for (std::size_t i = 100; i + apart < seen.size(); i += apart) {
      const std::size_t middle = i + apart / 2;
      const auto guess = rod::interpolated(seen[i], 0, seen[i + apart], 1e-4 * static_cast<double>(apart),
                                           1e-4 * static_cast<double>(apart / 2));
      const V there = rod::section_at(model, seen[middle], 0.33).moment;
      worst = std::max(worst, (rod::section_at(model, guess, 0.33).moment - there).norm());
      size = std::max(size, there.norm());
    }
    return worst / size;
  };
  CAPTURE(error(16), error(8), error(4));
  CHECK(error(8) < 1e-3);
  CHECK(error(16) / error(8) > 8);  // of fourth order, where waves are resolved
}

TEST_CASE("there is nothing between states in another order, or of other rods", "[rod]") {
  const auto x = at(0);
  CHECK_THROWS_WITH(rod::interpolated(x, 0, x, 1, 1.5), ContainsSubstring("time = 1.5"));
  CHECK_THROWS_WITH(rod::interpolated(x, 1, x, 0, 0.5), ContainsSubstring("later time = 0"));
  CHECK_THROWS_WITH(rod::interpolated(x, 0, Chain<double>(4), 1, 0.5), ContainsSubstring("nodes = 4"));
}

}  // namespace interpolation_test
