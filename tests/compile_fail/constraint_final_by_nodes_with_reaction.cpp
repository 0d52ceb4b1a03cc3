// expect: it has node_rows, and besides reaction or coefficients, which nothing calls

#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>

using namespace dalembert;
using namespace dalembert::assembly;

struct Own final {
  using Scalar = double;
  using Sight = NodeSight<double, 1>;
  static constexpr int node_rows = 1;
  FrameMarker<double> marker;
  auto markers() const { return std::tuple{marker}; }
  void find_rows(const Sight&, NodeRows<double, 1, 1>& rows) const {
    rows.set(0, 0, 0, {1, 0, 0}, {0, 0, 0});
    rows.known[0] = 0;
  }
  Vec<double, 1> acceleration_bias(const Sight&, const Vec<double, 0>&) const { return Vec<double, 1>(0.0); }
  template <class T>
  Vec<T, 1> reaction(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.velocity[0]);
  }
};

int main() {
  const RigidBody<double> body{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{bodies(std::vector{body}), constraints(std::vector{Own{{0}}})};
  (void)problem.state({body.at({0, 0, 0})});
}
