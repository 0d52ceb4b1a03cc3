// Balls that roll on a plane without slipping, and what stays constant while they do.
//
//   ./rolling_ball --model chaplygin --I1 0.2 --I2 0.35 --I3 0.5 --t-end 60      (the defaults)
//
//   rigid       homogeneous, free to spin: ω constant, a straight line
//   elastic     homogeneous, does not spin, and its plane gives no torque against that: 3 kinematic rows, 2 reactions
//   chaplygin   of uneven mass about a centre of mass in the centre:           ___
//                 K̇ = K × W, γ̇ = γ × W in the body                           ╱     ╲   A, ω = AW
//                 E, |K|², K·γ constant, and K in space                     |   o   |  R
//   rubber      the same, and does not spin about the vertical:              ╲_____╱
//                 E and the horizontal K constant                      ————————●———————— a: ȧ = R(ω₂, −ω₁)
//
// K is the angular momentum about the contact point. The pictures show the track of the contact on the plane and on the ball, and
// how well the numbers keep what the motion keeps.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rubber_ball.hpp>

#include "support/ball.hpp"
#include "support/march.hpp"
#include "support/picture.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Ball = systems::RollingBall<double>;
using Group = Ball::Group;

struct Arguments {
  std::string model = "chaplygin";
  double m = 1, radius = 1, inertia = 0.4, i1 = 0.2, i2 = 0.35, i3 = 0.5;
  double x = 0, y = 0, turn1 = 0.9, turn2 = 0.5, turn3 = 0, w1 = -0.75, w2 = 1.25, w3 = 0.83;
  example::March march{.t_end = 60, .dt = 5e-3};
  long frames = 120;

  /// Whether the mass is spread unevenly.
  bool uneven() const { return model == "chaplygin" || model == "rubber"; }

  Ball::Parameters ball() const {
    const Vec3 moments = uneven() ? Vec3(i1, i2, i3) : Vec3(inertia, inertia, inertia);
    return {.mass = m, .radius = radius, .inertia = moments.asDiagonal()};
  }
  Group start() const { return {SO3d::exp(Vec3(turn1, turn2, turn3)), Rn<double, 2>(Vec<double, 2>(x, y))}; }
};

/// A model's velocity at the start, from the angular velocity in the body.
Vec<double, 5> velocity(const Ball& ball, const Group& g, const Vec3& W) { return ball.rolling(g, W); }
Vec<double, 5> velocity(const systems::RubberBall<double>& ball, const Group& g, const Vec3& W) {
  return ball.rolling(g, W);
}
Vec<double, 5> velocity(const systems::ElasticBall<double>& ball, const Group& g, const Vec3& W) {
  const Vec3 omega = g.first().act(W);
  return ball.rolling(Vec3(omega[0], omega[1], 0));
}

/// The angular velocity in the body, from a model's velocity.
template <class System>
Vec3 in_body(const System&, const Group&, const Vec<double, 5>& xi) {
  return xi.head<3>();
}
Vec3 in_body(const systems::ElasticBall<double>&, const Group& g, const Vec<double, 5>& xi) {
  return g.first().inverse().act(Vec3(xi.head<3>()));
}

/// E [J]; K in space [kg m²/s]; |K|² [kg² m⁴/s²]; K·γ [kg m²/s].
using Constants = std::array<double, 6>;

/// What the page of a run shows: the ball on its plane, the path of the contact and the force there, how the ball turns, what changes.
class View {
 public:
  View(example::Run& run, const Arguments& p)
      : radius_(p.radius),
        scene_(&run.scene),
        ball_(scene_->body("ball", {io::ball(p.radius).with_stripes()}, {.colour = 0})),
        contact_(scene_->point("contact", {.colour = 3,
                                           .path = true,
                                           .radius = 0.06 * p.radius,
                                           .arrow = "force along the plane",
                                           .unit = "N"})),
        spin_(scene_->panel("angular velocity in the body", "rad/s", {"W1", "W2", "W3"})),
        force_(scene_->panel("force along the plane", "N", {"x", "y"})),
        change_(scene_->panel("largest change so far", "J, kg m^2/s", {"energy", "horizontal K"}, true)) {
    scene_->plane("plane", {0, 0, 0}, {0, 0, 1});
  }

