// A rod that is laid across a fixed cylinder rocks on it without slipping.
//
//   ./rocking_rod --length 0.2 --radius 0.01 --cylinder 0.05 --angle 0.3      (the defaults: two swings)
//
//       ╲                 the rod has the tilt θ and touches bθ away from its middle
//         ╲  θ            ½(a² + b²θ² + k²)θ̇² + g((a + b) cos θ + bθ sin θ) = constant                        (1)
//          (╲)            k² = (1 + 2/N²)L²/12 + a²/4   of a rigid rod whose mass is in N + 1 nodes
//          ( )╲           a: radius of the rod,  b: radius of the cylinder
//
// It rocks back if it is thinner than the cylinder, a < b. The period of the elastic rod is compared with that of a rigid one by (1), an integral. The
// contact moves along the rod: where it is, is an internal coordinate. Without friction enough the rod would slip: the table says how much it takes.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/cylinder.hpp>
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
using Contact = contact::RollingOnCylinder<double>;
using Rocker = assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<Contact>>;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.6;

struct Arguments {
  double length = 0.2, radius = 0.01, cylinder = 0.05, angle = 0.3;
  long elements = 20;
  double young = 1e10, poisson = 0.49, density = 1100, gravity = 9.81;
  example::March march{.t_end = 1.25, .dt = 0};
  long frames = 120;

  double spacing() const { return length / static_cast<double>(elements); }
  /// The potential of equation (1) per mass [m²/s²].
  double potential(double tilt) const {
    return gravity * ((radius + cylinder) * std::cos(tilt) + cylinder * tilt * std::sin(tilt));
  }
  /// a² + b²θ² + k² [m²].
  double inertia(double tilt) const {
    const double n = static_cast<double>(elements);
    return radius * radius + cylinder * cylinder * tilt * tilt + length * length / 12 * (1 + 2 / (n * n)) +
           radius * radius / 4;
  }
  /// The period of a rigid rod, four times ∫ dθ/θ̇ from 0 to the angle; for θ = angle · sin u the integrand is smooth and periodic in u, where the rule
  /// of the midpoint converges faster than any power [s].
  double rigid_period() const {
    constexpr int count = 256;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      const double u = static_cast<double>(pi) / 2 * (i + 0.5) / count, tilt = angle * std::sin(u);
      sum += angle * std::cos(u) * std::sqrt(inertia(tilt) / (2 * (potential(angle) - potential(tilt))));
    }
    return 4 * sum * static_cast<double>(pi) / 2 / count;
  }
};

Rocker make_rocker(const Arguments& p) {
  const rod::CircularSection<double> section({.radius = p.radius,
                                              .young = p.young,
                                              .poisson = p.poisson,
                                              .density = p.density,
                                              .shear_factor = 0.9});
  Rod::Parameters parameters{
      .elements = static_cast<int>(std::min<long>(p.elements, std::numeric_limits<int>::max())),
      .length = p.length,
      .inertia = section.inertia()};
  parameters.loads.gravity = {0, 0, -p.gravity};
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal()), parameters);
  const Contact contact{{0, rod, rod.spacing()}, p.radius, {p.cylinder, {0, 0, 0}, {0, 1, 0}}};
  return Rocker{assembly::bodies(rod), assembly::constraints(contact)};
}

/// At rest with the tilt `angle`, straight.
Rocker::State start(const Rocker& rocker, const Arguments& p) {
  const double c = std::cos(p.angle), s = std::sin(p.angle), away = p.cylinder * p.angle;
  const Vec3 along(c, 0, -s), up(s, 0, c);
  const Vec3 middle = (p.radius + p.cylinder) * up - away * along;
  return rocker.state(
      {rocker.bodies<0>()[0].straight(middle - p.length / 2 * along,
                                      SO3<double>::exp(Vec3(0, static_cast<double>(pi) / 2 + p.angle, 0)))},
      Vec<double, 1>(p.length / 2 + away));
}

