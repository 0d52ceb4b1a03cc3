// A wheel on Rocard's tyre wobbles: the tyre drifts, bends the path, and takes energy out until the wheel rolls straight.
//
//   ./rocard_tire --theta 0.9 --epsilon 0.9 --psidot 4 --t-end 12          (the defaults)
//
//   ψ̈ = −s a sin²ε/(I cos ε + M),  s = sign ψ̇
//   θ̈ = −Kε/J
//   ε̇ = θ̇ − (a/M)(sin ε/|ψ̇|)(I + M cos ε)/(I cos ε + M)
//   ẋ = ψ̇ (cos(θ − ε), sin(θ − ε))
//
//                             ╱   wheel, heading θ; it stays upright and has the radius 1 m
//                            ╱
//                           ╱ ) ε
//     ————————————————————●————————————►   path of the patch x, direction θ − ε
//                        ╱
//                       ╱     the ground pushes across the wheel with a sin ε
//
// The law of drift is a constraint on accelerations, and the reactions are not those of d'Alembert: they do work, and the
// power that the ledger sums up, λᵀR_V(ξ, ε̇), is the rate of the energy. Small wobbles decay like ε̈ + (a/(M|V|)) ε̇ + (K/J) ε = 0.

#include <algorithm>
#include <cmath>
#include <string>

#include <dalembert/analysis/ledger.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/rocard_tire.hpp>

#include "support/balance.hpp"
#include "support/gnuplot.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"

namespace {

using namespace dalembert;
using Tire = systems::RocardTire<double>;
using Model = LagrangeDAlembert<Tire>;
using Ledger = analysis::Ledger<Model>;

struct Arguments {
  double axle = 0.5, yaw = 0.25, mass = 1, stiffness = 1, cornering = 2;
  double psi = 0, theta = 0.9, epsilon = 0.9, x1 = 0, x2 = 0, psidot = 4, thetadot = 0;
  double t_end = 12, dt = 1e-3;
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
                                         {"x1", "m"},
                                         {"x2", "m"},
                                         {"psidot", "rad/s"},
                                         {"thetadot", "rad/s"},
                                         {"energy", "J"},
                                         {"power", "W"}}),
        balance_(folder),
        ledger_(ledger),
        theta_(arguments.theta),
        end_(arguments.t_end),
        every_(std::max(
            1L, std::lround(std::ceil(arguments.t_end / arguments.dt / static_cast<double>(rows))))) {}

  void operator()(const Model& model, const Model::State& state) {
    // The turn since the last call is near θ̇ Δt, which tells it from others by whole turns.
    const double expected = theta_ + state.xi[2] * (state.time - time_);
    theta_ = expected + std::remainder(state.g.first().angle() - expected, 2 * static_cast<double>(pi));
    time_ = state.time;
    const double epsilon = state.z[0], psidot = state.xi[3], power = total(ledger_.last().power);
    drift_ = std::max(drift_, std::abs(epsilon));
    // To leading order in ε the power is −(Mψ̇² + K) ε(θ̇ − ε̇).
    model.rates(state, rates_);
    const auto& p = model.system().parameters();
    const double leading =
        -(p.mass * psidot * psidot + p.stiffness) * epsilon * (state.xi[2] - rates_.zdot[0]);
    leading_error_ = std::max(leading_error_, std::abs(power - leading));
    if (count_++ % every_ != 0 && state.time < end_) return;
    const auto& place = state.g.first().translation();
    csv_.row({state.time, state.g.second().coordinates()[0], theta_, epsilon, place[0], place[1], psidot,
              state.xi[2], ledger_.last().energy, power});
    balance_.row(ledger_);
  }

  /// The heading, counting whole turns [rad].
  double heading() const { return theta_; }
  /// Largest |ε| [rad].
  double drift() const { return drift_; }
  /// Largest error of the power's leading term [W].
  double leading_error() const { return leading_error_; }
  void flush() {
    csv_.flush();
    balance_.flush();
  }

 private:
  static double total(const Powers<double>& power) { return example::total(power); }

  io::CsvWriter csv_;
  example::BalanceTable balance_;
  const Ledger& ledger_;
  Model::Rates rates_{};
  double theta_;
  double time_ = 0;
  double end_;
  double drift_ = 0;
  double leading_error_ = 0;
  long count_ = 0;
  long every_;
};

