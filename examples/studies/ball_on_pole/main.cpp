// A ball that rolls around a vertical pole does not fall: it runs down, and climbs back up.
//
//   ./ball_on_pole --turning 30 --spin 0 --t-end 1.6       (the defaults: four swings)
//   ./ball_on_pole --pole rigid --spin 60                  climbs first
//
//      │ ╭─╮       φ̇ = constant                            turning rate about the pole
//      │(   )      σ̇ = −φ̇ż/R                               spin about the outward normal
//      │ ╰─╯       (I + MR²)z̈ = IRσφ̇ − MR²g                so that z swings at k = φ̇√(I/(I + MR²)) about a height that it keeps
//      │ pole
//
// While the ball runs down, rolling about the pole turns its own axis, and its spin about the normal grows until friction lifts the ball. Golfers know
// it from a hole: the ball goes down into it and comes out again. The pole has to hold the ball, as a magnet does, with M(a + R)φ̇². It is an elastic
// rod, clamped at both ends, or rigid; the run is compared with the closed form for a rigid one.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/ball_on_rod.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/vtk_curves.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/drawing.hpp>

#include "support/ball.hpp"
#include "support/march.hpp"
#include "support/oscillation.hpp"
#include "support/picture.hpp"
#include "support/stable.hpp"
#include "support/surfaces.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using assembly::Assembly;
using assembly::bodies;
using assembly::constraints;
using Vec3 = Vec<double, 3>;
using Body = assembly::RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using Axis = contact::AxisMarker<double>;

/// Of the longest stable step, unless a step is given.
constexpr double stable_part = 0.8;
/// Where the pole is rigid, so that no step is unstable [s].
constexpr double rigid_step = 1e-4;

struct Arguments {
  double radius = 0.02, mass = 0.03, inertia = 4.8e-6;
  std::string pole = "elastic";
  double pole_radius = 0.01, pole_length = 0.5, young = 2e11, density = 7850, poisson = 0.3;
  long elements = 25;
  double turning = 30, spin = 0, rise = 0, height = 0.35, gravity = 9.81;
  example::March march{.t_end = 1.6, .dt = 0};
  long frames = 240;

  /// k [rad/s].
  double frequency() const {
    return std::abs(turning) * std::sqrt(inertia / (inertia + mass * radius * radius));
  }
  /// z̈ at the start [m/s²].
  double acceleration() const {
    return (inertia * radius * spin * turning - mass * radius * radius * gravity) /
           (inertia + mass * radius * radius);
  }
  /// The height about which it swings, and how far [m].
  double mean() const { return height + acceleration() / (frequency() * frequency()); }
  double swing() const { return std::hypot(mean() - height, rise / frequency()); }
  /// The closed form of the height [m].
  double exact(double t) const {
    const double k = frequency();
    return mean() + (height - mean()) * std::cos(k * t) + rise * std::sin(k * t) / k;
  }

  Body ball() const {
    return Body{{.mass = mass, .inertia = Vec3::Constant(inertia), .gravity = {0, 0, -gravity}}};
  }
  /// On the x axis, rolling.
  rod::Chain<double> start() const {
    const double out = pole_radius + radius, v = out * turning;
    rod::Chain<double> chain = ball().at({out, 0, height});
    chain.set_velocity(0, {0, v, rise}, {spin, -rise / radius, v / radius});
    return chain;
  }
};

/// The tube around the path of the ball's centre so far.
class Path {
 public:
  void add(const Vec3& point) { points_.push_back(point); }
  const std::vector<Vec3>& points() const noexcept { return points_; }
  void write(std::ostream& file, double radius, double colour) const {
    if (points_.size() < 2) return;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 along = points_[std::min(i + 1, points_.size() - 1)] - points_[i > 0 ? i - 1 : 0];
      const double length = along.norm();
      if (!(length > 0)) continue;
      // the shortest turn that takes the third axis along the path
      const Vec3 across = Vec3::UnitZ().cross(along) / length;
      const double sine = across.norm(), angle = std::atan2(sine, along[2] / length);
      const Vec3 turn = sine > 0 ? Vec3(across * (angle / sine)) : Vec3(angle * Vec3::UnitX());
      example::write_circle(file, SO3<double>::exp(turn), points_[i], radius, 0, colour);
    }
    file << "\n\n";
  }

 private:
  std::vector<Vec3> points_{};
};

