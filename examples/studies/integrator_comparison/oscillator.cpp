// The chaotic oscillator with seven coordinates.

#include <dalembert/systems/chaotic_oscillator.hpp>

#include "integrator_comparison/small.hpp"

namespace comparison {

Table compare_oscillator(const Arguments& arguments) {
  using namespace dalembert;
  const LagrangeDAlembert problem{systems::ChaoticOscillator<double, 3>{}};
  const double angle = 40 * static_cast<double>(pi) / 180;
  Vec<double, 7> q, v;
  q << std::cos(angle), 0.6, 0.4, 0.2, 1, 1, 1;
  v << 0, std::sin(angle), 0, 0, 0, 0, 0;
  const auto start = problem.state(Rn<double, 7>(q), v);
  const double scale = problem.energy(start), work_time = 10;
  const auto exact = accurate(problem, start, work_time);
  const Subject<std::remove_cvref_t<decltype(problem)>> subject{
      .problem = problem,
      .start = start,
      .step = arguments.dt,
      .steps = arguments.steps,
      .energy = [&](const auto& at) { return problem.energy(at) / scale; },
      .work_time = work_time,
      .work_steps = {0.4, 0.2, 0.1, 0.05, 0.025, 0.0125},
      .error = [&](const auto& at) { return problem.difference(exact, at).norm(); }};
  Table table{.name = "oscillator", .title = "Chaotic oscillator with 7 coordinates", .energy = "energy"};
  measure_all(subject, table);
  return table;
}

}  // namespace comparison
