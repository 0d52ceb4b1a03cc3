// A disc's steady turn, and the energy of two systems that are hard on integrators, against figures.

#include <algorithm>
#include <cmath>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/pendulum_driver.hpp>
#include <dalembert/systems/rolling_disc.hpp>

#include "support/cases.hpp"
#include "support/catch.hpp"

namespace nonholonomic_energy_test {

using namespace dalembert;
using std::cos, std::sin;

TEST_CASE("a disc that leans as published turns steadily", "[validation][rolling_disc]") {
  const double r = 0.4, gravity = 9.81, lean = -0.4, yaw_rate = 2.5;
  const systems::RollingDisc disc{{.mass = 1.2, .radius = r, .gravity = gravity}};
  const double spin_rate = disc.steady_spin(lean, yaw_rate);
  CHECK(std::abs(4 * gravity / (5 * r) * std::tan(lean) + yaw_rate * yaw_rate * sin(lean) +
                 6.0 / 5 * yaw_rate * spin_rate) < 1e-13);
  const LagrangeDAlembert problem{disc};
  const SO3d R = disc.attitude(0, lean, 0);
  auto state = problem.state(disc.standing(R, {0, 0}),
                             disc.rolling(R, disc.angular_velocity(lean, 0, yaw_rate, 0, spin_rate)));
  double worst = 0;
  drive(DormandPrince54{}, problem, state, {.step = 0.005, .until = 5.0}, [&](const auto&, const auto& at) {
    const double yaw = yaw_rate * at.time, circle = r * spin_rate / yaw_rate;
    const SO3d attitude = disc.attitude(yaw, lean, spin_rate * at.time);
    worst = std::max(worst, (attitude.inverse() * at.g.first()).log().norm());
    worst = std::max(worst, (disc.contact(at.g) - circle * Vec<double, 2>(sin(yaw), 1 - cos(yaw))).norm());
  });
  CHECK(spin_rate > 3);
  CHECK(worst < 1e-9);
}

TEST_CASE("a disc that wobbles keeps its energy and rolls on the plane", "[validation][rolling_disc]") {
  const systems::RollingDisc disc{{.mass = 1.2, .radius = 0.4}};
  const LagrangeDAlembert problem{disc};
  const SO3d R = disc.attitude(0.3, 0.5, 0);
  auto state =
      problem.state(disc.standing(R, {0, 0}), disc.rolling(R, disc.angular_velocity(0.5, 0, -3.0, 0.4, 5.0)));
  const double energy = problem.energy(state);
  double worst = 0, lowest = 1, highest = 0;
  drive(DormandPrince54{}, problem, state, {.step = 0.002, .until = 5.0}, [&](const auto& p, const auto& at) {
    const auto violation = p.constraint(at);
    worst = std::max({worst, std::abs(p.energy(at) - energy), violation.position, violation.velocity});
    lowest = std::min(lowest, at.g.second().coordinates()[2]);
    highest = std::max(highest, at.g.second().coordinates()[2]);
  });
  CHECK(worst < 1e-9);
  CHECK(highest - lowest > 0.02);
}

TEST_CASE("the chaotic oscillator keeps its energy in small steps, and loses it in large ones as published",
          "[validation][oscillator]") {
  const auto test_case = test::oscillator_case();
  const auto& problem = test_case.problem;
  auto state = test_case.start;
  const double energy = problem.energy(state);
  double worst = 0;
  drive(DormandPrince54{}, problem, state, {.step = 0.01, .until = 20.0}, [&](const auto& p, const auto& at) {
    worst = std::max({worst, std::abs(p.energy(at) / energy - 1), p.constraint(at).velocity});
  });
  CHECK(worst < 1e-9);

  // The loss is linear in time: 5.7e-2 after a million steps, so about 5.7e-4 after ten thousand.
  auto coarse = test_case.start;
  drive(RungeKutta4{.project = true}, problem, coarse, {.step = 0.1, .until = 1000.0});
  const double loss = 1 - problem.energy(coarse) / energy;
  CAPTURE(loss);
  CHECK(loss > 4e-4);
  CHECK(loss < 8e-4);
}

TEST_CASE("the pendulum driver gives the driven part no energy", "[validation][driver]") {
  const systems::PendulumDriver<> driver;
  const LagrangeDAlembert problem{driver};
  for (const double rate : {1.5, -1.5}) {
    CAPTURE(rate);
    const double zdot = 0.3;
    auto state =
        problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {-driver.ratio(0.0) * zdot, zdot, rate});
    const double driven = driver.driven_energy(state.g, state.xi),
                 of_driver = driver.driver_energy(state.g, state.xi);
    double worst = 0, theta = 0;
    drive(DormandPrince54{}, problem, state, {.step = 0.005, .until = 50.0},
          [&](const auto& p, const auto& at) {
            worst = std::max({worst, std::abs(driver.driven_energy(at.g, at.xi) - driven),
                              std::abs(driver.driver_energy(at.g, at.xi) - of_driver),
                              p.constraint(at).velocity});
            theta = at.g.coordinates()[2];
          });
    CHECK(worst < 1e-9);
    CHECK(theta / rate > 20);  // the pendulum goes round
  }
}

}  // namespace nonholonomic_energy_test
