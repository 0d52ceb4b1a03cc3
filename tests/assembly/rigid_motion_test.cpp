#include <dalembert/assembly/rigid_motion.hpp>

#include <cmath>
#include <stdexcept>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>

#include "support/catch.hpp"

namespace rigid_motion_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Vec3 = Vec<double, 3>;

State<double> two_bodies() {
  const RigidBody<double> body{{.mass = 2, .inertia = {0.8, 1.3, 1.7}}};
  const Assembly problem{bodies(std::vector{body, body})};
  auto at = problem.state({body.at({0.1, 0.2, 0.3}, SO3d::exp(Vec3(0.3, -0.2, 0.5))), body.at({-1, 0.4, 2})});
  at[0].set_velocity(0, {0.4, 0, -0.1}, {0.2, 1, 0.3});
  at[1].set_velocity(0, {0, 2, -0.1}, {-0.2, 0.1, 0});
  return at;
}

TEST_CASE("bodies that are moved as one keep their distances and what they do to each other", "[assembly]") {
  const auto at = two_bodies();
  const SE3d g(SO3d::exp(Vec3(0.4, 1, -0.3)), Vec3(3, -2, 1));
  const auto to = moved(at, g);
  CHECK(
      (to[1].position(0) - to[0].position(0) - g.rotation().act(Vec3(at[1].position(0) - at[0].position(0))))
          .norm() < 1e-14);
  CHECK((to[0].position(0) - g.act(at[0].position(0))).norm() < 1e-14);
  for (std::size_t i = 0; i < 2; ++i) CHECK((to[i].twist(0) - at[i].twist(0)).norm() < 1e-14);
  CHECK(((to[0].rotation(0).inverse() * to[1].rotation(0)).log() -
         (at[0].rotation(0).inverse() * at[1].rotation(0)).log())
            .norm() < 1e-14);
}

TEST_CASE("rigid motions are three shifts and three turns, each a group", "[assembly]") {
  const auto at = two_bodies();
  const Vec3 point(0.5, -0.7, 0.2);
  const auto all = rigid_motions<double>(point);
  REQUIRE(all.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(difference(at, all[i](at, 0)).norm() < 1e-15);
    CHECK(difference(all[i](at, 0.7), all[i](all[i](at, 0.3), 0.4)).norm() < 1e-14);
  }
  CHECK((all[1](at, 0.5)[0].position(0) - at[0].position(0) - Vec3(0, 0.5, 0)).norm() < 1e-15);
  // a quarter turn about each axis through the point
  const Vec3 arm = at[0].position(0) - point;
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    const Vec3 axis = Vec3::Unit(i), to = point + arm[i] * axis + axis.cross(arm);
    CHECK((all[static_cast<std::size_t>(3 + i)](at, M_PI / 2)[0].position(0) - to).norm() < 1e-14);
  }
}

TEST_CASE("what cannot be moved as one is refused", "[assembly]") {
  CHECK_THROWS_AS(shift_along(3), std::invalid_argument);
  CHECK_THROWS_AS(turn_about(-1), std::invalid_argument);
  State<double> string;
  string.lines.resize(1);
  CHECK_THROWS_AS(moved(string, SE3d::identity()), std::invalid_argument);
}

}  // namespace rigid_motion_test
