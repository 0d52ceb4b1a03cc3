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
#include <sstream>
#include <string>
#include <vector>

#include <dalembert/analysis/ledger.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/io/vtk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/elastic_ball.hpp>
#include <dalembert/systems/rolling_ball.hpp>
#include <dalembert/systems/rubber_ball.hpp>

#include "support/gnuplot.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"

namespace {

using namespace dalembert;
using Vec3 = Vec<double, 3>;
using Ball = systems::RollingBall<double>;
using Group = Ball::Group;

struct Arguments {
  std::string model = "chaplygin";
  double m = 1, radius = 1, inertia = 0.4, i1 = 0.2, i2 = 0.35, i3 = 0.5;
  double x = 0, y = 0, turn1 = 0.9, turn2 = 0.5, turn3 = 0, w1 = -0.75, w2 = 1.25, w3 = 0.83;
  double t_end = 60, dt = 5e-3;
  long frames = 120;
  std::string integrator = "rk4";

  /// Whether the mass is spread unevenly.
  bool uneven() const { return model == "chaplygin" || model == "rubber"; }
  /// Whether the ball does not spin about the vertical.
  bool spinless() const { return model == "elastic" || model == "rubber"; }

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

/// The ball as three circles on its surface, and its path so far.
io::PolyData shape(const Group& g, double radius, const std::vector<Vec3>& path) {
  constexpr int corners = 48;
  io::PolyData drawing;
  const Vec<double, 2>& a = g.second().coordinates();
  const Vec3 centre(a[0], a[1], radius);
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t first = drawing.point_count();
    for (int i = 0; i <= corners; ++i) {
      const double angle = 2 * static_cast<double>(pi) * i / corners;
      Vec3 point = Vec3::Zero();
      point[(axis + 1) % 3] = radius * std::cos(angle);
      point[(axis + 2) % 3] = radius * std::sin(angle);
      drawing.add_point(g.first().act(point, centre));
    }
    drawing.add_line(first, corners + 1);
  }
  const std::int64_t first = drawing.point_count();
  for (const Vec3& point : path) drawing.add_point(point);
  if (path.size() > 1) drawing.add_line(first, static_cast<std::int64_t>(path.size()));
  return drawing;
}

/// E [J]; K in space [kg m²/s]; |K|² [kg² m⁴/s²]; K·γ [kg m²/s].
using Constants = std::array<double, 6>;

/// Watches a run: what should stay constant, a table of at most `rows` rows, and shapes for ParaView.
template <class Model>
class Recorder {
 public:
  Recorder(const Arguments& arguments, const example::Run& run, long rows)
      : arguments_(arguments),
        ball_(arguments.ball()),
        csv_(run.out / "trajectory.csv", {{"t", "s"},
                                          {"x", "m"},
                                          {"y", "m"},
                                          {"vx", "m/s"},
                                          {"vy", "m/s"},
                                          {"W1", "rad/s"},
                                          {"W2", "rad/s"},
                                          {"W3", "rad/s"},
                                          {"w1", "rad/s"},
                                          {"w2", "rad/s"},
                                          {"w3", "rad/s"},
                                          {"gamma1", "1"},
                                          {"gamma2", "1"},
                                          {"gamma3", "1"},
                                          {"K1", "kg m^2/s"},
                                          {"K2", "kg m^2/s"},
                                          {"K3", "kg m^2/s"},
                                          {"energy", "J"},
                                          {"K_squared", "kg^2 m^4/s^2"},
                                          {"K_gamma", "kg m^2/s"},
                                          {"force_x", "N"},
                                          {"force_y", "N"}}),
        series_(run.out / "vtk", "ball"),
        every_(std::max(
            1L, std::lround(std::ceil(arguments.t_end / arguments.dt / static_cast<double>(rows))))) {}

  void operator()(const Model& model, const typename Model::State& state) {
    const Vec3 W = in_body(model.system(), state.g, state.xi), up = Ball::vertical(state.g);
    Vec<double, 5> xi = state.xi;
    xi.head<3>() = W;
    const Vec3 momentum = ball_.contact_momentum(state.g, xi), in_space = state.g.first().act(momentum);
    const Constants now{model.energy(state),    in_space[0],     in_space[1], in_space[2],
                        momentum.squaredNorm(), momentum.dot(up)};
    if (count_ == 0) start_ = now;
    for (std::size_t i = 0; i < now.size(); ++i)
      change_[i] = std::max(change_[i], std::abs(now[i] - start_[i]));

    const bool last = state.time >= arguments_.t_end;
    if (state.time >=
            static_cast<double>(frame_) * arguments_.t_end / static_cast<double>(arguments_.frames) ||
        last) {
      const Vec<double, 2>& a = state.g.second().coordinates();
      path_.emplace_back(a[0], a[1], 0.0);
      series_.add(state.time, shape(state.g, arguments_.radius, path_));
      ++frame_;
    }
    if (count_++ % every_ != 0 && !last) return;
    model.rates(state, rates_);
    redundant_ = rates_.report.redundant;
    const Vec<double, 2>& a = state.g.second().coordinates();
    const Vec3 omega = state.g.first().act(W);
    csv_.row({state.time,
              a[0],
              a[1],
              state.xi[3],
              state.xi[4],
              W[0],
              W[1],
              W[2],
              omega[0],
              omega[1],
              omega[2],
              up[0],
              up[1],
              up[2],
              in_space[0],
              in_space[1],
              in_space[2],
              now[0],
              now[4],
              now[5],
              rates_.lambda[0],
              rates_.lambda[1]});
  }

