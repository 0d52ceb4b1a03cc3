// Your own loop instead of `drive`: the explicit midpoint rule, and a push back onto the constraints after each step.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const systems::KnifeEdge edge{{.slope = 0.3}};
  const LagrangeDAlembert problem{edge};
  auto state = problem.state(SE2<double>::identity(), {0.5, 0.0, 1.2}), middle = state;
  auto rates = problem.make_rates();
  auto slope = problem.make_increment(), offset = problem.make_increment();
  const auto slope_at = [&](const auto& at) {
    problem.rates(at, rates);                 // accelerations and reactions
    problem.slope(at, offset, rates, slope);  // and velocities, as seen from the base of the step
  };

  const double h = 0.001;
  for (int i = 0; i < 5000; ++i) {
    offset.set_zero();
    slope_at(state);
    offset.add_scaled(h / 2, slope);
    problem.retract(state, offset, middle);  // middle = state ⊕ offset
    slope_at(middle);
    offset.set_zero();
    offset.add_scaled(h, slope);
    problem.retract(state, offset, state);
    (void)problem.project(state);
  }
  const auto exact = edge.exact({.x = 0, .y = 0, .phi = 0, .u = 0.5, .omega = 1.2}, state.time);
  const auto& place = state.g.translation();
  std::cout << "after " << state.time << " s the blade is "
            << std::hypot(place[0] - exact.x, place[1] - exact.y) << " m from its path in closed form\n";
}
