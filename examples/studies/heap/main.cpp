// Rods are thrown into a box one above the other: they fall on each other, slide, roll and come to rest.
//
//   ./heap --rods 8                     (the defaults)
//   ./heap --rods 30 --friction 0       without friction they lie flat
//
//     \      /  ↓        Of each contact the gap is never negative, friction obeys Coulomb's law, and what
//   |    ──       |      contacts do is booked: of the energy E of all rods,
//   |  ╲ ──  ╱ ╲  |        E − E(0) = impact + friction + correction + damping                            (1)
//   |__──╳───╳──__|      `balance_error` is what is left of (1).
//
// A rigid rod that does not spin has five degrees of freedom and half of each of its contacts: without friction a
// heap that cannot move has ten contacts a rod, walls counted twice, with friction at least four. Long thin rods
// come near ten. Source: Philipse 1996, Langmuir 12, 1127.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
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
  long rods = 8, elements = 10, seed = 1;
  double length = 0.1, radius = 0.005, young = 1e6, density = 1100, box = 0.15, friction = 0.4,
         restitution = 0, gravity = 9.81, damping = 10, t_end = 0.8, dt = 0;

  std::size_t count() const { return static_cast<std::size_t>(rods); }
};

Rod make_rod(const Arguments& p) {
  const rod::CircularSection<> section({.radius = p.radius, .young = p.young, .density = p.density});
  Rod::Parameters parameters{.elements = static_cast<int>(p.elements), .length = p.length};
  parameters.loads.gravity = {0, 0, -p.gravity};
  parameters.damping.rate = p.damping;
  return Rod(section, parameters);
}

Problem make_problem(const Arguments& p) {
  contact::Touching<> what;
  what.friction = p.friction;
  what.restitution = p.restitution;
  what.planes.push_back(contact::Plane<>{});
  for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    contact::Plane<> wall;
    wall.point = -p.box / 2 * normal;
    wall.normal = normal;
    what.planes.push_back(wall);
  }
  return Problem{std::vector<Rod>(p.count(), make_rod(p)), what};
}

/// One above the other, aslant, in any direction.
State start(const Problem& problem, const Arguments& p) {
  std::mt19937 draw(static_cast<std::mt19937::result_type>(p.seed));
  const auto number = [&] { return static_cast<double>(draw()) / 4294967296.0 - 0.5; };
  const Rod rod = make_rod(p);
  std::vector<assembly::Chain<>> chains;
  const double rise = 0.2 * p.length;  // of a rod from end to end, at most
  for (std::size_t i = 0; i < p.count(); ++i) {
    const double angle = 2 * static_cast<double>(pi) * number();
    const Vec3 along = Vec3(std::cos(angle), std::sin(angle), 0.2 * number()).normalized();
    const double height = p.radius + rise / 2 + static_cast<double>(i) * (rise / 2 + 2.5 * p.radius);
    chains.push_back(rod.straight(Vec3(0, 0, height) - p.length / 2 * along, {.direction = along}));
  }
  return problem.state(chains);
}

/// The page of a run: the rods in their box, and how they come to rest.
class View {
 public:
  View(io::Scene& scene, const Arguments& p)
      : scene_(&scene),
        rods_(scene, p.count(), p.radius),
        contacts_(scene.panel("contacts", "1", {"rods with rods", "rods with the box", "sliding"})),
        energy_(scene.panel("kinetic energy", "J", {"kinetic"})) {
    scene.plane("floor", {0, 0, 0}, {0, 0, 1});
  }
  void operator()(const State& x, const example::TouchCounts& counts, double kinetic) {
    scene_->row(contacts_, x.time,
                {static_cast<double>(counts.rods), static_cast<double>(counts.others),
                 static_cast<double>(counts.sliding)});
    scene_->row(energy_, x.time, {kinetic});
    if (!scene_->frame(x.time)) return;
    rods_.put(x);
  }

 private:
  io::Scene* scene_;
  example::Tubes rods_;
  io::Scene::PanelId contacts_, energy_;
};

