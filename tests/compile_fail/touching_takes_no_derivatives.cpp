// expect: contacts that open and close take no numbers with derivatives

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/core/dual.hpp>

int main() {
  using namespace dalembert;
  using S = Dual<double, 1>;
  const assembly::RigidBody<S> ball{{.mass = S(1), .inertia = Vec<S, 3>::Ones()}};
  const assembly::Assembly problem{ball, contact::Touching<S>{.planes = {contact::Plane<S>{}}}};
  (void)problem.parts();
}
