#pragma once

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>

#include "support/program.hpp"
#include "support/progress.hpp"

namespace example {

/// Drive a state to the end of a march in steps of equal length, with a line of progress.
template <class Method, class Problem, class... Observers>
auto drive(const Method& method, const Problem& problem, typename Problem::State& state, const March& march,
           Observers&... observers) {
  return dalembert::drive(method, problem, state,
                          {.step = march.dt, .until = march.t_end, .progress = progress_line()},
                          observers...);
}

/// What f makes of the method that a march names.
template <class F>
auto with_method(const March& march, F&& f) {
  if (march.integrator == "rk4") return f(dalembert::RungeKutta4{});
  return f(dalembert::DormandPrince54{});
}

}  // namespace example
