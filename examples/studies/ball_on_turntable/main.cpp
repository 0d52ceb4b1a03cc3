// A ball that rolls without slipping on a turntable runs on circles, at 2/7 of the table's rate if it is solid; with rolling friction, on
// spirals.
//
//   ./ball_on_turntable --rate 3.4906585 --x 0.1 --vy 0.07 --t-end 12.6       (the defaults: 33⅓ turns a minute)
//
//   ȧ = C + σ v(a),  v = Ω e₃ × a,  σ = I/(I + MR²)            Ω ↺
//   so ȧ turns at the rate k = σΩ, whatever the start        ╭───────╮
//   a: contact point                                         │  ·  ● │ ball
//   2/7 for a solid ball, 2/5 for a hollow one               ╰───────╯
//
//   ./ball_on_turntable --friction 5e-5 --t-end 40                       a torque of μMgR|ω| against rolling
//
// The run of the whole ball, by d'Alembert's principle with an affine constraint, is compared with the motion in closed form, and
// drawn in space and as one sees it who turns with the table. The table does work on the ball, and friction takes some: the energy monitor
// counts both.

#include <algorithm>
#include <cmath>
#include <string>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/viscoelastic_ball.hpp>

#include "support/ball.hpp"
#include "support/march.hpp"
#include "support/picture.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec2 = Vec<double, 2>;
using Ball = systems::ViscoelasticBall<double, systems::Turntable<double>>;
using Model = LagrangeDAlembert<Ball>;

struct Arguments {
  double inertia = 1.6e-5, m = 0.1, radius = 0.02, rate = 3.4906585;
  double friction = 0, gravity = 9.81;
  double x = 0.1, y = 0, vx = 0, vy = 0.07, spin = 0;
  example::March march{.t_end = 12.6, .dt = 2e-3};
  long frames = 120;
};

/// The motion in closed form that a run is compared with, which is a circle without friction.
struct Circle {
  explicit Circle(const Arguments& arguments)
      : ball{{.mass = arguments.m,
              .radius = arguments.radius,
              .inertia = arguments.inertia,
              .friction = arguments.friction,
              .gravity = arguments.gravity},
             systems::Turntable<double>{.rate = arguments.rate}},
        start{.position = {arguments.x, arguments.y}, .velocity = {arguments.vx, arguments.vy}},
        rate(ball.share() * arguments.rate),
        radius(start.velocity.norm() / std::abs(rate)),
        centre(start.position + Vec2(-start.velocity[1], start.velocity[0]) / rate) {}
  /// Whether it is a circle; otherwise `radius` and `centre` mean nothing.
  bool exists() const { return start.velocity.norm() > 0 && rate != 0 && ball.damping_rate() == 0; }

  /// Whether friction makes it a spiral.
  bool is_spiral() const { return rate != 0 && ball.damping_rate() > 0; }
  /// How far from the middle it comes by the time t [s], nearly [m].
  double reach(double t) const {
    if (is_spiral()) return std::max(start.position.norm(), ball.exact(start, t).position.norm());
    return rate != 0 ? centre.norm() + radius : start.position.norm() + start.velocity.norm() * t;
  }

  Ball ball;
  Ball::Motion start;
  double rate;    ///< k [rad/s]
  double radius;  ///< [m]
  Vec2 centre;    ///< [m]
};

/// The circle through points that is best in the sense of least squares (Kåsa 1976), from running sums.
class CircleFit {
 public:
  void add(const Vec2& point) {
    if (count_ == 0) origin_ = point;
    const Vec2 p = point - origin_;
    const double square = p.squaredNorm();
    ++count_;
    mean_ += p;
    xx_ += p[0] * p[0];
    xy_ += p[0] * p[1];
    yy_ += p[1] * p[1];
    moment_ += square * p;
    squares_ += square;
  }
  /// Solve for the centre; false if the points are on a line.
  bool solve() {
    const double n = static_cast<double>(count_);
    const Vec2 m = mean_ / n;
    const double a = xx_ / n - m[0] * m[0], b = xy_ / n - m[0] * m[1], c = yy_ / n - m[1] * m[1];
    const Vec2 right = 0.5 * (moment_ / n - squares_ / n * m);
    const double determinant = a * c - b * b;
    if (!(determinant > 1e-14 * (a + c) * (a + c))) return false;
    const Vec2 found((c * right[0] - b * right[1]) / determinant,
                     (a * right[1] - b * right[0]) / determinant);
    radius = std::sqrt(squares_ / n - 2 * found.dot(m) + found.squaredNorm());
    centre = origin_ + found;
    return true;
  }

  Vec2 centre = Vec2::Zero();  ///< [m]
  double radius = 0;           ///< [m]

 private:
  Vec2 origin_ = Vec2::Zero(), mean_ = Vec2::Zero(), moment_ = Vec2::Zero();
  double xx_ = 0, xy_ = 0, yy_ = 0, squares_ = 0;
  long count_ = 0;
};