/// What the page of a run shows: the ball on its pole, the path of the contact and the force there, and what is in climb.csv.
class View {
 public:
  View(example::Run& run, const Arguments& p)
      : scene_(&run.scene),
        ball_(scene_->body("ball", {io::ball(p.radius).with_stripes()}, {.colour = 1})),
        contact_(scene_->point("contact", {.colour = 3,
                                           .path = true,
                                           .radius = 0.08 * p.radius,
                                           .arrow = "force on the ball",
                                           .unit = "N"})),
        height_(scene_->panel("height", "m", {"z", "closed form"})),
        pull_(scene_->panel("pull of the pole", "N", {"pull"})),
        cone_(scene_->panel("tangential over normal force", "1", {"cone utilisation"})),
        ledger_(scene_->panel("ledger", "1, m/s, m",
                              {"energy change / initial kinetic energy", "slip", "gap error"}, true)) {
    run.view.pitch = 12;
    if (p.pole == "rigid")
      scene_->place(scene_->body("pole", {io::cylinder(p.pole_radius, p.pole_length)}, {.colour = 4}),
                    SO3<double>::identity(), {0, 0, p.pole_length / 2});
    else
      pole_ = scene_->tube("pole", p.pole_radius, {.colour = 4});
  }

  /// The ball and an elastic pole, with the contact at a place [m] and the force on the ball there [N].
  void shapes(double time, const std::vector<rod::Chain<double>>& chains, const Vec3& place,
              const Vec3& force) {
    if (!scene_->frame(time)) return;
    scene_->put(ball_, chains[0].rotation(0), chains[0].position(0));
    if (pole_) scene_->put(*pole_, chains[1]);
    scene_->put(contact_, place, force);
  }
  /// Height and that of the closed form [m], pull [N], share of the cone, change of energy, slip [m/s], error of the gap [m].
  void row(double time, double height, double exact, double pull, double cone, double energy, double slip,
           double gap) {
    scene_->row(height_, time, {height, exact});
    scene_->row(pull_, time, {pull});
    scene_->row(cone_, time, {cone});
    scene_->row(ledger_, time, {energy, slip, gap});
  }

 private:
  io::Scene* scene_;
  io::Scene::Body ball_;
  io::Scene::Point contact_;
  std::optional<io::Scene::Tube> pole_{};
  io::Scene::PanelId height_, pull_, cone_, ledger_;
};

/// Watches a run: a table, the page, shapes for the picture and for ParaView.
template <class Problem>
class Recorder {
 public:
  using State = typename Problem::State;

  Recorder(const Arguments& p, const Problem& problem, const Rod* pole, example::Run& run)
      : p_(p),
        pole_(pole),
        table_(run.out / "climb.csv",
               "t [s], z [m], z_exact [m], x [m], y [m], turning [rad/s], spin [rad/s], pull [N], "
               "cone_utilisation [1], energy_change [1, of the initial kinetic energy], no_slip [m/s], "
               "gap_error [m]",
               p.march),
        view_(run, p),
        rates_(problem.make_rates()),
        ball_series_(run.out / "paraview", "ball"),
        drawn_pole_(2),
        monitor(problem, analysis::Keep::maxima),
        shapes(run.out, "shape", 6, std::min(p.march.t_end, 2 * static_cast<double>(pi) / p.frequency())) {
    if (pole != nullptr) pole_series_.emplace(run.out / "paraview", "pole");
    const double low = p.mean() - p.swing() - 2 * p.radius, high = p.mean() + p.swing() + 2 * p.radius;
    for (int k = 0; k < 2; ++k)
      drawn_pole_.set_frame(k, SO3<double>::identity(), Vec3(0, 0, k == 0 ? low : high));
  }

