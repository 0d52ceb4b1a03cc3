// Springs joined by a transmission that a pendulum drives: no reversibility to hide behind.

#include <dalembert/systems/pendulum_driver.hpp>

#include "integrator_comparison/small.hpp"

namespace comparison {

Table compare_driver(const Arguments& arguments, double rate) {
  using namespace dalembert;
  const systems::PendulumDriver<> driver;
  const LagrangeDAlembert problem{driver};
  const double zdot = 0.3;
  const auto start =
      problem.state(Rn<double, 3>(Vec<double, 3>(1, 0, 0)), {-driver.ratio(0.0) * zdot, zdot, rate});
  const double scale = driver.driven_energy(start.g, start.xi), work_time = 10;
  const auto exact = accurate(problem, start, work_time);
  const Subject<std::remove_cvref_t<decltype(problem)>> subject{
      .problem = problem,
      .start = start,
      .step = arguments.dt,
      .steps = arguments.steps,
      .energy = [&](const auto& at) { return driver.driven_energy(at.g, at.xi) / scale; },
      .work_time = work_time,
      .work_steps = {0.4, 0.2, 0.1, 0.05, 0.025, 0.0125},
      .error = [&](const auto& at) { return problem.difference(exact, at).norm(); }};
  Table table{.name = rate > 0 ? "driver_forward" : "driver_backward",
              .title = rate > 0 ? "Pendulum driver, pendulum going forward"
                                : "Pendulum driver, pendulum going backward",
              .energy = "energy of the driven part"};
  measure_all(subject, table);
  return table;
}

}  // namespace comparison
