#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/systems/detail/parameters.hpp>
#include <dalembert/systems/detail/rigid_body.hpp>

/// Suslov's problem: a rigid body turns about a fixed point and cannot spin about one axis of its own.
///   g ∈ SO(3)               frame of the body, e₃ the axis that is held
///   ξ = W = (W₁, W₂, W₃)    angular velocity in that frame                                    [rad/s]
///   𝕀                       inertia about the fixed point, symmetric and positive definite     [kg m²]
///   ℓ(W) = ½W·𝕀W                                                                               (1)
///   W₃ = 0                                                                                     (2)
/// The reaction is the moment λe₃ [N m]: 𝕀Ẇ = 𝕀W × W + λe₃. With w = (W₁, W₂), J the upper
/// left block of 𝕀, k = (𝕀₁₃, 𝕀₂₃), i the turn by a right angle, from (1) and (2) follow,
/// and serve as oracles for tests,
///   Jẇ = (k·w) iw,  λ = k·ẇ − (𝕀W × W)₃                                                   (3)
/// The energy ½w·Jw = E is constant. With J = LLᵀ and w = √(2E) L⁻ᵀ(cos ψ, sin ψ), (3) is ψ̇ =
/// κ cos(ψ − ψ₀), κ and ψ₀ length and direction of √(2E/det J) L⁻¹k, so that w goes along an
/// ellipse from one of its points with k·w = 0 to the opposite one:
///   sin(ψ − ψ₀) = tanh T,  cos(ψ − ψ₀) = ± sech T,  T = T₀ + κt                          (4)
/// Source: Suslov 1946; Cendra, Ibort, de León, Martín de Diego 2004, theorem 6.1 (left case).
namespace dalembert::systems {

/// A rigid body about a fixed point that cannot spin about e₃; see the head of this file.
template <SingleReal S = double>
class Suslov {
 public:
  using Group = SO3<S>;  ///< the configuration space

  /// The body.
  struct Parameters {
    Mat<S, 3> inertia = Mat<S, 3>::Identity();  ///< 𝕀 in the body frame [kg m²]
  };

  /// Throws std::invalid_argument if the inertia is not finite, symmetric and positive definite.
  explicit Suslov(Parameters p) : p_(p) {
    using std::sqrt;
    detail::require_positive_definite("Suslov", p.inertia);
    l11_ = sqrt(p.inertia(0, 0));
    l21_ = p.inertia(1, 0) / l11_;
    l22_ = sqrt(p.inertia(1, 1) - l21_ * l21_);
  }

  /// The body, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 3>& w) const {
    return detail::dot(w, momentum(w)) / 2;
  }

  /// The left side of (2) [rad/s].
  template <class T>
  [[nodiscard]] T velocity_constraint(const Vec<T, 3>& w) const {
    return w[2];
  }

  /// ∂ℓ/∂ξ = 𝕀W [kg m²/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> momentum(const Vec<T, 3>& w) const {
    return detail::times(p_.inertia, w);
  }

  /// ∂²ℓ/∂ξ² = 𝕀 [kg m²].
  [[nodiscard]] Mat<S, 3> mass() const { return p_.inertia; }

  /// W by (4) at time t [s] after `start`, whose W₃ is 0, for any sign of t; g is left to quadrature.
  [[nodiscard]] Vec<S, 3> exact(const Vec<S, 3>& start, S t) const {
    using std::abs, std::asinh, std::copysign, std::cosh, std::hypot, std::tanh;
    const S k1 = p_.inertia(0, 2) / l11_, k2 = (p_.inertia(1, 2) - l21_ * k1) / l22_;  // L⁻¹k
    const S w1 = l11_ * start[0] + l21_ * start[1], w2 = l22_ * start[1];              // Lᵀw
    const S speed = hypot(w1, w2), pull = hypot(k1, k2);  // √(2E) and |L⁻¹k|
    if (number::is_zero(speed) || number::is_zero(pull)) return start;
    const S a1 = k1 / pull, a2 = k2 / pull;  // where ψ is ψ₀
    const S c = (a1 * w1 + a2 * w2) / speed, s = (a1 * w2 - a2 * w1) / speed;
    if (number::is_zero(c)) return start;
    const S kappa = speed * pull / (l11_ * l22_);
    const S now = asinh(s / abs(c)) + kappa * t;
    const S cosine = copysign(1 / cosh(now), c), sine = tanh(now);
    const S second = speed * (cosine * a2 + sine * a1) / l22_;
    return {(speed * (cosine * a1 - sine * a2) - l21_ * second) / l11_, second, 0};
  }

 private:
  Parameters p_;
  S l11_, l21_, l22_;  ///< L
};

}  // namespace dalembert::systems
