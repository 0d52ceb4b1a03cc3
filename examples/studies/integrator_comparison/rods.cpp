// Two elastic rods that roll on each other.

#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "integrator_comparison/comparison.hpp"
#include "support/stable.hpp"

namespace comparison {

namespace {

/// The largest distance between nodes of two states, relative to the length of a rod [1].
template <class State>
double distance(const State& a, const State& b, double length) {
  double largest = 0;
  for (std::size_t i = 0; i < a.chains.size(); ++i)
    largest = std::max(largest, (a[i].configuration - b[i].configuration).leftCols(3).abs().maxCoeff());
  return largest / length;
}

}  // namespace

Table compare_rods(const Arguments& arguments) {
  using namespace dalembert;
  systems::RollingRodsParameters<double> parameters;
  parameters.elements =
      static_cast<int>(std::min<long>(arguments.rod_elements, std::numeric_limits<int>::max()));
  parameters.kernel_width = 1.5 * parameters.length / parameters.elements;
  const auto at_rest = systems::static_start(parameters);
  const auto problem = at_rest.problem();
  auto start = at_rest.state;
  systems::set_initial_velocity(problem, start, parameters);
  const double scale = problem.kinetic_energy(start), work_time = arguments.rod_t_end / 5;
  // a whole number of steps in the time of the table of work
  const double h =
      work_time /
      std::ceil(work_time / example::step(arguments.rod_dt, stable_part, Verlet{}, problem, start) - 1e-6);
  const long count = std::max(1L, std::lround(arguments.rod_t_end / h));

  auto exact = start;
  auto reference = DormandPrince853{.project = true}.stepper(problem, exact);
  const long fine = 8 * std::lround(work_time / h);
  for (long i = 0; i < fine; ++i) (void)reference.step(problem, exact, work_time / static_cast<double>(fine));

  const Subject<std::remove_cvref_t<decltype(problem)>> subject{
      .problem = problem,
      .start = start,
      .step = h,
      .steps = count,
      .energy = [&](const auto& at) { return problem.energy(at) / scale; },
      .work_time = work_time,
      .work_steps = {4 * h, 2 * h, h, h / 2},
      .error = [&](const auto& at) { return distance(exact, at, parameters.length); },
      .checks = {contact::no_overlap(problem)}};
  Table table{
      .name = "rods", .title = "Two rods that roll on each other", .energy = "energy per kinetic energy"};
  measure("Verlet", Verlet{}, subject, table);
  measure("Runge-Kutta 4", RungeKutta4{}, subject, table);
  measure("Runge-Kutta 4, projected", RungeKutta4{.project = true}, subject, table);
  measure("Dormand-Prince 8, projected", DormandPrince853{.project = true}, subject, table);
  measure("Gauss 2", Gauss<2>{}, subject, table);
  return table;
}

}  // namespace comparison