/// What the page of a run shows: the rod on its cylinder, the contact with its force, and what is in rocking.csv.
class View {
 public:
  View(example::Run& run, const Arguments& p)
      : scene_(&run.scene),
        rod_(scene_->tube("rod", p.radius, {.colour = 1})),
        contact_(scene_->point(
            "contact",
            {.colour = 3, .path = true, .radius = 0.2 * p.radius, .arrow = "force on the rod", .unit = "N"})),
        tilt_(scene_->panel("tilt by the place of the contact", "rad", {"tilt"})),
        normal_(scene_->panel("normal force", "N", {"normal"})),
        cone_(scene_->panel("tangential over normal force", "1", {"cone utilisation"})),
        ledger_(scene_->panel("ledger", "1, m/s, m",
                              {"energy change / kinetic energy of the swing", "slip", "gap error"}, true)) {
    run.view.pitch = 12;
    const SO3<double> lying = SO3<double>::exp(Vec3(-static_cast<double>(pi) / 2, 0, 0));
    scene_->place(scene_->body("cylinder", {io::cylinder(p.cylinder, p.cylinder)}, {.colour = 4}), lying,
                  Vec3::Zero());
  }

  /// The rod, and the contact with the force on it [m, N].
  void shapes(double time, const rod::Chain<double>& chain, const Vec3& place, const Vec3& force) {
    if (!scene_->frame(time)) return;
    scene_->put(rod_, chain);
    scene_->put(contact_, place, force);
  }
  /// Tilt [rad], normal force [N], share of the cone, change of energy, slip [m/s], error of the gap [m].
  void row(double time, double tilt, double normal, double cone, double energy, double slip, double gap) {
    scene_->row(tilt_, time, {tilt});
    scene_->row(normal_, time, {normal});
    scene_->row(cone_, time, {cone});
    scene_->row(ledger_, time, {energy, slip, gap});
  }

 private:
  io::Scene* scene_;
  io::Scene::Tube rod_;
  io::Scene::Point contact_;
  io::Scene::PanelId tilt_, normal_, cone_, ledger_;
};

/// Watches a run: a table, the page, shapes for the picture and for ParaView.
class Recorder {
 public:
  Recorder(const Arguments& p, const Rocker& rocker, example::Run& run)
      : p_(p),
        table_(run.out / "rocking.csv",
               "t [s], s [m], tilt [rad], force_normal [N], cone_utilisation [1], energy_change [1, of the "
               "swing's kinetic energy], no_slip [m/s], gap_error [m]",
               p.march),
        view_(run, p),
        rates_(rocker.make_rates()),
        monitor(rocker, analysis::Keep::maxima),
        swing(rocker.bodies<0>()[0].parameters().inertia.mass * p.length *
              (p.potential(p.angle) - p.potential(0))),
        shapes(run.out, "shape", 6, std::min(p.march.t_end, 0.625 * p.rigid_period())),
        series_(run.out / "paraview", "rod"),
        cylinder_(2) {
    const SO3<double> lying = SO3<double>::exp(Vec3(-static_cast<double>(pi) / 2, 0, 0));
    for (int k = 0; k < 2; ++k) cylinder_.set_frame(k, lying, Vec3(0, (k - 0.5) * p.cylinder, 0));
  }

  void operator()(const Rocker& rocker, const Rocker::State& x) {
    shapes(x.time, [&](std::ostream& file) {
      example::write_tube(file, x[0], p_.radius, 1);
      example::write_tube(file, cylinder_, p_.cylinder, 0);
    });
    if (p_.frames > 0 &&
        x.time + 1e-12 >= static_cast<double>(frame_) * p_.march.t_end / static_cast<double>(p_.frames)) {
      ++frame_;
      series_.add(x.time, io::polydata(rod::drawn(rocker.bodies<0>(), x.chains, {p_.radius})));
    }
    if (!table_.due(x.time)) return;
    monitor(rocker, x);
    rocker.rates(x, rates_);
    const Vec3 force(rates_.lambda[0], rates_.lambda[1], rates_.lambda[2]);
    const auto& contact = rocker.constraints<0>()[0];
    assembly::Point<double> at;
    assembly::Window window;
    contact.marker.find(x.chains, x.z[0], x.time, at, window, nullptr);
    const Vec3 d = contact.surface.distance(at.R);
    const double normal = force.dot(d) / d.norm();
    const double across = std::sqrt(std::max(0.0, force.squaredNorm() - normal * normal));
    cone = std::max(cone, across / normal);
    const auto& entry = monitor.last();
    const double tilt = (x.z[0] - p_.length / 2) / p_.cylinder,
                 change = (entry.energy - monitor.entries().front().energy) / swing;
    table_.row(x.time, x.z[0], tilt, normal, across / normal, change, entry.violation.velocity,
               entry.violation.position);
    view_.shapes(x.time, x[0], Vec3(at.R) - p_.radius / d.norm() * d, force);
    view_.row(x.time, tilt, normal, across / normal, change, entry.violation.velocity,
              entry.violation.position);
  }
  void close() { table_.close(); }

