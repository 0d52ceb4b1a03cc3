// The systems of the second half of the alphabet over every scalar; see scalar_laws_test.cpp.

#include <dalembert/systems/pendulum_driver.hpp>
#include <dalembert/systems/rattleback.hpp>
#include <dalembert/systems/rocard_tire.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rolling_disc.hpp>
#include <dalembert/systems/rubber_ball.hpp>
#include <dalembert/systems/snakeboard.hpp>
#include <dalembert/systems/suslov.hpp>
#include <dalembert/systems/vertical_disk.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

#include "laws/scalar_laws.hpp"

namespace scalar_laws_more_test {

using namespace scalar_laws;

TEST_CASE("systems from P to Z mean the same over dual packs as over plain numbers", "[laws]") {
  using namespace systems;
  same_over_dual_packs("PendulumDriver", make<PendulumDriver<double>>(), make<PendulumDriver<long double>>());
  same_over_dual_packs("Rattleback", make<Rattleback<double>>(), make<Rattleback<long double>>());
  same_over_dual_packs("RocardTire", make<RocardTire<double>>(), make<RocardTire<long double>>());
  same_over_dual_packs("RollingBall", make<RollingBall<double>>(), make<RollingBall<long double>>());
  same_over_dual_packs("RollingDisc", make<RollingDisc<double>>(), make<RollingDisc<long double>>());
  same_over_dual_packs("RubberBall", make<RubberBall<double>>(), make<RubberBall<long double>>());
  same_over_dual_packs("Snakeboard", make<Snakeboard<double>>(), make<Snakeboard<long double>>());
  same_over_dual_packs("Suslov", make<Suslov<double>>(), make<Suslov<long double>>());
  same_over_dual_packs("VerticalDisk", make<VerticalDisk<double>>(), make<VerticalDisk<long double>>());
  same_over_dual_packs("WhippleBicycle", make<WhippleBicycle<double>>(), make<WhippleBicycle<long double>>());
}

}  // namespace scalar_laws_more_test
