// A rubber rod is turned seven times at one end, then the end comes nearer: the rod coils up on itself, touches
// itself and winds around itself.
//
//   ./plectoneme --turns 7 --slack 0.75 --elements 150        (the defaults)
//   ./plectoneme --start coil --hand left                      a rod that is wound up already, under a force
//
//   ║═══════════════════╟ ↻        first stretched and straight: all turns are twist
//   ║══╲╱╲╱══(coil)══╲╱╟ ←         then slack: twist becomes writhe
//
//   Lk = Tw + Wr = the turns of the end                                                                   (1)
//
// Tw is the twist of the rod about its own axis, Wr the writhe of that axis. No motion changes Lk unless the rod passes
// through itself, which contacts keep it from: equation (1) holds to round-off.
//
// Where it has wound up, both strands are helices about one axis, at an angle α to it and the radius R of the rod.
// With the bending stiffness B of a thin rod, force F and moment M at the ends and pressure q of the strands,
//   FR²/B = sin⁴α(½ + 1/cos 2α),   MR/B = 2 sin³α cos α/cos 2α,   qR³/B = sin⁴α/cos 2α                    (2)
// --start coil lays such a shape with a loop and tails, pulls at one end with F and lets it come to rest; its section
// is thinner than what touches (--slenderness), since (2) knows no stretch.
// Sources: Călugăreanu 1961; Clauvelin, Audoly, Neukirch 2009, Biophys. J. 96, 3716.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/assembly/history.hpp>
#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/vtk_curves.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/drawing.hpp>
#include <dalembert/rod/link.hpp>
#include <dalembert/rod/sections.hpp>

#include "plectoneme/coil.hpp"
#include "support/march.hpp"
#include "support/output_file.hpp"
#include "support/picture.hpp"
#include "support/stable.hpp"
#include "support/surfaces.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = rod::ElasticRod<>;
using Problem = assembly::Assembly<assembly::Kinds<Rod>, contact::WithTouching<double>>;
using plectoneme::Helix;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.44;

struct Arguments {
  double length = 1, radius = 0.01, young = 1e6, poisson = 0.5, density = 2000, damping = 20;
  double turns = 7, turning = 1, stretch = 1.15, slack = 0.75, slackening = 2, friction = 0;
  double force = 0.1, coils = 2, slenderness = 0.5, twist = 1.15, fineness = 2;
  long elements = 150, frames = 120;
  std::string start = "straight", hand = "right";
  example::March march{.t_end = 4, .dt = 0};

  bool coiled() const { return start == "coil"; }
  /// Of the section.
  double thickness() const { return coiled() ? slenderness * radius : radius; }
  double bending() const { return young * static_cast<double>(pi) * std::pow(thickness(), 4) / 4; }
  /// Of a loop of five radii [1/s].
  double slowest() const { return 1.35 * std::sqrt(young / density) * thickness() / (25 * radius * radius); }
  double until() const { return coiled() ? 60 / slowest() : march.t_end; }
  double sign() const { return hand == "right" ? 1 : -1; }
};

/// From 0 to 1 in the time `length` from `start` on, with two derivatives that begin and end with 0.
struct Ramp {
  double value, rate, acceleration;

  Ramp(double t, double start, double length) {
    const double x = std::clamp((t - start) / length, 0.0, 1.0);
    value = x * x * x * (10 + x * (6 * x - 15));
    rate = 30 * x * x * (1 - x) * (1 - x) / length;
    acceleration = 60 * x * (1 - x) * (1 - 2 * x) / (length * length);
  }
};

/// The end that is turned about x and then comes nearer; e₃ is along x, e₁ along z.
rod::EndMotion<double> lead(const Arguments& p, double t) {
  const Ramp turn(t, 0, p.turning), shift(t, p.turning, p.slackening);
  const double angle = 2 * static_cast<double>(pi) * p.turns * p.sign();
  Mat<double, 3> axes;
  axes << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  const SO3<double> frame = SO3<double>::from_matrix(axes) * SO3<double>::exp(Vec3(0, 0, angle * turn.value));
  const Vec3 v = frame.v();
  rod::EndMotion<double> m;
  m.position = {p.length * p.stretch - p.slack * shift.value, 0, 0};
  m.velocity = {-p.slack * shift.rate, 0, 0};
  m.acceleration = {-p.slack * shift.acceleration, 0, 0};
  m.quaternion = {frame.w(), v[0], v[1], v[2]};
  m.angular_velocity = {0, 0, angle * turn.rate};
  m.angular_acceleration = {0, 0, angle * turn.acceleration};
  return m;
}

