// Two strings that roll on each other at one point: waveguides of more and more points beside the closed form.

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <iostream>
using namespace dalembert;

int main() {
  const strings::Pair<double> pair{.c = 1, .F = 1, .G1 = 0.5, .G2 = 0.5, .length = 3, .s1 = 1.2, .s2 = 1.2};
  const strings::StandingWave<double> exact{{.pair = pair, .first = 0.4, .second = 0.2, .waves = 2}};
  for (const int points : {128, 256, 512}) {
    const strings::Waveguide<strings::CorrectedGaussian<double>> strings(pair, points);
    auto state = strings.state(exact.first(), exact.second());
    analysis::EnergyMonitor monitor{strings};
    double error = 0;
    drive(SelfStepping{}, strings, state,
          {.step = strings.time_step(), .until = 1.5 * points * strings.time_step()}, monitor,
          [&](const auto&, const auto& at) {
            error = std::max(error, std::abs(at.s1() - exact.position(at.time)));
          });
    std::cout << points << " points: the contact ran to " << state.s1() << " m, off by at most " << error
              << " m, largest change of energy " << monitor.energy_error() << "\n";
  }
}
