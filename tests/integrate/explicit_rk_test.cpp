#include <dalembert/integrate/explicit_rk.hpp>

#include <cmath>

#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace {

using namespace dalembert;
using test::Pendulum;

static_assert(MethodFor<RungeKutta4, Pendulum>);
static_assert(MethodFor<DormandPrince54, Pendulum>);
static_assert(EstimatesError<DormandPrince54> && !EstimatesError<RungeKutta4>);
static_assert(RungeKutta4::order == 4 && DormandPrince54::order == 5 && DormandPrince54::error_order == 5);
static_assert(!RungeKutta4::symmetric);

TEST_CASE("a step of order 4 is the Taylor polynomial of degree 4 of a linear problem", "[explicit_rk]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  Pendulum::State state{.q = 1};
  auto stepper = RungeKutta4{}.stepper(problem, state);
  const double h = 0.5;
  const auto report = stepper.step(problem, state, h);
  REQUIRE(report.converged);
  REQUIRE(report.error == 0);
  REQUIRE(state.time == h);
  REQUIRE(state.q == Approx(1 - h * h / 2 + h * h * h * h / 24).epsilon(1e-15));
  REQUIRE(state.v == Approx(-h + h * h * h / 6).epsilon(1e-15));
}

TEST_CASE("time is exact whatever the weights add up to", "[explicit_rk]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1};
  auto stepper = DormandPrince54{}.stepper(problem, state);
  for (int i = 1; i <= 64; ++i) {
    (void)stepper.step(problem, state, 0.0625);
    REQUIRE(state.time == 0.0625 * i);
  }
}

TEST_CASE("a step back undoes a step up to its error", "[explicit_rk]") {
  const Pendulum problem{.drive = 0.3};
  Pendulum::State state{.q = 1, .v = 0.2};
  auto stepper = RungeKutta4{}.stepper(problem, state);
  (void)stepper.step(problem, state, 0.01);
  (void)stepper.step(problem, state, -0.01);
  REQUIRE(state.q == Approx(1).epsilon(1e-11));
  REQUIRE(state.v == Approx(0.2).epsilon(1e-10));
}

TEST_CASE("the last stage is used again, unless the state was changed", "[explicit_rk]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1};
  auto stepper = DormandPrince54{}.stepper(problem, state);
  const auto cost_of_step = [&] {
    const long before = problem.evaluations;
    (void)stepper.step(problem, state, 0.1);
    return problem.evaluations - before;
  };
  REQUIRE(cost_of_step() == 7);
  REQUIRE(cost_of_step() == 6);
  stepper.reset();
  REQUIRE(cost_of_step() == 7);
  state.v += 0.1;
  REQUIRE(cost_of_step() == 7);
  REQUIRE(cost_of_step() == 6);

  Pendulum::State again{.q = 1}, fresh{.q = 1};
  auto kept = DormandPrince54{}.stepper(problem, again);
  for (int i = 0; i < 10; ++i) {
    (void)kept.step(problem, again, 0.1);
    auto anew = DormandPrince54{}.stepper(problem, fresh);
    (void)anew.step(problem, fresh, 0.1);
  }
  REQUIRE(again == fresh);
}

TEST_CASE("the error estimate tracks the error of the embedded method", "[explicit_rk]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  double last = 0;
  for (const double h : {0.4, 0.2, 0.1}) {
    Pendulum::State state{.q = 1};
    auto stepper = DormandPrince54{}.stepper(problem, state);
    const double estimate = stepper.step(problem, state, h).error;
    if (last > 0) REQUIRE(std::log2(last / estimate) == Approx(5).margin(0.3));
    REQUIRE(estimate > std::abs(state.q - std::cos(h)));
    last = estimate;
  }
}

TEST_CASE("a stage that throws leaves the state alone, and the stepper usable", "[explicit_rk]") {
  Pendulum problem{.throws_from = 0.14};
  Pendulum::State state{.q = 1}, expected{.q = 1};
  auto stepper = DormandPrince54{}.stepper(problem, state);
  (void)stepper.step(problem, state, 0.1);
  const auto before = state;
  REQUIRE_THROWS_AS(stepper.step(problem, state, 0.1), ContactOpened);
  REQUIRE(state == before);
  problem.throws_from = 10;
  (void)stepper.step(problem, state, 0.1);
  auto other = DormandPrince54{}.stepper(problem, expected);
  (void)other.step(problem, expected, 0.1);
  (void)other.step(problem, expected, 0.1);
  REQUIRE(state == expected);
}

}  // namespace
