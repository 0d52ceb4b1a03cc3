#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/series.hpp>
#include <dalembert/systems/detail/bladed_body.hpp>

/// A knife edge on an incline: a rigid body that slides on one blade down a plane.
///   g ∈ SE(2)               frame at the blade, e₁ along it; x points down the slope  [m, m, rad]
///   ξ = g⁻¹ġ = (u, v, ω)    velocity of the blade in that frame                      [m/s, m/s, rad/s]
///   m, I                    mass [kg], moment of inertia about the centre of mass [kg m²]
///   a                       the centre of mass is at a e₁ [m]
///   c = G sin α             gravity along a slope of angle α                                   [m/s²]
///   K = I + ma²             moment of inertia about the blade                                  [kg m²]
///   ℓ(g, ξ) = ½m(u² + (v + aω)²) + ½Iω² + mc(x + a cos φ)                                     (1)
///   v = 0                                                                                      (2)
/// The force of the blade on the body is λe₂ [N]. From (1) and (2) follow, and serve as oracles for tests,
///   u̇ = aω² + c cos φ,  ω̇ = −(ma/K)(uω + c sin φ),  λ = (Im/K)(uω + c sin φ)              (3)
/// For a = 0 the body turns at a constant rate; from rest and φ = 0 the blade draws a cycloid,
///   x = c sin²ωt/(2ω²),  y = c(ωt − ½ sin 2ωt)/(2ω²)                                          (4)
/// which runs across the slope, not down it.
/// Source: Neimark and Fufaev 1972; Bloch 2003.
namespace dalembert::systems {

/// A planar rigid body on a knife edge on a slope; see the head of this file.
template <SingleReal S = double>
class KnifeEdge : public detail::BladedBody<S> {
 public:
  /// The body and the slope.
  struct Parameters {
    S mass = 1;            ///< m > 0 [kg]
    S inertia = 1;         ///< I > 0 about the centre of mass [kg m²]
    S slope = S(0.5);      ///< α, positive if x points down [rad]
    S gravity = S(9.81L);  ///< G [m/s²]
    S offset = 0;          ///< a, of the centre of mass from the blade along e₁; may be negative [m]
  };

  /// Where the blade is and how it moves, the heading φ without jumps.
  struct Motion {
    S x{};      ///< down the slope [m]
    S y{};      ///< across the slope [m]
    S phi{};    ///< heading [rad]
    S u{};      ///< along the blade [m/s]
    S omega{};  ///< turning rate [rad/s]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit KnifeEdge(Parameters p)
      : detail::BladedBody<S>("KnifeEdge", p.mass, p.inertia, p.offset),
        p_(p),
        along_slope_(p.gravity * number::sin(p.slope)) {
    detail::require_finite("KnifeEdge", "slope", p.slope, "rad");
    detail::require_finite("KnifeEdge", "gravity", p.gravity, "m/s^2");
    detail::require_finite("KnifeEdge", "weight along the slope", p.mass * along_slope_, "N");
  }

  /// The body and the slope, as they were given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }
  /// c = G sin α [m/s²].
  [[nodiscard]] S gravity_along_slope() const noexcept { return along_slope_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const SE2<T>& g, const Vec<T, 3>& xi) const {
    return detail::BladedBody<S>::lagrangian(xi) +
           p_.mass * along_slope_ * (g.translation()[0] + p_.offset * g.rotation().cosine());
  }

  /// (4) for any start, at time t [s] after it, also where ω is small or zero. Throws std::invalid_argument
  /// unless a = 0.
  [[nodiscard]] Motion exact(const Motion& start, S t) const {
    using std::cos, std::sin;
    require(number::is_zero(p_.offset), "KnifeEdge", "offset", p_.offset,
            "the closed form needs the centre of mass at the blade");
    // With p = x + iy, ṗ = u exp(iφ) and u̇ = c cos φ. Integrals over the angle turned, θ = ωt, are
    // written with H(θ) = ∫₀^θ (exp(is) − 1) ds / θ², which does not divide by a small angle.
    const S theta = start.omega * t, c = along_slope_;
    const S middle = start.phi + theta / 2, half = theta / 2;
    const S chord = lie_series::stumpff<1>(half * half) * t;
    const Vec<S, 2> once = turned_area(theta), twice = 2 * turned_area(2 * theta) - once;
    const S c2 = cos(2 * start.phi), s2 = sin(2 * start.phi);
    const S scale = c * t * t / 2;
    return {.x = start.x + start.u * chord * cos(middle) + scale * (s2 * twice[0] + c2 * twice[1] + once[1]),
            .y = start.y + start.u * chord * sin(middle) - scale * (c2 * twice[0] - s2 * twice[1] + once[0]),
            .phi = start.phi + theta,
            .u = start.u + c * chord * cos(middle),
            .omega = start.omega};
  }

 private:
  /// Real and imaginary part of H(θ).
  [[nodiscard]] static Vec<S, 2> turned_area(S theta) {
    const S x = theta * theta;
    return {-theta * lie_series::stumpff<3>(x), lie_series::stumpff<2>(x)};
  }

  Parameters p_;
  S along_slope_;
};

}  // namespace dalembert::systems
