// Events: when the blade of a sleigh stops and turns back, which makes a cusp in its path.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const systems::ChaplyginSleigh sleigh{{.mass = 1.0, .inertia = 1.0, .offset = 0.2}};
  const LagrangeDAlembert problem{sleigh};
  auto state = problem.state(SE2<double>::identity(), {-1.0, 0.0, 0.01});
  const auto report =
      drive(DormandPrince54{}, problem, state,
            {.step = 0.1,
             .until = 100.0,
             .tolerance = 1e-10,
             .events = {{.name = "cusp", .value = [](const auto&, const auto& at) { return at.xi[0]; }}}});
  const auto& cusp = report.hits.at(0).state;
  std::cout << "cusp after " << cusp.time << " s; by the closed form the blade then moves at "
            << sleigh.exact({.u = -1.0, .omega = 0.01, .phi = 0}, cusp.time).u << " m/s\n";
}
