// Chaplygin's sleigh, against its closed form.

#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "integrator_comparison/small.hpp"

namespace comparison {

Table compare_sleigh(const Arguments& arguments) {
  using namespace dalembert;
  const systems::ChaplyginSleigh<double> sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  const LagrangeDAlembert problem{sleigh};
  const systems::ChaplyginSleigh<double>::Motion motion{.u = -1, .omega = 0.05, .phi = 0};
  const auto start = problem.state(SE2d(), {motion.u, 0, motion.omega});
  const double scale = problem.energy(start), work_time = 40;
  const Subject<std::remove_cvref_t<decltype(problem)>> subject{
      .problem = problem,
      .start = start,
      .step = arguments.dt,
      .steps = std::min(arguments.steps, std::lround(100 / arguments.dt)),
      .energy = [&](const auto& at) { return problem.energy(at) / scale; },
      .work_time = work_time,
      .work_steps = {1.6, 0.8, 0.4, 0.2, 0.1, 0.05},
      .error =
          [&](const auto& at) {
            const auto exact = sleigh.exact(motion, at.time);
            return std::max(
                {std::abs(at.xi[0] - exact.u), std::abs(at.xi[2] - exact.omega),
                 std::abs(std::remainder(at.g.angle() - exact.phi, 2 * static_cast<double>(pi)))});
          }};
  Table table{.name = "sleigh", .title = "Chaplygin's sleigh through its turn", .energy = "energy"};
  measure_all(subject, table);
  return table;
}

}  // namespace comparison
