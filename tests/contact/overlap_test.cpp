#include <dalembert/contact/overlap.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace overlap_test {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using Body = assembly::RigidBody<double>;
using RollingContact = contact::RollingContact<double>;
using Joint = assembly::SphericalJoint<double>;
using Tube = contact::Tube<double>;
using Check = contact::OverlapCheck<double>;
using V = Vec<double, 3>;
using Catch::Matchers::ContainsSubstring;

/// A rod along x, one along y that lies on it, and another one along y, 20 mm above the first, that falls on it at 1 m/s; a ball that rises
/// from below at 0.5 m/s, 30 mm away, and one in a joint at the end of the second rod.
struct Falling {
  static constexpr double a = 0.005, ball = 0.02, step = 1e-4;
  Rod rod = test::soft_rod<Rod>(a, 20);
  Body body{{.mass = 0.1, .inertia = {1e-4, 1e-4, 1e-4}}};
  RollingContact crossing{{0, rod, 0.05}, {1, rod, 0.05}, a, a, true};
  assembly::Assembly<assembly::Kinds<Rod, Body>, assembly::Kinds<Joint, RollingContact>> problem{
      assembly::bodies(std::vector{rod, rod, rod}, std::vector{body, body}),
      assembly::constraints(std::vector{Joint{{1, 20}, {4}}}, std::vector{crossing})};
  assembly::State<double> state = [&] {
    const auto along_x = SO3<double>::exp(V(0, M_PI / 2, 0)), along_y = SO3<double>::exp(V(-M_PI / 2, 0, 0));
    std::vector<rod::Chain<double>> chains{rod.straight({-0.5, 0, 0}, along_x),
                                           rod.straight({-0.2, -0.5, 2 * a}, along_y),
                                           rod.straight({0.2, -0.5, 2 * a + 0.02}, along_y),
                                           body.at({0, 0.01, -a - ball - 0.03}, SO3<double>::identity()),
                                           body.at({-0.2, 0.5, 2 * a}, SO3<double>::identity())};
    for (Eigen::Index k = 0; k < 21; ++k) chains[2].set_velocity(k, {0, 0, -1}, {0, 0, 0});
    chains[3].set_velocity(0, {0, 0, 0.5}, {0, 0, 0});
    Vec<double, Eigen::Dynamic> s(2);
    s << 0.3, 0.5;
    return problem.state(chains, s);
  }();
  std::vector<Tube> tubes(bool with_ball) const {
    std::vector<Tube> all;
    for (std::size_t i = 0; i < 3; ++i) all.push_back(Tube::of_rod(i, rod, a, 0.05));
    if (with_ball)
      for (const std::size_t b : {std::size_t(3), std::size_t(4)}) all.push_back(Tube::ball(b, ball));
    return all;
  }
};

TEST_CASE("rods that fall through each other are found at the next look, those in contact are not",
          "[contact]") {
  Falling falling;
  Check check(falling.tubes(false), {.tolerance = 1e-3, .every = 10});
  try {
    drive(Verlet{}, falling.problem, falling.state, {.step = Falling::step, .until = 0.04}, check);
    FAIL("no error");
  } catch (const BodiesOverlap& error) {
    CHECK(error.bodies() == std::array<std::size_t, 2>{0, 2});
    CHECK(error.arc_lengths()[0] == Approx(0.7).epsilon(1e-9));
    CHECK(error.arc_lengths()[1] == Approx(0.5).epsilon(1e-9));
    CHECK(error.time() == Approx(0.022).epsilon(1e-9));  // 21 mm, to the next multiple of ten steps
    CHECK(error.depth() == Approx(0.002).epsilon(1e-6));
  }
}

