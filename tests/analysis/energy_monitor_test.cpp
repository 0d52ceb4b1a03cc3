#include <dalembert/analysis/energy_monitor.hpp>

#include <cmath>
#include <limits>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"
#include "support/systems.hpp"

namespace energy_monitor_test {

using namespace dalembert;
using analysis::EnergyMonitor;
using analysis::Keep;
using test::Pendulum;

TEST_CASE("an energy monitor records every observation and the maxima", "[monitor]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1};
  EnergyMonitor monitor{problem};
  drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1.0}, monitor);
  REQUIRE(monitor.count() == 11);
  REQUIRE(monitor.entries().size() == 11);
  REQUIRE(monitor.entries().front().time == 0);
  REQUIRE(monitor.last().time == 1.0);
  REQUIRE(monitor.last().energy == problem.energy(state));
  double worst = 0;
  for (const auto& entry : monitor.entries())
    worst = std::max(worst, std::abs(entry.energy - monitor.entries().front().energy));
  REQUIRE(worst > 0);
  REQUIRE(monitor.energy_error() == worst);
}

TEST_CASE("an energy monitor of maxima keeps only the first observation", "[monitor]") {
  const Pendulum problem{.drive = 0.5};
  Pendulum::State state{.q = 1}, again{.q = 1};
  EnergyMonitor full{problem}, brief{problem, Keep::maxima};
  drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1.0}, full);
  drive(RungeKutta4{}, problem, again, {.step = 0.1, .until = 1.0}, brief);
  REQUIRE(brief.entries().size() == 1);
  REQUIRE(brief.count() == 11);
  REQUIRE(brief.energy_error() == full.energy_error());
  REQUIRE(brief.balance_error() == full.balance_error());
  REQUIRE(brief.last().work.load == full.last().work.load);
}

/// max |E(t) − E(0) − work| of a driven pendulum over 5 s.
template <class Method>
double balance_of_pendulum(const Method& method, double h) {
  const Pendulum problem{.drive = 0.8};
  Pendulum::State state{.q = 1, .v = 0.3};
  EnergyMonitor monitor{problem};
  drive(method, problem, state, {.step = h, .until = 5.0}, monitor);
  REQUIRE(monitor.energy_error() > 0.1);
  return monitor.balance_error();
}

TEST_CASE("the work of a load accounts for the energy, to the order of the integrator", "[monitor]") {
  double last = 0;
  for (const double h : {0.1, 0.05, 0.025}) {
    const double error = balance_of_pendulum(RungeKutta4{}, h);
    if (last > 0) REQUIRE(std::log2(last / error) == Approx(4).margin(0.15));
    last = error;
  }
}

TEST_CASE("under an integrator of order 5 the balance converges like that or like its quadrature",
          "[monitor]") {
  double last = 0;
  for (const double h : {0.1, 0.05, 0.025}) {
    const double error = balance_of_pendulum(DormandPrince54{}, h);
    CAPTURE(h, error);
    if (last > 0) REQUIRE(std::log2(last / error) > 4.85);
    if (last > 0) REQUIRE(std::log2(last / error) < 7.15);
    last = error;
  }
  REQUIRE(last < 1e-10);
}

TEST_CASE("the balance closes to the integrator's error from the first steps on", "[monitor]") {
  const Pendulum problem{.drive = 0.8};
  const double h = 0.02;
  Pendulum::State state{.q = 1, .v = 0.3};
  EnergyMonitor monitor{problem};
  drive(DormandPrince54{}, problem, state, {.step = h, .until = 5.0}, monitor);
  for (const auto& entry : monitor.entries()) {
    const double change = entry.energy - monitor.entries().front().energy;
    CAPTURE(entry.time);
    REQUIRE(std::abs(change - entry.work.load) < 1e-10);
    REQUIRE(std::abs(change - entry.work.load) <= monitor.balance_error());
  }
}

