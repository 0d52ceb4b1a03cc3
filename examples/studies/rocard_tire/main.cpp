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
// power that the energy monitor sums up, λᵀR_V(ξ, ε̇), is the rate of the energy. Small wobbles decay like ε̈ + (a/(M|V|)) ε̇ + (K/J) ε = 0.

#include <algorithm>
#include <cmath>
#include <string>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/rocard_tire.hpp>

#include "support/balance.hpp"
#include "support/march.hpp"
#include "support/wheel.hpp"

namespace {

using namespace dalembert;
using Tire = systems::RocardTire<double>;
using Model = LagrangeDAlembert<Tire>;
using EnergyMonitor = analysis::EnergyMonitor<Model>;

struct Arguments {
  Tire::Parameters tire{.axle = 0.5, .yaw = 0.25, .mass = 1, .stiffness = 1, .cornering = 2};
  double psi = 0, theta = 0.9, epsilon = 0.9, x1 = 0, x2 = 0, psidot = 4, thetadot = 0;
  example::March march{.t_end = 12, .dt = 1e-3};
};

/// What the page of a run shows: the wheel, the path of its patch, the push of the ground across it, and what wobbles.
class View {
 public:
  View(example::Run& run, double cornering)
      : cornering_(cornering),
        scene_(&run.scene),
        wheel_(scene_->body("wheel", example::wheel_parts(1, 1), {.colour = 0})),
        patch_(scene_->point(
            "patch",
            {.colour = 3, .path = true, .arrow = "push of the ground across the wheel", .unit = "N"})),
        angles_(scene_->panel("heading and drift", "rad", {"theta", "epsilon"})),
        rates_(scene_->panel("rolling and turning", "rad/s", {"psi'", "theta'"})),
        energy_(scene_->panel("energy", "J", {"energy"})) {
    scene_->plane("ground", {0, 0, 0}, {0, 0, 1});
  }

  /// A state with the heading without jumps [rad] and the energy [J].
  void operator()(const Model::State& state, double heading, double energy) {
    const double epsilon = state.z[0];
    scene_->row(angles_, state.time, {heading, epsilon});
    scene_->row(rates_, state.time, {state.xi[3], state.xi[2]});
    scene_->row(energy_, state.time, {energy});
    if (!scene_->frame(state.time)) return;
    const auto x = state.g.first().translation();
    const Vec<double, 3> low(x[0], x[1], 0), left(-std::sin(heading), std::cos(heading), 0);
    scene_->put(wheel_, example::rolled_wheel(heading, state.g.second().coordinates()[0]),
                low + Vec<double, 3>::UnitZ());
    scene_->put(patch_, low, std::copysign(cornering_ * std::sin(epsilon), state.xi[3] * epsilon) * left);
  }

 private:
  double cornering_;
  io::Scene* scene_;
  io::Scene::Body wheel_;
  io::Scene::Point patch_;
  io::Scene::PanelId angles_, rates_, energy_;
};

/// Watches a run after its energy monitor did: the heading without jumps, and tables.
class Recorder {
 public:
  Recorder(const Arguments& arguments, example::Run& run, const EnergyMonitor& monitor)
      : heading(arguments.theta),
        table_(run.out / "trajectory.csv",
               "t [s], psi [rad], theta [rad], epsilon [rad], x1 [m], x2 [m], psidot [rad/s], "
               "thetadot [rad/s], energy [J], power [W]",
               arguments.march),
        balance_(run.out),
        view_(run, arguments.tire.cornering),
        ledger_(monitor) {}

  void operator()(const Model& model, const Model::State& state) {
    heading.follow(state.time, state.g.first().angle(), state.xi[2]);
    const double epsilon = state.z[0], psidot = state.xi[3], power = example::total(ledger_.last().power);
    drift = std::max(drift, std::abs(epsilon));
    // To leading order in ε the power is −(Mψ̇² + K) ε(θ̇ − ε̇).
    model.rates(state, rates_);
    const auto& p = model.system().parameters();
    const double leading =
        -(p.mass * psidot * psidot + p.stiffness) * epsilon * (state.xi[2] - rates_.zdot[0]);
    leading_error = std::max(leading_error, std::abs(power - leading));
    if (!table_.due(state.time)) return;
    table_.row(state.time, state.g.second().coordinates()[0], heading.now(), epsilon,
               state.g.first().translation(), psidot, state.xi[2], ledger_.last().energy, power);
    balance_.row(ledger_);
    view_(state, heading.now(), ledger_.last().energy);
  }
  void close() {
    table_.close();
    balance_.close();
  }

