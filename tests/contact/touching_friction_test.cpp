#include <cmath>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"

namespace touching_friction_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Plane;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double g = 9.81;

/// A table on a film of oil, too heavy to be tilted, and a plate on three balls of it that goes as fast, or not.
struct Sledge {
  double M = 2, m = 0.4, a = 0.05, mu = 0.1, epsilon = 0.2;

  [[nodiscard]] auto problem() const {
    const RigidBody<> table{{.mass = M, .inertia = {1e12, 1e12, 1e12}, .gravity = {0, 0, -g}}};
    const RigidBody<> tray{{.mass = m, .inertia = {0.1, 0.1, 0.2}, .gravity = {0, 0, -g}}};
    const auto all = bodies(table, tray);
    const auto [under, plate] = all.handles();
    Plane<> floor, below;
    floor.point = {0, 0, -0.2};
    below.normal = {0, 0, -1};
    const contact::RollingOnPlane<> oil{frame(under), 0.2, floor};
    return Assembly{all, constraints(contact::with_friction(oil, epsilon)),
                    Touching<>{.friction = mu,
                               .plates = {{frame(plate), below}},
                               .balls = {{frame(under, V(0.3, 0, 0)), a},
                                         {frame(under, V(-0.3, 0.2, 0)), a},
                                         {frame(under, V(-0.3, -0.2, 0)), a}}}};
  }
  template <class P>
  [[nodiscard]] static auto start(const P& problem, double a, double of_table, double of_plate) {
    auto x = problem.state(
        {problem.template bodies<0>()[0].at({0, 0, 0}), problem.template bodies<0>()[1].at({-0.1, 0, a})});
    x[0].set_velocity(0, {of_table, 0, 0}, {0, 0, 0});
    x[1].set_velocity(0, {of_plate, 0, 0}, {0, 0, 0});
    return x;
  }
};

TEST_CASE("oil brakes a table and what lies on it", "[contact][touching][friction]") {
  // while the plate sticks, (M + m) v̇ = −v/ε: the plate is taken along by less than μg
  Sledge sledge;
  const double v = 0.3, until = 0.2;
  double before = 0;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    const auto problem = sledge.problem();
    auto x = Sledge::start(problem, sledge.a, v, v);
    auto rates = problem.make_rates();
    problem.rates(x, rates);
    const double braked = v / sledge.epsilon / (sledge.M + sledge.m);
    CHECK(std::abs(rates.xidot[0](0, 0) + braked) < 1e-9 * braked);
    CHECK(std::abs(rates.xidot[1](0, 0) + braked) < 1e-9 * braked);
    analysis::EnergyMonitor monitor{problem};
    drive(Verlet{}, problem, x, {.step = step, .until = until}, monitor);
    const double expected = v * std::exp(-until / (sledge.epsilon * (sledge.M + sledge.m)));
    for (const auto& t : contact::touches(problem, x)) CHECK(t.slip.norm() < 1e-12);
    CHECK(std::abs(x[1].position(0)[2] - sledge.a) < 1e-13);
    const double wrong = x[0].linear_velocity(0)[0] - expected;
    CAPTURE(step, wrong, before);
    CHECK(std::abs(wrong) < 0.02 * step * v / sledge.epsilon);
    if (before != 0) CHECK(std::abs(before / wrong) > 1.8);
    before = wrong;
  }
}

TEST_CASE("a plate slides on a table that oil brakes", "[contact][touching][friction]") {
  // M v̇ = −v/ε + μmg, while the plate loses μg
  for (const double epsilon : {2.0, 0.05, 1e-4}) {
    Sledge sledge;
    sledge.epsilon = epsilon;
    const double of_plate = 1, until = 0.3, drag = sledge.mu * sledge.m * g;
    double before = 0;
    for (const double step : {2e-3, 1e-3}) {
      const auto problem = sledge.problem();
      auto x = Sledge::start(problem, sledge.a, 0, of_plate);
      drive(Verlet{}, problem, x, {.step = step, .until = until});
      const double expected = drag * epsilon * (1 - std::exp(-until / (epsilon * sledge.M)));
      CAPTURE(epsilon, step);
      CHECK(std::abs(x[1].linear_velocity(0)[0] - (of_plate - sledge.mu * g * until)) < 1e-10);
      const double wrong = x[0].linear_velocity(0)[0] - expected;
      CAPTURE(wrong, before, expected);
      CHECK(std::abs(wrong) < step * drag / sledge.M);
      if (before != 0 && std::abs(before) > 1e-12) CHECK(std::abs(before / wrong) > 1.8);
      before = wrong;
    }
  }
}

TEST_CASE("a ball on oil bounces off a wall", "[contact][touching][friction]") {
  // its slip decays at the rate (1/m + a²/I)/ε, and the wall changes the speed alone
  const double m = 0.3, a = 0.1, inertia = 0.4 * m * a * a, epsilon = 0.8, v0 = 2, e = 0.5;
  const RigidBody<> ball{{.mass = m, .inertia = {inertia, inertia, inertia}, .gravity = {0, 0, -g}}};
  const contact::RollingOnPlane<> oil{{0}, a, Plane<>{}};
  Plane<> wall;
  wall.normal = {-1, 0, 0};
  wall.point = {1, 0, 0};
  const Assembly problem{bodies(ball), constraints(contact::with_friction(oil, epsilon)),
                         Touching<>{.friction = 0, .restitution = e, .planes = {wall}, .balls = {{{0}, a}}}};
  const double rate = (1 / m + a * a / inertia) / epsilon, share = (1 / m) / (1 / m + a * a / inertia);
  // of the centre and of a times the spin after a time, where they begin
  const auto later = [&](double v, double w, double t) {
    const double lost = (v - w) * (1 - std::exp(-rate * t));
    return std::array{v - share * lost, w + (1 - share) * lost};
  };
  const auto way = [&](double v, double w, double t) {
    return v * t - share * (v - w) * (t - (1 - std::exp(-rate * t)) / rate);
  };
  double hit = 0, beyond = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (hit + beyond) / 2;
    (way(v0, 0, middle) < 1 - a ? hit : beyond) = middle;
  }
  const auto [v1, w1] = later(v0, 0, hit);
  const double until = hit + 0.3;
  const auto [v2, w2] = later(-e * v1, w1, 0.3);
  double before = 0;
  for (const double step : {1e-3, 2.5e-4}) {
    auto x = problem.state({ball.at({0, 0, a})});
    x[0].set_velocity(0, {v0, 0, 0}, {0, 0, 0});
    analysis::EnergyMonitor monitor{problem};
    drive(Verlet{}, problem, x, {.step = step, .until = until}, monitor);
    const double wrong =
        std::abs(x[0].linear_velocity(0)[0] - v2) + std::abs(a * x[0].angular_velocity(0)[1] - w2);
    CAPTURE(step, wrong, v2, w2);
    CHECK(wrong < 20 * step);
    CHECK(std::abs(x[0].position(0)[2] - a) < 1e-14);
    if (before != 0) CHECK(wrong < before);
    before = wrong;
  }
}

}  // namespace touching_friction_test
