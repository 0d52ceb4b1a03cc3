// A knot of two turns in a soft rod, pulled so tight that the rod winds about a point of itself: there no place on it is
// the nearest one, and the gap of a cell jumps.

#include <algorithm>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace tight_knot_test {

using namespace dalembert;

/// The frames and velocities of the nodes of the braid.
rod::Chain<> braid() {
  const test::Json nodes = test::data("tight_knot.json")["nodes"];
  rod::Chain<> chain(static_cast<Eigen::Index>(nodes.size()));
  for (Eigen::Index k = 0; k < chain.nodes; ++k) {
    const test::Json& x = nodes[static_cast<std::size_t>(k)];
    chain.set_frame(k, SO3<>::from_quaternion(x[3].get<double>(), test::vector3(x, 4)), test::vector3(x));
    chain.set_velocity(k, test::vector3(x, 7), test::vector3(x, 10));
  }
  return chain;
}

TEST_CASE("a knot that is so tight that its gaps jump goes on, and nothing gets into each other",
          "[contact][touching]") {
  const rod::Chain<> chain = braid();
  const int elements = static_cast<int>(chain.nodes) - 1;
  REQUIRE(elements == 32);
  const rod::CircularSection section({.radius = 0.0016, .young = 0.18e6, .density = 1180});
  const rod::ElasticRod<> rod(section, {.elements = elements,
                                        .length = elements / 300.0,
                                        .start = rod::Boundary<>::clamped(),
                                        .finish = rod::Boundary<>::clamped(),
                                        .damping = {1}});
  const assembly::Assembly problem{rod, contact::Touching<>{.friction = 0.3}};
  auto state = problem.state({chain});
  const double kinetic = problem.kinetic_energy(state);
  double most = 0, deepest = 0, last = 0;
  const double before = contact::smallest_gap(problem, state);  // as it is laid
  CHECK(before > -1e-8);
  const auto look = [&](const auto& now, const auto& x) {  // at each step
    last = contact::smallest_gap(now, x);
    deepest = std::min(deepest, last);
    most = std::max(most, now.kinetic_energy(x));
    return 1.0;
  };
  const auto report =
      drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 0.05, .events = {{"look", look}}});
  CHECK(report.steps > 300);
  CHECK(deepest > before - 1e-14);
  CHECK(last > -1e-14);
  CHECK(contact::touches(problem, state).size() >= 5);
  CHECK(most < 4 * kinetic);  // what is left open kicks nothing
}

}  // namespace tight_knot_test
