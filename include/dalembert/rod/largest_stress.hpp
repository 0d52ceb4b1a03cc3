#pragma once

#include <dalembert/core/number.hpp>
#include <dalembert/rod/section.hpp>
#include <dalembert/rod/strain.hpp>

/// The largest stresses in a circular section of radius a under the resultants (n, m),
///   σ = n₃/A,  σ_b = √(m₁² + m₂²) a/I,  τ_t = m₃ a/2I,  τ_s = 4/3 √(n₁² + n₂²)/A                                           (1)
/// from stretching, bending (at the fibre farthest from its axis), twist (at the surface) and shear (in the middle).
/// Source: Timoshenko 1955, Strength of materials I, sections 26, 64.
namespace dalembert::rod {

/// Stresses of equation (1) [Pa].
template <class S>
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

}  // namespace dalembert::rod
