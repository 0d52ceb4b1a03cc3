// Step 5: a rod. A pole of foam stands on the sledge, welded to it, and sways.

#include "blade.hpp"

#include <algorithm>
#include <cmath>
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

  auto rates = problem.make_rates();
  const int row = problem.first_row<0>(0);  // of the first Blade: its height
  double swing = 0, least = 1e9, most = 0;
  const auto look = [&, bent = p](const auto& sledge_and_pole, const auto& now) {
    sledge_and_pole.rates(now, rates);
    least = std::min(least, rates.lambda[row]);
    most = std::max(most, rates.lambda[row]);
    const auto& chain = now[bent];
    const Vec<double, 3> lean = chain.tip().position - chain.node(0).position;
    swing = std::max(swing, std::hypot(lean[0], lean[1]));
  };
  analysis::EnergyMonitor monitor{problem};
  drive(Verlet{}, problem, state, {.step = 1e-4, .until = 10.0, .output_interval = 1e-3}, monitor, look);
  std::cout << "the tip swings by " << swing << " m, the ice carries " << least << " to " << most
            << " N\nlargest change of energy " << monitor.energy_error() << " J, largest slip "
            << monitor.violation().velocity << " m/s\n";
}
