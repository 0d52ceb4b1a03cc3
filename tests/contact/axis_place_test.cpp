#include <dalembert/contact/axis_place.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/ball_on_rod.hpp>

#include "support/catch.hpp"

namespace axis_place_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Vec3 = Vec<double, 3>;
using Axis = contact::AxisPlace<double>;
using Catch::Matchers::ContainsSubstring;

/// A rigid rod and two balls, one of which rolls and one slides on it, anywhere and in any motion.
auto rod_and_balls() {
  const Body ball{{.mass = 0.4, .inertia = Vec3::Constant(0.02), .gravity = {0, 1, -9.81}}};
  const Body bar{{.mass = 0.7, .inertia = {0.1, 0.12, 0.03}, .gravity = {0, 1, -9.81}}};
  const Axis axis{0, 0, {0.1, -0.05, -0.5}, Vec3(2, 1, 4) / std::sqrt(21.0), 2.0};
  const Assembly problem{kinds(std::vector{bar, ball, ball}),
                         kinds(std::vector{contact::RollingOnRod<double, Axis>{
                                   axis, {1, 0, {0.03, 0.02, 0.01}}, 0.1, 0.2, true}},
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
  const Axis& axis = problem.constraints<0>()[0].on_rod;
  for (int i = 0; i < 2; ++i) {
    Point<double> p;
    assembly::Window window;
    axis.find(x.chains, x.z[i], 0, p, window, nullptr);
    axis.find_velocity(x.chains, p);
    const auto& ball = x.chains[static_cast<std::size_t>(i) + 1];
    const Vec3 centre =
        ball.position(0) + ball.rotation(0).act(i == 0 ? Vec3(0.03, 0.02, 0.01) : Vec3(0, 0, 0));
    const Vec3 e = x.chains[0].rotation(0).act(axis.axis);
    CHECK((p.dR - e).norm() < 1e-15);
    CHECK(std::abs((centre - p.R).dot(e)) < 1e-15);
    const Vec3 arm = p.R - x.chains[0].position(0), w = x.chains[0].rotation(0).act(Vec3(1.1, -0.7, 0.9));
    CHECK((p.V - Vec3(0.3, -0.2, 0.5) - w.cross(arm)).norm() < 1e-15);
  }
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

TEST_CASE("axes that cannot be are refused, and contacts beyond their ends", "[contact][axis_place]") {
  const Body ball{{.mass = 1, .inertia = {1, 1, 1}}};
  const auto make = [&](const Axis& axis) {
    return Assembly{kinds(std::vector{ball}),
                    kinds(std::vector{contact::RollingOnRod<double, Axis>{axis, {0}, 1, 1, true}})};
  };
  CHECK_THROWS_WITH(make(Axis::in_space({0, 0, 0}, {0, 0, 2}, 1)),
                    ContainsSubstring("RollingOnRod 0: length of the vector along the axis of a place = 2"));
  CHECK_THROWS_WITH(make(Axis::in_space({0, 0, 0}, {0, 0, 1}, 0)),
                    ContainsSubstring("RollingOnRod 0: length of the axis of a place = 0"));
  CHECK_THROWS_WITH(make({7, 0, {0, 0, 0}, {0, 0, 1}, 1}),
                    ContainsSubstring("RollingOnRod 0: body of a place = 7"));
  const auto problem = make(Axis::in_space({0, 0, 0}, {0, 0, 1}, 1));
  const auto at = [&](double s) { return problem.state({ball.at({2, 0, s})}, Vec<double, 1>(0.5)); };
  CHECK(at(0.25).z[0] == 0.25);
  CHECK_THROWS_AS(at(1.25), ContactAtEnd);
  CHECK_THROWS_AS(at(-0.25), ContactAtEnd);
  CHECK_THROWS_WITH(problem.state({ball.at({2, 0, 0.5})}, Vec<double, 1>(std::nan(""))),
                    ContainsSubstring("NotFinite"));
}

}  // namespace axis_place_test
