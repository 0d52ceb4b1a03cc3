// expect: success

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

struct Tyre {
  using Group = Rn<double, 1>;
  static constexpr int internal = 1;
  template <class T>
  T lagrangian(const Rn<T, 1>&, const Vec<T, 1>& v, const Vec<T, 1>& z) const {
    return (v[0] * v[0] - z[0] * z[0]) / 2;
  }
  template <class T>
  T velocity_constraint(const Vec<T, 1>& v, const Vec<T, 1>&, const Vec<T, 1>& zdot) const {
    return v[0] - zdot[0];
  }
};
static_assert(MechanicalSystem<Tyre>);

int main() { const LagrangeDAlembert problem{Tyre{}}; }
