// Energy and gaps of a run are watched: the energy every millisecond, the gap of each joint every tenth of a second.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const rod::CircularSection rubber({.radius = 0.01, .young = 2e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 20, .length = 0.5, .loads = {.gravity = {0, 0, -9.81}}});
  const auto all = bodies(rod, rod);
  const auto [a, b] = all.handles();
  const Assembly problem{all, constraints(SphericalJoint{root(a), FrameMarker<>::in_space({0, 0, 0})},
                                          SphericalJoint{tip(a), root(b)})};
  const auto level = rod.straight({0, 0, 0}, {.direction = {1, 0, 0}});
  auto state = problem.state({{a, level}, {b, rod.straight(level.tip().position)}});
  analysis::EnergyMonitor energy{problem, analysis::Keep::maxima};
  long calls = 0;
  Vec<double, 2> gap{0, 0};
  const auto gaps = [&](const auto& rods, const auto& now) {
    if (calls++ % 100 != 0) return;          // called at every output, it looks at each hundredth
    const auto rows = rods.row_errors(now);  // three for each joint, in their order
    for (int i = 0; i < 2; ++i) gap[i] = std::max(gap[i], rows.template segment<3>(3 * i).norm());
  };
  drive(Verlet{}, problem, state, {.cfl = 0.5, .until = 1, .output_interval = 1e-3}, energy, gaps);
  std::cout << "of " << energy.last().kinetic_energy << " J, off by at most " << energy.energy_error()
            << " J; gaps up to " << gap.transpose() << " m\n";
}
