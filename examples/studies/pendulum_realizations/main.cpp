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
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/io/scene.hpp>
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

/// A run, at the times of its table.
struct Path {
  std::string name{};
  std::vector<double> times{};
  std::vector<Vec<double, 2>> places{};
};

/// What the page shows: all pendulums together, with their paths and how far each is from the circle.
void show(const std::vector<Path>& paths, example::Run& run) {
  using Vec3 = Vec<double, 3>;
  io::Scene& scene = run.scene;
  run.view.flat = true;
  std::vector<io::Scene::Curve> rods;
  std::vector<io::Scene::Point> masses;
  std::vector<std::string> names;
  std::size_t rows = paths.front().times.size();
  for (const Path& path : paths) {
    const int colour = static_cast<int>(rods.size());
    rods.push_back(scene.curve("rod, " + path.name, 0.01, {.colour = colour}));
    masses.push_back(scene.point("mass, " + path.name, {.colour = colour, .path = true, .radius = 0.04}));
    names.push_back(path.name);
    rows = std::min(rows, path.times.size());
  }
  const auto distance = scene.panel("distance of the mass from the circle", "m", names, true);
  for (std::size_t k = 0; k < rows; ++k) {
    const double time = paths.front().times[k];
    std::vector<double> off;
    for (const Path& path : paths) off.push_back(path.places[k].norm() - 1);
    scene.row(distance, time, off);
    if (!scene.frame(time)) continue;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const Vec<double, 2>& at = paths[i].places[k];
      const std::array<Vec3, 2> ends = {Vec3::Zero(), Vec3(at[0], at[1], 0)};
      scene.put(rods[i], ends);
      scene.put(masses[i], ends[1]);
    }
  }
}

/// Runs one kind of pendulum, and leaves its path in <name>.csv.
template <class Method, class System>
Path simulate(const Method& method, const System& system, const std::string& name, const Arguments& arguments,
              example::Run& run) {
  const LagrangeDAlembert problem{system};
  using Problem = std::decay_t<decltype(problem)>;
  const Pendulum pendulum{{.gravity = arguments.gravity}};
  auto state = problem.state(pendulum.at_angle(arguments.angle * static_cast<double>(pi) / 180), {0, 0});
  example::Table table(run.out / (name + ".csv"), "t [s], x [m], y [m]", arguments.march);
  const double energy = problem.energy(state);
  double farthest = 0;
  Path path{.name = name};
  const auto report = drive(
      method, problem, state,
      {.step = arguments.march.dt, .until = arguments.march.t_end, .progress = example::progress_line()},
      [&](const Problem&, const typename Problem::State& at) {
        farthest = std::max(farthest, std::abs(at.g.coordinates().norm() - 1));
        if (!table.due(at.time)) return;
        table.row(at.time, at.g.coordinates());
        path.times.push_back(at.time);
        path.places.emplace_back(at.g.coordinates());
      });
  table.close();
  run.summary.add_end(state, report.steps);
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
  return path;
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
    const double epsilon = arguments.epsilon;
    std::vector<Path> paths;
    paths.push_back(simulate(Gauss<3>{}, pendulum, "ideal", arguments, run));
    paths.push_back(simulate(Gauss<3>{}, with_potential(pendulum, epsilon), "potential", arguments, run));
    paths.push_back(simulate(Radau<3>{}, with_friction(pendulum, 1.0, epsilon), "friction", arguments, run));
    paths.push_back(simulate(Gauss<3>{}, with_inertia(pendulum, epsilon), "inertia", arguments, run));
    show(paths, run);
    run.summary.ends();
    run.summary.print();
    example::Variables given;
    given("epsilon", epsilon);
    example::draw(run, {"paths", 2100, 850}, given);
    example::draw(run, {"distance", 1600, 1000}, given);
  });
}
