// Structures that give way: how much do they bear, and what do they do then?
//
//   buckling                            an arch of 215 degrees: its load falls, and turns round, before the arch hangs
//   buckling --case frame               Lee's frame snaps through
//   buckling --case column              Euler's column: where it has to choose a side, and the elastica that it becomes
//
//       | P                 P |                    | P        column   clamped at its foot
//     __v__            _______v______              |          arch     clamped at one end, hinged at the other
//   /       \         |              o             |          frame    both ends hinged
//   =       o         o                            =
//
// Equilibria are followed by their arc length (statics/continuation.hpp), which goes on where loads turn round. Limit points and bifurcations are
// located on the way; `unstable` counts the directions in which an equilibrium gives way. Writes branch.csv (load and displacement of the place that is
// pushed), events.csv, shape_*.csv, for the column elastica.csv, summary.json and a picture.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <dalembert/io/csv.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/rod/stiffness.hpp>
#include <dalembert/statics/buckling.hpp>
#include <dalembert/statics/continuation.hpp>
#include <nlohmann/json.hpp>

#include "buckling/structures.hpp"
#include "support/interrupt.hpp"
#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using assembly::BranchEvent;
using buckling::Structure;
using buckling::Vec3;
using Branch = assembly::Branch<double>;
using Point = assembly::BranchPoint<double>;
using Options = assembly::ContinuationOptions<double>;

constexpr int shapes = 7;

void write_shape(const std::filesystem::path& path, const buckling::State& x) {
  io::CsvWriter csv(path, example::columns("x [m], z [m]"));
  for (const auto& chain : x.chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) csv.row({chain.position(k)[0], chain.position(k)[2]});
  csv.close();
}

/// What the page shows: the structure along its branch, with what pushes it. The length of the branch takes the place of time.
void show(const Structure& s, const Branch& branch, example::Run& run) {
  io::Scene& scene = run.scene;
  run.view.caption +=
      " Nothing moves here: what runs is the length of the branch, as the mean turn of the nodes measures "
      "it.";
  run.view.variable = "arc";
  run.view.unit = "rad";
  run.view.yaw = 0;
  run.view.pitch = 10;
  double length = 0;
  for (const auto& rod : std::get<0>(s.bodies)) length += rod.length();
  std::vector<io::Scene::Tube> rods;
  for (std::size_t i = 0; i < s.start.chains.size(); ++i)
    rods.push_back(scene.tube("rod " + std::to_string(i + 1), length / 150, {.colour = static_cast<int>(i)}));
  const auto pushed = scene.point(
      "pushed place", {.colour = 3, .path = true, .radius = length / 100, .arrow = "load", .unit = "N"});
  const auto load = scene.panel("load, along the branch", "N", {"load"});
  const auto moved = scene.panel("displacement of the pushed place", "m", {"aside", "down"});
  const auto unstable = scene.panel("directions in which it gives way", "1", {"unstable"});
  const Vec3 origin = s.place(s.start);
  for (const Point& p : branch.points) {
    const Vec3 at = s.place(p.state);
    scene.row(load, p.arc, {p.parameter});
    scene.row(moved, p.arc, {at[0] - origin[0], origin[2] - at[2]});
    scene.row(unstable, p.arc, {static_cast<double>(p.unstable)});
    if (!scene.frame(p.arc)) continue;
    for (std::size_t i = 0; i < rods.size(); ++i) scene.put(rods[i], p.state[i]);
    scene.put(pushed, at, Vec3(0, 0, -p.parameter));
  }
}

void write(const Structure& s, const Branch& branch, example::Run& run) {
  const Vec3 origin = s.place(s.start);
  const auto row = [&](const Point& p) {
    const Vec3 moved = s.place(p.state) - origin;
    return std::vector<double>{p.parameter, moved[0], -moved[2], p.arc, static_cast<double>(p.unstable)};
  };
  io::CsvWriter csv(run.out / "branch.csv",
                    example::columns("load [N], aside [m], down [m], arc [1], unstable [1]"));
  io::CsvWriter events(run.out / "events.csv",
                       example::columns("load [N], aside [m], down [m], limit_point [1]"));
  for (const Point& p : branch.points) {
    const std::vector<double> all = row(p);
    csv.row(all);
    if (p.kind != BranchEvent::none)
      events.row({all[0], all[1], all[2], p.kind == BranchEvent::limit_point ? 1.0 : 0.0});
  }
  csv.close();
  events.close();
  const double last = branch.points.back().arc;
  std::size_t at = 0;
  for (int i = 0; i < shapes; ++i) {
    while (at + 1 < branch.points.size() && branch.points[at].arc < last * i / (shapes - 1)) ++at;
    write_shape(run.out / ("shape_" + std::to_string(i) + ".csv"), branch.points[at].state);
  }
}

