// A system of your own, from the equation to a checked run: a skate on a turntable.
//
//   ./own_system                                     (the defaults: it dances around the middle)
//   ./own_system --omega 1.2 --t-end 6               (it is thrown out)
//
//              ____                   The plate turns at the rate Ω. The skate is a body on one blade under its centre of
//          .-''    ''-.               mass: it glides along the blade and cannot slip sideways, as seen from the plate.
//        .'       o    '.                p ∈ R², φ            place and heading, seen from the room    [m, rad]
//       /          ╲φ    \               ξ = (u, v, ω)        velocity along and across the blade, spin [m/s, m/s, rad/s]
//      |     +——————╲—    | Ω            q = R(−φ) p          the place in the frame of the skate      [m]
//       \     middle     /               ℓ = ½m(u² + v²) + ½Iω²                                        (1)
//        '.            .'                v − Ω q₁ = 0                                                  (2)
//          '-..____..-'               (2) says that the skate moves across its blade as the plate under it does.
//
// The blade pushes while the plate moves under it, so energy is not kept. What is kept is E − ΩJ, with J the angular momentum
// about the middle. By hand, (1) and (2) give ω̇ = 0, u̇ = ωΩ q₁, q̇₁ = u + ωq₂, q̇₂ = (Ω − ω)q₁, hence
//   q̈₁ = −k² q₁,  k² = ω(ω − 2Ω):  the skate stays near if k² > 0 and runs away for 0 < ω < 2Ω.       (3)
// Read on from STEP 1.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <dalembert/analysis/energy_monitor.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/io/csv.hpp>
#include <dalembert/io/scene.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "support/picture.hpp"
#include "support/program.hpp"
#include "support/progress.hpp"
#include "support/table.hpp"

namespace {

using namespace dalembert;

// ---- STEP 1: say what the system is ------------------------------------------------------------------------
// A plain struct: no base class, nothing to register. It names the group of its configurations and writes (1) and (2) as they
// stand, as templates over the scalar T: the library calls them with plain numbers, and with numbers that carry derivatives,
// from which it takes momenta, inertia and the rows of the constraint. Each function takes only those of (g, ξ, z, t)
// that it uses. A parameter is not called `mass`, `momentum` or `force`: under these names the library looks for functions, with
// which a system may give more of itself.

struct SkateOnTurntable {
  using Group = SE2<double>;
  static constexpr std::array<std::string_view, 1> constraint_names = {"slip across the blade"};

  double m = 1;          // [kg]
  double inertia = 0.1;  // I about the centre of mass [kg m²]
  double turntable = 1;  // Ω [rad/s]

  template <class T>
  T lagrangian(const Vec<T, 3>& xi) const {  // (1)
    return 0.5 * m * (xi[0] * xi[0] + xi[1] * xi[1]) + 0.5 * inertia * xi[2] * xi[2];
  }

