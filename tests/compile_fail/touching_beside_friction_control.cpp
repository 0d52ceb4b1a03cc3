// expect: success

#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/touching_assembly.hpp>

#include "compile_fail/constraint.hpp"

int main() {
  const RigidBody<> ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const contact::RollingOnPlane<> rolling{{0}, 0.1, {}};
  const Assembly problem{bodies(ball), constraints(rolling),
                         contact::Touching<>{.planes = {contact::Plane<>{}}}};
  (void)problem.state({ball.at({0, 0, 1})});
}
