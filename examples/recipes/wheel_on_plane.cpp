// A thin wheel of 0.1 m rolls on a plane without slip: a constraint of one's own, of a position and two velocities.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

struct WheelOnPlane {
  FrameMarker<> wheel;  // its third axis is the axle
  auto markers() const { return std::tuple{wheel}; }
  template <class T>
  static Vec<T, 3> arm(const FrameState<T>& x) {  // from the centre to the lowest point of the rim
    const Vec<T, 3> axle = x.rotation.matrix().col(2), down = axle[2] * axle - Vec<T, 3>::UnitZ();
    return 0.1 * down / down.norm();
  }
  auto position_constraint(const auto& x, const auto&) const { return x.position[2] + arm(x)[2]; }
  auto velocity_constraint(const auto& x, const auto&) const { return head(x.velocity_at(arm(x))); }
  static auto head(const auto& v) { return Vec<std::decay_t<decltype(v[0])>, 2>(v[0], v[1]); }
};

int main() {
  const auto all = bodies(RigidBody{{.mass = 1, .inertia = {2e-3, 2e-3, 4e-3}, .gravity = {0, 0, -9.8}}});
  const auto [wheel] = all.handles();
  const Assembly problem{all, constraints(WheelOnPlane{frame(wheel)})};
  auto state = problem.state({{wheel, all[wheel].at({0, 0, 0.099}, SO3d::exp({1.45, 0, 0}))}});
  state[wheel].set_velocity(0, {1, 0, 0}, {0, 0.3, -10});
  problem.project(state);
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 2});
  std::cout << "slip " << problem.constraint(state).velocity << " m/s\n";
}
