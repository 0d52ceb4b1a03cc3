// A helical spring of steel, clamped at its top, with a mass at its bottom, is stretched and released.
//
//   ./steel_spring --stretch 0.04 --coils 10 --radius 0.03 --wire 0.001      (the defaults: ten periods)
//
//      ▔▔▔▔▔▔      R: radius of the coils,  a: of the wire,  n: coils,  D = 2R, d = 2a
//       ⟍          k = G d⁴/(8 D³ n)                                        (1)
//        ⟋         ω² ≈ k/(M + m/3)   m: mass of the wire, M: at its end    (2)
//       ⟍          The rest shape is the helix: strains of rest are those of its elements.
//        ■ M
//
// Steel waves cross an element of the wire a million times in a second, and an explicit method has to follow; implicit steps follow the swing alone. What is
// measured: the frequency beside (2), the length of a step beside the longest that an explicit method stands, and the place of the mass against
// a run with finer steps over the first part of the motion. A spring that closes until its coils touch ends the run. After some periods a spring that is stretched far begins to sway, which takes energy
// from the swing and gives it back.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/vtk_curves.hpp>
#include <dalembert/rod/drawing.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/statics/statics.hpp>

#include "support/march.hpp"
#include "support/picture.hpp"
#include "support/surfaces.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Body = assembly::RigidBody<double>;
using Weld = assembly::Weld<double>;
using Spring = assembly::Assembly<assembly::Kinds<Rod, Body>, assembly::Kinds<Weld>>;

struct Arguments {
  double radius = 0.03, wire = 0.001, pitch = 0.012, coils = 10, mass = 0.05, stretch = 0.04;
  double young = 200e9, poisson = 0.3, density = 7850;
  long elements = 200;
  example::March march{.t_end = 2, .dt = 1e-3, .integrator = "discrete_gradient"};
  double spectral_radius = 0.8, compare = 0.5;
  long finer = 8, frames = 120;

  double rise() const { return pitch / (2 * static_cast<double>(pi)); }
  /// Of the wire [m].
  double length() const {
    return 2 * static_cast<double>(pi) * coils * std::sqrt(radius * radius + rise() * rise());
  }
  double height() const { return pitch * coils; }
  double area() const { return static_cast<double>(pi) * wire * wire; }
  double wire_mass() const { return density * area() * length(); }
  /// Equation (1) [N/m].
  double stiffness() const {
    const double shear = young / (2 * (1 + poisson));
    return shear * std::pow(wire, 4) / (4 * std::pow(radius, 3) * coils);
  }
};

/// The frame of the wire at the angle φ of the helix, which goes down: its third axis along the wire, its first to the axis of the spring.
void put_on_helix(rod::Chain<double>& chain, Eigen::Index k, const Arguments& p, double phi) {
  const double c = std::cos(phi), s = std::sin(phi),
               size = std::sqrt(p.radius * p.radius + p.rise() * p.rise());
  const Vec3 inwards(-c, -s, 0), along(-s * p.radius / size, c * p.radius / size, -p.rise() / size);
  Mat<double, 3> frame;
  frame << inwards, along.cross(inwards), along;
  const Eigen::Quaterniond q(frame);
  chain.set_frame(k, SO3<double>::from_quaternion(q.w(), Vec3(q.vec())),
                  Vec3(p.radius * c, p.radius * s, -p.rise() * phi));
}

/// The spring, pulled down by a force [N], with a state in which it has its rest shape.
std::pair<Spring, Spring::State> make_spring(const Arguments& p, double force) {
  const rod::CircularSection<double> section(
      {.radius = p.wire, .young = p.young, .poisson = p.poisson, .density = p.density});
  Rod::Parameters parameters{
      .elements = static_cast<int>(std::min<long>(p.elements, std::numeric_limits<int>::max())),
      .length = p.length(),
      .inertia = section.inertia(),
      .start = rod::Boundary<double>::clamped()};
  const Rod straight(rod::LinearElastic<double>(section.stiffness_diagonal()), parameters);
  rod::Chain<double> helix(straight.nodes());
  const double last = 2 * static_cast<double>(pi) * p.coils;
  for (Eigen::Index k = 0; k < straight.nodes(); ++k)
    put_on_helix(helix, k, p, last * static_cast<double>(k) / static_cast<double>(p.elements));
  const rod::Strain<double> rest = straight.strain(helix, 0);
  const Rod rod(rod::LinearElastic<double>(section.stiffness_diagonal(), {rest.stretch, rest.curvature}),
                parameters);
  const double size = 0.4 * p.mass * p.radius * p.radius;  // as of a ball that fills the spring
  const Body body({.mass = p.mass, .inertia = Vec3::Constant(size), .force = {0, 0, -force}});
  const rod::Chain<double> hung = body.at(Vec3(0, 0, helix.position(straight.nodes() - 1)[2]));
  const Vec3 arm = helix.position(straight.nodes() - 1) - hung.position(0);
  const Weld weld{{0, straight.nodes() - 1}, {1, 0, arm, helix.rotation(straight.nodes() - 1)}};
  Spring spring{assembly::bodies(rod, body), assembly::constraints(weld)};
  auto state = spring.state({std::move(helix), hung});
  return {std::move(spring), std::move(state)};
}

