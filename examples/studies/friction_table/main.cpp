// What published cases of friction between rods cost here: three set-ups that other codes ship, in seconds of this
// machine per second of the motion.
//
//   ./friction_table                                     all, each for a short time
//   ./friction_table --case double_knot --part 1         one of them, to its end
//
//   plectoneme   L = 1 m, radius 25 mm, 150 elements, 1 kg, E = 1 MPa: ten turns in 50 s (PyElastica:
//                frictionless, by a penalty)
//   double_knot  L = 1 m, radius 1.6 mm, 300 elements, E = 0.18 MPa, 1180 kg/m³, μ = 0.3: a knot of two turns, pulled
//                at 6 mm/s for 60 s (DisMech: implicit steps, contact within 0.5 mm)
//   knot         L = 1.2 m, radius 25 mm, 50 elements, 2000 kg/m³, E = 1 MPa: pinned at its end and at node 31, its
//                other end led beside that end and back in turns about the rod, by a spring, in 4 s (PyElastica:
//                frictionless, by a penalty)
//
// Here contact is exact and steps are explicit; the knot starts loose, as it is laid here. A rod that is bent to less
// than its own radius ends its run: then the time that it reached is what counts. Accuracy, case by case, is on the site's page "Friction between rods".

#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/with_load.hpp>

#include "support/touching_rods.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = example::TouchingRod;
using Problem = example::TouchingRods;
using State = Problem::State;

constexpr double pi_ = static_cast<double>(pi);

struct Arguments {
  std::string which = "all";
  double part = 0.002;
};

/// A set-up: a rod with its radius, how it is laid, how its ends move, and for how long.
struct Setup {
  std::string name;
  double length, radius, young, density, friction, damping, until;
  int elements, turns;
  double pull, spin;  ///< of the last end [m/s, rad/s]

  rod::CircularSection<> section() const {
    return rod::CircularSection<>({.radius = radius, .young = young, .poisson = 0.5, .density = density});
  }
};

const std::vector<Setup>& setups() {
  static const std::vector<Setup> all{
      {"plectoneme", 1, 0.025, 1e6, 1 / (pi_ * 0.025 * 0.025), 0, 2, 50, 150, 0, 0, 2 * pi_ * 10 / 50},
      {"double_knot", 1, 0.0016, 0.18e6, 1180, 0.3, 1, 60, 300, 2, 0.006, 0},
      {"knot", 1.2, 0.025, 1e6, 2000, 0, 5, 4, 50, 0, 0, 0}};
  return all;
}

/// Points of a knot of `turns` on a rod of this length, its tails along x: a braid of 2 turns + 1 half turns and a loop.
std::vector<Vec3> lay(const Setup& s) {
  if (s.turns == 0) {
    std::vector<Vec3> line;
    for (int k = 0; k <= s.elements; ++k) line.emplace_back(s.length * k / s.elements, 0, 0);
    return line;
  }
  const double off = 1.2 * s.radius, wind = pi_ * (s.turns + 0.5),
               half = wind * off * (s.turns == 1 ? 1.0 : 1.6);
  const double bend = s.turns == 1 ? 4 * s.radius : 20 * s.radius;
  const auto strand = [&](double u, double side) {
    const double angle = wind * 2 * u - pi_ / 2;
    return Vec3(half * (2 * u - 1), side * off * std::sin(angle), side * off * std::cos(angle));
  };
  const auto turn = [&](double x, double angle) {
    return Vec3(x + bend * std::sin(angle), off + bend * (1 - std::cos(angle)), 0);
  };
  std::vector<Vec3> fine;
  constexpr int n = 2000;
  const auto add = [&](const auto& curve) {
    for (int i = 0; i < n; ++i) fine.push_back(curve(static_cast<double>(i) / n));
  };
  add([&](double u) { return Vec3(-half - s.length / 2 * (1 - u), -off, 0); });
  add([&](double u) { return strand(u, 1); });
  add([&](double u) { return turn(half, pi_ * u); });
  add([&](double u) { return Vec3(half * (1 - 2 * u), off + 2 * bend, 0); });
  add([&](double u) { return turn(-half, pi_ * (1 + u)); });
  add([&](double u) { return strand(u, -1); });
  add([&](double u) { return Vec3(half + s.length / 2 * u, -off, 0); });
  const auto points = example::evenly(fine, s.length / s.elements);
  const auto nodes = static_cast<std::size_t>(s.elements) + 1;
  const auto from = static_cast<std::ptrdiff_t>((points.size() - nodes) / 2);  // the middle of it
  return {points.begin() + from, points.begin() + from + static_cast<std::ptrdiff_t>(nodes)};
}

