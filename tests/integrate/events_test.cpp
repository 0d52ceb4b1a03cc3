#include <dalembert/integrate/events.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/symmetric.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace events_test {

using namespace dalembert;
using test::Pendulum;

const Pendulum oscillator{.stiffness = 1, .harmonic = true};  // q = cos t
constexpr double half_pi = 1.5707963267948966;

double position(const Pendulum&, const Pendulum::State& at) { return at.q; }

TEST_CASE("zeros are located as exactly as the method steps, and in order", "[events]") {
  Pendulum::State state{.q = 1};
  std::vector<double> heard;
  const auto report = drive(
      DormandPrince54{}, oscillator, state,
      {.step = 0.01,
       .until = 10.0,
       .events = {
           {.name = "speed", .value = [](const Pendulum&, const Pendulum::State& at) { return at.v - 1e-9; }},
           {.name = "middle", .value = position, .action = [&](const Pendulum&, const Pendulum::State& at) {
              heard.push_back(at.time);
            }}}});
  REQUIRE(heard.size() == 3);
  for (std::size_t i = 0; i < heard.size(); ++i) {
    REQUIRE(heard[i] == Approx((2.0 * static_cast<double>(i) + 1.0) * half_pi).epsilon(1e-11));
  }
  REQUIRE(report.hits.size() == 6);
  for (std::size_t i = 1; i < report.hits.size(); ++i)
    REQUIRE(report.hits[i - 1].state.time < report.hits[i].state.time);
  REQUIRE(report.hits.front().event == 1);
  REQUIRE_FALSE(report.stopped_by);
}

TEST_CASE("events do not disturb the run", "[events]") {
  Pendulum::State watched{.q = 1}, alone{.q = 1};
  drive(DormandPrince54{}, oscillator, watched,
        {.step = 0.01, .until = 10.0, .events = {{.name = "middle", .value = position}}});
  drive(DormandPrince54{}, oscillator, alone, {.step = 0.01, .until = 10.0});
  REQUIRE(watched == alone);
}

TEST_CASE("a terminal event ends the run at the zero", "[events]") {
  Pendulum::State state{.q = 1};
  std::vector<double> times;
  const auto report = drive(RungeKutta4{}, oscillator, state,
                            {.step = 0.01,
                             .until = 10.0,
                             .output_interval = 1.0,
                             .events = {{.name = "middle", .value = position, .terminal = true}}},
                            [&](const Pendulum&, const Pendulum::State& at) { times.push_back(at.time); });
  REQUIRE(report.stopped_by == 0u);
  REQUIRE(state.time == Approx(half_pi).epsilon(1e-9));
  REQUIRE(state.q <= 0);
  REQUIRE(std::abs(state.q) < 1e-14);
  REQUIRE(times.size() == 3);
  REQUIRE(times.back() == state.time);
}

TEST_CASE("of several events in one step those after the terminal one do not happen", "[events]") {
  Pendulum::State state{.q = 1};
  int early = 0, late = 0;
  const auto below = [](double level) {
    return [level](const Pendulum&, const Pendulum::State& at) { return at.q - level; };
  };
  const auto report = drive(
      RungeKutta4{}, oscillator, state,
      {.step = 1.0,
       .until = 10.0,
       .events = {
           {.name = "late", .value = below(0.6), .action = [&](const auto&, const auto&) { ++late; }},
           {.name = "end", .value = below(0.7), .terminal = true},
           {.name = "early", .value = below(0.8), .action = [&](const auto&, const auto&) { ++early; }}}});
  REQUIRE(report.stopped_by == 1u);
  REQUIRE(early == 1);
  REQUIRE(late == 0);
  REQUIRE(report.hits.size() == 2);
  REQUIRE(state.q == Approx(0.7).epsilon(1e-12));
}

