// A system of your own: a skate on an icy slope, which glides along its blade and cannot slip across.

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <iostream>
using namespace dalembert;

struct Skate {
  using Group = SE2<double>;               // place and heading; x points down the slope
  double m = 60, inertia = 1.5, pull = 2;  // [kg, kg m², m/s²]: pull is the gravity along the slope
  template <class T>
  T lagrangian(const SE2<T>& g, const Vec<T, 3>& xi) const {
    return (m * (xi[0] * xi[0] + xi[1] * xi[1]) + inertia * xi[2] * xi[2]) / 2 +
           m * pull * g.translation()[0];
  }
  template <class T>
  T velocity_constraint(const Vec<T, 3>& xi) const {
    return xi[1];
  }
};

int main() {
  const LagrangeDAlembert problem{Skate{}};
  auto state = problem.state(SE2<double>::identity(), {0, 0, 1.5});
  drive(RungeKutta4{}, problem, state, {.step = 1e-3, .until = 10});
  const double x = state.g.translation()[0], s = std::sin(1.5 * 10) / 1.5;
  std::cout << "down the slope " << x << " m; a cycloid by hand, error " << std::abs(x - s * s) << " m\n";
}
