// An integrator of your own: Heun's method, of order 2, for whatever can be stepped, here Chaplygin's sleigh.

#include <cmath>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <iostream>
using namespace dalembert;

template <Problem P>
struct HeunStepper {
  typename P::State end;
  typename P::Rates rates;
  typename P::Increment offset, first, second;  // in the space of the stages, and slopes there

  StepReport<typename P::Scalar> step(const P& problem, typename P::State& x, typename P::Scalar h) {
    const auto go = [&](double k, double l) {  // from x by the slopes
      offset.set_zero();
      offset.add_scaled(k * h, first);
      offset.add_scaled(l * h, second);
      problem.retract(x, offset, end);
      problem.solve_algebraic(end);
    };
    const auto slope = [&](const auto& at, auto& k) {
      problem.rates(at, rates);
      problem.slope(at, offset, rates, k);
    };
    offset.set_zero();
    slope(x, first);
    go(1, 0);
    slope(end, second);
    go(0.5, 0.5);
    x = end;
    return {};
  }
  void reset() {}
};

struct Heun {
  static constexpr int order = 2;
  static constexpr bool symmetric = false;
  template <Problem P>
  HeunStepper<P> stepper(const P& p, const typename P::State& x) const {
    return {x, p.make_rates(), p.make_increment(), p.make_increment(), p.make_increment()};
  }
};

int main() {
  const systems::ChaplyginSleigh sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  const LagrangeDAlembert problem{sleigh};
  const auto run = [&](const auto& method, double step) {
    auto state = problem.state(SE2<double>::identity(), {0.3, 0.0, 1.2});
    drive(method, problem, state, {.step = step, .until = 2.0});
    return state.g.translation()[0];
  };
  const double exact = run(RungeKutta4{}, 1e-3);
  for (const double step : {0.02, 0.01, 0.005})
    std::cout << "steps of " << step << " s: error " << std::abs(run(Heun{}, step) - exact) << " m\n";
}