TEST_CASE("observers see a state before the action of an event at the same time, however the run steps",
          "[events]") {
  const auto order = [](double tolerance, bool dense, bool terminal, double interval) {
    std::string heard;
    Pendulum::State state{.q = 1};
    const auto clock = [](const Pendulum&, const Pendulum::State& at) { return at.time - 0.5; };
    drive(DormandPrince54{}, oscillator, state,
          {.step = 0.25,
           .until = 1.0,
           .output_interval = interval,
           .tolerance = tolerance,
           .longest_step = 0.25,
           .dense = dense,
           .events = {{.name = "clock",
                       .value = clock,
                       .terminal = terminal,
                       .action = [&](const Pendulum&, const Pendulum::State&) { heard += 'a'; }}}},
          [&](const Pendulum&, const Pendulum::State& at) { heard += at.time == 0.5 ? 'O' : 'o'; });
    return heard;
  };
  for (const double tolerance : {0.0, 1e-2})
    for (const bool dense : {true, false}) {
      CAPTURE(tolerance, dense);
      CHECK(order(tolerance, dense, false, 0.25) == "ooOaoo");
      CHECK(order(tolerance, dense, false, 0.0) == "ooOaoo");
      CHECK(order(tolerance, dense, true, 0.25) == "ooOa");
      CHECK(order(tolerance, dense, true, 1.0) == "oOa");
    }
}

TEST_CASE("rising and falling zeros are told apart", "[events]") {
  for (const auto crossing : {SignChange::rising, SignChange::falling}) {
    Pendulum::State state{.q = 1};
    const auto report = drive(RungeKutta4{}, oscillator, state,
                              {.step = 0.01,
                               .until = 10.0,
                               .events = {{.name = "middle", .value = position, .crossing = crossing}}});
    REQUIRE(report.hits.size() == (crossing == SignChange::rising ? 1u : 2u));
    for (const auto& hit : report.hits) REQUIRE((hit.state.v > 0) == (crossing == SignChange::rising));
  }
}

TEST_CASE("a zero at the end of a step counts once, one at the start not at all", "[events]") {
  const auto clock = [](const Pendulum&, const Pendulum::State& at) { return at.time - 0.5; };
  Pendulum::State state{.q = 1};
  auto report = drive(RungeKutta4{}, oscillator, state,
                      {.step = 0.25, .until = 1.0, .events = {{.name = "clock", .value = clock}}});
  REQUIRE(report.hits.size() == 1);
  REQUIRE(report.hits.front().state.time == 0.5);
  const auto countdown = [](const Pendulum&, const Pendulum::State& at) { return 0.5 - at.time; };
  for (const auto crossing : {SignChange::any, SignChange::falling, SignChange::rising}) {
    state = {.q = 1};
    report = drive(RungeKutta4{}, oscillator, state,
                   {.step = 0.25,
                    .until = 1.0,
                    .events = {{.name = "countdown", .value = countdown, .crossing = crossing}}});
    REQUIRE(report.hits.size() == (crossing == SignChange::rising ? 0u : 1u));
    for (const auto& hit : report.hits) REQUIRE(hit.state.time == 0.5);
  }
  state = {.time = 0.5, .q = 1};
  report = drive(RungeKutta4{}, oscillator, state,
                 {.step = 0.25, .until = 1.0, .events = {{.name = "clock", .value = clock}}});
  REQUIRE(report.hits.empty());
}

TEST_CASE("a tolerance on the time makes the search shorter", "[events]") {
  const auto cost = [](double tolerance) {
    const Pendulum problem{.stiffness = 1, .harmonic = true};
    Pendulum::State state{.q = 1};
    drive(RungeKutta4{}, problem, state,
          {.step = 0.5,
           .until = 2.0,
           .events = {{.name = "middle", .value = position, .tolerance = tolerance}}});
    return problem.evaluations;
  };
  REQUIRE(cost(1e-2) < cost(0));
  REQUIRE(cost(0) < 100);
}

double above_level(const Pendulum&, const Pendulum::State& at) { return at.q - 0.6; }
const Pendulum::State on_the_way{.time = 0.5, .q = std::cos(0.5), .v = -std::sin(0.5)};

