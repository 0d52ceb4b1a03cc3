// Strings in contact from the history of the contact.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/problem/concepts.hpp>
#include <dalembert/string/characteristic_solver.hpp>
#include <dalembert/string/exact.hpp>
#include <dalembert/string/waveguide.hpp>

#include "string/bumps.hpp"
#include "string/closed_forms.hpp"
#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace string_tape_test {

using namespace dalembert;
using strings::CharacteristicSolver;
using strings::Ends;
using strings::Pair;
using strings::Profile;
using test::bump;

static_assert(Flow<CharacteristicSolver<>>);

const double pi = std::acos(-1.0);

/// Strings and a contact with nothing special about them.
Pair<> general(Ends ends) {
  return {.c = 1.1, .F = 0.8, .G1 = 0.6, .G2 = -0.3, .length = 6, .s1 = 2.5, .s2 = 3.4, .ends = ends};
}

CharacteristicSolver<>::State run(const CharacteristicSolver<>& tape, CharacteristicSolver<>::State state,
                                  double until, int steps) {
  for (int i = 0; i < steps; ++i) tape.step(state, until / steps);
  return state;
}

TEST_CASE("the characteristic solver converges with order 4 on smooth data", "[string][characteristics]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    const CharacteristicSolver<> tape(general(ends));
    const auto start = tape.state(bump(4.6, 0.3, 0.2), bump(1.2, 0.2, 0.7));
    const double exact = run(tape, start, 7.3, 3200).s1();
    const double coarse = run(tape, start, 7.3, 400).s1() - exact,
                 fine = run(tape, start, 7.3, 800).s1() - exact;
    CHECK(std::abs(exact - 2.5) > 1e-3);
    CHECK(std::log2(std::abs(coarse / fine)) > 3.5);
    CHECK(std::abs(fine) < 1e-8);
  }
}

TEST_CASE("the characteristic solver keeps the energy of the waves to the order of its steps",
          "[string][characteristics]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    const CharacteristicSolver<> tape(general(ends));
    const auto start = tape.state(bump(4.6, 0.3, 0.2), bump(1.2, 0.2, 0.7));
    double energy = 0;
    const int cells = 20000;
    for (int i = 0; i < cells; ++i) {
      const double x = 6 * (i + 0.5) / cells, c = 1.1;
      for (const auto& u : {bump(4.6, 0.3, 0.2), bump(1.2, 0.2, 0.7)})
        energy += 6.0 / cells / 2 * (std::pow(u.velocity(x), 2) + c * c * std::pow(u.slope(x), 2));
    }
    CHECK(tape.energy(start) == Approx(energy).epsilon(1e-10));
    CHECK(tape.energy(run(tape, start, 17, 1600)) == Approx(energy).epsilon(1e-7));
    CHECK(tape.energy(run(tape, start, 17, 3200)) == Approx(energy).epsilon(1e-9));
  }
}

TEST_CASE("the characteristic solver meets the closed forms of contacts", "[string][characteristics]") {
  const auto check = [](const auto& solution) {
    const CharacteristicSolver<> tape(solution.parameters().pair);
    auto state = tape.state(solution.first(), solution.second());
    double worst = 0;
    for (int i = 0; i < 3000; ++i) {
      tape.step(state, 0.01);
      worst = std::max(worst, std::abs(state.s1() - solution.position(state.time)));
      worst = std::max(worst, std::abs(state.velocity() - solution.velocity(state.time)));
    }
    CHECK(worst < 1e-9);
  };
  check(test::travelling_wave());
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic})
    check(test::standing_wave(ends, 2, ends == Ends::periodic ? 1 : 2));
}

