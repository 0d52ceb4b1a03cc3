// expect: success

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/core/dual.hpp>

int main() {
  using namespace dalembert;
  using S = double;
  const assembly::RigidBody<S> ball{{.mass = S(1), .inertia = Vec<S, 3>::Ones()}};
  const assembly::Assembly problem{ball, contact::Touching<S>{.planes = {contact::Plane<S>{}}}};
  (void)problem.parts();
}
