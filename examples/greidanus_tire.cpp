// A wheel on Greidanus's tyre shimmies: nothing damps the tyre's lateral give, so a small wobble grows, fed by the reactions.
//
//   ./greidanus_tire --theta 0.3 --epsilon 0.3 --psidot 2.5 --t-end 15          (the defaults)
//
//   ψ̈ = M(ξ k_ε ε/J − 2ξ̇θ̇ − ψ̇²c sin ε)/(I + M cos ε + IMξ²/J),  c = a_k ξ + b_k ε
//   θ̈ = (ξIψ̈ − k_ε ε)/J
//   ξ̈ = ψ̇²c cos ε + ξθ̇² − ψ̈ sin ε − k_ξ ξ/M
//   ε̇ = θ̇ − ψ̇c
//
//     ————————●————————►   path of the patch x, direction θ − ε, curvature c
//             |
//             | ξ
//             |
//     ========o========►   wheel with its middle y, heading θ; it stays upright and has the radius 1 m
//
// Straight rolling at ψ̇ = V > 0 is stable if and only if k_ξ > M a_k V², k_ε > J a_k V² and M k_ε > J k_ξ; the defaults
// break the last. The law for ε̇ is meant for ψ̇ > 0. The run is compared with the growth of small motions.

#include <algorithm>
#include <cmath>
#include <string>

#include <dalembert/analysis/eigenvalues.hpp>
#include <dalembert/analysis/ledger.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/greidanus_tire.hpp>

#include "support/balance.hpp"
#include "support/gnuplot.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"

namespace {

using namespace dalembert;
using Tire = systems::GreidanusTire<double>;
using Model = LagrangeDAlembert<Tire>;
using Ledger = analysis::Ledger<Model>;

struct Arguments {
  Tire::Parameters tire{.axle = 0.5,
                        .yaw = 0.25,
                        .mass = 1,
                        .lateral_curvature = 0.5,
                        .drift_curvature = 1,
                        .lateral_stiffness = 30,
                        .torsional_stiffness = 2};
  double psi = 0, theta = 0.3, epsilon = 0.3, xi = 0, y1 = 0, y2 = 0;
  double psidot = 2.5, thetadot = 0, xidot = 0;
  double t_end = 15, dt = 1e-3;
  std::string integrator = "rk4";
};

/// Watches a run after its ledger did: the heading without jumps, and tables of at most `rows` rows.
class Recorder {
 public:
  Recorder(const Arguments& arguments, const std::filesystem::path& folder, long rows, const Ledger& ledger)
      : csv_(folder / "trajectory.csv", {{"t", "s"},
                                         {"psi", "rad"},
                                         {"theta", "rad"},
                                         {"epsilon", "rad"},
                                         {"xi", "m"},
                                         {"y1", "m"},
                                         {"y2", "m"},
                                         {"psidot", "rad/s"},
                                         {"thetadot", "rad/s"},
                                         {"xidot", "m/s"},
                                         {"energy", "J"},
                                         {"power", "W"}}),
        balance_(folder),
        ledger_(ledger),
        theta_(arguments.theta),
        end_(arguments.t_end),
        every_(std::max(
            1L, std::lround(std::ceil(arguments.t_end / arguments.dt / static_cast<double>(rows))))) {}

  void operator()(const Model&, const Model::State& state) {
    // The turn since the last call is near θ̇ Δt, which tells it from others by whole turns.
    const double expected = theta_ + state.xi[2] * (state.time - time_);
    theta_ = expected + std::remainder(state.g.first().angle() - expected, 2 * static_cast<double>(pi));
    time_ = state.time;
    const auto& angle_and_give = state.g.second().coordinates();
    drift_ = std::max(drift_, std::abs(state.z[0]));
    give_ = std::max(give_, std::abs(angle_and_give[1]));
    if (count_++ % every_ != 0 && state.time < end_) return;
    const auto& place = state.g.first().translation();
    csv_.row({state.time, angle_and_give[0], theta_, state.z[0], angle_and_give[1], place[0], place[1],
              state.xi[3], state.xi[2], state.xi[4], ledger_.last().energy,
              example::total(ledger_.last().power)});
    balance_.row(ledger_);
  }

  /// The heading, counting whole turns [rad].
  double heading() const { return theta_; }
  /// Largest |ε| [rad].
  double drift() const { return drift_; }
  /// Largest |ξ| [m].
  double give() const { return give_; }
  void flush() {
    csv_.flush();
    balance_.flush();
  }

