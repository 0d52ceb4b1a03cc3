// What ends a run that does not get on, or that leaves its constraints, and what a run says of them.

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace drive_limits_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using test::Pendulum;

/// Is damped so hard between two times that explicit steps must be shorter than 1e-9 s there.
struct Sticky : Pendulum {
  double from = 0.5, to = std::numeric_limits<double>::infinity();
  void rates(const State& at, Rates& out) const {
    Pendulum::rates(at, out);
    if (from <= at.time && at.time < to) out.a -= 1e10 * (at.v - 1);
  }
};

TEST_CASE("ten thousand steps in a row may crawl, and one that does not begins the count anew", "[drive]") {
  const DriveOptions<Pendulum> options{.step = 0.1, .until = 10, .tolerance = 1e-6};
  detail::StepFloor<double> floor(options.numbers(), 0.0);
  for (int i = 0; i < 10000; ++i) REQUIRE_FALSE(floor.ends_at(1e-9, 1.0, false));
  CHECK_FALSE(floor.ends_at(1e-3, 1.0, false));
  for (int i = 0; i < 10000; ++i) REQUIRE_FALSE(floor.ends_at(1e-9, 1.0, false));
  CHECK(floor.ends_at(1e-9, 1.0, false));
}

/// Counts how often its constraints are asked for.
struct Watched : Pendulum {
  mutable int looks = 0;
  Violation<double> constraint(const State& at) const {
    ++looks;
    return Pendulum::constraint(at);
  }
};

TEST_CASE("a run measures the violation of its start and of each of a few steps once", "[drive]") {
  const Watched problem;
  Pendulum::State state{.q = 1};
  drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 0.5});
  CHECK(problem.looks == 6);
}

TEST_CASE("an adaptive run that crawls is ended, and says when, and by which step and tolerance", "[drive]") {
  const Sticky problem;
  Pendulum::State state{.q = 1};
  const auto guard = [&](const Sticky& p, const Pendulum::State&) {
    if (p.evaluations > 300000) throw std::runtime_error("the run does not end");
  };
  try {
    drive(DormandPrince54{}, problem, state, {.step = 0.1, .until = 10.0, .tolerance = 1e-6}, guard);
    FAIL("the run must fail");
  } catch (const IntegrationFailureWith<Pendulum::State>& failure) {
    CHECK(failure.last() == state);
    CHECK(state.time == Approx(0.5).epsilon(1e-4));
    CHECK_THAT(failure.what(), ContainsSubstring("too short") && ContainsSubstring("1e-06"));
    try {
      std::rethrow_if_nested(failure);
      FAIL("the cause must be inside");
    } catch (const StepTooShort& cause) {
      CHECK(cause.step() < 1e-8);
      CHECK(cause.step() > 0);
      CHECK(cause.tolerance() == 1e-6);
      CHECK(cause.relative_tolerance() == 0);
      CHECK(cause.time() == state.time);
    }
  }
  CHECK(problem.evaluations < 200000);
}

TEST_CASE("a moment of tiny steps is lived through, unless the shortest step forbids it", "[drive]") {
  const Sticky problem{{}, 0, 2e-7};
  DriveOptions<Sticky> options{.step = 0.1, .until = 10.0, .tolerance = 1e-6};
  Pendulum::State state{.q = 1};
  const auto report = drive(DormandPrince54{}, problem, state, options);
  CHECK(state.time == 10);
  CHECK(report.steps > 200);
  options.shortest_step = 1e-8;
  state = {.q = 1};
  CHECK_THROWS_WITH(drive(DormandPrince54{}, problem, state, options), ContainsSubstring("too short"));
  options.shortest_step = 1e-13;
  state = {.q = 1};
  CHECK(drive(DormandPrince54{}, problem, state, options).steps == report.steps);
}

TEST_CASE("steps that the longest step or an output time makes short do not end a run", "[drive]") {
  const Pendulum problem;
  Pendulum::State state;
  const auto clock = [](const Pendulum&, const Pendulum::State& at) { return at.time - 1e7; };
  CHECK(drive(DormandPrince54{}, problem, state,
              {.step = 500.0,
               .until = 1e13,
               .tolerance = 1e10,
               .longest_step = 500.0,
               .events = {{.name = "clock", .value = clock, .terminal = true}}})
            .stopped_by == 0u);
  state = {.q = 1};
  const auto cut = drive(DormandPrince54{}, problem, state,
                         {.step = 0.1,
                          .until = 1.0 + 1e-9,
                          .output_interval = 1.0,
                          .tolerance = 1e-6,
                          .shortest_step = 1e-3,
                          .dense = false});
  CHECK(state.time == 1.0 + 1e-9);
  CHECK(cut.steps < 100);
  // nor do steps as short as they may be
  state = {.q = 1};
  const auto alike =
      drive(DormandPrince54{}, problem, state,
            {.step = 0.125, .until = 1, .tolerance = 1e-3, .longest_step = 0.125, .shortest_step = 0.125});
  CHECK(alike.steps == 8);
}

