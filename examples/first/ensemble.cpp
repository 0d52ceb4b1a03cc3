// A thousand sleighs that start anyhow, over all cores: how far they turn. Stop it and start it again: it goes on.

#include <array>
#include <iostream>
#include <random>

#include <dalembert/dalembert.hpp>
#include <dalembert/ensemble/run_ensemble.hpp>
using namespace dalembert;

int main() {
  const systems::ChaplyginSleigh sleigh{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}};
  const LagrangeDAlembert problem{sleigh};
  const auto member = [&](MemberContext& context) {
    std::mt19937_64 random(context.seed());
    std::uniform_real_distribution<double> number(-2, 2);
    auto state = problem.state(SE2<double>::identity(), {number(random), 0.0, number(random)});
    drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 10.0}, context);
    if (context.index() == 7) throw ContactOpened("one that fails", state.time);
    return std::array{std::abs(state.g.angle()), state.xi[0]};
  };
  const auto runs = run_ensemble(1000, member,
                                 {.names = {"turn [rad]", "u [m/s]"},
                                  .seed = 1,
                                  .file = "sleighs.runs",
                                  .program = "ensemble",
                                  .parameters = "mass 1.5 kg, inertia 0.7 kg m^2, offset 0.4 m, 10 s"},
                                 Threads{});
  double largest = 0;
  for (const MemberRecord& run : runs.members)
    if (run.status == MemberStatus::finished)
      largest = std::max(largest, run.values[0]);
    else
      std::cout << "member " << run.index << ": " << run.kind << ", " << run.error << '\n';
  std::cout << runs.members.size() << " sleighs, " << runs.kept
            << " of an earlier run; none turned by more than " << largest << " rad\n";
}
