#pragma once

#include <cmath>
#include <limits>
#include <string>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/detail/small_solve.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>

/// Materials: the stored energy of the strains (Γ, Ω) and its derivative, the stress resultants (n, m).
///   Γ = Λᵀr′ (shear, shear, stretch), Ω = vee(ΛᵀΛ′) (bending, bending, twist)   [1, 1/m]
///   n = ∂W/∂Γ, m = ∂W/∂Ω                                                          [N, N m]
/// From W alone: rod/stored_energy.hpp. Rubber: rod/rubber.hpp. Stress of strain rates: rod/internal_damping.hpp.
namespace dalembert::rod {

/// Stress resultants of a section, in its frame.
template <class L>
struct Stress {
  Vec<L, 3> force;   ///< n [N]
  Vec<L, 3> moment;  ///< m [N m]
};

/// Strains at which the material is stress-free.
template <class S>
struct RestStrain {
  Vec<S, 3> stretch = Vec<S, 3>::UnitZ();   ///< Γ₀ [1]
  Vec<S, 3> curvature = Vec<S, 3>::Zero();  ///< Ω₀ [1/m]
};

namespace detail {
/// Throw std::invalid_argument unless a material can rest at these strains.
template <class S>
void require_finite_rest(const char* class_name, const RestStrain<S>& rest) {
  for (int i = 0; i < 3; ++i) {
    const auto entry = static_cast<std::size_t>(i);
    require_entry(number::isfinite(rest.stretch[i]), class_name, "rest stretch", entry, rest.stretch[i],
                  "a rest strain must be finite");
    require_entry(number::isfinite(rest.curvature[i]), class_name, "rest curvature", entry, rest.curvature[i],
                  "a rest strain must be finite [1/m]");
  }
}

/// force/strain, of numbers that mean something.
template <class S>
[[nodiscard]] S stiffness_for(const char* function, const S& force, const S& strain) {
  require(number::isfinite(force) && force > S(0), function, "force", force,
          "it must be positive and finite [N]");
  require(number::isfinite(strain) && strain > S(0), function, "strain", strain,
          "it must be positive and finite");
  return force / strain;
}
}  // namespace detail

/// A stored energy: `stress(Γ, Ω)` and `energy(Γ, Ω)` for any scalar that is made from `Scalar`.
template <class M>
concept Material = requires(const M& material, const Vec<typename M::Scalar, 3>& strain) {
  typename M::Scalar;
  { material.stress(strain, strain) } -> std::same_as<Stress<typename M::Scalar>>;
  { material.energy(strain, strain) } -> std::convertible_to<typename M::Scalar>;
  { material.rest() } -> std::convertible_to<RestStrain<typename M::Scalar>>;
};

/// Saint Venant and Kirchhoff: W = ½ (Γ − Γ₀)ᵀ diag(k₁, k₂, k₃) (Γ − Γ₀) + ½ (Ω − Ω₀)ᵀ diag(k₄, k₅, k₆) (Ω − Ω₀), the
/// usual material: right while the strains of all fibres are small, however far the rod is bent.
template <class S>
class LinearElastic {
 public:
  using Scalar = S;  ///< the number type

  /// Diagonal of the stiffness [N, N m²]; throws std::invalid_argument unless every entry is positive and finite, and the
  /// rest strains are finite.
  explicit LinearElastic(const Vec<S, 6>& stiffness, const RestStrain<S>& rest = {})
      : k_(stiffness), rest_(rest) {
    for (int i = 0; i < 6; ++i)
      require_entry(number::isfinite(k_[i]) && k_[i] > 0, "LinearElastic", "stiffness",
                    static_cast<std::size_t>(i), k_[i], "a stiffness must be positive and finite [N, N m^2]");
    detail::require_finite_rest("LinearElastic", rest_);
  }

  /// n = diag(k₁, k₂, k₃)(Γ − Γ₀), m = diag(k₄, k₅, k₆)(Ω − Ω₀).
  template <class L>
  [[nodiscard]] Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    Stress<L> s;
    for (int i = 0; i < 3; ++i) {
      s.force[i] = L(k_[i]) * (stretch[i] - L(rest_.stretch[i]));
      s.moment[i] = L(k_[3 + i]) * (curvature[i] - L(rest_.curvature[i]));
    }
    return s;
  }
  /// W [J/m].
  template <class L>
  [[nodiscard]] L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    L w(S(0));
    for (int i = 0; i < 3; ++i) {
      const L a = stretch[i] - L(rest_.stretch[i]);
      const L b = curvature[i] - L(rest_.curvature[i]);
      w += L(S(0.5) * k_[i]) * a * a + L(S(0.5) * k_[3 + i]) * b * b;
    }
    return w;
  }
  /// ∂(n, m)/∂(Γ, Ω) = diag(k), the same at all strains [N, N m²].
  [[nodiscard]] Mat<S, 6, 6> tangent(const Vec<S, 3>&, const Vec<S, 3>&) const {
    return dalembert::detail::diagonal(k_);
  }
  /// Γ₀ and Ω₀.
  [[nodiscard]] const RestStrain<S>& rest() const noexcept { return rest_; }
  /// Diagonal of the stiffness [N, N m²].
  [[nodiscard]] const Vec<S, 6>& stiffness() const noexcept { return k_; }

 private:
  Vec<S, 6> k_;
  RestStrain<S> rest_;
};

