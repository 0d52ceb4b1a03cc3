#include <dalembert/contact/touching.hpp>

#include <cmath>
#include <random>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"

namespace touching_works_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Plane;
using contact::Touching;
using V = Vec<double, 3>;

TEST_CASE("what several contacts of one body take from it by friction is what is booked",
          "[contact][touching]") {
  const double a = 0.05, m = 2, g = 9.81, h = 1e-3;
  const RigidBody<> table{{.mass = m, .inertia = {0.3, 0.4, 0.5}, .gravity = {0, 0, -g}}};
  const auto all = bodies(table);
  const auto [body] = all.handles();
  Touching<> what{.friction = 0.3, .planes = {Plane<>{}}};
  for (const V& foot : {V(1, 0, 0), V(-0.7, 0.8, 0), V(-0.7, -0.8, 0)})
    what.balls.push_back({frame(body, foot), a});
  const Assembly problem{all, what};
  auto state = problem.state({table.at({0, 0, a})});
  state[0].set_velocity(0, {1, 0.5, 0}, {0, 0, 0});
  auto stepper = Verlet{}.stepper(problem, state);
  for (int i = 0; i < 20; ++i) {
    const double before = problem.kinetic_energy(state);
    const auto works = stepper.step(problem, state, h).works;
    const double after = problem.kinetic_energy(state);
    CHECK(works.friction < -1e-3);
    CHECK(std::abs(after - before - works.friction) < 1e-13);
    CHECK(std::abs(works.impact) + std::abs(works.correction) + std::abs(works.driven) < 1e-13);
  }
}

TEST_CASE("what one contact does to a body is what is booked: it lands, slips and rolls",
          "[contact][touching]") {
  const double a = 0.05, m = 2, g = 9.81, h = 1e-3;
  const RigidBody<> ball{{.mass = m, .inertia = {2e-3, 2e-3, 2e-3}, .gravity = {0, 0, -g}}};
  const auto all = bodies(ball);
  const auto [body] = all.handles();
  const Touching<> what{
      .friction = 0.3, .restitution = 0.4, .planes = {Plane<>{}}, .balls = {{frame(body), a}}};
  const Assembly problem{all, what};
  auto state = problem.state({ball.at({0, 0, a + 0.02})});
  state[0].set_velocity(0, {1, 0.5, -1}, {0, 3, 20});
  auto stepper = Verlet{}.stepper(problem, state);
  double impact = 0, friction = 0;
  for (int i = 0; i < 600; ++i) {
    const double before = problem.energy(state);
    const auto works = stepper.step(problem, state, h).works;
    impact += works.impact, friction += works.friction;
    const double off = problem.energy(state) - before - works.sum();
    // what puts positions right lifts the ball as well
    CHECK(std::abs(off) < (works.correction == 0 ? 1e-13 : m * g * h));
  }
  CHECK(impact < -0.1);
  CHECK(friction < -0.2);
}

TEST_CASE("friction takes its force times the way from what is damped too", "[contact][touching]") {
  const double a = 0.05, m = 2, g = 9.81, h = 1e-3, mu = 0.3;
  const RigidBody<> sledge{
      {.mass = m, .inertia = {1e6, 1e6, 1e6}, .gravity = {0, 0, -g}, .damping = 30}};  // too heavy to turn
  const auto all = bodies(sledge);
  const auto [body] = all.handles();
  const Assembly problem{all, Touching<>{.friction = mu, .planes = {Plane<>{}}, .balls = {{frame(body), a}}}};
  auto state = problem.state({sledge.at({0, 0, a})});
  state[0].set_velocity(0, {3, 0, 0}, V::Zero());
  auto stepper = Verlet{}.stepper(problem, state);
  double friction = 0;
  for (int i = 0; i < 40; ++i) friction += stepper.step(problem, state, h).works.friction;
  CHECK(state[0].linear_velocity(0)[0] > 0.5);
  const double expected = -mu * m * g * state[0].position(0)[0];
  CHECK(std::abs(friction / expected - 1) < 1e-3);
}

TEST_CASE("two ends of a bar that land at once part at e times their speed", "[contact][touching]") {
  std::mt19937 engine(23);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const double a = 0.1, h = 1e-6;
  for (int trial = 0; trial < 300; ++trial) {
    const double x = between(0.03, 1), y = between(0.03, 1), z = between(0.03, 1);  // Σ m x², …
    const RigidBody<> bar{{.mass = 1, .inertia = {y + z, z + x, x + y}, .gravity = V::Zero()}};
    const auto all = bodies(bar);
    const auto [body] = all.handles();
    const double e = between(0.6, 0.98), height = between(0, 2), speed = between(1, 3);
    Touching<> what{.friction = between(0, 3), .restitution = e, .planes = {Plane<>{}}};
    for (const double along : {-between(0.3, 1), between(0.3, 1)})
      what.balls.push_back({frame(body, V(along, 0, -height)), a});
    const Assembly problem{all, what};
    auto state = problem.state({bar.at({0, 0, a + height + 1e-9})});
    state[0].set_velocity(0, {between(-5, 5), between(-5, 5), -speed}, V::Zero());
    const double before = problem.kinetic_energy(state);
    auto stepper = Verlet{}.stepper(problem, state);
    const auto works = stepper.step(problem, state, h).works;
    const double after = problem.kinetic_energy(state);
    CHECK(after < before);  // so nothing lessens e
    CHECK(std::abs(after - before - works.impact - works.friction - works.correction) < 1e-12 * before);
    for (const auto& ball : what.balls) {
      const V arm = state[0].rotation(0).act(ball.centre.offset) - V(0, 0, a);
      const V turning = state[0].rotation(0).act(V(state[0].angular_velocity(0)));
      const double parts = V(state[0].linear_velocity(0) + turning.cross(arm))[2];
      CHECK(parts > (1 - 1e-4) * e * speed);
    }
  }
}

TEST_CASE("what a rod that lands takes is what is booked while others are let out of each other",
          "[contact][touching]") {
  const double a = 0.005, overlap = 2e-4, h = 2e-4;
  const rod::CircularSection soft({.radius = a, .young = 1e-6, .density = 1100});  // its forces do not count
  const rod::ElasticRod<> rod(soft, {.elements = 40, .length = 0.2});
  const Assembly problem{bodies(rod, rod, rod), Touching<>{.friction = 0.4}};
  const double falls = GENERATE(0.5, 1.0, 1.5);
  State<> state = problem.state({rod.straight({-0.1, 0, 0}, {.direction = {1, 0, 0}}),
                                 rod.straight({-0.0512, -0.09, 2 * a - overlap}, {.direction = {0, 1, 0}}),
                                 rod.straight({0.0487, -0.11, 2 * a + 1e-6}, {.direction = {0, 1, 0}})});
  for (Eigen::Index k = 0; k <= 40; ++k) {
    state[1].set_velocity(k, {0.3, 0, 0}, {0, 0, 0});
    state[2].set_velocity(k, {0.2, 0.4, -falls}, {0, 0, 0});
  }
  auto stepper = Verlet{}.stepper(problem, state);
  const double before = problem.kinetic_energy(state), depth = contact::smallest_gap(problem, state);
  CHECK(std::abs(depth + overlap) < 1e-9);
  const auto works = stepper.step(problem, state, h).works;
  CHECK(contact::smallest_gap(problem, state) > 0.96 * depth);
  CHECK(works.friction < -1e-6);
  CHECK(std::abs(problem.kinetic_energy(state) - before - works.sum()) < 1e-12 * before);
}

}  // namespace touching_works_test
