#include <dalembert/contact/touching.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"

namespace touching_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Drum;
using contact::Plane;
using contact::Touching;
using contact::TouchMode;
using V = Vec<double, 3>;

constexpr double g = 9.81, half_pi = static_cast<double>(pi) / 2;

RigidBody<> ball_body(double mass, double radius, const V& gravity = {0, 0, -g}) {
  const double j = 0.4 * mass * radius * radius;
  return RigidBody<>{{.mass = mass, .inertia = {j, j, j}, .gravity = gravity}};
}
/// A cylinder about the second axis of space, as a ball that cannot tell.
RigidBody<> log_body(double mass, double radius, const V& gravity = {0, 0, -g}) {
  const double j = 0.5 * mass * radius * radius;
  return RigidBody<>{{.mass = mass, .inertia = {j, j, j}, .gravity = gravity}};
}

/// One ball on a plane.
auto one_ball(const RigidBody<>& body, double radius, double friction, double restitution = 0,
              const Plane<>& plane = {}) {
  const auto all = bodies(body);
  const auto [ball] = all.handles();
  return Assembly{all, Touching<>{.friction = friction,
                                  .restitution = restitution,
                                  .planes = {plane},
                                  .balls = {{frame(ball), radius}}}};
}

TEST_CASE("a thrown cylinder and a thrown sphere slip until they roll", "[contact][touching]") {
  const double a = 0.1, m = 2, mu = 0.2, v0 = 2;
  for (const double dt : {1e-3, 1e-4})
    for (const bool sphere : {false, true}) {
      const auto body = sphere ? ball_body(m, a) : log_body(m, a);
      const auto problem = one_ball(body, a, mu);
      auto state = problem.state({body.at({0, 0, a})});
      state[0].set_velocity(0, {v0, 0, 0}, {0, 0, 0});
      analysis::EnergyMonitor monitor{problem};
      double slips_until = 0, slip = 0;
      drive(Verlet{}, problem, state, {.step = dt, .until = 0.6}, monitor, [&](const auto&, const auto& x) {
        const double u = std::abs(x[0].linear_velocity(0)[0] - a * x[0].angular_velocity(0)[1]);
        if (u > 1e-12)
          slips_until = x.time;
        else
          slip = std::max(slip, u);
      });
      const double end = sphere ? 5 * v0 / 7 : 2 * v0 / 3, loss = sphere ? 2.0 / 7 : 1.0 / 3;
      const double rolls_from = sphere ? 2 * v0 / (7 * mu * g) : v0 / (3 * mu * g);
      CHECK(std::abs(state[0].linear_velocity(0)[0] - end) < 1e-13);
      CHECK(std::abs(slips_until - rolls_from) <= dt);
      CHECK(slip <= 1e-14);
      CHECK(std::abs(monitor.contacts().friction / (-m * v0 * v0 / 2) - loss) < 1e-13);
      CHECK(monitor.balance_error() < 1e-12);
      CHECK(std::abs(state[0].position(0)[2] - a) < 1e-16);
      const auto touches = contact::touches(problem, state);
      REQUIRE(touches.size() == 1);
      CHECK(touches[0].mode == TouchMode::sticks);
      CHECK(std::abs(touches[0].pressure() - m * g) < 1e-12 * m * g);
    }
}