TEST_CASE(
    "the displacement that a characteristic solver recovers obeys the wave equation, the ends and the "
    "contact",
    "[string][characteristics]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    CAPTURE(static_cast<int>(ends));
    const auto pair = general(ends);
    const CharacteristicSolver<> tape(pair);
    const auto first = bump(4.6, 0.3, 0.2), second = bump(1.2, 0.2, 0.7);
    const auto start = tape.state(first, second);
    for (const double x : {0.0, 0.7, 2.4, 2.6, 4.2, 6.0}) {
      CHECK(tape.displacement(start, 0, x) == Approx(first.displacement(x)).margin(1e-13));
      CHECK(tape.displacement(start, 1, x) == Approx(second.displacement(x)).margin(1e-13));
    }
    const auto state = run(tape, start, 9, 3600);
    const double h = 1e-3, c = pair.c;
    for (const int string : {0, 1}) {
      const auto u = [&](double x, double t) { return tape.displacement(state, string, x, t); };
      for (const double t : {0.31, 3.7, 7.77}) {
        const double theta = state.theta(t),
                     s = string == 0 ? pair.s1 + pair.G1 * theta : pair.s2 + pair.G2 / pair.F * theta;
        for (const double x : {0.4, 1.9, s - 0.05, s + 0.05, 5.2}) {
          const auto waves = tape.waves(state, string, x, t);
          CHECK(std::abs((u(x, t + h) - u(x, t - h)) / (2 * h) - (waves.right + waves.left) / 2) < 2e-4);
          CHECK(std::abs((u(x + h, t) - u(x - h, t)) / (2 * h) - (waves.left - waves.right) / (2 * c)) <
                2e-4);
        }
        // continuous at the contact, where u_x and u_t jump
        const double tiny = 1e-9;
        CHECK(std::abs(u(s - tiny, t) - u(s + tiny, t)) < 1e-8);
        if (ends == Ends::fixed) {
          CHECK(std::abs(u(0, t)) < 1e-12);
          CHECK(std::abs(u(pair.length, t)) < 1e-12);
        } else if (ends == Ends::free) {
          const auto slope = [&](double x) {
            const auto waves = tape.waves(state, string, x, t);
            return (waves.left - waves.right) / (2 * c);
          };
          CHECK(std::abs(slope(0)) < 1e-12);
          CHECK(std::abs(slope(pair.length)) < 1e-12);
        } else {
          CHECK(std::abs(u(0, t) - u(pair.length, t)) < 1e-8);
          CHECK(std::abs(u(0.2, t) - u(0.2 - 2 * pair.length, t)) < 1e-12);
        }
      }
      const double s = string == 0 ? state.s1() : state.s2();
      const auto behind = tape.waves(state, string, s - 1e-9, state.time),
                 ahead = tape.waves(state, string, s + 1e-9, state.time);
      const double speed = string == 0 ? state.scattered().speed1 : state.scattered().speed2;
      const double force = (string == 0 ? 1 : -pair.F) * state.lambda();
      CHECK(std::abs((ahead.left - ahead.right - behind.left + behind.right) / (2 * c) -
                     force / (c * c - speed * speed)) < 1e-6);
      CHECK(std::abs((ahead.left + ahead.right - behind.left - behind.right) / 2 +
                     speed * force / (c * c - speed * speed)) < 1e-6);
    }
  }
}

TEST_CASE("the waveguide tends to the characteristic solver, force and displacements included",
          "[string][characteristics][waveguide]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    CAPTURE(static_cast<int>(ends));
    const auto pair = general(ends);
    const auto first = bump(4.6, 0.3, 0.2), second = bump(1.2, 0.2, 0.7);
    const CharacteristicSolver<> tape(pair);
    const double until = 6 / 1.1;
    const auto state = run(tape, tape.state(first, second), until, 2000);
    const auto error = [&](int points) {
      const strings::Waveguide<> guide(pair, points, {.points = 2});
      auto at = guide.state(first, second);
      for (int i = 0; i < points; ++i) guide.step(at);
      double worst = std::abs(at.lambda() - state.lambda());
      for (const int string : {0, 1})
        for (const double x : {0.5, 1.5, 4.5, 5.5})
          worst = std::max(worst,
                           std::abs(guide.displacement(at, string, x) - tape.displacement(state, string, x)));
      return std::array{worst, std::abs(at.s1() - state.s1())};
    };
    const auto coarse = error(600), fine = error(1200);
    CHECK(fine[0] < 2e-4);
    CHECK(fine[1] < 1e-5);
    CHECK(std::log2(coarse[0] / fine[0]) > 1.5);
    CHECK(std::log2(coarse[1] / fine[1]) > 1.7);
  }
}

TEST_CASE("characteristic solver and waveguide agree on when a contact at a point outruns its waves",
          "[string][characteristics][waveguide]") {
  // A kernel 0.05 wide keeps this motion below 0.8 c for a thousand seconds; a contact at a point does not.
  const Pair<> pair{.G1 = 0.9, .G2 = 0.72, .s1 = 2, .s2 = 2.7};
  const Profile<> sine{.displacement = [](double x) { return std::sin(x); },
                       .slope = [](double x) { return std::cos(x); }};
  const auto end = [&](const auto& flow, double step) {
    auto state = flow.state(sine, {});
    try {
      while (state.time < 120) flow.step(state, step);
    } catch (const SupersonicContact& error) {
      return error.time();
    }
    return 0.0;
  };
  CHECK(end(CharacteristicSolver<>(pair), 1.0 / 400) == Approx(106.371).margin(0.005));
  const strings::Waveguide<> coarse(pair, 1000), fine(pair, 2000);
  const double first = end(coarse, coarse.time_step()), second = end(fine, fine.time_step());
  CHECK(first == Approx(106.37).margin(0.25));
  CHECK(second == Approx(106.37).margin(0.12));
  const strings::Waveguide<strings::Gaussian<>> wide(pair, 512, {.width = 0.05});
  CHECK(end(wide, wide.time_step()) == 0);
}

