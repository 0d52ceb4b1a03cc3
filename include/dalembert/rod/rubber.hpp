#pragma once

#include <limits>

#include <dalembert/core/real.hpp>
#include <dalembert/rod/material.hpp>

/// A rubber rod, which may be stretched several times its length: neo-Hookean along its axis, linear in all
/// else. With λ = Γ₃,
///   W = (EA/6)(λ² + 2/λ − 3) + ½ k₁GA Γ₁² + ½ k₂GA Γ₂² + ½ (Ω − Ω₀)·diag(EI₁, EI₂, GJ)(Ω − Ω₀)           (1)
///   n₃ = (EA/3)(λ − 1/λ²),  ∂n₃/∂λ = (EA/3)(1 + 2/λ³)                                                    (2)
/// the energy of an incompressible bar of shear modulus E/3 whose section shrinks as 1/λ. It is not defined
/// for λ ≤ 0, and infinite at 0: there the material gives not-a-number, rates throw NotFinite, and a run
/// ends in IntegrationFailure with the last good state.
/// Source: Treloar 1975, The Physics of Rubber Elasticity, eq. (4.14).
namespace dalembert::rod {

/// Equation (1).
template <class S = double>
class NeoHookeanRod : public LinearElastic<S> {
 public:
  static constexpr bool quadratic_energy = false;  ///< not along the axis

  /// Diagonal of the stiffness at rest, as that of a section [N, N m²], and Ω₀ [1/m]; throws
  /// std::invalid_argument unless the stiffness is positive and finite and the rest curvature finite.
  explicit NeoHookeanRod(const Vec<S, 6>& stiffness, const Vec<S, 3>& rest_curvature = Vec<S, 3>::Zero())
      : LinearElastic<S>(stiffness, {.curvature = rest_curvature}, "NeoHookeanRod") {}

  /// n and m, equation (2).
  template <class L>
  [[nodiscard]] Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    Stress<L> s = LinearElastic<S>::stress(stretch, curvature);
    const L lambda = in_domain(stretch[2]);
    s.force[2] = L(this->numbers_[2] / S(3)) * (lambda - L(S(1)) / (lambda * lambda));
    return s;
  }
  /// W [J/m].
  template <class L>
  [[nodiscard]] L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    const L lambda = in_domain(stretch[2]), over = lambda - L(S(1));
    const Vec<L, 3> sheared(stretch[0], stretch[1], L(S(1)));
    // λ² + 2/λ − 3 = (λ − 1)²(λ + 2)/λ
    return L(this->numbers_[2] / S(6)) * over * over * (lambda + L(S(2))) / lambda +
           LinearElastic<S>::energy(sheared, curvature);
  }
  /// ∂(n, m)/∂(Γ, Ω) [N, N m²].
  [[nodiscard]] Mat<S, 6, 6> tangent(const Vec<S, 3>& stretch, const Vec<S, 3>& curvature) const {
    Mat<S, 6, 6> k = LinearElastic<S>::tangent(stretch, curvature);
    const S lambda = in_domain(stretch[2]);
    k(2, 2) = this->numbers_[2] / S(3) * (S(1) + S(2) / (lambda * lambda * lambda));
    return k;
  }

 private:
  /// λ, or not-a-number.
  template <class L>
  [[nodiscard]] static L in_domain(const L& lambda) noexcept {
    return select(lambda > L(S(0)), lambda, L(std::numeric_limits<S>::quiet_NaN()));
  }
};

}  // namespace dalembert::rod
