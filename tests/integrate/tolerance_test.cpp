// What a tolerance buys: runs meet it, from 1e-4 to 1e-12, and are not much better than asked.

#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/pendulum.hpp"
#include "support/systems.hpp"

namespace tolerance_test {

using namespace dalembert;
using test::Pendulum;

/// The error of a run over its tolerance lies within a factor 10 of c, whatever the tolerance. A step's
/// estimate is that of the embedded method, larger than the error of the step itself by a factor that depends
/// on the problem and hardly on the tolerance; the errors of the steps are then carried to the end of the run.
/// For c see each case.
template <class M, class P, class Error>
void check_tolerances(const P& problem, const typename P::State& start, double until, double c,
                      const Error& error_of) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    auto state = start;
    const auto report = drive(M{}, problem, state, {.step = 0.01, .until = until, .tolerance = tolerance});
    const double error = error_of(state);
    CAPTURE(M::order, tolerance, error, report.steps, report.rejected);
    CHECK(error < 10 * c * tolerance);
    CHECK(error > c * tolerance / 10);
    CHECK(report.rejected <= 2 + report.steps / 8);
  }
}

TEST_CASE("an oscillator meets its tolerance: its errors add up, and none grows", "[tolerance]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  const double until = 10;
  const auto error = [&](const Pendulum::State& at) {
    return std::max(std::abs(at.q - std::cos(until)), std::abs(at.v + std::sin(until)));
  };
  check_tolerances<DormandPrince54>(problem, {.q = 1}, until, 1, error);
  check_tolerances<DormandPrince853>(problem, {.q = 1}, until, 1, error);
}

TEST_CASE("Chaplygin's sleigh meets its tolerance: it ends by running straight, which forgets errors",
          "[tolerance]") {
  const systems::ChaplyginSleigh sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  const LagrangeDAlembert problem{sleigh};
  const auto start = problem.state(SE2d(0.3, -0.2, 0.5), {-0.8, 0, 1.7});
  const double until = 5;
  const auto exact = sleigh.exact({-0.8, 1.7, 0.5}, until);
  const auto error = [&](const auto& at) {
    const double turn = at.g.angle() - exact.phi;
    return std::max({std::abs(at.xi[0] - exact.u), std::abs(at.xi[2] - exact.omega),
                     std::abs(std::remainder(turn, 2 * static_cast<double>(pi)))});
  };
  check_tolerances<DormandPrince54>(problem, start, until, 0.2, error);
  check_tolerances<DormandPrince853>(problem, start, until, 0.03, error);
}

TEST_CASE("a heavy top meets its tolerance: it tumbles, and errors grow some", "[tolerance]") {
  const LagrangeDAlembert problem{test::HeavyTop<>{}};
  const auto start = problem.state(SO3d::exp({0.3, -0.2, 0.5}), {1, 1.5, -2});
  auto truth = start;
  drive(DormandPrince853{}, problem, truth, {.step = 0.005, .until = 5.0});
  const auto error = [&](const auto& at) {
    return std::max((at.g.inverse() * truth.g).log().cwiseAbs().maxCoeff(),
                    (at.xi - truth.xi).cwiseAbs().maxCoeff());
  };
  check_tolerances<DormandPrince54>(problem, start, 5.0, 1, error);
  check_tolerances<DormandPrince853>(problem, start, 5.0, 1, error);
}

TEST_CASE("a relative tolerance bounds the error by the length of the path, and knows no unit",
          "[tolerance]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  const double until = 10, path = 2 * until;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    long steps = 0;
    for (const double unit : {1.0, 1e-9, 1e9}) {
      Pendulum::State state{.q = unit};
      const auto report = drive(DormandPrince853{}, problem, state,
                                {.step = 0.01, .until = until, .relative_tolerance = tolerance});
      CAPTURE(tolerance, unit, report.steps);
      CHECK(std::abs(state.q - unit * std::cos(until)) < tolerance * unit * path);
      CHECK(std::abs(state.q - unit * std::cos(until)) > 1e-4 * tolerance * unit * path);
      if (steps > 0) CHECK(report.steps == steps);
      steps = report.steps;
    }
  }
}

TEST_CASE("both tolerances together are laxer than either, and a system at rest may have none",
          "[tolerance]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  const auto steps = [&](double absolute, double relative, double q) {
    Pendulum::State state{.q = q};
    return drive(DormandPrince54{}, problem, state,
                 {.step = 0.01, .until = 10.0, .tolerance = absolute, .relative_tolerance = relative})
        .steps;
  };
  CHECK(steps(1e-8, 1e-8, 1) < steps(1e-8, 0, 1));
  CHECK(steps(1e-8, 1e-8, 1) < steps(0, 1e-8, 1));
  CHECK(steps(0, 1e-8, 0) < 10);
}

TEST_CASE("where stability limits the steps they do not alternate between accepted and rejected",
          "[tolerance]") {
  const LagrangeDAlembert problem{test::SlantedBlade<>{.drag = 60}};
  const auto check = [&](const auto& method, long most) {
    auto state = problem.state(SE2d(), {1, 0, 1});
    const auto report = drive(method, problem, state, {.step = 0.001, .until = 10.0, .tolerance = 1e-6});
    CAPTURE(report.steps, report.rejected);
    CHECK(report.steps > 100);
    CHECK(report.steps < most);
    CHECK(report.rejected < 6);
  };
  check(DormandPrince54{}, 400);
  check(DormandPrince853{}, 250);
}

TEST_CASE("the controller aims at 0.9 of the step that the tolerance allows", "[tolerance]") {
  for (const int order : {2, 5, 8}) {
    StepControl<double> control(order);
    double h = 1e-3;  // the error is (h/h*)^order, h* = 1
    int tries = 0;
    for (; tries < 40; ++tries) {
      const double error = std::pow(h, order);
      h *= error <= 1 ? control.accepted(error) : control.rejected(error);
    }
    CHECK(h == Approx(0.9).epsilon(1e-6));
  }
  StepControl<double> control(5);
  const double target = std::pow(0.9, 5);
  CHECK(control.accepted(0.7) == Approx(std::pow(target / 0.7, 0.2)));
  CHECK(control.accepted(0.3) == Approx(std::pow(target / 0.3, 0.17) * std::pow(0.7 / target, 0.04)));
  CHECK(control.accepted(0.3) == Approx(std::pow(target / 0.3, 0.13)));
  CHECK(control.accepted(1e-4) > 1);
  CHECK(control.accepted(0.3) == Approx(std::pow(target / 0.3, 0.17) * std::pow(0.01, 0.04)));
  control.reset();
  CHECK(control.accepted(0.3) == Approx(std::pow(target / 0.3, 0.2)));
  CHECK(control.accepted(0) == 5);
  CHECK(control.rejected(std::numeric_limits<double>::infinity()) == 0.25);
  CHECK(control.rejected(std::numeric_limits<double>::quiet_NaN()) == 0.25);
  CHECK(control.rejected(1e30) == 0.1);
  CHECK(control.rejected(1.0000001) == Approx(0.9));
}

TEST_CASE("a short first step is outgrown at once", "[tolerance]") {
  const Pendulum problem{.stiffness = 1, .harmonic = true};
  const auto steps = [&](double first) {
    Pendulum::State state{.q = 1};
    return drive(DormandPrince853{}, problem, state, {.step = first, .until = 10.0, .tolerance = 1e-8}).steps;
  };
  CHECK(steps(1e-6) < steps(0.5) + 14);
}

}  // namespace tolerance_test
