// Strings in contact from the history of the contact, to round-off.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/problem/concepts.hpp>
#include <dalembert/string/exact.hpp>
#include <dalembert/string/spectral_characteristic_solver.hpp>

#include "string/bumps.hpp"
#include "string/closed_forms.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

namespace string_spectral_tape_test {

using namespace dalembert;
using strings::Ends;
using strings::Pair;
using strings::Profile;
using strings::SpectralCharacteristicSolver;
using test::bump;

static_assert(Flow<SpectralCharacteristicSolver<>>);

/// u = amplitude sin(kx) at rest.
Profile<> sine(double amplitude, double k = 1) {
  return {.displacement = [=](double x) { return amplitude * std::sin(k * x); },
          .slope = [=](double x) { return amplitude * k * std::cos(k * x); }};
}

TEST_CASE("a polynomial through Chebyshev points is resolved to its last coefficients",
          "[string][characteristics]") {
  const strings::detail::Chebyshev<8, double> chebyshev;
  for (int n = 0; n < 8; ++n) {
    CAPTURE(n);
    std::array<double, 8> shape{};  // a T_n, for which ∫ is known
    for (std::size_t j = 0; j < 8; ++j) shape[j] = -0.7 * std::cos(n * std::acos(chebyshev.points()[j]));
    CHECK(std::abs(chebyshev.tail(shape) - (n < 5 ? 0 : 0.7)) < 1e-14);
    CHECK(std::abs(chebyshev.whole(shape) - (n % 2 == 1 ? 0 : -1.4 / (1 - n * n))) < 1e-14);
  }
}

TEST_CASE("the spectral solver meets the closed forms of contacts to 1e-12 over thirty seconds",
          "[string][characteristics]") {
  const auto check = [](const auto& solution) {
    const SpectralCharacteristicSolver<> tape(solution.parameters().pair);
    auto state = tape.state(solution.first(), solution.second());
    const double energy = tape.energy(state);
    double worst = 0;
    for (int i = 0; i < 60; ++i) {
      tape.step(state, 0.5);
      worst = std::max(worst, std::abs(state.s1() - solution.position(state.time)));
      worst = std::max(worst, std::abs(state.s2() - solution.position(state.time)));
    }
    CHECK(state.time == Approx(30).epsilon(1e-14));
    CHECK(worst < 1e-13);
    CHECK(std::abs(tape.energy(state) / energy - 1) < 1e-13);
  };
  check(test::travelling_wave());
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic})
    check(test::standing_wave(ends, 2, ends == Ends::periodic ? 1 : 2));
}

TEST_CASE("the spectral solver follows reference trajectories of strings to 1e-10",
          "[string][characteristics]") {
  const auto data = test::data("strings.json")["systems"];
  for (const char* name : {"strings_fixed_ends_sharp", "strings_periodic_sharp"}) {
    const auto set = data[name][0];
    const auto& p = set["params"];
    const bool fixed = p.contains("s10");
    Pair<> pair{.c = p["c"], .F = p["F"], .length = p["l"]};
    pair.ends = fixed ? Ends::fixed : Ends::periodic;
    pair.G1 = fixed ? p["G1"] : p["G"];
    pair.G2 = fixed ? p["G2"] : p["G"];
    pair.s1 = fixed ? p["s10"] : p["s0"];
    pair.s2 = fixed ? p["s20"] : p["s0"];
    const SpectralCharacteristicSolver<> tape(pair);
    auto state = tape.state(sine(fixed ? 1.0 : p["A0"].get<double>()), {});
    for (std::size_t i = 0; i < set["times"].size(); ++i) {
      drive(SelfStepping{}, tape, state, {.step = 0.7, .until = set["times"][i]});
      const auto& expected = set["states"][i];
      CAPTURE(state.time);
      CHECK(std::abs(state.s1() - expected[0].get<double>()) < 1e-10);
      CHECK(std::abs(state.s2() - expected[1].get<double>()) < 1e-10);
      CHECK(std::abs(state.velocity() - expected[2].get<double>()) < 1e-10);
      CHECK(std::abs(state.lambda() - expected[3].get<double>()) < 1e-10);
    }
    if (fixed) continue;
    for (const auto& sample : set["samples"]) {  // t, x, u_t, u_x, v_t, v_x
      for (const int string : {0, 1}) {
        const std::size_t first = string == 0 ? 2 : 4;
        const auto waves = tape.waves(state, string, sample[1], sample[0]);
        CHECK(std::abs((waves.right + waves.left) / 2 - sample[first].get<double>()) < 1e-10);
        CHECK(std::abs((waves.left - waves.right) / 2 - sample[first + 1].get<double>()) < 1e-10);
      }
    }
  }
}

