#include <algorithm>
#include <cmath>
#include <vector>

#include <dalembert/contact/no_overlap.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "own_solver/cases.hpp"

namespace own_solver {

std::vector<Line> solve_rods(const Options& options) {
  using namespace dalembert;
  systems::RollingRodsParameters<double> p;
  p.elements = static_cast<int>(options.elements);
  p.kernel_width = p.length / p.elements;
  p.strike = 1;
  p.roll = 1;
  // The contact positions follow their rates, so that they are unknowns like the others; Verlet solves for them after each
  // step instead. The contact may pull.
  const auto begin = systems::static_start(p, {}, true);
  auto follows = begin.crossing;
  follows.integrate_positions = true;
  const Counted problem{assembly::Assembly{assembly::bodies(begin.rods), assembly::constraints(follows)}};
  const Counted solved{begin.problem()};
  using Problem = std::remove_const_t<decltype(problem)>;
  auto start = begin.state;
  systems::set_initial_velocity(problem, start, p);

  // The largest distance between nodes [m].
  const auto distance = [](const Problem::State& a, const Problem::State& b) {
    double largest = 0;
    for (std::size_t r = 0; r < a.chains.size(); ++r)
      for (Eigen::Index k = 0; k < a[r].nodes; ++k)
        largest = std::max(largest, (a[r].position(k) - b[r].position(k)).norm());
    return largest;
  };
  auto reference = start;
  drive(DormandPrince54{}, problem, reference,
        {.step = options.rods_t_end / 2000,
         .until = options.rods_t_end,
         .checks = {contact::no_overlap(problem)}});
  const Case<Problem> c{problem, start, options.rods_t_end, 1, reference, distance};
  const Case<Problem> c_solved{solved, start, options.rods_t_end, 1, reference, distance};

  std::vector<Line> lines;
  for (double step = 2e-4; step > 3e-6; step /= 2)
    lines.push_back(by_ours(c_solved, "Verlet", Verlet{}, step, 0));
  for (double step = 2e-4; step > 1e-5; step /= 2)
    lines.push_back(by_ours(c, "RungeKutta4", RungeKutta4{}, step, 0));
  for (const double tolerance : tolerances(options))
    lines.push_back(by_ours(c, "DormandPrince54", DormandPrince54{}, 1e-5, tolerance));
  by_others(c, 1e-5, tolerances(options), lines);
  return lines;
}

}  // namespace own_solver
