// Chaplygin's sleigh: a rigid body on one knife edge swings round until the edge trails behind it.
//
//   ./chaplygin_sleigh --u -1 --omega 1e-3 --t-end 80          (the defaults)
//
//   u̇ = aω²,  ω̇ = −(ma/K) uω,  K = I + ma²          y
//                                                    |    centre of mass
//   blade at (x, y), edge along the heading φ;       |      o
//   the centre of mass is a ahead of it              |    ╱ a
//                                                    |  ╱)φ
//                                                    +—●————— x     blade
//
// With its blade leading (u < 0 for a > 0) the sleigh is unstable: it slows down, swings round by nearly π√(K/(ma²)) in all,
// with a cusp in its path where u changes sign, and leaves with the blade trailing. The run is compared with the motion in closed form.

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>

#include <dalembert/analysis/ledger.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/gnuplot.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"

namespace {

using namespace dalembert;
using Sleigh = systems::ChaplyginSleigh<double>;
using Model = LagrangeDAlembert<Sleigh>;

struct Arguments {
  double m = 1, inertia = 1, a = 0.2;
  double x = 0, y = 0, phi = 0, u = -1, omega = 1e-3;
  double t_end = 80, dt = 1e-3;
  std::string integrator = "rk4";
};

/// Watches a run: the heading without jumps, the error against the closed form, and a table of at most `rows` rows.
class Recorder {
 public:
  Recorder(const Arguments& arguments, const std::filesystem::path& folder, long rows)
      : csv_(folder / "trajectory.csv", {{"t", "s"},
                                         {"x", "m"},
                                         {"y", "m"},
                                         {"phi", "rad"},
                                         {"u", "m/s"},
                                         {"omega", "rad/s"},
                                         {"lambda", "N"},
                                         {"energy", "J"}}),
        start_{.u = arguments.u, .omega = arguments.omega, .phi = arguments.phi},
        phi_(arguments.phi),
        end_(arguments.t_end),
        every_(std::max(
            1L, std::lround(std::ceil(arguments.t_end / arguments.dt / static_cast<double>(rows))))) {}

  void operator()(const Model& model, const Model::State& state) {
    // The turn since the last call is near ω Δt, which tells it from others by whole turns.
    const double expected = phi_ + state.xi[2] * (state.time - time_);
    phi_ = expected + std::remainder(state.g.angle() - expected, 2 * static_cast<double>(pi));
    time_ = state.time;
    const auto exact = model.system().exact(start_, state.time);
    error_ = std::max({error_, std::abs(state.xi[0] - exact.u), std::abs(state.xi[2] - exact.omega),
                       std::abs(phi_ - exact.phi)});
    if (count_++ % every_ != 0 && state.time < end_) return;
    model.rates(state, rates_);
    const auto& place = state.g.translation();
    csv_.row({state.time, place[0], place[1], phi_, state.xi[0], state.xi[2], rates_.lambda[0],
              model.energy(state)});
  }

  /// The turn since the start [rad].
  double turn() const { return phi_ - start_.phi; }
  /// Largest error of u, ω, φ against the closed form [m/s, rad/s, rad].
  double error() const { return error_; }
  void flush() { csv_.flush(); }