/// What the page of a run shows: the wire, the mass as a plate under it, and what is in spring.csv.
class View {
 public:
  View(example::Run& run, const Arguments& p)
      : scene_(&run.scene),
        wire_(scene_->tube("wire", p.wire, {.colour = 0})),
        mass_(scene_->body("mass", {io::cylinder(1.1 * p.radius, 0.25 * p.pitch).with_stripes()},
                           {.colour = 1})),
        height_(scene_->panel("place of the mass", "m", {"x", "y", "height"})),
        ledger_(
            scene_->panel("ledger", "1, m, m/s", {"energy change / energy stored", "gap", "slip"}, true)) {
    run.view.pitch = 10;
    const double plate = 0.4 * p.pitch;
    scene_->place(scene_->body("clamp", {io::box({3 * p.radius, 3 * p.radius, plate})}, {.colour = 4}),
                  SO3<double>::identity(), {0, 0, plate / 2 + p.wire});
  }

  /// A state with a change of energy and the violation of the weld.
  void operator()(const Spring::State& x, double energy, double gap, double slip) {
    const Vec3 r = x[1].position(0);
    scene_->row(height_, x.time, {r[0], r[1], r[2]});
    scene_->row(ledger_, x.time, {energy, gap, slip});
    if (!scene_->frame(x.time)) return;
    scene_->put(wire_, x[0]);
    scene_->put(mass_, x[1].rotation(0), r);
  }

 private:
  io::Scene* scene_;
  io::Scene::Tube wire_;
  io::Scene::Body mass_;
  io::Scene::PanelId height_, ledger_;
};

/// Watches a run: a table, the page, shapes for the picture and for ParaView, and when the mass passes its place of rest.
class Recorder {
 public:
  Recorder(const Arguments& p, const Spring& spring, const Spring::State& start, double level,
           example::Run& run)
      : p_(p),
        table_(
            run.out / "spring.csv",
            "t [s], x [m], y [m], height [m], energy_change [1, of the energy stored at the start], gap [m], "
            "slip [m/s]",
            p.march),
        view_(run, p),
        level_(level),
        energy_(spring.energy(start)),
        shapes(run.out, "shape", 6, std::min(p.march.t_end, 0.15)),
        series_(run.out / "paraview", "rod") {}

  void operator()(const Spring& spring, const Spring::State& x) {
    shapes(x.time, [&](std::ostream& file) { example::write_tube(file, x[0], p_.wire, 1); });
    if (p_.frames > 0 &&
        x.time + 1e-12 >= static_cast<double>(frame_) * p_.march.t_end / static_cast<double>(p_.frames)) {
      ++frame_;
      series_.add(x.time, io::polydata(rod::drawn(spring.bodies<0>(), {x[0]}, {p_.wire})));
    }
    const Vec3 r = x[1].position(0);
    const double above = r[2] - level_;
    if (before_ < 0 && above >= 0 && x.time <= p_.compare) {  // it passes upwards
      const double at = time_ + (x.time - time_) * before_ / (before_ - above);
      if (passages == 0) first_passage = at;
      ++passages;
      last_passage = at;
    }
    before_ = above;
    time_ = x.time;
    if (x.time <= p_.compare * (1 + 1e-9)) places.push_back(r);
    const double change = (spring.energy(x) - energy_) / energy_;
    energy_error = std::max(energy_error, std::abs(change));
    if (!table_.due(x.time)) return;
    const auto violation = spring.constraint(x);
    table_.row(x.time, r[0], r[1], r[2], change, violation.position, violation.velocity);
    view_(x, change, violation.position, violation.velocity);
  }
  void close() { table_.close(); }

 private:
  Arguments p_;
  example::Table table_;
  View view_;
  double level_, energy_, before_ = 0, time_ = 0;
  long frame_ = 0;

 public:
  double first_passage = 0, last_passage = 0, energy_error = 0;
  int passages = 0;
  std::vector<Vec3> places;  ///< of the mass, after each step that is compared [m]
  example::Snapshots shapes;

 private:
  io::PvdSeries series_;
};

template <class F>
auto with_method(const Arguments& p, const F& f) {
  if (p.march.integrator == "generalized_alpha")
    return f(GeneralizedAlpha{.spectral_radius = p.spectral_radius});
  if (p.march.integrator == "implicit_midpoint") return f(ImplicitMidpoint{});
  return f(DiscreteGradient{});
}

