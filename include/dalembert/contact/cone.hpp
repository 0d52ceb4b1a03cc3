#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>

/// The friction cone: whether dry friction of coefficient k can hold a rolling contact.
///   rolls if λ_n > 0 and |λ_t| ≤ k λ_n                                                              (1)
///   1 − 1/√(1 + k²)     the part of the hemisphere that lies in the cone of half-angle atan k       (2)
/// Source: Gay-Balmaz & Putkaradze, introduction, with the solid angle of the cone in place of its
/// half-angle.
namespace dalembert::contact {

/// |λ_t|/λ_n of the components (λ_n, λ_t1, λ_t2) of a contact force, as `ContactEvaluation` has them:
/// the least coefficient of friction that holds it. Infinite for a contact that does not push.
template <PlainReal S>
[[nodiscard]] S required_friction(const Vec<S, 3>& components) noexcept {
  if (!(components[0] > 0)) return std::numeric_limits<S>::infinity();
  return std::hypot(components[1], components[2]) / components[0];
}

/// (1) for the components (λ_n, λ_t1, λ_t2) of a contact force. Throws std::invalid_argument for a
/// coefficient that is negative or NaN.
template <PlainReal S>
[[nodiscard]] bool inside_friction_cone(const Vec<S, 3>& components, std::type_identity_t<S> friction) {
  require(friction >= 0, "rolls", "friction", friction, "a coefficient of friction must not be negative");
  return components[0] > 0 && required_friction(components) <= friction;
}

/// (2): the probability that a contact rolls if its force has any direction that pushes, all alike. Throws
/// std::invalid_argument for a coefficient that is negative or not finite.
template <PlainReal S>
[[nodiscard]] S rolling_fraction(S friction) {
  require(friction >= 0 && friction < std::numeric_limits<S>::infinity(), "rolling_fraction", "friction",
          friction, "a coefficient of friction must be finite and not negative");
  const S slant = std::hypot(S(1), friction);
  return friction / slant * (friction / (slant + S(1)));
}

namespace detail {

/// A number in [0, 1] from a generator of random bits.
template <PlainReal S, class Generator>
[[nodiscard]] S random_fraction(Generator& generator) {
  constexpr S least = static_cast<S>(Generator::min()), most = static_cast<S>(Generator::max());
  return (static_cast<S>(generator()) - least) / (most - least);
}

}  // namespace detail

/// The same by sampling: the part of `samples` random directions from `generator` (std::mt19937_64, say) that
/// roll; its standard deviation is √(p(1 − p)/samples). Throws std::invalid_argument as
/// `rolling_fraction` does, and without samples.
template <PlainReal S, class Generator>
  requires requires(Generator& generator) {
    { generator() } -> std::unsigned_integral;
  }
[[nodiscard]] S sampled_rolling_fraction(S friction, long samples, Generator& generator) {
  require(samples > 0, "sampled_rolling_fraction", "samples", samples, "there must be at least one");
  const auto fraction = [&] { return detail::random_fraction<S>(generator); };
  long rolling = 0;
  for (long i = 0; i < samples; ++i) {
    Vec<S, 3> force;  // uniform in the half ball, so that its direction is uniform in the hemisphere
    do force = {fraction(), S(2) * fraction() - S(1), S(2) * fraction() - S(1)};
    while (!(force.squaredNorm() <= S(1)));
    if (inside_friction_cone(force, friction)) ++rolling;
  }
  return S(rolling) / S(samples);
}

}  // namespace dalembert::contact
