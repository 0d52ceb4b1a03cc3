// Five rubber rods are dropped onto a plane beside each other, aslant: they land, slip and come to rest.

#include <dalembert/dalembert.hpp>
#include <dalembert/io/viewer.hpp>
#include <iostream>
#include <string>
using namespace dalembert;

int main() {
  const double radius = 0.01;
  const rod::CircularSection rubber({.radius = radius, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(
      rubber, {.elements = 40, .length = 0.5, .loads = {.gravity = {0, 0, -9.81}}, .damping = {.rate = 5}});
  const assembly::Assembly problem{std::vector(5, rod),
                                   contact::Touching<>{.friction = 0.4, .planes = {contact::Plane<>{}}}};
  std::vector<rod::Chain<>> chains;
  for (int i = 0; i < 5; ++i)
    chains.push_back(rod.straight({0, 0.05 * i, 0.1}, {.direction = {1, 0, 0.2 * i - 0.3}}));
  for (auto& chain : chains)
    chain.configuration.col(2) += 0.1 - chain.configuration.col(2).head(41).minCoeff();
  auto state = problem.state(chains);

  io::Scene scene;
  std::vector<io::Scene::Tube> tubes;
  for (int i = 0; i < 5; ++i) tubes.push_back(scene.tube("rod " + std::to_string(i), radius, {.colour = i}));
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 2, .output_interval = 1e-2},
        [&](const auto&, const auto& now) {
          if (!scene.frame(now.time)) return;
          for (std::size_t i = 0; i < 5; ++i) scene.put(tubes[i], now[i]);
        });
  io::write_view("dropped_rods.html", scene, {.title = "rods dropped onto a plane"});
  double pressed = 0, fastest = 0;
  for (const auto& t : contact::touches(problem, state)) {
    pressed += t.pressure();
    fastest = std::max(fastest, t.slip.norm());
  }
  std::cout << "the plane bears " << pressed << " N of " << 5 * 40 * rod.node_mass() * 9.81
            << " N, no contact slips faster than " << fastest << " m/s\n";
}
