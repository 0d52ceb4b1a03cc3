#include <dalembert/integrate/drive.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include <dalembert/integrate/explicit_rk.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace drive_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using test::Pendulum;

struct Times {
  std::vector<double> seen;
  void operator()(const Pendulum&, const Pendulum::State& state) { seen.push_back(state.time); }
};

TEST_CASE("a run ends at its end, by the exact solution", "[drive]") {
  const Pendulum problem{.stiffness = 4, .harmonic = true};
  Pendulum::State state{.q = 1};
  const auto report = drive(RungeKutta4{}, problem, state, {.step = 0.001, .until = 1.2345});
  REQUIRE(state.time == 1.2345);
  REQUIRE(report.steps == 1235);
  REQUIRE(state.q == Approx(std::cos(2 * 1.2345)).epsilon(1e-11));
  REQUIRE(state.v == Approx(-2 * std::sin(2 * 1.2345)).epsilon(1e-11));
}

TEST_CASE("observers are called at the start, at each output time and at the end, in turn", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.time = 1, .q = 0.1};
  Times times;
  std::vector<bool> converged;
  drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 2.0, .output_interval = 0.25}, times,
        [&](const Pendulum&, const Pendulum::State& at, const StepReport<double>& step) {
          REQUIRE(at.time == times.seen.back());
          converged.push_back(step.converged);
        });
  REQUIRE(times.seen == std::vector<double>{1.0, 1.25, 1.5, 1.75, 2.0});
  REQUIRE(converged.size() == 5);
}

TEST_CASE("without an output interval observers see every step", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.q = 0.1};
  Times times;
  drive(RungeKutta4{}, problem, state, {.step = 0.25, .until = 0.9}, times);
  REQUIRE(times.seen == std::vector<double>{0.0, 0.25, 0.5, 0.75, 0.9});
}

TEST_CASE("a run of no length observes once and takes no step", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.time = 3};
  Times times;
  const auto report = drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 3.0}, times);
  REQUIRE(report.steps == 0);
  REQUIRE(times.seen == std::vector<double>{3.0});
}

TEST_CASE("options that break their rule are refused, by name", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.time = 1};
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto refuses = [&](const DriveOptions<Pendulum>& options, const std::string& what) {
    CHECK_THROWS_AS(drive(DormandPrince54{}, problem, state, options), std::invalid_argument);
    CHECK_THROWS_WITH(drive(DormandPrince54{}, problem, state, options), ContainsSubstring(what));
    CHECK(state == Pendulum::State{.time = 1});
  };
  refuses({.step = 0, .until = 2}, "step = 0");
  refuses({.step = -0.1, .until = 2}, "step = -0.1");
  refuses({.step = nan, .until = 2}, "step = nan");
  refuses({.step = infinity, .until = 2}, "step = inf");
  refuses({.step = 1e-20, .until = 2}, "must not vanish");
  refuses({.step = 0.1, .until = 0.5}, "until = 0.5");
  refuses({.step = 0.1, .until = nan}, "until = nan");
  refuses({.step = 0.1, .until = infinity}, "until = inf");
  refuses({.step = 0.1, .until = 2, .output_interval = -1}, "output_interval = -1");
  refuses({.step = 0.1, .until = 2, .output_interval = nan}, "output_interval = nan");
  refuses({.step = 0.1, .until = 2, .output_interval = infinity}, "output_interval = inf");
  refuses({.step = 0.1, .until = 2, .output_interval = 1e-20}, "must not vanish");
  refuses({.step = 0.1, .until = 2, .tolerance = -1}, "tolerance = -1");
  refuses({.step = 0.1, .until = 2, .relative_tolerance = -1}, "relative_tolerance = -1");
  refuses({.step = 0.1, .until = 2, .relative_tolerance = nan}, "relative_tolerance = nan");
  refuses({.step = 0.1, .until = 2, .longest_step = 0}, "longest_step = 0");
  refuses({.step = 0.1, .until = 2, .events = {{.name = "empty", .value = {}}}}, "event = empty");
  const auto value = [](const Pendulum&, const Pendulum::State& x) { return x.q; };
  for (const auto& [tolerance, said] : {std::pair{-1.0, "event.tolerance = -1"},
                                        {nan, "event.tolerance = nan"},
                                        {infinity, "event.tolerance = inf"}})
    refuses({.step = 0.1, .until = 2, .events = {{.name = "zero", .value = value, .tolerance = tolerance}}},
            said);
}

