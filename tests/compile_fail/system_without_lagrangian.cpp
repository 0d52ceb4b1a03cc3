// expect: no MechanicalSystem: lagrangian is missing

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T velocity_constraint(const Vec<T, 2>& v) const {
    return v[1];
  }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