Problem make_problem(const Setup& s, const assembly::Chain<>& laid) {
  const Eigen::Index last = laid.nodes - 1;
  const auto end = [&](Eigen::Index node, double pull, double spin) {
    const Vec3 from = laid.position(node);
    const SO3<double> frame = laid.rotation(node);
    return rod::Boundary<>::prescribed([=](double t) {
      const double rise = 0.1, x = std::min(t / rise, 1.0), part = x * x * (3 - 2 * x);
      const double gone = t < rise ? rise * (x * x * x - x * x * x * x / 2) : t - rise / 2;
      const SO3<double> turned = frame * SO3<double>::exp(Vec3(0, 0, spin * gone));
      rod::EndMotion<> motion;
      motion.position = from + Vec3(pull * gone, 0, 0);
      motion.quaternion << turned.w(), turned.v();
      motion.velocity = {pull * part, 0, 0};
      motion.acceleration = {t < rise ? pull / rise * 6 * x * (1 - x) : 0, 0, 0};
      motion.angular_velocity = {0, 0, spin * part};
      motion.angular_acceleration = {0, 0, t < rise ? spin / rise * 6 * x * (1 - x) : 0};
      return motion;
    });
  };
  Rod::Parameters parameters{.elements = s.elements, .length = s.length};
  parameters.start = end(0, s.turns > 0 ? -s.pull / 2 : 0, 0);
  parameters.finish = end(last, s.turns > 0 ? s.pull / 2 : 0, s.spin);
  parameters.damping.rate = s.damping;
  contact::Touching<> what;
  what.friction = s.friction;
  return Problem{std::vector{Rod(s.section(), parameters)}, what};
}

/// A hand that leads the first node and its frame: along a straight rod to beside its end, with a whole turn, and
/// back around its axis in ever smaller turns.
struct Hand {
  double stiffness = 3e3, torsion = 5;  ///< [N/m, N m/rad]
  double length = 1, radius = 1, until = 1;
  SO3<double> start{};

  void add(const Rod&, const rod::Chain<>& at, double t, rod::Columns<double, 6>& f) const {
    const double gone = 2 * t / until, rest = std::max(2 - gone, 0.0), around = 24 * (1 - rest);
    const bool comes = gone <= 1;
    const Vec3 to = comes
                        ? gone * Vec3(length, -5 * radius, 0)
                        : rest * Vec3(length, -8 * radius * std::cos(around), -8 * radius * std::sin(around));
    const SO3<double> frame = SO3<double>::exp(Vec3(2 * pi_ * (comes ? gone : -rest), 0, 0)) * start;
    const Vec3 force = stiffness * (to - at.position(0));
    const Vec3 torque = torsion * (at.rotation(0).inverse() * frame).log();
    for (int i = 0; i < 3; ++i) f(0, i) += force[i], f(0, 3 + i) += torque[i];
  }
  static constexpr bool depends_on_velocities = false;
};

/// The rod that is led, from rest.
auto led(const Setup& s) {
  Rod::Parameters parameters{.elements = s.elements, .length = s.length};
  parameters.finish = rod::Boundary<>::pinned();
  parameters.loads.gravity = Vec3(0, 0, -9.80665);
  parameters.damping.rate = s.damping;
  const Rod rod(s.section(), parameters);
  const auto straight = rod.straight(Vec3(0, 0, 0), {.direction = Vec3(1, 0, 0)});
  const auto all = assembly::bodies(assembly::WithLoad<Rod, Hand>(
      rod, {.length = s.length, .radius = s.radius, .until = s.until, .start = straight.rotation(0)}));
  const auto [cord] = all.handles();
  constexpr Eigen::Index pinned = 31;
  const assembly::Assembly problem{
      all,
      assembly::constraints(assembly::SphericalJoint{
          assembly::node(cord, pinned), assembly::FrameMarker<>::in_space(straight.position(pinned))}),
      contact::Touching<>{}};
  return std::pair{problem, problem.state({straight})};
}