TEST_CASE("a tolerance needs a method with an error estimate", "[drive]") {
  const Pendulum problem;
  Pendulum::State state;
  const DriveOptions<Pendulum> options{.step = 0.1, .until = 1, .tolerance = 1e-6};
  REQUIRE_THROWS_WITH(
      drive(RungeKutta4{}, problem, state, options),
      ContainsSubstring("tolerance = 1e-06") && ContainsSubstring("does not estimate its error"));
  const DriveOptions<Pendulum> relative{.step = 0.1, .until = 1, .relative_tolerance = 1e-6};
  REQUIRE_THROWS_WITH(drive(RungeKutta4{}, problem, state, relative),
                      ContainsSubstring("does not estimate its error"));
}

/// A method that estimates its error, but does not tell how far a step goes.
struct WithoutDisplacement {
  static constexpr int order = DormandPrince54::order, error_order = DormandPrince54::error_order;
  static constexpr bool symmetric = false;
  struct Stepper {
    decltype(DormandPrince54{}.stepper(Pendulum{}, Pendulum::State{})) inner;
    StepReport<double> step(const Pendulum& problem, Pendulum::State& state, double h) {
      return inner.step(problem, state, h);
    }
    void reset() { inner.reset(); }
  };
  Stepper stepper(const Pendulum& problem, const Pendulum::State& state) const {
    return {DormandPrince54{}.stepper(problem, state)};
  }
};

TEST_CASE("a relative tolerance needs a method that tells how far a step goes", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1};
  for (const double absolute : {0.0, 0.125}) {
    const DriveOptions<Pendulum> options{
        .step = 0.1, .until = 1, .tolerance = absolute, .relative_tolerance = 0.125};
    CHECK_THROWS_AS(drive(WithoutDisplacement{}, problem, state, options), std::invalid_argument);
    CHECK_THROWS_WITH(
        drive(WithoutDisplacement{}, problem, state, options),
        ContainsSubstring("relative_tolerance = 0.125") && ContainsSubstring("absolute tolerance alone"));
    CHECK(state == Pendulum::State{.q = 1});
  }
  CHECK_NOTHROW(drive(WithoutDisplacement{}, problem, state, {.step = 0.1, .until = 1, .tolerance = 1e-6}));
  CHECK(state.time == 1);
}

TEST_CASE("a failed run throws with the last good state and the cause inside", "[drive]") {
  const Pendulum problem{.throws_from = 0.55};
  Pendulum::State state{.q = 1};
  Times times;
  try {
    drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1.0}, times);
    FAIL("the run must fail");
  } catch (const IntegrationFailureWith<Pendulum::State>& failure) {
    CHECK(failure.last().time == Approx(0.5));
    CHECK(failure.last() == state);
    CHECK(times.seen.back() == state.time);
    CHECK_THAT(failure.what(), ContainsSubstring("the test's contact opened"));
    CHECK_THROWS_AS(std::rethrow_if_nested(failure), ContactOpened);
  }
}

TEST_CASE("a state that is not finite is a failure, and never handed out", "[drive]") {
  const Pendulum problem{.nan_from = 0.55};
  Pendulum::State state{.q = 1};
  Times times;
  REQUIRE_THROWS_AS(drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1.0}, times),
                    IntegrationFailure);
  REQUIRE(state.time == Approx(0.5));
  REQUIRE(std::isfinite(state.q));
  REQUIRE(times.seen.size() == 6);

  Pendulum::State broken{.q = std::numeric_limits<double>::quiet_NaN()};
  REQUIRE_THROWS_AS(drive(RungeKutta4{}, problem, broken, {.step = 0.1, .until = 1.0}), IntegrationFailure);
}

TEST_CASE("what an observer throws passes through", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.q = 1};
  const auto full_disk = [](const Pendulum&, const Pendulum::State& at) {
    if (at.time > 0.25) throw std::runtime_error("disk full");
  };
  REQUIRE_THROWS_WITH(drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1.0}, full_disk),
                      "disk full");
}

