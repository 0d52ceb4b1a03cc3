// A cord over a bollard, with a weight on either end: friction holds it, up to a ratio of e^(mu pi).

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using V = Vec<double, 3>;

int main() {
  const double radius = 0.002, bollard = 0.05, friction = 0.3, half = std::acos(-1.0),
               turn = bollard + radius;
  const int over = 48, down = 15;  // elements
  const double h = turn * half / over;
  std::vector<V> points;
  for (int i = -down; i <= over + down; ++i) {
    const double angle = half * std::min(std::max(i, 0), over) / over,
                 hangs = std::max({-i, i - over, 0}) * h;
    points.emplace_back(-turn * std::cos(angle), 0, turn * std::sin(angle) - hangs);
  }
  const rod::CircularSection section({.radius = radius, .young = 3e6, .density = 1100});
  contact::Drum<> drum;
  drum.surface.radius = bollard;
  drum.surface.axis = {0, 1, 0};
  contact::Touching<> what{.friction = friction, .drums = {drum}};

  std::cout << "it holds a ratio of " << std::exp(friction * half) << "\n";
  for (const double ratio : {1.5, 2.0, 2.3, 3.0}) {
    const rod::ElasticRod<> cord(
        section, {.elements = over + 2 * down,
                  .length = h * (over + 2 * down),
                  .loads = {.start = {.force = {0, 0, -1}}, .finish = {.force = {0, 0, -ratio}}},
                  .damping = {.rate = 1000}});
    const assembly::Assembly problem{cord, what};
    auto state = problem.state({rod::laid_along(points)});
    drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 0.2, .output_interval = 0.1});
    const double speed = std::abs(state[0].tip().velocity[2]);
    std::cout << "ratio " << ratio << (speed < 1e-6 ? " holds" : " slips") << "\n";
  }
}
