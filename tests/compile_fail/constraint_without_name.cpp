// expect: this is no Constraint: the static member name is missing

#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>

using namespace dalembert;
using namespace dalembert::assembly;

struct Own {
  using Scalar = double;
  FramePlace<double> place;
  auto places() const { return std::tuple{place}; }
  template <class T>
  Vec<T, 2> velocity(const Seen<T>& x, const T&) const {
    return {x.velocity[0], x.velocity[1]};
  }
};

int main() {
  const RigidBody<double> body{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{kinds(std::vector{body}), kinds(std::vector{Own{{0}}})};
  (void)problem.state({body.at({0, 0, 0})});
}
