// expect: success

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  T velocity_constraint(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return v[1] - q.coordinates()[0];
  }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