TEST_CASE("a cylinder on an incline rolls, or slips and spins", "[contact][touching]") {
  const double a = 0.05, m = 0.7, slope = std::acos(-1.0) / 6;
  const V n(std::sin(slope), 0, std::cos(slope)), down(std::cos(slope), 0, -std::sin(slope));
  for (const double mu : {0.25, 0.15}) {
    const auto body = log_body(m, a);
    const auto problem = one_ball(body, a, mu, 0, {.normal = n});
    auto state = problem.state({body.at(a * n)});
    const double t = 0.5;
    drive(Verlet{}, problem, state, {.step = 1e-3, .until = t});
    const double acceleration =
        mu == 0.25 ? 2 * g * std::sin(slope) / 3 : g * (std::sin(slope) - mu * std::cos(slope));
    const double spin = mu == 0.25 ? acceleration / a : 2 * mu * g * std::cos(slope) / a;
    CHECK(std::abs(state[0].linear_velocity(0).dot(down) / t - acceleration) < 1e-10);
    CHECK(std::abs(state[0].angular_velocity(0)[1] / t - spin) < 1e-10 * spin);
    const auto touches = contact::touches(problem, state);
    REQUIRE(touches.size() == 1);
    CHECK(touches[0].mode == (mu == 0.25 ? TouchMode::sticks : TouchMode::slides));
    if (mu == 0.15) {
      CHECK(std::abs(acceleration - 3.630644) < 1e-6);
      CHECK(std::abs(touches[0].force.dot(down) + mu * touches[0].pressure()) < 1e-9);
    }
  }
}

TEST_CASE("a ball with backspin comes back", "[contact][touching]") {
  const double a = 0.03, mu = 0.3, v0 = 1, spin = -150;  // about the second axis: rolling would be v0/a
  const auto body = ball_body(0.2, a);
  const auto problem = one_ball(body, a, mu);
  auto state = problem.state({body.at({0, 0, a})});
  state[0].set_velocity(0, {v0, 0, 0}, {0, spin, 0});
  const double t = 2 * (v0 - a * spin) / (7 * mu * g), end = v0 - mu * g * t;  // where it begins to roll
  const double farthest = v0 * v0 / (2 * mu * g);
  double most = 0;
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 1.1 * t},
        [&](const auto&, const auto& x) { most = std::max(most, x[0].position(0)[0]); });
  CHECK(end < 0);
  CHECK(std::abs(state[0].linear_velocity(0)[0] - end) < 1e-12);
  CHECK(std::abs(most - farthest) < 1e-7);
}

TEST_CASE("a ball that is dropped bounces lower and lower, and rests", "[contact][touching]") {
  const double a = 0.1, height = 1, fall = std::sqrt(2 * height / g);
  const auto body = ball_body(2, a);
  const auto problem = one_ball(body, a, 0.2, 0.5);
  std::vector<double> error;
  for (const double dt : {2e-4, 1e-4}) {
    auto state = problem.state({body.at({0, 0, a + height})});
    std::vector<double> tops;
    double speed = 0, rests_from = 0, deepest = 0;
    drive(Verlet{}, problem, state, {.step = dt, .until = 3.5 * fall}, [&](const auto&, const auto& x) {
      const double z = x[0].position(0)[2] - a, v = x[0].linear_velocity(0)[2];
      if (speed > 0 && v <= 0 && z > 1e-3) tops.push_back(z);
      if (z > 1e-9) rests_from = x.time;
      speed = v;
      deepest = std::min(deepest, z);
    });
    REQUIRE(tops.size() >= 3);
    CHECK(std::abs(tops[0] / (height / 4) - 1) < 0.01);
    CHECK(std::abs(tops[1] / (height / 16) - 1) < 0.01);
    CHECK(std::abs(rests_from / (3 * fall) - 1) < 0.01);
    CHECK(state[0].linear_velocity(0).norm() < 1e-15);
    CHECK(std::abs(state[0].position(0)[2] - a) < 1e-15);
    CHECK(deepest > -1e-15);
    error.push_back(std::abs(rests_from - 3 * fall));
  }
  CHECK(error[1] < 0.75 * error[0]);
}

