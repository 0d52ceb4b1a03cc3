// expect: lagrangian must be a template over the scalar T

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

struct Particle {
  using Group = Rn<double, 2>;
  double lagrangian(const Vec<double, 2>& v) const { return v.squaredNorm() / 2; }
};

int main() { const LagrangeDAlembert problem{Particle{}}; }
