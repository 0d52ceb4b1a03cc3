#include <dalembert/contact/axis_marker.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/plain_constraint.hpp"
#include "support/rods.hpp"

namespace axis_place_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using Vec3 = Vec<double, 3>;
using Axis = contact::AxisMarker<double>;
using Catch::Matchers::ContainsSubstring;

/// A rigid rod and two balls, one of which rolls and one slides on it, anywhere and in any motion.
auto rod_and_balls() {
  const Body ball{{.mass = 0.4, .inertia = Vec3::Constant(0.02), .gravity = {0, 1, -9.81}}};
  const Body bar{{.mass = 0.7, .inertia = {0.1, 0.12, 0.03}, .gravity = {0, 1, -9.81}}};
  const Axis axis{0, 0, {0.1, -0.05, -0.5}, Vec3(2, 1, 4) / std::sqrt(21.0), 2.0};
  const Assembly problem{
      bodies(std::vector{bar, ball, ball}),
      constraints(
          std::vector{contact::RollingOnRod<double, Axis>{axis, {1, 0, {0.03, 0.02, 0.01}}, 0.1, 0.2, true}},
          std::vector{contact::SlidingOnRod<double, Axis>{axis, {2}, 0.1, 0.2, true}})};
  std::vector<Chain<double>> chains{bar.at({0.1, 0.2, 0.3}, SO3<double>::exp(Vec3(0.5, -0.8, 0.3))),
                                    ball.at({0.5, 0.4, 0.6}, SO3<double>::exp(Vec3(1, 2, 0.1))),
                                    ball.at({-0.1, 0.3, 0.2})};
  chains[0].set_velocity(0, {0.3, -0.2, 0.5}, {1.1, -0.7, 0.9});
  chains[1].set_velocity(0, {-0.4, 0.6, 0.1}, {2.0, 1.0, -1.5});
  chains[2].set_velocity(0, {0.8, 0.1, -0.6}, {-1.0, 0.5, 0.4});
  return std::pair{problem, problem.state(chains, Vec<double, 2>(0.5, 0.5))};
}

TEST_CASE("a place on an axis is the foot of the perpendicular", "[contact][axis_place]") {
  const auto [problem, x] = rod_and_balls();
  const Axis& axis = problem.constraints<0>()[0].first;
  for (int i = 0; i < 2; ++i) {
    Point<double> p;
    assembly::Window window;
    axis.find(x.chains, x.z[i], 0, p, window, nullptr);
    axis.find_velocity(x.chains, p);
    const auto& ball = x[static_cast<std::size_t>(i) + 1];
    const Vec3 centre =
        ball.position(0) + ball.rotation(0).act(i == 0 ? Vec3(0.03, 0.02, 0.01) : Vec3(0, 0, 0));
    const Vec3 e = x[0].rotation(0).act(axis.axis);
    CHECK((p.dR - e).norm() < 1e-15);
    CHECK(std::abs((centre - p.R).dot(e)) < 1e-15);
    const Vec3 arm = p.R - x[0].position(0), w = x[0].rotation(0).act(Vec3(1.1, -0.7, 0.9));
    CHECK((p.V - Vec3(0.3, -0.2, 0.5) - w.cross(arm)).norm() < 1e-15);
  }
}

TEST_CASE("an axis is fixed to the first node of a body if nothing else is said", "[contact][axis_place]") {
  const Body bar{{.mass = 0.7, .inertia = {0.1, 0.12, 0.03}}};
  const std::vector<Chain<double>> chains{bar.at({1, 2, 3}, SO3<double>::exp(Vec3(0, M_PI / 2, 0)))};
  const Axis axis{.body = 0, .length = 0.5};
  CHECK(axis.count() == 1);
  CHECK_NOTHROW(axis.check(chains, "marker"));
  Point<double> p;
  assembly::Window window;
  axis.find(chains, 0.25, 0, p, window, nullptr);
  CHECK((p.R - Vec3(1.25, 2, 3)).norm() < 1e-15);
  const Axis beyond{.body = 0, .node = 1, .length = 0.5};
  CHECK_THROWS_WITH(beyond.check(chains, "marker"), ContainsSubstring("node"));
}