TEST_CASE("a watch of each step looks between output times", "[contact]") {
  Falling falling;
  Check check(falling.tubes(true), {.tolerance = 1e-3, .every = 5});
  try {
    drive(Verlet{}, falling.problem, falling.state,
          {.step = Falling::step,
           .until = 0.1,
           .output_interval = 0.1,
           .events = {{"overlap", check.at_each_step()}}});
    FAIL("no error");
  } catch (const BodiesOverlap& error) {
    CHECK(error.bodies() == std::array<std::size_t, 2>{0, 2});
    CHECK(error.time() == Approx(0.0215).epsilon(1e-9));
  }
  Check others(falling.tubes(true), {.tolerance = 1e-3, .every = 5, .left_out = {{0, 2}}});
  Falling again;
  try {
    drive(Verlet{}, again.problem, again.state, {.step = Falling::step, .until = 0.1}, others);
    FAIL("no error");
  } catch (const BodiesOverlap& error) {
    CHECK(error.bodies() == std::array<std::size_t, 2>{0, 3});
    // it rises past the rod at 10 mm: surfaces are 1 mm deep where the centres are 24 mm apart
    const double rise = Falling::a + Falling::ball + 0.03 - std::sqrt(0.024 * 0.024 - 0.01 * 0.01);
    CHECK(error.time() >= rise / 0.5);
    CHECK(error.time() <= rise / 0.5 + 5.01 * Falling::step);
  }
}

TEST_CASE("a ball without its joint overlaps the rod that it is on", "[contact]") {
  const Falling falling;
  const assembly::Assembly<assembly::Kinds<Rod, Body>, assembly::Kinds<Joint, RollingContact>> without{
      assembly::bodies(std::vector{falling.rod, falling.rod, falling.rod},
                       std::vector{falling.body, falling.body}),
      assembly::constraints(std::vector<Joint>{}, std::vector{falling.crossing})};
  Check check(falling.tubes(true), {});
  check.look(falling.problem, falling.state);
  try {
    check.look(without, falling.state);
    FAIL("no error");
  } catch (const BodiesOverlap& error) {
    CHECK(error.bodies() == std::array<std::size_t, 2>{1, 4});
    CHECK(error.depth() == Approx(Falling::a + Falling::ball));
  }
}

TEST_CASE("a contact keeps its own place only", "[contact]") {
  Falling falling;
  Check check(falling.tubes(true), {});
  check.look(falling.problem, falling.state);
  falling.state.z[0] = 0.6;  // as if the contact were elsewhere
  falling.state[1].configuration.col(2) -= 1e-9;
  CHECK_THROWS_AS(check.look(falling.problem, falling.state), BodiesOverlap);
  falling.state.z[0] = 0.3;
  check.look(falling.problem, falling.state);
  falling.state.z[1] = 0.8;
  CHECK_THROWS_AS(check.look(falling.problem, falling.state), BodiesOverlap);
}

TEST_CASE("rods along each other overlap too, and rods in a joint at their ends do not", "[contact]") {
  Falling falling;
  Check check(falling.tubes(true), {});
  const auto along_x = SO3<double>::exp(V(0, M_PI / 2, 0));
  falling.state[2] = falling.rod.straight({-0.487, 0.001, 0.006}, along_x);
  try {
    check.look(falling.problem, falling.state);
    FAIL("no error");
  } catch (const BodiesOverlap& error) {
    CHECK(error.bodies() == std::array<std::size_t, 2>{0, 2});
    CHECK(error.depth() == Approx(2 * Falling::a - std::hypot(0.001, 0.006)).epsilon(1e-9));
  }
  // a corner of two rods, and the ball in it
  falling.state[2] = falling.rod.straight({-1.2, 0.5, 2 * Falling::a}, along_x);
  CHECK_THROWS_AS(check.look(falling.problem, falling.state), BodiesOverlap);
  const std::vector<Joint> joints{Joint{{1, 20}, {4}}, Joint{{1, 20}, {2, 20}}, Joint{{2, 20}, {4}}};
  const assembly::Assembly<assembly::Kinds<Rod, Body>, assembly::Kinds<Joint, RollingContact>> corner{
      assembly::bodies(std::vector{falling.rod, falling.rod, falling.rod},
                       std::vector{falling.body, falling.body}),
      assembly::constraints(joints, std::vector{falling.crossing})};
  CHECK_NOTHROW(check.look(corner, falling.state));
}