  template <class T>
  T velocity_constraint(const SE2<T>& g, const Vec<T, 3>& xi) const {  // (2)
    const Vec<T, 2> q = g.rotation().inverse().act(g.translation());
    return xi[1] - turntable * q[0];
  }
};

// Ask the compiler whether the library agrees. If it does not, it says what is missing.
static_assert(NonholonomicSystem<SkateOnTurntable>);

// That was the system. The equations of motion, the reaction of the blade, projections, powers: all follow from it.
using Model = LagrangeDAlembert<SkateOnTurntable>;

// ---- STEP 2: know something about it -----------------------------------------------------------------------
// A run that nothing checks is worth little. A conserved quantity or a solution by hand, written without looking at the code
// above, finds the sign that is wrong. Energy alone would not: here it is not even constant.

/// E − ΩJ [J].
double moving_energy(const Model& model, const Model::State& at) {
  const auto& skate = model.system();
  const Vec<double, 2> q = at.g.rotation().inverse().act(at.g.translation());
  const double j = skate.inertia * at.xi[2] + skate.m * (q[0] * at.xi[1] - q[1] * at.xi[0]);
  return model.energy(at) - skate.turntable * j;
}

/// The place at time t from the start at time 0, by (3).
Vec<double, 2> exact_place(const Model& model, const Model::State& start, double t) {
  const double spin = start.xi[2], plate = model.system().turntable;
  const Vec<double, 2> q = start.g.rotation().inverse().act(start.g.translation());
  const double rate = start.xi[0] + spin * q[1];  // q̇₁ at the start
  const double square = spin * (spin - 2 * plate), k = std::sqrt(std::abs(square));
  double c = 1, s = t, integral = t * t / 2;  // solutions of (3), and ∫ s dt, for k = 0
  if (square > 0) {
    c = std::cos(k * t), s = std::sin(k * t) / k, integral = (1 - c) / square;
  } else if (square < 0) {
    c = std::cosh(k * t), s = std::sinh(k * t) / k, integral = (1 - c) / square;
  }
  const Vec<double, 2> now(q[0] * c + rate * s, q[1] + (plate - spin) * (q[0] * s + rate * integral));
  return SO2<double>::from_angle(start.g.angle() + spin * t).act(now);
}

// ---- STEP 3: run it ----------------------------------------------------------------------------------------

struct Arguments {
  SkateOnTurntable skate{};
  double x = 0.5, y = 0, phi = 0, u = 0.4, omega = 3.2;
  example::March march{.t_end = 30, .dt = 0.005};
};

/// What is to be seen in view.html: say once what there is, and then in each frame where it is. The plate is as large as the closed form asks.
class View {
 public:
  View(example::Run& run, const Model& model, const Model::State& start, double t_end) : scene_(&run.scene) {
    double reach = start.g.translation().norm();
    for (int i = 1; i <= 1000; ++i)
      reach = std::max(reach, exact_place(model, start, t_end * i / 1000).norm());
    const double radius = 1.2 * reach, l = 0.2 * radius;  // of the plate; length of the skate
    run.view.flat = true;
    plate_ = scene_->body("plate", {io::cylinder(radius, 0.1 * l).at({0, 0, -0.2 * l}).with_stripes()},
                          {.colour = 4});
    skate_ = scene_->body("skate",
                          {io::box({l, 0.4 * l, 0.1 * l}), io::box({1.3 * l, 0.06 * l, 0.2 * l}).coloured(3)},
                          {.colour = 0});
    blade_ = scene_->point(
        "blade", {.colour = 3, .path = true, .radius = 0.05 * l, .arrow = "force of the blade", .unit = "N"});
    energy_ = scene_->panel("energy", "J", {"energy", "E - Omega J"});
    force_ = scene_->panel("force of the blade", "N", {"lambda"});
  }

  /// A state with the force across the blade [N].
  void operator()(const Model& model, const Model::State& at, double lambda) {
    scene_->row(energy_, at.time, {model.energy(at), moving_energy(model, at)});
    scene_->row(force_, at.time, {lambda});
    if (!scene_->frame(at.time)) return;
    const Vec<double, 2> p = at.g.translation(), across = at.g.rotation().act(Vec<double, 2>(0, 1));
    const Vec<double, 3> place(p[0], p[1], 0);
    scene_->put(plate_, SO3<double>::exp({0, 0, model.system().turntable * at.time}), Vec<double, 3>::Zero());
    scene_->put(skate_, SO3<double>::exp({0, 0, at.g.angle()}), place);
    scene_->put(blade_, place, lambda * Vec<double, 3>(across[0], across[1], 0));
  }

