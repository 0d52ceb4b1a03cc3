// expect: rows of order 3 and above need the principle ExtendedChetaev, or a member .variational.

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/higher_order.hpp>

using namespace dalembert;

/// A constraint of order 3, and not a word on what reactions it has.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T jerk_constraint(const Vec<T, 2>& v, const Vec<T, 2>&, const Vec<T, 2>& jerk) const {
    return jerk[0] - v[1];
  }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