TEST_CASE("a run in pieces of any length balances like one in whole", "[monitor]") {
  const Pendulum problem{.drive = 0.8};
  Pendulum::State state{.q = 1, .v = 0.3};
  EnergyMonitor monitor{problem}, brief{problem, Keep::maxima};
  for (const double until : {0.0, 0.01, 0.4, 0.4 + 1e-13, 1.7, 1.7, 3.05, 3.05 + 1e-6, 5.0})
    drive(DormandPrince54{}, problem, state, {.step = 0.02, .until = until}, monitor, brief);
  REQUIRE(monitor.balance_error() < 1e-9);
  REQUIRE(brief.balance_error() == monitor.balance_error());
  REQUIRE(std::abs(monitor.last().work.load) > 0.01);
}

TEST_CASE("a jump of the energy stays in the balance, and nothing else does", "[monitor]") {
  const Pendulum problem{.drive = 0.8};
  Pendulum::State state{.q = 1, .v = 0.3};
  EnergyMonitor monitor{problem};
  drive(DormandPrince54{}, problem, state, {.step = 0.02, .until = 2.0}, monitor);
  const double before = problem.energy(state);
  state.v += 1;  // a blow
  const double blow = problem.energy(state) - before;
  drive(DormandPrince54{}, problem, state, {.step = 0.02, .until = 5.0}, monitor);
  const auto& last = monitor.last();
  REQUIRE(last.energy - monitor.entries().front().energy - last.work.load == Approx(blow).epsilon(1e-8));
}

TEST_CASE("what does not balance shows at once, however few the observations", "[monitor]") {
  const Pendulum problem;
  for (const double wait : {0.0, 0.1}) {
    CAPTURE(wait);
    EnergyMonitor monitor{problem};
    monitor(problem, {.q = 1, .v = 0.5});
    REQUIRE(monitor.balance_error() == 0);
    monitor(problem, {.time = wait, .q = 1, .v = 1.5});
    REQUIRE(monitor.balance_error() == Approx(1.0).epsilon(1e-12));  // ½(1.5² − 0.5²)
  }
}

TEST_CASE("the work of reactions and drag accounts for the energy where C_V is not C_K", "[monitor]") {
  const LagrangeDAlembert problem{test::SlantedBlade<>{}};
  auto state = problem.state(SE2d::identity(), {1, 0, 2});
  EnergyMonitor monitor{problem};
  drive(DormandPrince54{}, problem, state, {.step = 0.01, .until = 2.0}, monitor);
  REQUIRE(monitor.energy_error() > 0.2);
  REQUIRE(monitor.balance_error() < 1e-10);
  REQUIRE(std::abs(monitor.last().work.constraint) > 0.1);
  REQUIRE(monitor.last().work.load < -0.1);
  REQUIRE(monitor.violation().velocity < 1e-12);
}

TEST_CASE("violations are the largest ones", "[monitor]") {
  const LagrangeDAlembert problem{test::SphericalPendulum<>{}};
  auto state = problem.state(Rn<double, 3>(Vec<double, 3>(1.1, 0, 0)), {0.2, 1, 0.5});
  EnergyMonitor monitor{problem};
  monitor(problem, state);
  REQUIRE(monitor.violation().position == Approx(0.21));
  REQUIRE(monitor.violation().velocity == Approx(0.44));
  (void)problem.project(state);
  monitor(problem, state);
  REQUIRE(monitor.violation().position == Approx(0.21));
  REQUIRE(monitor.entries()[1].violation.position < 1e-15);
}

TEST_CASE("not-a-number is not forgotten", "[monitor]") {
  const Pendulum problem;
  EnergyMonitor monitor{problem};
  monitor(problem, {.q = 1});
  monitor(problem, {.time = 1, .q = std::numeric_limits<double>::quiet_NaN()});
  monitor(problem, {.time = 2, .q = 1});
  REQUIRE(std::isnan(monitor.energy_error()));
}

}  // namespace energy_monitor_test
