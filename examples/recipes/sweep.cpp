// A parameter sweep over the cores of the machine: the frequency of a rubber cantilever by the mass at its tip.

#include <dalembert/dalembert.hpp>
#include <future>
#include <iostream>
#include <vector>
using namespace dalembert;
using namespace dalembert::assembly;

double lowest_frequency(double mass) {  // [Hz]
  const rod::CircularSection rubber({.radius = 4e-3, .young = 2e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 20, .length = 0.1, .start = rod::Boundary<>::clamped()});
  const auto all = bodies(rod, RigidBody{{.mass = mass, .inertia = {1e-6, 1e-6, 1e-6}}});
  const auto [r, bob] = all.handles();
  const Assembly problem{all, constraints(Weld{tip(r), frame(bob)})};
  const auto state = problem.state({{r, rod.straight({0, 0, 0})}, {bob, all[bob].at({0, 0, 0.1})}});
  return modes(problem, state, {.count = 1})[0].frequency() / 6.28318531;
}

int main() {
  const std::vector masses{0.001, 0.002, 0.005, 0.01, 0.02, 0.05};  // [kg]
  std::vector<std::future<double>> runs;
  for (const double mass : masses) runs.push_back(std::async(std::launch::async, lowest_frequency, mass));
  for (std::size_t i = 0; i < masses.size(); ++i)
    std::cout << masses[i] << " kg: " << runs[i].get() << " Hz\n";
}
