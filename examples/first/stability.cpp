// Small motions about a steady one: a sleigh runs stably with its mass in front, not with its mass behind; and no function of place holds it.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const double m = 1.5, inertia = 0.7, a = 0.4;
  const systems::ChaplyginSleigh sleigh{{.mass = m, .inertia = inertia, .offset = a}};
  const LagrangeDAlembert problem{sleigh};
  for (const double u : {1.0, -1.0}) {
    const auto state = problem.state(SE2d::identity(), {u, 0, 0});
    // Places and headings are all alike: three symmetries, which are divided out.
    const auto small = analysis::linearization(problem, state, analysis::translations(problem, {0, 1, 2}));
    std::cout << "at " << u << " m/s:";
    for (const auto& s : small.eigenvalues) std::cout << ' ' << s.real();
    std::cout << " 1/s; by hand 0 and " << -m * a * u / (inertia + m * a * a) << "\n";
  }
  const auto growth = analysis::growth_vector(sleigh, SE2d::identity());
  std::cout << "directions that the blade allows, and their brackets:";
  for (const auto size : growth.ranks) std::cout << ' ' << size;
  std::cout << "\n";
}
