#include <chrono>
#include <type_traits>
#include <vector>

#include <dalembert/contact/bias.hpp>
#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "rolling_rods/contacts.hpp"
#include "rolling_rods/recorder.hpp"
#include "support/progress.hpp"
#include "support/stable.hpp"

void simulate(const Options& options, example::Run& run) {
  using namespace dalembert;
  const Start start = ::start(options);
  const assembly::Assembly problem{assembly::bodies(start.rods), start.contacts};
  using Problem = std::remove_const_t<decltype(problem)>;
  auto state = problem.state(start.state.chains, start.state.z);
  run.summary.group("static", {{"s1", state.z[0]},
                               {"s2", state.z[1]},
                               {"lambda_normal", start.contact.components[0]},
                               {"energy", start.energy}});
  with_contact(start.contacts, [&](const auto& contact) {
    systems::set_initial_velocity(problem, contact, state, options.rods);
  });
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const auto view = [&](const Problem::State& x) {
    contact::ContactEvaluation<double> seen;
    with_contact(start.contacts,
                 [&](const auto& contact) { seen = contact::evaluate(contact, x, rates.lambda); });
    return seen;
  };
  run.summary.group(
      "initial",
      {{"lambda_normal", view(state).components[0]}, {"s1_rate", rates.zdot[0]}, {"s2_rate", rates.zdot[1]}});

  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  Recorder recorder(options, run, problem.energy(state), problem.kinetic_energy(state));
  double watching = 0;
  const auto watch = [&](const Problem& p, const Problem::State& x) {
    const auto begin = Clock::now();
    p.rates(x, rates);
    double bias = 0;
    with_contact(start.contacts,
                 [&](const auto& contact) { bias = contact::gap_bias(contact, x.chains, x.z); });
    recorder({x.time, p.energy(x), p.kinetic_energy(x), x.chains, view(x), p.constraint(x).velocity, bias});
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
    run.summary.final_state(state, done.steps);
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