void simulate(const Arguments& p, example::Run& run) {
  const Problem problem = make_problem(p);
  State state = start(problem, p);
  run.view.planned = p.t_end;
  io::CsvWriter csv(run.out / "heap.csv",
                    example::columns("t [s], crossings [1], walls [1], sliding [1], kinetic [J], gap [m]"));
  View view(run.scene, p);
  analysis::EnergyMonitor monitor{problem, analysis::Keep::maxima};
  const double dt = example::step(p.dt, stable_part, Verlet{}, problem, state);
  const auto begun = std::chrono::steady_clock::now();
  // What damping takes is an integral of what is looked at, and jumps wherever rods land: it is looked at often,
  // and the rods for the page and the table now and then.
  const double often = std::min(5 * dt, p.t_end / 300);
  long most = 0, rows = 0;
  double deepest = std::numeric_limits<double>::infinity();
  const auto report =
      drive(Verlet{}, problem, state,
            {.step = dt, .until = p.t_end, .output_interval = often, .progress = example::progress_line()},
            monitor, [&](const Problem& now, const State& x) {
              if (x.time < static_cast<double>(rows) * p.t_end / 300 && x.time < p.t_end) return;
              ++rows;
              const example::TouchCounts counts(now, x);
              most = std::max(most, counts.all());
              deepest = std::min(deepest, counts.gap);
              const double kinetic = now.kinetic_energy(x);
              csv.row({x.time, static_cast<double>(counts.rods), static_cast<double>(counts.others),
                       static_cast<double>(counts.sliding), kinetic, counts.gap});
              view(x, counts, kinetic);
            });
  csv.close();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;

  const example::TouchCounts counts(problem, state);
  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  out.figure("contacts_max", static_cast<double>(most), "1", "most contacts at a time that was looked at");
  out.figure("contacts_per_rod", 2 * static_cast<double>(counts.rods) / static_cast<double>(p.rods), "1",
             "with other rods, at the end");
  out.figure("sliding", static_cast<double>(counts.sliding), "1", "contacts that slide at the end");
  out.figure("gap_min", deepest, "m", "least gap at the times that were looked at");
  out.figure("kinetic", problem.kinetic_energy(state), "J", "kinetic energy at the end");
  out.figure("friction_work", monitor.contacts().friction, "J", "of all contacts in the run");
  out.figure("impact_work", monitor.contacts().impact + monitor.contacts().correction, "J",
             "of all that landed, with what kept gaps at nought");
  out.figure("balance_error", monitor.balance_error(), "J", "what is left of (1)");
  out.figure("seconds", took.count(), "s", "that the run took");
  out.print();
  example::Variables given;
  given("rods", static_cast<double>(p.rods))("T", p.t_end)("friction", p.friction);
  example::draw(run, {"heap", 1600, 1000}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"heap", "Rods thrown into a box: they come to rest in a heap."};
  using example::Rule;
  program.option("rods", p.rods, "how many", 1);
  program.option("elements", p.elements, "elements of a rod", 4);
  program.option("length", p.length, "m", "of a rod", Rule::positive);
  program.option("radius", p.radius, "m", "of a rod", Rule::positive);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("density", p.density, "kg/m^3", "density", Rule::positive);
  program.option("box", p.box, "m", "side of the box", Rule::positive);
  program.option("friction", p.friction, "1", "coefficient of friction", Rule::not_negative);
  program.option("restitution", p.restitution, "1", "coefficient of restitution", Rule::not_negative);
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall", Rule::positive);
  program.option("damping", p.damping, "1/s", "of all that moves", Rule::not_negative);
  program.option("seed", p.seed, "of the directions of the rods", 0);
  program.option("t-end", p.t_end, "s", "end of the run", Rule::positive);
  program.stable_step("dt", p.dt, stable_part);
  program.rule("restitution", "must not be more than 1", [&] { return p.restitution <= 1; });
  program.rule("box", "must be wider than a rod is long, with its ends",
               [&] { return p.box > p.length + 2 * p.radius; });
  program.rule("rods", "must be less than ten thousand", [&] { return p.rods < 10'000; });
  program.rule("elements", "must be less than a million", [&] { return p.elements < 1'000'000; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
