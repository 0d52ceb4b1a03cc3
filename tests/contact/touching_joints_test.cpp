#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/thread_team.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace touching_joints_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Plane;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double g = 9.81;

RigidBody<> ball_body(double mass, double radius) {
  const double j = 0.4 * mass * radius * radius;
  return RigidBody<>{{.mass = mass, .inertia = {j, j, j}, .gravity = {0, 0, -g}}};
}

/// Two balls on a plane with a massive bar between: a dumbbell of three bodies that joints hold together.
struct Dumbbell {
  double m = 0.3, a = 0.05, M = 0.8, half = 0.2;

  [[nodiscard]] auto problem(double friction) const {
    const auto all = bodies(ball_body(m, a), ball_body(m, a), ball_body(M, 0.1));
    const auto [one, two, bar] = all.handles();
    return Assembly{
        all,
        constraints(SphericalJoint<>{frame(one), frame(bar, V(-half, 0, 0))},
                    SphericalJoint<>{frame(two), frame(bar, V(half, 0, 0))}),
        Touching<>{.friction = friction, .planes = {Plane<>{}}, .balls = {{frame(one), a}, {frame(two), a}}}};
  }
};

TEST_CASE("balls that carry a bar share its weight, and roll with it", "[contact][touching]") {
  const Dumbbell d;
  const auto problem = d.problem(0.5);
  auto state = problem.state({ball_body(d.m, d.a).at({-d.half, 0, d.a}),
                              ball_body(d.m, d.a).at({d.half, 0, d.a}), ball_body(d.M, 0.1).at({0, 0, d.a})});
  // rolls sideways as one
  const double v = 0.7;
  state[0].set_velocity(0, {0, v, 0}, {-v / d.a, 0, 0});
  state[1].set_velocity(0, {0, v, 0}, {-v / d.a, 0, 0});
  state[2].set_velocity(0, {0, v, 0}, {0, 0, 0});
  for (const auto& t : contact::touches(problem, state))
    CHECK(std::abs(t.pressure() - (d.m + d.M / 2) * g) < 1e-12 * d.M * g);
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 1}, monitor);
  CHECK(std::abs(state[2].position(0)[1] - v) < 1e-12);
  CHECK(problem.constraint(state).position < 1e-15);
  CHECK(problem.constraint(state).velocity < 1e-13);
  CHECK(monitor.balance_error() < 1e-12);
  const auto touches = contact::touches(problem, state);
  REQUIRE(touches.size() == 2);
  for (const auto& t : touches) {
    CHECK(std::abs(t.pressure() - (d.m + d.M / 2) * g) < 1e-12 * d.M * g);
    CHECK(t.slip.norm() < 1e-13);
    CHECK(t.gap >= -1e-16);
  }
}

TEST_CASE("a ring that is closed by a weld rolls under infinite friction as its constraints have it",
          "[contact][touching]") {
  const int n = 24;
  const double a = 0.005, h = 0.01, angle = std::numbers::pi / n, radius = h / (2 * std::sin(angle));
  const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = n, .length = n * h, .loads = {.gravity = {0.5, 0, -g}}});
  const auto all = bodies(rod);
  const auto [ring] = all.handles();
  const auto weld = std::vector{Weld<>{.a = root(ring), .b = tip(ring)}};
  const Assembly free{
      all, constraints(weld),
      Touching<>{.friction = std::numeric_limits<double>::infinity(), .planes = {Plane<>{}}, .radii = {a}}};
  std::vector<contact::RollingOnPlane<>> rolling;
  for (Eigen::Index k = 0; k < n; ++k) rolling.push_back({.marker = node(ring, k), .radius = a});
  const Assembly bound{all, constraints(rolling, weld)};

  Chain<> chain(n + 1);  // lies flat, and rolls outwards
  const double rate = 200;
  for (Eigen::Index k = 0; k <= n; ++k) {
    const double at = 2 * angle * static_cast<double>(k), c = std::cos(at), s = std::sin(at);
    Mat<double, 3> axes;  // up, outwards, along the ring
    axes << 0, c, -s, 0, s, c, 1, 0, 0;
    chain.set_frame(k, SO3<double>::from_matrix(axes), {radius * c, radius * s, a});
    chain.set_velocity(k, a * rate * V(c, s, 0), {0, 0, rate});
  }
  auto state = free.state({chain});
  auto held = bound.state({chain});
  double farthest = 0;
  for (int i = 1; i <= 40; ++i) {
    drive(Verlet{}, free, state, {.step = 5e-5, .until = i * 0.025});
    drive(Verlet{}, bound, held, {.step = 5e-5, .until = i * 0.025});
    CHECK((state[0].configuration - held[0].configuration).abs().maxCoeff() < 1e-12);
    farthest = std::max(farthest, (state[0].position(0) - chain.position(0)).norm());
  }
  CHECK(farthest > a / 5);
}

