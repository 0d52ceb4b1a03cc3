// Two stretched rubber rods, hooked into each other and struck, rub on each other instead of rolling: what is left of perfect rolling.
//
//   slipping_rods                                half a second with 0.01 m/(N s), and with four smaller mobilities
//   slipping_rods --mobility 0.1 --strike 9      livelier, with less friction
//
//   |R2 - R1| = 2a          the rods touch, as they do in rolling
//   u_t = -eps lambda_t     their slip along each other, against the friction: eps = 0 is rolling
//   dE/dt = -eps |lambda_t|^2
//
// As eps falls, slip and distance from rolling fall with slope 1. All runs take the same step.
//
//   |lambda_t| <= mu lambda_n,   u_t != 0: lambda_t = -mu lambda_n u_t/|u_t|
//
// Dry friction (--friction) is not like that: the rods roll where it suffices, and where they slip they may part as well.
//
// Writes slip.csv of the run with --mobility, coulomb.csv, paths.csv of all mobilities, epsilon.csv, summary.json and a picture.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/contact/contact_evaluation.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/stable.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using State = assembly::State<double>;
using RollingContact = contact::RollingContact<double>;
using Rolling = assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<RollingContact>>;
using Slipping =
    assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<contact::Frictional<RollingContact>>>;

constexpr int runs = 5;  // ε, ε/√10, ε/10, …

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.24;

struct Options {
  systems::RollingRodsParameters<double> rods{.elements = 40};
  std::string contact = "unilateral";
  double mobility = 0.01, friction = 0.5, t_end = 0.5, dt = 0, output_interval = 1e-3;
};

/// What came of one mobility.
struct Outcome {
  double epsilon = 0, distance = 0, slip = 0, slip_error = 0, lost = 0, energy_error = 0;
};

/// The largest distance of nodes [m].
double distance(const std::vector<rod::Chain<double>>& a, const std::vector<rod::Chain<double>>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (Eigen::Index k = 0; k < a[i].nodes; ++k)
      most = std::max(most, (a[i].position(k) - b[i].position(k)).norm());
  return most;
}
/// T x for the normal n.
Vec<double, 3> along(const Vec<double, 3>& x, const Vec<double, 3>& n) { return x - x.dot(n) * n; }

/// The slope of log y over log x by least squares.
double slope(const std::vector<Outcome>& all, double Outcome::*y) {
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (const Outcome& o : all) {
    mean_x += std::log(o.epsilon) / static_cast<double>(all.size());
    mean_y += std::log(o.*y) / static_cast<double>(all.size());
  }
  for (const Outcome& o : all) {
    const double x = std::log(o.epsilon) - mean_x;
    xx += x * x;
    xy += x * (std::log(o.*y) - mean_y);
  }
  return xy / xx;
}

/// A motion at each time of output.
struct Motion {
  std::vector<double> times{};
  std::vector<std::vector<rod::Chain<double>>> chains{};
  std::vector<Vec<double, 2>> s{};

  void add(const State& x) {
    times.push_back(x.time);
    chains.push_back(x.chains);
    s.emplace_back(x.z);
  }
};

/// What the page shows: the rods that rub with the largest mobility, the contact and its force, the centrelines of the rods that roll, and both slips.
class View {
 public:
  View(io::Scene& scene, double radius)
      : scene_(&scene),
        rods_{scene.tube("rod 1", radius, {.colour = 0}), scene.tube("rod 2", radius, {.colour = 1})},
        rolled_{scene.curve("rod 1, rolling", 0.2 * radius, {.colour = 4}),
                scene.curve("rod 2, rolling", 0.2 * radius, {.colour = 4})},
        contact_(scene.point(
            "contact",
            {.colour = 3, .path = true, .radius = 0.3 * radius, .arrow = "force on rod 1", .unit = "N"})),
        positions_(scene.panel("contact on the rods", "m", {"s1", "s2", "s1, rolling", "s2, rolling"})),
        slip_(scene.panel("slip", "m/s", {"slip", "-eps lambda of rolling"}, true)),
        energy_(scene.panel("energy", "J", {"change", "work of friction"})) {}

