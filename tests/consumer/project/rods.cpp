// Two rods in rolling contact, which the compiled library has.

#include <dalembert/dalembert.hpp>
#include <iostream>

#ifdef DALEMBERT_COMPILED
constexpr const char* whose = "left to the library";
#else
constexpr const char* whose = "compiled here";
#endif

int main() {
  using namespace dalembert;
  const systems::RollingRodsParameters<double> p{.elements = 20, .strike = 2};
  const auto start = systems::static_start(p);
  const auto problem = start.problem();
  auto state = start.state;
  systems::set_initial_velocity(problem, state, p);
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = state.time + 1e-2}, monitor);
  std::cout << whose << ": largest slip " << monitor.violation().velocity << " m/s\n" << std::hexfloat;
  for (const auto& chain : state.chains)
    std::cout << chain.position(10).transpose() << " " << chain.velocity.row(10) << "\n";
}
