// expect: a kind is listed twice

#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>

using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  using Joint = SphericalJoint<double>;
  const RigidBody<double> body{{.mass = 1, .inertia = {1, 1, 1}}};
  const Assembly problem{kinds(std::vector{body, body}),
                         kinds(std::vector{Joint{{0}, {1}}}, std::vector{Joint{{0}, {1}}})};
  (void)problem.state({body.at({0, 0, 0}), body.at({0, 0, 0})});
}
