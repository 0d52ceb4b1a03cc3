// How far a cantilever bends under a force at its tip, beside Timoshenko's theory of small deflections.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const double length = 0.5, force = 1e-3, radius = 5e-3, young = 2e9, poisson = 0.35;
  const rod::CircularSection bar({.radius = radius, .young = young, .poisson = poisson, .density = 1200});
  const rod::ElasticRod<> rod(bar, {.elements = 100,
                                    .length = length,
                                    .start = rod::Boundary<>::clamped(),
                                    .loads = {.finish = {.force = {force, 0, 0}}}});
  const assembly::Assembly problem{rod};
  auto state = problem.state({rod.straight({0, 0, 0})});
  (void)assembly::static_equilibrium(problem, state);
  const auto k = bar.stiffness_diagonal();  // shear 1, shear 2, stretch; bending 1, bending 2, twist
  const double theory = force * length * (length * length / (3 * k[4]) + 1 / k[0]);
  std::cout << "tip at " << state[0].tip().position[0] << " m, by theory " << theory << " m\n";
}
