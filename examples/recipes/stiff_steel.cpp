// A steel ruler clamped at one end is plucked: implicit steps a thousand times longer than explicit ones could be.

#include <dalembert/dalembert.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/rod/implicit.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const rod::RectangularSection steel({.width = 0.02, .height = 1e-3, .young = 2e11, .density = 7800});
  const auto held = rod::Boundary<>::clamped();
  const rod::ElasticRod<> ruler(steel, {.elements = 40, .length = 0.3, .start = held});
  rod::ElasticRod<> bent = ruler;
  bent.set_loads({.finish = {.force = {0, 1, 0}}});
  const assembly::Assembly plucked{bent}, problem{ruler};
  auto state = plucked.state({bent.straight({0, 0, 0})});
  (void)assembly::static_equilibrium(plucked, state);
  const double longest = stable_step(Verlet{}, problem, state, 1.0), step = 1e-3;
  analysis::EnergyMonitor monitor{problem};
  drive(DiscreteGradient{}, problem, state, {.step = step, .until = 1}, monitor);
  std::cout << "steps " << step / longest << " times the longest explicit one, change of energy "
            << monitor.energy_error() / monitor.last().energy << " of it\n";
}
