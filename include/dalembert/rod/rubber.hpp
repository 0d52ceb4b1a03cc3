#pragma once

#include <limits>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/rod/material.hpp>

/// A rubber rod, which may be stretched several times its length: neo-Hookean along its axis, linear in all else. With λ = Γ₃,
///   W = (EA/6)(λ² + 2/λ − 3) + ½ k₁GA Γ₁² + ½ k₂GA Γ₂² + ½ (Ω − Ω₀)·diag(EI₁, EI₂, GJ)(Ω − Ω₀)                     (1)
///   n₃ = (EA/3)(λ − 1/λ²),  ∂n₃/∂λ = (EA/3)(1 + 2/λ³)                                                              (2)
/// the energy of an incompressible bar of shear modulus E/3 whose section shrinks as 1/λ. It is not defined for λ ≤ 0, and infinite at 0: there the
/// material gives not-a-number, rates throw NotFinite, and a run ends in IntegrationFailure with the last good state.
/// Source: Treloar 1975, The Physics of Rubber Elasticity, eq. (4.14).
namespace dalembert::rod {

/// Equation (1).
template <class S>
class NeoHookeanRod {
 public:
  using Scalar = S;  ///< the number type

  /// Diagonal of the stiffness at rest, as that of a section [N, N m²], and Ω₀ [1/m]; throws std::invalid_argument unless the stiffness is positive and
  /// finite and the rest curvature finite.
  explicit NeoHookeanRod(const Vec<S, 6>& stiffness, const Vec<S, 3>& rest_curvature = Vec<S, 3>::Zero())
      : k_(stiffness) {
    rest_.curvature = rest_curvature;
    for (int i = 0; i < 6; ++i)
      require_entry(number::isfinite(k_[i]) && k_[i] > 0, "NeoHookeanRod", "stiffness",
                    static_cast<std::size_t>(i), k_[i], "a stiffness must be positive and finite [N, N m^2]");
    detail::require_finite_rest("NeoHookeanRod", rest_);
  }

  /// n and m, equation (2).
  template <class L>
  [[nodiscard]] Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    Stress<L> s;
    for (int i = 0; i < 3; ++i) {
      s.force[i] = L(k_[i]) * stretch[i];
      s.moment[i] = L(k_[3 + i]) * (curvature[i] - L(rest_.curvature[i]));
    }
    const L lambda = in_domain(stretch[2]);
    s.force[2] = L(k_[2] / S(3)) * (lambda - L(S(1)) / (lambda * lambda));
    return s;
  }
  /// W [J/m].
  template <class L>
  [[nodiscard]] L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    const L lambda = in_domain(stretch[2]), over = lambda - L(S(1));
    // λ² + 2/λ − 3 = (λ − 1)²(λ + 2)/λ
    L w = L(k_[2] / S(6)) * over * over * (lambda + L(S(2))) / lambda;
    for (int i = 0; i < 3; ++i) {
      const L b = curvature[i] - L(rest_.curvature[i]);
      w += L(S(0.5) * k_[3 + i]) * b * b;
      if (i < 2) w += L(S(0.5) * k_[i]) * stretch[i] * stretch[i];
    }
    return w;
  }
  /// ∂(n, m)/∂(Γ, Ω) [N, N m²].
  [[nodiscard]] Mat<S, 6, 6> tangent(const Vec<S, 3>& stretch, const Vec<S, 3>&) const {
    Mat<S, 6, 6> k = dalembert::detail::diagonal(k_);
    const S lambda = in_domain(stretch[2]);
    k(2, 2) = k_[2] / S(3) * (S(1) + S(2) / (lambda * lambda * lambda));
    return k;
  }
  /// Γ₀ = e₃ and Ω₀.
  [[nodiscard]] const RestStrain<S>& rest() const noexcept { return rest_; }
  /// Diagonal of the stiffness at rest [N, N m²].
  [[nodiscard]] const Vec<S, 6>& stiffness() const noexcept { return k_; }

 private:
  /// λ, or not-a-number.
  template <class L>
  [[nodiscard]] static L in_domain(const L& lambda) noexcept {
    return select(lambda > L(S(0)), lambda, L(std::numeric_limits<S>::quiet_NaN()));
  }

  Vec<S, 6> k_;
  RestStrain<S> rest_;
};

}  // namespace dalembert::rod
