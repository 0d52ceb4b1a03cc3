// A thick rubber rod is turned ten times at one end, then the end comes nearer: the rod coils up on itself, and the run ends where it touches itself.
//
//   ./plectoneme --turns 10 --slack 0.5 --elements 100        (the defaults)
//
//   ║═══════════════════╟ ↻        first stretched and straight: all turns are twist
//   ║══╲╱╲╱══(coil)══╲╱╟ ←         then slack: twist becomes writhe
//
//   Lk = Tw + Wr = the turns of the end                                                                                (1)
//
// Tw is the twist of the rod about its own axis, Wr the writhe of that axis. No motion changes Lk unless the rod passes through itself: equation (1)
// holds to round-off, and a watch over the surfaces ends the run before that happens.

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/history.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/vtk_curves.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/drawing.hpp>
#include <dalembert/rod/link.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/section_state.hpp>

#include "support/march.hpp"
#include "support/output_file.hpp"
#include "support/picture.hpp"
#include "support/stable.hpp"
#include "support/surfaces.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Problem = assembly::Assembly<assembly::Kinds<Rod>>;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.44;

struct Arguments {
  double length = 1, radius = 0.025, young = 1e6, poisson = 0.5, density = 2000, damping = 10;
  double turns = 10, turning = 1, stretch = 1.15, slack = 0.5, slackening = 2;
  long elements = 100, frames = 120;
  example::March march{.t_end = 4, .dt = 0};
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
  const double angle = 2 * static_cast<double>(pi) * p.turns;
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

Problem make_problem(const Arguments& p) {
  const rod::CircularSection<double> section(
      {.radius = p.radius, .young = p.young, .poisson = p.poisson, .density = p.density});
  Rod::Parameters parameters{
      .elements = static_cast<int>(std::min<long>(p.elements, std::numeric_limits<int>::max())),
      .length = p.length,
      .inertia = section.inertia()};
  parameters.start = rod::Boundary<double>::clamped();
  parameters.finish = rod::Boundary<double>::prescribed([p](double t) { return lead(p, t); });
  parameters.damping.rate = p.damping;
  return Problem{assembly::bodies(Rod(rod::LinearElastic<double>(section.stiffness_diagonal()), parameters))};
}

/// Straight and stretched, so that it does not buckle as it is turned, with a little motion across.
Problem::State start(const Problem& problem, const Arguments& p) {
  const Rod& rod = problem.bodies<0>()[0];
  const auto first = lead(p, 0);
  rod::Chain<double> chain = rod.straight(
      Vec3::Zero(), SO3<double>::from_quaternion(first.quaternion[0], first.quaternion.tail<3>()), p.stretch);
  for (Eigen::Index k = 1; k + 1 < rod.nodes(); ++k) {
    const double x = static_cast<double>(k) / rod.elements(), s = std::sin(static_cast<double>(pi) * x);
    chain.set_velocity(k, 0.01 * s * s * Vec3(0, std::sin(3 * x), std::cos(3 * x)), Vec3::Zero());
  }
  return problem.state({chain});
}

/// The overlap of two bodies that has ended a run, if one has.
std::optional<BodiesOverlap> overlap_in(const IntegrationFailure& failure) {
  try {
    std::rethrow_if_nested(failure);
  } catch (const BodiesOverlap& overlap) {
    return overlap;
  } catch (const std::exception&) {
  }
  return {};
}

void simulate(const Arguments& p, example::Run& run) {
  const Problem problem = make_problem(p);
  const Rod& rod = problem.bodies<0>()[0];
  auto state = start(problem, p);
  io::CsvWriter table(
      run.out / "link.csv",
      example::columns("t [s], turns [1], twist [1], writhe [1], link [1], error [1], distance "
                       "[m], kinetic [J], elastic [J], torque [N m]"));
  // the page: the rod, and what becomes of its turns
  run.view.pitch = 15;
  const auto tube = run.scene.tube("rod", p.radius, {.colour = 0});
  const auto links = run.scene.panel("link", "1", {"turns of the end", "twist", "writhe"});
  const auto errors = run.scene.panel("error of the link", "1", {"error"}, true);
  const auto energies = run.scene.panel("energy", "J", {"kinetic", "elastic"});
  const auto torques = run.scene.panel("torque at the clamp", "N m", {"torque"});
  assembly::History<double> history;
  double error = 0;
  const auto watch = [&](const Problem& of, const Problem::State& x) {
    const rod::Chain<double>& chain = x[0];
    const auto link = rod::link(chain, rod::Closure::rays);
    const double turns = p.turns * Ramp(x.time, 0, p.turning).value;
    error = std::max(error, std::abs(link.link() - turns));
    const double kinetic = of.kinetic_energy(x), elastic = rod::elastic_energy(rod, chain),
                 torque = rod::section_at(rod, chain, 0.0).stress.moment[2];
    table.row({x.time, turns, link.twist, link.writhe, link.link(), link.link() - turns,
               chain.position(rod.elements())[0], kinetic, elastic, torque});
    run.scene.row(links, x.time, {turns, link.twist, link.writhe});
    run.scene.row(errors, x.time, {link.link() - turns});
    run.scene.row(energies, x.time, {kinetic, elastic});
    run.scene.row(torques, x.time, {torque});
    if (run.scene.frame(x.time)) run.scene.put(tube, chain);
    history(of, x);
  };
  double touched = std::numeric_limits<double>::quiet_NaN(), s1 = touched, s2 = touched;
  try {
    const double dt = example::step(p.march.dt, stable_part, Verlet{}, problem, state);
    (void)drive(Verlet{}, problem, state,
                {.step = dt,
                 .until = p.march.t_end,
                 .output_interval = 20 * dt,
                 .checks = {contact::no_overlap(problem, {.radii = {p.radius}})},
                 .check_every = 5,
                 .progress = example::progress_line()},
                watch);
  } catch (const IntegrationFailure& failure) {
    const auto overlap = overlap_in(failure);
    if (!overlap) throw;
    touched = overlap->time();  // where the run was to end
    s1 = overlap->arc_lengths()[0];
    s2 = overlap->arc_lengths()[1];
    if (state.time > history.states().back().time) watch(problem, state);
  }
  table.close();

  const double end = history.states().back().time;
  example::Summary& out = run.summary;
  const auto last = rod::link(state[0], rod::Closure::rays);
  out.figure("link", last.link(), "1", "at the end");
  out.figure("twist", last.twist, "1", "at the end");
  out.figure("writhe", last.writhe, "1", "at the end");
  out.figure("link_error", error, "1", "largest difference of the link from the turns of the end");
  out.figure("touches_at", touched, "s", "when the rod touches itself");
  out.figure("touches_s1", s1, "m", "where");
  out.figure("touches_s2", s2, "m", "and where");
  out.print();

  // six shapes: as it is turned, and as it coils up
  const double coiling = std::min(end, p.turning + 0.25 * p.slackening);
  const std::vector<double> times{0,
                                  std::min(end, 0.5 * p.turning),
                                  coiling,
                                  coiling + 0.8 * (end - coiling),
                                  coiling + 0.93 * (end - coiling),
                                  end};
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
  given("radius", p.radius)("longest", p.length * p.stretch)("room", 0.11 * p.length);
  example::draw(run, {"coil", 2000, 1100}, given);
  example::draw(run, {"link", 1600, 1100}, given("t_end", end));
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"plectoneme", "A rod that is turned at one end coils up on itself."};
  using example::Rule;
  program.option("turns", p.turns, "1", "turns of the end");
  program.option("turning", p.turning, "s", "how long they take", Rule::positive);
  program.option("stretch", p.stretch, "1", "of the rod as it is turned", Rule::positive);
  program.option("slack", p.slack, "m", "by how much the end then comes nearer", Rule::not_negative);
  program.option("slackening", p.slackening, "s", "how long that takes", Rule::positive);
  program.option("elements", p.elements, "elements of the rod", 8);
  program.option("length", p.length, "m", "length of the rod", Rule::positive);
  program.option("radius", p.radius, "m", "radius of the rod", Rule::positive);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", p.poisson, "1", "Poisson's ratio");
  program.option("density", p.density, "kg/m^3", "density", Rule::positive);
  program.option("damping", p.damping, "1/s", "rate at which velocities fall", Rule::not_negative);
  program.option("t-end", p.march.t_end, "s", "end of the motion, if the rod does not touch itself before",
                 Rule::positive);
  program.stable_step("dt", p.march.dt, stable_part);
  program.option("frames", p.frames, "frames of the ParaView series, 0 for none", 0);
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
