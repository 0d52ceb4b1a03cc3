// expect: success

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/higher_order.hpp>

using namespace dalembert;

/// The control: as it should be.
struct Particle {
  using Group = Rn<double, 2>;
  using Principle = principle::ExtendedChetaev;
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
