#pragma once

#include <algorithm>
#include <cmath>

#include <dalembert/analysis/tangent_spectrum.hpp>
#include <dalembert/core/errors.hpp>

#include "rods_lyapunov/systems.hpp"

namespace rods_lyapunov {

/// The exponents of a motion from `state`, which is struck with this kinetic energy [J], in steps of about
/// `step` [s], columns being made orthonormal again so many times a period.
template <class Method, class Problem>
void measure(const Arguments& p, const Method& method, const Problem& problem,
             const typename Problem::State& state, double kinetic, double step, double times,
             Member& member) {
  namespace analysis = dalembert::analysis;
  analysis::Directions<Problem> directions;
  directions.count = static_cast<int>(p.exponents);
  directions.without_flow = dalembert::Problem<Problem>;
  analysis::DifferencedTangents tangents(method, problem, state);
  const auto found = analysis::tangent_spectrum(tangents,
                                                {.step = step,
                                                 .duration = p.periods * member.period,
                                                 .interval = member.period / times,
                                                 .transient = p.settling * member.period},
                                                directions);
  member.energy_change = std::abs(problem.energy(tangents.state()) - problem.energy(state)) / kinetic;
  member.exponents = found.exponents;
  member.errors = found.error;
  if (found.removed.size() > 0) member.flow = found.removed[0];
  for (Eigen::Index i = 0; i < found.exponents.size(); ++i)
    if (found.exponents[i] > 3 * found.error[i]) member.positive_sum += found.exponents[i];
}

}  // namespace rods_lyapunov
