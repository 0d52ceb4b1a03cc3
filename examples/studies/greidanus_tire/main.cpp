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
#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/greidanus_tire.hpp>

#include "support/balance.hpp"
#include "support/march.hpp"
#include "support/wheel.hpp"

namespace {

using namespace dalembert;
using Tire = systems::GreidanusTire<double>;
using Model = LagrangeDAlembert<Tire>;
using EnergyMonitor = analysis::EnergyMonitor<Model>;

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
  example::March march{.t_end = 15, .dt = 1e-3};
};

/// What the page of a run shows: the wheel, the paths of its lowest point and of the patch beside it, and what shimmies.
class View {
 public:
  explicit View(example::Run& run)
      : scene_(&run.scene),
        wheel_(scene_->body("wheel", example::wheel_parts(1, 1), {.colour = 0})),
        middle_(scene_->point("below the wheel", {.colour = 0, .path = true})),
        patch_(scene_->point("patch", {.colour = 3, .path = true})),
        angles_(scene_->panel("heading and drift", "rad", {"theta", "epsilon"})),
        give_(scene_->panel("sideways give of the tyre", "m", {"q"})),
        energy_(scene_->panel("energy", "J", {"energy"})) {
    scene_->plane("ground", {0, 0, 0}, {0, 0, 1});
  }

  /// A state with the heading without jumps [rad] and the energy [J].
  void operator()(const Model::State& state, double heading, double energy) {
    const auto& angle_and_give = state.g.second().coordinates();
    scene_->row(angles_, state.time, {heading, state.z[0]});
    scene_->row(give_, state.time, {angle_and_give[1]});
    scene_->row(energy_, state.time, {energy});
    if (!scene_->frame(state.time)) return;
    const auto y = state.g.first().translation();
    const Vec<double, 3> low(y[0], y[1], 0), left(-std::sin(heading), std::cos(heading), 0);
    scene_->put(wheel_, example::rolled_wheel(heading, angle_and_give[0]), low + Vec<double, 3>::UnitZ());
    scene_->put(middle_, low);
    scene_->put(patch_, low + angle_and_give[1] * left);
  }

 private:
  io::Scene* scene_;
  io::Scene::Body wheel_;
  io::Scene::Point middle_, patch_;
  io::Scene::PanelId angles_, give_, energy_;
};

/// Watches a run after its energy monitor did: the heading without jumps, and tables.
class Recorder {
 public:
  Recorder(const Arguments& arguments, example::Run& run, const EnergyMonitor& monitor)
      : heading(arguments.theta),
        table_(run.out / "trajectory.csv",
               "t [s], psi [rad], theta [rad], epsilon [rad], xi [m], y1 [m], y2 [m], psidot [rad/s], "
               "thetadot [rad/s], xidot [m/s], energy [J], power [W]",
               arguments.march),
        balance_(run.out),
        view_(run),
        ledger_(monitor) {}

  void operator()(const Model&, const Model::State& state) {
    heading.follow(state.time, state.g.first().angle(), state.xi[2]);
    const auto& angle_and_give = state.g.second().coordinates();
    drift = std::max(drift, std::abs(state.z[0]));
    give = std::max(give, std::abs(angle_and_give[1]));
    if (!table_.due(state.time)) return;
    table_.row(state.time, angle_and_give[0], heading.now(), state.z[0], angle_and_give[1],
               state.g.first().translation(), state.xi[3], state.xi[2], state.xi[4], ledger_.last().energy,
               example::total(ledger_.last().power));
    balance_.row(ledger_);
    view_(state, heading.now(), ledger_.last().energy);
  }
  void close() {
    table_.close();
    balance_.close();
  }

  example::Heading heading;
  double drift = 0;  ///< largest |ε| [rad]
  double give = 0;   ///< largest |ξ| [m]

 private:
  example::Table table_;
  example::BalanceTable balance_;
  View view_;
  const EnergyMonitor& ledger_;
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
  EnergyMonitor monitor{model, analysis::Keep::maxima};
  Recorder recorder(arguments, run, monitor);
  const auto report = example::drive(method, model, state, arguments.march, monitor, recorder);
  recorder.close();

  auto& summary = run.summary;
  example::report_balance(monitor, summary);
  summary.figure("drift_max", recorder.drift, "rad", "largest |eps|");
  summary.figure("give_max", recorder.give, "m", "largest |q|");
  summary.figure("heading_change", recorder.heading.turn(), "rad", "heading at the end minus at the start");
  summary.figure("distance", state.g.second().coordinates()[0] - arguments.psi, "m", "what the wheel rolled");
  summary.figure("constraint_max", monitor.violation().velocity, "m/s", "largest slip of the patch");
  summary.violation(report);
  summary.final_state(state, report.steps);
  const Vec<double, 5> polynomial(tire.characteristic(arguments.psidot).data());
  const auto fastest = analysis::roots<double>(polynomial).front();
  summary.figure("small_wobble_growth", fastest.real(), "1/s",
                 "rate at which small wobbles grow at the speed of the start; stable if negative");
  if (fastest.imag() != 0)
    summary.figure("small_wobble_period", 2 * static_cast<double>(pi) / std::abs(fastest.imag()), "s",
                   "their period");
  return fastest.real();
}

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
  program.march(arguments.march);
  return program.run(argc, argv, [&](example::Run& run) {
    const double growth = example::with_method(
        arguments.march, [&](const auto& method) { return simulate(method, arguments, run); });
    run.summary.print();
    example::draw(run, {"path", 2000, 800});
    example::draw(run, {"angles", 1600, 1300}, example::Variables{}("growth", growth));
    example::draw_balance(run, "Greidanus's tyre gives and takes energy");
  });
}
