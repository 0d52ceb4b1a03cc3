// Two rods in rolling contact: hooked into each other, in equilibrium, then struck.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const systems::RollingRodsParameters<double> p{.elements = 100, .strike = 4.0};
  const auto start = systems::static_start(p);  // hooked into each other, in equilibrium
  const auto problem = start.problem();
  auto state = start.state;
  systems::set_initial_velocity(problem, state, p);
  const double kinetic_energy = problem.kinetic_energy(state);
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state,
        {.step = 1e-4,
         .until = 2.0,
         .output_interval = 1e-3,
         .checks = {contact::no_overlap(problem)}},  // the rods must not meet where they have no contact
        monitor);
  std::cout << "largest change of energy " << monitor.energy_error() / kinetic_energy
            << " of the kinetic energy, largest slip " << monitor.violation().velocity << " m/s\n";
}
