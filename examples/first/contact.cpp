// What a rolling contact does: where it is on each rod, how hard it presses, and how much friction it needs.

#include <cstdio>
#include <dalembert/dalembert.hpp>
using namespace dalembert;

int main() {
  const systems::RollingRodsParameters<double> p{.elements = 60, .kernel_width = 0.02, .strike = 2.0};
  const auto start = systems::static_start(p);
  const auto problem = start.problem();
  auto state = start.state;
  systems::set_initial_velocity(problem, state, p);

  auto rates = problem.make_rates();
  const auto print = [&](const auto& rods, const auto& at) {
    rods.rates(at, rates);
    const auto seen = contact::evaluate(start.crossing, at, rates.lambda);
    const auto& force = seen.components;
    std::printf("t = %.2f s: s = (%.4f, %.4f) m, normal force %.3f N, |tangential|/normal %.3f\n", at.time,
                seen.s[0], seen.s[1], force[0], contact::required_friction(force));
  };
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 0.1, .output_interval = 0.02}, print);
  std::printf("slip %.0e m/s\n", problem.constraint(state).velocity);
}
