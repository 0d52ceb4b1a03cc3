// An integrator of your own, for any problem and for `drive`: the explicit midpoint rule.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

struct Midpoint {
  static constexpr int order = 2;
  template <Problem P>
  struct Stepper {
    typename P::State middle;
    typename P::Rates rates;
    typename P::Increment slope, offset;
    StepReport<> step(const P& problem, typename P::State& state, double h) {
      middle = state;
      offset.set_zero();
      for (const double ahead : {h / 2, h}) {
        problem.rates(middle, rates);                 // accelerations and reactions
        problem.slope(middle, offset, rates, slope);  // and velocities, as seen from the start of the step
        offset.set_zero();
        offset.add_scaled(ahead, slope);
        problem.retract(state, offset, middle);  // middle = state ⊕ offset
      }
      state = middle;
      return {.converged = problem.project(state).converged};
    }
  };
  template <Problem P>
  Stepper<P> stepper(const P& problem, const typename P::State& state) const {
    return {state, problem.make_rates(), problem.make_increment(), problem.make_increment()};
  }
};

int main() {
  const LagrangeDAlembert problem{systems::ChaplyginSleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}};
  auto state = problem.state(SE2<double>::identity(), {0.3, 0.0, 1.2});
  analysis::EnergyMonitor monitor{problem};
  drive(Midpoint{}, problem, state, {.step = 1e-3, .until = 10.0}, monitor);
  std::cout << "largest change of energy " << monitor.energy_error() << " J\n";
}