/// Goes along the first axis at a speed that grows.
struct Pull {
  double height;
  template <class T>
  [[nodiscard]] Vec<T, 3> operator()(const T& t) const {
    return {T(0.3) * t + T(0.2) * t * t, T(0), T(height)};
  }
};

TEST_CASE("a plate on a table that is led sticks to it, or slides", "[contact][touching]") {
  const double m = 0.4, a = 0.05, led_acceleration = 0.4;
  // three balls that carry the plate; too heavy to be tilted
  const RigidBody<> table{{.mass = 2, .inertia = {1e12, 1e12, 1e12}, .gravity = {0, 0, -g}}};
  const RigidBody<> tray{{.mass = m, .inertia = {0.1, 0.1, 0.2}, .gravity = {0, 0, -g}}};
  for (const double mu : {0.2, 0.02}) {
    const auto all = bodies(table, tray);
    const auto [led, plate] = all.handles();
    const Plane<> below{.normal = {0, 0, -1}};
    const Assembly problem{all, constraints(PrescribedMotion<double, Pull>{frame(led), {0}}),
                           Touching<>{.friction = mu,
                                      .plates = {{frame(plate), below}},
                                      .balls = {{frame(led, V(0.3, 0, 0)), a},
                                                {frame(led, V(-0.3, 0.2, 0)), a},
                                                {frame(led, V(-0.3, -0.2, 0)), a}}}};
    auto state = problem.state({table.at({0, 0, 0}), tray.at({-0.1, 0, a})});
    state[0].set_velocity(0, {0.3, 0, 0}, {0, 0, 0});
    state[1].set_velocity(0, {0.3, 0, 0}, {0, 0, 0});
    analysis::EnergyMonitor monitor{problem};
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const double taken = std::min(led_acceleration, mu * g);
    CHECK(std::abs(rates.xidot[1](0, 0) - taken) < 1e-10);
    // its own mass, and the friction of the plate
    CHECK(std::abs(std::abs(rates.lambda[0]) - (2 * led_acceleration + m * taken)) < 1e-10);
    CHECK(std::abs(std::abs(rates.lambda[2]) - (2 + m) * g) < 1e-10);
    drive(Verlet{}, problem, state, {.step = 1e-3, .until = 0.25}, monitor);
    CHECK(std::abs(state[1].linear_velocity(0)[0] - (0.3 + 0.25 * taken)) < 1e-10);
    CHECK(std::abs(state[1].position(0)[2] - a) < 1e-14);
    CHECK(problem.constraint(state).position < 1e-15);
    CHECK(monitor.balance_error() < 1e-6);
  }
}

TEST_CASE("a dumbbell of welded bodies lands as the rigid body that it is", "[contact][touching]") {
  const double m = 0.3, a = 0.05, half = 0.2, j = 0.4 * m * a * a, e = 0.6;
  for (const double mu : {0.0, 0.4}) {
    const auto run = [&](double h) {
      const auto parts = bodies(ball_body(m, a), ball_body(m, a));
      const auto [one, two] = parts.handles();
      const Assembly welded{parts, constraints(Weld{frame(one, V(half, 0, 0)), frame(two, V(-half, 0, 0))}),
                            Touching<>{.friction = mu,
                                       .restitution = e,
                                       .planes = {Plane<>{}},
                                       .balls = {{frame(one), a}, {frame(two), a}}}};
      RigidBody<> whole{{.mass = 2 * m,
                         .inertia = {2 * j, 2 * (j + m * half * half), 2 * (j + m * half * half)},
                         .gravity = {0, 0, -g}}};
      const auto alone = bodies(whole);
      const auto [w] = alone.handles();
      const Assembly rigid{
          alone, Touching<>{.friction = mu,
                            .restitution = e,
                            .planes = {Plane<>{}},
                            .balls = {{frame(w, V(-half, 0, 0)), a}, {frame(w, V(half, 0, 0)), a}}}};
      const SO3<> tilt = SO3<>::exp(V(0, 0.3, 0));
      const V out = tilt.act(V(half, 0, 0)), centre(0, 0, 0.3);
      auto x = welded.state(
          {ball_body(m, a).at(V(centre - out), tilt), ball_body(m, a).at(V(centre + out), tilt)});
      auto y = rigid.state({whole.at(centre, tilt)});
      const V v(0.5, 0.1, 0);
      x[0].set_velocity(0, v, {0, 0, 0});
      x[1].set_velocity(0, v, {0, 0, 0});
      y[0].set_velocity(0, v, {0, 0, 0});
      drive(Verlet{}, welded, x, {.step = h, .until = 0.3});
      drive(Verlet{}, rigid, y, {.step = h, .until = 0.3});
      CHECK(welded.constraint(x).position < 1e-15);
      CHECK(welded.constraint(x).velocity < 1e-13);
      const V turned = x[0].rotation(0).matrix() * V(x[0].angular_velocity(0));
      CHECK(std::abs(turned.norm() - y[0].angular_velocity(0).norm()) < 100 * h);
      return V((x[0].linear_velocity(0) + x[1].linear_velocity(0)) / 2 - y[0].linear_velocity(0)).norm();
    };
    const double coarse = run(1e-3), fine = run(1e-4);
    CAPTURE(mu, coarse, fine);
    CHECK(coarse < 2e-3);
    CHECK(fine < 2e-4);
  }
}

