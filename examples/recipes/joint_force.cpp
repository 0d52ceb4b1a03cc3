// The force of a constraint: what a wall and a hook carry, from the multipliers of their rows.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;
using namespace dalembert::assembly;

int main() {
  const rod::CircularSection bar({.radius = 5e-3, .young = 2e11, .density = 7800});
  const rod::ElasticRod<> rod(bar, {.elements = 20, .length = 0.5});
  const RigidBody lamp{{.mass = 2, .inertia = {0.01, 0.01, 0.01}, .gravity = {0, 0, -9.81}}};
  const auto all = bodies(rod, lamp);
  const auto [arm, weight] = all.handles();
  const rod::Straight<> level{.direction = {1, 0, 0}};
  const Assembly problem{all, constraints(Weld{root(arm), FrameMarker<>::in_space({0, 0, 0}, level.frame())},
                                          SphericalJoint{frame(weight, {0, 0, 0.1}), tip(arm)})};
  const auto line = rod.straight({0, 0, 0}, level);
  auto state =
      problem.state({{arm, line}, {weight, lamp.at(line.tip().position - Vec<double, 3>(0, 0, 0.1))}});
  (void)static_equilibrium(problem, state);
  auto rates = problem.make_rates();
  problem.rates(state, rates);  // rates.xidot[weight]: r̈ and ω̇ of its node; rates.lambda: of all rows
  const auto wall = rates.lambda.segment<6>(problem.first_row<0>(0));  // kind 0: welds; the first of them
  const auto hook = rates.lambda.segment<3>(problem.first_row<1>(0));  // kind 1: spherical joints
  std::cout << "the wall holds the arm by " << wall.head<3>().transpose() << " N and "
            << level.frame().act(wall.tail<3>()).transpose() << " N m, the arm the lamp by "
            << hook.transpose() << " N\n";
}