TEST_CASE("rows at a place on an axis change as their drift says", "[contact][axis_place]") {
  const auto [problem, x] = rod_and_balls();
  auto r = problem.make_rates();
  problem.rates(x, r);
  REQUIRE(problem.row_errors(x).norm() > 0.01);  // nothing has to hold
  REQUIRE(problem.row_velocities(x).norm() > 0.1);
  auto none = problem.make_increment(), k = none, step = none;
  problem.slope(x, none, r, k);
  const double h = 1e-5;
  auto after = x, before = x;
  step.add_scaled(h, k);
  problem.retract(x, step, after);
  step.add_scaled(-2 * h, k);
  problem.retract(x, step, before);
  const auto change = ((problem.row_velocities(after) - problem.row_velocities(before)) / (2 * h)).eval();
  for (const double c : change) CHECK(std::abs(c) < 1e-7);
  // the positions go on at ż
  auto solved = after;
  problem.solve_algebraic(solved);
  CHECK((solved.z - after.z).norm() < 1e-8);
  CHECK((solved.z - x.z).norm() > 1e-6);
  // gaps change at the velocities of their rows
  const auto errors = ((problem.row_errors(after) - problem.row_errors(before)) / (2 * h)).eval();
  CHECK(std::abs(errors[1] - problem.row_velocities(x)[3]) < 1e-8);
  auto left = problem.make_residual();
  problem.residual(x, r, left);
  CHECK(left.lpNorm<Eigen::Infinity>() < 1e-13);
}

/// A rolling ball that says its rows, and the same again for its reactions, as functions alone.
struct WithReaction : test::PlainAlong<contact::RollingOnRod<double, Axis>> {
  template <class T>
  auto reaction(const FrameState<T>& r, const FrameState<T>& x, const T& t) const {
    return this->velocity_constraint(r, x, t);
  }
};

TEST_CASE("rows on an axis that are found by differentiation are those that a contact says itself",
          "[contact][axis_place]") {
  const auto start = rod_and_balls();
  const auto& problem = start.first;
  const auto& x = start.second;
  auto expected = problem.make_rates();
  problem.rates(x, expected);
  const auto agrees = [&](const auto& plain, const auto& sliding) {
    const Assembly other{bodies(problem.template bodies<0>()),
                         constraints(std::vector{plain}, std::vector{sliding})};
    auto rates = other.make_rates();
    other.rates(x, rates);
    CHECK((other.row_velocities(x) - problem.row_velocities(x)).norm() < 1e-14);
    CHECK((rates.lambda - expected.lambda).norm() < 1e-12 * expected.lambda.norm());
    for (std::size_t i = 0; i < 3; ++i)
      CHECK((rates.xidot[i] - expected.xidot[i]).matrix().norm() < 1e-12 * expected.xidot[i].matrix().norm());
  };
  const auto& rolling = problem.constraints<0>()[0];
  const test::Plain<contact::SlidingOnRod<double, Axis>> sliding{problem.constraints<1>()[0]};
  agrees(test::PlainAlong<contact::RollingOnRod<double, Axis>>{{rolling}}, sliding);
  agrees(WithReaction{{{rolling}}}, sliding);
}

/// A rod that crosses a rigid cylinder on top of it.
auto rod_on_cylinder(bool moves) {
  const double a = 0.005, b = 0.04;
  const auto section = test::soft_section<double>(a);
  Rod::Parameters p{.elements = 20, .length = 0.5, .inertia = section.inertia()};
  p.loads.gravity = {0, 0, -9.81};
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  const Body cylinder{{.mass = 0.5, .inertia = {2e-3, 2e-3, 4e-4}}};
  const Vec3 e = Vec3(0.2, 1, 0) / std::sqrt(1.04);
  // the body's third axis is turned to e
  const Vec3 across = Vec3::UnitZ().cross(e);
  const SO3<double> turn = SO3<double>::exp(across * (M_PI / 2));
  Axis axis = moves ? Axis{1, 0, {0, 0, -0.3}, {0, 0, 1}, 0.6} : Axis::in_space(-0.3 * e, e, 0.6);
  using Contact = contact::RollingContact<double, contact::CubicSpline, Axis>;
  const Assembly problem{bodies(std::vector{rod}, std::vector{cylinder}),
                         constraints(std::vector{Contact{{0, rod, 0.025}, axis, a, b, true}})};
  auto bent = rod.straight({-0.25, 0, a + b}, SO3<double>::exp(Vec3(0, M_PI / 2, 0)));
  for (Eigen::Index k = 0; k < bent.nodes; ++k) {
    const double s = static_cast<double>(k) / 20;
    bent.set_velocity(k, {std::sin(3 * s), std::cos(2 * s), s}, {1 - s, 2 * s, std::cos(5 * s)});
  }
  auto body = cylinder.at({0, 0, 0}, turn);
  if (moves) body.set_velocity(0, {0.1, 0.3, -0.2}, {2, -1, 3});
  return std::pair{problem, problem.state({bent, body}, Vec<double, 2>(0.25, 0.3))};
}