TEST_CASE("balls that meet keep their momentum and part at e times their speed", "[contact][touching]") {
  const double a = 0.1, b = 0.07, e = 0.6;
  const auto one = ball_body(2, a, {0, 0, 0}), two = ball_body(0.5, b, {0, 0, 0});
  const auto all = bodies(one, two);
  const auto [first, second] = all.handles();
  for (const double mu : {0.0, 0.4}) {
    const Assembly problem{
        all, Touching<>{.friction = mu, .restitution = e, .balls = {{frame(first), a}, {frame(second), b}}}};
    auto state = problem.state({{first, one.at({0.3, 0.2, -0.1})}, {second, two.at({0.55, 0.25, -0.05})}});
    state[first].set_velocity(0, {1, 0.1, 0}, {0, 3, -4});
    state[second].set_velocity(0, {-2, 0, 0.2}, {1, 0, 5});
    const auto momentum = [&, first = first, second = second] {
      return V(2 * state[first].linear_velocity(0) + 0.5 * state[second].linear_velocity(0));
    };
    const auto angular = [&] {
      V total = V::Zero();
      for (const auto& [h, m, r] : {std::tuple{0, 2.0, a}, std::tuple{1, 0.5, b}}) {
        const auto n = state[static_cast<std::size_t>(h)].node(0);
        total += m * n.position.cross(n.velocity) + 0.4 * m * r * r * n.rotation.act(n.angular_velocity);
      }
      return total;
    };
    const V before = momentum(), turning = angular();
    double approach = 0, parting = 0, nearest = 1;
    analysis::EnergyMonitor monitor{problem};
    drive(Verlet{}, problem, state, {.step = 1e-3, .until = 0.2}, monitor, [&](const auto&, const auto& x) {
      const V d = x[0].position(0) - x[1].position(0), n = d.normalized();
      const double u = n.dot(V(x[0].linear_velocity(0) - x[1].linear_velocity(0)));
      (u < 0 ? approach : parting) = u;
      if (u < 0) parting = 0;
      if (parting != 0 && nearest == 1) nearest = u;
    });
    CHECK(approach < -2);
    CHECK(std::abs(nearest + e * approach) < 5e-3);
    CHECK((momentum() - before).norm() < 1e-13);
    CHECK((angular() - turning).norm() < 2e-3);  // where positions are put right, to second order
    CHECK(monitor.balance_error() < 1e-12);
    CHECK(monitor.contacts().impact + monitor.contacts().correction < 0);
    if (mu == 0) CHECK(std::abs(monitor.contacts().friction) < 1e-15);
    if (mu > 0) CHECK(monitor.contacts().friction < 0);
  }
}

TEST_CASE("what pushes a body within a step pushes it through nothing", "[contact][touching]") {
  // a plate on a heavy body hits a ball before a wall, which hits the wall in the same step
  const auto ball = ball_body(1, 0.02, V::Zero()), heavy = ball_body(100, 0.1, V::Zero());
  for (const bool drum : {false, true}) {
    CAPTURE(drum);
    const auto all = bodies(heavy, ball);
    const auto [pusher, pushed] = all.handles();
    Touching<> touching{.restitution = 1,
                        .planes = {{.point = V(0.0415, 0, 0), .normal = V(-1, 0, 0)}},
                        .balls = {{frame(pushed), 0.02}}};
    if (drum)
      touching.drums = {Drum<>{.surface = {.radius = 0.1, .axis = V(0, 1, 0)}, .marker = frame(pusher)}};
    else
      touching.plates = {{.marker = frame(pusher), .plane = {.normal = V(1, 0, 0)}}};
    const Assembly problem{all, touching};
    const double x = drum ? -0.1005 : -0.0005;
    auto state = problem.state({{pusher, heavy.at({x, 0, 0})}, {pushed, ball.at({0.02, 0, 0})}});
    state[pusher].set_velocity(0, {2, 0, 0}, V::Zero());
    const double energy = problem.energy(state);
    double least = 0;
    drive(Verlet{}, problem, state, {.step = 2e-3, .until = 0.02},
          [&](const auto& p, const auto& at) { least = std::min(least, contact::smallest_gap(p, at)); });
    CHECK(least > -1e-15);
    CHECK(problem.energy(state) == Approx(energy).epsilon(1e-6));
    CHECK(state[pusher].linear_velocity(0)[0] < -1.9);
  }
}

