#include <dalembert/systems/rocard_tire.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"
#include "support/tires.hpp"

namespace rocard_tire_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::RocardTire;

static_assert(NonholonomicSystem<RocardTire<double>> && NonholonomicSystem<RocardTire<long double>>);
static_assert(velocity_rows<RocardTire<>> == 2 && acceleration_rows<RocardTire<>> == 1);
static_assert(variational_rows<RocardTire<>> == 3 && internal_size<RocardTire<>> == 1);

template <class S>
RocardTire<S> random_tire(laws::Random<S>& random) {
  const S axle = random.positive(), yaw = random.positive(), m = random.positive();
  const S stiffness = random.positive(), cornering = random.positive();
  return RocardTire<S>{{.axle = axle, .yaw = yaw, .mass = m, .stiffness = stiffness, .cornering = cornering}};
}

/// A rolling state with these ψ̇, θ̇, ε, anywhere.
template <class S>
auto rolling_state(const LagrangeDAlembert<RocardTire<S>>& problem, S psidot, S thetadot, S epsilon) {
  return problem.state({SE2<S>(S(0.3), S(-0.7), S(1.9)), Rn<S, 1>()},
                       problem.system().rolling(psidot, thetadot, epsilon), Vec<S, 1>(epsilon));
}

template <class S>
auto random_state(const LagrangeDAlembert<RocardTire<S>>& problem, laws::Random<S>& random) {
  const S psidot = test::of_any_sign(random), thetadot = random(), epsilon = random.between(S(-1.5), S(1.5));
  auto state = rolling_state(problem, psidot, thetadot, epsilon);
  state.g = test::place<1>(random);
  return state;
}

/// (5) and (6), with u̇ and v̇ by (2), and the reactions: −IΩ̇ at the rim, sa sin ε across, −Kε.
template <class S>
laws::Expected<RocardTire<S>> by_hand(const RocardTire<S>& tire,
                                      const typename LagrangeDAlembert<RocardTire<S>>::State& state) {
  const auto& p = tire.parameters();
  const S epsilon = state.z[0], omega = state.xi[2], psidot = state.xi[3];
  const S c = std::cos(epsilon), s = std::sin(epsilon), d = p.axle * c + p.mass;
  const S force = psidot < 0 ? -p.cornering * s : p.cornering * s;
  const S psiddot = -force * s / d;
  const S epsilon_rate = omega - p.cornering / p.mass * (s / std::abs(psidot)) * (p.axle + p.mass * c) / d;
  laws::Expected<RocardTire<S>> expected;
  expected.xidot << psiddot * c - psidot * s * epsilon_rate, -psiddot * s - psidot * c * epsilon_rate,
      -p.stiffness * epsilon / p.yaw, psiddot;
  expected.zdot << epsilon_rate;
  expected.lambda = Vec<S, 3>(-p.axle * psiddot, force, -p.stiffness * epsilon);
  return expected;
}

/// (7).
template <class S>
S energy_rate(const RocardTire<S>& tire, S psidot, S epsilon) {
  const auto& p = tire.parameters();
  const S c = std::cos(epsilon), s = std::sin(epsilon), speed = std::abs(psidot);
  return -p.cornering / (p.axle * c + p.mass) *
         ((p.axle + p.mass) * speed * s * s +
          p.stiffness * epsilon * s * (p.axle + p.mass * c) / (p.mass * speed));
}

TEMPLATE_TEST_CASE("the assembler gives Rocard's equations at random states", "[tire]", double, long double) {
  using S = TestType;
  laws::check_rates<RocardTire<S>>(random_tire<S>, random_state<S>, by_hand<S>);
}

TEST_CASE("momentum and mass of Rocard's tyre are derivatives of its Lagrangian", "[tire]") {
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{random_tire(random)};
    laws::check_closed_forms(problem.system(), random_state(problem, random));
  }
}

