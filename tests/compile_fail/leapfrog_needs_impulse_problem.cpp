// expect: this is no StepAccelerationProblem .* step_acceleration\(middle, end, from, span, rates\) is missing

#include <dalembert/integrate/symmetric.hpp>

#include "support/systems.hpp"

int main() {
  using namespace dalembert;
  const LagrangeDAlembert problem{test::SphericalPendulum<>{}};
  auto state = problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {0, 1, 0});
  auto stepper = NonholonomicLeapfrog{}.stepper(problem, state);
}