TEST_CASE("a heavy body on a hinge presses a light ball against a wall", "[contact][touching]") {
  for (const double mass : {5.0, 500.0, 5000.0}) {
    CAPTURE(mass);
    const auto ball = ball_body(1e-3, 0.02, V::Zero());
    const RigidBody<> paddle{{.mass = mass, .inertia = V(0.1, 0.1, 0.1) * mass, .force = V(mass, 0, 0)}};
    const auto all = bodies(paddle, ball);
    const auto [pusher, pushed] = all.handles();
    const SO3<> axis = SO3<>::exp(V(-half_pi, 0, 0));
    const Assembly problem{
        all, constraints(Hinge{frame(pusher, V(0, 0, 1), axis), FrameMarker<>::in_space({0, 0, 1}, axis)}),
        Touching<>{.planes = {{.point = V(0.0401, 0, 0), .normal = V(-1, 0, 0)}},
                   .plates = {{.marker = frame(pusher), .plane = {.normal = V(1, 0, 0)}}},
                   .balls = {{frame(pushed), 0.02}}}};
    auto state = problem.state({{pusher, paddle.at({0, 0, 0})}, {pushed, ball.at({0.02005, 0, 0})}});
    state[pusher].set_velocity(0, {0.1, 0, 0}, V(0, -0.1, 0));
    double least = 0;
    drive(Verlet{}, problem, state, {.step = 1e-3, .until = 0.1},
          [&](const auto& p, const auto& at) { least = std::min(least, contact::smallest_gap(p, at)); });
    CHECK(least > -1e-12);
  }
}

TEST_CASE("a column of balls carries its weight", "[contact][touching]") {
  const int n = 20;
  const double a = 0.1, m = 2;
  const auto body = ball_body(m, a);
  const auto all = bodies(std::vector(n, body));
  const auto [balls] = all.handles();
  Touching<> what{.friction = 0.3, .planes = {Plane<>{}}};
  for (const auto& ball : balls) what.balls.push_back({frame(ball), a});
  const Assembly problem{all, what};
  std::vector<Chain<>> chains;
  for (int i = 0; i < n; ++i) chains.push_back(body.at({0, 0, a + 2 * a * i}));
  auto state = problem.state(chains);
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 0.2});
  const auto touches = contact::touches(problem, state);
  REQUIRE(touches.size() == n);
  double lowest = 0;
  for (const auto& t : touches) {
    const double above = t.other.kind == contact::TouchingSurface::Kind::plane
                             ? n
                             : n - 1 - static_cast<double>(std::min(t.body, t.other.number));
    CHECK(std::abs(t.pressure() / (above * m * g) - 1) < 1e-10);
    lowest = std::max(lowest, t.pressure());
  }
  CHECK(std::abs(lowest - n * m * g) < 1e-8);
  CHECK(std::abs(state[19].position(0)[2] - 39 * a) < 1e-14);
  CHECK(contact::touching_force(problem, state, balls[0], balls[1])[2] < -18.999 * m * g);
  // on each by everything, whichever of a pair it is; on the plane, and on all of them
  for (const auto& ball : balls)
    CHECK((contact::touching_force(problem, state, ball) - V(0, 0, m * g)).norm() < 1e-8);
  const auto plane = contact::TouchingSurface::plane(0);
  CHECK((contact::touching_force(problem, state, plane) + V(0, 0, n * m * g)).norm() < 1e-8);
  CHECK((contact::touching_force(problem, state, {}) - V(0, 0, n * m * g)).norm() < 1e-8);
}

/// Three logs, two balls each; the two lower ones are a little apart.
struct Pyramid {
  static constexpr double a = 0.1, m = 3, half = 0.2;
  /// How far the top has gone, and its forces.
  static auto run(double mu_logs, double mu_ground, double until) {
    const auto body = log_body(m, a);
    const auto all = bodies(body, body, body);
    const auto [left, right, top] = all.handles();
    Touching<> what{.friction = mu_logs, .planes = {Plane<>{}}};
    for (const auto& log : {left, right, top})
      for (const double y : {-half, half}) what.balls.push_back({frame(log, {0, y, 0}), a});
    what.pairs.push_back({.first = contact::TouchingSurface::any(),
                          .second = contact::TouchingSurface::plane(0),
                          .friction = mu_ground});
    const Assembly problem{all, what};
    const double aside = a * (1 + 0.5e-4);
    const auto start = problem.state({{left, body.at({-aside, 0, a})},
                                      {right, body.at({aside, 0, a})},
                                      {top, body.at({0, 0, a + std::sqrt(4 * a * a - aside * aside)})}});
    auto state = start;
    drive(Verlet{}, problem, state, {.step = 1e-3, .until = until});
    double moved = 0;
    for (std::size_t i = 0; i < 3; ++i)
      moved = std::max(moved, (state[i].position(0) - start[i].position(0)).norm());
    return std::tuple{moved, contact::touches(problem, state)};
  }
};

