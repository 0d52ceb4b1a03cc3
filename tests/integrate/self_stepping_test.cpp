// Models that bring their own step, driven as problems are.

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/self_stepping.hpp>

#include "support/catch.hpp"

namespace own_step_test {

using namespace dalembert;

/// ẍ = −x by the exact rotation, as a flow. Beyond `wall` it does not hold.
struct Rotation {
  using Scalar = double;
  struct State {
    double time = 0, x = 1, v = 0;
    int copies = 0;
    State() = default;
    State(const State& other) { *this = other; }
    State& operator=(const State& other) {
      time = other.time;
      x = other.x;
      v = other.v;
      copies = other.copies + 1;
      return *this;
    }
  };

  double energy(const State& at) const { return (at.x * at.x + at.v * at.v) / 2; }
  Violation<double> constraint(const State&) const { return {}; }
  StepReport<double> step(State& state, double h) const {
    const double x = std::cos(h) * state.x + std::sin(h) * state.v,
                 v = std::cos(h) * state.v - std::sin(h) * state.x;
    if (x < wall) throw InvalidState("x is beyond the wall", state.time);
    state.x = x;
    state.v = v;
    state.time += h;
    return {};
  }

  double wall = -2;
};
static_assert(Flow<Rotation> && !FixedStepFlow<Rotation> && !Problem<Rotation>);
static_assert(MethodFor<SelfStepping, Rotation>);

/// The same in steps of an eighth, with powers and a kinetic energy to tell.
struct Clockwork : Rotation {
  double time_step() const { return 0.125; }
  double kinetic_energy(const State& at) const { return at.v * at.v / 2; }
  Powers<double> power(const State&) const { return {.load = 0.25}; }
};
static_assert(FixedStepFlow<Clockwork>);

TEST_CASE("a flow is driven to output times and to the end", "[integrate][flow]") {
  const Rotation rotation;
  Rotation::State state;
  std::vector<double> times;
  const auto report =
      drive(SelfStepping{}, rotation, state, {.step = 0.1, .until = 2.05, .output_interval = 0.25},
            [&](const Rotation&, const Rotation::State& at) {
              times.push_back(at.time);
              CHECK(std::abs(at.x - std::cos(at.time)) < 1e-14);
            });
  CHECK(state.time == 2.05);
  CHECK(times.size() == 10);
  CHECK(report.steps > 20);
}

TEST_CASE("a run of a flow does not copy its state in every step", "[integrate][flow]") {
  const Rotation rotation;
  Rotation::State few, many;
  drive(SelfStepping{}, rotation, few, {.step = 0.1, .until = 1});
  drive(SelfStepping{}, rotation, many, {.step = 0.1, .until = 100});
  CHECK(few.copies == many.copies);
}

TEST_CASE("events of a flow are located by its own steps", "[integrate][flow]") {
  const Rotation rotation;
  Rotation::State state;
  Event<Rotation> zero{.name = "x = 0",
                       .value = [](const Rotation&, const Rotation::State& at) { return at.x; }};
  zero.terminal = true;
  const auto report = drive(SelfStepping{}, rotation, state, {.step = 0.1, .until = 10, .events = {zero}});
  REQUIRE(report.stopped_by.has_value());
  CHECK(std::abs(state.time - std::acos(0.0)) < 1e-13);
}

TEST_CASE("events of a flow with steps of one length are located at the end of the step",
          "[integrate][flow]") {
  const Clockwork clock;
  Event<Clockwork> zero{.name = "x = 0", .value = [](const Clockwork&, const Rotation::State& at) {
                          return at.time == 1.375 ? std::nan("") : at.x;
                        }};
  Rotation::State state;
  auto report = drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 6, .events = {zero}});
  REQUIRE(report.hits.size() == 2);  // at π/2 and 3π/2
  CHECK(report.hits[0].state.time == 1.625);
  CHECK(report.hits[1].state.time == 4.75);
  CHECK(report.hits[0].state.x == Approx(std::cos(1.625)));
  CHECK(state.time == 6);

  zero.terminal = true;
  std::vector<double> seen;
  state = {};
  report = drive(SelfStepping{}, clock, state,
                 {.step = 0.125, .until = 6, .output_interval = 0.5, .events = {zero}},
                 [&](const Clockwork&, const Rotation::State& at) { seen.push_back(at.time); });
  CHECK(report.stopped_by == 0u);
  CHECK(state.time == 1.625);
  CHECK(seen == std::vector<double>{0, 0.5, 1, 1.5, 1.625});
}

