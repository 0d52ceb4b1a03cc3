// expect: constraint_names needs a name for each row of C_K

#include <array>
#include <string_view>

#include <dalembert/lie/rn.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

using namespace dalembert;

struct Particle {
  using Group = Rn<double, 2>;
  static constexpr std::array<std::string_view, 1> constraint_names = {"rail"};
  template <class T>
  T lagrangian(const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  Vec<T, 2> velocity_constraint(const Vec<T, 2>& v) const {
    return v;
  }
};

int main() {
  const LagrangeDAlembert problem{Particle{}};
  auto rates = problem.make_rates();
  problem.rates(problem.state({}, {0, 0}), rates);
}