TEST_CASE("three logs stand by friction, or fall", "[contact][touching]") {
  const auto [moved, touches] = Pyramid::run(0.28, 0.10, 1);
  CHECK(moved < 1e-9);
  // of the two ends of a log the sums in the plane are determined, the parts are not
  V force[2] = {V::Zero(), V::Zero()}, normal[2];
  int on_top = 0;
  for (const auto& t : touches) {
    if (t.other.kind != contact::TouchingSurface::Kind::body || (t.body != 2 && t.other.number != 2))
      continue;
    const std::size_t below = t.body == 2 ? t.other.number : t.body;
    force[below] += t.body == 2 ? t.force : V(-t.force);
    normal[below] = t.body == 2 ? t.normal : V(-t.normal);
    ++on_top;
  }
  CHECK(on_top == 4);
  const double weight = Pyramid::m * g;
  for (int k = 0; k < 2; ++k) {
    const double pressure = normal[k].dot(force[k]);
    CHECK(std::abs(pressure / weight - 0.5) < 1e-3);
    const V across = V(0, 1, 0).cross(normal[k]);  // what they press along their axes is open as well
    CHECK(std::abs(std::abs(across.dot(force[k])) / weight - 0.133975) < 1e-3);
  }
  CHECK(std::get<0>(Pyramid::run(0.25, 0.10, 1)) > 0.1 * Pyramid::a);
  CHECK(std::get<0>(Pyramid::run(0.28, 0.08, 1)) > 0.1 * Pyramid::a);
}

TEST_CASE("what touches keeps its laws of symmetry", "[contact][touching]") {
  const double a = 0.1;
  const auto run = [&](const V& away, const SO3<>& turned, double scale) {
    const auto body = ball_body(2, scale * a, turned.act(V(0, 0, -g * scale)));
    const auto all = bodies(std::vector(3, body));
    const auto [balls] = all.handles();
    Touching<> what{.friction = 0.3,
                    .restitution = 0.4,
                    .planes = {{.point = away, .normal = turned.act(V(0, 0, 1))}},
                    .drums = {{.surface = {.radius = scale * 0.5,
                                           .centre = away + turned.act(V(0, 0, scale * 0.1)),
                                           .axis = turned.act(V(0, 1, 0))},
                               .inside = true}}};
    for (const auto& ball : balls) what.balls.push_back({frame(ball), scale * a});
    const Assembly problem{all, what};
    std::vector<Chain<>> chains;
    const std::vector<V> at{{0, 0, 0.15}, {0.15, 0.02, 0.3}, {-0.2, 0.05, 0.25}};
    for (const V& x : at) chains.push_back(body.at(away + turned.act(V(scale * x)), turned));
    auto state = problem.state(chains);
    for (std::size_t i = 0; i < 3; ++i)
      state[i].set_velocity(0, turned.act(V(scale * V(0.3 - 0.2 * double(i), 0.1, 0))), {1, 2, double(i)});
    drive(Verlet{}, problem, state, {.step = 1e-3, .until = 0.35});
    std::vector<V> out;
    for (std::size_t i = 0; i < 3; ++i)
      out.push_back(turned.inverse().act(V((state[i].position(0) - away) / scale)));
    return out;
  };
  const auto plain = run({0, 0, 0}, SO3<>::identity(), 1);
  const auto compare = [&](const std::vector<V>& other, double most) {
    for (std::size_t i = 0; i < 3; ++i) CHECK((other[i] - plain[i]).norm() < most);
  };
  compare(run({0, 0, 0}, SO3<>::exp({0.3, -0.8, 0.5}), 1), 1e-11);
  compare(run({1000, -500, 300}, SO3<>::identity(), 1), 1e-8);
  compare(run({0, 0, 0}, SO3<>::identity(), 1e-3), 1e-11);
}

