#include <dalembert/analysis/order.hpp>

#include <cmath>
#include <stdexcept>

#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace order_test {

using namespace dalembert;
using analysis::fit_order;
using analysis::observed_order;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("errors that are a power of the step have that order", "[order]") {
  const auto fit = fit_order<double>(
      {0.4, 0.1, 0.2, 0.05},
      {3 * std::pow(0.4, 2.5), 3 * std::pow(0.1, 2.5), 3 * std::pow(0.2, 2.5), 3 * std::pow(0.05, 2.5)});
  CHECK(fit.order == Approx(2.5).epsilon(1e-13));
  CHECK(fit.constant == Approx(3).epsilon(1e-13));
  CHECK(fit.scatter < 1e-13);
  for (const double order : fit.local()) CHECK(order == Approx(2.5).epsilon(1e-13));
  // One error that is twice too large shows in the scatter.
  const auto off = fit_order<double>({0.4, 0.2, 0.1}, {0.16, 0.08, 0.01});
  CHECK(off.order == Approx(2).epsilon(1e-13));
  CHECK(off.scatter == Approx(2.0 / 3).epsilon(1e-13));
  CHECK(off.local()[0] == Approx(1).epsilon(1e-13));
  CHECK(off.local()[1] == Approx(3).epsilon(1e-13));
}

TEST_CASE("methods show the order that they declare", "[order]") {
  const LagrangeDAlembert problem{systems::ChaplyginSleigh<>{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}};
  const auto start = problem.state(SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7});
  const analysis::OrderOptions<double> options{.until = 1.0, .steps = {1.0 / 16, 1.0 / 32, 1.0 / 64}};
  const auto four = observed_order(RungeKutta4{}, problem, start, options);
  CHECK(std::abs(four.order - RungeKutta4::order) < 0.15);
  CHECK(four.scatter < 0.1);
  REQUIRE(four.errors.size() == 3);
  CHECK(four.errors[0] > 10 * four.errors[1]);
  const auto five = observed_order(DormandPrince54{.project = true}, problem, start, options);
  CHECK(std::abs(five.order - DormandPrince54::order) < 0.15);
}

TEST_CASE("the distance and the reference may be the user's own", "[order]") {
  const test::Pendulum problem{.stiffness = 2.25, .harmonic = true};
  const test::Pendulum::State start{.time = 0.5, .q = 1};
  const double until = 1.5, w = 1.5;
  const test::Pendulum::State exact{.time = until, .q = std::cos(w), .v = -w * std::sin(w)};
  const auto distance = [](const test::Pendulum&, const auto& a, const auto& b) {
    return std::abs(a.q - b.q);
  };
  const analysis::OrderOptions<double> options{.until = until, .steps = {0.1, 0.05, 0.04}};
  CHECK(std::abs(observed_order(RungeKutta4{}, problem, start, exact, options, distance).order - 4) < 0.15);
  CHECK(std::abs(observed_order(RungeKutta4{}, problem, start, options, distance).order - 4) < 0.15);
  // Against a wrong reference nothing converges.
  CHECK(std::abs(observed_order(RungeKutta4{}, problem, start, start, options, distance).order) < 0.1);
}

TEST_CASE("runs that show no order are refused", "[order]") {
  const test::Pendulum problem;
  const auto distance = [](const test::Pendulum&, const auto& a, const auto& b) {
    return std::abs(a.q - b.q);
  };
  const auto run = [&](const analysis::OrderOptions<double>& options) {
    return observed_order(RungeKutta4{}, problem, {.q = 1}, options, distance);
  };
  CHECK_THROWS_WITH(run({.until = 1.0, .steps = {0.3, 0.1}}),
                    ContainsSubstring("OrderOptions: step = 0.3, but"));
  CHECK_THROWS_WITH(run({.until = 1.0, .steps = {0.1}}), ContainsSubstring("ObservedOrder: steps = 1"));
  CHECK_THROWS_WITH(run({.until = 1.0, .steps = {0.1, 0.1}}), ContainsSubstring("must not all be the same"));
  CHECK_THROWS_WITH(run({.until = 1.0, .steps = {}}), ContainsSubstring("OrderOptions: steps = 0"));
  CHECK_THROWS_WITH(fit_order<double>({0.1, 0.2}, {0.0, 1.0}), ContainsSubstring("ObservedOrder: error = 0"));
  CHECK_THROWS_AS(fit_order<double>({0.1, 0.2}, {1.0}), std::invalid_argument);
  // A pendulum at rest has no error.
  CHECK_THROWS_AS(
      observed_order(RungeKutta4{}, problem, {.q = 0}, {.until = 1.0, .steps = {0.1, 0.2}}, distance),
      std::invalid_argument);
}

}  // namespace order_test