TEST_CASE("Rocard's tyre loses energy, as its powers and the closed form say", "[tire]") {
  laws::Random<double> random;
  for (int i = 0; i < 200; ++i) {
    const LagrangeDAlembert problem{random_tire(random)};
    const auto state = random_state(problem, random);
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const auto power = problem.power(state, rates);
    CHECK(power.constraint ==
          Approx(energy_rate(problem.system(), state.xi[3], state.z[0])).epsilon(1e-11).margin(1e-12));
    CHECK(power.constraint <= 1e-12);
    CHECK(power.dissipation == 0);
    CHECK(power.load == 0);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("to leading order the loss is the one that was published; the rest is of fourth order", "[tire]") {
  using S = long double;
  const LagrangeDAlembert problem{
      RocardTire<S>{{.axle = 0.6L, .yaw = 0.45L, .mass = 1.3L, .stiffness = 2.7L, .cornering = 1.9L}}};
  const auto& p = problem.system().parameters();
  const S psidot = -3.1L;
  S last = 0;
  for (const S epsilon : {0.1L, 0.05L, 0.025L}) {
    const auto state = rolling_state<S>(problem, psidot, -0.4L, epsilon);
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const S published = -(p.mass * psidot * psidot + p.stiffness) * epsilon * (state.xi[2] - rates.zdot[0]);
    const S rest = problem.power(state, rates).constraint - published;
    CAPTURE(epsilon, rest);
    const S fourth = p.cornering * std::abs(psidot) * (p.axle - 2 * p.mass) / (6 * (p.axle + p.mass));
    CHECK(std::abs(rest / (fourth * std::pow(epsilon, 4)) - 1) < 20 * epsilon * epsilon);
    if (last != 0) CHECK(static_cast<double>(std::log2(last / rest)) == Approx(4).margin(0.05));
    last = rest;
  }
}

TEST_CASE("small motions about straight rolling on Rocard's tyre are a damped oscillation", "[tire]") {
  using S = long double;
  const LagrangeDAlembert problem{
      RocardTire<S>{{.axle = 0.6L, .yaw = 0.45L, .mass = 1.3L, .stiffness = 2.7L, .cornering = 1.9L}}};
  for (const S speed : {3.1L, -0.7L}) {
    const auto slope = [&](const Vec<S, 2>& x) -> Vec<S, 2> {
      const auto state = rolling_state<S>(problem, speed, x[0], x[1]);
      auto rates = problem.make_rates();
      problem.rates(state, rates);
      return {rates.xidot[2], rates.zdot[0]};
    };
    const auto found = test::characteristic(test::linearised<2, S>(slope, S(1e-6L)));
    const auto said = problem.system().characteristic(speed);
    CHECK(static_cast<double>(said[1]) == Approx(1.9 / (1.3 * std::abs(static_cast<double>(speed)))));
    CHECK(static_cast<double>(said[2]) == Approx(6));
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(found[i] - said[i]) < 1e-10L);
  }
}

TEST_CASE("what the reactions of Rocard's tyre push along is no virtual displacement, but motion", "[tire]") {
  const LagrangeDAlembert problem{RocardTire<>{{.cornering = 1.5}}};
  const auto rows = problem.system().variational();
  Vec<double, 5> rolls, twists;
  rolls << 1, 0, 0, 1, 0;   // δx = δψ e
  twists << 0, 0, 1, 0, 1;  // δθ = δε
  CHECK((rows * rolls).norm() == 0);
  CHECK((rows * twists).norm() == 0);
  const auto state = rolling_state(problem, 2.0, 0.3, 0.4);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  Vec<double, 5> motion;
  motion << state.xi, rates.zdot;
  CHECK((rows * motion).norm() > 0.1);
}

TEST_CASE("straight rolling goes on", "[tire]") {
  const LagrangeDAlembert problem{RocardTire<>{{}}};
  auto rates = problem.make_rates();
  problem.rates(rolling_state(problem, -2.5, 0.0, 0.0), rates);
  CHECK(rates.xidot.norm() < 1e-15);
  CHECK(rates.zdot.norm() < 1e-15);
  CHECK(rates.lambda.norm() < 1e-15);
}

TEST_CASE("a wheel at rest on Rocard's tyre is refused, with its time", "[tire]") {
  const LagrangeDAlembert problem{RocardTire<>{{}}};
  auto rates = problem.make_rates();
  for (const double epsilon : {0.2, 0.0}) {
    auto state = rolling_state(problem, 0.0, 0.5, epsilon);
    state.time = 2.5;
    CHECK_THROWS_AS(problem.rates(state, rates), InvalidState);
    CHECK_THROWS_WITH(problem.rates(state, rates), ContainsSubstring("t = 2.5"));
  }
  for (const double psidot : {1e-6, -1e-6}) {
    const auto state = rolling_state(problem, psidot, 0.5, 0.2);
    problem.rates(state, rates);
    const auto expected = by_hand(problem.system(), state);
    CHECK(rates.zdot[0] == Approx(expected.zdot[0]).epsilon(1e-9));
    CHECK(rates.xidot[3] == Approx(expected.xidot[3]).epsilon(1e-9));
  }
}

TEST_CASE("rates are found where the terms of Rocard's law cancel", "[tire]") {
  // θ̇ is nearly what the bend of the path asks for, so that ε̇ is small beside it.
  laws::Random<double> random;
  const LagrangeDAlembert problem{RocardTire<>{{.axle = 0.5, .yaw = 0.25, .mass = 1.3, .cornering = 2}}};
  auto rates = problem.make_rates();
  for (int i = 0; i < 1000; ++i) {
    const double psidot = 4 + random(), epsilon = 0.02 * random(), excess = 1e-3 * random();
    const double bend = -by_hand(problem.system(), rolling_state(problem, psidot, 0.0, epsilon)).zdot[0];
    const auto state = rolling_state(problem, psidot, bend * (1 + excess), epsilon);
    REQUIRE_NOTHROW(problem.rates(state, rates));
    CHECK(std::abs(rates.zdot[0] - bend * excess) < 1e-16);
  }
}

TEST_CASE("a twist at which no rates exist is refused", "[tire]") {
  // I cos ε + M = 0
  const LagrangeDAlembert problem{RocardTire<>{{.axle = 2, .mass = 1}}};
  auto rates = problem.make_rates();
  CHECK_THROWS_AS(problem.rates(rolling_state(problem, 1.0, 0.0, 2 * static_cast<double>(pi) / 3), rates),
                  InvalidState);
  CHECK_NOTHROW(problem.rates(rolling_state(problem, 1.0, 0.0, 2.0), rates));
}

TEST_CASE("a long run on Rocard's tyre balances its energy and keeps rolling", "[tire]") {
  const LagrangeDAlembert problem{
      RocardTire<>{{.axle = 0.5, .yaw = 0.25, .mass = 1, .stiffness = 2, .cornering = 3}}};
  auto state = rolling_state(problem, 4.0, 0.0, 0.6);
  analysis::EnergyMonitor monitor{problem};
  drive(DormandPrince54{}, problem, state, {.step = 0.01, .until = 20.0}, monitor);
  CHECK(monitor.balance_error() < 1e-9);
  CHECK(monitor.energy_error() > 0.4);
  CHECK(monitor.violation().velocity < 1e-9);
  CHECK(std::abs(state.z[0]) < 0.01);
  for (std::size_t i = 1; i < monitor.entries().size(); ++i)
    REQUIRE(monitor.entries()[i].energy <= monitor.entries()[i - 1].energy + 1e-14);
}

TEST_CASE("impossible tyres of Rocard are refused, by name and value", "[tire]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH((RocardTire<>{{.axle = -1}}), ContainsSubstring("RocardTire: axle = -1"));
  CHECK_THROWS_WITH((RocardTire<>{{.cornering = -2}}), ContainsSubstring("RocardTire: cornering = -2"));
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    CHECK_THROWS_AS((RocardTire<>{{.axle = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((RocardTire<>{{.yaw = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((RocardTire<>{{.mass = bad}}), std::invalid_argument);
  }
  for (const double bad : {-1.0, nan, infinity}) {
    CHECK_THROWS_AS((RocardTire<>{{.stiffness = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((RocardTire<>{{.cornering = bad}}), std::invalid_argument);
  }
  CHECK_NOTHROW((RocardTire<>{{.stiffness = 0, .cornering = 0}}));
}

}  // namespace rocard_tire_test
