// The tip of a rod is driven along a circle: the rest of it follows.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

struct Circle {  // called with a time of any number type, so that its velocity is known too
  template <class T>
  Vec<T, 3> operator()(const T& t) const {
    using std::cos, std::sin;
    return {0.1 * (1 - cos(6 * t)), 0.1 * sin(6 * t), T(0.4)};
  }
};

int main() {
  const rod::CircularSection rubber({.radius = 5e-3, .young = 2e6, .density = 1100});
  const auto all = bodies(rod::ElasticRod<>(
      rubber, {.elements = 30, .length = 0.4, .start = rod::Boundary<>::clamped(), .damping = {.rate = 2}}));
  const auto [r] = all.handles();
  const Assembly problem{all, constraints(PrescribedMotion<double, Circle>{.a = tip(r), .path = {}})};
  auto state = problem.state({{r, all[r].straight({0, 0, 0})}});
  problem.project(state);
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.cfl = 0.5, .until = 2, .output_interval = 1e-3}, monitor);
  std::cout << "the drive did " << monitor.last().work.load << " J of work, off its path by at most "
            << monitor.violation().position << " m\n";
}
