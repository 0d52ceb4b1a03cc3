// Layers of rods, laid across each other and let go: every layer bears the weight of those above it.
//
//   ./woodpile --layers 4 --rods 2              (the defaults)
//   ./woodpile --layers 3 --rods 4 --spacing 0.04
//
//     ○   ○   ○   ○      layer 3       W  weight of a rod,  n rods a layer,  m layers
//    ===============     layer 2       a layer with j layers above it and itself is pressed by
//     ○   ○   ○   ○      layer 1                       (j + 1) n W                                        (1)
//    ===============     layer 0       from below: by n² crossings, layer 0 by the plane
//   ─────────────────
//
// No rod is fixed. Friction alone keeps the pile together, and nothing creeps: each contact is closed and
// sticks exactly, without penalty. (1) holds once the waves of the first moments have died out, which damping
// sees to. Rods that bend are slopes for those above them, which may roll: `creep` is how far they went.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>

#include "support/touching_rods.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = example::TouchingRod;
using Problem = example::TouchingRods;
using State = Problem::State;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.8;

struct Arguments {
  long layers = 4, rods = 2, elements = 16;
  double spacing = 0.08, radius = 0.005, young = 1e6, density = 1100, friction = 0.4, gravity = 9.81;
  double damping = 50, t_end = 0.5, dt = 0;

  std::size_t count() const { return static_cast<std::size_t>(layers * rods); }
  std::size_t layer(std::size_t body) const { return body / static_cast<std::size_t>(rods); }
  /// How far a rod goes beyond its outermost crossings: of two, so far that it is level there [m].
  double overhang() const { return 0.404 * spacing; }
  double length() const { return spacing * static_cast<double>(rods - 1) + 2 * overhang(); }
};

Rod make_rod(const Arguments& p) {
  const rod::CircularSection<> section({.radius = p.radius, .young = p.young, .density = p.density});
  Rod::Parameters parameters{.elements = static_cast<int>(p.elements), .length = p.length()};
  parameters.loads.gravity = {0, 0, -p.gravity};
  parameters.damping.rate = p.damping;
  return Rod(section, parameters);
}

Problem make_problem(const Arguments& p) {
  contact::Touching<> what;
  what.friction = p.friction;
  what.planes.push_back(contact::Plane<>{});
  return Problem{std::vector<Rod>(p.count(), make_rod(p)), what};
}

/// Laid on each other, not pressed yet.
State start(const Problem& problem, const Arguments& p) {
  const Rod rod = make_rod(p);
  std::vector<assembly::Chain<>> chains;
  for (std::size_t i = 0; i < p.count(); ++i) {
    const double beside =
        p.overhang() + p.spacing * static_cast<double>(i % static_cast<std::size_t>(p.rods));
    const double height = p.radius * (1 + 2 * static_cast<double>(p.layer(i)));
    const bool even = p.layer(i) % 2 == 0;
    chains.push_back(even ? rod.straight({0, beside, height}, {.direction = Vec3(1, 0, 0)})
                          : rod.straight({beside, 0, height}, {.direction = Vec3(0, 1, 0)}));
  }
  return problem.state(chains);
}

/// What the contacts of a state say.
struct Loads {
  std::vector<double> borne;   ///< by each layer from below [N]
  std::vector<double> errors;  ///< of (1), relative
  std::vector<double> forces;  ///< of crossings, in their order [N]
  long closed = 0, sliding = 0, plane = 0;

  Loads(const Arguments& p, const Problem& problem, const State& x) {
    borne.resize(static_cast<std::size_t>(p.layers));
    for (const auto& t : contact::touches(problem, x)) {
      ++closed;
      if (t.mode == contact::TouchMode::slides) ++sliding;
      const bool rods = t.other.kind == contact::TouchingSurface::Kind::body;
      borne[rods ? std::max(p.layer(t.body), p.layer(t.other.number)) : 0] += std::abs(t.force[2]);
      if (rods) {
        forces.push_back(t.pressure());
      } else {
        ++plane;
      }
    }
    const double weight =
        p.gravity * problem.bodies<0>()[0].node_mass() * static_cast<double>(p.elements * p.rods);
    for (std::size_t i = 0; i < borne.size(); ++i)
      errors.push_back(borne[i] / (weight * static_cast<double>(borne.size() - i)) - 1);
  }
  double worst() const {
    double most = 0;
    for (const double e : errors) most = std::max(most, std::abs(e));
    return most;
  }
};

