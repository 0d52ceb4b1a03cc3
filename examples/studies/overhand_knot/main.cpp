// An overhand knot in a rod: it is let come to rest, tightened and loosened again.
//
//   ./overhand_knot --friction 0.1 --looseness 12        (the defaults)
//   ./overhand_knot --turns 2                             a cinquefoil
//   ./overhand_knot --friction 0 --tightening 0.28 --hold 300      held where it is tight, until it is at rest there
//   ./overhand_knot --start out/overhand_knot/rest.txt --friction 0.2      from where another run had come to rest
//
//          .-'''-.           B bending stiffness, a radius of the rod, R of the loop where the braid ends
//        .'       '.            T = (B/R²)[½ ± μσ√(R/a)],  σ = 0.492 for one turn                        (1)
//   T   '.  braid  .'   T    + while it tightens, − while it loosens: σ of the difference is the friction
//   ←─────══╳═╳═╳══─────→    constant, 1.461 and 2.434 for two and three turns, for R ≫ a
//
// The rod touches itself by unilateral contacts with Coulomb friction; its ends move along the tails at `speed`
// of the slowest waves of the loop. At a finite R both parts of T differ from (1): at R = 11a a rod without
// friction has TR²/B = 0.4 and σ = 0.75. What friction does is exact: with the material force H = n·Γ + m·Ω − W, which
// contacts without friction leave as it is, and all pressures P of the braid,
//   H(tail) − H(loop) = Σ f·(r′ + ω′ × y) = ± μΣP (1 + O(a/R))  while the knot slides                        (2)
// f being the force of a contact on the strand that it goes along, y its arm, r′ + ω′ × y the slope of the surface.
// Of long braids friction alone is known, by the end shortening e, the length of the rod less the distance of its ends: with a
// parameter m and complete elliptic integrals K, E of it
//   x = 8(K − E)/m − 4K,  n²a/e = x²/((x + 4K) 8√3π²),  n²Ta²/(Bμ) = x³/(96√3π²)                          (3)
// Sources: Audoly, Clauvelin, Neukirch 2007, Phys. Rev. Lett. 99, 164301; Jawed, Dieleman, Audoly, Reis 2015,
// Phys. Rev. Lett. 115, 118302.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/io/checkpoint.hpp>
#include <dalembert/rod/section_state.hpp>

#include "support/bisect.hpp"
#include "support/elliptic.hpp"
#include "support/touching_rods.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = example::TouchingRod;
using Problem = example::TouchingRods;
using State = Problem::State;

constexpr double half_turn = static_cast<double>(pi);
constexpr double young = 1e6, density = 1100;

struct Arguments {
  long turns = 1, elements = 150;
  double friction = 0.1, radius = 0.005, looseness = 12, tails = 3, rests = 60, tightening = 0.15,
         speed = 0.02, hold = 0;
  std::string start{};

  double loop() const { return looseness * radius; }
  double bending() const { return young * half_turn * std::pow(radius, 4) / 4; }
  /// Of the slowest mode of the loop [1/s].
  double slowest() const { return 1.35 * std::sqrt(young / density) * radius / (loop() * loop()); }
  double braid() const { return half_turn * (2 * static_cast<double>(turns) + 1) * off() / 1.3; }
  double bend() const { return loop() - 2 * braid() / half_turn; }
  double off() const { return 1.2 * radius; }
  double tail() const { return tails * loop(); }
  double length() const { return 2 * half_turn * loop() + 2 * tail() + 2.4 * braid(); }
  /// How far the ends are pulled apart [m], how long that takes [s], and how long the knot rests before.
  double pull() const { return tightening * 2 * half_turn * loop(); }
  double pulling() const { return pull() / (speed * slowest() * loop()); }
  double calming() const { return 10 / slowest(); }
  double rest() const { return calming() + rests / slowest(); }
  double holding() const { return hold / slowest(); }
  double until() const { return rest() + 2 * pulling() + holding(); }
  /// How far of two pulls it is at t, there and back.
  double part(double t) const {
    const double there = t - rest();
    return (there < pulling() ? there : std::max(pulling(), there - holding())) / pulling();
  }
};