  example::Heading heading;
  double drift = 0;          ///< largest |ε| [rad]
  double leading_error = 0;  ///< largest error of the power's leading term [W]

 private:
  example::Table table_;
  example::BalanceTable balance_;
  View view_;
  const EnergyMonitor& ledger_;
  Model::Rates rates_{};
};

template <class Method>
void simulate(const Method& method, const Arguments& arguments, example::Run& run) {
  const Tire tire{arguments.tire};
  const Model model{tire};
  auto state = model.state(
      {SE2d(arguments.x1, arguments.x2, arguments.theta), Rn<double, 1>(Vec<double, 1>(arguments.psi))},
      tire.rolling(arguments.psidot, arguments.thetadot, arguments.epsilon),
      Vec<double, 1>(arguments.epsilon));
  EnergyMonitor monitor{model, analysis::Keep::maxima};
  Recorder recorder(arguments, run, monitor);
  const auto report = example::drive(method, model, state, arguments.march, monitor, recorder);
  recorder.close();

  auto& summary = run.summary;
  example::report_balance(monitor, summary);
  summary.figure("leading_power_error", recorder.leading_error, "W",
                 "largest error of -(M psi'^2 + K) eps (theta' - eps') for the power");
  summary.figure("drift_max", recorder.drift, "rad", "largest |eps|");
  summary.figure("heading_change", recorder.heading.turn(), "rad", "heading at the end minus at the start");
  summary.figure("distance", state.g.second().coordinates()[0] - arguments.psi, "m", "what the wheel rolled");
  summary.figure("constraint_max", monitor.violation().velocity, "m/s", "largest slip of the patch");
  summary.violation(report);
  summary.final_state(state, report.steps);
  // Small wobbles behave like exp((−decay ± i frequency) t).
  const auto c = tire.characteristic(arguments.psidot);
  summary.figure("small_wobble_decay", c[1] / 2, "1/s",
                 "rate at which small wobbles decay at the speed of the start");
  if (c[1] * c[1] < 4 * c[2])
    summary.figure("small_wobble_period", 2 * static_cast<double>(pi) / std::sqrt(c[2] - c[1] * c[1] / 4),
                   "s", "their period");
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  auto& tire = arguments.tire;
  example::Program program{"rocard_tire", "A wheel that wobbles on Rocard's tyre, which takes energy out."};
  const auto positive = example::Rule::positive, not_negative = example::Rule::not_negative;
  program.option("I", tire.axle, "kg m^2", "moment of inertia about the axle", positive);
  program.option("J", tire.yaw, "kg m^2", "moment of inertia about the vertical", positive);
  program.option("M", tire.mass, "kg", "mass", positive);
  program.option("K", tire.stiffness, "N m/rad", "stiffness of the tyre in twist", not_negative);
  program.option("a", tire.cornering, "N", "force across the wheel per sine of the angle of drift",
                 not_negative);
  program.option("psi", arguments.psi, "rad", "angle of the wheel about its axle at the start");
  program.option("theta", arguments.theta, "rad", "heading at the start");
  program.option("epsilon", arguments.epsilon, "rad", "angle of drift at the start");
  program.option("x1", arguments.x1, "m", "place of the patch at the start");
  program.option("x2", arguments.x2, "m", "place of the patch at the start");
  program.option("psidot", arguments.psidot, "rad/s", "rolling rate at the start, not 0");
  program.option("thetadot", arguments.thetadot, "rad/s", "turning rate at the start");
  program.march(arguments.march);
  program.rule("psidot", "must not be 0: Rocard's law needs a wheel that rolls",
               [&] { return arguments.psidot != 0; });
  return program.run(argc, argv, [&](example::Run& run) {
    example::with_method(arguments.march, [&](const auto& method) { simulate(method, arguments, run); });
    run.summary.print();
    example::draw(run, {"path", 2000, 800});
    example::draw(run, {"angles", 1600, 1000});
    example::draw_balance(run, "Rocard's tyre takes energy out");
  });
}
