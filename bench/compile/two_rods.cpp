// The second program of README.md.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const systems::RollingRodsParameters<double> p{.elements = 100, .strike = 4.0};
  const auto start = systems::static_start(p);  // hooked into each other, in equilibrium
  const auto problem = start.problem();
  auto state = problem.state(start.chains, start.equilibrium.contact);
  systems::set_initial_velocity(problem, state, p);
  analysis::Ledger ledger{problem};
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 5.0, .output_interval = 1e-3}, ledger);
  std::cout << "largest change of energy " << ledger.energy_error() << " J\n";
}