 private:
  io::Scene* scene_;
  io::Scene::Body plate_{}, skate_{};
  io::Scene::Point blade_{};
  io::Scene::PanelId energy_{}, force_{};
};

template <class Method>
void simulate(const Method& method, const Arguments& given, example::Run& run) {
  const Model model{given.skate};

  // A state is a configuration and a velocity. The speed across the blade is not ours to choose: `project` moves the state
  // onto the constraint, by the least change in kinetic energy's own metric.
  auto state = model.state(SE2d(given.x, given.y, given.phi), {given.u, 0, given.omega});
  (void)model.project(state);
  const auto start = state;

  // Anything callable as observer(problem, state) may watch. The energy monitor is one that comes with the library: it adds up the
  // work of every force and compares it with the change of energy.
  analysis::EnergyMonitor monitor{model, analysis::Keep::maxima};
  io::CsvWriter csv(
      run.out / "trajectory.csv",
      example::columns(
          "t [s], x [m], y [m], x_plate [m], y_plate [m], energy [J], moving_energy [J], lambda [N]"));
  double moving_error = 0, place_error = 0;
  auto rates = model.make_rates();
  View view(run, model, start, given.march.t_end);
  const auto watch = [&](const Model& m, const Model::State& at) {
    m.rates(at, rates);  // ξ̇, and λ: the force of the blade
    const auto& p = at.g.translation();
    const Vec<double, 2> on_plate = SO2<double>::from_angle(-given.skate.turntable * at.time).act(p);
    const Vec<double, 2> exact = exact_place(m, start, at.time);
    moving_error = std::max(moving_error, std::abs(moving_energy(m, at) - moving_energy(m, start)));
    place_error = std::max(place_error, (p - exact).norm() / (1 + exact.norm()));
    csv.row(
        {at.time, p[0], p[1], on_plate[0], on_plate[1], m.energy(at), moving_energy(m, at), rates.lambda[0]});
    view(m, at, rates.lambda[0]);
  };

  // One loop for every problem and integrator. Explicit Runge–Kutta methods move on the group, so φ needs no care;
  // `.project = true` keeps (2) to round-off.
  const auto report =
      drive(method, model, state,
            {.step = given.march.dt, .until = given.march.t_end, .progress = example::progress_line()}, watch,
            monitor);
  csv.close();

  run.summary.figure("energy_change_max", monitor.energy_error(), "J",
                     "largest change of energy: the plate does work");
  run.summary.figure("work_of_blade", monitor.last().work.constraint, "J",
                     "work of the blade's force at the end");
  run.summary.figure("balance_error", monitor.balance_error(), "J",
                     "energy that the energy monitor cannot account for");
  run.summary.figure("moving_energy_error", moving_error, "J", "largest change of E - Omega J");
  run.summary.figure("closed_form_error", place_error, "1", "largest error of the place over 1 m + distance");
  run.summary.figure("constraint_max", monitor.violation().velocity, "m/s", "largest slip across the blade");
  run.summary.violation(report);
  run.summary.final_state(state, report.steps);
}

}  // namespace

// ---- STEP 4: make it a program -----------------------------------------------------------------------------

int main(int argc, char** argv) {
  using example::Rule;
  Arguments given;
  example::Program program{"own_system", "A skate on a turntable: how to add a system of your own."};
  program.option("m", given.skate.m, "kg", "mass", Rule::positive);
  program.option("I", given.skate.inertia, "kg m^2", "moment of inertia about the centre of mass",
                 Rule::positive);
  program.option("turntable", given.skate.turntable, "rad/s", "turning rate of the plate");
  program.option("x", given.x, "m", "place at the start, from the middle of the plate");
  program.option("y", given.y, "m", "place at the start, from the middle of the plate");
  program.option("phi", given.phi, "rad", "heading at the start");
  program.option("u", given.u, "m/s", "speed along the blade at the start");
  program.option("omega", given.omega, "rad/s", "spin");
  program.march(given.march);
  return program.run(argc, argv, [&](example::Run& run) {
    if (given.march.integrator == "rk4") simulate(RungeKutta4{.project = true}, given, run);
    if (given.march.integrator == "dopri5") simulate(DormandPrince54{.project = true}, given, run);
    run.summary.print();
    example::draw(run, {"skate", 2000, 1400});
  });
}
