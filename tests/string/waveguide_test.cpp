// Strings in contact as rotating waveguides.

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

namespace string_waveguide_test {

using namespace dalembert;
using strings::CorrectedGaussian;
using strings::Ends;
using strings::Gaussian;
using strings::Joint;
using strings::Line;
using strings::Pair;
using strings::Profile;
using strings::Waveguide;
using test::bump;

static_assert(Flow<Waveguide<>>);

const double pi = std::acos(-1.0);

/// The largest error of s₁ over a turn of the waves, against a closed form.
template <class Solution, class W>
double error_against(const Solution& solution, int points, const W& weights) {
  const auto& pair = solution.parameters().pair;
  const Waveguide<W> guide(pair, points, weights);
  auto state = guide.state(solution.first(), solution.second());
  double worst = 0;
  for (int i = 0; i < points; ++i) {
    guide.step(state);
    worst = std::max(worst, std::abs(state.s1() - solution.position(state.time)));
    worst = std::max(worst, std::abs(state.s2() - solution.position(state.time)));
  }
  CHECK(state.steps() == points);
  return worst;
}

TEST_CASE("waveguides converge to the closed forms with order 2", "[string][waveguide]") {
  const auto travelling = test::travelling_wave();
  const auto fixed = test::standing_wave(Ends::fixed, 2, 2), free = test::standing_wave(Ends::free, 4, 3);
  const auto order = [](const auto& solution) {
    const double coarse = error_against(solution, 256, CorrectedGaussian<>{});
    const double fine = error_against(solution, 512, CorrectedGaussian<>{});
    CHECK(fine < 1e-4);
    return std::log2(coarse / fine);
  };
  CHECK(order(travelling) == Approx(2).margin(0.15));
  CHECK(order(fixed) > 1.85);
  CHECK(order(free) > 1.85);
}

TEST_CASE("weights that do not see themselves late converge with order 2, positive ones with order 1",
          "[string][waveguide]") {
  // Data that reach the contact smoothly, where its force matters: s₁ and θ from the strings' own difference.
  const auto final_place = [](int points, const auto& weights) {
    const Waveguide<std::remove_cvref_t<decltype(weights)>> guide(
        {.F = 0.8, .G1 = 0.6, .G2 = -0.3, .s1 = 2.5, .s2 = 3.4}, points, weights);
    auto state = guide.state(bump(4.5, 0.3), bump(1.2, 0.2));
    for (int i = 0; i < points; ++i) guide.step(state);
    return state.s1();
  };
  const auto order = [&](const auto& weights) {
    const double a = final_place(1024, weights), b = final_place(2048, weights),
                 c = final_place(4096, weights);
    return std::log2(std::abs((a - b) / (b - c)));
  };
  CHECK(order(CorrectedGaussian<>{}) > 1.8);
  CHECK(order(CorrectedGaussian<>{.points = 2}) == Approx(2).margin(0.15));
  const double first = order(Gaussian<>{});
  CHECK(first > 0.7);
  CHECK(first < 1.4);
}

/// Weights without what they make of a contact's speed.
template <class W>
struct AtRest {
  W averaging{};
  [[nodiscard]] auto weights(double spacing) const {
    struct Weights {
      decltype(averaging.weights(1.0)) of;
      [[nodiscard]] int reach() const { return of.reach(); }
      void operator()(double offset, double* alpha) const { of(offset, alpha); }
    };
    return Weights{averaging.weights(spacing)};
  }
};

TEST_CASE("waveguides are of order 2 where the force moves the contact, because weights follow its speed",
          "[string][waveguide]") {
  const Pair<> pair{.F = 0.8, .G1 = 1.2, .G2 = -0.48, .s1 = 2.5, .s2 = 3.4};
  const auto u = bump(4.5, 0.5), v = bump(1.2, 0.5);
  const strings::CharacteristicSolver<double> tape(pair);
  auto history = tape.state(u, v);
  double fastest = 0;
  for (int i = 0; i < 4000; ++i) {
    tape.step(history, 2 * pi / 4000);
    fastest = std::max(fastest, std::abs(pair.G1 * history.velocity()));
  }
  CHECK(fastest > 0.5);
  const auto error = [&](int points, const auto& weights) {
    const Waveguide<std::remove_cvref_t<decltype(weights)>> guide(pair, points, weights);
    auto state = guide.state(u, v);
    for (int i = 0; i < points; ++i) guide.step(state);
    CHECK(std::abs(guide.energy(state) / guide.energy(guide.state(u, v)) - 1) < 1e-12);
    return std::abs(state.s1() - history.s1());
  };
  const auto order = [&](const auto& weights) {
    return std::log2(error(1024, weights) / error(2048, weights));
  };
  for (const double w : {1.2, 1.5, 2.5}) {
    CAPTURE(w);
    CHECK(order(CorrectedGaussian<>{.points = w}) == Approx(2).margin(0.15));
  }
  CHECK(error(2048, CorrectedGaussian<>{}) < 1e-5);
  CHECK(order(AtRest<CorrectedGaussian<>>{}) < 1.5);
}

TEST_CASE("a waveguide keeps its energy to 1e-13 over a million steps, with any weights",
          "[string][waveguide]") {
  const auto drift = [](const auto& weights, Ends ends, long steps) {
    const Waveguide<std::remove_cvref_t<decltype(weights)>> guide(
        {.F = 0.9, .G1 = 0.3, .G2 = 0.2, .s1 = 2, .s2 = 2.7, .ends = ends}, 100, weights);
    const Profile<> sine{.displacement = [](double x) { return std::sin(x); }};
    const Profile<> cosine{.displacement = [](double x) { return std::cos(x); }};
    auto state = guide.state(ends == Ends::free ? cosine : sine, {});
    const double before = guide.energy(state);
    double slip = 0;
    for (long i = 0; i < steps; ++i) {
      guide.step(state);
      slip = std::max(slip, guide.constraint(state).velocity);
    }
    CHECK(slip < 1e-14);
    CHECK(std::abs(state.s1() - 2) > 1e-3);
    return std::abs(guide.energy(state) / before - 1);
  };
  CHECK(drift(CorrectedGaussian<>{}, Ends::fixed, 1000000) < 1e-13);
  CHECK(drift(Gaussian<>{.width = 0.2}, Ends::periodic, 20000) < 1e-13);
  CHECK(drift(strings::Spline<contact::CubicSpline>{}, Ends::free, 20000) < 1e-13);
}

TEST_CASE("θ is one for both sides of a contact, and the force is what changes the strings",
          "[string][waveguide]") {
  const double F = -0.8, G1 = 0.5, G2 = 0.3;
  const Waveguide<> guide({.c = 1.5, .F = F, .G1 = G1, .G2 = G2, .s1 = 2, .s2 = 3, .ends = Ends::periodic},
                          200);
  const auto u = bump(4, 0.3, 0.5), v = bump(2, -0.2, -0.2);
  auto state = guide.state(u, v);
  const auto momentum = [&](int string) {
    double sum = 0;
    for (int j = 0; j < 200; ++j) sum += guide.velocity(state, string, j) * 2 * pi / 200;
    return sum;
  };
  double one = momentum(0), two = momentum(1), force = 0;
  for (int i = 0; i < 500; ++i) {
    guide.step(state);
    force += std::abs(state.contact().force);
    // On a periodic string nothing but the contact changes the momentum: −λτ and +Fλτ.
    CHECK(std::abs(momentum(0) - one + state.contact().force * guide.time_step()) < 1e-13);
    CHECK(std::abs(momentum(1) - two - F * state.contact().force * guide.time_step()) < 1e-13);
    one = momentum(0);
    two = momentum(1);
    CHECK(std::abs((state.s1() - 2) / G1 - F * (state.s2() - 3) / G2) < 1e-12);
  }
  CHECK(force > 1);
}

TEST_CASE("strings that move alike do not feel their contact", "[string][waveguide]") {
  for (const Ends ends : {Ends::fixed, Ends::free, Ends::periodic}) {
    const double phase = ends == Ends::free ? pi / 2 : 0;
    const auto shape = [=](double x) { return std::sin(x + phase); };
    const Profile<> sine{.displacement = shape};
    const int points = 400;
    const Waveguide<> guide({.G1 = 0.4, .G2 = 0.4, .s1 = 2, .s2 = 2, .ends = ends}, points);
    auto state = guide.state(sine, sine);
    std::vector<double> u(points + 1);
    for (int i = 0; i < 777; ++i) guide.step(state);
    CHECK(std::abs(state.lambda()) < 1e-11);
    guide.displacements(state, 1, u);
    double worst = 0;
    for (std::size_t j = 0; j <= points; ++j)
      worst = std::max(worst, std::abs(u[j] - shape(2 * pi * double(j) / points) * std::cos(state.time)));
    CHECK(worst < 5e-5);
    CHECK(guide.displacement(state, 1, 2 * pi) == Approx(u[points]).margin(1e-12));
    CHECK(guide.displacement(state, 1, 2 * pi * 30.25 / points) ==
          Approx(0.75 * u[30] + 0.25 * u[31]).margin(1e-12));
    CHECK(guide.energy(state) == Approx(pi).epsilon(1e-4));
    CHECK(guide.kinetic_energy(state) == Approx(pi * std::pow(std::sin(state.time), 2)).epsilon(1e-3));
  }
}

TEST_CASE("a contact that is told nothing joins the first two strings and stays where it is",
          "[string][waveguide]") {
  const std::vector<Line<>> strings(2, {1, 2 * pi, 200, Ends::periodic});
  const Waveguide<> plain(strings, std::vector{Joint<>{.s1 = 2, .s2 = 3}}),
      told(strings, std::vector{Joint<>{0, 1, 1, 0, 0, 2, 3}});
  const std::array<Profile<>, 2> start{bump(1.0, 0.3), bump(5, -0.2)};
  auto x = plain.state(start), y = told.state(start);
  for (int i = 0; i < 150; ++i) plain.step(x), told.step(y);
  CHECK(x.contact(0).s1 == 2);
  CHECK(x.contact(0).s2 == 3);
  CHECK(plain.constraint(x).velocity < 1e-14);
  CHECK(plain.energy(x) == told.energy(y));
}

TEST_CASE("three strings with three contacts keep their energy and all their constraints",
          "[string][waveguide]") {
  const std::vector<Line<>> strings{
      {1, 2 * pi, 300, Ends::fixed}, {2, 4 * pi, 300, Ends::free}, {1, 4 * pi, 600, Ends::periodic}};
  const std::vector<Joint<>> contacts{
      {0, 1, 0.7, 0.4, 0.3, 1.5, 2}, {0, 2, -1.2, 0.3, 0.2, 4, -1}, {1, 2, 1.1, -0.4, 0.5, 8, 5}};
  const Waveguide<> guide(strings, contacts);
  const std::array<Profile<>, 3> start{bump(2.8, 0.4), bump(5, 0.5), bump(3, -0.3, 1)};
  auto state = guide.state(start);
  const double energy = guide.energy(state);
  double slip = 0, moved = 0;
  for (int i = 0; i < 3000; ++i) {
    guide.step(state);
    slip = std::max(slip, guide.constraint(state).velocity);
    for (std::size_t k = 0; k < 3; ++k)
      moved = std::max(moved, std::abs(state.contact(k).s2 - contacts[k].s2));
  }
  CHECK(moved > 0.05);
  CHECK(slip < 1e-14);
  CHECK(std::abs(guide.energy(state) / energy - 1) < 1e-13);
}

TEST_CASE("a step of a waveguide allocates nothing, and leaves its state alone where it fails",
          "[string][waveguide]") {
  const Waveguide<> guide({.G1 = 0.9, .G2 = 0.72, .s1 = 2, .s2 = 2.7}, 200);
  const Profile<> sine{.displacement = [](double x) { return std::sin(x); }};
  auto state = guide.state(sine, {});
  CHECK(test::allocations_during([&] {
          for (int i = 0; i < 100; ++i) guide.step(state);
        }) == 0);
  // A contact that goes fast enough to outrun the waves
  const Waveguide<> fast({.G1 = 3, .G2 = 3, .s1 = 2, .s2 = 2}, 200);
  auto going = fast.state(sine, {});
  double s1 = 0, energy = 0, time = 0;
  try {
    for (int i = 0; i < 1000; ++i) {
      s1 = going.s1();
      energy = fast.energy(going);
      time = going.time;
      fast.step(going);
    }
    FAIL("the contact was not refused");
  } catch (const SupersonicContact& error) {
    CHECK(error.ratio() >= 1);
    CHECK(error.time() == Approx(time));
  }
  CHECK(going.s1() == s1);
  CHECK(fast.energy(going) == energy);
  CHECK(going.time == time);
}

TEST_CASE("contacts that reach an end or each other are refused", "[string][waveguide][errors]") {
  const Profile<> quiet{};
  CHECK_THROWS_AS(Waveguide<>({.s1 = 0.1, .s2 = 2}, 100).state(quiet, quiet), ContactAtEnd);
  CHECK_THROWS_AS(Waveguide<>({.s1 = 2, .s2 = 6.2}, 100).state(quiet, quiet), ContactAtEnd);
  CHECK_NOTHROW(Waveguide<>({.s1 = 0.1, .s2 = 6.2, .ends = Ends::periodic}, 100).state(quiet, quiet));
  const Line<> line{1, 2 * pi, 100, Ends::periodic};
  const Waveguide<> near({line, line, line}, {{0, 1, 1, 0.1, 0.1, 2, 2}, {0, 2, 1, 0.1, 0.1, 2.5, 2}});
  const std::array<Profile<>, 3> three{};
  CHECK_THROWS_AS(near.state(three), ContactsMeet);
  const Waveguide<> around({line, line, line}, {{0, 1, 1, 0.1, 0.1, 0.1, 2}, {0, 2, 1, 0.1, 0.1, 6.2, 2}});
  CHECK_THROWS_AS(around.state(three), ContactsMeet);
  // Two contacts that are driven towards each other
  const Waveguide<> closing({line, line, line}, {{0, 1, 1, 0.4, 0.4, 2, 2}, {0, 2, 1, -0.4, -0.4, 5, 2}});
  const auto moving = [](double x) { return 0.9 + 0 * x; };
  const std::array<Profile<>, 3> driven{Profile<>{.velocity = moving}, Profile<>{.velocity = moving},
                                        Profile<>{.velocity = moving}};
  auto state = closing.state(driven);
  CHECK_THROWS_AS(([&] {
                    for (int i = 0; i < 400; ++i) closing.step(state);
                  }()),
                  ContactsMeet);
  CHECK(state.contact(1).s1 - state.contact(0).s1 == Approx(25 * 2 * pi / 100).epsilon(0.1));
}

TEST_CASE("a waveguide refuses parameters and data that break their rules", "[string][waveguide][errors]") {
  const Pair<> good{.G1 = 0.5, .G2 = 0.4, .s1 = 2, .s2 = 3};
  const Line<> line{1, 2 * pi, 100, Ends::fixed};
  CHECK_THROWS_AS(Waveguide<>(good, 3), std::invalid_argument);
  Pair<> bad = good;
  bad.F = 0;
  CHECK_THROWS_AS(Waveguide<>(bad, 100), std::invalid_argument);
  CHECK_THROWS_AS(Waveguide<>(good, 100, {.width = -1}), std::invalid_argument);
  CHECK_THROWS_AS(Waveguide<>(good, 100, {.points = 0.2}), std::invalid_argument);
  CHECK_THROWS_AS(Waveguide<>({line, {1, 2 * pi, 101, Ends::fixed}}, {{0, 1, 1, 0.1, 0.1, 2, 2}}),
                  std::invalid_argument);
  CHECK_THROWS_AS(Waveguide<>({line, line}, {{0, 2, 1, 0.1, 0.1, 2, 2}}), std::invalid_argument);
  CHECK_THROWS_AS(Waveguide<>({line, line}, {}), std::invalid_argument);
  CHECK_THROWS_AS(Waveguide<>({line, line}, {{0, 1, 1, 0.1, 0.1, 2, 7}}), std::invalid_argument);
  const Waveguide<> guide(good, 100);
  const Profile<> ramp{.displacement = [](double x) { return x; }};
  CHECK_THROWS_AS(guide.state(ramp, {}), std::invalid_argument);
  auto state = guide.state({}, {});
  CHECK_THROWS_AS(guide.step(state, 0.9 * guide.time_step()), std::invalid_argument);
}

TEST_CASE("a waveguide is driven and observed as any problem", "[string][waveguide][drive]") {
  const Waveguide<> guide({.G1 = 0.9, .G2 = 0.72, .s1 = 2, .s2 = 2.7}, 200);
  const Profile<> sine{.displacement = [](double x) { return std::sin(x); }};
  const double step = guide.time_step();
  auto state = guide.state(sine, {}), alone = state;
  analysis::EnergyMonitor monitor{guide};
  const auto report = drive(SelfStepping{}, guide, state,
                            {.step = step, .until = 400 * step, .output_interval = 10 * step}, monitor);
  for (int i = 0; i < 400; ++i) guide.step(alone);
  CHECK(report.steps == 400);
  CHECK(state.s1() == alone.s1());
  CHECK(monitor.count() == 41);
  CHECK(monitor.energy_error() < 1e-14);
  CHECK(monitor.balance_error() < 1e-14);
  CHECK(monitor.violation().velocity < 1e-15);
  CHECK(monitor.last().kinetic_energy < monitor.last().energy);
  CHECK_THROWS_AS(drive(SelfStepping{}, guide, state, {.step = 0.5 * step, .until = 500 * step}),
                  std::invalid_argument);
  CHECK_THROWS_AS(drive(SelfStepping{}, guide, state, {.step = step, .until = 500.5 * step}),
                  std::invalid_argument);
  CHECK_THROWS_AS(
      drive(SelfStepping{}, guide, state, {.step = step, .until = 500 * step, .output_interval = 1.5 * step}),
      std::invalid_argument);
  const Waveguide<> fast({.G1 = 3, .G2 = 3, .s1 = 2, .s2 = 2}, 200);
  auto going = fast.state(sine, {});
  try {
    drive(SelfStepping{}, fast, going, {.step = step, .until = 400 * step});
    FAIL("the run did not stop");
  } catch (const IntegrationFailureWith<Waveguide<>::State>& failure) {
    CHECK(failure.last().time > 0);
    CHECK(failure.last().s1() == going.s1());
    CHECK(fast.energy(failure.last()) == Approx(pi / 2).epsilon(1e-3));
  }
}

}  // namespace string_waveguide_test
