#include <dalembert/systems/greidanus_tire.hpp>

#include <algorithm>
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

namespace greidanus_tire_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::GreidanusTire;

static_assert(NonholonomicSystem<GreidanusTire<double>> && NonholonomicSystem<GreidanusTire<long double>>);
static_assert(velocity_rows<GreidanusTire<>> == 3 && acceleration_rows<GreidanusTire<>> == 0);
static_assert(variational_rows<GreidanusTire<>> == 3 && internal_size<GreidanusTire<>> == 1);

template <class S>
GreidanusTire<S> random_tire(laws::Random<S>& random) {
  typename GreidanusTire<S>::Parameters p;
  for (S* const value : {&p.axle, &p.yaw, &p.mass, &p.lateral_curvature, &p.drift_curvature,
                         &p.lateral_stiffness, &p.torsional_stiffness})
    *value = random.positive();
  return GreidanusTire<S>{p};
}

/// What is free in a rolling state.
template <class S>
struct Rolling {
  S psidot = 0, thetadot = 0, qdot = 0, q = 0, epsilon = 0;
};

template <class S>
auto rolling_state(const LagrangeDAlembert<GreidanusTire<S>>& problem, const Rolling<S>& r) {
  return problem.state({SE2<S>(S(0.3), S(-0.7), S(1.9)), Rn<S, 2>(Vec<S, 2>(S(0), r.q))},
                       problem.system().rolling(r.psidot, r.thetadot, r.qdot, r.q, r.epsilon),
                       Vec<S, 1>(r.epsilon));
}

template <class S>
auto random_state(const LagrangeDAlembert<GreidanusTire<S>>& problem, laws::Random<S>& random) {
  Rolling<S> r;
  for (S* const value : {&r.psidot, &r.thetadot, &r.qdot, &r.q}) *value = random();
  r.psidot *= 2;
  r.epsilon = random.between(S(-1.5), S(1.5));
  auto state = rolling_state(problem, r);
  const auto place = test::place<2>(random);
  state.g = {place.first(), Rn<S, 2>(Vec<S, 2>(place.second().coordinates()[0], r.q))};
  return state;
}

/// (5) and (6), with u̇ and v̇ by (2), and the reactions: −IΩ̇ at the rim, k_q q across, −k_ε ε.
template <class S>
laws::Expected<GreidanusTire<S>> by_hand(const GreidanusTire<S>& tire,
                                         const typename LagrangeDAlembert<GreidanusTire<S>>::State& state) {
  const auto& p = tire.parameters();
  const S q = state.g.second().coordinates()[1], epsilon = state.z[0];
  const S omega = state.xi[2], psidot = state.xi[3], w = state.xi[4];
  const S c = std::cos(epsilon), s = std::sin(epsilon);
  const S curvature = p.lateral_curvature * q + p.drift_curvature * epsilon;
  const S moment = p.torsional_stiffness * epsilon, force = p.lateral_stiffness * q;
  const S psiddot = p.mass * (q * moment / p.yaw - 2 * w * omega - psidot * psidot * curvature * s) /
                    (p.axle + p.mass * c + p.axle * p.mass * q * q / p.yaw);
  const S thetaddot = (q * p.axle * psiddot - moment) / p.yaw;
  const S qddot = psidot * psidot * curvature * c + q * omega * omega - psiddot * s - force / p.mass;
  const S epsilon_rate = omega - psidot * curvature;
  laws::Expected<GreidanusTire<S>> expected;
  expected.xidot << psiddot * c - psidot * s * epsilon_rate + w * omega + q * thetaddot,
      -psiddot * s - psidot * c * epsilon_rate - qddot, thetaddot, psiddot, qddot;
  expected.zdot << epsilon_rate;
  expected.lambda = Vec<S, 3>(-p.axle * psiddot, force, -moment);
  return expected;
}

/// (7).
template <class S, class State>
S energy_rate(const GreidanusTire<S>& tire, const State& state) {
  const auto& p = tire.parameters();
  const S q = state.g.second().coordinates()[1], epsilon = state.z[0], psidot = state.xi[3];
  const S curvature = p.lateral_curvature * q + p.drift_curvature * epsilon;
  return psidot * (p.axle * by_hand(tire, state).xidot[3] * (1 - std::cos(epsilon)) -
                   p.lateral_stiffness * q * std::sin(epsilon) - p.torsional_stiffness * epsilon * curvature);
}

TEMPLATE_TEST_CASE("the assembler gives Greidanus's equations at random states", "[tire]", double,
                   long double) {
  using S = TestType;
  laws::check_rates<GreidanusTire<S>>(random_tire<S>, random_state<S>, by_hand<S>);
}