/// The page of a run: the rods, and what the layers bear.
class View {
 public:
  View(io::Scene& scene, const Arguments& p)
      : scene_(&scene), errors_(scene.panel("load of a layer, relative to the weight above", "1", names(p))) {
    scene.plane("plane", {0, 0, 0}, {0, 0, 1});
    for (std::size_t i = 0; i < p.count(); ++i)
      rods_.push_back(
          scene.tube("rod " + std::to_string(i), p.radius, {.colour = static_cast<int>(p.layer(i) % 6)}));
  }
  void operator()(const State& x, const Loads& loads) {
    std::vector<double> row;
    for (const double e : loads.errors) row.push_back(1 + e);
    scene_->row(errors_, x.time, row);
    if (!scene_->frame(x.time)) return;
    for (std::size_t i = 0; i < rods_.size(); ++i) scene_->put(rods_[i], x[i]);
  }

 private:
  static std::vector<std::string> names(const Arguments& p) {
    std::vector<std::string> all;
    for (long i = 0; i < p.layers; ++i) all.push_back("layer " + std::to_string(i));
    return all;
  }
  io::Scene* scene_;
  std::vector<io::Scene::Tube> rods_{};
  io::Scene::PanelId errors_;
};

void simulate(const Arguments& p, example::Run& run) {
  const Problem problem = make_problem(p);
  State state = start(problem, p);
  const State first = state;
  run.view.planned = p.t_end;
  std::string columns = "t [s]";
  for (long i = 0; i < p.layers; ++i) columns += ", layer" + std::to_string(i) + " [1]";
  io::CsvWriter csv(run.out / "loads.csv", example::columns(columns + ", closed [1], sliding [1]"));
  View view(run.scene, p);
  analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
  const double dt = example::step(p.dt, stable_part, Verlet{}, problem, state);
  const auto report = drive(
      Verlet{}, problem, state,
      {.step = dt, .until = p.t_end, .output_interval = p.t_end / 100, .progress = example::progress_line()},
      monitor, [&](const Problem& now, const State& x) {
        const Loads loads(p, now, x);
        std::vector<double> row{x.time};
        for (const double e : loads.errors) row.push_back(1 + e);
        row.push_back(static_cast<double>(loads.closed));
        row.push_back(static_cast<double>(loads.sliding));
        csv.row(row);
        view(x, loads);
      });
  csv.close();

  const Loads loads(p, problem, state);
  const long all = (p.layers - 1) * p.rods * p.rods + p.rods * (p.elements + 1);
  double creep = 0;
  for (std::size_t i = 0; i < p.count(); ++i)
    for (Eigen::Index k = 0; k < state[i].nodes; ++k) {
      const Vec3 moved = state[i].position(k) - first[i].position(k);
      creep = std::max(creep, std::hypot(moved[0], moved[1]));
    }
  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  out.figure("layer_load_error", loads.worst(), "1",
             "largest difference between what a layer bears and (1), relative");
  out.list("crossing_forces", loads.forces, "N", "of the crossings, from below");
  out.figure("closed", static_cast<double>(loads.closed), "1", "contacts that are closed at the end");
  out.figure("open", static_cast<double>(all - loads.closed), "1",
             "crossings and nodes of the lowest layer that are not");
  out.figure("sliding", static_cast<double>(loads.sliding), "1", "of those that are closed");
  out.figure("creep", creep, "m", "farthest that a node has gone along the plane");
  out.figure("gap_min", contact::smallest_gap(problem, state), "m", "least gap at the end");
  out.figure("friction_work", monitor.contacts().friction, "J", "of all contacts in the run");
  out.print();
  example::Variables given;
  given("layers", static_cast<double>(p.layers))("T", p.t_end);
  example::draw(run, {"loads", 1600, 1000}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"woodpile", "Layers of rods laid across each other: who bears whom."};
  using example::Rule;
  program.option("layers", p.layers, "layers of rods", 1);
  program.option("rods", p.rods, "rods of a layer", 2);
  program.option("elements", p.elements, "elements of a rod", 4);
  program.option("spacing", p.spacing, "m", "of the rods of a layer", Rule::positive);
  program.option("radius", p.radius, "m", "of a rod", Rule::positive);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("density", p.density, "kg/m^3", "density", Rule::positive);
  program.option("friction", p.friction, "1", "coefficient of friction", Rule::not_negative);
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall", Rule::positive);
  program.option("damping", p.damping, "1/s", "of all that moves", Rule::not_negative);
  program.option("t-end", p.t_end, "s", "end of the run", Rule::positive);
  program.stable_step("dt", p.dt, stable_part);
  program.rule("spacing", "must be more than the diameter of a rod",
               [&] { return p.spacing > 2 * p.radius; });
  program.rule("rods", "must be less than a thousand", [&] { return p.rods < 1000; });
  program.rule("layers", "must be less than a thousand", [&] { return p.layers < 1000; });
  program.rule("elements", "must be less than a million", [&] { return p.elements < 1'000'000; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
