// Step 1: a system of your own. A puck slides down an icy slope and spins.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

struct Puck {
  using Group = SE2<double>;               // place and heading; x points down the slope
  double m = 60, inertia = 1.5, pull = 2;  // [kg, kg m², m/s²]: pull is the gravity along the slope

  template <class T>
  T lagrangian(const SE2<T>& g, const Vec<T, 3>& xi) const {  // kinetic minus potential energy [J]
    const T kinetic = (m * (xi[0] * xi[0] + xi[1] * xi[1]) + inertia * xi[2] * xi[2]) / 2;
    return kinetic + m * pull * g.translation()[0];
  }
};

int main() {
  const LagrangeDAlembert problem{Puck{}};
  auto state = problem.state(SE2<double>::identity(), {0, 0, 1.5});  // at rest, but for its spin [rad/s]
  drive(RungeKutta4{}, problem, state, {.step = 1e-2, .until = 10.0});
  const double x = state.g.translation()[0], by_hand = 2 * 10.0 * 10.0 / 2;
  std::cout << "down the slope " << x << " m; by hand error " << std::abs(x - by_hand) << " m\n";
}
