#include <dalembert/systems/pendulum.hpp>

#include <cmath>
#include <stdexcept>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace pendulum_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::Pendulum;

static_assert(NonholonomicSystem<Pendulum<double>> && NonholonomicSystem<Pendulum<long double>>);

TEST_CASE("a pendulum turns as its rod says", "[pendulum]") {
  const Pendulum<> pendulum{{.mass = 2, .length = 1.5, .gravity = 3}};
  const LagrangeDAlembert problem{pendulum};
  const double phi = 0.7, turning = -1.3;
  const Vec<double, 2> around(-1.5 * std::sin(phi), 1.5 * std::cos(phi));
  const auto state = problem.state(pendulum.at_angle(phi), turning * around);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  CHECK(rates.lambda[0] == Approx(2 * 3 * std::sin(phi) - 2 * 1.5 * turning * turning));
  CHECK(rates.xidot.dot(around) / (1.5 * 1.5) == Approx(-3 / 1.5 * std::cos(phi)));
}

TEST_CASE("momentum and mass of a pendulum are derivatives of its Lagrangian", "[pendulum]") {
  laws::check_closed_forms(
      Pendulum<>{{.mass = 2, .length = 1.5, .gravity = 3}},
      StateOf<Pendulum<>>{.g = Rn<double, 2>(Vec<double, 2>(0.4, -0.9)), .xi = {0.3, -0.8}});
}

TEST_CASE("a pendulum keeps its length and its period for small swings", "[pendulum]") {
  const Pendulum<> pendulum{{.mass = 1, .length = 0.8, .gravity = 9.81}};
  const LagrangeDAlembert problem{pendulum};
  const double down = -static_cast<double>(pi) / 2, swing = 1e-3;
  auto state = problem.state(pendulum.at_angle(down + swing), {0, 0});
  const double period = 2 * static_cast<double>(pi) * std::sqrt(0.8 / 9.81) * (1 + swing * swing / 16);
  drive(RungeKutta4{}, problem, state, {.step = period / 400, .until = period});
  CHECK(problem.constraint(state).position < 1e-12);
  CHECK(std::abs(state.g.coordinates()[0] - 0.8 * std::sin(swing)) < 1e-10);
  CHECK(std::abs(state.xi[0]) < 1e-9);
}

TEST_CASE("impossible pendulums, and a mass in the pivot, are refused", "[pendulum]") {
  CHECK_THROWS_WITH((Pendulum<>{{.length = -1}}), ContainsSubstring("Pendulum: length = -1"));
  CHECK_THROWS_WITH((Pendulum<>{{.mass = 0}}), ContainsSubstring("Pendulum: mass = 0"));
  CHECK_THROWS_AS((Pendulum<>{{.gravity = std::nan("")}}), std::invalid_argument);
  const LagrangeDAlembert problem{Pendulum<>{{}}};
  auto rates = problem.make_rates();
  CHECK_THROWS_AS(problem.rates(problem.state(Rn<double, 2>(), {1, 0}), rates), InvalidState);
}

}  // namespace pendulum_test