/// A rod with its start.
struct Setting {
  Problem problem;
  assembly::Chain<> chain;
};

contact::Touching<> touching(const Arguments& p) {
  contact::Touching<> what;
  what.friction = p.friction;
  what.radii.push_back(p.radius);
  return what;
}
rod::CircularSection<> section(const Arguments& p) {
  return rod::CircularSection<>(
      {.radius = p.thickness(), .young = p.young, .poisson = p.poisson, .density = p.density});
}

/// Straight and stretched, so that it does not buckle as it is turned, with a little motion across.
Setting straight(const Arguments& p) {
  Rod::Parameters parameters{
      .elements = static_cast<int>(std::min<long>(p.elements, std::numeric_limits<int>::max())),
      .length = p.length};
  parameters.start = rod::Boundary<>::clamped();
  parameters.finish = rod::Boundary<>::prescribed([p](double t) { return lead(p, t); });
  parameters.damping.rate = p.damping;
  const Rod rod(section(p), parameters);
  const auto first = lead(p, 0);
  assembly::Chain<> chain = rod.straight(
      Vec3::Zero(), SO3<double>::from_quaternion(first.quaternion[0], first.quaternion.tail<3>()), p.stretch);
  for (Eigen::Index k = 1; k + 1 < rod.nodes(); ++k) {
    const double x = static_cast<double>(k) / rod.elements(), s = std::sin(static_cast<double>(pi) * x);
    chain.set_velocity(k, 0.01 * s * s * Vec3(0, std::sin(3 * x), std::cos(3 * x)), Vec3::Zero());
  }
  return {Problem{std::vector{rod}, touching(p)}, chain};
}

/// Wound up, twisted by `twist` times what bears M of (2), and pulled at its finish along y.
Setting coiled(const Arguments& p) {
  const Helix helix = Helix::under(p.force);
  const double h = p.radius / p.fineness, hand = p.sign();
  assembly::Chain<> chain = rod::laid_along(plectoneme::lay_coil(helix, p.coils, hand, p.radius, h));
  const double twist = -hand * p.twist * helix.moment * (1 + p.poisson) / p.radius;  // GJ = B/(1 + ν)
  for (Eigen::Index k = 0; k < chain.nodes; ++k)
    chain.set_frame(k, chain.rotation(k) * SO3<double>::exp(Vec3(0, 0, twist * h * static_cast<double>(k))),
                    chain.position(k));
  const int elements = static_cast<int>(chain.nodes) - 1;
  Rod::Parameters parameters{.elements = elements, .length = h * elements};
  parameters.start = rod::Boundary<>::clamped();
  parameters.finish = rod::Boundary<>::degrees({true, false, true, true, true, true});
  parameters.loads.finish.force = Vec3(0, hand * p.force * p.bending() / (p.radius * p.radius), 0);
  parameters.damping.rate = 0.3 * p.slowest();
  return {Problem{std::vector{Rod(section(p), parameters)}, touching(p)}, chain};
}

