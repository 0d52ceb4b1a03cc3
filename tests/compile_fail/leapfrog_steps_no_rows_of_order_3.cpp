// expect: this is no StepAccelerationProblem .* step_acceleration\(middle, end, from, span, rates\) is missing; systems with .* rows of order 2 or above have none

#include <dalembert/integrate/symmetric.hpp>

#include "support/higher_order.hpp"

int main() {
  using namespace dalembert;
  const LagrangeDAlembert problem{test::ConstantJerk<>{}};
  auto state = problem.state(Rn<double, 1>(), Vec<double, 1>(1.0), Vec<double, 1>(0.0));
  auto stepper = NonholonomicLeapfrog{}.stepper(problem, state);
}
