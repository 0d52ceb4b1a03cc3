// expect: success

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

/// The control: as it should be.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 2>& v) const {
    return v;
  }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
