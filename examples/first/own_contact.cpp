// A contact of your own: a ball of radius 0.1 m that rolls without slipping inside a bowl of radius 0.5 m.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

struct RollingInBowl {
  using Scalar = double;
  static constexpr std::string_view name = "RollingInBowl";
  FrameMarker<> ball;
  auto markers() const { return std::tuple{ball}; }

  template <class T>  // the ball touches the bowl, whose centre is the origin,
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.position.norm() - 0.4);
  }
  template <class T>  // and its material rests there: along the normal it does already
  Vec<T, 2> velocity_constraint(const FrameState<T>& x, const T&) const {
    const Vec<T, 3> arm = T(0.1) * x.position / x.position.norm();
    return contact::across(x.position, Vec<T, 3>(x.velocity + x.angular_velocity.cross(arm)));
  }
};

int main() {
  const RigidBody ball{{.mass = 1, .inertia = {4e-3, 4e-3, 4e-3}, .gravity = {0, 0, -9.81}}};
  const auto all = bodies(ball);
  const auto [b] = all.handles();
  const Assembly problem{all, constraints(RollingInBowl{frame(b)})};
  auto state = problem.state({{b, ball.at({0.24, 0, -0.32})}});
  state[b].set_velocity(0, {0, 1, 0}, {0, 0, 5});
  problem.project(state);
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 10.0}, monitor);
  std::cout << "largest change of energy " << monitor.energy_error() << " J, largest slip "
            << monitor.violation().velocity << " m/s\n";
}
