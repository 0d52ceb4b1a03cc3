// A flap on a hinge at the tip of an arm: both markers are turned, for the third axis of a rod lies along it.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const Vec<double, 3> gravity{0, 0, -9.81}, axle{0, 1, 0};
  const rod::RectangularSection strip({.width = 0.03, .height = 4e-3, .young = 1e8, .density = 1100});
  const rod::ElasticRod<> rod(strip, {.elements = 20, .length = 0.4, .loads = {.gravity = gravity}});
  const auto all = bodies(rod, rod);
  const auto [arm, flap] = all.handles();
  // e1 of both rods is along the axle; the turn takes the third axis of a marker there
  const rod::Straight<> level{.direction = {1, 0, 0}, .normal = axle},
      up{.direction = {0, 0, 1}, .normal = axle};
  const auto turn = SO3<>::exp({0, M_PI / 2, 0});
  const Assembly problem{
      all, constraints(Weld{root(arm), FrameMarker<>::in_space({0, 0, 0}, level.frame())},
                       Hinge<>{.a = tip(arm, {0, 0, 0}, turn), .b = root(flap, {0, 0, 0}, turn)})};
  const auto first = rod.straight({0, 0, 0}, level);
  auto state = problem.state({{arm, first}, {flap, rod.straight(first.tip().position, up)}});
  std::cout << "off its joints by " << problem.constraint(state).position << " m at the start; ";
  state[flap].set_velocity(20, {0, 0.5, 0}, {0, 0, 0});  // a knock along the axle, which a hinge holds
  drive(Verlet{}, problem, state, {.cfl = 0.8, .until = 1});
  std::cout << "the end is at " << state[flap].tip().position.transpose() << " m\n";
}
