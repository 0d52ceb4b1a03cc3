// expect: success

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

struct Particle {
  using Group = Rn<double, 2>;
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return v.squaredNorm() / 2;
  }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