TEST_CASE("where a model does not hold the shortest step ends the run with the model's own words",
          "[drive]") {
  const Pendulum opens{.throws_from = 0.5};
  Pendulum::State state{.q = 1};
  try {
    drive(DormandPrince54{}, opens, state,
          {.step = 0.1, .until = 1.0, .tolerance = 1e-6, .shortest_step = 1e-3});
    FAIL("the run must fail");
  } catch (const IntegrationFailure& failure) {
    CHECK(state.time > 0.5 - 5e-3);
    CHECK_THROWS_AS(std::rethrow_if_nested(failure), ContactOpened);
  }
}

/// A pendulum that says it is none below the middle, where its equations go on.
struct Stopped : Pendulum {
  void require_valid(const State& at) const {
    if (at.q < 0) throw ContactOpened("the pendulum is below the middle", at.time);
  }
};

TEST_CASE("a step that ends where the model does not hold is not taken", "[drive]") {
  const Stopped problem{{.harmonic = true}};
  const double quarter = std::acos(0.0);
  for (const double tolerance : {0.0, 1e-6}) {
    Pendulum::State state{.q = 1};
    std::vector<double> seen;
    const auto watch = [&](const Stopped&, const Pendulum::State& at) { seen.push_back(at.q); };
    try {
      drive(DormandPrince54{}, problem, state, {.step = 0.1, .until = 2.0, .tolerance = tolerance}, watch);
      FAIL("the run must fail");
    } catch (const IntegrationFailureWith<Pendulum::State>& failure) {
      CAPTURE(tolerance);
      CHECK(failure.last() == state);
      CHECK_THROWS_AS(std::rethrow_if_nested(failure), ContactOpened);
    }
    CHECK(state.q == seen.back());
    CHECK(state.q >= 0);
    CHECK(state.time == Approx(tolerance > 0 ? quarter : 1.5).epsilon(1e-4));
  }
}

/// A pendulum whose constraints are said to be violated by some function of time.
struct Drifting : Pendulum {
  double position = 0, velocity = 0;  // per second
  double nan_at = std::numeric_limits<double>::infinity();
  mutable long looks = 0;
  Violation<double> constraint(const State& at) const {
    ++looks;
    if (at.time >= nan_at) return {at.time, std::numeric_limits<double>::quiet_NaN()};
    return {position * at.time, velocity * at.time};
  }
};

TEST_CASE("a run reports its largest violation of the constraints, and looks for it seldom", "[drive]") {
  const Drifting problem{{}, 1e-3, 2e-3};
  Pendulum::State state{.time = 1, .q = 1};
  const auto report = drive(RungeKutta4{}, problem, state, {.step = 0.001, .until = 2.999});
  CHECK(report.steps == 1999);
  CHECK(report.violation.position == Approx(2.999e-3));
  CHECK(report.violation.velocity == Approx(5.998e-3));
  CHECK(problem.looks < 300);
  const Drifting receding{{}, -1e-3, 0};
  state = {.time = -2, .q = 1};
  CHECK(drive(RungeKutta4{}, receding, state, {.step = 0.1, .until = -1.0}).violation.position == 2e-3);
}

TEST_CASE("a violation that is not a number is reported as such", "[drive]") {
  const Drifting problem{{}, 1e-3, 2e-3, 0.5};
  Pendulum::State state{.q = 1};
  const auto report = drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1.0});
  CHECK(report.violation.position == 1);
  CHECK(std::isnan(report.violation.velocity));
}

