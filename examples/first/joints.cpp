// Bodies on joints: a rod is held at its root, a second one hangs from its tip, and a ball from that.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const Vec<double, 3> gravity{0, 0, -9.81};
  const rod::CircularSection rubber({.radius = 0.01, .young = 2e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 20, .length = 0.5, .loads = {.gravity = gravity}});
  const RigidBody ball{{.mass = 0.05, .inertia = {2e-5, 2e-5, 2e-5}, .gravity = gravity}};
  const rod::Straight<> level{.direction = {1, 0, 0}}, down{.direction = {0, 0, -1}};

  const auto all = bodies(rod, ball, rod);
  const auto [upper, weight, lower] = all.handles();
  const Assembly problem{
      all, constraints(Weld{root(upper), FrameMarker<>::in_space({0, 0, 0}, level.frame())},
                       SphericalJoint{tip(upper), root(lower)}, SphericalJoint{tip(lower), frame(weight)})};
  const auto first = rod.straight({0, 0, 0}, level);
  const auto second = rod.straight(first.tip().position, down);
  auto state = problem.state({{upper, first}, {lower, second}, {weight, ball.at(second.tip().position)}});

  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 1, .output_interval = 1e-3}, monitor);
  std::cout << "the ball is at " << state[weight].position(0).transpose() << " m, largest change of energy "
            << monitor.energy_error() << " J\n";
}