TEST_CASE("two welded balls of different size roll as a cone about its apex", "[contact][touching]") {
  const double a = 0.03, b = 0.05, length = 0.2, rate = 6;
  const V between(length, 0, b - a), apex(-a * length / (b - a), 0, 0);
  const RigidBody<> small = ball_body(0.2, a), large = ball_body(0.5, b);
  const auto parts = bodies(small, large);
  const auto [one, two] = parts.handles();
  const Assembly welded{parts, constraints(Weld{frame(one, V(between / 2)), frame(two, V(-between / 2))}),
                        Touching<>{.friction = std::numeric_limits<double>::infinity(),
                                   .planes = {Plane<>{}},
                                   .balls = {{frame(one), a}, {frame(two), b}}}};
  auto x = welded.state({small.at({0, 0, a}), large.at({length, 0, b})});
  x[0].set_velocity(0, {0, -rate * a, 0}, {rate, 0, 0});
  x[1].set_velocity(0, {0, -rate * b, 0}, {rate, 0, 0});
  analysis::EnergyMonitor monitor{welded};
  double slip = 0;
  std::size_t fewest = 2;
  for (int i = 1; i <= 200; ++i) {
    drive(Verlet{}, welded, x, {.step = 1e-3, .until = i * 5e-3}, monitor);
    const auto touches = contact::touches(welded, x);
    fewest = std::min(fewest, touches.size());
    for (const auto& t : touches) slip = std::max(slip, t.slip.norm());
  }
  CHECK(fewest == 2);
  CHECK(slip < 1e-13);
  CHECK(monitor.balance_error() < 1e-5);
  CHECK(std::abs(x[0].position(0)[0] - apex[0] * (1 - std::cos(rate * (b - a) / length))) < 1e-5);
  for (const std::size_t k : {0U, 1U}) {
    const double before = (V(k == 0 ? 0 : length, 0, k == 0 ? a : b) - apex).norm();
    CHECK(std::abs((x[k].position(0) - apex).norm() / before - 1) < 1e-5);
  }
}

