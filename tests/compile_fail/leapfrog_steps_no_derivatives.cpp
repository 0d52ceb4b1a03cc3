// expect: symmetric methods iterate until values have converged, which says nothing of derivatives: numbers that carry them take an explicit Runge-Kutta method

#include <dalembert/core/dual_functions.hpp>
#include <dalembert/integrate/symmetric.hpp>

#include "support/systems.hpp"

int main() {
  using namespace dalembert;
  using S = Dual<double, 1>;
  const LagrangeDAlembert problem{test::NonholonomicParticle<S>{}};
  auto state = problem.state(Rn<S, 3>(Vec<S, 3>(S(1), S(0), S(0))), {S(0), S(1), S(0)});
  auto stepper = NonholonomicLeapfrog{}.stepper(problem, state);
}