void simulate(const Arguments& p, example::Run& run) {
  const double force = p.stiffness() * p.stretch;
  auto pulled = make_spring(p, force);
  const auto made = make_spring(p, 0);
  const Spring& spring = made.first;
  const double level = made.second[1].position(0)[2];
  (void)assembly::static_equilibrium(pulled.first, pulled.second);
  auto state = spring.state(pulled.second.chains);
  const double limit = 2 / rod::frequency_bound(spring.bodies<0>()[0], state[0]);
  const double stored = spring.energy(state);
  const double drop = level - state[1].position(0)[2];
  Recorder recorder(p, spring, state, level, run);
  const auto begin = std::chrono::steady_clock::now();
  const auto start = state;
  const long steps = with_method(p, [&](const auto& method) {
    return drive(method, spring, state,
                 {.step = p.march.dt,
                  .until = p.march.t_end,
                  .checks = {contact::no_overlap(spring, {.radii = {p.wire, 0}})},
                  .check_every = 10,
                  .progress = example::progress_line()},
                 recorder)
        .steps;
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  recorder.close();

  // the first part of the motion once more, in finer steps
  double apart = 0;
  with_method(p, [&](const auto& method) {
    auto x = start;
    auto stepper = method.stepper(spring, x);
    for (std::size_t i = 1; i < recorder.places.size(); ++i) {
      for (long j = 0; j < p.finer; ++j)
        (void)stepper.step(spring, x, p.march.dt / static_cast<double>(p.finer));
      apart = std::max(apart, (x[1].position(0) - recorder.places[i]).norm());
    }
  });

  example::Summary& out = run.summary;
  const double omega = std::sqrt(p.stiffness() / (p.mass + p.wire_mass() / 3));
  if (recorder.passages > 1)
    out.figure("frequency", (recorder.passages - 1) / (recorder.last_passage - recorder.first_passage), "Hz",
               "of the mass, in the first part of the motion");
  out.figure("frequency_closed_form", omega / (2 * static_cast<double>(pi)), "Hz",
             "of G d^4/(8 D^3 n) with a third of the mass of the wire");
  out.figure("static_stiffness", force / drop, "N/m", "force over stretch at the start");
  out.figure("stiffness_closed_form", p.stiffness(), "N/m", "G d^4/(8 D^3 n)");
  out.figure("explicit_limit", limit, "s", "longest step that an explicit method stands");
  out.figure("step_ratio", p.march.dt / limit, "1", "length of a step over that");
  out.figure("tip_error", apart / drop, "1",
             "largest distance from the run with finer steps, over the stretch at the start");
  out.figure("energy_error", recorder.energy_error, "1",
             "largest change of energy over that stored at the start");
  out.figure("energy_stored", stored, "J", "at the start");
  out.figure("computing_time", seconds, "s", "of the run");
  out.final_state(state, steps);
  out.print();

  example::Variables given;
  given("count", static_cast<double>(recorder.shapes.times().size()));
  given("times", recorder.shapes.words());
  example::draw(run, {"coils", 2000, 1000},
                given("stem", "shape")("apart", 2.6 * p.radius)("height", 1.1 * (drop - level + p.pitch)));
  example::draw(run, {"spring"});
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"steel_spring",
                           "A helical spring of steel is stretched and released: implicit steps."};
  using example::Rule;
  program.option("radius", p.radius, "m", "radius of the coils", Rule::positive);
  program.option("wire", p.wire, "m", "radius of the wire", Rule::positive);
  program.option("pitch", p.pitch, "m", "height of a coil at rest", Rule::positive);
  program.option("coils", p.coils, "1", "coils", Rule::positive);
  program.option("mass", p.mass, "kg", "mass at the end", Rule::positive);
  program.option("stretch", p.stretch, "m", "by which the spring is stretched, as its stiffness has it",
                 Rule::positive);
  program.option("elements", p.elements, "elements of the wire", 8);
  program.option("young", p.young, "Pa", "Young's modulus", Rule::positive);
  program.option("poisson", p.poisson, "1", "Poisson's ratio");
  program.option("density", p.density, "kg/m^3", "density", Rule::positive);
  program.option("t-end", p.march.t_end, "s", "end of the motion", Rule::positive);
  program.option("dt", p.march.dt, "s", "step", Rule::positive);
  program.choice("integrator", p.march.integrator,
                 {"discrete_gradient", "implicit_midpoint", "generalized_alpha"}, "method");
  program.option("spectral-radius", p.spectral_radius, "1", "of the generalised-alpha method",
                 Rule::positive);
  program.option("compare", p.compare, "s", "how long the motion is compared with finer steps",
                 Rule::positive);
  program.option("finer", p.finer, "finer steps in one", 2);
  program.option("frames", p.frames, "frames of the ParaView series, 0 for none", 0);
  program.rule("pitch", "must be more than the thickness of the wire, for coils not to touch at rest",
               [&] { return p.pitch > 2 * p.wire; });
  program.rule("radius", "must be more than that of the wire", [&] { return p.radius > p.wire; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
