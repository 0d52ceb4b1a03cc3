#pragma once

#include <chrono>
#include <iostream>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "rolling_rods/options.hpp"
#include "rolling_rods/pictures.hpp"
#include "rolling_rods/recorder.hpp"
#include "support/progress.hpp"

/// Put what a run gave into its summary, whether it came to its end or not.
template <class Problem>
void report(const Recorder<Problem>& seen, example::Summary& summary) {
  summary.figure("kinetic_energy_initial", seen.kinetic_energy(), "J", "kinetic energy at the start");
  summary.figure("energy_error", seen.energy_error, "1",
                 "largest change of energy over the initial kinetic energy");
  summary.figure("no_slip_max", seen.no_slip_max, "m/s", "largest slip at the contact");
  summary.figure("gap_error_max", seen.gap_error_max, "m",
                 "largest error of the distance of the centrelines");
  summary.figure("tangency_max", seen.tangency_max, "m", "largest residual of the tangency");
  summary.figure("lambda_normal_min", seen.lambda_normal_min, "N", "smallest normal force");
  summary.figure("cone_utilisation_max", seen.cone_max(), "1", "largest tangential over normal force");
  summary.figure("cone_utilisation_median", seen.cone_median(), "1", "median of the same");
  summary.figure("s1_final", seen.s_final[0], "m", "contact position on rod 1 at the end");
  summary.figure("s2_final", seen.s_final[1], "m", "contact position on rod 2 at the end");
  summary.figure("t_final", seen.time_final, "s", "end of the run");
}

/// Run with every choice made.
template <class Contact, class Method>
void simulate(const Method& method, const Options& options, example::Run& run) {
  using namespace dalembert;
  typename Contact::Parameters how;
  how.integrate_positions = options.positions == "integrated";
  how.bilateral = options.contact == "bilateral";
  const auto start = systems::static_start<Contact>(options.rods, {}, how);
  const auto problem = start.problem();
  using Problem = std::remove_const_t<decltype(problem)>;
  auto state = problem.state(start.chains, start.equilibrium.contact);
  run.summary.figures("static", {{"s1", start.equilibrium.contact.s[0]},
                                 {"s2", start.equilibrium.contact.s[1]},
                                 {"lambda_normal", start.equilibrium.normal_force},
                                 {"energy", start.equilibrium.energy}});
  systems::set_initial_velocity(problem, state, options.rods);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  run.summary.figures("initial", {{"lambda_normal", rates.multiplier.components[0]},
                                  {"s1_rate", rates.multiplier.rate[0]},
                                  {"s2_rate", rates.multiplier.rate[1]}});

  Recorder<Problem> recorder(problem, state, run.out, options.rods.radius, options.t_end, options.frames);
  double watching = 0;
  const auto watch = [&](const Problem& p, const typename Problem::State& x) {
    const auto begin = std::chrono::steady_clock::now();
    recorder(p, x);
    watching += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto begin = std::chrono::steady_clock::now();
  const auto finish = [&](long steps) {
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report(recorder, run.summary);
    const double nodes = 2.0 * static_cast<double>(problem.rods()[0].nodes());
    if (steps > 0)
      run.summary.figure("node_step_ns", (wall - watching) * 1e9 / (nodes * static_cast<double>(steps)), "ns",
                         "time per node and step, output apart");
    run.summary.figure("wall_seconds", wall, "s", "time of the run with its output");
    run.summary.print();
    recorder.flush();
    draw_pictures(run.out, recorder.shape_times());
  };
  try {
    const auto done = drive(method, problem, state,
                            {.step = options.dt,
                             .until = options.t_end,
                             .output_interval = options.output_interval,
                             .progress = example::progress_line()},
                            watch);
    run.summary.violation(done);
    finish(done.steps);
  } catch (const InvalidState&) {
    finish(0);
    throw;
  }
}

template <class Contact>
void simulate_with_contact(const Options& options, example::Run& run) {
  const bool project = options.projection == "on";
  if (options.integrator == "verlet") simulate<Contact>(dalembert::Verlet{}, options, run);
  if (options.integrator == "rk4")
    simulate<Contact>(dalembert::RungeKutta4{.project = project}, options, run);
  if (options.integrator == "dopri5")
    simulate<Contact>(dalembert::DormandPrince54{.project = project}, options, run);
}

/// Every smearing and tangency for one kernel.
template <class Kernel>
void simulate_with_kernel(const Options& options, example::Run& run) {
  using namespace dalembert::contact;
  const bool gamma = options.tangency == "gamma";
  if (options.smearing == "spatial") {
    if (gamma)
      return simulate_with_contact<RollingContact<double, Kernel, SpatialSmearing, CentrelineTangency>>(
          options, run);
    return simulate_with_contact<RollingContact<double, Kernel, SpatialSmearing, MaterialTangency>>(options,
                                                                                                    run);
  }
  if (gamma)
    return simulate_with_contact<RollingContact<double, Kernel, BodySmearing, ElementTangency>>(options, run);
  return simulate_with_contact<RollingContact<double, Kernel, BodySmearing, MaterialTangency>>(options, run);
}