  /// A state with its contact, and beside it the rods that roll, if they came so far; slips [m/s], change of energy and work of friction [J].
  void operator()(const State& now, const contact::ContactEvaluation<double>& touching,
                  const std::vector<rod::Chain<double>>* rolled, const Vec<double, 2>& rolled_s, double slip,
                  double expected, double energy, double work) {
    scene_->row(positions_, now.time, {now.z[0], now.z[1], rolled_s[0], rolled_s[1]});
    scene_->row(slip_, now.time, {slip, expected});
    scene_->row(energy_, now.time, {energy, work});
    if (!scene_->frame(now.time)) return;
    for (std::size_t i = 0; i < 2; ++i) {
      scene_->put(rods_[i], now[i]);
      if (rolled == nullptr) continue;
      std::vector<Vec<double, 3>> line;
      for (Eigen::Index k = 0; k < (*rolled)[i].nodes; ++k) line.emplace_back((*rolled)[i].position(k));
      scene_->put(rolled_[i], line);
    }
    scene_->put(contact_, touching.place, touching.force);
  }

 private:
  io::Scene* scene_;
  std::array<io::Scene::Tube, 2> rods_;
  std::array<io::Scene::Curve, 2> rolled_;
  io::Scene::Point contact_;
  io::Scene::PanelId positions_, slip_, energy_;
};

Outcome simulate(const Options& given, const Rolling& rolling, const State& start, double epsilon,
                 const Motion& rolled, Motion& moved, io::CsvWriter* csv, View* view,
                 example::Summary& summary) {
  const RollingContact& crossing = rolling.constraints<0>()[0];
  const Slipping problem{assembly::bodies(rolling.bodies<0>()),
                         assembly::constraints(contact::with_friction(crossing, epsilon))};
  Outcome out{.epsilon = epsilon};
  auto rates = problem.make_rates();
  auto held = rolling.make_rates();
  analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
  double next = 0;
  const auto watch = [&](const Slipping& p, const State& now) {
    monitor(p, now);
    if (now.time < next - given.dt / 2) return;
    next += given.output_interval;
    p.rates(now, rates);
    rolling.rates(now, held);
    const auto touching = contact::evaluate(crossing, now, rates.lambda);
    const Vec<double, 3>& n = touching.normal;
    const Vec<double, 3> slip = along(p.row_velocities(now), n),
                         expected = -epsilon * along(Vec<double, 3>(held.lambda), n);
    const std::size_t count = moved.times.size();
    const bool beside = count < rolled.chains.size();
    if (beside) out.distance = std::max(out.distance, distance(now.chains, rolled.chains[count]));
    // the start, which rolls, is beside the slow motion
    if (now.time > 0) out.slip_error = std::max(out.slip_error, (slip - expected).norm());
    out.slip = std::max(out.slip, slip.norm());
    moved.add(now);
    const double change = p.energy(now) - monitor.entries().front().energy,
                 work = monitor.last().work.dissipation;
    if (csv) csv->row({now.time, slip.norm(), expected.norm(), change, work});
    if (view) {
      constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
      (*view)(now, touching, beside ? &rolled.chains[count] : nullptr,
              beside ? rolled.s[count] : Vec<double, 2>(nothing, nothing), slip.norm(), expected.norm(),
              change, work);
    }
  };
  State x = start;
  const auto report =
      drive(Verlet{}, problem, x,
            {.step = given.dt, .until = given.t_end, .progress = example::progress_line()}, watch);
  summary.add_end(x, report.steps);
  out.lost = -monitor.last().work.dissipation;
  out.energy_error = monitor.balance_error();
  return out;
}

/// What came of dry friction.
struct DryOutcome {
  double slip = 0, lost = 0, sticks = 0, apart = 0;
};

