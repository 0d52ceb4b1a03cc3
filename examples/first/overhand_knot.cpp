// A loose overhand knot whose ends are pulled apart: its loop shrinks, and the pull grows.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using V = Vec<double, 3>;

int main() {
  const double a = 0.005, h = 1.5 * a, off = 1.2 * a, half = 9 * a, bend = 7 * a, turn = std::acos(-1.0);
  const auto curve = [&](double u) {  // a tail, a braid of three half turns, a loop, the braid, a tail
    if (u < 1) return V(24 * a * (u - 1) - half, -off, 0);
    if (u > 4) return V(24 * a * (u - 4) + half, -off, 0);
    const double t = 2 * turn * (u - 2), v = u < 2.5 ? 2 * u - 3 : 2 * u - 7, s = u < 2.5 ? off : -off;
    if (u > 2 && u < 3)
      return V(half * std::cos(t / 2) + bend * std::sin(t), off + bend * (1 - std::cos(t)), 0);
    return V(half * v, -s * std::sin(1.5 * turn * v), -s * std::cos(1.5 * turn * v));
  };
  std::vector<V> points{curve(0)};
  for (double u = 0; u < 5; u += 1e-5)
    if ((curve(u) - points.back()).norm() >= h) points.push_back(curve(u));
  const auto pulled = [](const V& from, const V& v) {
    return rod::Boundary<>::prescribed([=](double t) {  // e3 lies along x
      return rod::EndMotion<>{from + t * v, {std::sqrt(0.5), 0, std::sqrt(0.5), 0}, v};
    });
  };
  const int n = static_cast<int>(points.size()) - 1;
  const auto start = pulled(points[0], {-0.1, 0, 0}), finish = pulled(points.back(), {0.1, 0, 0});
  const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(
      rubber, {.elements = n, .length = n * h, .start = start, .finish = finish, .damping = {.rate = 40}});
  const assembly::Assembly problem{rod, contact::Touching<>{.friction = 0.1}};
  auto state = problem.state({rod::laid_along(points, V(0, 0, -1))});
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 0.6, .output_interval = 0.2},
        [&](const auto&, const auto& x) {
          std::cout << "the loop bends by " << 1 / rod.strain(x[0], n / 2).curvature.norm() / a
                    << " radii of the rod under a pull of " << rod.stress(x[0], n - 2).force[2] << " N\n";
        });
}
