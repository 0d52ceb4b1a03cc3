// A garden hose that hangs and sprays: the thrust at its nozzle follows it, its rubber damps, and a strong jet lets it lash about.

#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const rod::AnnularSection<double> tube({.radius = 0.01, .wall = 0.003, .young = 2e6, .density = 1200});
  const rod::ElasticRod<double> hose(tube, {.elements = 30,
                                            .length = 1,
                                            .start = rod::Boundary<double>::clamped(),
                                            .loads = {.gravity = {0, 0, -9.81}}});
  const auto rubber = rod::KelvinVoigt<double>::proportional(tube.stiffness_diagonal(), 1e-3);

  for (const double thrust : {0.5, 1.0, 2.0, 4.0}) {
    const rod::PointLoad nozzle{1.0, rod::EndLoad<double>{.follower_force = {0, 0, -thrust}}};
    const assembly::Assembly problem{assembly::WithLoad{hose, assembly::LoadSum{nozzle, rubber}}};
    auto state = problem.state({hose.straight({0, 0, 0}, {.direction = {0, 0, -1}})});
    state[0].set_velocity(30, {0.01, 0, 0}, {0, 0, 0});  // a slight knock
    analysis::EnergyMonitor monitor{problem};
    double swing = 0;
    drive(Verlet{}, problem, state, {.step = 2e-5, .until = 6, .output_interval = 1e-3}, monitor,
          [&](const auto&, const auto& at) {
            if (at.time > 4) swing = std::max(swing, std::abs(at[0].position(30)[0]));
          });
    std::cout << "thrust " << thrust << " N: swings by " << swing << " m, the rubber took "
              << -monitor.last().work.dissipation << " J of the jet's " << monitor.last().work.load
              << " J, balanced to " << monitor.balance_error() << " J\n";
  }
}