TEST_CASE("adapted steps keep the error near the tolerance, and hit output times", "[drive]") {
  const Pendulum problem{.stiffness = 4, .harmonic = true};
  double last_error = 1;
  long last_steps = 0;
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    Pendulum::State state{.q = 1};
    Times times;
    const auto report =
        drive(DormandPrince54{}, problem, state,
              {.step = 1.0, .until = 10.0, .output_interval = 2.5, .tolerance = tolerance}, times);
    const double error = std::hypot(state.q - std::cos(20.0), state.v + 2 * std::sin(20.0));
    CAPTURE(tolerance, error, report.steps, report.rejected);
    CHECK(error < 200 * tolerance);
    CHECK(error < last_error);
    CHECK(report.steps > last_steps);
    CHECK(times.seen == std::vector<double>{0.0, 2.5, 5.0, 7.5, 10.0});
    last_error = error;
    last_steps = report.steps;
  }
  CHECK(last_steps < 2000);
}

/// Output times and the largest error of q = cos 2t there.
struct Watch {
  std::vector<double> seen;
  double error = 0;
  void operator()(const Pendulum&, const Pendulum::State& at) {
    seen.push_back(at.time);
    error = std::max(error, std::abs(at.q - std::cos(2 * at.time)));
  }
};

template <class M>
void check_dense_outputs(double tolerance) {
  const Pendulum problem{.stiffness = 4, .harmonic = true};
  DriveOptions<Pendulum> options{.step = 0.1, .until = 10.0, .tolerance = tolerance};
  Pendulum::State first{.q = 1};
  Watch every;
  const long steps = drive(M{}, problem, first, options, every).steps;
  CHECK(every.seen.size() == static_cast<std::size_t>(steps) + 1);
  for (const double interval : {0.01, 0.3, 2.5, 20.0}) {
    CAPTURE(M::order, tolerance, interval);
    options.output_interval = interval;
    Pendulum::State state{.q = 1};
    Watch watch;
    CHECK(drive(M{}, problem, state, options, watch).steps == steps);
    CHECK(state == first);
    const auto outputs = static_cast<std::size_t>(std::ceil(10.0 / interval - 1e-6));
    REQUIRE(watch.seen.size() == outputs + 1);
    for (std::size_t k = 0; k < outputs; ++k) REQUIRE(watch.seen[k] == static_cast<double>(k) * interval);
    CHECK(watch.seen.back() == 10.0);
    CHECK(watch.error < 2 * every.error);
  }
}

TEST_CASE("with dense output the steps do not depend on the outputs, which are as exact as the steps",
          "[drive][dense]") {
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    check_dense_outputs<DormandPrince54>(tolerance);
    check_dense_outputs<DormandPrince853>(tolerance);
  }
}

TEST_CASE("outputs near the end are shown, interpolated or stepped to", "[drive][dense]") {
  const Pendulum problem{.stiffness = 4, .harmonic = true};
  for (const bool dense : {true, false})
    for (const double rest : {1e-5, 1e-3, 1e-2}) {
      CAPTURE(dense, rest);
      Pendulum::State state{.q = 1};
      Times times;
      drive(DormandPrince853{}, problem, state,
            {.step = 0.1, .until = 10 + rest, .output_interval = 2.5, .tolerance = 1e-5, .dense = dense},
            times);
      CHECK(times.seen == std::vector<double>{0.0, 2.5, 5.0, 7.5, 10.0, 10 + rest});
    }
}

/// The lengths of the steps of a run, by the times at which its only evaluation of the rates in a step begins.
struct Euler {
  static constexpr int order = 1;
  static constexpr bool symmetric = false;
  std::vector<double>* lengths;
  struct Stepper {
    std::vector<double>* lengths;
    StepReport<double> step(const Pendulum& problem, Pendulum::State& state, double h) {
      Pendulum::Rates rates;
      problem.rates(state, rates);
      lengths->push_back(h);
      state = {state.time + h, state.q + h * state.v, state.v + h * rates.a};
      return {};
    }
    void reset() {}
  };
  Stepper stepper(const Pendulum&, const Pendulum::State&) const { return {lengths}; }
};

