// Chaplygin's sleigh: a rigid body on one knife edge swings round until the edge trails behind it.
//
//   ./chaplygin_sleigh --u -1 --omega 1e-3 --t-end 80          (the defaults)
//
//   u̇ = aω²,  ω̇ = −(ma/K) uω,  K = I + ma²          y
//                                                    |    centre of mass
//   blade at (x, y), edge along the heading φ;       |      o
//   the centre of mass is a ahead of it              |    ╱ a
//                                                    |  ╱)φ
//                                                    +—●————— x     blade
//
// With its blade leading (u < 0 for a > 0) the sleigh is unstable: it slows down, swings round by nearly π√(K/(ma²)) in all,
// with a cusp in its path where u changes sign, and leaves with the blade trailing. The run is compared with the motion in closed form.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/march.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/sleigh.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Sleigh = systems::ChaplyginSleigh<double>;
using Model = LagrangeDAlembert<Sleigh>;

struct Arguments {
  double m = 1, inertia = 1, a = 0.2;
  double x = 0, y = 0, phi = 0, u = -1, omega = 1e-3;
  example::March march{.t_end = 80, .dt = 1e-3};
};

/// What the page of a run shows: the sleigh to scale, the path of its blade, and what it is held by.
class View {
 public:
  View(example::Run& run, const Arguments& p)
      : scene_(&run.scene),
        sleigh_(scene_->body("sleigh", example::sleigh_parts(p.m, p.inertia, p.a), {.colour = 0})),
        blade_(scene_->point("blade", {.colour = 3,
                                       .path = true,
                                       .radius = 0.05 * example::sleigh_size(p.m, p.inertia, p.a),
                                       .arrow = "force on the blade",
                                       .unit = "N"})),
        velocities_(scene_->panel("velocities", "m/s, rad/s", {"u", "omega"})),
        heading_(scene_->panel("heading", "rad", {"phi"})),
        force_(scene_->panel("force on the blade", "N", {"lambda"})),
        error_(scene_->panel("largest error so far beside the closed form", "m/s, rad/s, rad", {"error"},
                             true)) {
    run.view.flat = true;
  }

  /// A state with the sideways force on the blade [N], the heading without jumps [rad] and the error so far.
  void operator()(const Model::State& state, double lambda, double heading, double error) {
    scene_->row(velocities_, state.time, {state.xi[0], state.xi[2]});
    scene_->row(heading_, state.time, {heading});
    scene_->row(force_, state.time, {lambda});
    scene_->row(error_, state.time, {error});
    if (!scene_->frame(state.time)) return;
    const Vec<double, 2> at = state.g.translation();
    const Vec<double, 3> blade(at[0], at[1], 0), left(-std::sin(heading), std::cos(heading), 0);
    scene_->put(sleigh_, SO3<double>::exp({0, 0, heading}), blade);
    scene_->put(blade_, blade, lambda * left);
  }

 private:
  io::Scene* scene_;
  io::Scene::Body sleigh_;
  io::Scene::Point blade_;
  io::Scene::PanelId velocities_, heading_, force_, error_;
};

/// Watches a run: the heading without jumps, the error against the closed form, and a table.
class Recorder {
 public:
  Recorder(const Arguments& arguments, example::Run& run)
      : heading(arguments.phi),
        start_{.u = arguments.u, .omega = arguments.omega, .phi = arguments.phi},
        table_(run.out / "trajectory.csv",
               "t [s], x [m], y [m], phi [rad], u [m/s], omega [rad/s], lambda [N], energy [J]",
               arguments.march),
        view_(run, arguments) {}

  void operator()(const Model& model, const Model::State& state) {
    heading.follow(state.time, state.g.angle(), state.xi[2]);
    const auto exact = model.system().exact(start_, state.time);
    error = std::max({error, std::abs(state.xi[0] - exact.u), std::abs(state.xi[2] - exact.omega),
                      std::abs(heading.now() - exact.phi)});
    if (!table_.due(state.time)) return;
    model.rates(state, rates_);
    table_.row(state.time, state.g.translation(), heading.now(), state.xi[0], state.xi[2], rates_.lambda[0],
               model.energy(state));
    view_(state, rates_.lambda[0], heading.now(), error);
  }
  void close() { table_.close(); }

