#include <algorithm>
#include <cmath>

#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "own_solver/cases.hpp"

namespace own_solver {

std::vector<Line> solve_sleigh(const Options& options) {
  using namespace dalembert;
  using Problem = Counted<LagrangeDAlembert<systems::ChaplyginSleigh<double>>>;
  const Problem problem{
      LagrangeDAlembert{systems::ChaplyginSleigh<double>{{.mass = 1.5, .inertia = 0.7, .offset = 0.4}}}};
  const auto start = problem.state(SE2d::identity(), {-0.6, 0, 0.5});

  // Metres, radians and their rates, all of the size of one here.
  const auto distance = [](const Problem::State& a, const Problem::State& b) {
    return std::max((b.g.inverse() * a.g).log().cwiseAbs().maxCoeff(), (a.xi - b.xi).cwiseAbs().maxCoeff());
  };
  auto reference = start;
  drive(DormandPrince54{}, problem, reference, {.step = options.t_end / 20000, .until = options.t_end});
  // The sleigh turns by less than a half in 2 s, so charts that long are good.
  const Case<Problem> c{problem,   start,   options.t_end, static_cast<int>(std::ceil(options.t_end / 2)),
                        reference, distance};

  std::vector<Line> lines;
  for (double step = 0.2; step > 1e-3; step /= 2)
    lines.push_back(by_ours(c, "RungeKutta4", RungeKutta4{}, step, 0));
  for (const double tolerance : tolerances(options))
    lines.push_back(by_ours(c, "DormandPrince54", DormandPrince54{}, 0.01, tolerance));
  by_others(c, 0.01, tolerances(options), lines);
  return lines;
}

}  // namespace own_solver
