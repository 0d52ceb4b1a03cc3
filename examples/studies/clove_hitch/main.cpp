// A clove hitch: a cord goes round a pole twice and under itself. Does it hold what is pulled at one end?
//
//   ./clove_hitch                       friction 0.3: it holds
//   ./clove_hitch --friction 0.05       it slips
//
//        z ↑      ┌──────┐            T0 ── the working end, with a light weight
//         ═══════╲│═══   │                   both ends leave side by side, under the strand
//     T0 ←────────╲──────│            T1 ── the standing end, pulled away at `speed`
//          ───────│╲─────→ T1
//             ════│═╲══════
//                 └──────┘
//
// The cord touches the pole and itself with Coulomb friction, and resists bending a little. A cord over a pole without
// the crossing slips at T1/T0 = exp(4πμ) for two turns; the crossing nips what lies under it. The hitch holds if T1
// grows while the working end stays: by the theory of thin ropes above some μ, whatever T1. A cord that resists bending
// is not nipped as hard, and gives in the end.
// Sources: Bayman 1977, Am. J. Phys. 45, 185; Sabater and others 2026, arXiv 2604.06962.

#include <cmath>
#include <limits>
#include <vector>

#include "support/touching_rods.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = example::TouchingRod;
using Problem = example::TouchingRods;
using State = Problem::State;

constexpr double full_turn = 2 * static_cast<double>(pi);

struct Arguments {
  example::Cord cord{.radius = 0.005, .thin = 0.06, .young = 5e8, .density = 1100, .friction = 0.3};
  double pole = 0.04, weight = 0.25, speed = 0.1, pulled = 0.012, damping = 60, fineness = 0.75, rest = 0.1;

  double tail() const { return 0.1; }
  double until() const { return rest + 0.02 + pulled / speed; }
  /// Of the standing end [m, m/s, m/s²].
  Vec<double, 3> moved(double t) const {
    constexpr double start = 0.04;  // how long it takes to its speed [s]
    const double x = (t - rest) / start;
    if (x <= 0) return Vec3::Zero();
    if (x >= 1) return {speed * start * (x - 0.5), speed, 0};
    return {speed * start * (x * x * x - x * x * x * x / 2), speed * x * x * (3 - 2 * x),
            speed / start * 6 * x * (1 - x)};
  }
};

/// Points along the cord: the standing end comes along y, two turns, and the working end goes on along y.
std::vector<Vec3> lay(const Arguments& p) {
  const double a = p.cord.radius, off = 3.3 * a;
  const auto blend = [](double x) { return example::ramp(x, 0, 1); };
  const auto wound = [&](double phi) -> Vec3 {
    const double beside = (phi - full_turn) / 0.7, from = phi / 1.5, to = (2 * full_turn - phi) / 1.5;
    double z = off * (2 * blend((beside + 1) / 2) - 1);  // the strand that crosses
    if (from < 1) z = -a - (off - a) * blend(from);
    if (to < 1) z = a + (off - a) * blend(to);
    const double over = std::abs(phi - full_turn) / 1.2;
    const double r = p.pole + 1.03 * a + 2.05 * a * (1 - blend(over));
    return {r * std::cos(phi), r * std::sin(phi), z};
  };
  std::vector<Vec3> fine;
  const Vec3 begin = wound(0), end = wound(2 * full_turn);
  constexpr int n = 4000;
  for (int i = 0; i < n; ++i)
    fine.emplace_back(begin - Vec3(0, p.tail() * (1 - static_cast<double>(i) / n), 0));
  for (int i = 0; i < n; ++i) fine.push_back(wound(2 * full_turn * i / n));
  for (int i = 0; i <= n; ++i) fine.emplace_back(end + Vec3(0, p.tail() * i / n, 0));
  return example::evenly(fine, a / p.fineness);
}

Problem make_problem(const Arguments& p, const assembly::Chain<>& laid, double damping) {
  const Vec3 from = laid.position(0);
  const auto turned = laid.rotation(0);
  Vec<double, 4> q;
  q << turned.w(), turned.v();
  const int elements = static_cast<int>(laid.nodes) - 1;
  Rod::Parameters parameters{.elements = elements, .length = p.cord.radius / p.fineness * elements};
  parameters.start = rod::Boundary<>::prescribed([=](double t) {
    const Vec3 moved = p.moved(t);
    rod::EndMotion<> motion;
    motion.position = from - Vec3(0, moved[0], 0);
    motion.quaternion = q;
    motion.velocity = Vec3(0, -moved[1], 0);
    motion.acceleration = Vec3(0, -moved[2], 0);
    return motion;
  });
  parameters.loads.finish.force = {0, p.weight, 0};
  parameters.damping.rate = damping;
  contact::Drum<> pole;
  pole.surface.radius = p.pole;
  pole.surface.axis = {0, 0, 1};
  contact::Touching<> what;
  what.friction = p.cord.friction;
  what.radii.push_back(p.cord.radius);
  what.drums.push_back(pole);
  return Problem{std::vector{Rod(p.cord.section(), parameters)}, what};
}

