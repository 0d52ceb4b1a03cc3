// The order of every integrator on SO(3) × R²: a ball whose principal moments differ, rolling on a plane; and that of the explicit ones
// where nothing is reversible.

#include <cmath>
#include <limits>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/pendulum_driver.hpp>
#include <dalembert/systems/rolling_ball.hpp>

#include "support/catch.hpp"

namespace product_order_laws_test {

using namespace dalembert;
using Ball = systems::RollingBall<double>;
using Driver = systems::PendulumDriver<long double>;  // round-off leaves room for the order of 8

template <class System>
struct Start {
  LagrangeDAlembert<System> problem;
  typename LagrangeDAlembert<System>::State state;
};

Start<Ball> ball() {
  Mat<double, 3> inertia;
  inertia << 0.5, 0.02, -0.03, 0.02, 0.35, 0.04, -0.03, 0.04, 0.6;
  const LagrangeDAlembert problem{Ball{{.mass = 1.2, .radius = 0.8, .inertia = inertia}}};
  const Ball::Group g(SO3d::exp({0.3, -0.2, 0.5}), Rn<double, 2>(Vec<double, 2>(0.1, -0.4)));
  return {problem, problem.state(g, problem.system().rolling(g, {0.9, -0.6, 1.1}))};
}
Start<Driver> driver() {
  const LagrangeDAlembert problem{Driver{}};
  const long double zdot = 0.3L, xdot = -problem.system().ratio(0.0L) * zdot;
  return {problem, problem.state(Rn<long double, 3>(Vec<long double, 3>(1, 0, 0)), {xdot, zdot, 1.5L})};
}

/// The state after `steps` steps in a time of 1.
template <class M, class System>
auto after(const M& method, const Start<System>& start, int steps) {
  auto state = start.state;
  auto stepper = method.stepper(start.problem, state);
  const auto h = 1 / static_cast<ScalarOf<System>>(steps);
  for (int i = 0; i < steps; ++i) REQUIRE(stepper.step(start.problem, state, h).converged);
  return state;
}

template <class M, class System>
void check_order(const M& method, const Start<System>& start, int steps) {
  const auto reference = after(Gauss<4>{}, start, 200);
  const auto error = [&](int count) {
    return start.problem.difference(reference, after(method, start, count)).norm();
  };
  const auto coarse = error(steps), fine = error(2 * steps);
  CAPTURE(M::order, steps, coarse, fine);
  CHECK(fine > 200 * std::numeric_limits<ScalarOf<System>>::epsilon());
  CHECK(static_cast<double>(std::log2(coarse / fine)) == Approx(M::order).margin(0.15));
}

TEST_CASE("explicit methods have their order on a product of groups", "[laws][order]") {
  check_order(RungeKutta4{.project = true}, ball(), 16);
  check_order(DormandPrince54{.project = true}, ball(), 12);
  check_order(DormandPrince853{.project = true}, ball(), 3);
}

TEST_CASE("explicit methods have their order where nothing is reversible", "[laws][order]") {
  check_order(RungeKutta4{.project = true}, driver(), 64);
  check_order(DormandPrince54{.project = true}, driver(), 160);
  check_order(DormandPrince853{.project = true}, driver(), 40);
}

TEST_CASE("collocation has its order on a product of groups", "[laws][order]") {
  check_order(Gauss<1>{}, ball(), 16);
  check_order(Gauss<2>{}, ball(), 8);
  check_order(Gauss<3>{}, ball(), 4);
  check_order(Radau<2>{}, ball(), 20);
  check_order(Radau<3>{}, ball(), 8);
}

TEST_CASE("the symmetric family has its order on a product of groups", "[laws][order]") {
  check_order(NonholonomicLeapfrog{}, ball(), 32);
  check_order(NonholonomicMcLachlanPerlmutter{}, ball(), 32);
  check_order(NonholonomicEnergyPreserving{}, ball(), 32);
  check_order(Composition<NonholonomicMcLachlanPerlmutter, 4>{}, ball(), 8);
}

}  // namespace product_order_laws_test
