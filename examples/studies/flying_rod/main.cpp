// A rod that is thrown by a force and couples on one end, and then flies: Simo and Vu-Quoc's flying spaghetti.
//
//   ./flying_rod --case space --elements 100 --t-end 15                (the defaults)
//   ./flying_rod --case plane            the same without the couple that turns it out of the plane
//   ./flying_rod --case cantilever       another rod, clamped, whose tip is struck: 20 s without damping
//
//   F, M │   ╲                  load(t) = F, M₁, M₂ × (t/2.5 s up to 2.5 s, 2 − t/2.5 s up to 5 s, then 0)
//        │    ╲                 P(t) = ∫ F dt,  L(t) = ∫ (r × F + M) dt                                                (1)
//        └─────╲── F →          after the load: P, L and the energy stay
//              M
//
// Equation (1) holds for the rod to round-off at every time, however it is stepped by Verlet's method, which adds up the load by the rule of
// trapezoids, if its kinks are at steps. The picture has the shapes of the flight in the colours of the bending moment; sections.csv has the resultants along the rod at the
// same times, and paraview/ all fields.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/with_load.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/csv_curves.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/io/vtk_curves.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/drawing.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/section_state.hpp>

#include "support/march.hpp"
#include "support/output_file.hpp"
#include "support/picture.hpp"
#include "support/surfaces.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Rod = rod::ElasticRod<double>;
using Chain = rod::Chain<double>;

/// A dead force and a dead couple on the first node, which grow for the time `peak` and fall for as long.
struct Ramp {
  double peak = 2.5;                                 // [s]
  Vec3 force = Vec3::Zero(), couple = Vec3::Zero();  // at the peak [N, N m]

  double at(double t) const { return t < peak ? t / peak : t < 2 * peak ? 2 - t / peak : 0; }
  /// What it adds to the angular momentum about the origin in a second [N m].
  Vec3 moment(const Chain& chain, double t) const {
    return at(t) * (couple + chain.position(0).cross(force));
  }
  void add(const Rod&, const Chain& chain, double t, rod::Columns<double, 6>& f) const {
    const Vec3 torque = chain.rotation(0).inverse().act(Vec3(at(t) * couple));
    for (int i = 0; i < 3; ++i) {
      f(0, i) += at(t) * force[i];
      f(0, 3 + i) += torque[i];
    }
  }
};
using Flyer = assembly::Assembly<assembly::Kinds<assembly::WithLoad<Rod, Ramp>>>;

struct Arguments {
  std::string case_name = "space";
  double length = 10, stretching = 1e4, bending = 500, mass = 1, rotary = 10;
  double force = 8, couple = 80, side_couple = 40, peak = 2.5, speed = 2;
  long elements = 100, shapes = 13, frames = 150;
  double shapes_t_end = 0;
  example::March march{.t_end = 0, .dt = 0};

  bool cantilever() const { return case_name == "cantilever"; }
  int count() const { return static_cast<int>(std::min<long>(elements, std::numeric_limits<int>::max())); }
  /// As thick as it is drawn [m].
  double radius() const { return cantilever() ? 0.01 : length / 70; }
};

/// The rod of the flight, or a cantilever of soft rubber, L = 1 m, r = 10 mm, E = 1 MPa, 1000 kg/m³.
Rod make_rod(const Arguments& p) {
  if (p.cantilever()) {
    const rod::CircularSection<double> section(
        {.radius = p.radius(), .young = 1e6, .poisson = 0.5, .density = 1000});
    Rod::Parameters parameters{.elements = p.count(), .length = 1, .inertia = section.inertia()};
    parameters.start = rod::Boundary<double>::clamped();
    return {rod::LinearElastic<double>(section.stiffness_diagonal()), parameters};
  }
  Vec<double, 6> k;
  k << p.stretching, p.stretching, p.stretching, p.bending, p.bending, p.bending;
  return {rod::LinearElastic<double>(k),
          {.elements = p.count(), .length = p.length, .inertia = {p.mass, Vec3::Constant(p.rotary)}}};
}

Flyer make_flyer(const Arguments& p) {
  Ramp ramp{.peak = p.peak};
  if (!p.cantilever()) {
    ramp.force = {p.force, 0, 0};
    ramp.couple = {0, p.case_name == "space" ? -p.side_couple : 0.0, -p.couple};
  }
  return Flyer{assembly::bodies(assembly::WithLoad<Rod, Ramp>(make_rod(p), ramp))};
}