/// The same rods with Coulomb friction. Their radii are such that they just touch: where a rolling contact is smeared,
/// centrelines are a little farther apart than radii say.
DryOutcome simulate_dry(const Options& given, const std::vector<Rod>& rods, const State& start,
                        const std::filesystem::path& file, example::Summary& summary) {
  contact::Touching<> what;
  what.friction = given.friction;
  what.radii.assign(2, 1.3 * given.rods.radius);  // near enough to be seen
  const auto with = [&] { return assembly::Assembly{assembly::bodies(rods), what}; };
  auto problem = with();
  State x = problem.state(start.chains);
  for (double& radius : what.radii) radius += contact::smallest_gap(problem, x) / 2;
  problem = with();
  x = problem.state(start.chains);
  analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
  io::CsvWriter csv(
      file, example::columns("t [s], slip [m/s], energy_change [J], work_of_friction [J], contacts [1]"));
  DryOutcome out;
  double count = 0;
  const auto report = drive(Verlet{}, problem, x,
                            {.step = given.dt,
                             .until = given.t_end,
                             .output_interval = given.output_interval,
                             .progress = example::progress_line()},
                            monitor, [&](const auto& p, const State& now) {
                              const auto touches = contact::touches(p, now);
                              double slip = 0;
                              for (const auto& t : touches) slip = std::max(slip, t.slip.norm());
                              ++count;
                              if (touches.empty()) ++out.apart;
                              if (!touches.empty() && touches[0].mode == contact::TouchMode::sticks)
                                ++out.sticks;
                              if (now.time > 0) out.slip = std::max(out.slip, slip);
                              csv.row({now.time, slip, p.energy(now) - monitor.entries().front().energy,
                                       monitor.contacts().friction, static_cast<double>(touches.size())});
                            });
  csv.close();
  summary.add_end(x, report.steps);
  out.lost = -monitor.contacts().friction;
  out.sticks /= count;
  out.apart /= count;
  return out;
}

