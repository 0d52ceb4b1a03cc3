// expect: this is no SplitProblem .* the type NodeLoads is missing

#include <dalembert/integrate/verlet.hpp>

#include "support/higher_order.hpp"

int main() {
  using namespace dalembert;
  const LagrangeDAlembert problem{test::ConstantJerk<>{}};
  auto state = problem.state(Rn<double, 1>(), Vec<double, 1>(1.0), Vec<double, 1>(0.0));
  auto stepper = Verlet{}.stepper(problem, state);
}
