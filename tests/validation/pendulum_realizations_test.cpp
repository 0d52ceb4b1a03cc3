// A pendulum whose rod is friction, a spring or an inertia: against trajectories computed in quadruple precision, and how each leaves
// the constrained motion in the end.

#include <algorithm>
#include <cmath>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/friction.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/mechanics/stiff_realization.hpp>
#include <dalembert/systems/pendulum.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"

namespace pendulum_realizations_test {

using namespace dalembert;

const systems::Pendulum<> pendulum{{.mass = 1, .length = 1, .gravity = 9.81}};

template <class Problem>
auto start_of(const Problem& problem, double degrees) {
  const double phi = degrees * static_cast<double>(pi) / 180;
  return problem.state(pendulum.at_angle(phi), {0, 0});
}

/// The largest error against the sets of a reference.
template <class System>
double error_against(const char* name, const System& system) {
  const auto sets = test::data("pendulum_realizations.json")[name]["sets"];
  REQUIRE(sets.size() == 2);
  const LagrangeDAlembert problem{system};
  double error = 0;
  for (const auto& set : sets) {
    REQUIRE(set["params"]["eps"] == 0.01);
    const auto times = set["times"].template get<std::vector<double>>();
    const auto states = set["states"].template get<std::vector<std::vector<double>>>();
    REQUIRE(times.back() == 10);
    const auto& y = states.front();
    auto state = problem.state(Rn<double, 2>(Vec<double, 2>(y[0], y[1])), {y[2], y[3]});
    for (std::size_t i = 1; i < times.size(); ++i) {
      drive(DormandPrince853{}, problem, state, {.step = 2e-3, .until = times[i]});
      for (int j = 0; j < 2; ++j) {
        const auto row = static_cast<std::size_t>(j);
        error = std::max({error, std::abs(state.g.coordinates()[j] - states[i][row]),
                          std::abs(state.xi[j] - states[i][row + 2])});
      }
    }
  }
  return error;
}

TEST_CASE("three realisations of a pendulum follow their references to 1e-8", "[validation][realization]") {
  CHECK(error_against("pendulum_friction", with_friction(pendulum, 1.0, 0.01)) < 1e-8);
  CHECK(error_against("pendulum_potential", with_potential(pendulum, 0.01)) < 1e-8);
  CHECK(error_against("pendulum_inertia", with_inertia(pendulum, 0.01)) < 1e-8);
}

/// How far two integrators that have nothing in common end from each other.
template <class System>
double disagreement(const System& system, double degrees) {
  const LagrangeDAlembert problem{system};
  auto explicitly = start_of(problem, degrees);
  auto implicitly = explicitly;
  drive(DormandPrince853{}, problem, explicitly, {.step = 5e-4, .until = 3.0});
  drive(Radau<3>{}, problem, implicitly, {.step = 1e-3, .until = 3.0});
  return std::max((explicitly.g.coordinates() - implicitly.g.coordinates()).cwiseAbs().maxCoeff(),
                  (explicitly.xi - implicitly.xi).cwiseAbs().maxCoeff());
}

TEST_CASE("at a tenth of that ε two integrators agree to 1e-8", "[validation][realization]") {
  for (const double degrees : {45.0, -45.0}) {
    CHECK(disagreement(with_friction(pendulum, 1.0, 1e-3), degrees) < 1e-8);
    CHECK(disagreement(with_potential(pendulum, 1e-3), degrees) < 1e-8);
    CHECK(disagreement(with_inertia(pendulum, 1e-3), degrees) < 1e-8);
  }
}

/// The largest distance of the mass from the unit circle in a run, and where it ends.
struct Excursion {
  double largest = 0;
  double at_end = 0;
  double height = 0;
};
template <class System>
Excursion excursion(const System& system, double until) {
  const LagrangeDAlembert problem{system};
  auto state = start_of(problem, -45);
  Excursion seen;
  drive(RungeKutta4{}, problem, state, {.step = 2e-3, .until = until}, [&](const auto&, const auto& at) {
    seen.at_end = at.g.coordinates().norm() - 1;
    seen.largest = std::max(seen.largest, std::abs(seen.at_end));
    seen.height = at.g.coordinates()[1];
  });
  return seen;
}

TEST_CASE("for long a spring stays, friction slides down and inertia drifts away",
          "[validation][realization]") {
  const double epsilon = 0.01;
  // Energy bounds the spring: ½(r − 1)²/ε ≤ E − γy, so |r − 1| has a bound for all times.
  const double drop = 9.81 * (1 - std::sqrt(0.5));  // from 45° to below the bottom
  const double bound = 9.81 * epsilon + std::sqrt(std::pow(9.81 * epsilon, 2) + 2 * epsilon * drop);
  for (const double until : {10.0, 40.0})
    CHECK(excursion(with_potential(pendulum, epsilon), until).largest < bound);
  CHECK(excursion(with_potential(pendulum, epsilon), 40.0).largest > bound / 10);

  // Friction comes to hang nearly straight down and gives way there: ṙ → εγ.
  const auto slid = excursion(with_friction(pendulum, 1.0, epsilon), 40.0);
  const auto further = excursion(with_friction(pendulum, 1.0, epsilon), 60.0);
  CHECK(slid.at_end > 40 * epsilon * 9.81 * 0.9);
  CHECK(further.at_end - slid.at_end == Approx(20 * epsilon * 9.81).epsilon(0.02));
  CHECK(further.height == Approx(-1 - further.at_end).epsilon(1e-2));

  // Inertia is pushed outwards all the time, and gathers speed: r grows like t², not like t.
  const auto drifted = excursion(with_inertia(pendulum, epsilon), 10.0);
  const auto away = excursion(with_inertia(pendulum, epsilon), 40.0);
  CHECK(drifted.at_end > 1);
  CHECK(away.at_end > 10 * drifted.at_end);
}

TEST_CASE("the friction of a pendulum is no constraint for ever", "[validation][realization]") {
  // Over a fixed time the mass is nearer to the circle for a smaller ε; over a time 1/ε it is as far off for every ε.
  const auto distance = [](double epsilon, double until) {
    return excursion(with_friction(pendulum, 1.0, epsilon), until).largest;
  };
  const double coarse = distance(0.02, 2.0), fine = distance(0.01, 2.0);
  CHECK(std::log2(coarse / fine) == Approx(1).margin(0.1));
  CHECK(distance(0.02, 0.2 / 0.02) > 1);
  CHECK(distance(0.01, 0.2 / 0.01) > 1);
  CHECK(distance(0.005, 0.2 / 0.005) > 1);
}

TEST_CASE("a pendulum under friction falls onto its slow motion", "[validation][realization]") {
  // ṙ = ε(rφ̇² − γ sin φ) + 3ε²γφ̇ cos φ + ε³(3γ² cos²φ/r + 3rφ̇⁴) + …
  const auto defect = [](double epsilon, int order) {
    const LagrangeDAlembert problem{with_friction(pendulum, 1.0, epsilon)};
    auto state = start_of(problem, -45);
    drive(Radau<3>{}, problem, state, {.step = 2e-3, .until = 0.5});
    const Vec<double, 2>& q = state.g.coordinates();
    const double r = q.norm(), sine = q[1] / r, cosine = q[0] / r, g = 9.81;
    const double along = q.dot(state.xi) / r, turning = (q[0] * state.xi[1] - q[1] * state.xi[0]) / (r * r);
    double slow = epsilon * (r * turning * turning - g * sine);
    if (order > 1) slow += 3 * std::pow(epsilon, 2) * g * turning * cosine;
    if (order > 2)
      slow += std::pow(epsilon, 3) * (3 * g * g * cosine * cosine / r + 3 * r * std::pow(turning, 4));
    return std::abs(along - slow);
  };
  for (const int order : {1, 2, 3})
    CHECK(std::log2(defect(0.004, order) / defect(0.002, order)) == Approx(order + 1).margin(0.25));
}

}  // namespace pendulum_realizations_test