TEST_CASE("a ball under infinite friction rolls as the constraint does", "[contact][touching]") {
  const double a = 0.1;
  const auto body = RigidBody<>{{.mass = 2, .inertia = {0.008, 0.009, 0.011}, .gravity = {1.0, 0.5, -g}}};
  const auto problem = one_ball(body, a, std::numeric_limits<double>::infinity());
  const auto all = bodies(body);
  const auto [ball] = all.handles();
  const Assembly bound{all, constraints(contact::RollingOnPlane<>{.marker = frame(ball), .radius = a})};
  auto state = problem.state({body.at({0, 0, a})});
  state[0].set_velocity(0, {0.3, 0.2, 0}, {-2, 3, 0.7});
  state[0].set_velocity(0, {0.3, -0.2, 0}, {2, 3, 0.7});
  auto held = bound.state({body.at({0, 0, a})});
  held.chains = state.chains;
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 1});
  drive(Verlet{}, bound, held, {.step = 1e-3, .until = 1});
  CHECK((state[0].position(0) - held[0].position(0)).norm() < 1e-12);
  CHECK((state[0].rotation(0).matrix() - held[0].rotation(0).matrix()).norm() < 1e-12);
  CHECK((state[0].position(0) - V(0, 0, a)).norm() > 0.3);
}

TEST_CASE("a run of what touches goes on from any state, bit for bit", "[contact][touching]") {
  const double a = 0.1;
  const auto body = ball_body(2, a);
  const auto all = bodies(std::vector(4, body));
  const auto [balls] = all.handles();
  Touching<> what{.friction = 0.3, .restitution = 0.3, .planes = {Plane<>{}}};
  for (const auto& ball : balls) what.balls.push_back({frame(ball), a});
  const Assembly problem{all, what};
  std::vector<Chain<>> chains;
  for (int i = 0; i < 4; ++i) chains.push_back(body.at({0.13 * i, 0.03 * i, a + 0.19 * i}));
  auto state = problem.state(chains);
  for (std::size_t i = 0; i < 4; ++i) state[i].set_velocity(0, {1.0 - double(i), 0.3, 0}, {5, double(i), 0});
  auto fresh = state;
  auto stepper = Verlet{}.stepper(problem, state);
  double deepest = 0;
  for (int i = 0; i < 800; ++i) {
    (void)stepper.step(problem, state, 1e-3);
    auto another = Verlet{}.stepper(problem, fresh);
    (void)another.step(problem, fresh, 1e-3);
    deepest = std::min(deepest, contact::smallest_gap(problem, state));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK((state[i].configuration == fresh[i].configuration).all());
    CHECK((state[i].velocity == fresh[i].velocity).all());
  }
  CHECK(deepest > -64 * std::numeric_limits<double>::epsilon() * 2);
}

TEST_CASE("bodies that begin inside each other are let out without a kick", "[contact][touching]") {
  const double a = 0.1;
  const auto body = ball_body(2, a, {0, 0, 0});
  const auto problem = one_ball(body, a, 0.3);
  auto state = problem.state({body.at({0, 0, 0.8 * a})});
  double fastest = 0;
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 1},
        [&](const auto&, const auto& x) { fastest = std::max(fastest, x[0].linear_velocity(0).norm()); });
  CHECK(fastest == 0);
  CHECK(std::abs(state[0].position(0)[2] - a) < 1e-12);
  CHECK_THROWS_AS(problem.state({body.at({0, 0, 0.4 * a})}), BodiesOverlap);
}

