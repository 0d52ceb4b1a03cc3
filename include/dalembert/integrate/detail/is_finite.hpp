#pragma once

#include <cmath>
#include <concepts>

#include <dalembert/integrate/concepts.hpp>

namespace dalembert::detail {

/// Whether every number in `state` is finite, as far as can be told at each step: the state's own word, else its energy.
template <Problem P>
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

/// The same where time does not matter, at the start of a run: every number that the state can look at, and those of the columns that
/// small systems have.
template <Problem P>
bool is_finite_throughout(const P& problem, const typename P::State& state) {
  if constexpr (requires {
                  { state.is_finite_throughout() } -> std::convertible_to<bool>;
                }) {
    return state.is_finite_throughout();
  } else {
    return is_finite(problem, state);
  }
}

/// Whether `state` is finite and the problem holds there. Throws what the problem throws where it does not hold.
template <Problem P>
bool is_good(const P& problem, const typename P::State& state) {
  if (!is_finite(problem, state)) return false;
  if constexpr (requires { problem.require_valid(state); }) problem.require_valid(state);
  return true;
}

}  // namespace dalembert::detail