/// What a run took.
struct Outcome {
  double reached = 0, wall = 0, step = 0, gap = 0;
  long steps = 0, contacts = 0;
  std::string ended{};
};

template <class P>
Outcome follow(const Setup& s, const P& problem, State state, double until, example::Run& run, bool shown) {
  std::vector<io::Scene::Tube> tube;
  if (shown) tube.push_back(run.scene.tube(s.name, s.radius, {.colour = 1}));
  Outcome out;
  const auto begun = std::chrono::steady_clock::now();
  try {
    const auto report = drive(
        Verlet{}, problem, state,
        {.cfl = 0.8, .until = until, .output_interval = until / 20, .progress = example::progress_line()},
        [&](const P& now, const State& x) {
          const example::TouchCounts counts(now, x);
          out.contacts = std::max(out.contacts, counts.rods);
          out.gap = std::min(out.gap, counts.gap);
          if (shown && run.scene.frame(x.time)) run.scene.put(tube[0], x[0]);
        });
    out.steps = report.steps;
    out.step = report.step;
  } catch (const IntegrationFailure& failure) {
    out.ended = failure.what();
  }
  out.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  out.reached = state.time;
  run.summary.add_end(state, out.steps);
  return out;
}

Outcome follow(const Setup& s, double until, example::Run& run, bool shown) {
  if (s.name == "knot") {
    const auto [problem, state] = led(s);
    return follow(s, problem, state, until, run, shown);
  }
  assembly::Chain<> chain = rod::laid_along(lay(s), Vec3(0, 0, 1));
  const Problem problem = make_problem(s, chain);
  State state = problem.state({chain});
  if (s.turns == 0)  // a little motion across
    for (Eigen::Index k = 1; k + 1 < chain.nodes; ++k)
      state[0].set_velocity(k, 1e-3 * Vec3(0, std::sin(0.05 * static_cast<double>(k)), 0), Vec3::Zero());
  return follow(s, problem, state, until, run, shown);
}

void simulate(const Arguments& p, example::Run& run) {
  io::CsvWriter csv(run.out / "setups.csv",
                    example::columns("case [1], reached [s], wall [s], wall_per_second [1], "
                                     "steps [1], contacts [1], gap [m]"));
  for (std::size_t i = 0; i < setups().size(); ++i) {
    const Setup& s = setups()[i];
    if (p.which != "all" && p.which != s.name) continue;
    const Outcome o = follow(s, p.part * s.until, run, p.which == s.name);
    const double each = o.reached > 0 ? o.wall / o.reached : 0;
    csv.row({static_cast<double>(i), o.reached, o.wall, each, static_cast<double>(o.steps),
             static_cast<double>(o.contacts), o.gap});
    example::Summary& out = run.summary;
    out.figure(s.name + "_wall_per_second", each, "1", "seconds of this machine for a second of the motion");
    out.figure(s.name + "_reached", o.reached, "s",
               "of the motion" + (o.ended.empty() ? "" : ": " + o.ended));
    out.figure(s.name + "_step", o.step, "s", "of Verlet's method");
    out.figure(s.name + "_steps", static_cast<double>(o.steps), "1", "that were taken");
    out.figure(s.name + "_contacts", static_cast<double>(o.contacts), "1",
               "most at a time that was looked at");
  }
  csv.close();
  run.summary.ends();
  run.summary.print();
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"friction_table",
                           "Set-ups of rods that touch which other codes ship: what they cost here."};
  program.choice("case", p.which, {"all", "plectoneme", "double_knot", "knot"}, "which");
  program.option("part", p.part, "1", "of the motion that is followed", example::Rule::positive);
  program.rule("part", "must not be more than 1", [&] { return p.part <= 1; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
