#include <dalembert/statics/statics.hpp>

#include <algorithm>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>

#include "support/catch.hpp"

namespace static_contradictions_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Marker = FrameMarker<double>;
using Joint = SphericalJoint<double>;
using Catch::Matchers::ContainsSubstring;
using V = Vec<double, 3>;

Body heavy() {
  const Body::Parameters p{.mass = 1, .inertia = {0.1, 0.1, 0.1}, .gravity = {0, 0, -9.81}};
  return Body(p);
}

TEST_CASE("rows that contradict each other in statics are named with their bodies", "[assembly][statics]") {
  const Body body = heavy();
  const auto solve = [&](const std::vector<Joint>& joints) {
    const Assembly problem{assembly::bodies(std::vector{body, body}), assembly::constraints(joints)};
    auto x = problem.state({body.at({0, 0, 0}), body.at({0, 0, 5})});
    return static_equilibrium(problem, x);
  };
  const Marker origin = Marker::in_space({0, 0, 0}), beside = Marker::in_space({1, 0, 0});
  // a body in two places at once
  CHECK_THROWS_AS(solve({{{0}, origin}, {{0}, beside}, {{1}, origin}}), IncompatibleConstraints);
  CHECK_THROWS_WITH(solve({{{0}, origin}, {{0}, beside}, {{1}, origin}}),
                    ContainsSubstring("row x [m] of SphericalJoint") &&
                        ContainsSubstring("(body 0, space) contradicts other rows") &&
                        ContainsSubstring("beyond the load factor 0"));
  // two places of a body on one of another
  CHECK_THROWS_WITH(solve({{{0}, origin}, {{1}, {0}}, {{1, 0, {0.1, 0, 0}}, {0}}}),
                    ContainsSubstring("(body 1, body 0)"));
  // the same rows twice are none
  const auto found = solve({{{0}, origin}, {{0}, origin}, {{1}, beside}});
  CHECK(found.multipliers[2] == Approx(9.81 / 2));
  CHECK(found.multipliers[5] == Approx(9.81 / 2));
  CHECK(found.multipliers[8] == Approx(9.81));
}

TEST_CASE("rows that come to contradict each other along a path are named, and what was found is kept",
          "[assembly][statics]") {
  const Body body = heavy();
  auto bodies = assembly::bodies(std::vector{body});
  auto constraints =
      assembly::constraints(std::vector<Joint>(2, {{0, 0, {0, 0, 0.5}}, Marker::in_space({0, 0, 0})}));
  auto x = Assembly{bodies, constraints}.state({body.at({0.3, 0, -0.4}, SO3<double>::exp(V(0, -0.6435, 0)))});
  // both go up together, and from the middle on the second also goes aside
  const auto path = [&](double factor, auto&, auto& joints, assembly::State<double>&) {
    std::get<0>(joints)[0].b = Marker::in_space({0, 0, factor});
    std::get<0>(joints)[1].b = Marker::in_space({0, std::max(0.0, factor - 0.5), factor});
  };
  CHECK_THROWS_AS(static_equilibrium(bodies, constraints, x, path), IncompatibleConstraints);
  CHECK((x[0].position(0) - V(0, 0, 0)).norm() < 1e-3);  // hangs half a metre below the joints
  CHECK_THROWS_WITH(static_equilibrium(bodies, constraints, x, path),
                    ContainsSubstring("row y [m] of SphericalJoint") && ContainsSubstring("(body 0, space)"));
}

TEST_CASE("loads without an equilibrium are no contradiction of rows", "[assembly][statics]") {
  const Body body = heavy();
  // a ball in no joint at all beside one that hangs
  const Assembly problem{
      assembly::bodies(std::vector{body, body}),
      assembly::constraints(std::vector{Joint{{0, 0, {0, 0, 1}}, Marker::in_space({0, 0, 0})}})};
  auto x = problem.state({body.at({0, 0.1, -1}), body.at({0, 0, 5})});
  CHECK_THROWS_AS(static_equilibrium(problem, x), NoConvergence);
}

}  // namespace static_contradictions_test
