// expect: no MechanicalSystem: force must return a number per coordinate

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

/// Its force has three components; it has two coordinates.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  Vec<double, 3> force() const { return Vec<double, 3>(0, 1, 0); }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
