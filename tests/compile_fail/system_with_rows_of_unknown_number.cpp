// expect: no MechanicalSystem: velocity_constraint must return T or Vec<T, k>

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

/// The number of its rows is not known to the compiler.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  Eigen::Matrix<T, Eigen::Dynamic, 1> velocity_constraint(const Vec<T, 2>& v) const {
    return v;
  }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
