// The largest system that comes with the library, on an explicit method: a bicycle that nobody steers.

#include <iostream>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/whipple_bicycle.hpp>

using namespace dalembert;

int main() {
  const LagrangeDAlembert problem{systems::WhippleBicycle<double>{}};
  const auto g = problem.system().on_ground(0.02, 0.03);
  auto state =
      problem.state(g, problem.system().rolling(g, {.speed = 5, .lean_rate = 0.1, .steer_rate = 0.1}));
  drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 5.0});
  std::cout << "energy " << problem.energy(state) << " J\n";
}
