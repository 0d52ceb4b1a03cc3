// Natural frequencies of a rod about its equilibrium: a cantilever that its own weight bends.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const rod::CircularSection rubber({.radius = 0.01, .young = 2e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 80,
                                       .length = 0.5,
                                       .start = rod::Boundary<>::clamped(),
                                       .loads = {.gravity = {0, 0, -9.81}}});
  const assembly::Assembly problem{rod};
  auto state = problem.state({rod.straight({0, 0, 0}, {.direction = {1, 0, 0}})});
  (void)assembly::static_equilibrium(problem, state);
  std::cout << "the tip hangs at " << state[0].tip().position.transpose() << " m\n";
  for (const auto& mode : assembly::modes(problem, state, {.count = 6}))
    std::cout << mode.frequency() / 6.28318531 << " Hz\n";
}
