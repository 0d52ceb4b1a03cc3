// One problem by several integrators: what each keeps of the energy, and of the constraint ż = yẋ.

#include <cstdio>
#include <dalembert/dalembert.hpp>
using namespace dalembert;

int main() {
  const LagrangeDAlembert problem{systems::NonholonomicParticle<>{}};
  const auto compare = [&](const char* name, const auto& method) {
    auto state = problem.state(Rn<double, 3>({0, 1, 0}), {1, -0.2, 1});
    analysis::EnergyMonitor monitor{problem};
    drive(method, problem, state, {.step = 0.1, .until = 10.0}, monitor);
    std::printf("%-32s change of energy %.0e J   slip %.0e m/s\n", name, monitor.energy_error(),
                monitor.violation().velocity);
  };
  compare("RungeKutta4", RungeKutta4{});
  compare("DormandPrince853", DormandPrince853{});
  compare("NonholonomicMcLachlanPerlmutter", NonholonomicMcLachlanPerlmutter{});
  compare("NonholonomicEnergyPreserving", NonholonomicEnergyPreserving{});
  compare("Gauss<3>", Gauss<3>{});
}
