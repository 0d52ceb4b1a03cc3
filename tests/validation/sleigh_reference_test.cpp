// The sleigh against a reference trajectory computed in quadruple precision.

#include <algorithm>
#include <cmath>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace sleigh_reference_test {

using namespace dalembert;

TEST_CASE("the sleigh follows its reference trajectory to 1e-10", "[validation][sleigh]") {
  const auto reference = test::data("sleigh_nonholonomic.json")["sleigh_nonholonomic"]["sets"][0];
  const auto& parameters = reference["params"];
  const auto start = reference["y0"].get<std::vector<double>>();
  const auto times = reference["times"].get<std::vector<double>>();
  const auto states = reference["states"].get<std::vector<std::vector<double>>>();
  const auto multipliers = reference["diagnostics"]["lambda"].get<std::vector<double>>();
  const auto energies = reference["diagnostics"]["energy"].get<std::vector<double>>();
  REQUIRE(times.size() > 3);

  const systems::ChaplyginSleigh sleigh{
      {.mass = parameters["m"], .inertia = parameters["I"], .offset = parameters["a"]}};
  const LagrangeDAlembert problem{sleigh};
  auto state = problem.state(SE2d(start[0], start[1], start[2]), {start[3], 0, start[4]});
  auto rates = problem.make_rates();
  for (std::size_t i = 0; i < times.size(); ++i) {
    drive(DormandPrince54{}, problem, state, {.step = 0.005, .until = times[i]});
    CAPTURE(times[i]);
    const auto& expected = states[i];
    CHECK(std::abs(state.g.translation()[0] - expected[0]) < 1e-10);
    CHECK(std::abs(state.g.translation()[1] - expected[1]) < 1e-10);
    CHECK(std::abs((SE2d(0, 0, expected[2]).inverse() * state.g).angle()) < 1e-10);
    CHECK(std::abs(state.xi[0] - expected[3]) < 1e-10);
    CHECK(std::abs(state.xi[1]) < 1e-13);
    CHECK(std::abs(state.xi[2] - expected[4]) < 1e-10);
    problem.rates(state, rates);
    CHECK(std::abs(rates.lambda[0] - multipliers[i]) < 1e-10);
    CHECK(std::abs(problem.energy(state) - energies[i]) < 1e-12);
    const auto exact = sleigh.exact({.u = start[3], .omega = start[4], .phi = start[2]}, times[i]);
    CHECK(std::abs(exact.u - expected[3]) < 1e-14);
    CHECK(std::abs(exact.omega - expected[4]) < 1e-14);
    CHECK(std::abs(exact.phi - expected[2]) < 1e-13);
  }
}

TEST_CASE("over the whole turn the sleigh follows its closed form to 1e-10", "[validation][sleigh]") {
  const systems::ChaplyginSleigh sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  const LagrangeDAlembert problem{sleigh};
  const systems::ChaplyginSleigh<>::Motion start{.u = -1, .omega = 1e-3, .phi = 0};
  auto state = problem.state(SE2d::identity(), {start.u, 0, start.omega});
  double phi = 0, time = 0, error = 0;
  drive(RungeKutta4{}, problem, state, {.step = 1e-3, .until = 80.0}, [&](const auto&, const auto& at) {
    phi += std::remainder(at.g.angle() - phi, 2 * static_cast<double>(pi));
    time = at.time;
    const auto exact = sleigh.exact(start, time);
    error = std::max(
        {error, std::abs(at.xi[0] - exact.u), std::abs(at.xi[2] - exact.omega), std::abs(phi - exact.phi)});
  });
  CHECK(error < 1e-10);
  CHECK(time == 80.0);
  CHECK(state.xi[0] > 0.99);
  CHECK(phi > 0.999 * sleigh.total_turn());
  CHECK(phi < sleigh.total_turn());
}

TEST_CASE("the rates at the start are the reference's", "[validation][sleigh]") {
  const auto reference = test::data("sleigh_nonholonomic.json")["sleigh_nonholonomic"]["sets"][0];
  const auto start = reference["y0"].get<std::vector<double>>();
  const auto slope = reference["rhs_at_t0"].get<std::vector<double>>();
  const LagrangeDAlembert problem{systems::ChaplyginSleigh{{.mass = 1, .inertia = 1, .offset = 0.2}}};
  const auto state = problem.state(SE2d(start[0], start[1], start[2]), {start[3], 0, start[4]});
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(std::abs(rates.xidot[0] - slope[3]) < 1e-15);
  CHECK(std::abs(rates.xidot[2] - slope[4]) < 1e-15);
}

}  // namespace sleigh_reference_test
