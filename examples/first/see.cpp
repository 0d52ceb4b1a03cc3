// A page that plays a motion: two rods roll on each other, with the force between them.

#include <dalembert/dalembert.hpp>
#include <dalembert/io/viewer.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const systems::RollingRodsParameters<double> p{.elements = 60, .strike = 4.0};
  const auto start = systems::static_start(p);
  const auto problem = start.problem();
  auto state = start.state;
  systems::set_initial_velocity(problem, state, p);
  auto rates = problem.make_rates();

  io::Scene scene;
  const auto first = scene.tube("rod 1", p.radius), second = scene.tube("rod 2", p.radius);
  const auto touch = scene.point("contact", {.path = true, .arrow = "force on rod 1", .unit = "N"});
  const auto places = scene.panel("contact on the rods", "m", {"s1", "s2"});
  const auto watch = [&](const auto& rods, const auto& now) {
    rods.rates(now, rates);
    const auto contact = contact::evaluate(start.crossing, now, rates.lambda);
    scene.row(places, now.time, {contact.s[0], contact.s[1]});
    if (!scene.frame(now.time)) return;
    scene.put(first, now[0]);
    scene.put(second, now[1]);
    scene.put(touch, contact.place, contact.force);
  };
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 0.5, .output_interval = 2e-3}, watch);
  io::write_view("view.html", scene,
                 {.title = "two rods", .caption = "Two rods, struck, roll on each other."});
  std::cout << scene.times().size() << " frames until " << scene.reached() << " s: open view.html\n";
}
