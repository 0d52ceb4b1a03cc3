// expect: require_valid takes other arguments than \(g, t\)

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

/// Where it holds depends on the velocity; that must not make it a system that holds everywhere.
struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  void require_valid(const Vec<double, 2>&) const {}
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