  void operator()(const Problem& problem, const State& x) {
    const auto& chain = x[0];
    const Vec3 r = chain.position(0), v = chain.linear_velocity(0);
    lowest = std::min(lowest, r[2]);
    highest = std::max(highest, r[2]);
    error = std::max(error, std::abs(r[2] - p_.exact(x.time)));
    if (x.time >= static_cast<double>(path_.points().size()) * 0.02 / p_.frequency()) path_.add(r);
    shapes(x.time, [&](std::ostream& file) {
      example::write_tube(file, drawn_pole_, p_.pole_radius, 0);
      example::write_ball(file, chain.rotation(0), r, p_.radius, 1);
      path_.write(file, 0.06 * p_.radius, 0.25);
    });
    if (p_.frames > 0 &&
        x.time + 1e-12 >= static_cast<double>(frame_) * p_.march.t_end / static_cast<double>(p_.frames)) {
      ++frame_;
      add_frame(x);
    }
    if (!table_.due(x.time)) return;
    monitor(problem, x);
    problem.rates(x, rates_);
    const double out = std::hypot(r[0], r[1]);
    const Vec3 n(r[0] / out, r[1] / out, 0), force(rates_.lambda[0], rates_.lambda[1], rates_.lambda[2]);
    const double pull = force.dot(n);
    const double across = std::sqrt(std::max(0.0, force.squaredNorm() - pull * pull));
    const auto& entry = monitor.last();
    const auto& first = monitor.entries().front();
    const double change = (entry.energy - first.energy) / first.kinetic_energy;
    table_.row(x.time, r[2], p_.exact(x.time), r[0], r[1], (r[0] * v[1] - r[1] * v[0]) / (out * out),
               chain.rotation(0).act(chain.angular_velocity(0)).dot(n), pull, across / std::abs(pull), change,
               entry.violation.velocity, entry.violation.position);
    view_.shapes(x.time, x.chains, r - p_.radius * n, -force);
    view_.row(x.time, r[2], p_.exact(x.time), pull, across / std::abs(pull), change, entry.violation.velocity,
              entry.violation.position);
  }
  void close() { table_.close(); }

 private:
  /// The ball as three circles, and its path; the pole, if it is elastic.
  void add_frame(const State& x) {
    const auto& chain = x[0];
    io::PolyData drawing;
    for (int axis = 0; axis < 3; ++axis)
      example::add_circle(drawing, [&](double angle) {
        Vec3 point = Vec3::Zero();
        point[(axis + 1) % 3] = p_.radius * std::cos(angle);
        point[(axis + 2) % 3] = p_.radius * std::sin(angle);
        return Vec3(chain.rotation(0).act(point) + chain.position(0));
      });
    const std::int64_t first = drawing.point_count();
    for (const Vec3& point : path_.points()) drawing.add_point(point);
    if (path_.points().size() > 1) drawing.add_line(first, static_cast<std::int64_t>(path_.points().size()));
    ball_series_.add(x.time, drawing);
    if (pole_ != nullptr)
      pole_series_->add(x.time, io::polydata(std::vector{rod::DrawnChain(*pole_, x[1], p_.pole_radius, 1)}));
  }

  Arguments p_;
  const Rod* pole_;
  example::Table table_;
  View view_;
  typename Problem::Rates rates_;
  long frame_ = 0;
  io::PvdSeries ball_series_;
  std::optional<io::PvdSeries> pole_series_{};
  rod::Chain<double> drawn_pole_;
  Path path_{};

 public:
  analysis::EnergyMonitor<Problem> monitor;
  example::Snapshots shapes;
  double lowest = std::numeric_limits<double>::infinity();    ///< height of the ball's centre [m]
  double highest = -std::numeric_limits<double>::infinity();  ///< the same
  double error = 0;                                           ///< largest distance from the closed form [m]
};

/// Follow a problem whose first body is the ball; `pole` is the second, or there is none.
template <class Problem>
void follow(const Problem& problem, typename Problem::State& state, const Rod* pole, const Arguments& p,
            example::Run& run) {
  Recorder<Problem> recorder(p, problem, pole, run);
  const auto above_mean = [&](const typename Problem::State& x) { return x[0].position(0)[2] - p.mean(); };
  double dt = p.march.dt;
  if constexpr (StabilityBound<Verlet, Problem>)
    dt = example::step(dt, stable_part, Verlet{}, problem, state);
  else if (dt == 0)
    dt = rigid_step;
  const auto report = drive(Verlet{}, problem, state,
                            {.step = dt,
                             .until = p.march.t_end,
                             .events = {example::zeros_of<Problem>(above_mean)},
                             .progress = example::progress_line()},
                            recorder);
  recorder.close();
  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  out.figure("frequency", example::frequency(report), "rad/s", "of the swing up and down");
  out.figure("frequency_exact", p.frequency(), "rad/s", "turning rate times sqrt(I/(I + M R^2))");
  out.figure("no_slip_max", report.violation.velocity, "m/s", "largest slip at the contact");
  out.figure("gap_error_max", report.violation.position, "m",
             "largest error of the distance from the axis of the pole");
  out.figure("energy_error",
             recorder.monitor.energy_error() / recorder.monitor.entries().front().kinetic_energy, "1",
             "largest change of energy over the initial kinetic energy");
  out.figure("height_min", recorder.lowest, "m", "lowest place of the ball's centre");
  out.figure("height_min_exact", p.mean() - p.swing(), "m", "of a whole swing in closed form");
  out.figure("height_max", recorder.highest, "m", "highest place of the ball's centre");
  out.figure("height_max_exact", p.mean() + p.swing(), "m", "of a whole swing in closed form");
  out.figure("closed_form_error_max", recorder.error, "m", "largest distance from the closed form");
  out.print();

  example::Variables given;
  given("count", static_cast<double>(recorder.shapes.times().size()));
  given("times", recorder.shapes.words());
  given("low", p.mean() - p.swing() - 2 * p.radius)("high", p.mean() + p.swing() + 2 * p.radius);
  example::draw(run, {"ball", 2400, 1000}, given("wide", p.pole_radius + 2 * p.radius));
  example::draw(run, {"climb"});
}

