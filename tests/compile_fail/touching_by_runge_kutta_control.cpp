// expect: success

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

int main() {
  using namespace dalembert;
  const assembly::RigidBody<> ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const assembly::Assembly problem{ball, contact::Touching<>{.planes = {contact::Plane<>{}}}};
  auto state = problem.state({ball.at({0, 0, 1})});
  drive(Verlet{}, problem, state, {.step = 0.01, .until = 1});
}