  example::Heading heading;
  double error = 0;  ///< largest of u, ω, φ against the closed form [m/s, rad/s, rad]

 private:
  Sleigh::Motion start_;
  example::Table table_;
  View view_;
  Model::Rates rates_{};
};

/// Runs the sleigh; returns where its path has a cusp, if it has.
template <class Method>
std::optional<Model::State> simulate(const Method& method, const Arguments& arguments, example::Run& run) {
  const Model model{Sleigh{{.mass = arguments.m, .inertia = arguments.inertia, .offset = arguments.a}}};
  auto state = model.state(SE2d(arguments.x, arguments.y, arguments.phi), {arguments.u, 0, arguments.omega});
  Recorder recorder(arguments, run);
  analysis::EnergyMonitor monitor{model, analysis::Keep::maxima};
  const auto report = drive(
      method, model, state,
      {.step = arguments.march.dt,
       .until = arguments.march.t_end,
       .events = {{.name = "cusp", .value = [](const Model&, const Model::State& at) { return at.xi[0]; }}},
       .progress = example::progress_line()},
      recorder, monitor);
  recorder.close();

  auto& summary = run.summary;
  summary.figure("total_turn", recorder.heading.turn(), "rad",
                 "heading at the end minus heading at the start");
  if (arguments.a != 0)
    summary.figure("total_turn_limit", model.system().total_turn(), "rad",
                   "the most that this sleigh can turn, pi sqrt(K/(m a^2))");
  summary.figure("closed_form_error_max", recorder.error, "1",
                 "largest error of u, omega, phi [m/s, rad/s, rad]");
  summary.figure("energy_error", monitor.energy_error(), "J", "largest change of energy");
  summary.figure("constraint_max", monitor.violation().velocity, "m/s",
                 "largest sideways speed of the blade");
  summary.violation(report);
  summary.final_state(state, report.steps);
  if (report.hits.empty()) return {};
  summary.figure("cusp_time", report.hits.front().state.time, "s", "when the blade stops and turns back");
  return report.hits.front().state;
}

void draw(const Arguments& arguments, const std::optional<Model::State>& cusp, const example::Run& run) {
  if (arguments.u == 0 && arguments.omega == 0) return;
  const double root = std::sqrt(arguments.inertia / arguments.m + arguments.a * arguments.a);
  example::Variables given;
  given("a", arguments.a)("root", root)("k", std::hypot(arguments.u, root * arguments.omega));
  given("side", arguments.omega < 0 ? -1 : 1)("stable", arguments.a < 0 ? -1 : 1)("cusp", cusp ? 1 : 0);
  if (cusp)
    given("xc", cusp->g.translation()[0])("yc", cusp->g.translation()[1])("tc", cusp->time)("phic",
                                                                                            cusp->g.angle());
  if (arguments.a != 0) example::draw(run, {"phase", 1600, 1100}, given);
  example::draw(run, {"path", 2000, 1050}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{
      "chaplygin_sleigh",
      "Chaplygin's sleigh, a rigid body on one knife edge, compared with its motion in closed form."};
  using example::Rule;
  program.option("m", arguments.m, "kg", "mass", Rule::positive);
  program.option("I", arguments.inertia, "kg m^2", "moment of inertia about the centre of mass",
                 Rule::positive);
  program.option("a", arguments.a, "m", "distance of the centre of mass ahead of the blade");
  program.option("x", arguments.x, "m", "place of the blade at the start");
  program.option("y", arguments.y, "m", "place of the blade at the start");
  program.option("phi", arguments.phi, "rad", "heading at the start");
  program.option("u", arguments.u, "m/s", "speed along the blade at the start");
  program.option("omega", arguments.omega, "rad/s", "turning rate at the start");
  program.march(arguments.march);
  return program.run(argc, argv, [&](example::Run& run) {
    const auto cusp = example::with_method(
        arguments.march, [&](const auto& method) { return simulate(method, arguments, run); });
    run.summary.print();
    draw(arguments, cusp, run);
  });
}