TEST_CASE("momentum and mass of Greidanus's tyre are derivatives of its Lagrangian", "[tire]") {
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{random_tire(random)};
    laws::check_closed_forms(problem.system(), random_state(problem, random));
  }
}

TEST_CASE("the energy on Greidanus's tyre goes both ways, as its powers and the closed form say", "[tire]") {
  laws::Random<double> random;
  int gains = 0, losses = 0;
  for (int i = 0; i < 200; ++i) {
    const LagrangeDAlembert problem{random_tire(random)};
    auto state = random_state(problem, random);
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const auto power = problem.power(state, rates);
    CHECK(power.constraint == Approx(energy_rate(problem.system(), state)).epsilon(1e-11).margin(1e-11));
    CHECK(power.dissipation == 0);
    CHECK(power.load == 0);
    laws::check_energy_rate(problem, state);
    if (state.xi[3] > 0) ++(power.constraint > 0 ? gains : losses);
  }
  CHECK(gains > 20);
  CHECK(losses > 20);
}

TEST_CASE("to leading order the gain of energy is a quadratic form of either sign", "[tire]") {
  using S = long double;
  const GreidanusTire<S> tire{{.axle = 0.6L,
                               .yaw = 0.45L,
                               .mass = 1.3L,
                               .lateral_curvature = 0.7L,
                               .drift_curvature = 1.2L,
                               .lateral_stiffness = 5,
                               .torsional_stiffness = 2.7L}};
  const LagrangeDAlembert problem{tire};
  for (const S side : {S(1), S(-1)}) {
    S last = 0;
    for (const S size : {0.02L, 0.01L, 0.005L}) {
      const S q = side * size, epsilon = size / 2;
      const auto state = rolling_state<S>(problem, {.psidot = 1.5L, .q = q, .epsilon = epsilon});
      auto rates = problem.make_rates();
      problem.rates(state, rates);
      const S rate = problem.power(state, rates).constraint;
      const S leading = -1.5L * ((5 + 0.7L * 2.7L) * q * epsilon + 1.2L * 2.7L * epsilon * epsilon);
      CHECK(rate * side < 0);
      CHECK(leading * side < 0);
      const S rest = std::abs(rate - leading);
      if (last > 0) CHECK(static_cast<double>(std::log2(last / rest)) == Approx(4).margin(0.1));
      last = rest;
    }
  }
}

TEST_CASE("small motions about straight rolling have the characteristic polynomial", "[tire]") {
  using S = long double;
  laws::Random<S> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{random_tire(random)};
    const S speed = test::of_any_sign(random);
    const auto slope = [&](const Vec<S, 4>& x) -> Vec<S, 4> {
      const auto state = rolling_state<S>(
          problem, {.psidot = speed, .thetadot = x[0], .qdot = x[3], .q = x[2], .epsilon = x[1]});
      auto rates = problem.make_rates();
      problem.rates(state, rates);
      return {rates.xidot[2], rates.zdot[0], state.xi[4], rates.xidot[4]};
    };
    const auto found = test::characteristic(test::linearised<4, S>(slope, S(1e-6L)));
    const auto said = problem.system().characteristic(speed);
    for (std::size_t k = 0; k < 5; ++k) CHECK(std::abs(found[k] - said[k]) < 1e-8L * (1 + std::abs(said[k])));
  }
}

TEST_CASE("the characteristic polynomial is the published one", "[tire]") {
  const GreidanusTire<> tire{{.axle = 0.6,
                              .yaw = 0.45,
                              .mass = 1.3,
                              .lateral_curvature = 0.7,
                              .drift_curvature = 1.2,
                              .lateral_stiffness = 5,
                              .torsional_stiffness = 2.7}};
  const double v = 1.5, slack = 5 - 1.3 * v * v * 0.7, jm = 0.45 * 1.3;
  const auto c = tire.characteristic(v);
  CHECK(c[0] == 1);
  CHECK(c[1] == Approx(v * 1.2));
  CHECK(c[2] == Approx((0.45 * slack + 1.3 * 2.7) / jm));
  CHECK(c[3] == Approx(0.45 * v * 1.2 * 5 / jm));
  CHECK(c[4] == Approx(2.7 * slack / jm));
}