TEST_CASE("how deep bodies may begin inside each other is up to the smaller, in any order",
          "[contact][touching]") {
  const double large = 1, small = 0.1;
  const auto body = ball_body(2, large, {0, 0, 0});
  const auto all = bodies(body, body);
  const auto [one, two] = all.handles();
  for (const bool first : {true, false}) {
    const double a = first ? large : small, b = first ? small : large;
    const Assembly problem{all, Touching<>{.balls = {{frame(one), a}, {frame(two), b}}}};
    const auto at = [&](double depth) {
      return problem.state({{one, body.at({0, 0, 0})}, {two, body.at({large + small - depth, 0, 0})}});
    };
    CHECK_NOTHROW(at(0.49 * small));
    CHECK_THROWS_AS(at(0.51 * small), BodiesOverlap);
    CHECK_THROWS_AS(at(0.45 * large), BodiesOverlap);
  }
  const Assembly pin{all, Touching<>{.drums = {{.surface = {.radius = small, .axis = {0, 1, 0}}}},
                                     .balls = {{frame(one), large}}}};
  const auto at = [&](double depth) {
    return pin.state({{one, body.at({large + small - depth, 0, 0})}, {two, body.at({9, 0, 0})}});
  };
  CHECK_NOTHROW(at(0.49 * small));
  CHECK_THROWS_AS(at(0.51 * small), BodiesOverlap);
}

TEST_CASE("oblique surfaces may move along themselves in any precision", "[contact][touching]") {
  const auto check = []<class S>(S) {
    using W = Vec<S, 3>;
    const W axis = W(1, 2, 3).normalized();
    Drum<S> drum;
    drum.surface = {.radius = S(1), .axis = axis};
    drum.angular_velocity = S(3.3) * axis;
    drum.velocity = S(0.7) * axis;
    Touching<S> what;
    what.drums = {drum};
    CHECK_NOTHROW(what.check());
    what.drums[0].angular_velocity += S(1e-3) * axis.cross(W::UnitX());
    CHECK_THROWS_WITH(what.check(), Catch::Matchers::ContainsSubstring("it must turn about its axis"));
  };
  check(1.0F);
  check(1.0);
}

TEST_CASE("surfaces and coefficients that mean nothing are refused", "[contact][touching]") {
  const auto body = ball_body(2, 0.1);
  const auto all = bodies(body);
  const auto [ball] = all.handles();
  const auto make = [&](const Touching<>& what) { return Assembly{all, what}; };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(make({.friction = -0.1}), ContainsSubstring("friction = -0.1"));
  CHECK_THROWS_WITH(make({.friction = std::nan("")}), ContainsSubstring("friction"));
  CHECK_THROWS_WITH(make({.restitution = 1.5}), ContainsSubstring("restitution = 1.5"));
  CHECK_THROWS_WITH(make({.balls = {{frame(ball), 0}}}), ContainsSubstring("radius of a ball = 0"));
  CHECK_THROWS_WITH(make({.radii = {-0.1}}), ContainsSubstring("radii 0 = -0.1"));
  CHECK_THROWS_WITH(make({.radii = {std::nan("")}}), ContainsSubstring("radii 0 = nan"));
  CHECK_NOTHROW(make({.radii = {0.1}}));  // of no rod
  CHECK_THROWS_WITH(make({.radii = {0.1, 0.1}}), ContainsSubstring("one for each body"));
  CHECK_THROWS_WITH(make({.planes = {{.velocity = {0, 0, 1}}}}), ContainsSubstring("along its normal"));
  CHECK_THROWS_WITH(
      make({.drums = {{.surface = {.radius = 0.1}, .inside = true}}, .balls = {{frame(ball), 0.1}}}),
      ContainsSubstring("smaller than the hollow"));
  const contact::TouchingPair<> pair{.first = ball, .second = contact::TouchingSurface::plane(0)};
  CHECK_THROWS_WITH(make({.planes = {{}}, .pairs = {pair, pair}}), ContainsSubstring("named again"));
}

