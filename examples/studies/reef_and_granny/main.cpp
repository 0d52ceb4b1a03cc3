// Two cords tied by a reef knot and by a granny knot, and pulled: which holds?
//
//   ./reef_and_granny                       both, one after the other, friction 0.2
//   ./reef_and_granny --friction 0.4
//
//    T ←════╗  ╔═════╗             two half knots, one on the other: mirror images of each other in the reef knot,
//           ╠══╬══╗  ║══════→ T    turned the same way in the granny knot
//      ─────╝  ║  ╚══╝             the standing ends above are pulled apart, the working ends below are drawn by a
//      ────────╝                   light weight each
//
// Each cord gives as far as its working end moves inwards; the standing ends are pulled by the same way in both knots.
// The reef knot is known to hold better: in it neighbouring strands slide against each other, which locks the twist of
// the cords. Source: Patil, Sandt, Kolle, Dunkel 2020, Science 367, 71 (by a count of crossings and twists).

#include <array>
#include <cmath>
#include <vector>

#include "support/touching_rods.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = example::TouchingRod;
using Problem = example::TouchingRods;
using State = Problem::State;

struct Arguments {
  example::Cord cord{.radius = 0.005, .thin = 0.3, .young = 4e7, .density = 1100, .friction = 0.2};
  double weight = 0.2, speed = 0.25, pulled = 0.04, damping = 60;

  double rest() const { return 0.1; }
  double until() const { return rest() + 0.02 + pulled / speed; }
  /// Of each standing end [m, m/s, m/s²].
  Vec3 moved(double t) const {
    constexpr double start = 0.04;  // how long it takes to its speed [s]
    const double x = (t - rest()) / start, v = speed / 2;
    if (x <= 0) return Vec3::Zero();
    if (x >= 1) return {v * start * (x - 0.5), v, 0};
    return {v * start * (x * x * x - x * x * x * x / 2), v * x * x * (3 - 2 * x),
            v / start * 6 * x * (1 - x)};
  }
};

/// Points along the first cord, from its standing end: through the other's bight, back around its neck, and out. In a
/// granny knot the second half is above where that of a reef knot is below. The other cord is this one turned about y.
std::vector<Vec3> lay(const Arguments& p, bool granny) {
  const double a = p.cord.radius, up = 1.15 * a, s = granny ? -1 : 1;
  const std::vector<Vec3> upper{{-30 * a, 2 * a, 0},  {-22 * a, 2 * a, 0},     {-14 * a, 2 * a, 0},
                                {-8 * a, 2 * a, -up}, {-4 * a, 2.8 * a, 0},    {0, 4.2 * a, up},
                                {4 * a, 4.6 * a, 0},  {7 * a, 4 * a, -up / 2}, {8.6 * a, 2 * a, -up}};
  std::vector<Vec3> through = upper;
  through.emplace_back(9 * a, 0, granny ? 0 : -up);
  for (auto q = upper.rbegin(); q != upper.rend(); ++q) through.emplace_back((*q)[0], -(*q)[1], s * (*q)[2]);
  return example::evenly(example::smooth(through), a);
}

/// What came of a knot.
struct Outcome {
  double given = 0, pulled = 0, tension = 0, laid_gap = 0, gap = 0;
  long contacts = 0, steps = 0;
};

Problem make_problem(const Arguments& p, const std::array<assembly::Chain<>, 2>& laid, double damping) {
  std::vector<Rod> rods;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 from = laid[i].position(0);
    const SO3<double> frame = laid[i].rotation(0);
    const double out = i == 0 ? -1 : 1;
    const int elements = static_cast<int>(laid[i].nodes) - 1;
    Rod::Parameters parameters{.elements = elements, .length = p.cord.radius * elements};
    parameters.start = rod::Boundary<>::prescribed([=](double t) {
      const Vec3 moved = p.moved(t);
      rod::EndMotion<> motion;
      motion.position = from + Vec3(out * moved[0], 0, 0);
      motion.quaternion << frame.w(), frame.v();
      motion.velocity = {out * moved[1], 0, 0};
      motion.acceleration = {out * moved[2], 0, 0};
      return motion;
    });
    parameters.loads.finish.force = {out * p.weight, 0, 0};
    parameters.damping.rate = damping;
    rods.emplace_back(p.cord.section(), parameters);
  }
  contact::Touching<> what;
  what.friction = p.cord.friction;
  what.radii.assign(2, p.cord.radius);
  return Problem{rods, what};
}

