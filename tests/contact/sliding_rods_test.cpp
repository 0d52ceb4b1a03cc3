#include <cmath>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace sliding_rods_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Plane;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double a = 0.005, g = 9.81, mu = 0.3;

/// A rod across two rails that lie on a plane with their ends clamped.
struct OnRails {
  double young;
  int elements;

  rod::ElasticRod<> rail(double damping) const {
    const auto held = rod::Boundary<>::clamped();
    return rod::ElasticRod<>(rod::CircularSection({.radius = a, .young = 1e6, .density = 1100}),
                             {.elements = 16,
                              .length = 0.16,
                              .start = held,
                              .finish = held,
                              .loads = {.gravity = {0, 0, -g}},
                              .damping = {damping}});
  }
  rod::ElasticRod<> slider(double damping) const {
    return rod::ElasticRod<>(
        rod::CircularSection({.radius = a, .young = young, .density = 1100}),
        {.elements = elements, .length = 0.1, .loads = {.gravity = {0, 0, -g}}, .damping = {damping}});
  }
  auto problem(double rail_damping, double damping) const {
    Touching<> what;
    what.friction = mu;
    what.planes.push_back(Plane<>{});
    return Assembly{bodies(rail(rail_damping), rail(rail_damping), slider(damping)), what};
  }
  /// At rest, under its weight.
  State<> at_rest() const {
    const auto calm = problem(100, 100);
    const V x(1, 0, 0), y(0, 1, 0);
    auto state = calm.state(std::vector<Chain<>>{rail(0).straight({0, 0.0225, a}, {.direction = x}),
                                                 rail(0).straight({0, 0.0775, a}, {.direction = x}),
                                                 slider(0).straight({0.05, 0, 3 * a}, {.direction = y})});
    drive(Verlet{}, calm, state, {.cfl = 0.5, .until = 0.2});
    const double weight = elements * slider(0).node_mass() * g;
    const auto slides = problem(20, 0);
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(std::abs(contact::touching_force(slides, state, {contact::TouchingSurface::Kind::body, 2},
                                             {contact::TouchingSurface::Kind::body, i})[2] /
                         (weight / 2) -
                     1) < 1e-4);
    state.time = 0;
    return state;
  }
  /// Of the centre of mass.
  V velocity(const State<>& x) const {
    V sum = V::Zero();
    for (int k = 0; k <= elements; ++k) sum += (k % elements == 0 ? 0.5 : 1.0) * V(x[2].linear_velocity(k));
    return sum / elements;
  }
};

TEST_CASE("a rod thrown across two rails slips under mu g until it rolls at two thirds of its speed",
          "[contact][touching]") {
  const double speed = 0.5, rolls_from = speed / (3 * mu * g);
  const OnRails set{.young = 1e6, .elements = 20};
  auto state = set.at_rest();
  const auto problem = set.problem(20, 0);
  for (int k = 0; k <= set.elements; ++k) state[2].set_velocity(k, {speed, 0, 0}, {0, 0, 0});
  double worst = 0, slip = 0, rolling = 0;
  int samples = 0;
  drive(Verlet{}, problem, state, {.cfl = 0.5, .until = 0.12, .output_interval = 1e-3},
        [&](const auto& now, const auto& x) {
          if (x.time == 0) return;
          const double v = set.velocity(x)[0];
          if (x.time < 0.9 * rolls_from) {
            worst = std::max(worst, std::abs(v + mu * g * x.time - speed) / speed);
          } else if (x.time > 1.1 * rolls_from) {
            rolling += v / speed;
            ++samples;
            for (const auto& t : contact::touches(now, x))
              if (t.body == 2 || t.other == contact::TouchingSurface{contact::TouchingSurface::Kind::body, 2})
                slip = std::max(slip, t.slip.norm());
          }
        });
  CAPTURE(worst, slip, samples);
  CHECK(worst < 2e-4);
  CHECK(slip < 1e-14);
  CHECK(std::abs(rolling / samples - 2.0 / 3) < 2e-3);
}

TEST_CASE("a rod pushed along itself over two rails slips under mu g until it sticks",
          "[contact][touching]") {
  const double speed = 0.3;
  const OnRails set{.young = 1e7, .elements = 20};  // stiffer, so that its sag is no slope
  auto state = set.at_rest();
  const auto problem = set.problem(20, 0);
  for (int k = 0; k <= set.elements; ++k) state[2].set_velocity(k, {0, speed, 0}, {0, 0, 0});
  double worst = 0;
  drive(Verlet{}, problem, state, {.cfl = 0.7, .until = 0.06, .output_interval = 1e-2},
        [&](const auto& now, const auto& x) {
          if (x.time == 0) return;
          worst = std::max(worst, std::abs(set.velocity(x)[1] + mu * g * x.time - speed) / speed);
          int slide = 0;
          for (const auto& t : contact::touches(now, x))
            if (t.other == contact::TouchingSurface{contact::TouchingSurface::Kind::body, 2} || t.body == 2)
              slide += t.mode == contact::TouchMode::slides ? 1 : 0;
          CHECK(slide == 2);
        });
  CAPTURE(worst);
  CHECK(worst < 3e-3);
}

}  // namespace sliding_rods_test