TEST_CASE("steps are equal, whatever outputs, checks and events there are, and the report tells their length",
          "[drive]") {
  const Pendulum problem{.drive = 0.3};
  for (const double interval : {0.0, 0.25, 0.04, 0.1}) {
    CAPTURE(interval);
    const double expected = interval == 0.25 ? 0.25 / 3 : interval == 0.04 ? 0.04 : 0.1;
    const auto run = [&](bool watched) {
      std::vector<double> lengths;
      Pendulum::State state{.q = 1};
      DriveOptions<Pendulum> options{.step = 0.1, .until = 3.0, .output_interval = interval};
      if (watched) {
        options.events = {
            {.name = "clock",
             .value = [](const Pendulum&, const Pendulum::State& at) { return at.time - 0.777; },
             .tolerance = 0.1}};
        options.checks = {[](const Pendulum&, const Pendulum::State&) {}};
        options.check_every = 3;
      }
      const auto report = drive(Euler{&lengths}, problem, state, options);
      CHECK(report.step == Approx(expected).epsilon(1e-14));
      CHECK(report.steps == std::lround(3 / expected));
      return std::pair(lengths, state);
    };
    const auto [lengths, state] = run(false);
    for (const double h : lengths) CHECK(h == Approx(expected).epsilon(1e-13));
    CHECK(run(true).second == state);
  }
  std::vector<double> lengths;
  Pendulum::State state{.q = 1};
  const auto stopped =
      drive(Euler{&lengths}, problem, state,
            {.step = 0.1,
             .until = 3.0,
             .output_interval = 0.25,
             .events = {{.name = "clock",
                         .value = [](const Pendulum&, const Pendulum::State& at) { return at.time - 0.777; },
                         .terminal = true}}});
  CHECK(state.time == Approx(0.777));
  CHECK(stopped.steps == 10);
  lengths.clear();
  // Taken up with the origin, only the step to the grid is shorter.
  drive(Euler{&lengths}, problem, state, {.step = 0.1, .until = 3.0, .output_interval = 0.25, .origin = 0.0});
  CHECK(lengths.front() == Approx(10 * 0.25 / 3 - 0.777));
  for (std::size_t i = 1; i < lengths.size(); ++i) CHECK(lengths[i] == Approx(0.25 / 3).epsilon(1e-13));
}

template <class M>
void check_goes_on(const M& method) {
  const Pendulum problem{.drive = 0.3};
  for (const double start : {0.0, -0.35, 20.1}) {
    const DriveOptions<Pendulum> options{
        .step = 0.017, .until = start + 2.03, .output_interval = 0.1, .origin = start};
    const auto run = [&](Pendulum::State& state, double until) {
      std::vector<Pendulum::State> seen;
      auto mine = options;
      mine.until = until;
      drive(method, problem, state, mine,
            [&](const Pendulum&, const Pendulum::State& at) { seen.push_back(at); });
      return seen;
    };
    Pendulum::State whole{.time = start, .q = 1};
    const auto all = run(whole, options.until);
    REQUIRE(all.size() == 22);
    for (int k = 1; k < 20; ++k) {
      CAPTURE(M::order, start, k);
      Pendulum::State halves{.time = start, .q = 1};
      run(halves, start + k / 10.0);
      CHECK(halves.time == start + k / 10.0);
      const auto rest = run(halves, options.until);
      CHECK(rest == std::vector(all.begin() + k, all.end()));
      CHECK(halves == whole);
    }
  }
}

TEST_CASE("a run that was stopped at an output goes on from its origin bit for bit", "[drive]") {
  std::vector<double> lengths;
  check_goes_on(Euler{&lengths});
  check_goes_on(RungeKutta4{});
  check_goes_on(DormandPrince54{});
}

TEST_CASE("interpolated outputs begin at the start, also before time 0, and rounding adds none at the end",
          "[drive][dense]") {
  const Pendulum problem{.stiffness = 4, .harmonic = true};
  Pendulum::State state{.time = -1, .q = 1};
  Times times;
  drive(DormandPrince853{}, problem, state,
        {.step = 0.1, .until = 1.0, .output_interval = 0.25, .tolerance = 1e-6}, times);
  CHECK(times.seen == std::vector<double>{-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1});
  for (const int tenths : {1, 3, 7}) {
    for (const int n : {1, 3, 6, 7, 9, 11, 12, 23}) {
      CAPTURE(tenths, n);
      state = {.q = 1};
      times = {};
      drive(DormandPrince853{}, problem, state,
            {.step = 0.1, .until = n * tenths / 10.0, .output_interval = tenths / 10.0, .tolerance = 1e-4},
            times);
      CHECK(times.seen.size() == static_cast<std::size_t>(n) + 1);
    }
  }
}

