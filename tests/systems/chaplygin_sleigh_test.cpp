#include <dalembert/systems/chaplygin_sleigh.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace chaplygin_sleigh_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::ChaplyginSleigh;

static_assert(NonholonomicSystem<ChaplyginSleigh<double>> &&
              NonholonomicSystem<ChaplyginSleigh<long double>>);

TEMPLATE_TEST_CASE("the assembler gives the sleigh's own equations at random states", "[sleigh]", double,
                   long double) {
  using S = TestType;
  std::mt19937 engine(test::seed());
  std::normal_distribution<S> normal;
  std::uniform_real_distribution<S> positive(S(0.2), S(3));
  for (int i = 0; i < 1000; ++i) {
    const S m = positive(engine), inertia = positive(engine), a = normal(engine), k = inertia + m * a * a;
    const LagrangeDAlembert problem{ChaplyginSleigh<S>{{.mass = m, .inertia = inertia, .offset = a}}};
    const S u = normal(engine), omega = normal(engine);
    const auto state =
        problem.state(SE2<S>(normal(engine), normal(engine), normal(engine)), {u, S(0), omega});
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const S tolerance = std::is_same_v<S, double> ? S(1e-12) : S(1e-15);
    CHECK(std::abs(rates.xidot[0] - a * omega * omega) <= tolerance * (1 + std::abs(rates.xidot[0])));
    CHECK(std::abs(rates.xidot[1]) <= tolerance * (1 + std::abs(rates.xidot[0])));
    CHECK(std::abs(rates.xidot[2] + (m * a / k) * u * omega) <= tolerance * (1 + std::abs(rates.xidot[2])));
    const S lambda = inertia * m / k * u * omega;
    CHECK(std::abs(rates.lambda[0] - lambda) <= tolerance * (1 + std::abs(lambda)));
  }
}

TEST_CASE("momentum and mass are the derivatives of the Lagrangian", "[sleigh]") {
  const ChaplyginSleigh<> sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  laws::check_closed_forms(sleigh, StateOf<ChaplyginSleigh<>>{.xi = {0.3, -0.8, 1.9}});
}

/// d/dt of the closed form by a difference of fourth order, against (3).
void check_closed_form(const ChaplyginSleigh<long double>& sleigh,
                       const ChaplyginSleigh<long double>::Motion& start, long double t) {
  const auto& p = sleigh.parameters();
  const long double h = 1e-3L;
  const auto now = sleigh.exact(start, t);
  const auto slope = [&](auto member) {
    const auto at = [&](long double s) { return sleigh.exact(start, s).*member; };
    return (8 * (at(t + h) - at(t - h)) - (at(t + 2 * h) - at(t - 2 * h))) / (12 * h);
  };
  using Motion = ChaplyginSleigh<long double>::Motion;
  CAPTURE(p.offset, start.u, start.omega, t);
  CHECK(std::abs(slope(&Motion::u) - p.offset * now.omega * now.omega) < 1e-10L);
  CHECK(std::abs(slope(&Motion::omega) +
                 p.mass * p.offset / sleigh.inertia_about_blade() * now.u * now.omega) < 1e-10L);
  CHECK(std::abs(slope(&Motion::phi) - now.omega) < 1e-10L);
}

TEST_CASE("the closed form solves the equations, for every sign", "[sleigh]") {
  for (const long double a : {0.3L, -0.3L, 0.0L, 1e-5L})
    for (const long double u : {-0.8L, 0.0L, 0.6L})
      for (const long double omega : {0.9L, -0.9L, 0.0L}) {
        const ChaplyginSleigh<long double> sleigh{{.mass = 1.2L, .inertia = 0.7L, .offset = a}};
        const ChaplyginSleigh<long double>::Motion start{u, omega, 0.25L};
        const auto at_start = sleigh.exact(start, 0);
        CHECK(std::abs(at_start.u - u) < 1e-18L);
        CHECK(std::abs(at_start.omega - omega) < 1e-18L);
        CHECK(at_start.phi == 0.25L);
        for (const long double t : {-2.0L, 0.5L, 3.0L}) check_closed_form(sleigh, start, t);
      }
}

TEST_CASE("the closed form turns by the total turn, and survives long times", "[sleigh]") {
  const ChaplyginSleigh<> sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  REQUIRE(sleigh.total_turn() == Approx(16.0190422444141).epsilon(1e-14));
  const ChaplyginSleigh<>::Motion start{.u = 0, .omega = 1, .phi = 0};
  REQUIRE(sleigh.exact(start, 1e6).phi - sleigh.exact(start, -1e6).phi ==
          Approx(sleigh.total_turn()).epsilon(1e-14));
  REQUIRE(sleigh.exact(start, 1e300).u == Approx(std::sqrt(1.04)));
  REQUIRE(sleigh.exact({.u = 0, .omega = -1, .phi = 0}, 1e6).phi == Approx(-sleigh.total_turn() / 2));
  const ChaplyginSleigh<> pushed{{.mass = 1, .inertia = 1, .offset = -0.2}};
  REQUIRE(pushed.exact(start, 1e6).u == Approx(-std::sqrt(1.04)));
  REQUIRE(pushed.exact(start, 1e6).phi == Approx(sleigh.total_turn() / 2));
  REQUIRE(std::isinf(ChaplyginSleigh<>{{.mass = 1, .inertia = 1, .offset = 0}}.total_turn()));
}

TEST_CASE("a start almost at rest in turning keeps its digits", "[sleigh]") {
  const ChaplyginSleigh<> sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  const auto later = sleigh.exact({.u = -1, .omega = 1e-9, .phi = 0}, 10.0);
  // ω grows like exp(ma|u|/K t) while it is small.
  REQUIRE(later.omega == Approx(1e-9 * std::exp(0.2 / 1.04 * 10)).epsilon(1e-14));
  REQUIRE(later.u == -1.0);
}

TEST_CASE("the energy of the closed form is constant", "[sleigh]") {
  const ChaplyginSleigh<> sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  const LagrangeDAlembert problem{sleigh};
  const ChaplyginSleigh<>::Motion start{.u = -0.7, .omega = 1.1, .phi = 0};
  const double energy = problem.energy(problem.state(SE2d::identity(), {start.u, 0, start.omega}));
  for (double t = 0; t < 20; t += 1.3) {
    const auto now = sleigh.exact(start, t);
    REQUIRE(problem.energy(problem.state(SE2d::identity(), {now.u, 0, now.omega})) ==
            Approx(energy).epsilon(1e-14));
  }
}

TEST_CASE("impossible sleighs are refused, by name and value", "[sleigh]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH((ChaplyginSleigh<>{{.mass = -1}}), ContainsSubstring("ChaplyginSleigh: mass = -1"));
  CHECK_THROWS_WITH((ChaplyginSleigh<>{{.inertia = 0}}), ContainsSubstring("ChaplyginSleigh: inertia = 0"));
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    CHECK_THROWS_AS((ChaplyginSleigh<>{{.mass = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((ChaplyginSleigh<>{{.inertia = bad}}), std::invalid_argument);
  }
  CHECK_THROWS_AS((ChaplyginSleigh<>{{.offset = nan}}), std::invalid_argument);
  CHECK_THROWS_AS((ChaplyginSleigh<>{{.offset = infinity}}), std::invalid_argument);
  CHECK_NOTHROW((ChaplyginSleigh<>{{.mass = 1, .inertia = 1, .offset = -3}}));
}

}  // namespace chaplygin_sleigh_test
