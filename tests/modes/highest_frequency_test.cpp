#include <dalembert/modes/highest_frequency.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/modes/modes.hpp>
#include <dalembert/rod/stiffness.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace highest_frequency_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Catch::Matchers::WithinRel;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using V = Vec<double, 3>;

/// Three arms of unlike thickness that meet at right angles, welded.
struct Tripod {
  static Rod arm(double radius) { return test::soft_rod<Rod>(radius, 8); }
  Assembly<Kinds<Rod>, Kinds<Weld<double>>> problem{
      bodies(std::vector{arm(0.02), arm(0.025), arm(0.03)}),
      constraints(std::vector{weld(1, {M_PI / 2, 0, 0}), weld(2, {0, M_PI / 2, 0})})};
  State<double> x =
      problem.state({straight(0, {0, 0, 0}), straight(1, {M_PI / 2, 0, 0}), straight(2, {0, M_PI / 2, 0})});

  static Weld<double> weld(std::size_t body, const V& turn) {
    return {{0, 0}, {body, 0, V::Zero(), SO3<double>::exp(-turn)}};
  }
  rod::Chain<double> straight(std::size_t i, const V& turn) const {
    return problem.bodies<0>()[i].straight(V::Zero(), SO3<double>::exp(turn));
  }
};

TEST_CASE("the bound of rods that are welded holds and is near, and so is the step that it allows",
          "[assembly][frequency]") {
  const Tripod tripod;
  REQUIRE(tripod.problem.constraint(tripod.x).position < 1e-14);
  const double bound = tripod.problem.frequency_bound(tripod.x);
  const double highest = highest_frequency(tripod.problem, tripod.x);
  // the mode that is nearest to the bound, from below
  const double exact =
      modes(tripod.problem, tripod.x, {.count = 1, .shift = 1.21 * bound * bound})[0].frequency();
  CHECK_THAT(highest, WithinRel(exact, 1e-3));
  CHECK(bound > exact);
  CHECK(bound < 1.2 * exact);

  const auto grows = [&](double step) {
    auto x = tripod.x;
    test::Random random(test::seed());
    for (auto& chain : x.chains)
      for (Eigen::Index k = 0; k < chain.nodes; ++k)
        for (int i = 0; i < 6; ++i) chain.velocity(k, i) = 1e-6 * random();
    tripod.problem.project(x);
    const double before = tripod.problem.energy(x);
    try {
      drive(Verlet{}, tripod.problem, x, {.step = step, .until = 600 * step, .beyond_stability = true});
    } catch (const IntegrationFailure&) {
      return true;
    }
    return !(tripod.problem.energy(x) < 2 * before);
  };
  CHECK_FALSE(grows(1.99 / bound));
  CHECK_FALSE(grows(1.99 / exact));
  CHECK(grows(2.05 / exact));
}

TEST_CASE(
    "a heavy body slows the end of the rod that it is welded to, and swings by its weight alone on a joint",
    "[assembly][frequency]") {
  const Rod rod = test::soft_rod<Rod>(0.02, 4);
  const auto with = [&](double mass) {
    const Body body{{.mass = mass, .inertia = V(mass, mass, mass)}};
    const Assembly problem{bodies(std::vector{rod}, std::vector{body}),
                           constraints(std::vector{Weld<double>{{0, 4}, {1, 0, {0, 0, -0.1}}}})};
    const auto x = problem.state({rod.straight(V::Zero(), SO3<double>::identity()), body.at(V(0, 0, 1.1))});
    return highest_frequency(problem, x);
  };
  const Assembly alone{bodies(std::vector{rod})};
  const double free =
      highest_frequency(alone, alone.state({rod.straight(V::Zero(), SO3<double>::identity())}));
  CHECK(with(1e-9) <= free * 1.001);
  CHECK(with(10.0) < with(1e-3));

  const Body bob{{.mass = 2.0, .inertia = V(0.01, 0.02, 0.03), .gravity = {0, 0, -9.81}}};
  const Assembly pendulum{bodies(std::vector{bob}),
                          constraints(std::vector{SphericalJoint<double>{
                              {0, 0, {0, 0, 0.5}}, FrameMarker<double>::in_space({0, 0, 0})}})};
  const auto hanging = pendulum.state({bob.at({0, 0, -0.5})});
  CHECK_THAT(highest_frequency(pendulum, hanging),
             WithinRel(std::sqrt(2.0 * 9.81 * 0.5 / (0.01 + 0.5)), 1e-3));
}

}  // namespace highest_frequency_test
