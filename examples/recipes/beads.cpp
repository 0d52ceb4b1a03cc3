// A bead slides down a rod that bends under it.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const rod::CircularSection rubber({.radius = 5e-3, .young = 1e7, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 60,
                                       .length = 1,
                                       .start = rod::Boundary<>::clamped(),
                                       .finish = rod::Boundary<>::clamped(),
                                       .loads = {.gravity = {0, 0, -9.81}}});
  const auto all =
      bodies(rod, RigidBody{{.mass = 0.05, .inertia = {5e-6, 5e-6, 5e-6}, .gravity = {0, 0, -9.81}}});
  const auto [r, bead] = all.handles();
  const contact::Bead<> slides{.on_rod = {r, rod, 2 * rod.spacing()}, .marker = frame(bead)};
  const Assembly problem{all, constraints(slides)};
  const auto wire = rod.straight({0, 0, 0}, {.direction = {0.95, 0, -0.3}});
  auto state = problem.state({{r, wire}, {bead, all[bead].at(wire.position(12))}}, Vec<double, 1>(0.2));
  problem.project(state);
  drive(Verlet{}, problem, state, {.cfl = 0.5, .until = 0.5, .output_interval = 0.1},
        [](const auto&, const auto& at) {
          std::cout << "t = " << at.time << " s: the bead is " << at.z[0] << " m along\n";
        });
}
