// A contact of your own: a ball that rolls without slipping inside a spherical bowl.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using assembly::FrameState;

struct RollingInBowl {
  using Scalar = double;
  static constexpr std::string_view name = "RollingInBowl";
  assembly::FrameMarker<double> centre;  // of the ball
  double ball, bowl;                     // radii [m]; the bowl's centre is the origin

  auto markers() const { return std::tuple{centre}; }

  template <class T>  // the ball touches the bowl,
  Vec<T, 1> position_constraint(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(x.position.norm() - (bowl - ball));
  }
  template <class T>  // and its material rests there: along the normal it does already
  Vec<T, 2> velocity_constraint(const FrameState<T>& x, const T&) const {
    const Vec<T, 3> arm = T(ball) * x.position / x.position.norm();
    return contact::across(x.position, Vec<T, 3>(x.velocity + x.angular_velocity.cross(arm)));
  }
};

int main() {
  const assembly::RigidBody<double> ball{
      {.mass = 1, .inertia = {4e-3, 4e-3, 4e-3}, .gravity = {0, 0, -9.81}}};
  const auto all = assembly::bodies(ball);
  const auto [b] = all.handles();
  const assembly::Assembly problem{all, assembly::constraints(RollingInBowl{frame(b), 0.1, 0.5})};
  auto state = problem.state({ball.at({0.24, 0, -0.32})});
  state[b].set_velocity(0, {0, 1, 0}, {0, 0, 5});
  problem.project(state);
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 10.0}, monitor);
  std::cout << "largest change of energy " << monitor.energy_error() << " J, largest slip "
            << monitor.violation().velocity << " m/s\n";
}