 private:
  io::CsvWriter csv_;
  example::BalanceTable balance_;
  const Ledger& ledger_;
  double theta_;
  double time_ = 0;
  double end_;
  double drift_ = 0;
  double give_ = 0;
  long count_ = 0;
  long every_;
};

/// Runs the wheel; returns how fast small wobbles grow at the speed of the start [1/s].
template <class Method>
double simulate(const Method& method, const Arguments& arguments, example::Run& run) {
  const Tire tire{arguments.tire};
  const Model model{tire};
  auto state = model.state(
      {SE2d(arguments.y1, arguments.y2, arguments.theta),
       Rn<double, 2>(Vec<double, 2>(arguments.psi, arguments.xi))},
      tire.rolling(arguments.psidot, arguments.thetadot, arguments.xidot, arguments.xi, arguments.epsilon),
      Vec<double, 1>(arguments.epsilon));
  Ledger ledger{model, analysis::Keep::maxima};
  Recorder recorder(arguments, run.out, 4000, ledger);
  const auto report =
      drive(method, model, state,
            {.step = arguments.dt, .until = arguments.t_end, .progress = example::progress_line()}, ledger,
            recorder);
  recorder.flush();

  auto& summary = run.summary;
  const double pi_ = static_cast<double>(pi);
  summary.figure("energy_initial", ledger.entries().front().energy, "J", "energy at the start");
  summary.figure("energy_final", ledger.last().energy, "J", "energy at the end");
  summary.figure("power_balance_error", ledger.balance_error(), "J",
                 "largest |E(t) - E(0) - work of the reactions|");
  summary.figure("drift_max", recorder.drift(), "rad", "largest |eps|");
  summary.figure("give_max", recorder.give(), "m", "largest |xi|");
  summary.figure("heading_change", recorder.heading() - arguments.theta, "rad",
                 "heading at the end minus at the start");
  summary.figure("distance", state.g.second().coordinates()[0] - arguments.psi, "m", "what the wheel rolled");
  summary.figure("constraint_max", ledger.violation().velocity, "m/s", "largest slip of the patch");
  summary.violation(report);
  const Vec<double, 5> polynomial(tire.characteristic(arguments.psidot).data());
  const auto fastest = analysis::roots<double>(polynomial).front();
  const double growth = fastest.real();
  summary.figure("small_wobble_growth", growth, "1/s",
                 "rate at which small wobbles grow at the speed of the start; stable if negative");
  if (fastest.imag() != 0)
    summary.figure("small_wobble_period", 2 * pi_ / std::abs(fastest.imag()), "s", "their period");
  return growth;
}

void draw(double growth, const example::Run& run);

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  auto& tire = arguments.tire;
  example::Program program{"greidanus_tire", "A wheel that shimmies on Greidanus's tyre."};
  const auto positive = example::Rule::positive, not_negative = example::Rule::not_negative;
  program.option("I", tire.axle, "kg m^2", "moment of inertia about the axle", positive);
  program.option("J", tire.yaw, "kg m^2", "moment of inertia about the vertical", positive);
  program.option("M", tire.mass, "kg", "mass", positive);
  program.option("a-k", tire.lateral_curvature, "1/m^2", "curvature of the patch's path per lateral give");
  program.option("b-k", tire.drift_curvature, "1/(m rad)",
                 "curvature of the patch's path per angle of drift");
  program.option("k-xi", tire.lateral_stiffness, "N/m", "stiffness of the tyre sideways", not_negative);
  program.option("k-eps", tire.torsional_stiffness, "N m/rad", "stiffness of the tyre in twist",
                 not_negative);
  program.option("psi", arguments.psi, "rad", "angle of the wheel about its axle at the start");
  program.option("theta", arguments.theta, "rad", "heading at the start");
  program.option("epsilon", arguments.epsilon, "rad", "angle of drift at the start");
  program.option("xi", arguments.xi, "m", "lateral give at the start, of the patch to the left");
  program.option("y1", arguments.y1, "m", "place of the wheel at the start");
  program.option("y2", arguments.y2, "m", "place of the wheel at the start");
  program.option("psidot", arguments.psidot, "rad/s", "rolling rate at the start");
  program.option("thetadot", arguments.thetadot, "rad/s", "turning rate at the start");
  program.option("xidot", arguments.xidot, "m/s", "rate of the lateral give at the start");
  program.option("t-end", arguments.t_end, "s", "duration of the run", positive);
  program.option("dt", arguments.dt, "s", "time step", positive);
  program.choice("integrator", arguments.integrator, {"rk4", "dopri5"},
                 "Runge-Kutta of order 4, or Dormand and Prince's of order 5");
  program.rule("dt", "must not vanish beside --t-end",
               [&] { return arguments.t_end + arguments.dt > arguments.t_end; });
  return program.run(argc, argv, [&](example::Run& run) {
    const double growth = arguments.integrator == "rk4" ? simulate(RungeKutta4{}, arguments, run)
                                                        : simulate(DormandPrince54{}, arguments, run);
    run.summary.print();
    draw(growth, run);
  });
}

