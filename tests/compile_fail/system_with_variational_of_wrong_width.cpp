// expect: no MechanicalSystem: variational must return a matrix with a row per reaction and a column per coordinate

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

/// Its variational rows are for three coordinates; it has two.
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
  Mat<double, 1, 3> variational() const { return Mat<double, 1, 3>(0, 1, 0); }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