TEST_CASE("a rod that crosses an axis in space has the force of one on a fixed cylinder",
          "[contact][axis_place][crossing]") {
  auto [problem, x] = rod_on_cylinder(false);
  problem.project(x);
  auto r = problem.make_rates();
  problem.rates(x, r);
  const auto& c = problem.constraints<0>()[0];
  const contact::RollingOnCylinder<double> fixed{
      c.first, c.radius1, {c.radius2, {0, 0, 0}, c.second.axis}, true};
  const Assembly other{bodies(problem.bodies<0>()), constraints(std::vector{fixed})};
  const auto y = other.state({x[0]}, Vec<double, 1>(x.z[0]));
  auto of_y = other.make_rates();
  other.rates(y, of_y);
  REQUIRE(of_y.lambda.norm() > 1e-3);
  CHECK((r.lambda - of_y.lambda).norm() < 1e-11 * of_y.lambda.norm());
  CHECK(std::abs(y.z[0] - x.z[0]) < 1e-14);
  CHECK(std::abs(r.zdot[0] - of_y.zdot[0]) < 1e-11);
}

TEST_CASE("a rod and a cylinder that roll on each other keep energy, momentum and contact",
          "[contact][axis_place][crossing]") {
  const auto made = rod_on_cylinder(true);
  const auto& problem = made.first;
  auto x = made.second;
  problem.project(x);
  const auto momentum = [&](const auto& at) {
    Vec3 sum = 0.5 * at[1].linear_velocity(0);
    const Rod& rod = problem.bodies<0>()[0];
    for (Eigen::Index k = 0; k < rod.nodes(); ++k)
      sum += rod.mass_fraction(k) * rod.node_mass() * at[0].linear_velocity(k);
    return sum;
  };
  const Vec3 before = momentum(x);
  const double energy = problem.energy(x), t = 0.02;
  const auto start = x;
  drive(Verlet{}, problem, x, {.step = 1e-5, .until = t});
  CHECK(problem.constraint(x).position < 1e-16);
  CHECK(problem.constraint(x).velocity < 1e-13);
  CHECK((momentum(x) - before - Vec3(0, 0, -9.81 * t * 0.5 * 1100 * M_PI * 25e-6)).norm() < 1e-13);
  CHECK(std::abs(problem.energy(x) - energy) < 1e-4 * problem.kinetic_energy(x));
  CHECK((x.z - start.z).norm() > 1e-3);
  CHECK((x[1].angular_velocity(0) - start[1].angular_velocity(0)).norm() > 1e-2);
}

TEST_CASE("axes that cannot be are refused, and contacts beyond their ends", "[contact][axis_place]") {
  const Body ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const auto make = [&](const Axis& axis) {
    return Assembly{bodies(std::vector{ball}),
                    constraints(std::vector{contact::RollingOnRod<double, Axis>{axis, {0}, 1, 1, true}})};
  };
  CHECK_THROWS_WITH(make(Axis::in_space({0, 0, 0}, {0, 0, 2}, 1)),
                    ContainsSubstring("RollingOnRod 0: length of the vector along the axis of a marker = 2"));
  CHECK_THROWS_WITH(make(Axis::in_space({0, 0, 0}, {0, 0, 1}, 0)),
                    ContainsSubstring("RollingOnRod 0: length of the axis of a marker = 0"));
  CHECK_THROWS_WITH(make({7, 0, {0, 0, 0}, {0, 0, 1}, 1}),
                    ContainsSubstring("RollingOnRod 0: body of a marker = 7"));
  const auto problem = make(Axis::in_space({0, 0, 0}, {0, 0, 1}, 1));
  const auto at = [&](double s) { return problem.state({ball.at({2, 0, s})}, Vec<double, 1>(0.5)); };
  CHECK(at(0.25).z[0] == 0.25);
  CHECK_THROWS_AS(at(1.25), ContactAtEnd);
  CHECK_THROWS_AS(at(-0.25), ContactAtEnd);
  CHECK_THROWS_WITH(problem.state({ball.at({2, 0, 0.5})}, Vec<double, 1>(std::nan(""))),
                    ContainsSubstring("NotFinite"));
}

}  // namespace axis_place_test