TEST_CASE("balls and surfaces on bodies of another set are refused", "[contact][touching]") {
  const auto body = ball_body(2, 0.1);
  const auto all = bodies(body, body), others = bodies(body, body);
  const auto [ball, next] = all.handles();
  const auto [foreign, other] = others.handles();
  const auto make = [&](const Touching<>& what) { return Assembly{all, what}; };
  using Catch::Matchers::ContainsSubstring;
  const auto refused = ContainsSubstring("= 1, but it must be of the bodies of the assembly");
  CHECK_THROWS_WITH(make({.balls = {{frame(other), 0.1}}}),
                    refused && ContainsSubstring("handle of the marker of a ball"));
  CHECK_THROWS_WITH(make({.plates = {{.marker = frame(other)}}}),
                    refused && ContainsSubstring("handle of the marker of a surface"));
  CHECK_THROWS_WITH(make({.drums = {{.surface = {.radius = 0.1}, .marker = frame(other)}}}), refused);
  CHECK_NOTHROW(make({.plates = {{.marker = frame(next)}}, .balls = {{frame(ball), 0.1}}}));
  FrameMarker<> by_number;
  by_number.body = 1;
  CHECK_NOTHROW(make({.balls = {{by_number, 0.1}}}));
}

TEST_CASE("pairs of surfaces that are not there are refused", "[contact][touching]") {
  using Surface = contact::TouchingSurface;
  const auto body = ball_body(2, 0.1);
  const auto all = bodies(body, body);
  const auto [ball, next] = all.handles();
  const auto make = [&](const Surface& one, const Surface& two) {
    return Assembly{all, Touching<>{.planes = {{}},
                                    .plates = {{.marker = frame(next)}},
                                    .pairs = {{.first = Surface::any(), .second = Surface::plate(0)},
                                              {.first = one, .second = two}}}};
  };
  using Catch::Matchers::ContainsSubstring;
  const Surface plane = Surface::plane(0), second(Surface::Kind::body, 1), third(Surface::Kind::body, 2);
  CHECK_NOTHROW(make(plane, second));
  CHECK_THROWS_AS(make(third, plane), std::invalid_argument);
  CHECK_THROWS_WITH(make(third, plane),
                    ContainsSubstring("body of pair 1 = 2, but the number of bodies is 2"));
  CHECK_THROWS_WITH(make(second, Surface::plane(1)), ContainsSubstring("plane of pair 1 = 1"));
  CHECK_THROWS_WITH(make(second, Surface::plate(3)), ContainsSubstring("plate of pair 1 = 3"));
  CHECK_THROWS_WITH(make(Surface::drum(0), ball), ContainsSubstring("drum of pair 1 = 0"));
}

TEST_CASE("a shell has balls larger than its hollow", "[contact][touching]") {
  const auto body = ball_body(2, 0.11);
  const auto all = bodies(body, body, body);
  const auto [shell, lid, inner] = all.handles();
  const auto make = [&](double radius, double cover) {
    return Assembly{
        all, constraints(Weld{frame(shell, {0, 0, 0.2}), frame(lid)}),
        Touching<>{.planes = {{}},
                   .drums = {{.surface = {.radius = 0.1}, .inside = true, .marker = frame(shell)}},
                   .balls = {{frame(shell), 0.11}, {frame(lid), cover}, {frame(inner), radius}},
                   .pairs = {{.first = shell, .second = inner, .touches = false},
                             {.first = lid, .second = inner, .touches = false}}}};
  };
  CHECK_THROWS_WITH(make(0.11, 0.11), Catch::Matchers::ContainsSubstring("smaller than the hollow"));
  const auto problem = make(0.02, 0.11);
  auto state = problem.state(
      {{shell, body.at({0, 0, 0.11})}, {lid, body.at({0, 0, 0.31})}, {inner, body.at({0, 0, 0.03})}});
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 0.05});
  CHECK(std::abs(state[inner].position(0)[2] - 0.03) < 1e-12);
  CHECK(std::abs(contact::touching_force(problem, state, contact::TouchingSurface::plane(0))[2] + 6 * g) <
        1e-8);
}

}  // namespace touching_test
