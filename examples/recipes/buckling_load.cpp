// The load at which a column buckles, beside Euler's: clamped below, free above, pressed from above.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <dalembert/statics/buckling.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const double length = 1;
  const rod::CircularSection steel({.radius = 2e-3, .young = 2e11, .density = 7800});
  std::tuple columns{std::vector{
      rod::ElasticRod<>(steel, {.elements = 50, .length = length, .start = rod::Boundary<>::clamped()})}};
  std::tuple<> joints;
  auto state = assembly::Assembly{assembly::bodies(std::get<0>(columns))}.state(
      {std::get<0>(columns)[0].straight({0, 0, 0})});
  const auto press = [](double force, auto& bodies, auto&, auto&) {
    std::get<0>(bodies)[0].set_loads({.finish = {.force = {0, 0, -force}}});
  };
  const auto found = assembly::linear_buckling(columns, joints, state, 1.0, press, {.step = 0.1});
  const double euler = std::pow(M_PI / (2 * length), 2) * steel.stiffness_diagonal()[3];
  std::cout << "it buckles at " << found.parameter << " N, by Euler at " << euler << " N\n";
}
