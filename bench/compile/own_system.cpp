// A system of one's own, with nothing included that it does not need: a skate on a turntable.

#include <iostream>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

struct SkateOnTurntable {
  using Group = SE2<double>;

  double m = 1, inertia = 0.1, turntable = 1;

  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {
    return T(0.5 * m) * T(xi[0] * xi[0] + xi[1] * xi[1]) + T(0.5 * inertia) * T(xi[2] * xi[2]);
  }

  template <class T>
  T velocity_constraint(const SE2<T>& g, const Vec<T, 3>& xi) const {
    const Vec<T, 2> q = g.rotation().inverse().act(g.translation());
    return xi[1] - T(turntable) * q[0];
  }
};

int main() {
  const LagrangeDAlembert problem{SkateOnTurntable{}};
  auto state = problem.state(SE2d(0.5, 0, 0), {0.4, 0.5, 3.2});
  drive(RungeKutta4{}, problem, state, {.step = 0.005, .until = 10.0});
  std::cout << "the skate is at " << state.g.translation().transpose() << " m\n";
}