/// At rest from (0.6, 0, 0) to (0, 0.8, 0) lengths; the cantilever lies along x, and every section moves up as if it were bent evenly.
Flyer::State start(const Flyer& flyer, const Arguments& p) {
  const Rod& rod = flyer.bodies<0>()[0];
  Mat<double, 3> axes;
  if (!p.cantilever()) {
    axes << 0, 0.8, -0.6, 0, 0.6, 0.8, 1, 0, 0;
    return flyer.state({rod.straight({0.6 * p.length, 0, 0}, SO3<double>::from_matrix(axes))});
  }
  axes << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  Chain chain = rod.straight(Vec3::Zero(), SO3<double>::from_matrix(axes));
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const double s = rod.spacing() * static_cast<double>(k);
    chain.set_velocity(k, Vec3(0, 0, p.speed * s * s),
                       chain.rotation(k).inverse().act(Vec3(0, -2 * p.speed * s, 0)));
  }
  return flyer.state({chain});
}

/// What the page of a run shows: the rod, the force on its end, and what is in flight.csv.
class View {
 public:
  View(example::Run& run, const Arguments& p)
      : scene_(&run.scene),
        rod_(scene_->tube("rod", p.radius(), {.colour = 0})),
        energy_(scene_->panel("energy", "J", {"kinetic", "elastic"})),
        errors_(p.cantilever() ? scene_->panel("change of energy", "1", {"energy"}, true)
                               : scene_->panel("errors of what the load gives, and of the energy after it",
                                               "1", {"energy", "momentum", "angular momentum"}, true)) {
    run.view.planned = p.march.t_end;
    if (p.cantilever()) {
      run.view.yaw = 0;
      run.view.pitch = 10;
      return;
    }
    end_ = scene_->point("loaded end",
                         {.colour = 3, .radius = 1.3 * p.radius(), .arrow = "force on the end", .unit = "N"});
    run.view.flat = p.case_name == "plane";
    if (p.case_name == "space") run.view.up = Vec3::UnitY();
  }

  /// The rod, with the force on its first node [N].
  void shapes(double time, const Chain& chain, const Vec3& force) {
    if (!scene_->frame(time)) return;
    scene_->put(rod_, chain);
    if (end_) scene_->put(*end_, chain.position(0), force);
  }
  /// Energies [J], and the errors of momentum, angular momentum and energy, relative.
  void row(double time, double kinetic, double elastic, double momentum, double angular, double energy) {
    scene_->row(energy_, time, {kinetic, elastic});
    if (end_)
      scene_->row(errors_, time, {energy, momentum, angular});
    else
      scene_->row(errors_, time, {energy});
  }

 private:
  io::Scene* scene_;
  io::Scene::Tube rod_;
  std::optional<io::Scene::Point> end_{};
  io::Scene::PanelId energy_, errors_;
};

/// Watches a run at every step: a table, errors of equation (1), shapes, sections, and frames for ParaView.
class Recorder {
 public:
  Recorder(const Arguments& p, const Flyer& flyer, const Flyer::State& x, example::Run& run)
      : p_(p),
        body_(flyer.bodies<0>()[0]),
        table_(run.out / "flight.csv",
               "t [s], load [1], kinetic [J], elastic [J], x [m], y [m], z [m], end_x [m], end_y [m], end_z "
               "[m], Px [N s], Py [N s], Pz [N s], Lx [N m s], Ly [N m s], Lz [N m s], momentum_error [1], "
               "angular_error [1], energy_change [1]",
               p.march),
        sections_(run.out / "sections.csv",
                  example::columns("t [s], s [m], force_x [N], force_y [N], force_z [N], moment_x [N m], "
                                   "moment_y [N m], moment_z [N m], bending [N m], twisting [N m], tension "
                                   "[N], energy [J/m]")),
        shapes_(run.out / "shapes.dat"),
        marks_(run.out / "shapes.csv",
               example::columns("t [s], x [m], y [m], z [m], mark_x [m], mark_y [m], mark_z [m]")),
        series_(run.out / "paraview", "rod"),
        view_(run, p),
        kinetic_(flyer.kinetic_energy(x)) {
    shapes_ << "# tubes: x [m], y [m], z [m], bending moment [N m]; one block a shape\n";
  }

  void operator()(const Flyer& flyer, const Flyer::State& x) {
    const Chain& chain = x[0];
    const Ramp& ramp = body_.load();
    const Vec3 moment = ramp.moment(chain, x.time), force = ramp.at(x.time) * ramp.force;
    impulse_ += (x.time - time_) / 2 * (force + force_);
    angular_impulse_ += (x.time - time_) / 2 * (moment + moment_);
    force_ = force;
    moment_ = moment;
    time_ = x.time;
    const bool last = x.time >= p_.march.t_end;
    if (shape_ < p_.shapes && due(shape_, p_.shapes - 1, x.time, p_.shapes_t_end)) put_shape(x);
    if (p_.frames > 0 && due(frame_, p_.frames, x.time, p_.march.t_end))
      series_.add(x.time, io::polydata(std::vector{rod::DrawnChain<double>(body_, chain, p_.radius())}));
    if (last) io::write_csv(table_path("rod.csv"), rod::drawn(flyer.bodies<0>(), x.chains, {p_.radius()}));
    put_row(flyer, x);
  }
  void close() {
    table_.close();
    sections_.close();
    shapes_.close();
    marks_.close();
  }