Outcome tie(const Arguments& p, bool granny, example::Run& run) {
  const auto points = lay(p, granny);
  std::vector<Vec3> turned;
  for (const Vec3& q : points) turned.emplace_back(-q[0], q[1], -q[2]);
  const std::array laid{rod::laid_along(points), rod::laid_along(turned)};
  const Problem calm = make_problem(p, laid, 5 * p.damping), problem = make_problem(p, laid, p.damping);
  State state = problem.state(std::vector{laid[0], laid[1]});
  const std::string name = granny ? "granny" : "reef";
  io::CsvWriter csv(run.out / (name + ".csv"),
                    example::columns("t [s], pulled [m], given [m], tension [N], contacts [1]"));
  const std::array tubes{run.scene.tube(name + " 1", p.cord.radius, {.colour = 0}),
                         run.scene.tube(name + " 2", p.cord.radius, {.colour = 1})};
  Outcome out;
  double rested = 0;
  const auto watch = [&](const Problem& now, const State& x) {
    const example::TouchCounts counts(now, x);
    double in = 0;
    out.tension = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      in += (i == 0 ? 1 : -1) * x[i].position(x[i].nodes - 1)[0] / 2;
      out.tension += now.bodies<0>()[i].stress(x[i], 1).force[2] / 2;
    }
    if (x.time <= p.rest()) rested = in;
    out.pulled = p.moved(x.time)[0];
    out.given = in - rested;
    out.contacts = counts.rods;
    if (x.time == 0) out.laid_gap = counts.gap;
    if (x.time >= p.rest()) out.gap = std::min(out.gap, counts.gap);
    csv.row({x.time, out.pulled, out.given, out.tension, static_cast<double>(counts.rods)});
    const double time = granny ? x.time + p.until() : x.time;
    if (!run.scene.frame(time)) return;
    for (std::size_t i = 0; i < 2; ++i) run.scene.put(tubes[i], x[i]);
  };
  const auto go = [&](const Problem& now, double until) {
    out.steps += drive(Verlet{}, now, state,
                       {.cfl = 0.6,
                        .until = until,
                        .output_interval = (until - state.time) / 60,
                        .progress = example::progress_line()},
                       watch)
                     .steps;
  };
  go(calm, p.rest());
  go(problem, p.until());
  csv.close();
  run.summary.add_end(state, out.steps);
  return out;
}

void simulate(const Arguments& p, example::Run& run) {
  run.view.planned = 2 * p.until();
  run.view.pitch = 70;
  run.view.yaw = -90;
  const std::array all{tie(p, false, run), tie(p, true, run)};
  example::Summary& out = run.summary;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = i == 0 ? "reef" : "granny";
    out.figure(name + "_given", all[i].given / all[i].pulled, "1",
               "by its working ends, over what is pulled");
    out.figure(name + "_tension", all[i].tension, "N", "of its standing ends at the end");
    out.figure(name + "_contacts", static_cast<double>(all[i].contacts), "1", "at the end");
    out.figure(name + "_gap_laid", all[i].laid_gap, "m",
               "least gap of the cords as they are laid: they come apart as they settle");
    out.figure(name + "_gap_min", all[i].gap, "m",
               "least gap of closed contacts from when they have settled");
  }
  out.truth("reef_holds_better", all[0].given < all[1].given, "whether its working ends give less");
  out.ends();
  out.print();
  example::draw_times(run, "knots", {p.until(), 2 * p.until()}, 1200, 700,
                      {"reef knot, pulled", "granny knot, pulled"});
  example::draw(run, {"given", 1600, 1000},
                example::Variables{}("friction", p.cord.friction)("rest", p.rest()));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"reef_and_granny", "A reef knot and a granny knot, pulled: which holds?"};
  using example::Rule;
  p.cord.declare(program);
  program.option("weight", p.weight, "N", "that draws at each working end", Rule::positive);
  program.option("speed", p.speed, "m/s", "at which the standing ends part", Rule::positive);
  program.option("pulled", p.pulled, "m", "how far they part", Rule::positive);
  program.option("damping", p.damping, "1/s", "of all that moves", Rule::not_negative);
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