/// Where q crosses 0.6 in steps from `on_the_way` as the method itself takes them, by bisection.
template <class M>
double crossing_of_steps(double width) {
  double low = 0, high = width;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    auto state = on_the_way;
    auto stepper = M{}.stepper(oscillator, state);
    (void)stepper.step(oscillator, state, middle);
    (state.q > 0.6 ? low : high) = middle;
  }
  return on_the_way.time + high;
}

template <class M>
void check_located(double h, int most_steps) {
  CAPTURE(M::order, h);
  auto state = on_the_way;
  const long before = oscillator.evaluations;
  const auto report = drive(
      M{}, oscillator, state,
      {.step = h, .until = 0.5 + h, .events = {{.name = "level", .value = above_level, .terminal = true}}});
  const long cost = oscillator.evaluations - before;
  REQUIRE(report.stopped_by == 0u);
  CHECK(std::abs(state.time - crossing_of_steps<M>(h)) < 1e-12 * h);
  auto again = on_the_way;
  auto stepper = M{}.stepper(oscillator, again);
  (void)stepper.step(oscillator, again, state.time - on_the_way.time);
  CHECK(again.q == Approx(state.q).epsilon(1e-15));
  CHECK(again.v == Approx(state.v).epsilon(1e-15));
  CHECK(state.q <= 0.6);
  CHECK(std::abs(state.q - 0.6) < 1e-15);
  const int stages = M::order == 4 ? 4 : M::order == 5 ? 7 : 12;
  CHECK(cost <= (1 + most_steps) * stages + 4);
}

TEST_CASE("an event is located to 1e-12 of the step, in a state that the method steps to, in a few steps",
          "[events]") {
  for (const double h : {0.9, 0.6, 0.45}) {
    check_located<RungeKutta4>(h, 8);
    check_located<DormandPrince54>(h, 6);
    check_located<DormandPrince853>(h, 6);
  }
}

TEST_CASE("a guess from the interpolant saves steps, and a wrong one does no harm", "[events]") {
  auto end = on_the_way;
  auto stepper = DormandPrince853{}.stepper(oscillator, end);
  (void)stepper.step(oscillator, end, 0.9);
  const Event<Pendulum> event{.name = "level", .value = above_level};
  const double before = on_the_way.q - 0.6, after = end.q - 0.6;
  const auto guess = interpolated_crossing(event, oscillator, stepper, on_the_way, end, before, after);
  REQUIRE(guess.has_value());
  CHECK(on_the_way.time + *guess == Approx(std::acos(0.6)).epsilon(1e-6));
  const auto found = [&](std::optional<double> first) {
    const long evaluations = oscillator.evaluations;
    const auto state = locate(event, oscillator, stepper, on_the_way, end, before, after, first);
    return std::pair(state.time, (oscillator.evaluations - evaluations) / 12);
  };
  const auto [plain, plain_steps] = found({});
  const auto [quick, quick_steps] = found(guess);
  CHECK(quick == Approx(plain).epsilon(2e-15));
  CHECK(quick_steps < plain_steps - 2);
  for (const double wrong : {-1.0, 0.0, 1e-9, 0.01, 0.3, 0.899999, 0.9, 7.0})
    CHECK(found(wrong).first == Approx(plain).epsilon(2e-15));
}

/// An oscillator whose model ends at q = 0.999.
struct Limited : Pendulum {
  void rates(const State& at, Rates& out) const {
    if (at.q > 0.999) throw InvalidState("the model ends here", at.time);
    Pendulum::rates(at, out);
  }
};

/// The time less `zero`, which is no number from `from` to `to`.
Event<Pendulum> clock_with_gap(double zero, double from, double to) {
  return {.name = "clock", .value = [=](const Pendulum&, const Pendulum::State& at) {
            if (from <= at.time && at.time <= to) return std::numeric_limits<double>::quiet_NaN();
            return at.time - zero;
          }};
}

template <class M>
void check_gap(double zero, double from, double to, double expected, double tolerance = 0) {
  CAPTURE(M::order, zero, from, to, tolerance);
  Pendulum::State state{.q = 1};
  const auto report = drive(M{}, oscillator, state,
                            {.step = 0.125,
                             .until = 1.0,
                             .tolerance = tolerance,
                             .longest_step = 0.125,
                             .events = {clock_with_gap(zero, from, to)}});
  REQUIRE(report.hits.size() == 1);
  CHECK(report.hits.front().state.time == Approx(expected).margin(2e-7));
}

