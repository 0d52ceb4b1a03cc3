// A particle whose path's curvature must grow evenly: Euler's spiral, from a constraint of order three.
//
//   ./clothoid --v 1 --kappa0 -5 --rate 0.5 --t-end 20       (the defaults: from one eye of the spiral to the other)
//
//   κ = (ẋÿ − ẏẍ)/v³           curvature of the path
//   κ̇ = c v                    it grows by c per length of path
//   m(ẍ, ÿ) = λ n              n to the left of the path
//
// The row contains the third derivative of the place, so it does not determine the force λ across the path, but λ̇: the force is part
// of the state, and starts with the curvature.
//
// The run is compared with Fresnel's integrals: x + iy = ∫ exp i(κ₀s + ½cs²) ds. The speed and the energy stay, λ = mv²κ.

#include <algorithm>
#include <cmath>
#include <string>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/mechanics/higher_order.hpp>
#include <dalembert/systems/clothoid.hpp>

#include "support/march.hpp"
#include "support/picture.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;
using Vec2 = Vec<double, 2>;
using Particle = systems::Clothoid<double>;
using Model = LagrangeDAlembert<Particle>;

struct Arguments {
  double m = 1, v = 1, kappa0 = -5, rate = 0.5;
  example::March march{.t_end = 20, .dt = 1e-3, .integrator = "dopri5"};
};

/// What the page of a run shows: the particle, its path, the force across it, and how well the numbers keep the closed form.
class View {
 public:
  explicit View(example::Run& run)
      : scene_(&run.scene),
        particle_(scene_->point("particle",
                                {.colour = 0, .path = true, .arrow = "force across the path", .unit = "N"})),
        curvature_(scene_->panel("curvature of the path", "1/m", {"kappa", "closed form"})),
        force_(scene_->panel("force across the path", "N", {"lambda"})),
        error_(scene_->panel("largest error so far beside the closed form", "m, 1/m, m/s",
                             {"place", "curvature", "speed"}, true)) {
    run.view.flat = true;
  }

  /// A state with curvatures [1/m] and the errors so far.
  void operator()(const Model::State& state, double kappa, double exact, const Vec<double, 3>& errors) {
    scene_->row(curvature_, state.time, {kappa, exact});
    scene_->row(force_, state.time, {state.z[0]});
    scene_->row(error_, state.time, {errors[0], errors[1], errors[2]});
    if (!scene_->frame(state.time)) return;
    const Vec2 &at = state.g.coordinates(), along = state.xi.normalized();
    scene_->put(particle_, Vec<double, 3>(at[0], at[1], 0),
                state.z[0] * Vec<double, 3>(-along[1], along[0], 0));
  }

 private:
  io::Scene* scene_;
  io::Scene::Point particle_;
  io::Scene::PanelId curvature_, force_, error_;
};

/// Watches a run: how far it is from the closed form, and a table.
class Recorder {
 public:
  Recorder(const Arguments& arguments, example::Run& run)
      : arguments_(arguments),
        table_(run.out / "trajectory.csv", "t [s], x [m], y [m], kappa [1/m], lambda [N], energy [J]",
               arguments.march),
        view_(run) {}

  void operator()(const Model& model, const Model::State& state) {
    if (!table_.due(state.time)) return;
    const Particle& particle = model.system();
    const Vec2& place = state.g.coordinates();
    const double kappa = particle.curvature(state.xi, state.z);
    const auto exact = particle.exact({Vec2::Zero(), {arguments_.v, 0}, arguments_.kappa0}, state.time);
    place_error = std::max(place_error, (place - exact.place).norm());
    curvature_error = std::max(curvature_error, std::abs(kappa - exact.curvature));
    speed_error = std::max(speed_error, std::abs(state.xi.norm() - arguments_.v));
    table_.row(state.time, place, kappa, state.z[0], model.energy(state));
    view_(state, kappa, exact.curvature, {place_error, curvature_error, speed_error});
  }
  void close() { table_.close(); }

  double place_error = 0, curvature_error = 0, speed_error = 0;  ///< largest [m, 1/m, m/s]

 private:
  const Arguments& arguments_;
  example::Table table_;
  View view_;
};

template <class Method>
void simulate(const Method& method, const Arguments& given, example::Run& run) {
  const Model model{Particle{{.mass = given.m, .rate = given.rate}}};
  const Vec2 velocity(given.v, 0);
  auto state = model.state(Rn<double, 2>(), velocity, model.system().reaction(velocity, given.kappa0));
  Recorder recorder(given, run);
  analysis::EnergyMonitor monitor{model, analysis::Keep::maxima};
  const auto report = example::drive(method, model, state, given.march, recorder, monitor);
  recorder.close();

  const double length = given.v * given.march.t_end;
  const double heading = length * (given.kappa0 + given.rate * length / 2);
  run.summary.figure("length", length, "m", "of the path");
  run.summary.figure("heading_final", heading, "rad", "kappa0 s + rate s^2/2, turned in all");
  run.summary.figure("kappa_final", model.system().curvature(state.xi, state.z), "1/m",
                     "curvature at the end");
  run.summary.figure("lambda_final", state.z[0], "N", "force across the path at the end");
  run.summary.figure("closed_form_error_max", recorder.place_error, "m",
                     "largest distance from Fresnel's integrals");
  run.summary.figure("curvature_error_max", recorder.curvature_error, "1/m",
                     "largest error of the curvature, which is kappa0 + rate v t");
  run.summary.figure("speed_error_max", recorder.speed_error, "m/s", "largest change of the speed");
  run.summary.figure("energy_error_max", monitor.energy_error(), "J", "largest change of energy");
  run.summary.figure("energy_balance_error", monitor.balance_error(), "J",
                     "energy that the work of the force does not account for");
  run.summary.violation(report);
  run.summary.final_state(state, report.steps);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments given;
  example::Program program{"clothoid", "A particle on Euler's spiral, by a constraint of order three."};
  using example::Rule;
  program.option("m", given.m, "kg", "mass", Rule::positive);
  program.option("v", given.v, "m/s", "speed; the particle starts at the origin along +x", Rule::positive);
  program.option("kappa0", given.kappa0, "1/m", "curvature of the path at the start, positive to the left");
  program.option("rate", given.rate, "1/m^2", "growth of the curvature per length of path");
  program.march(given.march);
  return program.run(argc, argv, [&](example::Run& run) {
    example::with_method(given.march, [&](const auto& method) { simulate(method, given, run); });
    run.summary.print();
    example::Variables values;
    values("m", given.m)("v", given.v)("kappa0", given.kappa0)("c", given.rate)("T", given.march.t_end);
    example::draw(run, {"spiral", 2000, 1150}, values);
  });
}