TEST_CASE("a step of the characteristic solver allocates nothing where room was asked for",
          "[string][characteristics]") {
  const CharacteristicSolver<> tape(general(Ends::fixed));
  auto state = tape.state(bump(4.6, 0.3), bump(1.2, 0.2), 2000);
  CHECK(test::allocations_during([&] {
          for (int i = 0; i < 2000; ++i) tape.step(state, 0.01);
        }) == 0);
}

TEST_CASE("the characteristic solver refuses what it cannot do, and leaves its state alone",
          "[string][characteristics][errors]") {
  Pair<> pair = general(Ends::fixed);
  const CharacteristicSolver<> tape(pair);
  auto state = tape.state(bump(4.6, 0.3), bump(1.2, 0.2));
  CHECK_THROWS_AS(tape.step(state, 0), std::invalid_argument);
  CHECK_THROWS_AS(tape.step(state, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  CHECK_THROWS_AS(tape.step(state, 2.4), ContactAtEnd);
  CHECK(state.time == 0);
  CHECK_THROWS_AS(tape.displacement(state, 0, -1), std::invalid_argument);
  CHECK_THROWS_AS(tape.displacement(state, 2, 1), std::invalid_argument);
  CHECK_THROWS_AS(tape.displacement(state, 0, 1, 0.1), std::invalid_argument);
  pair.ends = Ends::periodic;
  const CharacteristicSolver<> ring(pair);
  auto round = ring.state(bump(4.6, 0.3), bump(1.2, 0.2));
  CHECK_NOTHROW(ring.displacement(round, 0, -100));
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(ring.displacement(round, 0, x), std::invalid_argument);
    CHECK_THROWS_AS(ring.waves(round, 1, x, 0), std::invalid_argument);
  }
  pair.ends = Ends::fixed;
  const Profile<> ramp{.displacement = [](double x) { return x; }};
  CHECK_THROWS_AS(tape.state(ramp, {}), std::invalid_argument);
  pair.s1 = 6.1;
  CHECK_THROWS_AS(CharacteristicSolver<>(pair), std::invalid_argument);
  // sin x with so large a G that the contact outruns the waves
  const CharacteristicSolver<> fast({.G1 = 3, .G2 = 3, .s1 = 2, .s2 = 2});
  auto going = fast.state({.displacement = [](double x) { return std::sin(x); }}, {});
  double theta = 0, time = 0;
  try {
    for (int i = 0; i < 1000; ++i) {
      theta = going.s1();
      time = going.time;
      fast.step(going, 0.01);
    }
    FAIL("the contact was not refused");
  } catch (const SupersonicContact& error) {
    CHECK(error.ratio() >= 1);
    CHECK(error.time() >= time);
  }
  CHECK(going.time == time);
  CHECK(going.s1() == theta);
}

TEST_CASE("a characteristic solver is driven and observed as any problem, to any time",
          "[string][characteristics][drive]") {
  const CharacteristicSolver<> tape(general(Ends::fixed));
  auto state = tape.state(bump(4.6, 0.3, 0.2), bump(1.2, 0.2, 0.7));
  const auto reference = run(tape, state, 5.5, 1100);
  analysis::EnergyMonitor monitor{tape};
  drive(SelfStepping{}, tape, state, {.step = 0.005, .until = 5.5, .output_interval = 0.0771}, monitor);
  CHECK(state.time == 5.5);
  CHECK(state.s1() == Approx(reference.s1()).epsilon(1e-9));
  CHECK(monitor.count() == 73);
  CHECK(monitor.energy_error() < 1e-9);
  CHECK(monitor.violation().velocity < 1e-15);
  Event<CharacteristicSolver<>> passing{
      .name = "s1 passes 2.51",
      .value = [](const CharacteristicSolver<>&, const CharacteristicSolver<>::State& at) {
        return at.s1() - 2.51;
      }};
  passing.terminal = true;
  auto again = tape.state(bump(4.6, 0.3, 0.2), bump(1.2, 0.2, 0.7));
  const auto report = drive(SelfStepping{}, tape, again, {.step = 0.01, .until = 3, .events = {passing}});
  REQUIRE(report.stopped_by.has_value());
  CHECK(again.s1() == Approx(2.51).epsilon(1e-12));
}

}  // namespace string_tape_test