TEST_CASE("a run ends where its constraints are violated by more than allowed", "[drive]") {
  const Drifting problem{{}, 1e-3, 2e-3};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto ends_at = [&](const Violation<double>& most, double tolerance, const std::string& rows) {
    Pendulum::State state{.q = 1};
    try {
      drive(
          DormandPrince54{}, problem, state,
          {.step = 0.01, .until = 10.0, .tolerance = tolerance, .longest_step = 0.01, .max_violation = most});
    } catch (const IntegrationFailure& failure) {
      CHECK(failure.time() == state.time);
      CHECK_THAT(failure.what(), ContainsSubstring(rows));
      CHECK_THROWS_AS(std::rethrow_if_nested(failure), ConstraintsViolated);
    }
    return state.time;
  };
  for (const double tolerance : {0.0, 1e-3}) {
    CHECK(ends_at({5.005e-3, infinity}, tolerance, "position") == Approx(5.0).epsilon(1e-9));
    CHECK(ends_at({infinity, 5.005e-3}, tolerance, "velocity") == Approx(2.5).epsilon(1e-9));
    CHECK(ends_at({1, 1}, tolerance, "") == 10);
  }
  Pendulum::State state{.q = 1};
  const Drifting lost{{}, 0, 0, 0.55};
  CHECK_THROWS_AS(
      drive(RungeKutta4{}, lost, state, {.step = 0.1, .until = 1.0, .max_violation = {infinity, 1.0}}),
      IntegrationFailure);
  CHECK(state.time == Approx(0.5));
}

TEST_CASE("a time of the state that is not finite is called that", "[drive]") {
  const Pendulum problem;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    Pendulum::State state{.time = bad};
    const DriveOptions<Pendulum> options{.step = 0.1, .until = 2};
    CHECK_THROWS_AS(drive(RungeKutta4{}, problem, state, options), std::invalid_argument);
    CHECK_THROWS_WITH(drive(RungeKutta4{}, problem, state, options),
                      ContainsSubstring("time of the state = "));
  }
}

/// A pendulum with a shadow, on which the energy does not depend and which a step may leave out.
struct Shadowed : Pendulum {
  struct State : Pendulum::State {
    double shadow = 0;
    bool is_finite() const { return std::isfinite(v); }
    bool is_finite_throughout() const { return is_finite() && std::isfinite(q) && std::isfinite(shadow); }
  };
  void retract(const State& at, const Increment& u, State& out) const { Pendulum::retract(at, u, out); }
};

/// A free particle: its energy does not depend on where it is.
struct Free : Pendulum {
  struct Increment : Pendulum::Increment {
    static constexpr int dimension = 2;
    Vec<double, 2> coordinates() const { return {q, v}; }
    void set_coordinates(const Vec<double, 2>& x) { q = x[0], v = x[1]; }
  };
  Increment make_increment() const { return {}; }
  double energy(const State& at) const { return kinetic_energy(at); }
  Increment difference(const State& from, const State& to) const {
    return {{to.q - from.q, to.v - from.v, to.time - from.time}};
  }
};
static_assert(CoordinateProblem<Free> && Problem<Shadowed>);

template <class P>
void check_start(const P& problem, typename P::State state) {
  const auto seen = [](const P&, const typename P::State&) { FAIL("nothing must be shown"); };
  try {
    drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1}, seen);
    FAIL("the run must not begin");
  } catch (const IntegrationFailure& failure) {
    CHECK_THAT(failure.what(), ContainsSubstring("the state at the start is not finite"));
  }
}

TEST_CASE("a run does not begin in a state of which any number is not finite", "[drive]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  check_start(Shadowed{}, {{.q = nan}});
  check_start(Shadowed{}, {{.q = 1}, nan});
  check_start(Free{}, {.q = nan});
  Shadowed::State good{{.q = 1}, 2};
  CHECK_NOTHROW(drive(RungeKutta4{}, Shadowed{}, good, {.step = 0.1, .until = 1}));
}

TEST_CASE("limits that break their rule are refused, by name", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.time = 1};
  const auto refuses = [&](const DriveOptions<Pendulum>& options, const std::string& what) {
    CHECK_THROWS_AS(drive(DormandPrince54{}, problem, state, options), std::invalid_argument);
    CHECK_THROWS_WITH(drive(DormandPrince54{}, problem, state, options), ContainsSubstring(what));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refuses({.step = 0.1, .until = 2, .tolerance = 1e-6, .shortest_step = -1}, "shortest_step = -1");
  refuses({.step = 0.1, .until = 2, .tolerance = 1e-6, .shortest_step = nan}, "shortest_step = nan");
  refuses({.step = 0.1, .until = 2, .tolerance = 1e-6, .shortest_step = 0.2}, "shortest_step = 0.2");
  refuses({.step = 0.1, .until = 2, .max_violation = {.position = 1e-6}}, "max_violation.velocity = 0");
  refuses({.step = 0.1, .until = 2, .max_violation = {nan, 1}}, "max_violation.position = nan");
}

}  // namespace drive_limits_test
