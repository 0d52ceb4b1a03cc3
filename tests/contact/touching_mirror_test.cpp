// What touches, mirrored, turned, moved far away, and taken up again: the same motion.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/checkpoint.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace touching_mirror_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Plane;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double g = 9.81;

/// y → −y. A rotation Λ becomes MΛM, an angular velocity, being an axial vector, −Mω.
void mirror(State<>& x) {
  for (Chain<>& chain : x.chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      for (const int i : {1, 4, 6}) chain.configuration(k, i) *= -1;  // y, and x and z of the quaternion
      for (const int i : {1, 3, 5}) chain.velocity(k, i) *= -1;
    }
}
void move(State<>& x, const V& away) {
  for (Chain<>& chain : x.chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k)
      for (int i = 0; i < 3; ++i) chain.configuration(k, i) += away[i];
}
/// About the origin. Velocities of positions are spatial, angular ones of the body.
void turn(State<>& x, const SO3<>& by) {
  for (Chain<>& chain : x.chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      const V at = by.act(chain.position(k)), v = by.act(chain.linear_velocity(k));
      const V w = chain.angular_velocity(k);
      chain.set_frame(k, by * chain.rotation(k), at);
      chain.set_velocity(k, v, w);
    }
}
double distance(const State<>& x, const State<>& y) {
  double most = 0;
  for (std::size_t b = 0; b < x.chains.size(); ++b)
    for (Eigen::Index k = 0; k < x[b].nodes; ++k)
      most = std::max(most, (x[b].position(k) - y[b].position(k)).norm());
  return most;
}

/// Three balls that are thrown into a channel.
struct Balls {
  static constexpr double a = 0.1;
  static RigidBody<> body() {
    return RigidBody<>{{.mass = 2, .inertia = {0.008, 0.008, 0.008}, .gravity = {0, 0, -g}}};
  }
  static auto problem() {
    const auto all = bodies(std::vector(3, body()));
    const auto [balls] = all.handles();
    Touching<> what{.friction = 0.3, .restitution = 0.4, .planes = {Plane<>{}}};
    what.drums = {{.surface = {.radius = 0.5, .centre = {0, 0, 0.1}, .axis = {0, 1, 0}}, .inside = true}};
    for (const auto& ball : balls) what.balls.push_back({frame(ball), a});
    return Assembly{all, what};
  }
  static auto start(const auto& problem) {
    const std::vector<V> at{{0, 0, 0.15}, {0.15, 0.02, 0.3}, {-0.2, 0.05, 0.25}};
    std::vector<Chain<>> chains;
    for (const V& x : at) chains.push_back(body().at(x));
    auto state = problem.state(chains);
    for (std::size_t i = 0; i < 3; ++i)
      state[i].set_velocity(0, {0.3 - 0.2 * double(i), 0.1, 0}, {1, 2, double(i)});
    return state;
  }
};

TEST_CASE("balls that are thrown in a mirror move as in the mirror", "[contact][touching]") {
  const auto problem = Balls::problem();
  auto state = Balls::start(problem), mirrored = state;
  mirror(mirrored);
  for (State<>* x : {&state, &mirrored}) drive(Verlet{}, problem, *x, {.step = 1e-3, .until = 0.35});
  CHECK(distance(state, Balls::start(problem)) > 0.1);
  mirror(mirrored);
  CHECK(distance(state, mirrored) < 1e-11);
}

/// How a motion is seen: from far away, in a mirror, turned.
struct View {
  V away = V::Zero();
  bool in_mirror = false;
  SO3<> turned{};
};

TEST_CASE("a rod that slides on rods does so in a mirror, turned, and far away", "[contact][touching]") {
  constexpr double a = 0.005;
  const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
  const auto run = [&](bool on_ground, const View& view) {
    const auto& [away, in_mirror, turned] = view;
    const auto make_rod = [&](bool held) {
      const auto end = held ? rod::Boundary<>::clamped() : rod::Boundary<>::free();
      return rod::ElasticRod<>(rubber, {.elements = 16,
                                        .length = 0.16,
                                        .start = end,
                                        .finish = end,
                                        .loads = {.gravity = view.turned.act(V(0, 0, -g))},
                                        .damping = {20}});
    };
    const auto rail = make_rod(true), slider = make_rod(false);
    Touching<> what{.friction = 0.3};
    if (on_ground) what.planes = {{.point = away, .normal = turned.act(V(0, 0, 1))}};
    const Assembly problem{bodies(rail, rail, slider), what};
    State<> from{0,
                 {rail.straight({0, 0.0425, a}, {.direction = {1, 0, 0}}),
                  rail.straight({0, 0.1175, a}, {.direction = {1, 0, 0}}),
                  slider.straight({0.02, 0, 3 * a}, {.direction = {0.2, 1, 0}})},
                 {}};
    for (Eigen::Index k = 0; k <= 16; ++k) from[2].set_velocity(k, {1.2, 0.1, 0}, {0, 0, 0});
    if (in_mirror) mirror(from);
    turn(from, turned);
    move(from, away);
    auto state = problem.state(from.chains);
    std::size_t slides = 0;
    double deepest = 0;
    drive(Verlet{}, problem, state, {.cfl = 0.5, .until = 0.1, .output_interval = 0.01},
          [&](const auto&, const auto& now) {
            deepest = std::min(deepest, contact::smallest_gap(problem, now));
            for (const auto& t : contact::touches(problem, now))
              slides += (t.body == 2 || t.other.number == 2) && t.mode == contact::TouchMode::slides;
          });
    CHECK(slides >= 2);
    CHECK(deepest > -64 * std::numeric_limits<double>::epsilon() * (away.norm() + 0.2));
    move(state, -away);
    turn(state, turned.inverse());
    if (in_mirror) mirror(state);
    return state;
  };
  const SO3<> turned = SO3<>::exp({0.4, -1.1, 0.7});
  for (const bool on_ground : {false, true}) {
    CAPTURE(on_ground);
    const auto plain = run(on_ground, {});
    CHECK(distance(plain, run(on_ground, {.in_mirror = true})) < 1e-10);
    CHECK(distance(plain, run(on_ground, {.turned = turned})) < 1e-10);
    // from the ground nodes lift off: they are closed up to 256 roundings of the sizes, which there are 1e-10 m
    const double most = on_ground ? 1e-9 : 1e-10;
    CHECK(distance(plain, run(on_ground, {.away = {1000, -500, 300}})) < most);
    CHECK(distance(plain, run(on_ground, {.away = {-300, 1000, 1000}})) < most);
    CHECK(distance(plain, run(on_ground, {{-1000, 700, 900}, true, turned})) < most);
  }
}

