#pragma once

#include <concepts>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/problem/concepts.hpp>

namespace dalembert::detail {

/// Whether every number in `state` is finite, as far as can be told at each step: the state's own word, else
/// its energy.
template <Observable P>
bool is_finite(const P& problem, const typename P::State& state) {
  using std::isfinite;
  if constexpr (requires {
                  { state.is_finite() } -> std::convertible_to<bool>;
                }) {
    return state.is_finite();
  } else {
    return isfinite(problem.energy(state));
  }
}

/// The same at the start of a run, where it may take longer: also numbers that the energy does not depend on,
/// and those that a state leaves out at each step.
template <Observable P>
bool is_finite_throughout(const P& problem, const typename P::State& state) {
  if constexpr (requires {
                  { state.is_finite_throughout() } -> std::convertible_to<bool>;
                }) {
    return state.is_finite_throughout();
  } else {
    if (!is_finite(problem, state)) return false;
    if constexpr (CoordinateProblem<P>)  // what is not finite has no difference from itself
      return all_finite(problem.difference(state, state).coordinates());
    else
      return true;
  }
}

/// Whether `state` is finite and the problem holds there. Throws what the problem throws where it does not
/// hold.
template <Observable P>
bool is_good(const P& problem, const typename P::State& state) {
  if (!is_finite(problem, state)) return false;
  if constexpr (ValidatedProblem<P>) problem.require_valid(state);
  return true;
}

}  // namespace dalembert::detail
