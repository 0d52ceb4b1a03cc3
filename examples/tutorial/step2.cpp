// Step 2: a constraint of your own. The puck gets a blade, along which it glides and across which it cannot slip.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

struct Sledge {
  using Group = SE2<double>;               // place and heading; x points down the slope
  double m = 60, inertia = 1.5, pull = 2;  // [kg, kg m², m/s²]: pull is the gravity along the slope

  template <class T>
  T lagrangian(const SE2<T>& g, const Vec<T, 3>& xi) const {  // kinetic minus potential energy [J]
    const T kinetic = (m * (xi[0] * xi[0] + xi[1] * xi[1]) + inertia * xi[2] * xi[2]) / 2;
    return kinetic + m * pull * g.translation()[0];
  }
  //! [blade]
  template <class T>
  T velocity_constraint(const Vec<T, 3>& xi) const {  // zero: the velocity across the blade [m/s]
    return xi[1];
  }
  //! [blade]
};

int main() {
  const Sledge sledge;
  const LagrangeDAlembert problem{sledge};
  const double omega = 1.5;  // [rad/s]
  auto state = problem.state(SE2<double>::identity(), {0, 0, omega});
  drive(RungeKutta4{}, problem, state, {.step = 1e-2, .until = 10.0});
  //! [cycloid]
  const double x = state.g.translation()[0], s = std::sin(omega * state.time) / omega;
  std::cout << "down the slope " << x << " m; by hand, on a cycloid, error "
            << std::abs(x - sledge.pull * s * s / 2) << " m\n";
  //! [cycloid]
}
