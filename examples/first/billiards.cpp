// A ball with backspin runs into another: it slips, meets it, stops and comes back, rolling.

#include <dalembert/dalembert.hpp>
#include <dalembert/io/viewer.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const double mass = 0.17, radius = 0.0286, inertia = 0.4 * mass * radius * radius;
  const RigidBody ball{{.mass = mass, .inertia = {inertia, inertia, inertia}, .gravity = {0, 0, -9.81}}};
  const auto all = bodies(ball, ball);
  const auto [cue, object] = all.handles();
  const auto any = contact::TouchingSurface::any(), table = contact::TouchingSurface::plane(0);
  const Assembly problem{all,
                         contact::Touching<>{.friction = 0.05,
                                             .restitution = 0.95,
                                             .planes = {contact::Plane<>{}},
                                             .balls = {{frame(cue), radius}, {frame(object), radius}},
                                             .pairs = {{.first = any, .second = table, .friction = 0.2}}}};
  auto state = problem.state({{cue, ball.at({0, 0, radius})}, {object, ball.at({0.3, 0, radius})}});
  state[cue].set_velocity(0, {2, 0, 0}, {0, -150, 0});  // forwards, and spinning back
  io::Scene scene;
  const auto parts = std::vector{io::ball(radius).with_stripes()};
  const std::array drawn{scene.body("cue", parts), scene.body("object", parts)};
  const auto touching = scene.contacts("contacts");
  const auto watch = [&](const auto& balls, const auto& now) {
    if (!scene.frame(now.time)) return;
    for (std::size_t i : {0U, 1U}) scene.put(drawn[i], now[i].rotation(0), now[i].position(0));
    scene.put(touching, contact::touches(balls, now));
  };
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 1.0}, monitor, watch);
  io::write_view("billiards.html", scene, {.title = "billiards"});
  for (const auto& t : contact::touches(problem, state))
    std::cout << "ball " << t.body << (t.mode == contact::TouchMode::sticks ? " rolls" : " slips")
              << " under " << t.pressure() << " N at " << state[t.body].linear_velocity(0)[0] << " m/s\n";
  std::cout << "friction took " << -monitor.contacts().friction << " J; the energy is balanced to "
            << monitor.balance_error() << " J: see billiards.html\n";
}