  /// The ball turned by A, in contact at a [m] with a force there [N], its angular velocity [rad/s], and changes of E [J] and K [kg m²/s].
  void operator()(double time, const SO3d& A, const Vec<double, 2>& a, const Vec<double, 2>& force,
                  const Vec3& W, const Vec<double, 2>& change) {
    scene_->row(spin_, time, {W[0], W[1], W[2]});
    scene_->row(force_, time, {force[0], force[1]});
    scene_->row(change_, time, {change[0], change[1]});
    if (!scene_->frame(time)) return;
    scene_->put(ball_, A, Vec3(a[0], a[1], radius_));
    scene_->put(contact_, Vec3(a[0], a[1], 0), Vec3(force[0], force[1], 0));
  }

 private:
  double radius_;
  io::Scene* scene_;
  io::Scene::Body ball_;
  io::Scene::Point contact_;
  io::Scene::PanelId spin_, force_, change_;
};

/// Watches a run: what should stay constant, a table, and shapes for ParaView.
template <class Model>
class Recorder {
 public:
  Recorder(const Arguments& arguments, example::Run& run)
      : arguments_(arguments),
        ball_(arguments.ball()),
        table_(run.out / "trajectory.csv",
               "t [s], x [m], y [m], vx [m/s], vy [m/s], W1 [rad/s], W2 [rad/s], W3 [rad/s], w1 [rad/s], "
               "w2 [rad/s], w3 [rad/s], gamma1 [1], gamma2 [1], gamma3 [1], K1 [kg m^2/s], K2 [kg m^2/s], "
               "K3 [kg m^2/s], energy [J], K_squared [kg^2 m^4/s^2], K_gamma [kg m^2/s], force_x [N], "
               "force_y [N]",
               arguments.march),
        series_(run.out, arguments.radius, arguments.march, arguments.frames),
        view_(run, arguments) {}

  void operator()(const Model& model, const typename Model::State& state) {
    const Vec3 W = in_body(model.system(), state.g, state.xi), up = Ball::vertical(state.g);
    Vec<double, 5> xi = state.xi;
    xi.head<3>() = W;
    const Vec3 momentum = ball_.contact_momentum(state.g, xi), in_space = state.g.first().act(momentum);
    const Constants now{model.energy(state),    in_space[0],     in_space[1], in_space[2],
                        momentum.squaredNorm(), momentum.dot(up)};
    if (first_) start_ = now;
    first_ = false;
    for (std::size_t i = 0; i < now.size(); ++i)
      change_[i] = std::max(change_[i], std::abs(now[i] - start_[i]));

    const Vec<double, 2>& a = state.g.second().coordinates();
    series_(state.time, state.g.first(), a, [](io::PolyData&) {});
    if (!table_.due(state.time)) return;
    model.rates(state, rates_);
    redundant_ = rates_.report.redundant_rows;
    const Vec3 omega = state.g.first().act(W);
    table_.row(state.time, a, state.xi.template tail<2>(), W, omega, up, in_space, now[0], now[4], now[5],
               rates_.lambda[0], rates_.lambda[1]);
    view_(state.time, state.g.first(), a, {rates_.lambda[0], rates_.lambda[1]}, W,
          {change_[0], std::max(change_[1], change_[2])});
  }

  /// E and K at the start.
  const Constants& start() const { return start_; }

  void report(example::Summary& summary) {
    table_.close();
    const double size = start_[4] > 0 ? std::sqrt(start_[4]) : 1;
    summary.figure("energy_error", change_[0], "J", "largest change of energy");
    summary.figure("K_x_error", change_[1] / size, "1",
                   "largest change of K in space along x, relative to |K|");
    summary.figure("K_y_error", change_[2] / size, "1",
                   "largest change of K in space along y, relative to |K|");
    if (arguments_.model == "rubber") {
      summary.figure("K_z_change", change_[3] / size, "1", "the same along z, where the plane resists spin");
    } else {
      summary.figure("K_z_error", change_[3] / size, "1",
                     "largest change of K in space along z, relative to |K|");
      summary.figure("K_squared_error", change_[4] / (size * size), "1", "largest change of |K|^2, relative");
      summary.figure("K_gamma_error", change_[5] / size, "1", "largest change of K.gamma, relative to |K|");
    }
    summary.figure("redundant_rows", redundant_, "1", "constraint rows that follow from the others");
  }

 private:
  const Arguments& arguments_;
  Ball ball_;
  example::Table table_;
  example::BallSeries series_;
  View view_;
  typename Model::Rates rates_{};
  Constants start_{}, change_{};
  int redundant_ = 0;
  bool first_ = true;
};

