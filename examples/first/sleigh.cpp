// Chaplygin's sleigh, a body on one knife edge: ten seconds, and what its energy says about them.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const systems::ChaplyginSleigh sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  const LagrangeDAlembert problem{sleigh};
  auto state = problem.state(SE2<double>::identity(), {0.3, 0.0, 1.2});
  analysis::EnergyMonitor monitor{problem};
  drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 10.0}, monitor);
  std::cout << "largest change of energy " << monitor.energy_error() << " J\n";
}
