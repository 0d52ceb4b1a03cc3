#include <cmath>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/thread_team.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace touching_rods_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Plane;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double g = 9.81;

rod::ElasticRod<> rubber_rod(double radius, int elements, double length, double damping = 0) {
  const rod::CircularSection rubber({.radius = radius, .young = 1e6, .density = 1100});
  return rod::ElasticRod<>(
      rubber,
      {.elements = elements, .length = length, .loads = {.gravity = {0, 0, -g}}, .damping = {damping}});
}

/// Steps of a rod at rest, with or without damping, until a time.
std::size_t check_rest(double damping, double until) {
  const double a = 0.01, weight = 1100 * std::acos(-1.0) * a * a * 0.3 * g;
  const auto rod = rubber_rod(a, 20, 0.3, damping);
  const Assembly problem{rod, Touching<>{.friction = 0.3, .planes = {Plane<>{}}}};
  auto state = problem.state({rod.straight({0.1, 0.2, a}, {.direction = {1, 2, 0}})});
  const auto start = state;
  const auto report =
      drive(Verlet{}, problem, state, {.cfl = 0.8, .until = until, .output_interval = until / 3});
  double pressed = 0;
  for (const auto& t : contact::touches(problem, state)) pressed += t.pressure();
  CHECK(std::abs(pressed / weight - 1) < 1e-12);
  double creep = 0;
  for (Eigen::Index k = 0; k <= 20; ++k)
    creep = std::max(creep, (state[0].position(k) - start[0].position(k)).norm());
  CHECK(creep < 1e-14);
  return static_cast<std::size_t>(report.steps);
}

TEST_CASE("a rod lies on a plane and does not creep", "[contact][touching]") {
  CHECK(check_rest(0, 3) > 5000);
  CHECK(check_rest(1, 60) > 100'000);  // damped: what rounding strikes does not add up
}

TEST_CASE("a rod thrown onto a slope slides down as Coulomb says", "[contact][touching]") {
  const double a = 0.01, slope = 0.5, mu = 0.2;
  const V n(std::sin(slope), 0, std::cos(slope)), down(std::cos(slope), 0, -std::sin(slope));
  const auto rod = rubber_rod(a, 10, 0.2);
  const Assembly problem{rod, Touching<>{.friction = mu, .planes = {{.normal = n}}}};
  auto state = problem.state({rod.straight(a * n, {.direction = down})});  // along the slope: it cannot roll
  for (Eigen::Index k = 0; k <= 10; ++k) state[0].set_velocity(k, 0.5 * down, {0, 0, 0});
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.cfl = 0.5, .until = 0.2}, monitor);
  V mean = V::Zero();
  for (Eigen::Index k = 0; k <= 10; ++k) mean += state[0].linear_velocity(k) / (k == 0 || k == 10 ? 20 : 10);
  CHECK(std::abs(mean.dot(down) - 0.5 - 0.2 * g * (std::sin(slope) - mu * std::cos(slope))) < 1e-3);
  CHECK(monitor.contacts().friction < 0);
}

/// A cord of given stiffness.
struct Cord {
  double tension = 1e3, shear = 3e2, bending = 1e-6, mass = 0.01, rotary = 0.01 * 0.05 * 0.05 / 4;
  Vec<double, 6> stiffness_diagonal() const {
    return (Vec<double, 6>() << shear, shear, tension, bending, bending, bending).finished();
  }
  rod::SectionInertia<> inertia() const { return {.mass = mass, .rotary = {rotary, rotary, 2 * rotary}}; }
};

TEST_CASE("the tensions of a cord over a turning drum are those of the capstan", "[contact][touching]") {
  const double mu = 0.3, drum = 1, a = 1e-5, angle = std::acos(-1.0);
  const int n = 24, tail = 3;
  const Cord cord;
  const double delta = angle / n, radius = drum + a;
  const double chord = 2 * radius * std::sin(delta / 2);
  const double h = chord / (1 + (1 + std::exp(mu * angle)) / 2 / cord.tension);
  const auto at = [&](double phi) { return V(radius * std::cos(phi), 0, radius * std::sin(phi)); };
  const auto along = [](double phi) { return V(-std::sin(phi), 0, std::cos(phi)); };
  const int nodes = n + 2 * tail;
  const rod::ElasticRod<> rod(cord, {.elements = nodes - 1,
                                     .length = h * (nodes - 1),
                                     .finish = rod::Boundary<>::clamped(),
                                     .loads = {.start = {.force = -along(0)}},
                                     .damping = {3e3}});
  Chain<> chain(nodes);
  for (int i = 0; i < nodes; ++i) {
    const int j = i - tail;
    const double phi = j < 0 ? 0 : j >= n ? angle : (j + 0.5) * delta;
    const V x = j < 0    ? V(at(delta / 2) + chord * j * along(0))
                : j >= n ? V(at(angle - delta / 2) + chord * (j - n + 1) * along(angle))
                         : at(phi);
    chain.set_frame(i, rod::Straight<>{.direction = along(phi), .normal = {0, 1, 0}}.frame(), x);
  }
  Touching<> what{.friction = mu, .radii = {a}};
  contact::Drum<> turning;
  turning.surface.radius = drum;
  turning.surface.axis = {0, 1, 0};
  turning.angular_velocity = {0, 5, 0};
  what.drums.push_back(turning);
  const Assembly problem{rod, what};
  auto state = problem.state({chain});
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 3, .output_interval = 1});
  const auto tension = [&](int e) {
    return cord.tension * ((state[0].position(e + 1) - state[0].position(e)).norm() / h - 1);
  };
  const double q = mu * std::tan(delta / 2), exact = std::pow((1 + q) / (1 - q), n);
  CHECK(std::abs(tension(nodes - 2) / tension(0) / exact - 1) < 2e-3);
  for (const auto& t : contact::touches(problem, state)) CHECK(t.mode == contact::TouchMode::slides);
}

