// Rods under Coulomb friction where closed forms are known: on a slope, and three logs in a pyramid.

#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace friction_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::TouchingSurface;
using V = Vec<double, 3>;

constexpr double pi_ = static_cast<double>(pi), a = 0.01, g = 9.81, length = 0.06;
constexpr int elements = 3;

rod::ElasticRod<> log(const V& gravity, double damping = 0) {
  return rod::ElasticRod<>(
      rod::CircularSection({.radius = a, .young = 1e6, .density = 1100}),
      {.elements = elements, .length = length, .loads = {.gravity = gravity}, .damping = {damping}});
}

TEST_CASE("a rod across a slope rolls if tan α ≤ 3μ, and slips otherwise as the closed form says",
          "[validation][contact]") {
  const double angle = pi_ / 6, until = 0.2;
  const auto friction = GENERATE(0.25, 0.15);
  const bool rolls = std::tan(angle) <= 3 * friction;
  contact::Touching<> what;
  what.friction = friction;
  what.planes.push_back(contact::Plane<>{});
  const V gravity = g * V(std::sin(angle), 0, -std::cos(angle));  // the plane lies level in the picture
  const Assembly problem{bodies(std::vector{log(gravity)}), what};
  auto x = problem.state(std::vector{log(gravity).straight({0, 0, a}, {.direction = V(0, 1, 0)})});
  drive(Verlet{}, problem, x, {.cfl = 0.8, .until = until, .output_interval = until});
  const double pull = g * std::sin(angle), drag = friction * g * std::cos(angle);
  const double speed = x[0].linear_velocity(1)[0] / until;
  const double spin = std::abs(x[0].rotation(1).act(x[0].angular_velocity(1))[1]) / until * a;
  CAPTURE(friction, speed, spin);
  CHECK(std::abs(speed / (rolls ? 2 * pull / 3 : pull - drag) - 1) < 1e-9);
  CHECK(std::abs(spin / (rolls ? 2 * pull / 3 : 2 * drag) - 1) < 1e-9);
  for (const auto& t : contact::touches(problem, x))
    CHECK(t.mode == (rolls ? contact::TouchMode::sticks : contact::TouchMode::slides));
}

/// Two logs on the ground, side by side, and one on top.
struct Pyramid {
  double logs, ground;

  auto problem() const {
    contact::Touching<> what;
    what.friction = logs;
    what.planes.push_back(contact::Plane<>{});
    for (std::size_t i = 0; i < 3; ++i)
      what.pairs.push_back({{TouchingSurface::Kind::body, i}, TouchingSurface::plane(0), ground, 0});
    return Assembly{bodies(std::vector(3, log({0, 0, -g}, 30))), what};
  }
  template <class Problem>
  static auto start(const Problem& problem) {
    constexpr double beside = a * (1 + 1e-6);  // side by side, but not pressed
    const auto at = [](double x, double z) {
      return log({0, 0, -g}).straight({x, 0, z}, {.direction = V(0, 1, 0)});
    };
    return problem.state(
        std::vector{at(-beside, a), at(beside, a), at(0, a + std::sqrt(4 * a * a - beside * beside))});
  }
};

TEST_CASE("three logs in a pyramid bear each other by N = W/2 and T = W(1 − √3/2)", "[validation][contact]") {
  const Pyramid pyramid{.logs = 0.28, .ground = 0.1};
  const auto problem = pyramid.problem();
  auto x = Pyramid::start(problem);
  drive(Verlet{}, problem, x, {.cfl = 0.8, .until = 0.3, .output_interval = 0.3});
  double normal[2] = {0, 0}, friction[2] = {0, 0}, between = 0, ground = 0;
  for (const auto& t : contact::touches(problem, x)) {
    CHECK(t.mode != contact::TouchMode::slides);
    if (t.other.kind != TouchingSurface::Kind::body) {
      ground += t.pressure();
      continue;
    }
    const std::size_t low = std::min(t.body, t.other.number), high = std::max(t.body, t.other.number);
    if (high != 2) {
      between += t.pressure();
      continue;
    }
    normal[low] += t.pressure();
    friction[low] += (t.force - t.pressure() * t.normal).norm();
  }
  const double weight = log({0, 0, -g}).node_mass() * elements * g;
  CAPTURE(normal[0] / weight, friction[0] / weight, between / weight, ground / weight);
  for (int i = 0; i < 2; ++i) {
    CHECK(std::abs(normal[i] / weight - 0.5) < 1e-4);
    CHECK(std::abs(friction[i] / weight - (1 - std::sqrt(3.0) / 2)) < 1e-4);
  }
  CHECK(between < 1e-4 * weight);
  CHECK(std::abs(ground / weight - 3) < 1e-4);
}

TEST_CASE(
    "three logs stand if μ ≥ tan 15° between them and tan 15°/3 on the ground, and not with less of either",
    "[validation][contact]") {
  const auto falls = [](const Pyramid& pyramid) {
    const auto problem = pyramid.problem();
    auto x = Pyramid::start(problem);
    drive(Verlet{}, problem, x, {.cfl = 0.8, .until = 0.2, .output_interval = 0.2});
    return x[2].position(1)[2] < (1 + std::sqrt(3.0)) * a - 1e-3 * a;
  };
  CHECK_FALSE(falls({.logs = 0.272, .ground = 0.0905}));
  CHECK(falls({.logs = 0.264, .ground = 0.0905}));
  CHECK(falls({.logs = 0.272, .ground = 0.088}));
}

}  // namespace friction_test
