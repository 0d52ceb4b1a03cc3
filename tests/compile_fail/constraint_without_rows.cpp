// expect: this is no Constraint: neither position\(seen..., t\) nor velocity\(seen..., t\) is there

#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>

using namespace dalembert;
using namespace dalembert::assembly;

struct Own {
  using Scalar = double;
  static constexpr std::string_view name = "Own";
  FramePlace<double> place;
  auto places() const { return std::tuple{place}; }
  template <class T>
  Vec<T, 1> position(const Seen<T>& x) const {
    return Vec<T, 1>(x.position[0]);
  }
};

int main() {
  const RigidBody<double> body{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{kinds(std::vector{body}), kinds(std::vector{Own{{0}}})};
  (void)problem.state({body.at({0, 0, 0})});
}