void simulate(Options given, example::Run& run) {
  const auto at_rest = systems::static_start(given.rods);
  RollingContact crossing = at_rest.crossing;
  crossing.bilateral = given.contact == "bilateral";
  const Rolling rolling{assembly::bodies(at_rest.rods), assembly::constraints(crossing)};
  State start = rolling.state(at_rest.state.chains, at_rest.state.z);
  systems::set_initial_velocity(rolling, start, given.rods);
  given.dt = example::step(given.dt, stable_part, Verlet{}, rolling, start);

  Motion rolled;
  State x = start;
  double next = 0;
  analysis::EnergyMonitor monitor{rolling, analysis::Keep::maxima};
  const auto report = drive(Verlet{}, rolling, x,
                            {.step = given.dt, .until = given.t_end, .progress = example::progress_line()},
                            [&](const Rolling& p, const State& now) {
                              monitor(p, now);
                              if (now.time < next - given.dt / 2) return;
                              next += given.output_interval;
                              rolled.add(now);
                            });

  auto& summary = run.summary;
  summary.add_end(x, report.steps);

  io::CsvWriter slip_csv(run.out / "slip.csv",
                         example::columns("t [s], slip [m/s], slip_expected [m/s], energy_change [J], "
                                          "work_of_friction [J]"));
  io::CsvWriter epsilon_csv(run.out / "epsilon.csv",
                            example::columns("epsilon [m/(N s)], distance [m], slip [m/s], slip_error [m/s], "
                                             "energy_lost [J], energy_error [J]"));
  View view(run.scene, given.rods.radius);
  std::vector<Outcome> all;
  std::vector<Motion> moved(runs);
  for (int i = 0; i < runs; ++i) {
    const double epsilon = given.mobility * std::pow(10.0, -i / 2.0);
    all.push_back(simulate(given, rolling, start, epsilon, rolled, moved[static_cast<std::size_t>(i)],
                           i == 0 ? &slip_csv : nullptr, i == 0 ? &view : nullptr, summary));
    const Outcome& o = all.back();
    epsilon_csv.row({o.epsilon, o.distance, o.slip, o.slip_error, o.lost, o.energy_error});
  }
  io::CsvWriter paths(
      run.out / "paths.csv",
      example::columns("t [s], s1_rolling [m], s2_rolling [m], s1_0 [m], s2_0 [m], s1_1 [m], "
                       "s2_1 [m], s1_2 [m], s2_2 [m], s1_3 [m], s2_3 [m], s1_4 [m], s2_4 [m]"));
  std::vector<double> row;
  for (std::size_t k = 0; k < rolled.times.size(); ++k) {
    row = {rolled.times[k], rolled.s[k][0], rolled.s[k][1]};
    for (const Motion& m : moved) {
      const bool there = k < m.s.size();
      for (int j = 0; j < 2; ++j) row.push_back(there ? m.s[k][j] : std::numeric_limits<double>::quiet_NaN());
    }
    paths.row(row);
  }
  for (io::CsvWriter* csv : {&slip_csv, &epsilon_csv, &paths}) csv->close();

  const DryOutcome dry = simulate_dry(given, at_rest.rods, start, run.out / "coulomb.csv", summary);

  const Outcome& first = all.front();
  summary.figure("slip_max", first.slip, "m/s", "largest slip with --mobility");
  summary.figure("slip_error_max", first.slip_error, "m/s",
                 "largest distance of it from -eps lambda of rolling");
  summary.figure("energy_lost", first.lost, "J", "what friction takes, by the energy monitor");
  summary.figure("energy_error", first.energy_error, "J",
                 "change of energy that the energy monitor does not account for");
  summary.figure("energy_error_rolling", monitor.balance_error(), "J", "the same of rolling");
  summary.figure("distance_max", first.distance, "m", "largest distance of nodes from those of rolling");
  summary.figure("slope", slope(all, &Outcome::distance), "1", "of this distance over eps, on log axes");
  summary.figure("slip_slope", slope(all, &Outcome::slip), "1", "of the slip over eps");
  summary.figure("slip_error_slope", slope(all, &Outcome::slip_error), "1",
                 "of its distance from -eps lambda");
  summary.figure("coulomb_slip_max", dry.slip, "m/s", "largest slip with dry friction");
  summary.figure("coulomb_energy_lost", dry.lost, "J", "what dry friction takes");
  summary.figure("coulomb_sticks", dry.sticks, "1", "part of the time in which dry friction lets them roll");
  summary.figure("coulomb_apart", dry.apart, "1", "part of the time in which they do not touch");
  summary.ends();
  summary.print();
  example::draw(run, {"slipping", 2000, 1300},
                example::Variables{}("epsilon", given.mobility)("T", given.t_end)("mu", given.friction));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  auto& rods = options.rods;
  long elements = rods.elements;
  double crossing_angle = 75.0;
  using example::Rule;
  example::Program program{"slipping_rods",
                           "Two elastic rods that rub on each other, set beside perfect rolling."};
  program.option("elements", elements, "elements of each rod", 2);
  program.option("length", rods.length, "m", "length of each rod without load", Rule::positive);
  program.option("radius", rods.radius, "m", "radius of the rods", Rule::positive);
  program.option("young", rods.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", rods.poisson, "1", "Poisson's ratio");
  program.option("density", rods.density, "kg/m^3", "density", Rule::positive);
  program.option("pre-stretch", rods.pre_stretch, "1", "stretch of the rods before they are hooked");
  program.option("crossing-angle", crossing_angle, "deg", "angle at which the rods cross");
  program.option("hook", rods.hook, "m", "how far the ends of each rod are drawn through the other");
  program.option("kernel-width", rods.kernel_width, "m", "width of the bump that smears the contact",
                 Rule::positive);
  program.choice("contact", options.contact, {"unilateral", "bilateral"},
                 "whether a contact that pulls ends the run");
  program.option("strike", rods.strike, "m/s", "velocity with which rod 1 is struck");
  program.option("roll", rods.roll, "m/s", "velocity with which rod 2 rolls off");
  program.option("mobility", options.mobility, "m/(N s)",
                 "slip per force of friction, eps, the largest of five", Rule::positive);
  program.option("friction", options.friction, "1", "coefficient of dry friction, beside it",
                 Rule::not_negative);
  program.option("t-end", options.t_end, "s", "end of the motion", Rule::positive);
  program.stable_step("dt", options.dt, stable_part);
  program.option("output-interval", options.output_interval, "s", "time between rows of the CSV files",
                 Rule::positive);
  return program.run(argc, argv, [&](example::Run& run) {
    rods.elements = static_cast<int>(std::min<long>(elements, std::numeric_limits<int>::max()));
    rods.crossing_angle = crossing_angle * static_cast<double>(pi) / 180.0;
    simulate(options, run);
  });
}
