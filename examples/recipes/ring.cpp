// A rod welded to itself is a ring: it rests round if its curvature at rest is that of the circle.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const int n = 64;
  const double radius = 0.5, around = 2 * M_PI;
  const rod::CircularSection wire({.radius = 5e-3, .young = 2e9, .density = 1100});
  const rod::ElasticRod<> rod(
      rod::LinearElastic(wire.stiffness_diagonal(), {.curvature = {0, 1 / radius, 0}}),
      {.elements = n, .length = around * radius, .inertia = wire.inertia()});
  const auto all = bodies(rod);
  const auto [ring] = all.handles();
  const Assembly problem{all, constraints(Weld{root(ring), tip(ring)})};
  rod::Chain<> hoop(n + 1);
  for (int k = 0; k <= n; ++k) {
    const double angle = around * k / n;
    hoop.set_frame(k, SO3d::exp({0, angle, 0}),
                   radius * Vec<double, 3>(-std::cos(angle), 0, std::sin(angle)));
  }
  auto state = problem.state({hoop});
  problem.project(state);
  std::cout << "it is closed to " << problem.constraint(state).position << " m, its lowest frequencies are";
  for (const auto& mode : modes(problem, state, {.count = 10, .equilibrium_tolerance = 1e-2}))
    if (mode.frequency() > 1) std::cout << ' ' << mode.frequency() / around;
  std::cout << " Hz\n";
}