void simulate(const Arguments& p, example::Run& run) {
  const assembly::FrameMarker<double> centre{0};
  const Vec<double, 1> s(p.height);
  if (p.pole == "rigid") {
    const contact::RollingOnRod<double, Axis> contact{
        .first = Axis::in_space({0, 0, 0}, {0, 0, 1}, p.pole_length),
        .second = centre,
        .radius1 = p.pole_radius,
        .radius2 = p.radius,
        .bilateral = true};
    const Assembly problem{bodies(p.ball()), constraints(contact)};
    auto state = problem.state({p.start()}, s);
    follow(problem, state, nullptr, p, run);
    return;
  }
  const rod::CircularSection<double> section({.radius = p.pole_radius,
                                              .young = p.young,
                                              .poisson = p.poisson,
                                              .density = p.density,
                                              .shear_factor = 0.9});
  Rod::Parameters parameters{
      .elements = static_cast<int>(std::min<long>(p.elements, std::numeric_limits<int>::max())),
      .length = p.pole_length,
      .inertia = section.inertia()};
  parameters.start = parameters.finish = rod::Boundary<double>::clamped();
  const Rod pole(rod::LinearElastic<double>(section.stiffness_diagonal()), parameters);
  const contact::RollingOnRod<double> contact{.first = {1, pole, pole.spacing()},
                                              .second = centre,
                                              .radius1 = p.pole_radius,
                                              .radius2 = p.radius,
                                              .bilateral = true};
  const Assembly problem{bodies(p.ball(), pole), constraints(contact)};
  auto state = problem.state({p.start(), pole.straight({0, 0, 0})}, s);
  follow(problem, state, &pole, p, run);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"ball_on_pole", "A ball rolls around a vertical pole, down it and back up."};
  using example::Rule;
  program.option("R", p.radius, "m", "radius of the ball", Rule::positive);
  program.option("M", p.mass, "kg", "mass of the ball", Rule::positive);
  program.option("I", p.inertia, "kg m^2", "its moment of inertia about the centre; 2/5 M R^2 if solid",
                 Rule::positive);
  program.choice("pole", p.pole, {"elastic", "rigid"}, "what the pole is");
  program.option("pole-radius", p.pole_radius, "m", "radius of the pole", Rule::positive);
  program.option("pole-length", p.pole_length, "m", "length of the pole, which begins at height 0",
                 Rule::positive);
  program.option("young", p.young, "Pa", "Young's modulus of the pole", Rule::positive);
  program.option("poisson", p.poisson, "1", "Poisson's ratio of the pole");
  program.option("density", p.density, "kg/m^3", "density of the pole", Rule::positive);
  program.option("elements", p.elements, "elements of the pole", 6);
  program.option("turning", p.turning, "rad/s", "rate at which the ball turns about the pole");
  program.option("spin", p.spin, "rad/s", "spin about the outward normal at the start");
  program.option("rise", p.rise, "m/s", "vertical velocity at the start");
  program.option("height", p.height, "m", "height at the start");
  program.option("gravity", p.gravity, "m/s^2", "acceleration of free fall");
  program.option("t-end", p.march.t_end, "s", "end of the motion", Rule::positive);
  program.stable_step("dt", p.march.dt, stable_part);
  program.option("frames", p.frames, "frames of the ParaView series, 0 for none", 0);
  program.rule("turning", "must not be 0: the ball would fall", [&] { return p.turning != 0; });
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
