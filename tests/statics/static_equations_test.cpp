#include <dalembert/statics/detail/static_equations.hpp>

#include <cmath>
#include <tuple>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/statics/detail/static_system.hpp>

#include "support/catch.hpp"
#include "support/draw.hpp"
#include "support/point_nodes.hpp"

namespace static_equations_test {

using namespace dalembert;
using namespace dalembert::assembly;
using test::on_springs;
using test::PointNodes;
using Joint = SphericalJoint<double>;
using System = assembly::detail::StaticSystem<Kinds<PointNodes>, Kinds<Joint>>;
using Catch::Matchers::ContainsSubstring;
using V3 = Vec<double, 3>;

/// Two points on springs of their own, which a joint holds together, anywhere in space.
struct Scene {
  double length, stiffness;
  V3 homes[2], load;
  std::vector<PointNodes> bodies;
  Kinds<Joint> joints{std::vector<Joint>{{{0, 0}, {1, 0}}}};
  State<double> x;

  Scene(test::Draw& draw, double unit_of_length, double unit_of_force)
      : length(unit_of_length), stiffness(unit_of_force / unit_of_length) {
    for (V3& home : homes) home = length * draw.vector();
    load = stiffness * length * draw.vector();
    for (int b = 0; b < 2; ++b)
      bodies.push_back(on_springs((1 + b) * stiffness, {homes[b]}, b == 0 ? load : V3(0, 0, 0)));
    for (int b = 0; b < 2; ++b) {
      x.chains.emplace_back(1);
      x.chains.back().set_frame(0, draw.rotation(), length * draw.vector());
    }
  }
  /// Where both are in equilibrium.
  V3 common() const { return (homes[0] + 2 * homes[1] + load / stiffness) / 3; }
};

TEST_CASE("springs that are joined are in equilibrium after one step, in every unit", "[statics]") {
  test::Draw draw(test::seed());
  for (int round = 0; round < 10; ++round) {
    Scene s(draw, draw.power(-6, 6), draw.power(-6, 6));
    System system(std::tie(s.bodies), s.joints, s.x);
    system.save();
    system.set_target();
    system.assemble();
    CHECK(system.residual(1e-10) > 1e-3);
    const State<double> before = s.x;
    const auto step = system.solve({});
    CHECK(step.size > 0);
    system.move(1);
    system.assemble();
    CHECK(system.residual(1e-10) < 1e-11);
    CHECK(system.at_target());
    for (const std::size_t b : {0U, 1U}) CHECK((s.x[b].position(0) - s.common()).norm() < 1e-12 * s.length);
    // the joint pulls the second point to where it is
    const V3 pull = 2 * s.stiffness * (s.common() - s.homes[1]);
    const auto m = system.reactions();
    CHECK(std::min((m - pull).norm(), (m + pull).norm()) < 1e-11 * s.stiffness * s.length);
    system.restore();
    CHECK(system.multipliers().norm() == 0);
    CHECK((s.x[1].position(0) - before[1].position(0)).norm() == 0);
  }
}

TEST_CASE("what is missing at the start may be taken as a load that fades", "[statics]") {
  test::Draw draw(test::seed());
  Scene s(draw, draw.power(-6, 6), draw.power(-6, 6));
  System system(std::tie(s.bodies), s.joints, s.x);
  system.take_missing();
  system.save();
  system.set_target();
  system.multipliers().setZero();
  system.missing(1);
  system.assemble();
  CHECK(system.residual(1e-10) < 1e-14);
  system.missing(0);
  const auto whole = system.unbalanced();
  CHECK(whole.norm() > 0);
  system.missing(0.25);
  CHECK((system.unbalanced() - 0.75 * whole).norm() < 1e-14 * whole.norm());
  const auto gap = s.x[0].position(0) - s.x[1].position(0);
  CHECK(whole.tail(3).norm() == Approx(gap.norm()));
}

TEST_CASE("held nodes go to their aims by parts, and arrive to the last bit", "[statics]") {
  test::Draw draw(test::seed());
  Scene s(draw, 1, 1);
  const V3 aim = draw.vector();
  s.bodies[0].held = {1};
  s.bodies[0].place = [aim](Eigen::Index, double) { return aim; };
  const V3 start = s.x[0].position(0);
  System system(std::tie(s.bodies), s.joints, s.x);
  system.save();
  system.set_target();
  CHECK((s.x[0].position(0) - start).norm() == 0);
  CHECK_FALSE(system.at_target());
  system.assemble();
  CHECK((system.unbalanced().head(3) - (aim - start)).norm() < 1e-15);
  (void)system.solve({});
  system.move(0.5);
  CHECK((s.x[0].position(0) - (start + aim) / 2).norm() < 1e-14);
  system.assemble();
  CHECK((system.unbalanced().head(3) - (aim - start) / 2).norm() < 1e-15);
  (void)system.solve({});
  system.move(1);
  CHECK(system.at_target());
  CHECK((s.x[0].position(0) - aim).norm() == 0);
  CHECK((s.x[1].position(0) - aim).norm() < 1e-12);
  CHECK(system.bodies_not_held().empty());
  system.restore();
  CHECK((s.x[0].position(0) - start).norm() == 0);
}

TEST_CASE("of a node each degree that is held goes to its aim, and only these", "[statics]") {
  test::Draw draw(test::seed());
  Scene s(draw, 1, 1);  // points are held in their turns alone
  System system(std::tie(s.bodies), s.joints, s.x);
  system.save();
  const auto start = s.x[0].rotation(0);
  const V3 place = s.x[0].position(0), turn = 0.5 * draw.vector();
  const auto aim = start * SO3<double>::exp(turn);
  s.x[0].set_frame(0, aim, place + draw.vector());
  system.set_target();
  CHECK((start.inverse() * s.x[0].rotation(0)).log().norm() < 1e-15);
  CHECK((s.x[0].position(0) - place).norm() == 0);
  CHECK_FALSE(system.at_target());
  system.assemble();
  CHECK((system.unbalanced().segment(3, 3) - turn).norm() < 1e-14);
  (void)system.solve({});
  system.move(1);
  CHECK(system.at_target());
  CHECK((aim.inverse() * s.x[0].rotation(0)).log().norm() < 1e-14);
  CHECK((s.x[0].position(0) - s.common()).norm() < 1e-12);
}

TEST_CASE("a body whose forces mean nothing is told by its number, and a row that none can close by its name",
          "[statics]") {
  test::Draw draw(test::seed());
  Scene s(draw, 1, 1);
  for (auto& body : s.bodies) body.held = {1};
  System system(std::tie(s.bodies), s.joints, s.x);
  system.save();
  system.set_target();
  system.assemble();
  CHECK_NOTHROW(system.check_turns());
  CHECK(system.contradiction().empty());
  (void)system.solve({});
  CHECK_THAT(system.contradiction(), ContainsSubstring("SphericalJoint"));
  s.bodies[1].valid = false;
  system.assemble();
  CHECK_THROWS_WITH(system.check_turns(), ContainsSubstring("1"));
  CHECK_THROWS_AS(system.check_turns(), InvalidState);
}

}  // namespace static_equations_test
