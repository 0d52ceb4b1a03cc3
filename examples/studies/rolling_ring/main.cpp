// A straight rod that is bent to a ring and closed rolls about its own tangent on a table, like a smoke ring, and cannot go on: rolling outwards
// stretches it.
//
//   ./rolling_ring --elements 64 --amplitude 0.3 --t-end 0.13       (the defaults: ten periods)
//
//      ___φ↻___            radius of the ring  ρ = ρ₀ + aφ            no slip at every node
//    (  _____  )           φ̈ = −ω² φ,  ω = √(2E/3ρ)/ρ₀                at any amplitude (ρ under the root: density)
//     (_______)            ρ₀ = h/(2 sin(π/N))                        exact for the polygon of N elements
//   ═══════════════ table
//
// Every section turns by φ and its bending axis with it; the section is round, so that bending does not resist, only stretching does. Of the
// kinetic energy a third is that of the spin. The run is compared with the closed form; the picture shows the ring as it rolls out and in.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/vtk_curves.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/drawing.hpp>

#include "support/march.hpp"
#include "support/oscillation.hpp"
#include "support/picture.hpp"
#include "support/stable.hpp"
#include "support/surfaces.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using OnPlane = contact::RollingOnPlane<double>;
using Weld = assembly::Weld<double>;
using Ring = assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<OnPlane, Weld>>;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.12;

struct Arguments {
  long elements = 64;
  double spacing = 0.005, radius = 0.005, young = 1e6, poisson = 0.49, density = 1100, amplitude = 0.3;
  example::March march{.t_end = 0.13, .dt = 0};
  long frames = 120;

  double angle() const { return static_cast<double>(pi) / static_cast<double>(elements); }
  /// ρ₀ [m].
  double ring_radius() const { return spacing / (2 * std::sin(angle())); }
  /// ω [rad/s].
  double frequency() const { return std::sqrt(2 * young / (3 * density)) / ring_radius(); }
};

Ring make_ring(const Arguments& p) {
  const rod::CircularSection<double> section({.radius = p.radius,
                                              .young = p.young,
                                              .poisson = p.poisson,
                                              .density = p.density,
                                              .shear_factor = 0.9});
  const auto n = static_cast<int>(std::min<long>(p.elements, std::numeric_limits<int>::max()));
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()),
                {.elements = n, .length = n * p.spacing, .inertia = section.inertia()});
  std::vector<OnPlane> contacts;  // which pull where the ring does: there is no weight
  for (Eigen::Index k = 0; k < n; ++k)
    contacts.push_back({.marker = {0, k}, .radius = p.radius, .surface = {}, .bilateral = true});
  const auto all = assembly::bodies(rod);
  const auto [ring] = all.handles();
  return Ring{all, assembly::constraints(contacts, std::vector{Weld{.a = root(ring), .b = tip(ring)}})};
}

/// On the table, with φ = 0 and φ̇ = ω times the amplitude.
Ring::State start(const Ring& ring, const Arguments& p) {
  const Rod& rod = ring.bodies<0>()[0];
  rod::Chain<double> chain(rod.nodes());
  const double rate = p.amplitude * p.frequency();
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const double at = 2 * p.angle() * static_cast<double>(k), c = std::cos(at), s = std::sin(at);
    Mat<double, 3> axes;  // up, outwards, along the ring
    axes << 0, c, -s, 0, s, c, 1, 0, 0;
    chain.set_frame(k, SO3<double>::from_matrix(axes),
                    p.ring_radius() * Vec3(c, s, 0) + Vec3(0, 0, p.radius));
    chain.set_velocity(k, p.radius * rate * Vec3(c, s, 0), {0, 0, rate});
  }
  return ring.state({chain});
}

/// φ, from the mean distance of the nodes from the axis [rad].
double turn(const Ring::State& x, const Arguments& p) {
  const auto& chain = x[0];
  double sum = 0;
  for (Eigen::Index k = 0; k + 1 < chain.nodes; ++k) {
    const Vec3 r = chain.position(k);
    sum += std::sqrt(r[0] * r[0] + r[1] * r[1]);
  }
  return (sum / static_cast<double>(chain.nodes - 1) - p.ring_radius()) / p.radius;
}

/// What the page of a run shows: the ring on its table, and what is in ring.csv.
class View {
 public:
  View(example::Run& run, const Arguments& p)
      : scene_(&run.scene),
        ring_(scene_->tube("ring", p.radius, {.colour = 0})),
        turn_(scene_->panel("turn about the tangent", "rad", {"turn", "closed form"})),
        ledger_(scene_->panel("ledger", "1, m/s, m",
                              {"energy change / initial kinetic energy", "slip", "gap error"}, true)) {
    scene_->plane("table", {0, 0, 0}, {0, 0, 1});
  }

  /// The ring in a state with its turn and that of the closed form [rad], a change of energy, slip [m/s] and error of the gap [m].
  void operator()(const Ring::State& x, double turn, double exact, double energy, double slip, double gap) {
    scene_->row(turn_, x.time, {turn, exact});
    scene_->row(ledger_, x.time, {energy, slip, gap});
    if (scene_->frame(x.time)) scene_->put(ring_, x[0]);
  }