/// The column's branch that bends, after the straight one up to the bifurcation.
void bend(Structure& s, Branch& branch, const Options& options, const auto& path, example::Run& run) {
  const auto found = branch.of_kind(BranchEvent::bifurcation);
  if (found.empty()) return;
  auto x = s.start;
  const double estimate =
      assembly::linear_buckling(s.bodies, s.welds, x, 0.0, path, {.step = 0.05 * s.scale}).parameter;
  const double side = found[0].mode[6 * (s.start[0].nodes - 1)] < 0 ? -1 : 1;
  const Branch bent =
      assembly::switch_branch(s.bodies, s.welds, x, found[0], side < 0 ? -1 : 1, path, options);
  while (branch.points.back().kind != BranchEvent::bifurcation) branch.points.pop_back();
  const double before = branch.points.back().arc;
  double worst = 0;
  for (std::size_t i = 1; i < bent.points.size(); ++i) {
    Point p = bent.points[i];
    p.arc += before;
    const auto& tip = p.state[0];
    const Vec3 along = tip.rotation(tip.nodes - 1).act(Vec3(0, 0, 1));
    const auto exact = buckling::elastica(std::atan2(along[0], along[2]));
    worst = std::max({worst, std::abs(tip.position(tip.nodes - 1)[0] - exact.aside),
                      std::abs(tip.position(tip.nodes - 1)[2] - exact.height),
                      std::abs(p.parameter / s.scale - exact.load)});
    branch.points.push_back(std::move(p));
  }
  branch.iterations += bent.iterations;
  io::CsvWriter csv(run.out / "elastica.csv", example::columns("load [N], aside [m], down [m]"));
  for (double turn = 0.01; turn < 2.6; turn += 0.02) {
    const auto e = buckling::elastica(turn);
    csv.row({e.load * s.scale, e.aside, 1 - e.height});
  }
  csv.close();
  run.summary.figure("bifurcation_load", found[0].parameter, "N",
                     "where the straight column stops to be stable");
  run.summary.figure("bifurcation_load_linear", estimate, "N",
                     "the same as its stiffness without load tells");
  run.summary.figure("elastica_distance", worst, "1",
                     "largest difference from the elastica: tip over length, load over Euler's");
}

void follow(Structure& s, double largest, long points, example::Run& run) {
  const auto path = [&](double p, buckling::Bodies& list, buckling::Welds&, buckling::State&) {
    s.push(p, list);
  };
  const Options options{.first_step = 0.05 * s.scale,
                        .largest_step = largest,
                        .parameter_scale = s.scale,
                        .least = -s.most,
                        .most = s.most,
                        .points = static_cast<int>(points)};
  const bool straight = s.start.chains.size() == 1;
  auto x = s.start;
  Branch branch =
      assembly::continue_equilibria(s.bodies, s.welds, x, 0.0, path, options, [&](const Point& p) {
        example::end_if_interrupted();
        return straight && p.kind == BranchEvent::bifurcation;
      });
  auto& summary = run.summary;
  if (straight) {
    Options on_the_branch = options;
    on_the_branch.first_step = 0.02;
    on_the_branch.most = 3 * s.scale;
    bend(s, branch, on_the_branch, path, run);
  }
  write(s, branch, run);
  show(s, branch, run);

  auto limits = example::Json::array();
  for (const Point& p : branch.of_kind(BranchEvent::limit_point)) {
    const std::string name = "limit_load_" + std::to_string(limits.size() + 1);
    summary.figure(name, p.parameter, "N", "an extremum of the load");
    limits.push_back(p.parameter);
  }
  summary.group("limit_loads", limits);
  for (std::size_t i = 0; i < s.loads.size(); ++i)
    summary.figure("reference_load_" + std::to_string(i + 1), s.loads[i], "N", "of " + s.reference);
  summary.final_state(branch.points.back().state, static_cast<long>(branch.points.size()));
  summary.figure("points", static_cast<double>(branch.points.size()), "1", "equilibria on the branch");
  summary.figure("iterations", branch.iterations, "1", "of Newton's method");
  int unstable = 0;
  for (const Point& p : branch.points) unstable = std::max(unstable, p.unstable);
  summary.figure("unstable_most", unstable, "1", "directions in which an equilibrium gives way, at most");
  summary.print();
  example::Variables given;
  given("shapes", shapes - 1)("column", straight ? 1.0 : 0.0)("reference", s.reference);
  for (std::size_t i = 0; i < 2; ++i)
    given("reference_" + std::to_string(i + 1), i < s.loads.size() && !straight ? s.loads[i] : 1e300);
  example::draw(run, {"buckling", 2000, 900}, given);
}

}  // namespace

int main(int argc, char** argv) {
  std::string name = "arch";
  long elements = 80, points = 400;
  double step = 0.1;
  example::Program program{
      "buckling", "Loads and displacements of structures that give way, past limit points and bifurcations."};
  program.choice("case", name, {"arch", "frame", "column"}, "what is pushed");
  program.option("elements", elements, "elements of all rods together", 20);
  program.option("step", step, "1", "longest step along the branch: mean turn of the nodes [rad]",
                 example::Rule::positive);
  program.option("points", points, "steps along the branch, at most", 1);
  program.rule("elements", "must be at most 100000", [&] { return elements <= 100000; });
  program.rule("points", "must be at most 1000000", [&] { return points <= 1000000; });
  return program.run(argc, argv, [&](example::Run& run) {
    const int n = static_cast<int>(elements);
    Structure s = name == "arch"    ? buckling::arch(n)
                  : name == "frame" ? buckling::frame(n)
                                    : buckling::column(n);
    follow(s, step, points, run);
  });
}
