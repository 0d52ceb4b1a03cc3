#pragma once

#include <dalembert/integrate/stable_step.hpp>

namespace example {

/// A step [s] as `Program::stable_step` declares it: `dt` where it is positive, else `part` of the longest that the method stands about
/// this state, so that finer rods take shorter steps by themselves.
template <class Method, class Problem>
[[nodiscard]] double step(double dt, double part, const Method& method, const Problem& problem,
                          const typename Problem::State& state) {
  return dt > 0 ? dt : dalembert::stable_step(method, problem, state, part);
}

}  // namespace example