/// W = ½ eᵀ K e with e = (Γ − Γ₀, Ω − Ω₀) and a full symmetric 6×6 stiffness K.
template <class S>
class CoupledElastic {
 public:
  using Scalar = S;  ///< the number type

  /// Throws std::invalid_argument unless K is finite, symmetric but for rounding and positive definite, and
  /// the rest strains are finite.
  explicit CoupledElastic(const Mat<S, 6, 6>& stiffness, const RestStrain<S>& rest = {})
      : k_(stiffness), rest_(rest) {
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        require(number::isfinite(k_(i, j)), "CoupledElastic", message({"stiffness (", i, ", ", j, ")"}),
                k_(i, j), "a stiffness must be finite [N, N m^2]");
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < j; ++i) {
        const S size = number::sqrt(number::abs(k_(i, i))) * number::sqrt(number::abs(k_(j, j)));
        const S asymmetry = number::abs(k_(i, j) - k_(j, i));
        require(asymmetry <= S(4096) * std::numeric_limits<S>::epsilon() * size, "CoupledElastic",
                message({"asymmetry (", i, ", ", j, ")"}), asymmetry, "the stiffness must be symmetric");
      }
    require(dalembert::detail::is_positive_definite<S, 6>(k_), "CoupledElastic", "stiffness", "6x6 matrix",
            "it must be positive definite");
    detail::require_finite_rest("CoupledElastic", rest_);
  }

  /// (n, m) = K e.
  template <class L>
  [[nodiscard]] Stress<L> stress(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    const Vec<L, 6> e = deviation(stretch, curvature);
    Stress<L> s{Vec<L, 3>::Zero(), Vec<L, 3>::Zero()};
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 3; ++i) {
        s.force[i] += L(k_(i, j)) * e[j];
        s.moment[i] += L(k_(3 + i, j)) * e[j];
      }
    return s;
  }
  /// W [J/m].
  template <class L>
  [[nodiscard]] L energy(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    const Vec<L, 6> e = deviation(stretch, curvature);
    const Stress<L> s = stress(stretch, curvature);
    L w(S(0));
    for (int i = 0; i < 3; ++i) w += s.force[i] * e[i] + s.moment[i] * e[3 + i];
    return L(S(0.5)) * w;
  }
  /// ∂(n, m)/∂(Γ, Ω) = K, the same at all strains [N, N m²].
  [[nodiscard]] const Mat<S, 6, 6>& tangent(const Vec<S, 3>&, const Vec<S, 3>&) const noexcept { return k_; }
  /// Γ₀ and Ω₀.
  [[nodiscard]] const RestStrain<S>& rest() const noexcept { return rest_; }

 private:
  template <class L>
  [[nodiscard]] Vec<L, 6> deviation(const Vec<L, 3>& stretch, const Vec<L, 3>& curvature) const noexcept {
    Vec<L, 6> e;
    for (int i = 0; i < 3; ++i) {
      e[i] = stretch[i] - L(rest_.stretch[i]);
      e[3 + i] = curvature[i] - L(rest_.curvature[i]);
    }
    return e;
  }

  Mat<S, 6, 6> k_;
  RestStrain<S> rest_;
};

/// The stiffness `diagonal` on (Γ, Ω), raised so that a rod hardly stretches: under axial forces up to `force` [N] by no more than `strain`. A rod that
/// cannot stretch is the limit, which elements meet without locking. Explicit steps become as short as the waves in it are quick,
/// h < spacing √(ρA/EA): take statics or an implicit integrator. Throws std::invalid_argument unless both are positive and finite.
template <class S>
[[nodiscard]] Vec<S, 6> nearly_inextensible(Vec<S, 6> diagonal, const S& force, const S& strain) {
  const S least = detail::stiffness_for("nearly_inextensible", force, strain);
  if (diagonal[2] < least) diagonal[2] = least;
  return diagonal;
}

/// The same for shear: sections stay across the rod, as Euler and Kirchhoff have them, but for angles up to `strain`.
template <class S>
[[nodiscard]] Vec<S, 6> nearly_unshearable(Vec<S, 6> diagonal, const S& force, const S& strain) {
  const S least = detail::stiffness_for("nearly_unshearable", force, strain);
  for (int i = 0; i < 2; ++i)
    if (diagonal[i] < least) diagonal[i] = least;
  return diagonal;
}

}  // namespace dalembert::rod