void simulate(const Arguments& p, example::Run& run) {
  const auto laid = rod::laid_along(lay(p));
  const Problem calm = make_problem(p, laid, 5 * p.damping), problem = make_problem(p, laid, p.damping);
  State state = problem.state({laid});
  run.view.planned = p.until();
  run.view.yaw = 25;
  run.view.pitch = 12;
  io::CsvWriter csv(run.out / "hitch.csv",
                    example::columns("t [s], pulled [m], given [m], T1 [N], ratio [1], "
                                     "contacts [1], sliding [1], nip [N]"));
  example::Tubes tubes(run.scene, 1, p.cord.radius);
  const auto pole = run.scene.body("pole", {io::cylinder(p.pole, 12 * p.cord.radius)}, {.colour = 4});
  const auto panel = run.scene.panel("tension of the standing end", "N", {"T1"});
  const auto ends = run.scene.panel("ends have moved", "m", {"pulled", "given"});
  const Eigen::Index last = laid.nodes - 1;
  double rested = 0, given = 0, ratio = 0, laid_gap = 0, gap = 0, creep = 0;
  long rods = 0;
  const auto watch = [&](const Problem& now, const State& x) {
    const example::TouchCounts counts(now, x);
    const double pulled = p.moved(x.time)[0], at = x[0].position(last)[1];
    if (pulled == 0) rested = at;
    given = rested - at;
    const double tension = now.bodies<0>()[0].stress(x[0], 1).force[2];
    ratio = tension / p.weight;
    if (x.time == 0) laid_gap = counts.gap;
    if (x.time >= p.rest) gap = std::min(gap, counts.gap);
    creep = std::max(creep, counts.creep);
    rods = counts.rods;
    csv.row({x.time, pulled, given, tension, ratio, static_cast<double>(counts.all()),
             static_cast<double>(counts.sliding), counts.pressed});
    run.scene.row(panel, x.time, {tension});
    run.scene.row(ends, x.time, {pulled, given});
    if (!run.scene.frame(x.time)) return;
    tubes.put(x);
    run.scene.put(pole, SO3<double>::identity(), Vec3::Zero());
  };
  long steps = 0;
  const auto go = [&](const Problem& now, double until) {
    steps += drive(Verlet{}, now, state,
                   {.cfl = 0.6,
                    .until = until,
                    .output_interval = (until - state.time) / 100,
                    .progress = example::progress_line()},
                   watch)
                 .steps;
  };
  go(calm, p.rest);
  go(problem, p.until());
  csv.close();

  example::Summary& out = run.summary;
  const double pulled = p.moved(state.time)[0];
  out.truth("holds", given < 0.3 * pulled,
            "whether the working end gives less than a third of what is pulled");
  out.figure("pulled", pulled, "m", "of the standing end");
  out.figure("given", given, "m", "of the working end");
  out.figure("tension_ratio", ratio, "1", "T1/T0 at the end");
  out.figure("capstan_ratio", std::exp(2 * full_turn * p.cord.friction), "1", "exp(4πμ) of two turns");
  out.figure("crossings", static_cast<double>(rods), "1", "contacts of the cord with itself at the end");
  out.figure("gap_laid", laid_gap, "m", "least gap of the cord as it is laid: it comes apart as it settles");
  out.figure("gap_min", gap, "m", "least gap of closed contacts from when the cord has settled");
  out.figure("sticking_slip", creep, "m/s", "largest slip of a contact that sticks");
  out.final_state(state, steps);
  out.print();
  example::draw_times(run, "hitch", {p.rest, p.until()}, 1000, 1000);
  example::draw(run, {"pull", 1600, 1000},
                example::Variables{}("friction", p.cord.friction)("weight", p.weight)("rest", p.rest));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"clove_hitch", "A clove hitch about a pole: does it hold?"};
  using example::Rule;
  p.cord.declare(program);
  program.option("pole", p.pole, "m", "radius of the pole", Rule::positive);
  program.option("weight", p.weight, "N", "T0, that pulls at the working end", Rule::positive);
  program.option("speed", p.speed, "m/s", "of the standing end", Rule::positive);
  program.option("pulled", p.pulled, "m", "how far it goes", Rule::positive);
  program.option("rest", p.rest, "s", "how long it may settle before", Rule::positive);
  program.option("damping", p.damping, "1/s", "of all that moves", Rule::not_negative);
  program.option("fineness", p.fineness, "1", "elements in a radius", Rule::positive);
  program.rule("pole", "must be five times --radius or more", [&] { return p.pole >= 5 * p.cord.radius; });
  program.rule("fineness", "must be between 0.5 and 10",
               [&] { return p.fineness >= 0.5 && p.fineness <= 10; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
