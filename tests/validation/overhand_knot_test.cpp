// An overhand knot without friction, at rest: H = n·Γ + m·Ω − W is the same all along a uniform rod, through
// every contact. The braid presses at two places beside its middle.

#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/laid.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace overhand_knot_test {

using namespace dalembert;
using namespace dalembert::assembly;
using V = Vec<double, 3>;

constexpr double pi_ = static_cast<double>(pi), a = 0.005, h = 1.5 * a, young = 1e6;

/// Points h apart along straight tails, a braid of three half turns and a loop of length 2πR that closes it.
std::vector<V> knot(double R) {
  const double off = 1.2 * a, wind = 3 * pi_, c = 0.5 * wind * off / 0.65, turn = R - 2 * c / pi_,
               tail = 2 * R;
  std::vector<V> fine;
  const int n = 2000;
  const auto line = [&](const auto& at) {
    for (int i = 0; i < n; ++i) fine.push_back(at(static_cast<double>(i) / n));
  };
  const auto strand = [&](double u, double side) {
    const double angle = wind * u - pi_ / 2;
    return V(2 * c * u - c, side * off * std::sin(angle), side * off * std::cos(angle));
  };
  const auto bend = [&](double x, double side, double angle) {
    return V(x + turn * std::sin(angle), off + turn * (side - std::cos(angle)), 0);
  };
  line([&](double u) { return V(-c - tail * (1 - u), -off, 0); });
  line([&](double u) { return strand(u, 1); });
  line([&](double u) { return bend(c, 1, pi_ * u); });
  line([&](double u) { return V(c - 2 * c * u, off + 2 * turn, 0); });
  line([&](double u) { return bend(-c, 1, pi_ + pi_ * u); });
  line([&](double u) { return strand(u, -1); });
  line([&](double u) { return V(c + tail * u, -off, 0); });
  std::vector<V> points{fine.front()};
  for (std::size_t i = 1; i < fine.size(); ++i) {
    if ((fine[i] - points.back()).norm() < h) continue;
    const V from = fine[i - 1], step = fine[i] - from, gone = from - points.back();
    const double b = gone.dot(step), s = step.squaredNorm();
    points.push_back(from + (std::sqrt(b * b - s * (gone.squaredNorm() - h * h)) - b) / s * step);
  }
  return points;
}

TEST_CASE("in a knot at rest without friction the material force is the same in both tails and in the loop",
          "[validation][contact]") {
  const double R = 12 * a, bending = young * pi_ * std::pow(a, 4) / 4;
  const double slowest = 1.35 * std::sqrt(young / 1100) * a / (R * R);  // mode of the loop [1/s]
  const auto points = knot(R);
  const int elements = static_cast<int>(points.size()) - 1;
  const auto held = rod::Boundary<>::degrees({true, true, true, true, true, false});  // may turn about itself
  const auto rod = [&](double damping) {
    return rod::ElasticRod<>(rod::CircularSection({.radius = a, .young = young, .density = 1100}),
                             {.elements = elements,
                              .length = h * elements,
                              .start = held,
                              .finish = held,
                              .damping = {damping * slowest}});
  };
  const Assembly calm{bodies(std::vector{rod(1.5)}), contact::Touching<>{}},
      problem{bodies(std::vector{rod(0.35)}), contact::Touching<>{}};
  auto state = calm.state(std::vector{rod::laid_along(points)});
  drive(Verlet{}, calm, state, {.cfl = 0.8, .until = 0.15, .output_interval = 0.15});
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 0.9, .output_interval = 0.15});

  const auto& body = problem.bodies<0>()[0];
  const auto material_force = [&](int k) {
    const auto strain = body.strain(state[0], k);
    const auto stress = body.stress(state[0], k);  // n·Γ + m·Ω − W of a straight linear rod
    return (stress.force.dot(strain.stretch) + stress.force[2] + stress.moment.dot(strain.curvature)) / 2;
  };
  double pressed = 0, deepest = 0, first = 1, last = 0;
  const auto touches = contact::touches(problem, state);
  for (const auto& t : touches) {
    pressed += t.pressure();
    deepest = std::max(deepest, -t.gap);
    first = std::min(first, t.arc_lengths[0]);
    last = std::max(last, t.arc_lengths[0]);
  }
  const auto beyond = static_cast<int>(last / h + 2);
  const double radius = 1 / body.strain(state[0], beyond).curvature.norm();
  const double left = material_force(3), right = material_force(elements - 4),
               loop = material_force(elements / 2), traction = left * radius * radius / bending,
               place = (last - first) / 2 / std::sqrt(a * radius),
               sum = pressed * std::sqrt(a * std::pow(radius, 3)) / bending;
  CAPTURE(left, right / left - 1, loop / left - 1, radius / a, traction, place, sum, touches.size());
  CHECK(std::abs(right / left - 1) < 3e-3);
  CHECK(std::abs(loop / left - 1) < 3e-3);
  CHECK(deepest < 1e-13);
  // a loop of eleven radii of the rod has 0.407, 3.31 and 0.754, and they depend on it
  CHECK(std::abs(traction - 0.39) < 0.02);
  CHECK(std::abs(place - 3.31) < 0.15);
  CHECK(std::abs(sum - 0.79) < 0.06);
}

}  // namespace overhand_knot_test
