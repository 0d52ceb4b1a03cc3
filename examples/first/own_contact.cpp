// A contact of your own: a ball of radius 0.1 m that rolls without slipping inside a bowl of radius 0.5 m.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

struct RollingInBowl {  // whose centre is the origin
  FrameMarker<> ball;
  auto markers() const { return std::tuple{ball}; }
  // It touches the bowl, and its material rests there: along the normal it does already.
  auto position_constraint(const auto& x, const auto&) const { return x.position.norm() - 0.4; }
  auto velocity_constraint(const auto& x, const auto&) const {
    return contact::across(x.position, x.velocity_at(0.25 * x.position));
  }
};

int main() {
  const auto all = bodies(RigidBody{{.mass = 1, .inertia = {4e-3, 4e-3, 4e-3}, .gravity = {0, 0, -9.81}}});
  const auto [ball] = all.handles();
  const Assembly problem{all, constraints(RollingInBowl{frame(ball)})};
  auto state = problem.state({{ball, all[ball].at({0.24, 0, -0.32})}});
  state[ball].set_velocity(0, {0, 1, 0}, {0, 0, 5});
  problem.project(state);
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-3, .until = 10.0}, monitor);
  std::cout << "largest change of energy " << monitor.energy_error() << " J, largest slip "
            << monitor.violation().velocity << " m/s\n";
}