  /// E and K at the start.
  const Constants& start() const { return start_; }

  void report(example::Summary& summary) {
    csv_.flush();
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
  io::CsvWriter csv_;
  io::PvdSeries series_;
  typename Model::Rates rates_{};
  std::vector<Vec3> path_{};
  Constants start_{}, change_{};
  int redundant_ = 0;
  long count_ = 0, frame_ = 0, every_;
};

/// Runs the ball; returns E and K at the start.
template <class System, class Method>
Constants simulate(const System& system, const Method& method, const Arguments& arguments,
                   example::Run& run) {
  const LagrangeDAlembert model{system};
  const Group start = arguments.start();
  auto state = model.state(start, velocity(system, start, Vec3(arguments.w1, arguments.w2, arguments.w3)));
  Recorder<LagrangeDAlembert<System>> recorder(arguments, run, 4000);
  analysis::Ledger ledger{model, analysis::Keep::maxima};
  const auto report =
      drive(method, model, state,
            {.step = arguments.dt, .until = arguments.t_end, .progress = example::progress_line()}, recorder,
            ledger);
  recorder.report(run.summary);
  run.summary.figure("constraint_max", ledger.violation().velocity, "m/s",
                     "largest slip of the contact, or spin [rad/s]");
  run.summary.violation(report);
  const Vec<double, 2> moved = state.g.second().coordinates() - Vec<double, 2>(arguments.x, arguments.y);
  run.summary.figure("distance", moved.norm(), "m", "from where it started to where it ended");
  return recorder.start();
}

template <class System>
Constants simulate(const System& system, const Arguments& arguments, example::Run& run) {
  if (arguments.integrator == "rk4") return simulate(system, RungeKutta4{.project = true}, arguments, run);
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

void draw(const Arguments& arguments, const Constants& start, const example::Run& run);

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
  program.option("t-end", arguments.t_end, "s", "duration of the run", Rule::positive);
  program.option("dt", arguments.dt, "s", "time step", Rule::positive);
  program.option("frames", arguments.frames, "shapes for ParaView over the run", 1);
  program.choice(
      "integrator", arguments.integrator, {"rk4", "dopri5"},
      "Runge-Kutta of order 4 with projection onto the constraints, or Dormand and Prince's of order 5");
  program.rule("dt", "must not vanish beside --t-end",
               [&] { return arguments.t_end + arguments.dt > arguments.t_end; });
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

namespace {

void draw(const Arguments& arguments, const Constants& start, const example::Run& run) {
  std::ostringstream given;
  given.precision(17);
  given << "R = " << arguments.radius << "; T = " << arguments.t_end << "; model = '" << arguments.model
        << "'\nuneven = " << arguments.uneven() << "; rubber = " << (arguments.model == "rubber")
        << "; E0 = " << start[0] << "; X0 = " << start[1] << "; Y0 = " << start[2] << "; Z0 = " << start[3]
        << "; S0 = " << start[4] << "\n";
  if (!(start[0] > 0)) return;  // at rest
  example::Picture(run.out, "path", 2000, 1050).draw(given.str() + R"gp(
stats 'trajectory.csv' using 'x':'y' name 'P' nooutput
set multiplot
set border 3
set tics nomirror
unset grid
set size ratio -1
set bmargin at screen 0.13; set tmargin at screen 0.84
set lmargin at screen 0.07; set rmargin at screen 0.57
shape = 0.71*1050/(0.5*2000)
wide = 1.15*(P_max_x - P_min_x); high = 1.15*(P_max_y - P_min_y)
if (wide*shape < high) { wide = high/shape } else { high = wide*shape }
if (wide < R) { wide = R; high = wide*shape }
set xlabel "x  [m]"
set ylabel "y  [m]" offset 1
set label 1 (model eq 'chaplygin' ? "Chaplygin's ball: its mass is spread unevenly" : model eq 'rubber' ? "A rubber ball of uneven mass: no slip, no spin" : \
             model eq 'elastic' ? "An elastic ball rolls straight on, without spin" : "A rigid ball rolls straight on, and spins as it likes") \
  at screen 0.5,0.95 center font ',32' textcolor rgb black
set title "the track of its contact on the plane" offset 0,-0.3
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(P_min_y + P_max_y - high)/2 : (P_min_y + P_max_y + high)/2]
set key at graph 0.02,0.98 left top reverse Left samplen 1
plot 'trajectory.csv' using 'x':'y' with lines lw 4 lc rgb blue notitle, \
     'trajectory.csv' every ::0::0 using 'x':'y' with points pt 7 ps 2.4 lc rgb orange title "start"
unset label 1
set title "and on the ball" offset 0,-0.3
unset xlabel; unset ylabel; unset key
unset border; unset tics
set lmargin at screen 0.61; set rmargin at screen 0.99
set xrange [-1.12:1.12]; set yrange [-1.12:1.12]
# The ball from afar, from (st cp, st sp, ct), where most of the track is; its surface is −γ at the contact.
stats 'trajectory.csv' using (-column('gamma1')):(-column('gamma2')) name 'G' nooutput
stats 'trajectory.csv' using (-column('gamma3')) name 'H' nooutput
G = sqrt(G_mean_x**2 + G_mean_y**2 + H_mean**2)
theta = G > 0.1 ? acos(H_mean/G) : 1.05
theta = theta < 0.4 ? 0.4 : theta > pi - 0.4 ? pi - 0.4 : theta
phi = (G > 0.1 ? atan2(G_mean_y, G_mean_x) : 0.2) + 0.3
ct = cos(theta); st = sin(theta); cp = cos(phi); sp = sin(phi)
across(x, y, z) = -sp*x + cp*y
up(x, y, z) = -ct*cp*x - ct*sp*y + st*z
near(x, y, z) = st*cp*x + st*sp*y + ct*z > 0
cx(x, y, z) = near(x, y, z) ? across(x, y, z) : NaN
fx(x, y, z) = near(x, y, z) ? NaN : across(x, y, z)
set parametric
set trange [0:2*pi]
set samples 721
set object 1 circle at 0,0 size 1 fillcolor rgb 0xF4F7FA fillstyle solid noborder behind
do for [axis=1:3] {
  do for [side=-1:1:2] {
    ax = side*(axis == 1); ay = side*(axis == 2); az = side*(axis == 3)
    if (near(ax, ay, az)) { set label axis sprintf('%d', axis) at across(ax, ay, az),up(ax, ay, az) offset 1,0.7 center textcolor rgb gray }
  }
}
plot cos(t),sin(t) with lines lw 2 lc rgb gray, \
     cx(cos(t),sin(t),0),up(cos(t),sin(t),0) with lines lw 1.2 lc rgb gray, \
     cx(0,cos(t),sin(t)),up(0,cos(t),sin(t)) with lines lw 1.2 lc rgb gray, \
     cx(sin(t),0,cos(t)),up(sin(t),0,cos(t)) with lines lw 1.2 lc rgb gray, \
     fx(cos(t),sin(t),0),up(cos(t),sin(t),0) with lines lw 1 dt 3 lc rgb light, \
     fx(0,cos(t),sin(t)),up(0,cos(t),sin(t)) with lines lw 1 dt 3 lc rgb light, \
     fx(sin(t),0,cos(t)),up(sin(t),0,cos(t)) with lines lw 1 dt 3 lc rgb light, \
     'trajectory.csv' using (fx(-column('gamma1'),-column('gamma2'),-column('gamma3'))):(up(-column('gamma1'),-column('gamma2'),-column('gamma3'))) with lines lw 1.2 lc rgb sky, \
     'trajectory.csv' using (cx(-column('gamma1'),-column('gamma2'),-column('gamma3'))):(up(-column('gamma1'),-column('gamma2'),-column('gamma3'))) with lines lw 3 lc rgb blue, \
     'trajectory.csv' every ::0::0 using (cx(-column('gamma1'),-column('gamma2'),-column('gamma3'))):(up(-column('gamma1'),-column('gamma2'),-column('gamma3'))) with points pt 7 ps 2.4 lc rgb orange
unset multiplot
)gp");
  example::Picture(run.out, "integrals", 1600, 1000).draw(given.str() + R"gp(
set title (rubber ? "What the rubber ball keeps, and what it does not" : "What the motion keeps, and how well the numbers do") font ',30' offset 0,0.4
set xlabel "time  t  [s]"
set ylabel "change since the start, relative"
set logscale y
set format y "10^{%T}"
set yrange [3e-17:*]
set border 3
set tics nomirror
set key below horizontal Left reverse samplen 1.5 width 1
size = S0 > 0 ? sqrt(S0) : 1
rel(x) = abs(x) > 1e-16 ? abs(x) : 1e-16
plot 'trajectory.csv' using 't':(rel((column('energy') - E0)/E0)) with lines lw 3 lc rgb blue title "E", \
     'trajectory.csv' using 't':(rel((column('K1') - X0)/size)) with lines lw 3 lc rgb green title "K_x", \
     'trajectory.csv' using 't':(rel((column('K2') - Y0)/size)) with lines lw 3 lc rgb orange title "K_y", \
     'trajectory.csv' using 't':(rel((column('K3') - Z0)/size)) with lines lw 3 lc rgb red title (rubber ? "K_z, on which the plane acts" : "K_z = K·γ"), \
     'trajectory.csv' using 't':(rubber ? NaN : rel((column('K_squared') - S0)/S0)) with lines lw 3 lc rgb purple title (rubber ? "" : "|K|²")
)gp");
}

}  // namespace
