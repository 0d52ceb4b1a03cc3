// A constraint of order three: a lift that starts softly, because the rate of its acceleration is prescribed, and its cable's force.

#include <array>
#include <cmath>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/higher_order.hpp>
#include <iostream>
using namespace dalembert;

struct Lift {
  using Group = Rn<double, 1>;                 // height
  double m = 800, gravity = 9.81, jerk = 0.9;  // [kg, m/s², m/s³]

  template <class T>
  T lagrangian(const Rn<T, 1>& height, const Vec<T, 1>& v) const {
    return m * v[0] * v[0] / 2 - m * gravity * height.coordinates()[0];
  }
  template <class T>
  T jerk_constraint(const Vec<T, 1>&, const Vec<T, 1>&, const Vec<T, 1>& rate, const T& t) const {
    using std::cos;
    return rate[0] - jerk * cos(t);  // the third derivative of the height
  }
  Mat<double, 1> variational() const { return Mat<double, 1>::Ones(); }  // the cable pulls along the height
};

int main() {
  const Lift lift;
  const LagrangeDAlembert problem{lift};
  const double until = static_cast<double>(pi);
  Vec<double, 1> force(lift.m *
                       lift.gravity);  // at rest the cable carries the lift; the force is part of the state
  auto state = problem.state(Rn<double, 1>(), Vec<double, 1>(0.0), force);
  drive(Gauss<3>{}, problem, state, {.step = until / 20, .until = until});
  std::cout << "height " << state.g.coordinates()[0] << " m, by hand " << lift.jerk * until << " m; speed "
            << state.xi[0] << " m/s, by hand " << 2 * lift.jerk << " m/s; force " << state.z[0] << " N\n";
}