 private:
  Arguments p_;
  example::Table table_;
  View view_;
  Rocker::Rates rates_;
  long frame_ = 0;

 public:
  analysis::EnergyMonitor<Rocker> monitor;
  double swing;     ///< kinetic energy of a rigid rod that is level [J]
  double cone = 0;  ///< largest ratio of tangential and normal force
  example::Snapshots shapes;

 private:
  io::PvdSeries series_;
  rod::Chain<double> cylinder_;
};

void simulate(const Arguments& p, example::Run& run) {
  const Rocker rocker = make_rocker(p);
  auto state = start(rocker, p);
  Recorder recorder(p, rocker, run);
  const auto report = drive(
      Verlet{}, rocker, state,
      {.step = example::step(p.march.dt, stable_part, Verlet{}, rocker, state),
       .until = p.march.t_end,
       .events = {example::zeros_of<Rocker>([&](const Rocker::State& x) { return x.z[0] - p.length / 2; })},
       .progress = example::progress_line()},
      recorder);
  recorder.close();
  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  out.figure("period", 2 * static_cast<double>(pi) / example::frequency(report), "s", "of the rocking");
  out.figure("period_rigid", p.rigid_period(), "s", "of a rigid rod, by its energy");
  out.figure("gap_error_max", report.violation.position, "m", "largest error of the distance of the axes");
  out.figure("no_slip_max", report.violation.velocity, "m/s", "largest slip at the contact");
  out.figure("energy_error", recorder.monitor.energy_error() / recorder.swing, "1",
             "largest change of energy over the largest kinetic energy of a rigid rod");
  out.figure("cone_utilisation_max", recorder.cone, "1", "largest tangential over normal force");
  out.print();

  example::Variables given;
  given("count", static_cast<double>(recorder.shapes.times().size()));
  given("times", recorder.shapes.words());
  example::draw(run, {"rod", 2000, 1100, "panels"},
                given("stem", "shape")("turn_x", 78)("turn_z", 18)("scale", 0.62));
  example::draw(run, {"swing"});
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"rocking_rod", "An elastic rod rocks across a fixed cylinder without slipping."};
  using example::Rule;
  program.option("length", p.length, "m", "length of the rod", Rule::positive);
  program.option("radius", p.radius, "m", "radius of the rod", Rule::positive);
  program.option("cylinder", p.cylinder, "m", "radius of the cylinder", Rule::positive);
  program.option("angle", p.angle, "rad", "tilt at the start, from rest", Rule::positive);
  program.option("elements", p.elements, "elements of the rod", 6);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", p.poisson, "1", "Poisson's ratio");
  program.option("density", p.density, "kg/m^3", "density", Rule::positive);
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall", Rule::positive);
  program.option("t-end", p.march.t_end, "s", "end of the motion", Rule::positive);
  program.stable_step("dt", p.march.dt, stable_part);
  program.option("frames", p.frames, "frames of the ParaView series, 0 for none", 0);
  program.rule("radius", "must be less than that of the cylinder, for the rod to rock back",
               [&] { return p.radius < p.cylinder; });
  program.rule("angle", "must be so small that the rod rocks back from it", [&] {
    for (int i = 0; i < 100; ++i)
      if (!(p.potential(p.angle * i / 100) < p.potential(p.angle))) return false;
    return true;
  });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
