// Step 4: a contact of your own. The same sledge as a rigid body in space, on ice that is a constraint of an assembly.

#include "blade.hpp"

#include <cmath>
#include <iostream>
using namespace dalembert;

int main() {
  const double pull = 2, omega = 1.5;  // [m/s², rad/s]
  const assembly::RigidBody<double> sledge{
      {.mass = 60, .inertia = {0.8, 1, 1.5}, .gravity = {pull, 0, -9.6}}};
  const auto all = assembly::bodies(sledge);
  const auto [body] = all.handles();
  const assembly::Assembly problem{all, assembly::constraints(Blade{frame(body)})};
  auto state = problem.state({{body, sledge.at({0, 0, 0})}});
  state[body].set_velocity(0, {0, 0, 0}, {0, 0, omega});

  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 10.0}, monitor);
  const double x = state[body].position(0)[0], s = std::sin(omega * state.time) / omega;
  std::cout << "down the slope " << x << " m; by hand, on a cycloid, error " << std::abs(x - pull * s * s / 2)
            << " m\nlargest change of energy " << monitor.energy_error() << " J, largest slip "
            << monitor.violation().velocity << " m/s\n";
}