 private:
  io::CsvWriter csv_;
  Sleigh::Motion start_;
  Model::Rates rates_{};
  double phi_;
  double time_ = 0;
  double end_;
  double error_ = 0;
  long count_ = 0;
  long every_;
};

/// Runs the sleigh; returns where its path has a cusp, if it has.
template <class Method>
std::optional<Model::State> simulate(const Method& method, const Arguments& arguments, example::Run& run) {
  const Model model{Sleigh{{.mass = arguments.m, .inertia = arguments.inertia, .offset = arguments.a}}};
  auto state = model.state(SE2d(arguments.x, arguments.y, arguments.phi), {arguments.u, 0, arguments.omega});
  Recorder recorder(arguments, run.out, 4000);
  analysis::Ledger ledger{model, analysis::Keep::maxima};
  const auto report = drive(
      method, model, state,
      {.step = arguments.dt,
       .until = arguments.t_end,
       .events = {{.name = "cusp", .value = [](const Model&, const Model::State& at) { return at.xi[0]; }}},
       .progress = example::progress_line()},
      recorder, ledger);
  recorder.flush();

  run.summary.figure("total_turn", recorder.turn(), "rad", "heading at the end minus heading at the start");
  if (arguments.a != 0) {
    run.summary.figure("total_turn_limit", model.system().total_turn(), "rad",
                       "the most that this sleigh can turn, pi sqrt(K/(m a^2))");
  }
  run.summary.figure("closed_form_error_max", recorder.error(), "1",
                     "largest error of u, omega, phi [m/s, rad/s, rad]");
  run.summary.figure("energy_error", ledger.energy_error(), "J", "largest change of energy");
  run.summary.figure("constraint_max", ledger.violation().velocity, "m/s",
                     "largest sideways speed of the blade");
  run.summary.violation(report);
  if (report.hits.empty()) return {};
  run.summary.figure("cusp_time", report.hits.front().state.time, "s", "when the blade stops and turns back");
  return report.hits.front().state;
}

void draw(const Arguments& arguments, const std::optional<Model::State>& cusp, const example::Run& run);

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{
      "chaplygin_sleigh",
      "Chaplygin's sleigh, a rigid body on one knife edge, compared with its motion in closed form."};
  program.option("m", arguments.m, "kg", "mass", example::Rule::positive);
  program.option("I", arguments.inertia, "kg m^2", "moment of inertia about the centre of mass",
                 example::Rule::positive);
  program.option("a", arguments.a, "m", "distance of the centre of mass ahead of the blade");
  program.option("x", arguments.x, "m", "place of the blade at the start");
  program.option("y", arguments.y, "m", "place of the blade at the start");
  program.option("phi", arguments.phi, "rad", "heading at the start");
  program.option("u", arguments.u, "m/s", "speed along the blade at the start");
  program.option("omega", arguments.omega, "rad/s", "turning rate at the start");
  program.option("t-end", arguments.t_end, "s", "duration of the run", example::Rule::positive);
  program.option("dt", arguments.dt, "s", "time step", example::Rule::positive);
  program.choice("integrator", arguments.integrator, {"rk4", "dopri5"},
                 "Runge-Kutta of order 4, or Dormand and Prince's of order 5");
  program.rule("dt", "must not vanish beside --t-end",
               [&] { return arguments.t_end + arguments.dt > arguments.t_end; });
  return program.run(argc, argv, [&](example::Run& run) {
    const auto cusp = arguments.integrator == "rk4" ? simulate(RungeKutta4{}, arguments, run)
                                                    : simulate(DormandPrince54{}, arguments, run);
    run.summary.print();
    draw(arguments, cusp, run);
  });
}

