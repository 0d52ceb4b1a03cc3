#include <cmath>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/catch.hpp"

namespace touching_cells_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double a = 0.005;

rod::ElasticRod<> rubber_rod(int elements, double length, const V& gravity = {0, 0, 0}, double damping = 0) {
  const rod::CircularSection rubber({.radius = a, .young = 1e6, .density = 1100});
  return rod::ElasticRod<>(
      rubber, {.elements = elements, .length = length, .loads = {.gravity = gravity}, .damping = {damping}});
}

TEST_CASE("rods that cross and are pressed roll on each other as under the constraint",
          "[contact][touching]") {
  const auto rod = rubber_rod(40, 0.4, {0, 0, 9.81}), other = rubber_rod(40, 0.4, {0, 0, -9.81});
  const auto all = bodies(rod, other);
  const auto [lower, upper] = all.handles();
  const double angle = 1.1;
  const V along(std::cos(angle), std::sin(angle), 0), from = V(0.203, 0, 2 * a) - 0.187 * along;
  const std::vector<Chain<>> chains{rod.straight({0, 0, 0}, {.direction = {1, 0, 0}}),
                                    rod.straight(from, {.direction = along})};
  using Contact = contact::RollingContact<double, contact::CorrectedQuinticSpline>;
  using Marker = contact::CurveMarker<double, contact::CorrectedQuinticSpline>;
  const Contact rolling{Marker{lower.number, rod, 0.01}, Marker{upper.number, rod, 0.01}, a, a, true};
  const Assembly held{all, constraints(std::vector{rolling})};
  const Assembly touching{all, Touching<>{.friction = std::numeric_limits<double>::infinity()}};
  Vec<double, Eigen::Dynamic> s(2);
  s << 0.203, 0.187;
  auto x = held.state(chains, s);
  for (int k = 0; k <= 40; ++k) {
    x[0].set_velocity(k, {0.05, 0.2, 0}, {0, 0, 0});
    x[1].set_velocity(k, {0, 0.1 * k / 40, 0}, {0.3, 0, 0});
  }
  (void)held.project(x);
  auto y = touching.state(x.chains);
  const double h = 2e-5;
  auto one = Verlet{}.stepper(held, x);
  auto two = Verlet{}.stepper(touching, y);
  double worst = 0, gap = 0;
  int steps = 0;
  for (; steps < 400; ++steps) {
    (void)one.step(held, x, h);
    (void)two.step(touching, y, h);
    const auto touches = contact::touches(touching, y);
    if (touches.size() != 1) break;
    gap = std::max(gap, std::abs(touches[0].gap));
    for (std::size_t i = 0; i < 2; ++i)
      worst = std::max(worst, (x[i].configuration - y[i].configuration).abs().maxCoeff());
  }
  CAPTURE(steps, worst, gap);
  CHECK(steps == 400);
  CHECK(worst < 1e-12);
  CHECK(gap < 1e-15);
}

/// Momentum and angular momentum about the origin.
template <class Problem>
std::pair<V, V> momenta(const Problem& problem, const State<>& x) {
  V p = V::Zero(), l = V::Zero();
  const auto& inertia = problem.surfaces().inertia();
  for (std::size_t i = 0; i < x.chains.size(); ++i)
    for (Eigen::Index k = 0; k < x[i].nodes; ++k) {
      V mv, jw;
      for (int c = 0; c < 3; ++c) {
        mv[c] = x[i].velocity(k, c) / inertia[i].inverse(k, c);
        jw[c] = x[i].velocity(k, 3 + c) / inertia[i].inverse(k, 3 + c);
      }
      p += mv;
      l += x[i].position(k).cross(mv) + x[i].rotation(k).act(jw);
    }
  return {p, l};
}

TEST_CASE("free rods that collide keep their momenta, and part at e times their speed",
          "[contact][touching]") {
  const auto rod = rubber_rod(20, 0.2);
  for (const double e : {0.0, 0.4, 1.0})
    for (const double mu : {0.0, 0.3}) {
      const Assembly problem{bodies(std::vector(2, rod)), Touching<>{.friction = mu, .restitution = e}};
      const V along = V(0.3, 1, 0.1).normalized();
      auto state = problem.state(
          std::vector<Chain<>>{rod.straight({0, 0, 0}, {.direction = {1, 0, 0}}),
                               rod.straight(V(V(0.083, 0, 0.0103) - 0.11 * along), {.direction = along})});
      for (int k = 0; k <= 20; ++k) {
        state[0].set_velocity(k, {0.1, 0, 0.2}, {0, 0, 0});
        state[1].set_velocity(k, {0, 0.4, -0.8}, {0, 0, 1});
      }
      const auto before = momenta(problem, state);
      const double energy = problem.energy(state);
      auto stepper = Verlet{}.stepper(problem, state);
      const double h = 1e-5;
      double opening = 0, deepest = 1, booked = 0;
      bool met = false;
      for (int i = 0; i < 400; ++i) {
        const auto report = stepper.step(problem, state, h);
        deepest = std::min(deepest, contact::smallest_gap(problem, state));
        const auto& w = report.works;
        const double first = w.impact + w.friction + w.correction;
        if (first != 0 && !met) {
          met = true;
          booked = first;
          auto work = problem.make_work();
          problem.find_touches(state, work);
          REQUIRE(work.touches.size() == 1);
          opening = work.touches[0].normal().dot(
              work.touches[0].velocity(problem.surfaces().all_nodes(state, work), state));
        }
      }
      CAPTURE(e, mu);
      REQUIRE(met);
      const V n = V(1, 0, 0).cross(along).normalized();
      CHECK(std::abs(opening - e * n.dot(V(0.1, -0.4, 1))) < 1e-3);
      CHECK(booked <= 1e-4 * energy);
      CHECK(deepest > -1e-15);
      const auto after = momenta(problem, state);
      CHECK((after.first - before.first).norm() < 1e-13 * before.first.norm() + 1e-16);
      CHECK((after.second - before.second).norm() < 1e-5 * before.second.norm());
      CHECK(problem.energy(state) <= energy * (1 + 1e-6));
    }
}

TEST_CASE("rods that a joint or a contact holds together touch elsewhere alone", "[contact][touching]") {
  const auto rod = rubber_rod(20, 0.2);
  const auto all = bodies(rod, rod, rod);
  const auto [one, two, three] = all.handles();
  const FrameMarker<> end{one.number, 20}, begin{two.number, 0};
  const contact::RollingContact<> rolling{contact::CurveMarker<>{one.number, rod, 0.01},
                                          contact::CurveMarker<>{three.number, rod, 0.01}, a, a, true};
  const Assembly problem{all, constraints(SphericalJoint<>{end, begin}, std::vector{rolling}),
                         Touching<>{.friction = 0.3}};
  Vec<double, Eigen::Dynamic> s(2);
  s << 0.1, 0.1;
  // the second goes on from the first, the third lies across both
  const V back = V(-1, 0.2, 0).normalized();
  const auto state = problem.state({{one, rod.straight({0, 0, 0}, {.direction = {1, 0, 0}})},
                                    {two, rod.straight({0.2, 0, 0}, {.direction = back})},
                                    {three, rod.straight({0.1, -0.1, 2 * a}, {.direction = {0, 1, 0}})}},
                                   s);
  const auto touches = contact::touches(problem, state);
  REQUIRE(touches.size() == 1);
  CHECK(touches[0].body == 1);
  CHECK(touches[0].other.number == 2);
}

}  // namespace touching_cells_test