/// What the page of a run shows: the ball on the turning table, the path of the contact and the force there, and what the table gives.
class View {
 public:
  View(example::Run& run, const Arguments& p, double rim)
      : radius_(p.radius),
        rate_(p.rate),
        scene_(&run.scene),
        ball_(scene_->body("ball", {io::ball(p.radius).with_stripes()}, {.colour = 0})),
        table_(scene_->body(
            "table", {io::cylinder(rim, thickness * rim).at({0, 0, -thickness * rim / 2}).with_stripes()},
            {.colour = 4})),
        contact_(scene_->point("contact", {.colour = 3,
                                           .path = true,
                                           .radius = 0.1 * p.radius,
                                           .arrow = "force along the table",
                                           .unit = "N"})),
        place_(scene_->panel("contact point", "m", {"x", "y", "x, closed form", "y, closed form"})),
        force_(scene_->panel("force along the table", "N", {"x", "y"})),
        power_(scene_->panel("power of the table", "W", {"power"})) {
    run.view.pitch = 40;
  }

  /// The ball turned by A, in contact at a, in closed form at `exact` [m], with a force there [N] and its power [W].
  void operator()(double time, const SO3d& A, const Vec2& a, const Vec2& exact, const Vec2& force,
                  double power) {
    scene_->row(place_, time, {a[0], a[1], exact[0], exact[1]});
    scene_->row(force_, time, {force[0], force[1]});
    scene_->row(power_, time, {power});
    if (!scene_->frame(time)) return;
    scene_->put(table_, SO3d::exp({0, 0, rate_ * time}), Vec<double, 3>::Zero());
    scene_->put(ball_, A, Vec<double, 3>(a[0], a[1], radius_));
    scene_->put(contact_, Vec<double, 3>(a[0], a[1], 0), Vec<double, 3>(force[0], force[1], 0));
  }

 private:
  static constexpr double thickness = 0.03;  ///< of the table, over its radius
  double radius_, rate_;
  io::Scene* scene_;
  io::Scene::Body ball_, table_;
  io::Scene::Point contact_;
  io::Scene::PanelId place_, force_, power_;
};

/// Watches a run: the turn of ȧ, the error against the closed form, the circle, a table, and shapes with the table as its rim and a spoke.
class Recorder {
 public:
  Recorder(const Arguments& arguments, const Circle& circle, example::Run& run)
      : table_rate_(arguments.rate),
        rim_(1.15 * circle.reach(arguments.march.t_end)),
        start_(circle.start),
        table_(
            run.out / "trajectory.csv",
            "t [s], x [m], y [m], vx [m/s], vy [m/s], x_table [m], y_table [m], x_exact [m], y_exact [m], "
            "turn [rad], w1 [rad/s], w2 [rad/s], w3 [rad/s], force_x [N], force_y [N], energy [J], power [W]",
            arguments.march),
        series_(run.out, arguments.radius, arguments.march, arguments.frames),
        view_(run, arguments, rim_) {}

  void operator()(const Model& model, const Model::State& state) {
    const Vec2 a = state.g.second().coordinates(), v = state.xi.tail<2>();
    const auto exact = model.system().exact(start_, state.time);
    error = std::max(error, (a - exact.position).norm());
    fit.add(a);
    if (state.time > time_) turn_ += std::atan2(last_[0] * v[1] - last_[1] * v[0], last_.dot(v));
    last_ = v;
    time_ = state.time;
    const double c = std::cos(table_rate_ * state.time), s = std::sin(table_rate_ * state.time);
    series_(state.time, state.g.first(), a, [&](io::PolyData& drawing) {
      example::add_circle(drawing, [&](double angle) {
        return Vec<double, 3>(rim_ * std::cos(angle), rim_ * std::sin(angle), 0);
      });
      const auto middle = drawing.add_point(Vec<double, 3>::Zero());
      drawing.add_point({rim_ * c, rim_ * s, 0});
      drawing.add_line(middle, 2);
    });
    if (!table_.due(state.time)) return;
    model.rates(state, rates_);
    const double power = model.power(state, rates_).constraint;
    table_.row(state.time, a, v, c * a[0] + s * a[1], c * a[1] - s * a[0], exact.position, turn_,
               state.xi.head<3>(), rates_.lambda[0], rates_.lambda[1], model.energy(state), power);
    view_(state.time, state.g.first(), a, exact.position, {rates_.lambda[0], rates_.lambda[1]}, power);
  }
  void close() { table_.close(); }

  /// The rate at which ȧ turned [rad/s].
  double frequency() const { return turn_ / time_; }

  double error = 0;  ///< largest distance from the closed form [m]
  CircleFit fit{};   ///< the circle on which the contact point ran

