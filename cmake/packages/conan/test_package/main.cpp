// Chaplygin's sleigh with the packed headers: its energy must not change.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const systems::ChaplyginSleigh sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  const LagrangeDAlembert problem{sleigh};
  auto state = problem.state(SE2<double>::identity(), {0.3, 0.0, 1.2});
  const double energy = problem.energy(state);
  drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 1.0});
  const double error = std::abs(problem.energy(state) - energy);
  std::cout << "dalembert " << version << ": energy " << energy << " J, change " << error << " J\n";
  return error < 1e-8 ? 0 : 1;
}
