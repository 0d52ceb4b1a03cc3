// expect: this is no Flow \(problem/concepts.hpp\): it needs a step\(state, h\) of its own

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/self_stepping.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

int main() {
  using namespace dalembert;
  const LagrangeDAlembert problem{systems::ChaplyginSleigh{{.mass = 1, .inertia = 1, .offset = 0.2}}};
  auto state = problem.state(SE2d::identity(), {1, 0, 1});
  drive(SelfStepping{}, problem, state, {.step = 0.01, .until = 1.0});
}
