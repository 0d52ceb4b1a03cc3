#include <dalembert/systems/pendulum_driver.hpp>

#include <cmath>
#include <limits>

#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/catch.hpp"

namespace pendulum_driver_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::PendulumDriver;

static_assert(NonholonomicSystem<PendulumDriver<double>> && NonholonomicSystem<PendulumDriver<long double>>);

template <class S>
PendulumDriver<S> some_driver(laws::Random<S>& random) {
  return PendulumDriver<S>{{.ratio_mean = random(),
                            .ratio_cosine = random(),
                            .ratio_sine = random(),
                            .ratio_third = random(),
                            .ratio_phase = random(),
                            .potential_cosine = random(),
                            .potential_sine = random()}};
}

template <class S>
auto some_state(const LagrangeDAlembert<PendulumDriver<S>>& problem, laws::Random<S>& random) {
  const Vec<S, 3> q = 2 * random.template vector<3>();
  const S zdot = random();
  return problem.state(Rn<S, 3>(q), {-problem.system().ratio(q[2]) * zdot, zdot, 2 * random()});
}

/// (3), from the coefficients.
template <class System, class State, class S = ScalarOf<System>>
laws::Expected<System> oracle(const System& driver, const State& at) {
  const auto& p = driver.parameters();
  const Vec<S, 3>& q = at.g.coordinates();
  const S third = 3 * q[2] + p.ratio_phase;
  const S f = p.ratio_mean + p.ratio_cosine * std::cos(q[2]) + p.ratio_sine * std::sin(2 * q[2]) +
              p.ratio_third * std::cos(third);
  const S slope = -p.ratio_cosine * std::sin(q[2]) + 2 * p.ratio_sine * std::cos(2 * q[2]) -
                  3 * p.ratio_third * std::sin(third);
  const S torque = p.potential_cosine * std::sin(q[2]) - 2 * p.potential_sine * std::cos(2 * q[2]);
  const S lambda = (q[0] + 2 * f * q[1] - slope * at.xi[2] * at.xi[1]) / (1 + f * f);
  return {.xidot = {lambda - q[0], f * lambda - 2 * q[1], torque}, .lambda = Vec<S, 1>(lambda)};
}

TEMPLATE_TEST_CASE("the assembler gives the driver's own equations at random states", "[driver]", double,
                   long double) {
  using S = TestType;
  using System = PendulumDriver<S>;
  laws::check_rates<System>(some_driver<S>, some_state<S>,
                            [](const System& driver, const auto& at) { return oracle(driver, at); });
}

TEMPLATE_TEST_CASE("the driver's closed forms and powers are right", "[driver]", double, long double) {
  using S = TestType;
  laws::Random<S> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{some_driver<S>(random)};
    auto state = some_state<S>(problem, random);
    laws::check_energy_rate(problem, state);
    const auto& driver = problem.system();
    CHECK(static_cast<double>(driver.driven_energy(state.g, state.xi) +
                              driver.driver_energy(state.g, state.xi)) ==
          Approx(static_cast<double>(problem.energy(state))));
    state.xi = random.template vector<3>();
    laws::check_closed_forms(driver, state);
  }
}

TEST_CASE("without coefficients it is the published driver", "[driver]") {
  const PendulumDriver<> driver;
  const double theta = 0.7;
  CHECK(driver.ratio(theta) ==
        Approx(0.5 + std::cos(theta) + 0.7 * std::sin(2 * theta) + 0.5 * std::cos(3 * theta + 1)));
  CHECK(driver.potential(theta) == Approx(0.8 * std::cos(theta) + 0.3 * std::sin(2 * theta)));
}

TEST_CASE("coefficients that are not finite are refused, by name", "[driver]") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_WITH((PendulumDriver<>{{.ratio_mean = bad}}),
                      ContainsSubstring("PendulumDriver: ratio_mean"));
    CHECK_THROWS_WITH((PendulumDriver<>{{.ratio_third = bad}}), ContainsSubstring("ratio_third"));
    CHECK_THROWS_WITH((PendulumDriver<>{{.potential_sine = bad}}), ContainsSubstring("potential_sine"));
  }
}

}  // namespace pendulum_driver_test
