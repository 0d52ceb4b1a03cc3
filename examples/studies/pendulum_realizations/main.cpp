// A pendulum whose rod is a spring, a friction or an inertia: three ways to make a constraint that are alike for a while.
//
//   ./pendulum_realizations --epsilon 0.01 --angle 45 --t-end 10          (the defaults)
//
//   potential   q̈ = −γe₂ − ((r − 1)/ε) n          y
//   friction    q̈ = −γe₂ − (ṙ/ε) n                |     o  mass 1, starts at rest at the angle φ
//   inertia     ½ṙ²/ε of kinetic energy more       |   ╱
//   ideal       r = 1                              |  ╱)φ
//   r = |q|, n = q/r                               +————————— x      pivot at the origin
//
// As ε → 0 all three tend to the ideal pendulum over a fixed time. For a fixed ε and long times they part: energy keeps the spring near
// the circle for ever, friction lets the mass slide down, and inertia lets it drift away faster and faster.

#include <algorithm>
#include <cmath>
#include <string>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/mechanics/friction.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/mechanics/stiff_realization.hpp>
#include <dalembert/systems/pendulum.hpp>

#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Pendulum = systems::Pendulum<double>;

struct Arguments {
  double epsilon = 0.01, gravity = 9.81, angle = 45;
  example::March march{.t_end = 10, .dt = 1e-3};
};

/// Runs one kind of pendulum, and leaves its path in <name>.csv.
template <class Method, class System>
void simulate(const Method& method, const System& system, const std::string& name, const Arguments& arguments,
              example::Run& run) {
  const LagrangeDAlembert problem{system};
  using Problem = std::decay_t<decltype(problem)>;
  const Pendulum pendulum{{.gravity = arguments.gravity}};
  auto state = problem.state(pendulum.at_angle(arguments.angle * static_cast<double>(pi) / 180), {0, 0});
  example::Table table(run.out / (name + ".csv"), "t [s], x [m], y [m]", arguments.march);
  const double energy = problem.energy(state);
  double farthest = 0;
  drive(method, problem, state,
        {.step = arguments.march.dt, .until = arguments.march.t_end, .progress = example::progress_line()},
        [&](const Problem&, const typename Problem::State& at) {
          farthest = std::max(farthest, std::abs(at.g.coordinates().norm() - 1));
          if (table.due(at.time)) table.row(at.time, at.g.coordinates());
        });
  table.flush();
  const Vec<double, 2> q = state.g.coordinates();
  run.summary.group(name, {{"x", q[0]},
                           {"y", q[1]},
                           {"x_t", state.xi[0]},
                           {"y_t", state.xi[1]},
                           {"distance_max", farthest},
                           {"energy_change", problem.energy(state) - energy}});
  run.summary.figure(name + "_distance", q.norm() - 1, "m",
                     "distance of the mass from the circle at the end, " + name);
  run.summary.figure(name + "_distance_max", farthest, "m", "the same at most, " + name);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{
      "pendulum_realizations",
      "A pendulum whose rod is a spring, a friction or an inertia, beside the ideal one."};
  using example::Rule;
  program.option("epsilon", arguments.epsilon, "1", "how soft the rod is", Rule::positive);
  program.option("gravity", arguments.gravity, "m/s^2", "gravity, downwards");
  program.option("angle", arguments.angle, "deg", "angle of the rod above the x axis at the start");
  program.option("t-end", arguments.march.t_end, "s", "end of the motion", Rule::positive);
  program.option("dt", arguments.march.dt, "s", "step", Rule::positive);
  return program.run(argc, argv, [&](example::Run& run) {
    const Pendulum pendulum{{.gravity = arguments.gravity}};
    simulate(Gauss<3>{}, pendulum, "ideal", arguments, run);
    simulate(Gauss<3>{}, with_potential(pendulum, arguments.epsilon), "potential", arguments, run);
    simulate(Radau<3>{}, with_friction(pendulum, 1.0, arguments.epsilon), "friction", arguments, run);
    simulate(Gauss<3>{}, with_inertia(pendulum, arguments.epsilon), "inertia", arguments, run);
    run.summary.print();
    example::Variables given;
    given("epsilon", arguments.epsilon);
    example::draw(run, {"paths", 2100, 850}, given);
    example::draw(run, {"distance", 1600, 1000}, given);
  });
}
