// expect: no MechanicalSystem: mass must return a square matrix

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

/// Its mass is the diagonal alone.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  Vec<double, 2> mass() const { return Vec<double, 2>(1, 1); }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