 private:
  io::Scene* scene_;
  io::Scene::Tube ring_;
  io::Scene::PanelId turn_, ledger_;
};

/// Watches a run: a table, the page, shapes for the picture and for ParaView.
class Recorder {
 public:
  Recorder(const Arguments& p, const Ring& ring, example::Run& run)
      : p_(p),
        table_(run.out / "ring.csv",
               "t [s], turn [rad], turn_exact [rad], energy_change [1, of the initial kinetic energy], "
               "no_slip [m/s], gap_error [m]",
               p.march),
        view_(run, p),
        monitor(ring, analysis::Keep::maxima),
        shapes(run.out, "shape", 6,
               std::min(p.march.t_end, 1.25 * 2 * static_cast<double>(pi) / p.frequency())),
        series_(run.out / "paraview", "ring") {}

  void operator()(const Ring& ring, const Ring::State& x) {
    const double now = turn(x, p_), exact = p_.amplitude * std::sin(p_.frequency() * x.time);
    error = std::max(error, std::abs(now - exact));
    shapes(x.time, [&](std::ostream& file) { example::write_tube(file, x[0], p_.radius, 0); });
    if (p_.frames > 0 &&
        x.time + 1e-12 >= static_cast<double>(frame_) * p_.march.t_end / static_cast<double>(p_.frames)) {
      ++frame_;
      series_.add(x.time, io::polydata(rod::drawn(ring.bodies<0>(), x.chains, {p_.radius})));
    }
    if (!table_.due(x.time)) return;
    monitor(ring, x);
    const auto& entry = monitor.last();
    const auto& first = monitor.entries().front();
    const double change = (entry.energy - first.energy) / first.kinetic_energy;
    table_.row(x.time, now, exact, change, entry.violation.velocity, entry.violation.position);
    view_(x, now, exact, change, entry.violation.velocity, entry.violation.position);
  }
  void close() { table_.close(); }

 private:
  Arguments p_;
  example::Table table_;
  View view_;
  long frame_ = 0;

 public:
  analysis::EnergyMonitor<Ring> monitor;
  example::Snapshots shapes;
  double error = 0;  ///< largest |φ − closed form| [rad]

 private:
  io::PvdSeries series_;
};

void simulate(const Arguments& p, example::Run& run) {
  const Ring ring = make_ring(p);
  auto state = start(ring, p);
  Recorder recorder(p, ring, run);
  const auto report =
      drive(Verlet{}, ring, state,
            {.step = example::step(p.march.dt, stable_part, Verlet{}, ring, state),
             .until = p.march.t_end,
             .events = {example::zeros_of<Ring>([&](const Ring::State& x) { return turn(x, p); })},
             .progress = example::progress_line()},
            recorder);
  recorder.close();
  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  out.figure("frequency", example::frequency(report), "rad/s", "of the turning about the tangent");
  out.figure("frequency_exact", p.frequency(), "rad/s", "sqrt(2 E/(3 density)) over the radius of the ring");
  out.figure("no_slip_max", report.violation.velocity, "m/s", "largest slip at the table or at the seam");
  out.figure("gap_error_max", report.violation.position, "m",
             "largest error of the distance from the table, and of the seam");
  out.figure("energy_error",
             recorder.monitor.energy_error() / recorder.monitor.entries().front().kinetic_energy, "1",
             "largest change of energy over the initial kinetic energy");
  out.figure("turn_error_max", recorder.error, "rad", "largest distance from the closed form");
  out.figure("ring_radius", p.ring_radius(), "m", "of the corners of the polygon at rest");
  out.print();

  example::Variables given;
  given("count", static_cast<double>(recorder.shapes.times().size()));
  given("times", recorder.shapes.words());
  example::draw(run, {"ring", 2000, 1100, "panels"},
                given("stem", "shape")("turn_x", 60)("turn_z", 28)("scale", 0.6));
  example::draw(run, {"turn"});
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"rolling_ring",
                           "A rod that is bent to a ring and closed rolls about its tangent."};
  using example::Rule;
  program.option("elements", p.elements, "elements of the ring", 3);
  program.option("spacing", p.spacing, "m", "length of an element", Rule::positive);
  program.option("radius", p.radius, "m", "radius of the rod", Rule::positive);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", p.poisson, "1", "Poisson's ratio");
  program.option("density", p.density, "kg/m^3", "density", Rule::positive);
  program.option("amplitude", p.amplitude, "rad", "largest turn about the tangent", Rule::positive);
  program.option("t-end", p.march.t_end, "s", "end of the motion", Rule::positive);
  program.stable_step("dt", p.march.dt, stable_part);
  program.option("frames", p.frames, "frames of the ParaView series, 0 for none", 0);
  program.rule("radius", "must be less than the ring's", [&] { return p.radius < p.ring_radius(); });
  program.rule("amplitude", "must leave the ring wider than its rod",
               [&] { return p.radius * (1 + p.amplitude) < p.ring_radius(); });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
