// expect: beside contacts that slip, rows of other constraints hold: leave friction to the contacts

#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/touching_assembly.hpp>

#include "compile_fail/constraint.hpp"

int main() {
  const RigidBody<> ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const contact::RollingOnPlane<> rolling{{0}, 0.1, {}};
  const Assembly problem{bodies(ball), constraints(contact::with_friction(rolling, 0.1)),
                         contact::Touching<>{.planes = {contact::Plane<>{}}}};
  (void)problem.state({ball.at({0, 0, 1})});
}