TEST_CASE("a crossing is found beside a node where the function is not a number", "[events]") {
  for (const double tolerance : {0.0, 1.0})
    for (const double zero : {0.26, 0.3, 0.374, 0.376, 0.4, 0.49})  // before and after the node at 0.375
      check_gap<DormandPrince54>(zero, 0.375, 0.375, zero, tolerance);
  check_gap<RungeKutta4>(0.4, 0.375, 0.375, 0.4);
  check_gap<RungeKutta4>(0.3, 0.375, 0.375, 0.3);
  // a gap over the middle of steps and over nodes, with the zero before, within and after it
  check_gap<RungeKutta4>(0.33, 0.34, 0.7, 0.33);
  check_gap<RungeKutta4>(0.33, 0.34, 2.0, 0.33);
  check_gap<RungeKutta4>(0.5, 0.34, 0.7, 0.7);
  check_gap<RungeKutta4>(0.71, 0.34, 0.7, 0.71);
  check_gap<RungeKutta4>(0.74, 0.34, 0.7, 0.74);
  // at the start
  check_gap<RungeKutta4>(0.1, 0.0, 0.0, 0.1);
}

TEST_CASE("a function that is not a number from the start, or at the end, makes no event", "[events]") {
  for (const auto& [from, to] : {std::pair{0.0, 0.6}, {0.4, 2.0}, {-1.0, 2.0}}) {
    CAPTURE(from, to);
    Pendulum::State state{.q = 1};
    const auto report = drive(RungeKutta4{}, oscillator, state,
                              {.step = 0.125, .until = 1.0, .events = {clock_with_gap(0.5, from, to)}});
    CHECK(report.hits.empty());
    CHECK(state.time == 1.0);
  }
}

/// What the function of an event throws.
struct Refused : InvalidState {
  using InvalidState::InvalidState;
};

template <class Error, class M>
void check_passes_through(const Error& error, double tolerance, double from) {
  CAPTURE(M::order, tolerance, from);
  Pendulum::State state{.q = 1};
  const auto value = [&](const Pendulum&, const Pendulum::State& at) {
    if (from < at.time && at.time < 0.74) throw error;  // between two nodes, or at one
    return at.time - 0.6;
  };
  CHECK_THROWS_AS(drive(M{}, oscillator, state,
                        {.step = 0.25,
                         .until = 1.0,
                         .tolerance = tolerance,
                         .longest_step = 0.25,
                         .events = {{.name = "refuses", .value = value}}}),
                  Error);
}

TEST_CASE("what the function of an event throws passes through, wherever it is asked for", "[events]") {
  for (const double from : {0.51, 0.49}) {
    check_passes_through<std::domain_error, RungeKutta4>(std::domain_error("log of 0"), 0, from);
    for (const double tolerance : {0.0, 1.0}) {
      check_passes_through<std::domain_error, DormandPrince853>(std::domain_error("log of 0"), tolerance,
                                                                from);
      check_passes_through<Refused, DormandPrince853>(Refused("no", 0), tolerance, from);
    }
    check_passes_through<Refused, RungeKutta4>(Refused("no", 0), 0, from);
  }
}

TEST_CASE("a step that fails in the search for an event is a failure of the run", "[events]") {
  // The model does not hold between two nodes, which a method of order 1 in time steps over.
  struct Hole : Pendulum {
    void rates(const State& at, Rates& out) const {
      if (0.55 < at.time && at.time < 0.65) throw InvalidState("a hole", at.time);
      Pendulum::rates(at, out);
    }
  };
  const Hole problem;
  Hole::State state{.q = 1};
  const Event<Hole> event{.name = "clock",
                          .value = [](const Hole&, const Hole::State& at) { return at.time - 0.6; }};
  try {
    drive(RungeKutta4{}, problem, state, {.step = 0.25, .until = 1.0, .events = {event}});
    FAIL("the search went through the hole");
  } catch (const IntegrationFailureWith<Hole::State>& failure) {
    CHECK(failure.last().time == 0.5);
    CHECK(state == failure.last());
  }
}

