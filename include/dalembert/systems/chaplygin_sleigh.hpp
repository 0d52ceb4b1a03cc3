#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/systems/detail/bladed_body.hpp>

/// Chaplygin's sleigh: a rigid body in the plane that slides on one knife edge.
///   g ∈ SE(2)               frame at the blade, e₁ along it                       [m, m, rad]
///   ξ = g⁻¹ġ = (u, v, ω)    velocity of the blade in that frame                   [m/s, m/s, rad/s]
///   m, I, a                 mass [kg], moment of inertia about its centre [kg m²], which is at a e₁ [m]
///   K = I + ma²             moment of inertia about the blade                     [kg m²]
///   ℓ(ξ) = ½m(u² + (v + aω)²) + ½Iω²                                              (1)
///   v = 0                                                                         (2)
/// The force of the blade on the body is λe₂ [N]. From (1) and (2) follow, and serve as oracles for tests,
///   u̇ = aω²,  ω̇ = −(ma/K) uω,  λ = (Im/K) uω                                       (3)
///   u = k tanh T,  ω = ±√(m/K) k sech T,  T = T₀ + (amk/K) t,  k² = u² + (K/m)ω²   (4)
/// so that, for a > 0, every motion ends running forwards, after turning by at most π√(K/(ma²)).
/// Source: Eldering 2016, eqs (9), (10), (13), (14).
namespace dalembert::systems {

/// A planar rigid body on a knife edge; see the head of this file.
template <Real S = double>
class ChaplyginSleigh : public detail::BladedBody<S> {
 public:
  /// The body.
  struct Parameters {
    S mass = 1;     ///< m > 0 [kg]
    S inertia = 1;  ///< I > 0 about the centre of mass [kg m²]
    S offset = 0;   ///< a, of the centre of mass from the blade along e₁; may be negative [m]
  };

  /// What (4) gives: velocities, and the heading φ without jumps.
  struct Motion {
    S u{};      ///< along the blade [m/s]
    S omega{};  ///< turning rate [rad/s]
    S phi{};    ///< heading [rad]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit ChaplyginSleigh(Parameters p)
      : detail::BladedBody<S>("ChaplyginSleigh", p.mass, p.inertia, p.offset), p_(p) {}

  /// The body, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (4) at time t [s] after `start`, for any sign of a and t; x and y are left to quadrature.
  [[nodiscard]] Motion exact(const Motion& start, S t) const {
    using std::abs, std::asinh, std::atan, std::copysign, std::cosh, std::exp, std::expm1, std::hypot,
        std::sqrt, std::tanh;
    const S a = p_.offset;
    const S root = sqrt(this->inertia_about_blade() / p_.mass);
    if (number::is_zero(start.omega) || number::is_zero(a))
      return {start.u, start.omega, start.phi + start.omega * t};
    const S speed = hypot(start.u, root * start.omega);
    const S begin = asinh(start.u / (root * abs(start.omega)));
    const S passed = a * speed / (root * root) * t;
    const S now = begin + passed;
    // gd T − gd T₀ = 2 atan(sinh(½(T − T₀)) / cosh(½(T + T₀))), written so that nothing overflows
    // or cancels.
    const S middle = abs(now + begin) / 2, half = abs(passed) / 2;
    const S ratio = -exp(half - middle) * expm1(-2 * half) / (1 + exp(-2 * middle));
    const S turn = copysign(2 * atan(ratio), passed);
    return {speed * tanh(now), copysign(speed / (root * cosh(now)), start.omega),
            start.phi + copysign(root, start.omega) / a * turn};
  }

  /// The turn from t = −∞ to ∞, π√(K/(ma²)) [rad]; infinite without an offset.
  [[nodiscard]] S total_turn() const {
    using std::abs, std::sqrt;
    return S(pi) * sqrt(this->inertia_about_blade() / p_.mass) / abs(p_.offset);
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