TEST_CASE("rods in a joint at their ends overlap where they meet elsewhere", "[contact]") {
  Falling falling;
  Check check(falling.tubes(true), {});
  falling.state[2] =
      falling.rod.straight({0.1, -0.5, 2 * Falling::a - 0.001}, SO3<double>::exp(V(-M_PI / 2, 0, 0)));
  const auto look = [&](const std::vector<Joint>& joints) {
    const assembly::Assembly<assembly::Kinds<Rod, Body>, assembly::Kinds<Joint, RollingContact>> problem{
        assembly::bodies(std::vector{falling.rod, falling.rod, falling.rod},
                         std::vector{falling.body, falling.body}),
        assembly::constraints(joints, std::vector{falling.crossing})};
    check.look(problem, falling.state);
  };
  const Joint ball{{1, 20}, {4}};
  CHECK_THROWS_AS(look({ball}), BodiesOverlap);
  CHECK_THROWS_AS(look({ball, Joint{{0, 20}, {2, 20}}}), BodiesOverlap);
  CHECK_THROWS_AS(look({ball, Joint{{0, 12}, {2, 20}}}), BodiesOverlap);
  CHECK_NOTHROW(look({ball, Joint{{0, 12}, {2, 10}}}));
}

/// Balls in a row that overlap, each in a joint with the next.
auto row_of_balls(std::size_t count) {
  const Body ball{{.mass = 0.1, .inertia = {1e-4, 1e-4, 1e-4}}};
  std::vector<Joint> joints;
  std::vector<Tube> tubes;
  assembly::State<double> x;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) joints.push_back({{i - 1, 0, {0.005, 0, 0}}, {i, 0, {-0.005, 0, 0}}});
    tubes.push_back(Tube::ball(i, 0.006));
    x.chains.push_back(ball.at({0.01 * static_cast<double>(i), 0, 0}));
  }
  x.z.resize(0);
  return std::tuple{std::vector(count, ball), joints, tubes, x};
}

TEST_CASE("each of many overlaps is kept by the joint that is there, and by no other", "[contact]") {
  auto [balls, joints, tubes, x] = row_of_balls(12);
  Check check(tubes);
  CHECK_NOTHROW(check.look(assembly::Assembly{assembly::bodies(balls), assembly::constraints(joints)}, x));
  for (std::size_t left_out = 0; left_out < joints.size(); ++left_out) {
    auto fewer = joints;
    std::swap(fewer[left_out].a, fewer[left_out].b);  // either may be the first
    CHECK_NOTHROW(check.look(assembly::Assembly{assembly::bodies(balls), assembly::constraints(fewer)}, x));
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left_out));
    try {
      check.look(assembly::Assembly{assembly::bodies(balls), assembly::constraints(fewer)}, x);
      FAIL("no error");
    } catch (const BodiesOverlap& error) {
      CHECK(error.bodies() == std::array{left_out, left_out + 1});
    }
  }
}

TEST_CASE("a look at each of many linked bodies takes as long as at each of a few", "[contact]") {
  const auto time = [](std::size_t count) {
    const auto [balls, joints, tubes, x] = row_of_balls(count);
    const assembly::Assembly problem{assembly::bodies(balls), assembly::constraints(joints)};
    Check check(tubes);
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
      const std::clock_t start = std::clock();
      check.look(problem, x);
      least = std::min(least, static_cast<double>(std::clock() - start));
    }
    return least / static_cast<double>(count);
  };
  CHECK(time(3200) < 4 * time(200));  // overlaps times joints would be 16 times as long
}

TEST_CASE("a watch that never looks is refused", "[contact]") {
  const Falling falling;
  CHECK_THROWS_WITH(Check(falling.tubes(false), {.every = 0}), ContainsSubstring("OverlapCheck: every = 0"));
  CHECK_THROWS_WITH(Check(falling.tubes(false), {.tolerance = -1.0}), ContainsSubstring("tolerance = -1"));
}

}  // namespace overlap_test