/// Runs the wheel.
template <class Method>
void simulate(const Method& method, const Arguments& arguments, example::Run& run) {
  const Tire tire{{.axle = arguments.axle,
                   .yaw = arguments.yaw,
                   .mass = arguments.mass,
                   .stiffness = arguments.stiffness,
                   .cornering = arguments.cornering}};
  const Model model{tire};
  auto state = model.state(
      {SE2d(arguments.x1, arguments.x2, arguments.theta), Rn<double, 1>(Vec<double, 1>(arguments.psi))},
      tire.rolling(arguments.psidot, arguments.thetadot, arguments.epsilon),
      Vec<double, 1>(arguments.epsilon));
  Ledger ledger{model, analysis::Keep::maxima};
  Recorder recorder(arguments, run.out, 4000, ledger);
  const auto report =
      drive(method, model, state,
            {.step = arguments.dt, .until = arguments.t_end, .progress = example::progress_line()}, ledger,
            recorder);
  recorder.flush();

  auto& summary = run.summary;
  summary.figure("energy_initial", ledger.entries().front().energy, "J", "energy at the start");
  summary.figure("energy_final", ledger.last().energy, "J", "energy at the end");
  summary.figure("power_balance_error", ledger.balance_error(), "J",
                 "largest |E(t) - E(0) - work of the reactions|");
  summary.figure("leading_power_error", recorder.leading_error(), "W",
                 "largest error of -(M psi'^2 + K) eps (theta' - eps') for the power");
  summary.figure("drift_max", recorder.drift(), "rad", "largest |eps|");
  summary.figure("heading_change", recorder.heading() - arguments.theta, "rad",
                 "heading at the end minus at the start");
  summary.figure("distance", state.g.second().coordinates()[0] - arguments.psi, "m", "what the wheel rolled");
  summary.figure("constraint_max", ledger.violation().velocity, "m/s", "largest slip of the patch");
  summary.violation(report);
  // Small wobbles behave like exp((−decay ± i frequency) t).
  const auto c = tire.characteristic(arguments.psidot);
  summary.figure("small_wobble_decay", c[1] / 2, "1/s",
                 "rate at which small wobbles decay at the speed of the start");
  if (c[1] * c[1] < 4 * c[2])
    summary.figure("small_wobble_period", 2 * static_cast<double>(pi) / std::sqrt(c[2] - c[1] * c[1] / 4),
                   "s", "their period");
}