/// Evenly spaced points along a tail, the braid, the loop, the braid again and the other tail.
std::vector<Vec3> lay(const Arguments& p) {
  const double half = p.braid(), bend = p.bend(), wind = half_turn * (static_cast<double>(p.turns) + 0.5);
  const auto at = [&](double u) -> Vec3 {
    if (u < 1) return {p.tail() * (u - 1) - half, -p.off(), 0};
    if (u > 6) return {p.tail() * (u - 6) + half, -p.off(), 0};
    if (u < 2 || u > 5) {
      const double v = u < 2 ? 2 * u - 3 : 2 * u - 11, side = u < 2 ? p.off() : -p.off();
      const double angle = wind * (v + 1) - half_turn / 2;
      return {half * v, side * std::sin(angle), side * std::cos(angle)};
    }
    if (u >= 3 && u <= 4) return {half * (7 - 2 * u), p.off() + 2 * bend, 0};
    const double t = half_turn * (u < 3 ? u - 2 : u - 3);
    return {(u < 3 ? half : -half) + bend * std::sin(t), p.off() + bend * (1 - std::cos(t)), 0};
  };
  std::vector<Vec3> fine;
  for (int i = 0; i <= 70'000; ++i) fine.push_back(at(1e-4 * i));
  // where parts meet at an angle they are bent over some three radii, however fine the elements are
  const auto even = example::rounded(example::evenly(fine, p.radius / 20), 15);
  return example::evenly(even, p.length() / static_cast<double>(p.elements));
}

/// How far each end has moved, how fast, and how that changes: there and back, without a jerk.
struct Shifted {
  double far = 0, speed = 0, acceleration = 0;

  Shifted(const Arguments& p, double t) {
    const double rate = half_turn / p.pulling(), angle = half_turn * p.part(t);
    if (angle <= 0) return;
    far = p.pull() / 4 * (1 - std::cos(angle));
    if (p.hold > 0 && p.part(t) == 1) return;
    speed = p.pull() / 4 * rate * std::sin(angle);
    acceleration = p.pull() / 4 * rate * rate * std::cos(angle);
  }
};

/// The knot with ends that are led from where they are, or, while it comes to rest, may turn about themselves alone.
Problem make_problem(const Arguments& p, const assembly::Chain<>& laid, double h, double damping, bool led) {
  const auto end = [&](Eigen::Index node, double sign) {
    if (!led) return rod::Boundary<>::degrees({true, true, true, true, true, false});
    const Vec3 from = laid.position(node);
    const auto turned = laid.rotation(node);
    Vec<double, 4> q;
    q << turned.w(), turned.v();
    return rod::Boundary<>::prescribed([=](double t) {
      const Shifted moved(p, t);
      rod::EndMotion<> motion;
      motion.position = from + Vec3(sign * moved.far, 0, 0);
      motion.quaternion = q;
      motion.velocity = Vec3(sign * moved.speed, 0, 0);
      motion.acceleration = Vec3(sign * moved.acceleration, 0, 0);
      return motion;
    });
  };
  const rod::CircularSection<> section({.radius = p.radius, .young = young, .density = density});
  const int elements = static_cast<int>(laid.nodes) - 1;
  Rod::Parameters parameters{.elements = elements, .length = h * elements};
  parameters.start = end(0, -1);
  parameters.finish = end(elements, 1);
  parameters.damping.rate = damping * p.slowest();
  contact::Touching<> what;
  what.friction = p.friction;
  return Problem{std::vector{Rod(section, parameters)}, what};
}

/// A stretch of the rod that touches, and how hard.
struct Interval {
  double begin, end, force;
};

/// What is seen of a knot.
struct Knot {
  double traction, pressed = 0, gap = 0, creep = 0;
  double radius, mean_radius;  ///< of the loop where it leaves the braid, and of its mean curvature [m]
  double tails, loop;          ///< H [N]
  double rubbed = 0;           ///< the sum of (2), with what damping holds [N]
  long sticking = 0;
  std::vector<Interval> intervals{};

  Knot(const Problem& problem, const State& x, double rod_radius) {
    const Rod& rod = problem.bodies<0>()[0];
    const double h = rod.spacing();
    const auto last = static_cast<int>(x[0].nodes) - 2;
    const auto material_force = [&](int k) {
      const auto strain = rod.strain(x[0], k);
      const auto stress = rod.stress(x[0], k);  // n·Γ + m·Ω − W of a straight linear rod
      return (stress.force.dot(strain.stretch) + stress.force[2] + stress.moment.dot(strain.curvature)) / 2;
    };
    for (int k = 3; k < last - 1; ++k) {
      const double drag =
          rod.parameters().damping.rate * rod.node_mass() *
          (x[0].position(k + 1) - x[0].position(k)).dot(Vec3(x[0].velocity.row(k).head(3).matrix())) / h;
      rubbed += (k < last / 2 ? -drag : drag) / 2;
    }
    tails = (material_force(2) + material_force(last - 2)) / 2;
    loop = material_force(last / 2);
    traction = (rod.stress(x[0], 2).force[2] + rod.stress(x[0], last - 2).force[2]) / 2;
    for (const auto& t : contact::touches(problem, x)) {
      pressed += t.pressure();
      for (std::size_t side = 0; side < 2; ++side) {
        const auto section = rod::section_at(rod, x[0], t.arc_lengths[side]);
        const Vec3 arm = (side == 0 ? -1 : 1) * (t.normal * rod_radius);
        const Vec3 turn = section.frame.act(section.strain.curvature);
        rubbed += t.force.dot(Vec3(section.frame.act(section.strain.stretch) + turn.cross(arm))) / 2;
      }
      gap = std::min(gap, t.gap);
      if (t.mode == contact::TouchMode::sticks) {
        ++sticking;
        creep = std::max(creep, t.slip.norm());
      }
      const double s = t.arc_lengths[0];
      if (intervals.empty() || s > intervals.back().end + 2 * h) intervals.push_back({s, s, 0});
      intervals.back().end = s;
      intervals.back().force += t.pressure();
    }
    const double leaves = intervals.empty() ? 0 : intervals.back().end;
    const int beyond = std::clamp(static_cast<int>(leaves / h) + 2, 0, last);
    const auto curvature = [&](int k) { return rod.strain(x[0], k).curvature.norm(); };
    radius = 1 / curvature(beyond);
    double turned = 0;
    for (int k = beyond; k <= last - beyond; ++k) turned += curvature(k);
    mean_radius = std::max(last - 2 * beyond + 1, 1) / turned;
  }
};

/// How hard each node is pressed, over a length of the rod [N/m].
std::vector<double> pressures(const Problem& problem, const State& x) {
  const double h = problem.bodies<0>()[0].spacing();
  std::vector<double> all(static_cast<std::size_t>(x[0].nodes));
  for (const auto& t : contact::touches(problem, x))
    for (const double s : t.arc_lengths) {
      const double at = std::clamp(s / h, 0.0, static_cast<double>(all.size()) - 2),
                   part = at - std::floor(at);
      const auto k = static_cast<std::size_t>(at);
      all[k] += (1 - part) * t.pressure() / h;
      all[k + 1] += part * t.pressure() / h;
    }
  return all;
}

/// e [m].
double shortening(const Problem& problem, const State& x) {
  return problem.bodies<0>()[0].parameters().length - (x[0].tip().position - x[0].root().position).norm();
}

/// A moment of the run, and how hard nodes were pressed then.
struct Moment {
  std::string words{};
  double time = 0, low = 0;  ///< `low`: of the braid, in the plane of the loop [m]
  std::vector<double> pressure{};

  Moment(std::string said, const Problem& problem, const State& x)
      : words(std::move(said)), time(x.time), pressure(pressures(problem, x)) {
    for (std::size_t k = 0; k < pressure.size(); ++k)
      if (pressure[k] > 0) low = std::min(low, x[0].position(static_cast<Eigen::Index>(k))[1]);
  }
};

/// The braid from near, coloured by pressure, at some moments.
void draw_braid(const Arguments& p, const example::Run& run, const std::vector<Moment>& moments) {
  if (run.scene.times().empty()) return;
  constexpr int width = 1100, height = 860;
  const example::SceneDrawing drawing(run.scene, run.view);
  std::vector<example::Still> stills;
  for (const Moment& m : moments) {
    const double most = *std::max_element(m.pressure.begin(), m.pressure.end());
    std::vector<float> heat;
    for (const double q : m.pressure) heat.push_back(static_cast<float>(most > 0 ? q / most : 0));
    const double wide = std::min(2.6 * p.loop() + 8 * p.radius, 2.2 * p.braid() + 16 * p.radius);
    example::Sight sight;  // onto the plane of the loop
    sight.centre = Vec3(0, m.low + wide * height / width / 2 - 3 * p.radius, 0);
    sight.width = wide;
    stills.push_back(
        {sight, drawing.frame(m.time), static_cast<int>(stills.size()) * width, 0, width, height,
         m.words + message({", pressed by up to ", number::plain(std::round(10 * most) / 10), " N/m"}), false,
         heat});
  }
  example::draw_stills(run, {"braid", width * static_cast<int>(stills.size()), height}, drawing, stills);
}

/// Equation (3): n²a/e and n²Ta²/(Bμ) for 1 − m.
struct LongBraid {
  double tightness, traction;

  explicit LongBraid(double rest) {
    const double m = 1 - rest;
    const auto [K, E] = example::elliptic(std::sqrt(m));
    const double x = 8 * (K - E) / m - 4 * K, scale = std::sqrt(3.0) * half_turn * half_turn;
    tightness = x * x / ((x + 4 * K) * 8 * scale);
    traction = x * x * x / (96 * scale);
  }
  /// That of a tightness below 0.18; not a number beyond.
  static LongBraid at(double tightness) {
    // of the logarithm: the looser, the nearer is m to 0
    const auto above = [&](double x) { return LongBraid(std::pow(10.0, x)).tightness - tightness; };
    return LongBraid(std::pow(10.0, example::bisect(above, -13, -1e-3, 1e-3)));
  }
};

/// Equation (3), and (1) by R = e/2π, a row per tightness.
void write_theories(const Arguments& p, const example::Run& run) {
  io::CsvWriter loose(run.out / "loose.csv", example::columns("tightness [1], tightens [1], loosens [1]"));
  io::CsvWriter braids(run.out / "long_braids.csv", example::columns("tightness [1], friction [1]"));
  const double n = static_cast<double>(p.turns), sigma = p.turns == 1 ? 0.492 : 1.461 + 0.97453 * (n - 2);
  for (int i = 1; i <= 200; ++i) {
    const double tightness = std::pow(10.0, -4 + i / 50.0),
                 epsilon = std::sqrt(2 * half_turn * tightness) / n;
    const double still = std::pow(epsilon, 4) / 2, rubs = p.friction * sigma * std::pow(epsilon, 3);
    loose.row({tightness, still + rubs, still - rubs});
    const LongBraid braid(std::pow(10.0, -i / 40.0));
    braids.row({braid.tightness, p.friction * braid.traction / (n * n)});
  }
  loose.close();
  braids.close();
}

/// Means of a part of the run in which the ends pass their middle.
struct Mean {
  double traction = 0, radius = 0, difference = 0, pressed = 0, rubbed = 0;
  double scaled = 0;  // TR² [N m²]
  int count = 0;
  void add(const Knot& k) {
    traction += k.traction, radius += k.radius, scaled += k.traction * k.radius * k.radius,
        difference += k.tails - k.loop, pressed += k.pressed, rubbed += k.rubbed, ++count;
  }
};

void simulate(const Arguments& p, example::Run& run) {
  const auto laid = rod::laid_along(lay(p));
  const double h = (laid.position(1) - laid.position(0)).norm();
  const Problem calm = make_problem(p, laid, h, 1.5, false), settling = make_problem(p, laid, h, 0.2, false);
  State state = calm.state({laid});
  run.view.planned = p.until();
  io::CsvWriter csv(
      run.out / "knot.csv",
      example::columns("t [s], pull [m], traction [N], radius [m], pressed [N], gap [m], shortening [m]"));
  const auto tube = run.scene.tube("rod", p.radius, {.colour = 1});
  const auto tractions = run.scene.panel("traction", "N", {"of the tails"});
  const auto begun = std::chrono::steady_clock::now();
  Mean tightens, loosens;
  double gap = 0;
  long steps = 0;
  const auto watch = [&](const Problem& now, const State& x) {
    const Knot knot(now, x, p.radius);
    gap = std::min(gap, knot.gap);
    const double part = p.part(x.time);
    if (part > 0.4 && part < 0.6) tightens.add(knot);
    if (part > 1.4 && part < 1.6) loosens.add(knot);
    csv.row({x.time, 2 * Shifted(p, x.time).far, knot.traction, knot.radius, knot.pressed, knot.gap,
             shortening(now, x)});
    run.scene.row(tractions, x.time, {knot.traction});
    if (run.scene.frame(x.time)) run.scene.put(tube, x[0]);
  };
  const auto go = [&](const Problem& now, double until, double interval) {
    const auto report =
        drive(Verlet{}, now, state,
              {.cfl = 0.7, .until = until, .output_interval = interval, .progress = example::progress_line()},
              watch);
    steps += report.steps;
  };
  if (p.start.empty()) {
    go(calm, p.calming(), p.rest() / 40);
    go(settling, p.rest(), p.rest() / 40);
  } else {
    io::load_checkpoint(p.start, state);
    state.time = p.rest();
  }
  io::save_checkpoint((run.out / "rest.txt").string(), state);
  const Knot resting(settling, state, p.radius);
  const auto rested = state[0];
  const Problem problem = make_problem(p, rested, h, 0.02, true);
  std::vector<Moment> moments{{"at rest", settling, state}};
  go(problem, p.rest() + p.pulling(), p.pulling() / 400);
  const double tight_at = p.rest() + p.pulling() + p.holding();
  if (p.hold > 0) go(make_problem(p, rested, h, 0.5, true), tight_at, p.holding() / 40);
  const Knot tight(problem, state, p.radius);
  moments.emplace_back("pulled tight", problem, state);
  go(problem, p.until(), p.pulling() / 400);
  csv.close();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;

  const Knot knot(problem, state, p.radius);
  const double t1 = tightens.traction / tightens.count, t2 = loosens.traction / loosens.count;
  const double R = (tightens.radius / tightens.count + loosens.radius / loosens.count) / 2;
  const double scaled1 = tightens.scaled / tightens.count / p.bending(),
               scaled2 = loosens.scaled / loosens.count / p.bending();
  example::Summary& out = run.summary;
  out.figure("traction", t1, "N", "while it tightens, about the middle of the pull");
  out.figure("traction_loosening", t2, "N", "while it loosens, about the same place");
  out.figure("loop_radius", R, "m", "where the loop leaves the braid, then");
  out.figure("traction_mean", (scaled1 + scaled2) / 2, "1", "mean of both, times R²/B");
  if (p.friction > 0)
    out.figure("friction_constant", (scaled1 - scaled2) / (2 * p.friction) * std::sqrt(p.radius / R), "1",
               "σ of (1) by their difference, each with its own R");
  if (p.friction > 0) {
    out.figure("friction_balance", tightens.difference / (p.friction * tightens.pressed), "1",
               "H(tail) − H(loop) over μΣP while it tightens: 1 by (2) for a thin rod");
    out.figure("balance_error", tightens.difference / tightens.rubbed - 1, "1",
               "of the first equation (2) while it tightens");
    out.figure("balance_error_loosening", loosens.difference / loosens.rubbed - 1, "1", "while it loosens");
    out.figure("friction_balance_loosening", loosens.difference / (p.friction * loosens.pressed), "1",
               "the same while it loosens: −1");
  }
  if (p.friction > 0) {
    const double squared = static_cast<double>(p.turns * p.turns),
                 e = shortening(problem, state) - p.pull() / 2;
    out.figure("tightness", squared * p.radius / e, "1", "n²a/e where the traction was taken");
    out.figure("braid_traction", squared * t1 * p.radius * p.radius / (p.bending() * p.friction), "1",
               "n²Ta²/(Bμ) while it tightens");
    const LongBraid braid = LongBraid::at(squared * p.radius / e);
    if (std::isfinite(braid.traction))
      out.figure("braid_traction_long", braid.traction, "1", "the same by (3)");
  }
  const double unit = p.bending() / std::sqrt(p.radius * std::pow(resting.radius, 3));
  out.figure("rest_radius", resting.radius / p.radius, "1",
             "of the loop before the pull, over that of the rod");
  out.figure("rest_traction", resting.traction * resting.radius * resting.radius / p.bending(), "1",
             "T then, times R²/B");
  out.figure("rest_traction_mean", resting.traction * resting.mean_radius * resting.mean_radius / p.bending(),
             "1", "the same with R of the mean curvature of the loop");
  out.figure("rest_pressed", resting.pressed / unit, "1", "ΣP then, in units of B a^(-1/2) R^(-3/2)");
  out.figure("rest_material_force", resting.loop / resting.tails - 1, "1",
             "difference of H in loop and tails then");
  if (p.hold > 0) {
    out.figure("tight_radius", tight.radius / p.radius, "1", "of the loop at the end of --hold");
    out.figure("tight_material_force", tight.loop / tight.tails - 1, "1", "difference of H then");
  }
  if (resting.intervals.size() > 2) {
    const Interval &first = resting.intervals.front(), &last = resting.intervals.back();
    out.figure("flank_place",
               (last.begin + last.end - first.begin - first.end) / 4 / std::sqrt(p.radius * resting.radius),
               "1", "of the isolated contacts then, from the middle of the braid over √(aR)");
    out.figure("flank_force", (first.force + last.force) / 2 / unit, "1", "of each of them, in that unit");
  }
  out.figure("sticking", static_cast<double>(resting.sticking), "1", "contacts that stick then");
  out.figure("sticking_slip", resting.creep, "m/s", "largest slip of one of them");
  std::vector<double> intervals;
  for (const Interval& i : knot.intervals)
    for (const double value : {i.begin, i.end, i.force}) intervals.push_back(value);
  out.list("contact_intervals", intervals, "m, m, N", "begin, end and force of each stretch that touches");
  out.figure("gap_min", gap, "m", "least gap of closed contacts");
  out.final_state(state, steps);
  out.figure("seconds", took.count(), "s", "that it took");
  out.print();
  example::Variables given;
  write_theories(p, run);
  draw_braid(p, run, moments);
  given("rest", p.rest())("tight", p.rest() + p.pulling())("friction", p.friction)(
      "turns", static_cast<double>(p.turns));
  given("unit", p.radius * p.radius / p.bending())("radius", p.radius);
  example::draw(run, {"knot", 1600, 1000}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"overhand_knot", "An overhand knot that is tightened and loosened."};
  using example::Rule;
  program.option("turns", p.turns, "of the braid, 1 for the overhand knot", 1);
  program.option("friction", p.friction, "1", "coefficient of friction", Rule::not_negative);
  program.option("radius", p.radius, "m", "of the rod", Rule::positive);
  program.option("elements", p.elements, "elements of the rod", 60);
  program.option("looseness", p.looseness, "1", "radius of the loop that is laid, over --radius",
                 Rule::positive);
  program.option("tails", p.tails, "1", "length of each tail that is laid, over the radius of the loop",
                 Rule::positive);
  program.option("rest", p.rests, "1", "how long it comes to rest, times the slowest mode of the loop",
                 Rule::positive);
  program.option("tightening", p.tightening, "1", "part of the loop that is pulled out", Rule::positive);
  program.option("speed", p.speed, "1", "of the ends, over that of the slowest waves of the loop",
                 Rule::positive);
  program.option("hold", p.hold, "1", "how long the ends are held when it is tight, times that mode",
                 Rule::not_negative);
  program.text("start", p.start, "FILE", "a knot of the same rod at rest, rest.txt of another run");
  program.rule("looseness", "leaves no room for the braid of --turns",
               [&] { return p.bend() > 4 * p.radius; });
  program.rule("tightening", "must be less than a half", [&] { return p.tightening < 0.5; });
  program.rule("elements", "must be less than a million", [&] { return p.elements < 1'000'000; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
