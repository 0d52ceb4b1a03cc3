// Ends that are held, or led, have no mass that contacts could move: where one is led into something the run
// ends with an error that names both, and where they stay as they are it goes on.

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace touching_led_test {

using namespace dalembert;
using V = Vec<double, 3>;

using Parameters = rod::ElasticRod<>::Parameters;

constexpr double a = 0.005, length = 0.2;
const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
const rod::Loads<> weight{.gravity = {0, 0, -9.81}};

/// A rod along x whose end that looks at the other rod is led, on the left of it or on the right.
rod::ElasticRod<> rod_with_led_end(bool left, const V& from, const V& velocity) {
  const auto led = rod::Boundary<>::prescribed([=](double t) {
    return rod::EndMotion<>{from + t * velocity, {std::sqrt(0.5), 0, std::sqrt(0.5), 0}, velocity};
  });
  const auto free = rod::Boundary<>::free();
  return {rubber,
          {.elements = 8,
           .length = length,
           .start = left ? free : led,
           .finish = left ? led : free,
           .loads = weight,
           .damping = {.rate = 20}}};
}

/// Two rods in line, their ends `apart` from each other, which are led at these velocities.
struct Led {
  double apart = 1e-4;
  V right{-0.05, 0, 0}, left{0, 0, 0};
  V at{0, 0, 0};          ///< where all of it is
  bool on_table = false;  ///< and under a third rod, which falls on the end that is held
  /// What stops it, or nothing; it goes for 20 ms.
  std::string run() const {
    const V end = at + V(length, 0, 0), other = end + V(2 * a + apart, 0, 0);
    contact::Touching<> touching{.friction = 0.1};
    if (on_table) touching.planes = {contact::Plane<>{.point = at - V(0, 0, a)}};
    std::vector rods{rod_with_led_end(true, end, left), rod_with_led_end(false, other, right)};
    if (on_table) rods.emplace_back(rubber, Parameters{.elements = 8, .length = length, .loads = weight});
    const assembly::Assembly problem{rods, touching};
    const rod::Straight<> along{.direction = V(1, 0, 0)};
    std::vector chains{rods[0].straight(at, along), rods[1].straight(other, along)};
    if (on_table)
      chains.push_back(rods[2].straight(end + V(0, -length / 2, 2 * a + 1e-5), {.direction = V(0, 1, 0)}));
    auto state = problem.state(std::move(chains));
    auto stepper = Verlet{}.stepper(problem, state);
    const double h = 1e-4;
    try {
      while (state.time < 0.02) (void)stepper.step(problem, state, h);
    } catch (const BodiesOverlap& overlap) {
      CHECK(overlap.depth() > 0);
      CHECK(overlap.depth() < 2 * h * 0.05);
      return overlap.what();
    }
    return "";
  }
};

TEST_CASE("an end led into another one that is held is refused, for nothing there can move",
          "[contact][touching]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(Led{}.run(), ContainsSubstring("body 0 at node 8 and body 1, of which nothing can move there"));
  CHECK_THAT(Led{.on_table = true}.run(), ContainsSubstring("of which nothing can move there"));
}

TEST_CASE("ends held inside each other and led together stay so", "[contact][touching]") {
  const V together(-0.05, 0.02, 0);
  CHECK(Led{.apart = -1e-4, .right = together, .left = together}.run().empty());
  CHECK(Led{.apart = -1e-4, .right = together, .left = together, .on_table = true}.run().empty());
  const V far(1e3, -2e3, 5e2);  // where a gap that stays changes by rounding
  CHECK(Led{.apart = -1e-4, .right = together, .left = together, .at = far, .on_table = true}.run().empty());
  CHECK(Led{.apart = 1e-4, .right = V(0.05, 0, 0)}.run().empty());  // and those led apart go
}

}  // namespace touching_led_test