 private:
  double table_rate_, rim_;
  Ball::Motion start_;
  example::Table table_;
  example::BallSeries series_;
  View view_;
  Model::Rates rates_{};
  Vec2 last_ = Vec2::Zero();
  double turn_ = 0, time_ = 0;
};

template <class Method>
void simulate(const Method& method, const Arguments& arguments, const Circle& circle, example::Run& run) {
  const Model model{circle.ball};
  const auto& [start, velocity] = circle.start;
  auto state =
      model.state({SO3d(), Rn<double, 2>(start)}, circle.ball.rolling(start, velocity, arguments.spin));
  Recorder recorder(arguments, circle, run);
  analysis::EnergyMonitor monitor{model, analysis::Keep::maxima};
  const auto report = example::drive(method, model, state, arguments.march, recorder, monitor);
  recorder.close();

  example::Summary& out = run.summary;
  out.final_state(state, report.steps);
  if (velocity.norm() > 0) {
    out.figure("circle_frequency_measured", recorder.frequency(), "rad/s",
               "rate at which the ball's velocity turned");
    out.figure("circle_frequency_exact", circle.rate, "rad/s",
               circle.ball.damping_rate() > 0 ? "I/(I + M R^2) of the table's rate, without friction"
                                              : "I/(I + M R^2) of the table's rate");
  }
  if (circle.ball.damping_rate() > 0) {
    if (velocity.norm() > 0)
      out.figure("spiral_growth", std::log(state.xi.template tail<2>().norm() / velocity.norm()), "1",
                 "logarithm of how much the speed grew");
    out.figure("friction_work", monitor.last().work.dissipation, "J", "what rolling friction took");
    out.figure("table_work", monitor.last().work.constraint, "J", "what the table gave");
  }
  if (circle.exists() && recorder.fit.solve()) {
    out.figure("circle_radius_measured", recorder.fit.radius, "m",
               "of the circle through the path, by least squares");
    out.figure("circle_radius_exact", circle.radius, "m", "speed over frequency");
    out.figure("circle_centre_x_measured", recorder.fit.centre[0], "m", "of that circle");
    out.figure("circle_centre_x_exact", circle.centre[0], "m", "");
    out.figure("circle_centre_y_measured", recorder.fit.centre[1], "m", "of that circle");
    out.figure("circle_centre_y_exact", circle.centre[1], "m", "");
  }
  out.figure("closed_form_error_max", recorder.error, "m", "largest distance from the motion in closed form");
  out.figure("energy_change_max", monitor.energy_error(), "J", "what the table gave and took at most");
  out.figure("energy_balance_error", monitor.balance_error(), "J",
             "energy minus the work of the table and of friction");
  out.figure("constraint_max", monitor.violation().velocity, "m/s", "largest slip of the contact");
  out.violation(report);
}

void draw(const Arguments& arguments, const Circle& circle, const example::Run& run) {
  if (!circle.exists() && !circle.is_spiral()) return;
  example::Variables given;
  given("k", circle.rate)("W", arguments.rate)("T", arguments.march.t_end)("R", arguments.radius);
  given("xc", circle.centre[0])("yc", circle.centre[1])("r", circle.radius);
  given("x0", arguments.x)("y0", arguments.y)("spiral", circle.is_spiral() ? 1 : 0);
  example::draw(run, {"path", 2000, 1050}, given);
  example::draw(run, {"turn", 1600, 1000}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{
      "ball_on_turntable",
      "A ball that rolls on a turntable without slipping, compared with its motion in closed form."};
  using example::Rule;
  program.option("I", arguments.inertia, "kg m^2", "moment of inertia about the centre; 2/5 M R^2 if solid",
                 Rule::positive);
  program.option("M", arguments.m, "kg", "mass", Rule::positive);
  program.option("R", arguments.radius, "m", "radius", Rule::positive);
  program.option("rate", arguments.rate, "rad/s", "turning rate of the table, about the origin");
  program.option("friction", arguments.friction, "s",
                 "rolling friction: the torque is mu M g R times the rolling rate", Rule::not_negative);
  program.option("g", arguments.gravity, "m/s^2", "gravity, which presses the ball on the table",
                 Rule::not_negative);
  program.option("x", arguments.x, "m", "contact point at the start");
  program.option("y", arguments.y, "m", "contact point at the start");
  program.option("vx", arguments.vx, "m/s", "velocity of the ball's centre in space at the start");
  program.option("vy", arguments.vy, "m/s", "velocity of the ball's centre in space at the start");
  program.option("spin", arguments.spin, "rad/s", "angular velocity about the vertical; it stays what it is");
  program.march(arguments.march);
  program.option("frames", arguments.frames, "shapes for ParaView over the run", 1);
  return program.run(argc, argv, [&](example::Run& run) {
    const Circle circle{arguments};
    example::with_method(arguments.march,
                         [&](const auto& method) { simulate(method, arguments, circle, run); });
    run.summary.print();
    draw(arguments, circle, run);
  });
}