  double momentum_error = 0, angular_error = 0;  ///< largest, relative to what the load has given
  double energy_error = 0;       ///< largest change of the energy after the load, relative to it
  double bending = 0;            ///< largest bending moment of a shape [N m]
  double impulse = 0, spin = 0;  ///< |P|, |L| at the end

 private:
  [[nodiscard]] std::filesystem::path table_path(const char* name) const {
    return sections_.path().parent_path() / name;
  }
  /// Whether number `next` of `count` even parts of the time until `end` is over; then it goes on to the next.
  [[nodiscard]] static bool due(long& next, long count, double time, double end) {
    if (time + 1e-9 < static_cast<double>(next) * end / static_cast<double>(count)) return false;
    ++next;
    return true;
  }

  void put_shape(const Flyer::State& x) {
    const Chain& chain = x[0];
    const Vec3 middle = chain.position(chain.nodes / 2),
               ahead = chain.rotation(chain.nodes - 1).act(Vec3::UnitZ());
    const Vec3 mark = chain.position(chain.nodes - 1) + 0.06 * body_.length() * ahead;  // beyond the free end
    marks_.row({x.time, middle[0], middle[1], middle[2], mark[0], mark[1], mark[2]});
    const long count = 4 * (chain.nodes - 1);
    for (long i = 0; i <= count; ++i) {
      const double s = body_.length() * static_cast<double>(i) / static_cast<double>(count);
      const auto at = rod::section_at(body_, chain, s);
      const double bent = std::hypot(at.stress.moment[0], at.stress.moment[1]);
      bending = std::max(bending, bent);
      for (int j = 0; j <= 12; ++j) {
        const double angle = 2 * static_cast<double>(pi) * j / 12;
        const Vec3 r =
            at.position + at.frame.act(Vec3(p_.radius() * std::cos(angle), p_.radius() * std::sin(angle), 0));
        shapes_ << r[0] << ',' << r[1] << ',' << r[2] << ',' << bent << '\n';
      }
      shapes_ << '\n';
      if (i % 4 == 0)
        sections_.row({x.time, s, at.force[0], at.force[1], at.force[2], at.moment[0], at.moment[1],
                       at.moment[2], bent, at.stress.moment[2], at.stress.force[2], at.energy});
    }
    shapes_ << "\n\n";
  }

  void put_row(const Flyer& flyer, const Flyer::State& x) {
    const Chain& chain = x[0];
    const Vec<double, 6> both = rod::momentum(body_, chain);
    const Vec3 linear = both.head<3>(), angular = both.tail<3>();
    const double kinetic = flyer.kinetic_energy(x), elastic = rod::elastic_energy(body_, chain);
    double lost = 0, turned = 0, change = 0;
    if (p_.cantilever()) {
      change = (kinetic + elastic - kinetic_) / kinetic_;
    } else {
      const Ramp& ramp = body_.load();
      const double given = ramp.peak * ramp.force.norm();
      largest_ = std::max(largest_, angular_impulse_.norm());
      if (given > 0) lost = (linear - impulse_).norm() / given;
      if (largest_ > 0) turned = (angular - angular_impulse_).norm() / largest_;
      if (x.time >= 2 * ramp.peak - 1e-9) {
        if (energy_ == 0) energy_ = kinetic + elastic;
        change = (kinetic + elastic - energy_) / energy_;
      }
    }
    momentum_error = std::max(momentum_error, lost);
    angular_error = std::max(angular_error, turned);
    energy_error = std::max(energy_error, std::abs(change));
    impulse = linear.norm();
    spin = angular.norm();
    if (!table_.due(x.time)) return;
    Vec3 centre = Vec3::Zero();
    double total = 0;
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      centre += body_.mass_fraction(k) * chain.position(k);
      total += body_.mass_fraction(k);
    }
    table_.row(x.time, body_.load().at(x.time), kinetic, elastic, Vec3(centre / total),
               chain.position(chain.nodes - 1), linear, angular, lost, turned, change);
    view_.row(x.time, kinetic, elastic, lost, turned, change);
    view_.shapes(x.time, chain, force_);
  }

  Arguments p_;
  assembly::WithLoad<Rod, Ramp> body_;
  example::Table table_;
  io::CsvWriter sections_;
  example::OutputFile shapes_;
  io::CsvWriter marks_;
  io::PvdSeries series_;
  View view_;
  double kinetic_, energy_ = 0, largest_ = 0, time_ = 0;
  long shape_ = 0, frame_ = 0;
  Vec3 impulse_ = Vec3::Zero(), angular_impulse_ = Vec3::Zero(), force_ = Vec3::Zero(),
       moment_ = Vec3::Zero();
};

