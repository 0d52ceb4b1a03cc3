// Two rubber rods on a joint swing from a hook.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const rod::CircularSection rubber({.radius = 0.01, .young = 2e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 20, .length = 0.5, .loads = {.gravity = {0, 0, -9.81}}});
  const auto all = bodies(rod, rod);
  const auto [a, b] = all.handles();
  const auto hook = FrameMarker<>::in_space({0, 0, 0});
  const Assembly problem{all, constraints(SphericalJoint{root(a), hook}, SphericalJoint{tip(a), root(b)})};
  const auto level = rod.straight({0, 0, 0}, {.direction = {1, 0, 0}});
  auto state = problem.state({{a, level}, {b, rod.straight(level.tip().position, {.direction = {0, 1, 0}})}});
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 1});
  std::cout << "the end is at " << state[b].tip().position.transpose() << " m\n";
}