TEST_CASE("a terminal event at an output time is shown once", "[drive][dense]") {
  const Pendulum problem;
  const auto clock = [](const Pendulum&, const Pendulum::State& at) { return at.time - 0.5; };
  for (const double tolerance : {0.0, 0.1}) {  // equal steps, and one step with outputs within
    CAPTURE(tolerance);
    Pendulum::State state{.q = 0.1};
    Times times;
    const auto report = drive(DormandPrince54{}, problem, state,
                              {.step = 1.0,
                               .until = 4.0,
                               .output_interval = 0.25,
                               .tolerance = tolerance,
                               .events = {{.name = "clock", .value = clock, .terminal = true}}},
                              times);
    CHECK(report.steps == (tolerance > 0 ? 1 : 2));
    CHECK(report.stopped_by == 0u);
    CHECK(times.seen == std::vector<double>{0, 0.25, 0.5});
    CHECK(state.time == 0.5);
  }
}

TEST_CASE("without dense output observers see only states that were stepped to", "[drive][dense]") {
  const Pendulum problem{.stiffness = 4, .harmonic = true};
  DriveOptions<Pendulum> options{
      .step = 0.1, .until = 10.0, .output_interval = 0.05, .tolerance = 1e-6, .dense = false};
  Pendulum::State state{.q = 1}, last{.q = 1};
  const auto follow = [&](const Pendulum&, const Pendulum::State& at) {
    if (at.time > 0) {
      auto stepper = DormandPrince853{}.stepper(problem, last);
      (void)stepper.step(problem, last, at.time - last.time);
      CHECK(last.q == Approx(at.q).margin(1e-14));
    }
    last = at;
  };
  CHECK(drive(DormandPrince853{}, problem, state, options, follow).steps == 200);
  options.dense = true;
  state = {.q = 1};
  CHECK(drive(DormandPrince853{}, problem, state, options).steps < 50);
}

TEST_CASE("steps of equal length end at output times, whatever `dense` says", "[drive][dense]") {
  const Pendulum problem{.drive = 0.2};
  Pendulum::State one{.q = 1}, other{.q = 1};
  Watch with, without;
  CHECK(
      drive(RungeKutta4{}, problem, one, {.step = 0.1, .until = 2.0, .output_interval = 0.25}, with).steps ==
      24);
  drive(RungeKutta4{}, problem, other, {.step = 0.1, .until = 2.0, .output_interval = 0.25, .dense = false},
        without);
  CHECK(one == other);
  CHECK(with.error == without.error);
}

