// expect: Frictional: the system needs rows of order 0 or 1

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/friction.hpp>

using namespace dalembert;

/// A free particle, which has no constraint that could be a friction.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
};

int main() {
  const Frictional<Particle, RegularisedCoulomb<double>> system(Particle{}, {.strength = 1, .epsilon = 0.1});
}
