// expect: acceleration_constraint needs the principle ExtendedChetaev, or a member .variational.

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

/// A constraint of order 2, and not a word on what reactions it has.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T acceleration_constraint(const Vec<T, 2>& v, const Vec<T, 2>& a) const {
    return a[0] - v[1];
  }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
