// expect: success

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/friction.hpp>

using namespace dalembert;

/// The control: a particle with a constraint.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 2>& v) const {
    return v[1];
  }
};

int main() {
  const Frictional<Particle, RegularisedCoulomb<double>> system(Particle{}, {.strength = 1, .epsilon = 0.1});
}
