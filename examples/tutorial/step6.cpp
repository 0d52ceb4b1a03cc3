// Step 6: a page that plays it: the sledge, its pole, the force of the ice, and numbers over time.

#include "blade.hpp"

#include <cmath>
#include <dalembert/io/viewer.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const Vec<double, 3> gravity{2, 0, -9.6};  // [m/s²]
  const assembly::RigidBody<double> sledge{{.mass = 60, .inertia = {0.8, 1, 1.5}, .gravity = gravity}};
  const rod::CircularSection<double> foam({.radius = 0.03, .young = 1e7, .density = 100});
  const rod::ElasticRod<double> pole(
      rod::LinearElastic<double>(foam.stiffness_diagonal()),
      {.elements = 20, .length = 1.5, .inertia = foam.inertia(), .loads = {.gravity = gravity}});
  const auto all = assembly::bodies(sledge, pole);
  const auto [s, p] = all.handles();
  const assembly::Assembly problem{all,
                                   assembly::constraints(Blade{frame(s)}, assembly::Weld{frame(s), root(p)})};
  auto state = problem.state({{s, sledge.at({0, 0, 0})}, {p, pole.straight({0, 0, 0}, SO3d::identity())}});
  state[s].set_velocity(0, {0, 0, 0}, {0, 0, 1.5});
  problem.project(state);

  //! [scene]
  io::Scene scene;
  const auto body = scene.body("sledge", {io::box({0.9, 0.3, 0.06})}, {.path = true});
  const auto tube = scene.tube("pole", foam.radius());
  const auto touch = scene.point("blade", {.arrow = "force of the blade", .unit = "N"});
  scene.plane("ice", {0, 0, 0}, {0, 0, 1});
  const auto forces = scene.panel("force of the ice", "N", {"across the blade", "up"});
  const auto lean = scene.panel("lean of the pole", "m", {"down the slope", "across the slope"});
  //! [scene]

  //! [record]
  auto rates = problem.make_rates();
  const int row = problem.first_row<0>(0);  // of the first Blade
  const auto record = [&, sledge = s, pole = p](const auto& both, const auto& now) {
    both.rates(now, rates);
    const double up = rates.lambda[row], side = rates.lambda[row + 3];
    const auto &on_ice = now[sledge], &bent = now[pole];
    const Vec<double, 3> tip = bent.tip().position - bent.node(0).position;
    scene.row(forces, now.time, {side, up});
    scene.row(lean, now.time, {tip[0], tip[1]});
    if (!scene.frame(now.time)) return;
    const auto turn = on_ice.rotation(0);
    scene.put(body, turn, on_ice.position(0));
    scene.put(tube, bent);
    scene.put(touch, on_ice.position(0), side * turn.act({0, 1, 0}));
  };
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 10.0, .output_interval = 0.02}, record);
  io::write_view("view.html", scene,
                 {.title = "a sledge", .caption = "A sledge with a pole glides along its blade."});
  //! [record]
  std::cout << scene.times().size() << " frames until " << scene.reached() << " s: open view.html\n";
}