TEST_CASE("chains of joined rods and balls fall into a heap, bit for bit from any state",
          "[contact][touching]") {
  const double a = 0.01;
  const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(
      rubber, {.elements = 8, .length = 0.2, .loads = {.gravity = {0, 0, -g}}, .damping = {2}});
  const auto ball = ball_body(0.05, 0.03);
  const auto all = bodies(rod, rod, ball, ball);
  const auto [one, two, first, second] = all.handles();
  const FrameMarker<> beginning_of_one{one.number, 0}, end_of_one{one.number, 8},
      beginning_of_two{two.number, 0};
  const Assembly problem{all,
                         constraints(SphericalJoint<>{frame(first), beginning_of_one},
                                     SphericalJoint<>{end_of_one, frame(second)},
                                     SphericalJoint<>{frame(second), beginning_of_two}),
                         Touching<>{.friction = 0.4,
                                    .restitution = 0.3,
                                    .planes = {Plane<>{}},
                                    .balls = {{frame(first), 0.03}, {frame(second), 0.03}}}};
  auto state = problem.state(
      {{one, rod.straight({0, 0, 0.15}, {.direction = {1, 0, 0.2}})},
       {two, rod.straight(V(V(0, 0, 0.15) + 0.2 * V(1, 0, 0.2).normalized()), {.direction = {1, 1, 0}})},
       {first, ball.at({0, 0, 0.15})},
       {second, ball.at(V(V(0, 0, 0.15) + 0.2 * V(1, 0, 0.2).normalized()))}});
  for (int k = 0; k <= 8; ++k) state[0].set_velocity(k, {0.4, -0.2, 0}, {0, 0, 0});
  (void)problem.project(state);
  auto fresh = state;
  const double weight = (2 * 1100 * std::acos(-1.0) * a * a * 0.2 + 0.1) * g;
  const double h = 0.5 * 2 / problem.wave_frequency_bound(state);
  auto stepper = Verlet{}.stepper(problem, state);
  auto threads = ThreadedVerlet{2}.stepper(problem, state);
  auto shared = state;
  double deepest = 0, violated = 0, friction = 0;
  for (int i = 0; i < 3000; ++i) {
    friction += stepper.step(problem, state, h).works.friction;
    auto another = Verlet{}.stepper(problem, fresh);
    if (i < 1500) (void)another.step(problem, fresh, h), (void)threads.step(problem, shared, h);
    deepest = std::min(deepest, contact::smallest_gap(problem, state));
    const auto v = problem.constraint(state);
    violated = std::max(violated, std::max(v.position, v.velocity));
    if (i == 1499)
      for (std::size_t b = 0; b < 4; ++b) {
        CHECK((state[b].configuration == fresh[b].configuration).all());
        CHECK((state[b].velocity == fresh[b].velocity).all());
        CHECK((state[b].velocity == shared[b].velocity).all());
      }
  }
  CHECK(deepest > -1e-14);
  CHECK(violated < 1e-12);
  CHECK(friction < 0);
  V total = V::Zero();
  for (const auto& t : contact::touches(problem, state)) total += t.force;
  CAPTURE(total.transpose(), weight);
  CHECK(contact::touches(problem, state).size() >= 4);
  CHECK(std::abs(total[2] / weight - 1) < 0.7);  // it still rocks
}

/// Draws the first node of a rod of radius a along, to its other end at x = L and back in turns about the x axis.
struct Hand {
  double stiffness = 3e3, length = 1.2, a = 0.025;

  [[nodiscard]] V target(double t) const {
    if (t <= 2) return t / 2 * V(length, -5 * a, 0);
    const double rest = 2 - t / 2, angle = 24 * (1 - rest);
    return rest * V(length, -8 * a * std::cos(angle), -8 * a * std::sin(angle));
  }
  template <class B>
  void add(const B&, const Chain<>& at, double t, Columns<double, 6>& f) const {
    const V force = stiffness * (target(t) - at.position(0));
    for (int i = 0; i < 3; ++i) f(0, i) += force[i];
  }
  static constexpr bool depends_on_velocities = false;
};

TEST_CASE("a rod that is wound around a part of itself held by a joint is followed to its end",
          "[contact][touching]") {
  const Hand hand;
  const rod::CircularSection rubber({.radius = hand.a, .young = 1e6, .poisson = 0.5, .density = 2000});
  const rod::ElasticRod<> rod(rubber, {.elements = 50,
                                       .length = hand.length,
                                       .finish = rod::Boundary<>::pinned(),
                                       .loads = {.gravity = {0, 0, -g}},
                                       .damping = {.rate = 5}});
  const auto all = bodies(WithLoad<rod::ElasticRod<>, Hand>(rod, hand));
  const auto [cord] = all.handles();
  const auto start = rod.straight({0, 0, 0}, {.direction = {1, 0, 0}});
  const Assembly problem{
      all, constraints(SphericalJoint{node(cord, 31), FrameMarker<>::in_space(start.position(31))}),
      Touching<>{}};
  auto state = problem.state({start});
  double deepest = 0, pressed = 0;
  drive(Verlet{}, problem, state, {.step = 8e-4, .until = 4}, [&](const auto& p, const auto& x) {
    deepest = std::min(deepest, contact::smallest_gap(p, x));
    for (const auto& t : contact::touches(p, x)) pressed += t.pressure();
  });
  CHECK(deepest > -1e-14);
  CHECK(pressed > 0);
  CHECK(problem.constraint(state).position < 1e-14);
  CHECK((state[0].position(0) - hand.target(4)).norm() < 0.05);
}

}  // namespace touching_joints_test