TEST_CASE(
    "the spectral solver keeps the energy to round-off however strings meet, and its steps do not matter",
    "[string][characteristics]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    const SpectralCharacteristicSolver<> tape(
        {.c = 1.1, .F = 0.8, .G1 = 0.6, .G2 = -0.3, .length = 6, .s1 = 2, .s2 = 2.7, .ends = ends});
    const double k = 2 * std::acos(-1.0) / 6;
    Profile<> first = sine(1, k);
    if (ends == Ends::free) first.kinks = {0, 6};  // where u_x ≠ 0
    auto state = tape.state(first, {}), other = state;
    const double energy = tape.energy(state);
    CHECK(energy == Approx(1.1 * 1.1 * k * k * 6 / 4).epsilon(1e-13));
    for (int i = 0; i < 3; ++i) tape.step(state, 4);
    for (int i = 0; i < 41; ++i) tape.step(other, 12.0 / 41);
    CHECK(std::abs(tape.energy(state) / energy - 1) < 1e-13);
    CHECK(std::abs(state.s1() - other.s1()) < 1e-12);
    CHECK(std::abs(state.lambda() - other.lambda()) < 1e-11);
    CHECK(tape.constraint(state).velocity < 1e-14);
    CHECK(std::abs(state.s1() - 2) > 0.05);
    // one θ for both sides
    CHECK(std::abs((state.s1() - 2) / 0.6 - 0.8 * (state.s2() - 2.7) / -0.3) < 1e-13);
  }
}

TEST_CASE("both solvers of characteristics agree on smooth data, displacements included",
          "[string][characteristics]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    const Pair<> pair{
        .c = 1.1, .F = -0.8, .G1 = 0.6, .G2 = 0.3, .length = 6, .s1 = 2.5, .s2 = 3.4, .ends = ends};
    const strings::CharacteristicSolver<> points(pair);
    const SpectralCharacteristicSolver<> pieces(pair);
    const auto first = bump(4.6, 0.3, 0.2), second = bump(1.2, 0.2, 0.7);
    auto one = points.state(first, second);
    auto two = pieces.state(first, second);
    for (int i = 0; i < 1600; ++i) points.step(one, 8.0 / 1600);
    pieces.step(two, 8);
    CHECK(std::abs(one.s1() - two.s1()) < 1e-9);
    CHECK(std::abs(one.lambda() - two.lambda()) < 1e-7);
    for (const double t : {0.7, 3.3, 7.9})
      for (const double x : {0.0, 1.3, 3.0, 5.1})
        for (const int string : {0, 1})
          CHECK(std::abs(points.displacement(one, string, x, t) - pieces.displacement(two, string, x, t)) <
                1e-7);
  }
}

/// Strings that move alike do not feel their contact; they drift along and vibrate as d'Alembert says.
template <class Flow>
void check_drifting_strings(Ends ends, int steps) {
  const double c = 1.1, length = 6, drift = 0.3, swing = 0.2;
  const double k = 2 * std::acos(-1.0) / length;
  const Flow flow({.c = c, .G1 = 0.8, .G2 = 0.8, .length = length, .s1 = 2, .s2 = 2, .ends = ends});
  const Profile<> both{.velocity = [=](double x) { return drift + swing * std::cos(k * x); }};
  auto state = flow.state(both, both);
  const double energy = flow.energy(state);
  CHECK(energy == Approx(length * (drift * drift + swing * swing / 2)).epsilon(1e-13));
  const double until = 11;
  for (int i = 0; i < steps; ++i) flow.step(state, until / steps);
  CHECK(std::abs(state.s1() - 2) > 0.5);
  CHECK(std::abs(state.lambda()) < 1e-9);
  CHECK(flow.energy(state) == Approx(energy).epsilon(1e-9));
  for (const double t : {0.0, 0.4, 2.9, 6.1, 10.9})
    for (const double x : {0.0, 0.9, 2.2, 3.7, 5.4, 6.0}) {
      const double expected = drift * t + swing * std::cos(k * x) * std::sin(k * c * t) / (k * c);
      CHECK(std::abs(flow.displacement(state, 0, x, t) - expected) < 1e-9);
      CHECK(std::abs(flow.displacement(state, 1, x, t) - expected) < 1e-9);
    }
}