namespace {

/// What the scripts need to know, as gnuplot variables.
std::string variables(const Arguments& arguments, const std::optional<Model::State>& cusp) {
  const double about_blade = arguments.inertia + arguments.m * arguments.a * arguments.a;
  std::ostringstream text;
  text.precision(17);
  text << "a = " << arguments.a << "; root = " << std::sqrt(about_blade / arguments.m)
       << "; k = " << std::hypot(arguments.u, std::sqrt(about_blade / arguments.m) * arguments.omega)
       << "; side = " << (arguments.omega < 0 ? -1 : 1) << "; stable = " << (arguments.a < 0 ? -1 : 1)
       << "; cusp = " << (cusp ? 1 : 0) << "\nALIGN_BACK = '" << (arguments.a < 0 ? "left" : "right")
       << "'; ALIGN_AHEAD = '" << (arguments.a < 0 ? "right" : "left") << "'\n";
  if (cusp) {
    text << "xc = " << cusp->g.translation()[0] << "; yc = " << cusp->g.translation()[1]
         << "; tc = " << cusp->time << "; phic = " << cusp->g.angle() << "\n";
  }
  return text.str();
}

void draw(const Arguments& arguments, const std::optional<Model::State>& cusp, const example::Run& run) {
  const std::string given = variables(arguments, cusp);
  const bool moves = arguments.u != 0 || arguments.omega != 0;
  if (!moves) return;
  if (arguments.a != 0)
    example::Picture(run.out, "phase", 1600, 1100).draw(given + R"(
set title "Chaplygin sleigh: its blade ends up behind the centre of mass" font ',30' offset 0,0.4
set xlabel "speed along the blade  u  [m/s]"
set ylabel "turning rate  ω  [rad/s]"
set xrange [-1.45*k:1.45*k]
set yrange [side > 0 ? -0.25*k/root : -1.45*k/root : side > 0 ? 1.45*k/root : 0.25*k/root]
unset grid
set border 3
set tics nomirror
set parametric
set trange [0:pi]
set samples 400
u(q, s) = -stable*q*k*cos(s)
w(q, s) = side*q*k/root*sin(s)
set style arrow 1 head filled size graph 0.022,22 fixed lw 5
set arrow from u(1, 0.28*pi),w(1, 0.28*pi) to u(1, 0.29*pi),w(1, 0.29*pi) as 1 lc rgb red front
set arrow from u(1, 0.74*pi),w(1, 0.74*pi) to u(1, 0.75*pi),w(1, 0.75*pi) as 1 lc rgb blue front
set label "blade leads" at u(1.06, 0.25*pi),w(1.06, 0.25*pi) @ALIGN_BACK textcolor rgb red
set label "blade trails" at u(1.06, 0.75*pi),w(1.06, 0.75*pi) @ALIGN_AHEAD textcolor rgb blue
set label "unstable" at -stable*0.5*k,-side*0.1*k/root center textcolor rgb orange
set label "stable" at stable*0.5*k,-side*0.1*k/root center textcolor rgb green
if (cusp) { set label "cusp of the path" at 0,side*0.9*k/root center textcolor rgb black }
plot for [q in "0.4 0.7 1.38"] u(q+0, t),w(q+0, t) with lines lw 2 lc rgb light notitle, \
     -stable*1.4*k*t/pi,0 with lines lw 5 dt (8,6) lc rgb orange notitle, \
     stable*1.4*k*t/pi,0 with lines lw 5 lc rgb green notitle, \
     'trajectory.csv' using (column('u')*stable <= 0 ? column('u') : NaN):'omega' with lines lw 6 lc rgb red notitle, \
     'trajectory.csv' using (column('u')*stable >= 0 ? column('u') : NaN):'omega' with lines lw 6 lc rgb blue notitle, \
     cusp ? 0 : NaN,side*k/root with points pt 7 ps 2.5 lc rgb black notitle
)");
  example::Picture(run.out, "path", 2000, 1050).draw(given + R"(
stats 'trajectory.csv' using 'x':'y' name 'P' nooutput
set multiplot
set border 3
set tics nomirror
unset grid
set size ratio -1
set xlabel "x  [m]"
set ylabel "y  [m]" offset 1
set bmargin at screen 0.13; set tmargin at screen 0.9
set lmargin at screen 0.07; set rmargin at screen (cusp ? 0.53 : 0.97)
shape = 0.77*1050/((cusp ? 0.46 : 0.9)*2000)
wide = 1.12*(P_max_x - P_min_x); high = 1.12*(P_max_y - P_min_y)
if (wide*shape < high) { wide = high/shape } else { high = wide*shape }
if (wide == 0) { wide = 1; high = shape }
set title "Path of the blade" font ',30'
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(P_min_y + P_max_y - high)/2 : (P_min_y + P_max_y + high)/2]
set key at graph 0.02,0.98 left top reverse Left
plot 'trajectory.csv' using (column('u')*stable <= 0 ? column('x') : NaN):'y' with lines lw 4 lc rgb red title "blade leads", \
     'trajectory.csv' using (column('u')*stable >= 0 ? column('x') : NaN):'y' with lines lw 4 lc rgb blue title "blade trails", \
     'trajectory.csv' every ::0::0 using 'x':'y' with points pt 7 ps 2 lc rgb black title "start"
if (cusp) {
  size = root**2/abs(a)
  half = 0.19*size
  set lmargin at screen 0.62; set rmargin at screen 0.99
  shape = 0.77*1050/(0.37*2000)
  xm = xc - 0.13*size*stable*cos(phic); ym = yc - 0.13*size*stable*sin(phic)
  set title "Its cusp: the sleigh swings round"
  set xrange [xm - half : xm + half]
  set yrange [ym - half*shape : ym + half*shape]
  set ylabel ""
  decade = 10**floor(log10(half)); spacing = half >= 4*decade ? 5*decade : half >= 2*decade ? 2*decade : decade
  set xtics spacing; set ytics spacing
  set key at graph 0.03,0.02 left bottom horizontal samplen 1 width 2
  beat = 0.12*size/k
  count(t) = floor((t - tc)/beat)
  now(t) = (abs(t - tc) < 1.2*size/k) && (count(t) != count(last))
  last = tc - 1e9
  plot 'trajectory.csv' using (column('u')*stable <= 0 ? column('x') : NaN):'y' with lines lw 5 lc rgb red notitle, \
       'trajectory.csv' using (column('u')*stable >= 0 ? column('x') : NaN):'y' with lines lw 5 lc rgb blue notitle, \
       'trajectory.csv' using (show = now(column('t')), last = column('t'), show ? column('x') : NaN):'y':(a*cos(column('phi'))):(a*sin(column('phi'))) \
         with vectors nohead lw 2.5 lc rgb black notitle, \
       'trajectory.csv' using (show = now(column('t')), last = column('t'), show ? column('x') : NaN):'y' \
         with points pt 7 ps 1 lc rgb black title "blade", \
       'trajectory.csv' using (show = now(column('t')), last = column('t'), show ? column('x') + a*cos(column('phi')) : NaN):(column('y') + a*sin(column('phi'))) \
         with points pt 7 ps 2.6 lc rgb sky title "centre of mass"
}
unset multiplot
)");
}

}  // namespace
