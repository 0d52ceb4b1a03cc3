// Every kernel, smearing, tangency and integrator. They share most of what is compiled for them, so they are in one file.

#include <chrono>
#include <type_traits>
#include <vector>

#include <dalembert/contact/bias.hpp>
#include <dalembert/contact/crossing_view.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/contact/rolling_of_rods.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "rolling_rods/options.hpp"
#include "rolling_rods/recorder.hpp"
#include "support/progress.hpp"
#include "support/stable.hpp"

namespace {

/// Run with one kind of contact, for rods that are at rest.
template <class Start, class Contact>
void simulate_with_contact(const Options& options, example::Run& run, const Start& start, Contact contact) {
  using namespace dalembert;
  contact.bilateral = options.contact == "bilateral";
  contact.integrate_positions = options.positions == "integrated";
  const assembly::Assembly problem{assembly::kinds(start.rods), assembly::kinds(std::vector{contact})};
  using Problem = std::remove_const_t<decltype(problem)>;
  auto state = problem.state(start.state.chains, start.state.z);
  const auto view = contact::view(start.crossing, start.state, start.equilibrium.lambda);
  run.summary.group("static", {{"s1", state.z[0]},
                               {"s2", state.z[1]},
                               {"lambda_normal", view.components[0]},
                               {"energy", start.equilibrium.energy}});
  systems::set_initial_velocity(problem, state, options.rods);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  run.summary.group("initial", {{"lambda_normal", contact::view(contact, state, rates.lambda).components[0]},
                                {"s1_rate", rates.zdot[0]},
                                {"s2_rate", rates.zdot[1]}});

  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  Recorder recorder(options, run, problem.energy(state), problem.kinetic_energy(state));
  double watching = 0;
  const auto watch = [&](const Problem& p, const typename Problem::State& x) {
    const auto begin = Clock::now();
    p.rates(x, rates);
    recorder({x.time, p.energy(x), p.kinetic_energy(x), x.chains, contact::view(contact, x, rates.lambda),
              p.constraint(x).velocity, contact::gap_bias(contact, x.chains, x.z)});
    watching += since(begin);
  };
  const auto begin = Clock::now();
  const auto finish = [&](long steps) {
    const double wall = since(begin);
    recorder.report(run.summary);
    const double nodes = 2.0 * static_cast<double>(start.rods[0].nodes());
    if (steps > 0)
      run.summary.figure("node_step_ns", (wall - watching) * 1e9 / (nodes * static_cast<double>(steps)), "ns",
                         "time per node and step, output apart");
    run.summary.figure("wall_seconds", wall, "s", "time of the run with its output");
    run.summary.print();
    recorder.close();
    recorder.draw(run);
  };
  const auto march = [&](const auto& method) {
    const auto done = drive(method, problem, state,
                            {.step = example::step(options.dt, stable_part, method, problem, state),
                             .until = options.t_end,
                             .output_interval = options.output_interval,
                             .checks = {contact::no_overlap(problem)},
                             .progress = example::progress_line()},
                            watch);
    run.summary.violation(done);
    return done.steps;
  };
  const bool project = options.projection == "on";
  try {
    finish(options.integrator == "verlet" ? march(Verlet{})
           : options.integrator == "rk4"  ? march(RungeKutta4{.project = project})
                                          : march(DormandPrince54{.project = project}));
  } catch (const InvalidState&) {
    finish(0);
    throw;
  }
}

/// Every smearing and tangency for one kernel.
template <class Kernel>
void simulate_with_kernel(const Options& options, example::Run& run) {
  using namespace dalembert::contact;
  const bool gamma = options.tangency == "gamma", bilateral = options.contact == "bilateral";
  const auto start = dalembert::systems::static_start(options.rods, {}, bilateral, Kernel{});
  const auto& c = start.crossing;
  const auto simulate = [&]<class Smearing, class Tangency>(Smearing, Tangency) {
    simulate_with_contact(
        options, run, start,
        RollingOfRods<double, Kernel, Smearing, Tangency>{c.first, c.second, c.radius1, c.radius2});
  };
  if (options.smearing == "spatial" && gamma) simulate_with_contact(options, run, start, c);
  if (options.smearing == "spatial" && !gamma) simulate(SpatialSmearing{}, MaterialTangency{});
  if (options.smearing == "body" && gamma) simulate(BodySmearing{}, ElementTangency{});
  if (options.smearing == "body" && !gamma) simulate(BodySmearing{}, MaterialTangency{});
}

}  // namespace

void simulate(const Options& options, example::Run& run) {
  using namespace dalembert::contact;
  if (options.kernel == "cubic") simulate_with_kernel<CubicSpline>(options, run);
  if (options.kernel == "quintic") simulate_with_kernel<QuinticSpline>(options, run);
  if (options.kernel == "compact") simulate_with_kernel<CompactBump>(options, run);
}
