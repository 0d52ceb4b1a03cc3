// expect: contacts that open and close are stepped by Verlet alone

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

int main() {
  using namespace dalembert;
  const assembly::RigidBody<> ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const assembly::Assembly problem{ball, contact::Touching<>{.planes = {contact::Plane<>{}}}};
  auto state = problem.state({ball.at({0, 0, 1})});
  drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 1});
}