void draw(const example::Run& run);

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  example::Program program{"rocard_tire", "A wheel that wobbles on Rocard's tyre, which takes energy out."};
  program.option("I", arguments.axle, "kg m^2", "moment of inertia about the axle", example::Rule::positive);
  program.option("J", arguments.yaw, "kg m^2", "moment of inertia about the vertical",
                 example::Rule::positive);
  program.option("M", arguments.mass, "kg", "mass", example::Rule::positive);
  program.option("K", arguments.stiffness, "N m/rad", "stiffness of the tyre in twist",
                 example::Rule::not_negative);
  program.option("a", arguments.cornering, "N", "force across the wheel per sine of the angle of drift",
                 example::Rule::not_negative);
  program.option("psi", arguments.psi, "rad", "angle of the wheel about its axle at the start");
  program.option("theta", arguments.theta, "rad", "heading at the start");
  program.option("epsilon", arguments.epsilon, "rad", "angle of drift at the start");
  program.option("x1", arguments.x1, "m", "place of the patch at the start");
  program.option("x2", arguments.x2, "m", "place of the patch at the start");
  program.option("psidot", arguments.psidot, "rad/s", "rolling rate at the start, not 0");
  program.option("thetadot", arguments.thetadot, "rad/s", "turning rate at the start");
  program.option("t-end", arguments.t_end, "s", "duration of the run", example::Rule::positive);
  program.option("dt", arguments.dt, "s", "time step", example::Rule::positive);
  program.choice("integrator", arguments.integrator, {"rk4", "dopri5"},
                 "Runge-Kutta of order 4, or Dormand and Prince's of order 5");
  program.rule("dt", "must not vanish beside --t-end",
               [&] { return arguments.t_end + arguments.dt > arguments.t_end; });
  program.rule("psidot", "must not be 0: Rocard's law needs a wheel that rolls",
               [&] { return arguments.psidot != 0; });
  return program.run(argc, argv, [&](example::Run& run) {
    if (arguments.integrator == "rk4")
      simulate(RungeKutta4{}, arguments, run);
    else
      simulate(DormandPrince54{}, arguments, run);
    run.summary.print();
    draw(run);
  });
}

namespace {

void draw(const example::Run& run) {
  example::Picture(run.out, "path", 2000, 800).draw(R"(
stats 'trajectory.csv' using 'x1':'x2' name 'P' nooutput
stats 'trajectory.csv' using 't' name 'T' nooutput
set title "Rocard's tyre: the patch moves along its path, the wheel is turned against it by ε" font ',30' offset 0,0.3
set xlabel "x₁  [m]" offset 0,0.4
set border 3
set tics nomirror
set lmargin at screen 0.08; set rmargin at screen 0.98
set tmargin at screen 0.87; set bmargin at screen 0.17
# The plot is 1800 by 560 pixels; x₂ is stretched up to fourfold.
wide = P_max_x - P_min_x; high = P_max_y - P_min_y
if (wide + high == 0) { wide = 1 }
wide = 1.06*(wide > high/4 ? wide : high/4)
room = 1.5*high > wide*560/1800/4 ? 1.5*high : wide*560/1800/4
set xrange [(P_min_x + P_max_x - wide)/2 : (P_min_x + P_max_x + wide)/2]
set yrange [(P_min_y + P_max_y - room)/2 : (P_min_y + P_max_y + room)/2]
set ylabel sprintf("x₂  [m],  × %.2g", wide*560/1800/room) offset 1
set key at graph 0.99,0.98 right top horizontal samplen 2
half = wide/70
beat = (T_max - T_min)/36
last = -1
count(t) = floor((t - T_min)/beat + 1e-9)
now(t) = count(t) != last
plot 'trajectory.csv' using 'x1':'x2' with lines lw 6 lc rgb sky title "path of the patch", \
     'trajectory.csv' using (show = now(column('t')), last = count(column('t')), show ? column('x1') - half*cos(column('theta')) : NaN):(column('x2') - half*sin(column('theta'))):(2*half*cos(column('theta'))):(2*half*sin(column('theta'))) \
       with vectors nohead lw 5 lc rgb black title "wheel, at equal times"
)");
  example::Picture(run.out, "angles", 1600, 1000).draw(R"(
set title "Rocard's tyre: the wobble dies out" font ',30' offset 0,0.3
set xlabel "t  [s]"
set ylabel "angle  [rad]" offset 1
set border 3
set tics nomirror
set xzeroaxis lw 1.5 lc rgb gray
set key top right
plot 'trajectory.csv' using 't':'epsilon' with lines lw 5 lc rgb red title "drift ε", \
     'trajectory.csv' using 't':'theta' with lines lw 5 lc rgb blue title "heading θ", \
     'trajectory.csv' using 't':(column('theta') - column('epsilon')) with lines lw 3 dt (8,5) lc rgb sky title "direction of the path θ − ε"
)");
  example::draw_balance(run.out, "Rocard's tyre takes energy out");
}

}  // namespace