TEST_CASE("an elastic bar bounces twice on a wall, in one piece each", "[contact][touching]") {
  const double area = 1, a = 0.1;
  std::vector<double> lost;
  for (const int elements : {50, 100, 200, 400}) {
    const rod::CircularSection bar(
        {.radius = std::sqrt(area / std::acos(-1.0)), .young = 900., .poisson = 0., .density = 1.});
    const rod::ElasticRod<> rod(bar, {.elements = elements, .length = 10, .loads = {.gravity = {0, 0, -10}}});
    const Assembly problem{rod, Touching<>{.planes = {Plane<>{}}, .radii = {a}}};
    auto state = problem.state({rod.straight({0, 0, a + 5})});
    int episodes = 0;
    double touched = 0, deepest = 0, begin = 0;
    bool closed = false;
    drive(Verlet{}, problem, state, {.step = 0.9 * 10 / elements / 30, .until = 16.0 / 3},
          [&](const auto&, const auto& x) {
            const double gap = x[0].position(0)[2] - a;
            deepest = std::min(deepest, gap);
            const bool now = gap < 1e-13;
            episodes += now && !closed;
            if (now && !closed) begin = x.time;
            if (!now && closed) touched += x.time - begin;
            closed = now;
          });
    double centre = -a - 5;
    for (int k = 0; k <= elements; ++k)
      centre += state[0].position(k)[2] / elements / (k == 0 || k == elements ? 2 : 1);
    CHECK(episodes == 2);
    CHECK(deepest > -1e-14);
    CHECK(std::abs(touched / 2 / (2.0 / 3) - 1) < 2.5 / elements + 0.003);  // twice the way of sound
    lost.push_back(5 - centre);
  }
  for (std::size_t i = 0; i + 1 < lost.size(); ++i) CHECK(lost[i] / lost[i + 1] > 1.6);
  CHECK(std::abs(lost[3] - 0.0403) < 2e-4);
}

TEST_CASE("a capsule held by two plates does not creep", "[contact][touching]") {
  const double a = 0.004, m = 0.045, half = 0.01, force = 30;
  const double j = m * half * half / 3;
  const RigidBody<> capsule{{.mass = m, .inertia = {j, j, m * a * a / 2}, .gravity = {0, 0, -g}}};
  const RigidBody<> left{{.mass = 1, .inertia = {0.01, 0.01, 0.01}, .force = {force, 0, 0}}};
  const RigidBody<> right{{.mass = 1, .inertia = {0.01, 0.01, 0.01}, .force = {-force, 0, 0}}};
  const auto all = bodies(capsule, left, right);
  const auto [held, one, two] = all.handles();
  Touching<> what{.friction = 0.7};
  for (const double z : {-half, half}) what.balls.push_back({frame(held, {0, 0, z}), a});
  contact::Plate<> plate{frame(one), {}};
  plate.plane.normal = {1, 0, 0};
  what.plates.push_back(plate);
  plate.marker = frame(two);
  plate.plane.normal = {-1, 0, 0};
  what.plates.push_back(plate);
  const Assembly problem{all, what};
  auto state =
      problem.state({{held, capsule.at({0, 0, 0})}, {one, left.at({-a, 0, 0})}, {two, right.at({a, 0, 0})}});
  const auto start = state;
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 1});
  // all three fall together: the plates bear the capsule by friction, and nothing bears them
  const double fallen = state[held].position(0)[2];
  CHECK(std::abs(fallen + g * m / (m + 2) / 2) < 1e-12);
  for (const auto h : {one.number, two.number}) CHECK(std::abs(state[h].position(0)[2] - fallen) < 1e-13);
  CHECK(std::abs(state[held].position(0)[0]) < 1e-13);
  CHECK((state[held].rotation(0).matrix() - start[held].rotation(0).matrix()).norm() < 1e-12);
}

TEST_CASE("what touches moves alike on any number of threads", "[contact][touching]") {
  const auto rod = rubber_rod(0.01, 1400, 0.7, 3);
  const Assembly problem{std::vector(3, rod), Touching<>{.friction = 0.4, .planes = {Plane<>{}}}};
  std::vector<Chain<>> chains;
  for (int i = 0; i < 3; ++i)
    chains.push_back(rod.straight({0, 0.05 * i, 0.0101}, {.direction = {1, 0, 0.0001 * i}}));
  const auto start = problem.state(chains);
  std::vector<State<>> ends;
  for (const unsigned threads : {1U, 2U, 3U}) {
    auto state = start;
    auto stepper = ThreadedVerlet{threads}.stepper(problem, state);
    for (int i = 0; i < 50; ++i) (void)stepper.step(problem, state, 1e-5);
    ends.push_back(state);
  }
  for (std::size_t i = 1; i < 3; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK((ends[0][c].configuration == ends[i][c].configuration).all());
      CHECK((ends[0][c].velocity == ends[i][c].velocity).all());
    }
}

}  // namespace touching_rods_test
