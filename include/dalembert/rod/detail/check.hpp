#pragma once

#include <cstddef>
#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// What a problem of rods refuses in a state: numbers that are not finite, and elements that turn too far.
/// What is thrown is made out of line, so that it does not stand in the way of what runs.
namespace dalembert::rod {

namespace detail {

/// Throws ElementTurnedTooFar for the element of `chain` that turns most.
template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_turned_too_far(const Chain<S>& chain, std::size_t rod,
                                                                 S time) {
  Eigen::Index worst = 0;
  S least = std::numeric_limits<S>::infinity();
  const auto& q = chain.configuration;
  for (Eigen::Index k = 0; k + 1 < chain.nodes; ++k) {
    S w(0);
    for (int i = 3; i < 7; ++i) w += q(k, i) * q(k + 1, i);
    if (number::abs(w) < least) {
      least = number::abs(w);
      worst = k;
    }
  }
  throw ElementTurnedTooFar(rod, static_cast<long>(worst), 2 * std::acos(number::plain(least)),
                            number::plain(time));
}

}  // namespace detail

/// Throws NotFinite at `time` [s] for a value that is not.
template <class S>
void check_finite(S value, const char* what, S time) {
  if (!number::isfinite(value)) [[unlikely]]
    dalembert::detail::throw_not_finite(what, number::plain(value), number::plain(time));
}

}  // namespace dalembert::rod