void simulate(Arguments p, example::Run& run) {
  const Flyer flyer = make_flyer(p);
  auto state = start(flyer, p);
  if (p.march.t_end == 0) p.march.t_end = p.cantilever() ? 20 : 15;
  if (p.shapes_t_end == 0) p.shapes_t_end = std::min(p.march.t_end, p.cantilever() ? 0.9 : 6.0);
  const double longest = 2 / frequency_bound(flyer.bodies<0>()[0], state[0]);
  // half of it, and the load has its kinks at steps
  if (p.march.dt == 0) p.march.dt = p.cantilever() ? longest / 2 : p.peak / std::ceil(2 * p.peak / longest);
  Recorder recorder(p, flyer, state, run);
  const auto report =
      drive(Verlet{}, flyer, state,
            {.step = p.march.dt, .until = p.march.t_end, .progress = example::progress_line()}, recorder);
  recorder.close();
  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  if (!p.cantilever()) {
    out.figure("momentum", recorder.impulse, "N s", "at the end");
    out.figure("angular_momentum", recorder.spin, "N m s", "about the origin, at the end");
    out.figure("momentum_error", recorder.momentum_error, "1",
               "largest distance of the momentum from the impulse of the load, over the whole impulse");
    out.figure("angular_momentum_error", recorder.angular_error, "1", "the same of the angular momentum");
  }
  out.figure("energy_error", recorder.energy_error, "1",
             p.cantilever() ? "largest change of the energy over the first kinetic energy"
                            : "largest change of the energy after the load, relative to it");
  out.figure("bending_moment_max", recorder.bending, "N m", "largest of the shapes");
  out.figure("step", p.march.dt, "s", "of Verlet's method");
  out.figure("step_over_longest", p.march.dt / longest, "1", "over the longest stable one");
  out.print();

  example::Variables given;
  given("most", recorder.bending)("until", p.shapes_t_end)("t_end", p.march.t_end);
  given("cantilever", p.cantilever() ? 1.0 : 0.0)("path", p.cantilever() ? 0.0 : 1.0);
  given("near", 0.07 * (p.cantilever() ? 1 : p.length))("words", p.cantilever() ? "%.2f s" : "%.1f s");
  if (p.cantilever())
    given("turn_x", 90)("turn_z", 0.0)("zoom", 1.5)("centre", 0.56)("bar", 0.62);
  else if (p.case_name == "space")
    given("turn_x", 30)("turn_z", 4)("zoom", 2.4)("centre", 0.53)("bar", 0.6);
  else
    given("turn_x", 0.0)("turn_z", 0.0)("zoom", 2.1)("centre", 0.52)("bar", 0.65);
  example::draw(run, {"flight", 2000, 1100}, given);
  example::draw(run, {"ledger", 1600, 1300}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments p;
  example::Program program{"flying_rod", "A rod is thrown by a force and couples on one end, and flies."};
  using example::Rule;
  program.choice("case", p.case_name, {"space", "plane", "cantilever"},
                 "thrown out of its plane, in it, or clamped and struck");
  program.option("elements", p.elements, "elements of the rod", 2);
  program.option("length", p.length, "m", "length of the rod that is thrown", Rule::positive);
  program.option("stretching", p.stretching, "N", "EA, and GA twice", Rule::positive);
  program.option("bending", p.bending, "N m^2", "EI twice, and GJ", Rule::positive);
  program.option("mass", p.mass, "kg/m", "mass per length", Rule::positive);
  program.option("rotary", p.rotary, "kg m", "inertia of a section about each axis, per length",
                 Rule::positive);
  program.option("force", p.force, "N", "largest force on the end, along x");
  program.option("couple", p.couple, "N m", "largest couple on it, about -z");
  program.option("side-couple", p.side_couple, "N m", "largest couple on it, about -y; in space only");
  program.option("peak", p.peak, "s", "when the load is largest; it ends at twice this time", Rule::positive);
  program.option("speed", p.speed, "m/s", "of the cantilever's tip at the start", Rule::positive);
  program.option("t-end", p.march.t_end, "s", "end of the motion, 0 for 15 s, of the cantilever 20 s",
                 Rule::not_negative);
  program.option("dt", p.march.dt, "s", "step, 0 for half of the longest stable one", Rule::not_negative);
  program.option("shapes", p.shapes, "shapes in the picture", 2);
  program.option("shapes-t-end", p.shapes_t_end, "s",
                 "time of the last of them, 0 for 6 s, of the cantilever 0.9 s", Rule::not_negative);
  program.option("frames", p.frames, "frames of the ParaView series, 0 for none", 0);
  return program.run(argc, argv, [&](example::Run& run) { simulate(p, run); });
}
