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
  T velocity_constraint(const Vec<T, 2>& v) const {
    return v[1];
  }
  Mat<double, 1, 2> variational() const { return Mat<double, 1, 2>(0, 1); }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