TEST_CASE("interpolated outputs, events and the end come in order of time", "[drive][dense]") {
  const Pendulum problem{.stiffness = 4, .harmonic = true};
  Pendulum::State state{.q = 1};
  Watch watch;
  const auto act = [&](const Pendulum&, const Pendulum::State& at) { watch.seen.push_back(at.time); };
  const auto level = [](double q) {
    return [q](const Pendulum&, const Pendulum::State& at) { return at.q - q; };
  };
  drive(DormandPrince853{}, problem, state,
        {.step = 0.5,
         .until = 10.0,
         .output_interval = 0.1,
         .tolerance = 1e-4,
         .events = {{.name = "stop", .value = level(-0.5), .terminal = true},
                    {.name = "half", .value = level(0.5), .action = act},
                    {.name = "zero", .value = level(0), .action = act}}},
        watch);
  const double third = std::acos(-1.0) / 3;
  CHECK(state.time == Approx(third).epsilon(1e-4));
  const std::vector<double> expected = {0,   0.1, 0.2,          0.3, 0.4, 0.5, third / 2,
                                        0.6, 0.7, third * 0.75, 0.8, 0.9, 1.0, third};
  REQUIRE(watch.seen.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(watch.seen[i] == Approx(expected[i]).epsilon(1e-4));
  CHECK(watch.seen.back() == state.time);
}

TEST_CASE("a step that failed has shown nothing, the ones before it everything", "[drive][dense]") {
  const Pendulum problem{.throws_from = 5.0};
  Pendulum::State state{.q = 1};
  Times times;
  CHECK_THROWS_AS(drive(DormandPrince853{}, problem, state,
                        {.step = 0.5, .until = 10.0, .output_interval = 0.1, .tolerance = 1e-6}, times),
                  IntegrationFailure);
  CHECK(times.seen.back() <= state.time);
  CHECK(times.seen.back() > state.time - 0.1);
  CHECK(state.time > 4.9);
}

TEST_CASE("a long first step is rejected, and counted", "[drive]") {
  const Pendulum problem{.stiffness = 100, .harmonic = true};
  Pendulum::State state{.q = 1};
  const auto report =
      drive(DormandPrince54{}, problem, state, {.step = 5.0, .until = 10.0, .tolerance = 1e-9});
  REQUIRE(report.rejected > 0);
  REQUIRE(state.q == Approx(std::cos(100.0)).margin(1e-5));
}

TEST_CASE("the longest step bounds adapted ones", "[drive]") {
  const Pendulum problem{.stiffness = 1e-6, .harmonic = true};
  Pendulum::State state{.q = 1};
  const auto report = drive(DormandPrince54{}, problem, state,
                            {.step = 0.01, .until = 10.0, .tolerance = 1e-3, .longest_step = 0.5});
  REQUIRE(report.steps >= 20);
}

TEST_CASE("an adapted run that cannot go on says why", "[drive]") {
  const Pendulum opens{.throws_from = 0.5};
  Pendulum::State state{.q = 1};
  try {
    drive(DormandPrince54{}, opens, state, {.step = 0.1, .until = 1.0, .tolerance = 1e-6});
    FAIL("the run must fail");
  } catch (const IntegrationFailure& failure) {
    CHECK(state.time < 0.5);
    CHECK(state.time > 0.5 - 1e-10);
    CHECK_THROWS_AS(std::rethrow_if_nested(failure), ContactOpened);
  }
  const Pendulum breaks{.nan_from = 0.5};
  state = {.q = 1};
  REQUIRE_THROWS_WITH(drive(DormandPrince54{}, breaks, state, {.step = 0.1, .until = 1.0, .tolerance = 1e-6}),
                      ContainsSubstring("too short"));
}

TEST_CASE("a start that is not finite is told as such", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.q = std::nan("")};
  CHECK_THROWS_WITH(drive(RungeKutta4{}, problem, state, {.step = 0.1, .until = 1.0}),
                    ContainsSubstring("the state at the start is not finite"));
}

TEST_CASE("progress is told, at the latest at the end", "[drive]") {
  const Pendulum problem;
  Pendulum::State state{.time = 5, .q = 1};
  std::vector<Progress> told;
  drive(RungeKutta4{}, problem, state,
        {.step = 0.2,
         .until = 7.0,
         .progress = [&](const Progress& p) { told.push_back(p); },
         .progress_interval = 0});
  REQUIRE(told.size() == 11);
  REQUIRE(told.front().fraction == Approx(0.1));
  REQUIRE(told.front().wall_seconds_left >= 0);
  REQUIRE(told.back().fraction == 1.0);
  REQUIRE(told.back().time == 7.0);
  REQUIRE(told.back().wall_seconds_left == 0.0);
}

TEST_CASE("progress is told once an interval at most, and at the end", "[drive]") {
  const Pendulum problem;
  using Clock = std::chrono::steady_clock;
  const auto told = [&](double interval, auto&& observer) {
    Pendulum::State state{.q = 1};
    long count = 0;
    const auto count_it = [&](const Progress&) { ++count; };
    drive(RungeKutta4{}, problem, state,
          {.step = 0.001, .until = 1, .progress = count_it, .progress_interval = interval}, observer);
    return count;
  };
  const auto look_on = [](const Pendulum&, const Pendulum::State&) {};
  CHECK(told(1e9, look_on) == 1);
  // also once the first interval has gone by
  const auto begin = Clock::now();
  const auto wait = [&](const Pendulum&, const Pendulum::State&) {
    while (Clock::now() - begin < std::chrono::milliseconds(2)) {
    }
  };
  const long count = told(1e-3, wait);
  const double intervals = std::chrono::duration<double>(Clock::now() - begin).count() / 1e-3;
  CHECK(count >= 2);
  CHECK(static_cast<double>(count) <= intervals + 1);
}

}  // namespace drive_test
