// A place of contact that slides from cell to cell of a rod: the force does not tell where cells end.

#include <cmath>
#include <vector>

#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"
#include "support/sliding_cells.hpp"

namespace touching_ripple_test {

using namespace sliding_cells;

/// A free rod in the groove between two that are clamped: it lies there by its weight and slides on.
double ripple_in_groove() {
  const double speed = 0.05;
  const rod::CircularSection section({.radius = a, .young = 1e6, .density = 1100});
  const auto rod_of = [&](int elements, double gravity, double damping, const rod::Boundary<>& ends) {
    return rod::ElasticRod<>(section, {.elements = elements,
                                       .length = elements * a,
                                       .start = ends,
                                       .finish = ends,
                                       .loads = {.gravity = {0, 0, -gravity}},
                                       .damping = {damping}});
  };
  const auto upper = rod_of(12, 9.81, 0, rod::Boundary<>::free());
  const auto side = rod_of(24, 0, 200, rod::Boundary<>::clamped());
  const assembly::Assembly problem{assembly::bodies(std::vector{upper, side, side}), contact::Touching<>{}};
  const auto beside = [&](double sign) {
    return side.straight(a * V(-12, sign * 1.3, 0), {.direction = {1, 0, 0}});
  };
  auto lying = upper.straight({-9.4 * a, 0, std::sqrt(4 - 1.3 * 1.3) * a}, {.direction = {1, 0, 0}});
  for (Eigen::Index k = 0; k < lying.nodes; ++k) lying.velocity(k, 0) = speed;
  auto state = problem.state(std::vector<rod::Chain<>>{lying, beside(1), beside(-1)});
  return ripple(problem, state, speed, 0.2);
}

TEST_CASE("cells that a contact slides over are not felt where rods cross", "[contact][touching]") {
  CHECK(ripple({.angle = 90}) < 1e-3);
  CHECK(ripple({.angle = 30}) < 1e-3);
  CHECK(ripple({.angle = 90, .other = 4, .elastic = false}) < 1e-3);
}

TEST_CASE("nor over an arch, across it or along it", "[contact][touching]") {
  for (const double angle : {0.0, 1.0, 30.0}) {
    CAPTURE(angle);
    CHECK(ripple({.angle = angle, .arch = 3, .depth = a, .elements = 48}) < 1e-3);
  }
}

TEST_CASE("nor in a groove", "[contact][touching]") { CHECK(ripple_in_groove() < 1e-3); }

TEST_CASE("a little by rods that hardly curve apart and are hardly pressed", "[contact][touching]") {
  CHECK(ripple({.angle = 10}) < 5e-3);
  CHECK(ripple({.other = 49, .elastic = false, .depth = 0.2 * a}) < 2e-2);
  CHECK(ripple({.angle = 0, .arch = 48, .depth = a, .elements = 48}) < 5e-3);
}

}  // namespace touching_ripple_test
