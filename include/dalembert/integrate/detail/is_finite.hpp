#pragma once

#include <cmath>
#include <concepts>

#include <dalembert/integrate/concepts.hpp>

namespace dalembert::detail {

/// Whether every number in `state` is finite, as far as can be told: the state's own word, else its energy.
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

}  // namespace dalembert::detail
