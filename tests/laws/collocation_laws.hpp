#pragma once

/// @file
/// What the laws of collocation share.

#include <limits>

#include <dalembert/integrate/collocation.hpp>

#include "support/cases.hpp"
#include "support/catch.hpp"

namespace test {

/// The state after a time of 1 in `steps` steps; constraints must hold at every node.
template <class M, class P>
typename P::State after(const M& method, const Case<P>& test_case, int steps) {
  using S = typename P::Scalar;
  auto state = test_case.start;
  auto stepper = method.stepper(test_case.problem, state);
  for (int i = 0; i < steps; ++i) {
    REQUIRE(stepper.step(test_case.problem, state, S(1) / S(steps)).converged);
    REQUIRE(test_case.problem.constraint(state).velocity < 20 * std::numeric_limits<S>::epsilon());
  }
  return state;
}

}  // namespace test