/// Runs the ball; returns E and K at the start.
template <class System, class Method>
Constants simulate(const System& system, const Method& method, const Arguments& arguments,
                   example::Run& run) {
  const LagrangeDAlembert model{system};
  const Group start = arguments.start();
  auto state = model.state(start, velocity(system, start, Vec3(arguments.w1, arguments.w2, arguments.w3)));
  Recorder<LagrangeDAlembert<System>> recorder(arguments, run);
  analysis::EnergyMonitor monitor{model, analysis::Keep::maxima};
  const auto report = example::drive(method, model, state, arguments.march, recorder, monitor);
  recorder.report(run.summary);
  run.summary.figure("constraint_max", monitor.violation().velocity, "m/s",
                     "largest slip of the contact, or spin [rad/s]");
  run.summary.violation(report);
  run.summary.final_state(state, report.steps);
  const Vec<double, 2> moved = state.g.second().coordinates() - Vec<double, 2>(arguments.x, arguments.y);
  run.summary.figure("distance", moved.norm(), "m", "from where it started to where it ended");
  return recorder.start();
}

template <class System>
Constants simulate(const System& system, const Arguments& arguments, example::Run& run) {
  if (arguments.march.integrator == "rk4")
    return simulate(system, RungeKutta4{.project = true}, arguments, run);
  return simulate(system, DormandPrince54{}, arguments, run);
}

Constants simulate(const Arguments& arguments, example::Run& run) {
  if (arguments.model == "elastic") {
    const systems::ElasticBall<double> ball{
        {.mass = arguments.m, .radius = arguments.radius, .inertia = arguments.inertia}};
    return simulate(ball, arguments, run);
  }
  if (arguments.model == "rubber")
    return simulate(systems::RubberBall<double>{arguments.ball()}, arguments, run);
  return simulate(Ball{arguments.ball()}, arguments, run);
}

void draw(const Arguments& arguments, const Constants& start, const example::Run& run) {
  if (!(start[0] > 0)) return;  // at rest
  example::Variables given;
  given("R", arguments.radius)("model", arguments.model);
  given("rubber", arguments.model == "rubber" ? 1 : 0);
  given("E0", start[0])("X0", start[1])("Y0", start[2])("Z0", start[3])("S0", start[4]);
  example::draw(run, {"path", 2000, 1050}, given);
  example::draw(run, {"integrals", 1600, 1000}, given);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{"rolling_ball",
                           "Balls that roll on a plane without slipping, and what stays constant."};
  using example::Rule;
  program.choice("model", arguments.model, {"rigid", "elastic", "rubber", "chaplygin"},
                 "homogeneous (rigid; elastic, which does not spin), or of uneven mass (chaplygin; rubber, "
                 "which does not spin)");
  program.option("M", arguments.m, "kg", "mass", Rule::positive);
  program.option("R", arguments.radius, "m", "radius", Rule::positive);
  program.option("I", arguments.inertia, "kg m^2", "moment of inertia of a homogeneous ball", Rule::positive);
  program.option("I1", arguments.i1, "kg m^2", "principal moment of inertia of an uneven ball",
                 Rule::positive);
  program.option("I2", arguments.i2, "kg m^2", "principal moment of inertia of an uneven ball",
                 Rule::positive);
  program.option("I3", arguments.i3, "kg m^2", "principal moment of inertia of an uneven ball",
                 Rule::positive);
  program.option("x", arguments.x, "m", "contact point at the start");
  program.option("y", arguments.y, "m", "contact point at the start");
  program.option("turn1", arguments.turn1, "rad", "attitude at the start, as a rotation vector");
  program.option("turn2", arguments.turn2, "rad", "attitude at the start, as a rotation vector");
  program.option("turn3", arguments.turn3, "rad", "attitude at the start, as a rotation vector");
  program.option("w1", arguments.w1, "rad/s", "angular velocity in the body at the start");
  program.option("w2", arguments.w2, "rad/s", "angular velocity in the body at the start");
  program.option(
      "w3", arguments.w3, "rad/s",
      "angular velocity in the body at the start; balls that do not spin lose the part along the vertical");
  program.march(
      arguments.march,
      "Runge-Kutta of order 4 with projection onto the constraints, or Dormand and Prince's of order 5");
  program.option("frames", arguments.frames, "shapes for ParaView over the run", 1);
  for (const char* axis : {"I1", "I2", "I3"}) {
    program.rule(axis, "makes a principal moment larger than the sum of the other two", [&arguments] {
      const double most = std::max({arguments.i1, arguments.i2, arguments.i3});
      return !arguments.uneven() || 2 * most <= (arguments.i1 + arguments.i2 + arguments.i3) * (1 + 1e-14);
    });
  }
  return program.run(argc, argv, [&](example::Run& run) {
    const Constants start = simulate(arguments, run);
    run.summary.print();
    draw(arguments, start, run);
  });
}
