// expect: success

#include <dalembert/contact/touching_assembly.hpp>

#include "compile_fail/constraint.hpp"

using Mine = Own<WithScalar, WithName, WithMarkers, WithVelocity>;

int main() {
  const RigidBody<> ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{bodies(ball), constraints(Mine{}),
                         contact::Touching<>{.planes = {contact::Plane<>{}}}};
  (void)problem.state({ball.at({0, 0, 1})});
}
