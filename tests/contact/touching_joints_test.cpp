#include <cmath>
#include <numbers>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/rod.hpp>

#include "support/catch.hpp"

namespace touching_joints_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Plane;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double g = 9.81;

RigidBody<> ball_body(double mass, double radius) {
  const double j = 0.4 * mass * radius * radius;
  return RigidBody<>{{.mass = mass, .inertia = {j, j, j}, .gravity = {0, 0, -g}}};
}

/// Two balls on a plane with a massive bar between: a dumbbell of three bodies that joints hold together.
struct Dumbbell {
  double m = 0.3, a = 0.05, M = 0.8, half = 0.2;

  [[nodiscard]] auto problem(double friction) const {
    const auto all = bodies(ball_body(m, a), ball_body(m, a), ball_body(M, 0.1));
    const auto [one, two, bar] = all.handles();
    return Assembly{all,
                    constraints(SphericalJoint<>{frame(one), frame(bar, V(-half, 0, 0))},
                                SphericalJoint<>{frame(two), frame(bar, V(half, 0, 0))}),
                    Touching<>{.friction = friction, .planes = {Plane<>{}},
                               .balls = {{frame(one), a}, {frame(two), a}}}};
  }
};

TEST_CASE("balls that carry a bar share its weight, and roll with it", "[contact][touching]") {
  const Dumbbell d;
  const auto problem = d.problem(0.5);
  auto state = problem.state({ball_body(d.m, d.a).at({-d.half, 0, d.a}), ball_body(d.m, d.a).at({d.half, 0, d.a}),
                              ball_body(d.M, 0.1).at({0, 0, d.a})});
  // rolls sideways as one
  const double v = 0.7;
  state[0].set_velocity(0, {0, v, 0}, {-v / d.a, 0, 0});
  state[1].set_velocity(0, {0, v, 0}, {-v / d.a, 0, 0});
  state[2].set_velocity(0, {0, v, 0}, {0, 0, 0});
  for (const auto& t : contact::touches(problem, state))
    CHECK(std::abs(t.pressure() - (d.m + d.M / 2) * g) < 1e-12 * d.M * g);
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 1}, monitor);
  CHECK(std::abs(state[2].position(0)[1] - v) < 1e-12);
  CHECK(problem.constraint(state).position < 1e-15);
  CHECK(problem.constraint(state).velocity < 1e-13);
  CHECK(monitor.balance_error() < 1e-12);
  const auto touches = contact::touches(problem, state);
  REQUIRE(touches.size() == 2);
  for (const auto& t : touches) {
    CHECK(std::abs(t.pressure() - (d.m + d.M / 2) * g) < 1e-12 * d.M * g);
    CHECK(t.slip.norm() < 1e-13);
    CHECK(t.gap >= -1e-16);
  }
}

}  // namespace touching_joints_test