TEST_CASE("strings that move alike drift and vibrate as without contact", "[string][characteristics]") {
  for (const Ends ends : {Ends::free, Ends::periodic}) {
    CAPTURE(static_cast<int>(ends));
    check_drifting_strings<SpectralCharacteristicSolver<>>(ends, 10);
    check_drifting_strings<strings::CharacteristicSolver<>>(ends, 2000);
  }
}

TEST_CASE("kinks that data have are followed, and cost no digits", "[string][characteristics]") {
  // A pluck: a corner of u at x = 4, so that waves jump
  const auto corner = [](double x) { return x < 4 ? 0.5 * x / 4 : 0.5 * (6 - x) / 2; };
  const auto slope = [](double x) { return x < 4 ? 0.5 / 4 : -0.5 / 2; };
  const SpectralCharacteristicSolver<> tape(
      {.F = 0.8, .G1 = 0.6, .G2 = -0.3, .length = 6, .s1 = 2.5, .s2 = 3.4});
  auto state = tape.state({.displacement = corner, .slope = slope, .kinks = {4}}, {});
  auto forgotten = tape.state({.displacement = corner, .slope = slope}, {});
  const double energy = 0.5 * (4 * std::pow(0.5 / 4, 2) + 2 * std::pow(0.5 / 2, 2));
  CHECK(tape.energy(state) == Approx(energy).epsilon(1e-13));
  const double start = tape.energy(state);
  // Until the corner's wave arrives, at t = 1.5, nothing moves but what the start makes; it arrives with a jump.
  tape.step(state, 1.499);
  const double before = state.velocity();
  tape.step(state, 0.002);
  CHECK(std::abs(state.velocity() - before) > 0.05);
  tape.step(state, 8);
  CHECK(std::abs(tape.energy(state) - start) < 1e-12 * start);
  tape.step(forgotten, 9.501);
  CHECK(std::abs(tape.energy(forgotten) - start) > 1e-9 * start);
}

/// Strings with free ends that drift with 0.5 m/s, whose contact goes to the right with 0.4 m/s and reaches the end at t = 10 s.
template <class Flow>
void check_reaching_end(double step) {
  const Flow flow({.G1 = 0.8, .G2 = 0.8, .length = 6, .s1 = 2, .s2 = 2, .ends = Ends::free});
  const Profile<> drifting{.velocity = [](double) { return 0.5; }};
  auto state = flow.state(drifting, drifting);
  double last = 0;
  try {
    for (int i = 0; i < 2000; ++i) {
      last = state.time;
      flow.step(state, step);
    }
    FAIL("the contact went through the end");
  } catch (const ContactAtEnd& error) {
    CHECK(error.time() <= 10);
    CHECK(error.time() > 10 - 4 * step);
    CHECK(state.time == last);
    CHECK(state.s1() == Approx(2 + 0.4 * last).epsilon(1e-9));
  }
}

TEST_CASE("a contact that reaches an end is refused there", "[string][characteristics][errors]") {
  check_reaching_end<SpectralCharacteristicSolver<>>(0.1);
  check_reaching_end<strings::CharacteristicSolver<>>(0.01);
}

TEST_CASE("the spectral solver refuses what it cannot do, and leaves its state alone",
          "[string][characteristics][errors]") {
  const SpectralCharacteristicSolver<> fast({.G1 = 3, .G2 = 2.5, .s1 = 2, .s2 = 2.3});
  auto state = fast.state(sine(1), {});
  CHECK_THROWS_AS(fast.step(state, 0), std::invalid_argument);
  CHECK_THROWS_AS(fast.step(state, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  fast.step(state, 0.1);
  const double s1 = state.s1(), lambda = state.lambda(), energy = fast.energy(state);
  const std::size_t segments = fast.segments(state);
  CHECK_THROWS_AS(fast.step(state, 10), SupersonicContact);
  CHECK(state.time == 0.1);
  CHECK(state.s1() == s1);
  CHECK(state.lambda() == lambda);
  CHECK(fast.energy(state) == energy);
  CHECK(fast.segments(state) == segments);
  CHECK_NOTHROW(fast.step(state, 0.05));
  Pair<> bad{.s1 = 2, .s2 = 7};
  CHECK_THROWS_AS(SpectralCharacteristicSolver<>(bad), std::invalid_argument);
}

}  // namespace string_spectral_tape_test