void simulate(const Arguments& p, example::Run& run) {
  const Setting setting = p.coiled() ? coiled(p) : straight(p);
  const Problem& problem = setting.problem;
  const Rod& rod = problem.bodies<0>()[0];
  auto state = problem.state({setting.chain});
  const double end = p.until(), laid = rod::link(state[0], rod::Closure::rays).link();
  run.view.planned = end;
  io::CsvWriter table(
      run.out / "link.csv",
      example::columns("t [s], turns [1], twist [1], writhe [1], link [1], error [1], distance "
                       "[m], kinetic [J], elastic [J], torque [N m], contacts [1], pressed [N]"));
  // the page: the rod, and what becomes of its turns
  run.view.pitch = 15;
  const auto tube = run.scene.tube("rod", p.radius, {.colour = 0});
  const auto links = run.scene.panel("link", "1", {"turns of the end", "twist", "writhe"});
  const auto errors = run.scene.panel("error of the link", "1", {"error"}, true);
  const auto energies = run.scene.panel("energy", "J", {"kinetic", "elastic"});
  const auto torques = run.scene.panel("torque at the clamp", "N m", {"torque"});
  assembly::History<double> history;
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  double error = 0, touched = nothing, s1 = touched, s2 = touched, gap = 0;
  const auto watch = [&](const Problem& of, const Problem::State& x) {
    const assembly::Chain<>& chain = x[0];
    const auto link = rod::link(chain, rod::Closure::rays);
    const double turns = p.coiled() ? laid : p.sign() * p.turns * Ramp(x.time, 0, p.turning).value;
    error = std::max(error, std::abs(link.link() - turns));
    const auto touches = contact::touches(of, x);
    double pressed = 0;
    for (const auto& t : touches) {
      pressed += t.pressure();
      gap = std::min(gap, t.gap);
    }
    if (!touches.empty() && std::isnan(touched)) {
      touched = x.time;
      s1 = touches[0].arc_lengths[0];
      s2 = touches[0].arc_lengths[1];
    }
    const double kinetic = of.kinetic_energy(x), elastic = rod::elastic_energy(rod, chain),
                 torque = rod::section_at(rod, chain, 0.0).stress.moment[2];
    table.row({x.time, turns, link.twist, link.writhe, link.link(), link.link() - turns,
               (chain.position(rod.elements()) - chain.position(0)).norm(), kinetic, elastic, torque,
               static_cast<double>(touches.size()), pressed});
    run.scene.row(links, x.time, {turns, link.twist, link.writhe});
    run.scene.row(errors, x.time, {link.link() - turns});
    run.scene.row(energies, x.time, {kinetic, elastic});
    run.scene.row(torques, x.time, {torque});
    if (run.scene.frame(x.time)) run.scene.put(tube, chain);
    history(of, x);
  };
  const double dt = example::step(p.march.dt, p.coiled() ? 0.7 : stable_part, Verlet{}, problem, state);
  const auto report = drive(
      Verlet{}, problem, state,
      {.step = dt, .until = end, .output_interval = end / 500, .progress = example::progress_line()}, watch);
  table.close();

  example::Summary& out = run.summary;
  const auto last = rod::link(state[0], rod::Closure::rays);
  out.figure("link", last.link(), "1", "at the end");
  out.figure("twist", last.twist, "1", "at the end");
  out.figure("writhe", last.writhe, "1", "at the end");
  out.figure("link_error", error, "1", "largest difference of the link from the turns of the end");
  out.figure("touches_at", touched, "s", "when the rod touches itself");
  out.figure("touches_s1", s1, "m", "where");
  out.figure("touches_s2", s2, "m", "and where");
  out.figure("gap_min", gap, "m", "least gap of closed contacts");
  const double R = p.radius, unit = p.bending() / (R * R);
  const Helix helix = plectoneme::seen(problem, state, p.bending(), R), exact = Helix::under(helix.force);
  out.figure("pitch_angle", helix.angle, "rad", "of the strands with the axis of the helix, in its middle");
  out.figure("force", helix.force * unit, "N", "at the ends, along the rod");
  out.figure("moment", helix.moment * unit * R, "N m", "at the ends, about the rod");
  out.figure("pressure", helix.pressure * unit / R, "N/m", "in the middle of the helix");
  out.group("in_units_of_B_and_R", {{"force", helix.force},
                                    {"moment", helix.moment},
                                    {"pressure", helix.pressure},
                                    {"pitch_angle_exact", exact.angle},
                                    {"moment_exact", exact.moment},
                                    {"pressure_exact", exact.pressure}});
  out.figure("moment_error", std::abs(helix.moment) / exact.moment - 1, "1", "from (2) under this force");
  out.figure("pressure_error", helix.pressure / exact.pressure - 1, "1", "likewise");
  out.figure("angle_error", helix.angle / exact.angle - 1, "1", "likewise");
  out.figure("kinetic", problem.kinetic_energy(state), "J", "at the end");
  out.final_state(state, report.steps);
  out.print();

  // six shapes: as it is turned, and as it coils up
  const double coiling = p.turning + 0.25 * p.slackening;
  std::vector<double> times{
      0, 0.5 * p.turning, coiling, coiling + 0.2 * (end - coiling), p.turning + p.slackening, end};
  if (p.coiled() || end < times[4]) times = {0, 0.2 * end, 0.4 * end, 0.6 * end, 0.8 * end, end};
  std::string words, twists, writhes;
  for (std::size_t i = 0; i < times.size(); ++i) {
    example::OutputFile file(run.out / ("shape_" + std::to_string(i) + ".dat"));
    file << "# surface: x [m], y [m], z [m], colour\n";
    const auto x = history.at(times[i]);
    example::write_tube(file, x[0], p.radius, 0);
    file.close();
    const auto link = rod::link(x[0], rod::Closure::rays);
    words += std::to_string(times[i]) + " ";
    twists += std::to_string(link.twist) + " ";
    writhes += std::to_string(link.writhe) + " ";
  }
  io::PvdSeries series(run.out / "paraview", "rod");
  for (long i = 0; i < p.frames; ++i) {
    const double t = p.frames > 1 ? end * static_cast<double>(i) / static_cast<double>(p.frames - 1) : end;
    const auto x = history.at(t);
    series.add(t, io::polydata(rod::drawn(problem.bodies<0>(), x.chains, {p.radius})));
  }
  example::Variables given;
  given("count", static_cast<double>(times.size()))("times", words)("twists", twists)("writhes", writhes);
  Vec3 low = state[0].position(0), high = low;
  for (const double t : times) {
    const auto x = history.at(t);
    for (Eigen::Index k = 0; k < x[0].nodes; ++k) {
      low = low.cwiseMin(x[0].position(k));
      high = high.cwiseMax(x[0].position(k));
    }
  }
  given("radius", R)("x0", low[0])("x1", high[0])("y0", low[1])("y1", high[1])("z0", low[2])("z1", high[2]);
  example::draw(run, {"coil", 2000, 1100, p.coiled() ? "wound" : "coil"}, given);
  example::draw(run, {"link", 1600, 1100}, given("t_end", end));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"plectoneme", "A rod that is turned at one end coils up on itself."};
  using example::Rule;
  program.choice("start", p.start, {"straight", "coil"}, "what it starts from");
  program.option("turns", p.turns, "1", "turns of the end");
  program.option("turning", p.turning, "s", "how long they take", Rule::positive);
  program.option("stretch", p.stretch, "1", "of the rod as it is turned", Rule::positive);
  program.option("slack", p.slack, "m", "by how much the end then comes nearer", Rule::not_negative);
  program.option("slackening", p.slackening, "s", "how long that takes", Rule::positive);
  program.option("elements", p.elements, "elements of the rod that starts straight", 8);
  program.option("length", p.length, "m", "length of the rod that starts straight", Rule::positive);
  program.option("radius", p.radius, "m", "radius of the rod", Rule::positive);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", p.poisson, "1", "Poisson's ratio");
  program.option("density", p.density, "kg/m^3", "density", Rule::positive);
  program.option("damping", p.damping, "1/s", "rate at which velocities fall", Rule::not_negative);
  program.option("friction", p.friction, "1", "coefficient of friction", Rule::not_negative);
  program.choice("hand", p.hand, {"right", "left"}, "of the turns, or of the helix of --start coil");
  program.option("force", p.force, "1", "that pulls the coil, times R²/B", Rule::positive);
  program.option("coils", p.coils, "1", "turns of the helix that is laid", Rule::positive);
  program.option("slenderness", p.slenderness, "1", "of the coil: radius of the section over --radius",
                 Rule::positive);
  program.option("twist", p.twist, "1", "of the coil as it is laid, over that of (2)", Rule::positive);
  program.option("fineness", p.fineness, "1", "of the coil: elements in a radius", Rule::positive);
  program.option("t-end", p.march.t_end, "s", "end of the motion of a rod that starts straight",
                 Rule::positive);
  program.stable_step("dt", p.march.dt, stable_part);
  program.option("frames", p.frames, "frames of the ParaView series, 0 for none", 0);
  program.rule("force", "must be less than 1", [&] { return p.force < 1; });
  program.rule("coils", "must be less than a hundred", [&] { return p.coils < 100; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
