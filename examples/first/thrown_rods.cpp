// Twelve rubber rods are thrown into a box: they fall over each other, slide and come to rest in a heap.

#include <algorithm>
#include <dalembert/dalembert.hpp>
#include <iostream>
#include <random>
using namespace dalembert;
using V = Vec<double, 3>;

int main() {
  const double radius = 0.005, length = 0.1, wall = 0.08;
  const rod::CircularSection rubber({.radius = radius, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(
      rubber,
      {.elements = 8, .length = length, .loads = {.gravity = {0, 0, -9.81}}, .damping = {.rate = 20}});
  contact::Touching<> box{.friction = 0.4, .planes = {contact::Plane<>{}}};
  for (const V& normal : {V(1, 0, 0), V(-1, 0, 0), V(0, 1, 0), V(0, -1, 0)})
    box.planes.push_back({.point = -wall * normal, .normal = normal});

  std::mt19937 draw(1);
  const auto number = [&] {
    return static_cast<double>(draw()) / static_cast<double>(std::mt19937::max()) - 0.5;
  };
  std::vector<rod::Chain<>> chains;
  for (int i = 0; i < 12; ++i) {
    const V along = V(number(), number(), 0.2 * number()).normalized();
    chains.push_back(rod.straight(V(0, 0, 0.03 + 0.022 * i) - length / 2 * along, {.direction = along}));
  }
  const assembly::Assembly problem{std::vector(12, rod), box};
  auto state = problem.state(chains);
  double deepest = 0;
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 0.8, .output_interval = 0.01},
        [&](const auto& now, const auto& x) { deepest = std::max(deepest, -contact::smallest_gap(now, x)); });
  double ends = 0;  // of contacts: two, where a rod touches another
  for (const auto& touch : contact::touches(problem, state))
    ends += touch.other.kind == contact::TouchingSurface::Kind::body ? 2 : 0;
  std::cout << "at rest up to " << problem.kinetic_energy(state) << " J, each rod touches others at "
            << ends / 12 << " places, deepest gap " << -deepest << " m\n";
}
