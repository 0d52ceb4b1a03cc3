// A ball with backspin runs into another: it slips, meets it, stops and comes back, rolling.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const double mass = 0.17, radius = 0.0286, inertia = 0.4 * mass * radius * radius;
  const RigidBody ball{{.mass = mass, .inertia = {inertia, inertia, inertia}, .gravity = {0, 0, -9.81}}};
  const auto all = bodies(ball, ball);
  const auto [cue, object] = all.handles();
  using contact::TouchingSurface;
  const Assembly problem{all, contact::Touching<>{.friction = 0.05,
                                                  .restitution = 0.95,
                                                  .planes = {contact::Plane<>{}},
                                                  .balls = {{frame(cue), radius}, {frame(object), radius}},
                                                  .pairs = {{.first = TouchingSurface::any(),
                                                             .second = TouchingSurface::plane(0),
                                                             .friction = 0.2}}}};
  auto state = problem.state({{cue, ball.at({0, 0, radius})}, {object, ball.at({0.3, 0, radius})}});
  state[cue].set_velocity(0, {2, 0, 0}, {0, -150, 0});  // forwards, and spinning back

  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 1.0}, monitor);
  for (const auto& t : contact::touches(problem, state))
    std::cout << "ball " << t.body << (t.mode == contact::TouchMode::sticks ? " rolls" : " slips")
              << " under " << t.pressure() << " N at " << state[t.body].linear_velocity(0)[0] << " m/s\n";
  const auto& works = monitor.contacts();
  std::cout << "friction took " << -works.friction << " J, the blow " << -(works.impact + works.correction)
            << " J; the energy is balanced to " << monitor.balance_error() << " J\n";
}