TEST_CASE("a flow with steps of one length is asked for no other, in runs of any length",
          "[integrate][flow]") {
  const Clockwork clock;
  Rotation::State state;
  // 5000 steps to 4e-9 of them: an interval that a step less would not divide
  const double interval = 625 * (1 + 4e-10);
  CHECK_THROWS_AS(
      drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 1250, .output_interval = interval}),
      std::invalid_argument);
  CHECK(state.time == 0);
  const auto report =
      drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 1250, .output_interval = 625});
  CHECK(report.steps == 10000);
  CHECK(report.step == 0.125);
}

TEST_CASE("a flow that fails leaves the last good state", "[integrate][flow][errors]") {
  const Rotation rotation{.wall = -0.5};
  Rotation::State state;
  try {
    drive(SelfStepping{}, rotation, state, {.step = 0.1, .until = 10});
    FAIL("the run went through the wall");
  } catch (const IntegrationFailureWith<Rotation::State>& failure) {
    CHECK(failure.last().time == Approx(2.0));
    CHECK(failure.last().x == Approx(std::cos(2.0)));
    CHECK(state.time == failure.last().time);
  }
  Rotation::State lost;
  lost.x = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(drive(SelfStepping{}, rotation, lost, {.step = 0.1, .until = 1}), IntegrationFailure);
  CHECK_THROWS_AS(drive(SelfStepping{}, rotation, state, {.step = 0.1, .until = 5, .tolerance = 1e-6}),
                  std::invalid_argument);
}

TEST_CASE("a flow with steps of one length refuses others before it starts", "[integrate][flow][errors]") {
  const Clockwork clock;
  Rotation::State state;
  drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 2, .output_interval = 0.5});
  CHECK(state.time == 2);
  CHECK_THROWS_AS(drive(SelfStepping{}, clock, state, {.step = 0.12, .until = 3}), std::invalid_argument);
  CHECK_THROWS_AS(drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 3.1}), std::invalid_argument);
  CHECK_THROWS_AS(drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 3, .output_interval = 0.2}),
                  std::invalid_argument);
  CHECK_THROWS_AS(drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 3, .origin = 0.05}),
                  std::invalid_argument);
  CHECK(state.time == 2);
  drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 3, .origin = 0.0});
  // whole steps from the origin to the state, of which neither is a whole number of steps
  Rotation::State late;
  late.time = 0.3;
  CHECK_NOTHROW(drive(SelfStepping{}, clock, late, {.step = 0.125, .until = 1.3, .origin = 0.05}));
  CHECK(state.time == 3);
}

TEST_CASE("an energy monitor takes what a flow tells", "[integrate][flow][analysis]") {
  const Clockwork clock;
  Rotation::State state;
  analysis::EnergyMonitor told{clock};
  drive(SelfStepping{}, clock, state, {.step = 0.125, .until = 2}, told);
  CHECK(told.count() == 17);
  CHECK(told.last().kinetic_energy == Approx(std::pow(std::sin(2.0), 2) / 2));
  CHECK(told.last().work.load == Approx(0.5));
  CHECK(told.energy_error() < 1e-15);
  CHECK(told.balance_error() == Approx(0.5));
  Rotation::State other;
  const Rotation rotation;
  analysis::EnergyMonitor untold{rotation};
  drive(SelfStepping{}, rotation, other, {.step = 0.125, .until = 2}, untold);
  CHECK(std::isnan(untold.last().kinetic_energy));
  CHECK(untold.last().work.load == 0);
  CHECK(untold.balance_error() < 1e-15);
}

}  // namespace own_step_test