TEST_CASE("an event is found also where the interpolant needs more than the model's validity", "[events]") {
  // q = cos t reaches 1 at 0.777 of the step, where the interpolant of order 7 has a stage, and the step has none near.
  const Limited problem{{.stiffness = 1, .harmonic = true}};
  const double h = 0.9, begin = -0.777 * h;
  const Limited::State start{.time = begin, .q = std::cos(begin), .v = -std::sin(begin)};
  auto state = start;
  auto stepper = DormandPrince853{}.stepper(problem, state);
  REQUIRE(stepper.step(problem, state, h).converged);
  auto between = state;
  REQUIRE_THROWS_AS(stepper.interpolate(problem, 0.5, between), InvalidState);
  const Event<Limited> event{.name = "clock",
                             .value = [](const Limited&, const Limited::State& at) { return at.time + 0.4; }};
  CHECK_FALSE(interpolated_crossing(event, problem, stepper, start, state, begin + 0.4, state.time + 0.4));

  state = start;
  const auto report =
      drive(DormandPrince853{}, problem, state, {.step = h, .until = begin + h, .events = {event}});
  REQUIRE(report.hits.size() == 1);
  CHECK(report.hits.front().state.q == Approx(std::cos(0.4)).epsilon(1e-9));
}

TEST_CASE("events leave the run alone even between adapted steps with outputs", "[events]") {
  Pendulum::State watched{.q = 1}, alone{.q = 1};
  DriveOptions<Pendulum> options{.step = 0.1, .until = 20.0, .output_interval = 0.3, .tolerance = 1e-9};
  drive(DormandPrince853{}, oscillator, alone, options);
  options.events = {{.name = "middle", .value = position}};
  const auto report = drive(DormandPrince853{}, oscillator, watched, options);
  CHECK(watched == alone);
  CHECK(report.hits.size() == 6);
  for (std::size_t i = 0; i < report.hits.size(); ++i)
    CHECK(report.hits[i].state.time == Approx((2.0 * static_cast<double>(i) + 1.0) * half_pi).epsilon(1e-8));
}

TEST_CASE("events are found along adapted steps", "[events]") {
  Pendulum::State state{.q = 1};
  const auto report = drive(DormandPrince54{}, oscillator, state,
                            {.step = 0.1,
                             .until = 10.0,
                             .tolerance = 1e-10,
                             .events = {{.name = "middle", .value = position, .terminal = true}}});
  REQUIRE(report.stopped_by.has_value());
  REQUIRE(state.time == Approx(half_pi).epsilon(1e-9));
}

/// A method that says no more than it must: an order, and a stepper that keeps nothing and has no reset.
struct SymplecticEuler {
  static constexpr int order = 1;
  struct Stepper {
    StepReport<double> step(const Pendulum&, Pendulum::State& state, double h) {
      state.v -= h * std::sin(state.q);
      state.q += h * state.v;
      state.time += h;
      return {};
    }
  };
  Stepper stepper(const Pendulum&, const Pendulum::State&) const { return {}; }
};
static_assert(MethodFor<SymplecticEuler, Pendulum> && !SymmetricMethod<SymplecticEuler> &&
              SymmetricMethod<Composition<NonholonomicMcLachlanPerlmutter, 4>>);

TEST_CASE("a method of one's own needs no reset to locate events", "[events]") {
  Pendulum::State state{.q = 0.01};
  const auto report = drive(
      SymplecticEuler{}, oscillator, state,
      {.step = 1e-3, .until = 10.0, .events = {{.name = "middle", .value = position, .terminal = true}}});
  REQUIRE(report.stopped_by.has_value());
  CHECK(state.time == Approx(half_pi).epsilon(1e-3));
  CHECK(std::abs(state.q) < 1e-12);
}

}  // namespace events_test