TEST_CASE("a rod that slides on a slope far away does not sink in by rounding", "[contact][touching]") {
  constexpr double a = 0.005;
  const V away(1000, -500, 300), normal = V(0.3, -0.2, 1).normalized();
  const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(
      rubber, {.elements = 16, .length = 0.16, .loads = {.gravity = {0, 0, -g}}, .damping = {20}});
  const Assembly problem{rod,
                         Touching<>{.friction = 0.2, .planes = {Plane<>{.point = away, .normal = normal}}}};
  auto state = problem.state({rod.straight(away + a * normal, {.direction = V(1, 0.1, 0).cross(normal)})});
  double deepest = 0;
  std::size_t closed = 0;
  drive(Verlet{}, problem, state, {.cfl = 0.5, .until = 2, .output_interval = 0.05},
        [&](const auto&, const auto& now) {
          deepest = std::min(deepest, contact::smallest_gap(problem, now));
          closed = contact::touches(problem, now).size();
        });
  CHECK(closed > 4);
  CHECK((state[0].position(8) - away).norm() > 0.2);
  CHECK(deepest > -64 * std::numeric_limits<double>::epsilon() * (state[0].position(8).norm() + away.norm()));
}

TEST_CASE("what slides goes on from a file bit for bit, by a stepper that has been elsewhere",
          "[contact][touching]") {
  const auto problem = Balls::problem();
  auto state = Balls::start(problem);
  auto stepper = Verlet{}.stepper(problem, state);
  const auto steps = [&](auto& by, State<>& x, int count) {
    for (int i = 0; i < count; ++i) REQUIRE(by.step(problem, x, 1e-3).converged);
  };
  const auto slides = [&] {
    int count = 0;
    for (const auto& t : contact::touches(problem, state)) count += t.mode == contact::TouchMode::slides;
    return count;
  };
  int done = 0;
  while (slides() == 0 && done++ < 600) steps(stepper, state, 1);
  REQUIRE(slides() > 0);
  const test::Folder folder;
  io::save_checkpoint(folder / "slide", state);
  auto again = Balls::start(problem);
  auto elsewhere = again;
  mirror(elsewhere);
  auto other = Verlet{}.stepper(problem, elsewhere);
  steps(other, elsewhere, 270);
  other.reset();
  io::load_checkpoint(folder / "slide", again);
  steps(stepper, state, 300);
  steps(other, again, 300);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK((state[i].configuration == again[i].configuration).all());
    CHECK((state[i].velocity == again[i].velocity).all());
  }
}

TEST_CASE("a column of balls is solved in few iterations, a cylinder rolls on both ends",
          "[contact][touching]") {
  const double a = 0.1;
  const auto all = bodies(std::vector(20, Balls::body()));
  const auto [balls] = all.handles();
  Touching<> what{.friction = 0.3, .planes = {Plane<>{}}};
  for (const auto& ball : balls) what.balls.push_back({frame(ball), a});
  const Assembly column{all, what};
  std::vector<Chain<>> chains;
  for (int i = 0; i < 20; ++i) chains.push_back(Balls::body().at({0, 0, a + 2 * a * i}));
  auto state = column.state(chains);
  auto stepper = Verlet{}.stepper(column, state);
  for (int i = 0; i < 100; ++i) {
    const auto report = stepper.step(column, state, 1e-3);
    REQUIRE(report.converged);
    CHECK(report.iterations < 50);
  }

  // a cylinder about the second axis, as two balls, and as two constraints of which one row follows from the others
  const RigidBody<> log{{.mass = 2, .inertia = {0.02, 0.01, 0.02}, .gravity = {1, 0, -g}}};
  const auto one = bodies(log);
  const auto [h] = one.handles();
  const V ends[] = {{0, -0.2, 0}, {0, 0.2, 0}};
  const Assembly touching{one, Touching<>{.friction = std::numeric_limits<double>::infinity(),
                                          .planes = {Plane<>{}},
                                          .balls = {{frame(h, ends[0]), a}, {frame(h, ends[1]), a}}}};
  const Assembly bound{
      one, constraints(std::vector{contact::RollingOnPlane<>{.marker = frame(h, ends[0]), .radius = a},
                                   contact::RollingOnPlane<>{.marker = frame(h, ends[1]), .radius = a}})};
  auto free = touching.state({log.at({0, 0, a})});
  free[0].set_velocity(0, {0.3, 0, 0}, {0, 3, 0});
  auto held = bound.state({log.at({0, 0, a})});
  held.chains = free.chains;
  drive(Verlet{}, touching, free, {.step = 1e-3, .until = 1});
  drive(Verlet{}, bound, held, {.step = 1e-3, .until = 1});
  CHECK(distance(free, held) < 1e-12);
  CHECK(std::abs(free[0].position(0)[0] - 0.3) > 0.3);
}

}  // namespace touching_mirror_test
