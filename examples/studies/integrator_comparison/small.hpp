#pragma once

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/compose.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/symmetric.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "integrator_comparison/comparison.hpp"

namespace comparison {

/// The integrators that serve small systems, on one of them.
template <class P>
void measure_all(const Subject<P>& subject, Table& table) {
  using namespace dalembert;
  measure("leapfrog", NonholonomicLeapfrog{}, subject, table);
  measure("energy preserving", NonholonomicEnergyPreserving{}, subject, table);
  measure("McLachlan-Perlmutter", NonholonomicMcLachlanPerlmutter{}, subject, table);
  measure("McLachlan-Perlmutter, 4", Composition<NonholonomicMcLachlanPerlmutter, 4>{}, subject, table);
  measure("Runge-Kutta 4", RungeKutta4{}, subject, table);
  measure("Runge-Kutta 4, projected", RungeKutta4{.project = true}, subject, table);
  measure("Dormand-Prince 8, projected", DormandPrince853{.project = true}, subject, table);
  measure("Gauss 2", Gauss<2>{}, subject, table);
  measure("Gauss 3", Gauss<3>{}, subject, table);
  measure("Gauss 4", Gauss<4>{}, subject, table);
  measure("Radau 3", Radau<3>{}, subject, table);
}

/// The state after `time` from an accurate run.
template <class P>
typename P::State accurate(const P& problem, typename P::State state, double time) {
  const dalembert::DormandPrince853 method{.project = true};
  auto stepper = method.stepper(problem, state);
  const long count = std::lround(time * 400);
  for (long i = 0; i < count; ++i) (void)stepper.step(problem, state, time / static_cast<double>(count));
  return state;
}

}  // namespace comparison
