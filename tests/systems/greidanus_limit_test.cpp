#include <dalembert/systems/greidanus_limit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/greidanus_tire.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"
#include "support/tires.hpp"

namespace greidanus_limit_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::GreidanusLimit;
using systems::GreidanusTire;

static_assert(NonholonomicSystem<GreidanusLimit<double>> && NonholonomicSystem<GreidanusLimit<long double>>);

template <class S>
GreidanusLimit<S> random_tire(laws::Random<S>& random) {
  typename GreidanusLimit<S>::Parameters p;
  for (S* const value : {&p.axle, &p.yaw, &p.mass, &p.stiffness, &p.curvature}) *value = random.positive();
  return GreidanusLimit<S>{p};
}

template <class S>
auto rolling_state(const LagrangeDAlembert<GreidanusLimit<S>>& problem, S psidot, S thetadot, S epsilon) {
  return problem.state({SE2<S>(S(0.3), S(-0.7), S(1.9)), Rn<S, 1>()},
                       problem.system().rolling(psidot, thetadot, epsilon), Vec<S, 1>(epsilon));
}

template <class S>
auto random_state(const LagrangeDAlembert<GreidanusLimit<S>>& problem, laws::Random<S>& random) {
  const S psidot = 2 * random(), thetadot = random(), epsilon = random.between(S(-1.5), S(1.5));
  auto state = rolling_state(problem, psidot, thetadot, epsilon);
  state.g = test::place<1>(random);
  return state;
}

TEST_CASE("a tire that is told nothing has all its parameters at one", "[tire]") {
  const GreidanusLimit<double>::Parameters p;
  for (const double value : {p.axle, p.yaw, p.mass, p.stiffness, p.curvature}) CHECK(value == 1);
}

/// (5), with u̇ and v̇ by (2), and the reactions.
template <class S>
laws::Expected<GreidanusLimit<S>> by_hand(const GreidanusLimit<S>& tire,
                                          const typename LagrangeDAlembert<GreidanusLimit<S>>::State& state) {
  const auto& p = tire.parameters();
  const S epsilon = state.z[0], omega = state.xi[2], psidot = state.xi[3];
  const S c = std::cos(epsilon), s = std::sin(epsilon), bend = psidot * p.curvature * epsilon;
  const S psiddot = -p.mass * psidot * bend * s / (p.axle + p.mass * c);
  const S epsilon_rate = omega - bend;
  laws::Expected<GreidanusLimit<S>> expected;
  expected.xidot << psiddot * c - psidot * s * epsilon_rate, -psiddot * s - psidot * c * epsilon_rate,
      -p.stiffness * epsilon / p.yaw, psiddot;
  expected.zdot << epsilon_rate;
  expected.lambda =
      Vec<S, 3>(-p.axle * psiddot, p.mass * (psidot * c * bend - psiddot * s), -p.stiffness * epsilon);
  return expected;
}

TEMPLATE_TEST_CASE("the assembler gives the limit's equations at random states", "[tire]", double,
                   long double) {
  using S = TestType;
  laws::check_rates<GreidanusLimit<S>>(random_tire<S>, random_state<S>, by_hand<S>);
}

TEST_CASE("momentum, mass and powers of the limit are consistent", "[tire]") {
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{random_tire(random)};
    const auto state = random_state(problem, random);
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("the limit loses energy running forwards and gains it running backwards", "[tire]") {
  using S = long double;
  const LagrangeDAlembert problem{
      GreidanusLimit<S>{{.axle = 0.6L, .yaw = 0.45L, .mass = 1.3L, .stiffness = 2.7L, .curvature = 1.2L}}};
  const auto& p = problem.system().parameters();
  for (const S psidot : {3.1L, -3.1L}) {
    S last = 0;
    for (const S epsilon : {0.1L, 0.05L, 0.025L}) {
      const auto state = rolling_state<S>(problem, psidot, -0.4L, epsilon);
      auto rates = problem.make_rates();
      problem.rates(state, rates);
      const S power = problem.power(state, rates).constraint;
      const S leading = -(p.mass * psidot * psidot + p.stiffness) * epsilon * (state.xi[2] - rates.zdot[0]);
      CHECK(power * psidot < 0);
      const S rest = std::abs(power - leading);
      if (last > 0) CHECK(static_cast<double>(std::log2(last / rest)) == Approx(4).margin(0.05));
      last = rest;
    }
  }
}

/// The largest difference in (ψ, θ, ε, ψ̇, place) at t = 1 between the tyre with stiffness k_q and its limit.
double distance_from_limit(double lateral_stiffness) {
  const GreidanusTire<> tire{{.axle = 0.6,
                              .yaw = 0.45,
                              .mass = 1.3,
                              .lateral_curvature = 0.7,
                              .drift_curvature = 1.2,
                              .lateral_stiffness = lateral_stiffness,
                              .torsional_stiffness = 2.7}};
  const double psidot = 2, thetadot = -0.4, epsilon = 0.25;
  const double q = 1.3 * psidot * psidot * 1.2 * epsilon / lateral_stiffness;
  const LagrangeDAlembert full{tire};
  const LagrangeDAlembert limit{tire.limit()};
  auto a = full.state({SE2d::identity(), Rn<double, 2>(Vec<double, 2>(0, q))},
                      tire.rolling(psidot, thetadot, 0, q, epsilon), Vec<double, 1>(epsilon));
  auto b = limit.state({SE2d::identity(), Rn<double, 1>()}, limit.system().rolling(psidot, thetadot, epsilon),
                       Vec<double, 1>(epsilon));
  drive(DormandPrince54{}, full, a, {.step = 1e-3, .until = 1.0});
  drive(DormandPrince54{}, limit, b, {.step = 1e-2, .until = 1.0});
  return std::max({std::abs(a.z[0] - b.z[0]), std::abs(a.xi[3] - b.xi[3]), std::abs(a.xi[2] - b.xi[2]),
                   std::abs(a.g.second().coordinates()[0] - b.g.second().coordinates()[0]),
                   (a.g.first().inverse() * b.g.first()).log().norm()});
}

TEST_CASE("the stiff tyre tends to the limit like 1/k", "[tire]") {
  double last = 0;
  for (const double k : {1e3, 2e3, 4e3, 8e3}) {
    const double now = distance_from_limit(k);
    CAPTURE(k, now);
    if (last > 0) CHECK(std::log2(last / now) == Approx(1).margin(0.15));
    last = now;
  }
  CHECK(last < 1e-2);
  CHECK(last > 1e-6);
}

TEST_CASE("impossible limits are refused, by name and value", "[tire]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH((GreidanusLimit<>{{.mass = -1}}), ContainsSubstring("GreidanusLimit: mass = -1"));
  CHECK_THROWS_AS((GreidanusLimit<>{{.axle = 0}}), std::invalid_argument);
  CHECK_THROWS_AS((GreidanusLimit<>{{.yaw = nan}}), std::invalid_argument);
  CHECK_THROWS_AS((GreidanusLimit<>{{.stiffness = -1}}), std::invalid_argument);
  CHECK_THROWS_AS((GreidanusLimit<>{{.curvature = nan}}), std::invalid_argument);
  CHECK_NOTHROW((GreidanusLimit<>{{.stiffness = 0, .curvature = -1}}));
}

}  // namespace greidanus_limit_test
