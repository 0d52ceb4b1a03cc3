// A heavy door swings on a hinge whose axis leans: it comes to hang where the axis points down.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const auto all =
      bodies(RigidBody{{.mass = 20, .inertia = {6, 1.5, 4.5}, .gravity = {0, 0, -9.81}, .damping = 0.8}});
  const auto [door] = all.handles();
  const auto post =
      FrameMarker<>::in_space({0, 0, 0}, SO3d::exp({0.1, 0, 0}));  // its third axis is the hinge's
  const Assembly problem{all, constraints(Hinge<>{.a = frame(door, {-0.45, 0, 0}), .b = post})};
  auto state = problem.state({{door, all[door].at(post.rotation.act({0.45, 0, 0}), post.rotation)}});
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 20});
  std::cout << "its middle hangs at " << state[door].position(0).transpose() << " m\n";
}