TEST_CASE("virtual displacements of Greidanus's tyre are those of its patch", "[tire]") {
  // δx = δψ e and δθ = δε with y = x − qN, as a difference, against the rows on g⁻¹δg.
  laws::Random<double> random;
  const GreidanusTire<> tire{{}};
  for (int i = 0; i < 20; ++i) {
    const auto g = test::place<2>(random);
    const auto& angles = g.second().coordinates();
    const double h = 1e-5, psi = h * random(), q = h * random(), twist = h * random();
    const auto middle = [](const Vec<double, 2>& x, double theta, double deflection) -> Vec<double, 2> {
      return x - deflection * Vec<double, 2>(-std::sin(theta), std::cos(theta));
    };
    const double theta = g.first().angle();
    const Vec<double, 2> along(std::cos(theta), std::sin(theta));
    const Vec<double, 2> x = g.first().act({0, angles[1]});
    CHECK((middle(x, theta, angles[1]) - g.first().translation()).norm() < 1e-15);
    const Vec<double, 2> y = middle(x + psi * along, theta + twist, angles[1] + q);
    const Product<SE2d, Rn<double, 2>> moved{SE2d(y[0], y[1], theta + twist),
                                             Rn<double, 2>(angles + Vec<double, 2>(psi, q))};
    Vec<double, 6> displacement;
    displacement << (g.inverse() * moved).log(), twist;
    CHECK(displacement.norm() > 0.1 * h);
    CHECK((tire.variational(g) * displacement).norm() < 10 * h * h);
  }
}

TEST_CASE("a wheel at rest on Greidanus's tyre has rates", "[tire]") {
  const LagrangeDAlembert problem{GreidanusTire<>{{.lateral_stiffness = 4, .torsional_stiffness = 2}}};
  const auto state =
      rolling_state(problem, {.psidot = 0, .thetadot = 0.3, .qdot = -0.2, .q = 0.1, .epsilon = 0.4});
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const auto expected = by_hand(problem.system(), state);
  CHECK((rates.xidot - expected.xidot).norm() < 1e-14);
  CHECK(rates.zdot[0] == Approx(0.3));
}

/// The largest |q| from `from` on, and what the energy monitor says, of a run that starts with a small deflection.
struct Run {
  double early = 0, late = 0, energy_gain = 0, balance = 0;
};
Run wobble(const GreidanusTire<>& tire, double speed, double until) {
  const LagrangeDAlembert problem{tire};
  auto state = rolling_state(problem, {.psidot = speed, .q = 1e-3});
  analysis::EnergyMonitor monitor{problem};
  Run run;
  drive(DormandPrince54{}, problem, state, {.step = 0.01, .until = until}, monitor,
        [&](const auto&, const auto& at) {
          const double q = std::abs(at.g.second().coordinates()[1]);
          if (at.time < 5) run.early = std::max(run.early, q);
          if (at.time > until - 5) run.late = std::max(run.late, q);
        });
  run.energy_gain = monitor.last().energy - monitor.entries().front().energy;
  run.balance = monitor.balance_error();
  return run;
}

TEST_CASE("without damping sideways the lateral oscillation grows, and takes its energy from nowhere",
          "[tire]") {
  GreidanusTire<>::Parameters p{.axle = 0.5,
                                .yaw = 0.25,
                                .mass = 1,
                                .lateral_curvature = 0.5,
                                .drift_curvature = 1,
                                .lateral_stiffness = 50,
                                .torsional_stiffness = 2};
  const Run unstable = wobble(GreidanusTire<>{p}, 2, 65);
  const double rate = std::log(unstable.late / unstable.early) / 60;
  CHECK(rate == Approx(1 * 0.5 * 1 * 8 / (2 * 50.0)).epsilon(0.1));
  CHECK(unstable.energy_gain > 1e-5);
  CHECK(unstable.balance < 1e-9);
  p.lateral_stiffness = 5;  // Mk_ε > Jk_q, k_q > MaV², k_ε > JaV²
  const Run stable = wobble(GreidanusTire<>{p}, 2, 65);
  CHECK(stable.late < 0.1 * stable.early);
}

TEST_CASE("impossible tyres of Greidanus are refused, by name and value", "[tire]") {
  using Parameters = GreidanusTire<>::Parameters;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH((GreidanusTire<>{{.yaw = -1}}), ContainsSubstring("GreidanusTire: yaw = -1"));
  CHECK_THROWS_WITH((GreidanusTire<>{{.lateral_stiffness = -2}}),
                    ContainsSubstring("GreidanusTire: lateral_stiffness = -2"));
  const auto refused = [](double Parameters::*member, double value) {
    Parameters p;
    p.*member = value;
    CHECK_THROWS_AS(GreidanusTire<>{p}, std::invalid_argument);
  };
  for (const double bad : {nan, infinity, -infinity}) {
    for (const auto member :
         {&Parameters::axle, &Parameters::yaw, &Parameters::mass, &Parameters::lateral_curvature,
          &Parameters::drift_curvature, &Parameters::lateral_stiffness, &Parameters::torsional_stiffness})
      refused(member, bad);
  }
  for (const auto member : {&Parameters::axle, &Parameters::yaw, &Parameters::mass}) refused(member, 0.0);
  CHECK_NOTHROW((GreidanusTire<>{{.lateral_curvature = -1, .drift_curvature = 0}}));
}

}  // namespace greidanus_tire_test
