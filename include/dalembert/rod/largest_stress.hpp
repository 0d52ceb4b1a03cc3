#pragma once

#include <dalembert/core/number.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/strain.hpp>

/// The largest stresses in a section under the resultants (n, m); in a circular one of radius a
///   σ = n₃/A,  σ_b = √(m₁² + m₂²) a/I,  τ_t = m₃ a/2I,  τ_s = 4/3 √(n₁² + n₂²)/A                         (1)
/// from stretching, bending (at the fibre farthest from its axis), twist (at the surface) and shear (in the
/// middle). Source: Timoshenko 1955, Strength of materials I, sections 26, 64.
namespace dalembert::rod {

/// Stresses of equation (1) [Pa].
template <class S = double>
struct LargestStress {
  S axial{};    ///< σ, positive where the rod is pulled
  S bending{};  ///< σ_b
  S torsion{};  ///< τ_t
  S shear{};    ///< τ_s

  /// The largest normal stress, |σ| + σ_b.
  [[nodiscard]] S normal() const { return number::abs(axial) + bending; }
  /// A bound on the shear stress: τ_t and τ_s are largest at different places.
  [[nodiscard]] S tangential() const noexcept { return torsion + shear; }
  /// A bound on von Mises's equivalent stress, √(σ² + 3τ²), for the same reason.
  [[nodiscard]] S von_mises() const {
    const S sigma = normal(), tau = tangential();
    return number::sqrt(S(sigma * sigma + S(3) * tau * tau));
  }
};

/// The largest stresses in a section under resultants in its frame [N, N m].
template <class S>
[[nodiscard]] LargestStress<S> largest_stress(const CircularSection<S>& section, const Stress<S>& stress) {
  const Vec<S, 3>&n = stress.force, &m = stress.moment;
  const S per_moment = section.radius() / section.second_moment();
  return {n[2] / section.area(), per_moment * number::sqrt(S(m[0] * m[0] + m[1] * m[1])),
          per_moment / S(2) * number::abs(m[2]),
          S(4) / S(3) * number::sqrt(S(n[0] * n[0] + n[1] * n[1])) / section.area()};
}

/// The same for a section of another shape, from its area A, second moments I₁, I₂, farthest fibres x₁,
/// x₂ and torsion modulus W,
///   σ_b = |m₁| x₂/I₁ + |m₂| x₁/I₂,  τ_t = |m₃|/W,  τ_s = 2 √(n₁² + n₂²)/A                                (2)
/// σ_b is that of the corner of a rectangle and not less than that of any shape; τ_s that of a thin tube,
/// where a rectangle has 3/2 in place of 2.
template <class Section, class S>
  requires requires(const Section& section) {
    section.area();
    section.second_moments()[1];
    section.farthest_fibres()[1];
    section.torsion_modulus();
  }
[[nodiscard]] LargestStress<S> largest_stress(const Section& section, const Stress<S>& stress) {
  const Vec<S, 3>&n = stress.force, &m = stress.moment;
  const Vec<S, 2> inertia = section.second_moments(), fibre = section.farthest_fibres();
  return {n[2] / section.area(),
          number::abs(m[0]) * fibre[1] / inertia[0] + number::abs(m[1]) * fibre[0] / inertia[1],
          number::abs(m[2]) / section.torsion_modulus(),
          S(2) * number::sqrt(S(n[0] * n[0] + n[1] * n[1])) / section.area()};
}

}  // namespace dalembert::rod