namespace {

void draw(double growth, const example::Run& run) {
  example::Picture(run.out, "path", 2000, 800).draw(R"gnuplot(
patch1 = "column('y1') - column('xi')*sin(column('theta'))"
patch2 = "column('y2') + column('xi')*cos(column('theta'))"
stats 'trajectory.csv' using (@patch1):(@patch2) name 'P' nooutput
stats 'trajectory.csv' using 'y1':'y2' name 'Y' nooutput
stats 'trajectory.csv' using 't' name 'T' nooutput
set title "Greidanus's tyre: the patch swings out from under the wheel" font ',30' offset 0,0.3
set xlabel "x₁  [m]" offset 0,0.4
set border 3
set tics nomirror
set lmargin at screen 0.08; set rmargin at screen 0.98
set tmargin at screen 0.87; set bmargin at screen 0.17
# The plot is 1800 by 560 pixels; x₂ is stretched up to sixfold.
low = P_min_y < Y_min_y ? P_min_y : Y_min_y; top = P_max_y > Y_max_y ? P_max_y : Y_max_y
wide = P_max_x - P_min_x; high = top - low
if (wide + high == 0) { wide = 1 }
wide = 1.06*(wide > high/6 ? wide : high/6)
room = 1.5*high > wide*560/1800/6 ? 1.5*high : wide*560/1800/6
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(low + top - room)/2 : (low + top + room)/2]
set ylabel sprintf("x₂  [m],  × %.2g", wide*560/1800/room) offset 1
set key at graph 0.99,0.98 right top horizontal samplen 2
half = wide/90
last = -1
count(t, n) = floor((t - T_min)/(T_max - T_min)*n + 1e-9)
now(t, n) = count(t, n) != last
plot 'trajectory.csv' using (show = now(column('t'), 160), last = count(column('t'), 160), show ? column('y1') : NaN):'y2':(-column('xi')*sin(column('theta'))):(column('xi')*cos(column('theta'))) \
       with vectors nohead lw 2 lc rgb orange title "give ξ", \
     'trajectory.csv' using (@patch1):(@patch2) with lines lw 6 lc rgb sky title "patch", \
     'trajectory.csv' using 'y1':'y2' with lines lw 2 lc rgb black notitle, \
     'trajectory.csv' using (show = now(column('t'), 40), last = count(column('t'), 40), show ? column('y1') - half*cos(column('theta')) : NaN):(column('y2') - half*sin(column('theta'))):(2*half*cos(column('theta'))):(2*half*sin(column('theta'))) \
       with vectors nohead lw 6 lc rgb black title "wheel"
)gnuplot");
  example::Picture(run.out, "angles", 1600, 1300).draw("growth = " + std::to_string(growth) + R"gnuplot(
stats 'trajectory.csv' using 't':(abs(column('xi'))) name 'X' nooutput
set multiplot
set lmargin at screen 0.13; set rmargin at screen 0.97
set border 3
set tics nomirror
set xzeroaxis lw 1.5 lc rgb gray
set xrange [X_min_x:X_max_x]
set tmargin at screen 0.92; set bmargin at screen 0.53
set format x ""
set title "Greidanus's tyre: drift and shimmy" font ',30' offset 0,0.3
set label 1 "angle  [rad]" at screen 0.03,0.725 center rotate
set key top left horizontal samplen 2
plot 'trajectory.csv' using 't':'epsilon' with lines lw 5 lc rgb red title "drift ε", \
     'trajectory.csv' using 't':'theta' with lines lw 5 lc rgb blue title "heading θ"
set tmargin at screen 0.48; set bmargin at screen 0.1
unset title
set format x "%g"
set xlabel "t  [s]" offset 0,0.4
set label 1 "lateral give ξ  [m]" at screen 0.03,0.29
set key top left vertical
# The law of small wobbles goes through the largest one.
when = X_pos_max_y
largest = X_max_y > 0 ? X_max_y : 1
set yrange [-1.25*largest : 1.25*largest]
plot 'trajectory.csv' using 't':'xi' with lines lw 5 lc rgb green title "ξ", \
     largest*exp(growth*(x - when)) with lines lw 3 dt (8,5) lc rgb gray title sprintf("small wobbles, %.2g / s", growth), \
     -largest*exp(growth*(x - when)) with lines lw 3 dt (8,5) lc rgb gray notitle
unset multiplot
)gnuplot");
  example::draw_balance(run.out, "Greidanus's tyre gives and takes energy");
}

}  // namespace
