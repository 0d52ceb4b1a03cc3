#include <dalembert/integrate/detail/step_control.hpp>

#include <cmath>
#include <limits>

#include "support/catch.hpp"

namespace step_control_test {

using namespace dalembert;

/// r of the head of step_control.hpp.
double relative(double error) { return error / std::pow(0.9, 5); }
/// The factor of a step with nothing before it to go by.
double alone(double error) { return std::pow(relative(error), -1 / 5.0); }

TEST_CASE("a step is nine tenths of what its error allows, and remembers the one before it",
          "[step_control]") {
  StepControl<double> control(5);
  CHECK(control.accepted(0.3) == Approx(alone(0.3)).epsilon(1e-14));
  CHECK(control.accepted(0.3) == Approx(std::pow(relative(0.3), (0.2 - 0.85) / 5)).epsilon(1e-14));
  CHECK(control.accepted(0.6) ==
        Approx(std::pow(relative(0.6), -0.85 / 5) * std::pow(relative(0.3), 0.2 / 5)).epsilon(1e-14));
  // of a step that was a thousand times better than asked only a factor 100 is remembered
  CHECK(control.accepted(1e-3) > 1);
  CHECK(control.accepted(0.6) ==
        Approx(std::pow(relative(0.6), -0.85 / 5) * std::pow(0.01, 0.2 / 5)).epsilon(1e-14));
}

TEST_CASE("after a step that was rejected or cut there is nothing to go by", "[step_control]") {
  StepControl<double> control(5);
  (void)control.accepted(0.1);
  CHECK(control.rejected(7) == Approx(alone(7)).epsilon(1e-14));
  CHECK(control.accepted(0.3) == Approx(alone(0.3)).epsilon(1e-14));
  control.reset();
  CHECK(control.accepted(0.2) == Approx(alone(0.2)).epsilon(1e-14));
}

TEST_CASE("steps grow five times at most, shrink ten times, and four times where there was no estimate",
          "[step_control]") {
  StepControl<double> control(5);
  CHECK(control.accepted(0) == 5);
  CHECK(control.rejected(1e9) == 0.1);
  CHECK(control.rejected(1.0000001) == Approx(0.9).epsilon(1e-7));
  CHECK(control.rejected(std::numeric_limits<double>::infinity()) == 0.25);
  CHECK(control.rejected(std::numeric_limits<double>::quiet_NaN()) == 0.25);
}

}  // namespace step_control_test
