#include <dalembert/assembly/statics.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/crossing.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace statics_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Rod = rod::ElasticRod<double>;
using Body = RigidBody<double>;
using Crossing = contact::Crossing<double>;
using Joint = SphericalJoint<double>;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using V = Vec<double, 3>;

TEST_CASE("two rods hooked into each other find the equilibrium of the rods' own statics",
          "[assembly][statics]") {
  const systems::RollingRodsParameters<double> p;
  Kinds<Rod> bodies = kinds(systems::rolling_rods(p));
  const auto& rods = std::get<0>(bodies);
  Kinds<Crossing> contacts = kinds(std::vector{
      Crossing{{0, rods[0], p.kernel_width}, {1, rods[1], p.kernel_width}, p.radius, p.radius}});
  auto x = Assembly{bodies, contacts}.state(systems::rolling_rods_placement(p, rods),
                                            Vec<double, 2>(p.crossing[0], p.crossing[1]));
  const double low = x.chains[0].position(0)[2], high = x.chains[1].position(0)[2];
  const auto found = static_equilibrium(
      bodies, contacts, x, [&](double factor, auto&, auto&, State<double>& moved) {
        for (const Eigen::Index k : {0, p.elements}) {
          moved.chains[0].configuration(k, 2) = low + factor * p.hook;
          moved.chains[1].configuration(k, 2) = high - factor * p.hook;
        }
      });
  CHECK_THAT(x.z[0], WithinAbs(0.45109406, 1e-8));
  CHECK_THAT(x.z[1], WithinAbs(0.54890594, 1e-8));
  CHECK_THAT(found.multipliers[0], WithinAbs(5.346133, 1e-6));
  CHECK_THAT(found.energy, WithinAbs(5.32975335, 1e-8));
  const auto known = systems::static_start(p);
  CHECK_THAT(found.multipliers[0], WithinRel(known.equilibrium.normal_force, 1e-9));
  CHECK_THAT(found.energy, WithinRel(known.equilibrium.energy, 1e-12));
  for (std::size_t i = 0; i < 2; ++i)
    CHECK((x.chains[i].configuration - known.chains[i].configuration).topRows(101).abs().maxCoeff() < 1e-10);
  CHECK(found.search.iterations <= known.equilibrium.search.iterations + 2);
}

}  // namespace statics_test
