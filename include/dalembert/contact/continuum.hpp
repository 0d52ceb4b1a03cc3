#pragma once

#include <dalembert/core/real.hpp>

/// Rolling contact of two continuous rods at a pair of sections, point by point: what the discrete contact
/// tends to.
///   Γ = Λᵀr′, Ω = vee(ΛᵀΛ′), γ = Λᵀṙ, ω = vee(ΛᵀΛ̇);  ξ = Λ₁ᵀΛ₂,  κ = Λ₁ᵀ(r₂ − r₁)                       (1)
///   γ₁ + f₁ ω₁ × κ = ξγ₂ − f₂ (ξω₂) × κ      rolling; the contact point r₁ + f₁Λ₁κ, f₁ + f₂ = 1          (2)
///   on rod 1 force μ, torque f₁ κ × μ; on rod 2 force −ξᵀμ, torque f₂ ξᵀ(κ × μ)                          (3)
///   tangency κ·E₁ = κ·ξE₂ = 0 (material axes), κ·Γ₁ = κ·ξΓ₂ = 0 (centrelines); d/dt: A ṡ + v = 0   (4)
/// Consequences: the loads (3) have no resultant and no power under (2). With the centreline tangency |κ| is
/// constant, and det A = −det ∂²(½|κ|²)/∂s², singular where the rods are parallel or a radius of
/// curvature equals the gap. With the material axes |κ| drifts where the rods shear: d/dt ½|κ|² =
/// κ·(ξΓ₂ ṡ₂ − Γ₁ ṡ₁). Source: Gay-Balmaz & Putkaradze, eqs (3)–(6), (8), (9).
namespace dalembert::contact::continuum {

/// A section of a rod; everything but Λ and r in its own frame.
template <class S = double>
struct Section {
  Mat<S, 3> frame = Mat<S, 3>::Identity();         ///< Λ
  Vec<S, 3> position = Vec<S, 3>::Zero();          ///< r, spatial [m]
  Vec<S, 3> stretch = Vec<S, 3>::UnitZ();          ///< Γ
  Vec<S, 3> stretch_slope = Vec<S, 3>::Zero();     ///< Γ′ [1/m]
  Vec<S, 3> curvature = Vec<S, 3>::Zero();         ///< Ω [1/m]
  Vec<S, 3> velocity = Vec<S, 3>::Zero();          ///< γ [m/s]
  Vec<S, 3> velocity_slope = Vec<S, 3>::Zero();    ///< γ′ [1/s]
  Vec<S, 3> angular_velocity = Vec<S, 3>::Zero();  ///< ω [rad/s]
};

/// Section 2 seen from section 1.
template <class S = double>
struct Geometry {
  Mat<S, 3> rotation;  ///< ξ
  Vec<S, 3> apart;     ///< κ [m]
};

/// Loads on the two sections, each in its own frame.
template <class S = double>
struct Loads {
  Vec<S, 3> force1;   ///< [N]
  Vec<S, 3> torque1;  ///< [N m]
  Vec<S, 3> force2;   ///< [N]
  Vec<S, 3> torque2;  ///< [N m]
};

/// A ṡ + v = 0.
template <class S = double>
struct PositionEquations {
  Mat<S, 2> matrix;  ///< A
  Vec<S, 2> rate;    ///< v

  /// ṡ₁, ṡ₂ [m/s]; infinite or NaN where A is singular.
  [[nodiscard]] Vec<S, 2> solve() const {
    const S det = matrix(0, 0) * matrix(1, 1) - matrix(0, 1) * matrix(1, 0);
    return {(matrix(0, 1) * rate[1] - matrix(1, 1) * rate[0]) / det,
            (matrix(1, 0) * rate[0] - matrix(0, 0) * rate[1]) / det};
  }
};

/// ξ and κ of (1).
template <class S>
[[nodiscard]] Geometry<S> geometry(const Section<S>& a, const Section<S>& b) {
  return {a.frame.transpose() * b.frame, a.frame.transpose() * (b.position - a.position)};
}

/// Left minus right side of (2) in the frame of section 1 [m/s]: the slip. `share` is f₁, the part of the
/// gap that belongs to rod 1.
template <class S>
[[nodiscard]] Vec<S, 3> slip(const Section<S>& a, const Section<S>& b, const S& share = S(0.5)) {
  const Geometry<S> g = geometry(a, b);
  const Vec<S, 3> spin = share * a.angular_velocity + (S(1) - share) * (g.rotation * b.angular_velocity);
  return a.velocity - g.rotation * b.velocity + spin.cross(g.apart);
}

/// The loads (3) of a multiplier μ, the force on rod 1 in the frame of section 1 [N].
template <class S>
[[nodiscard]] Loads<S> loads(const Section<S>& a, const Section<S>& b, const Vec<S, 3>& mu,
                             const S& share = S(0.5)) {
  const Geometry<S> g = geometry(a, b);
  const Vec<S, 3> moment = g.apart.cross(mu);
  return {mu, share * moment, -(g.rotation.transpose() * mu),
          (S(1) - share) * (g.rotation.transpose() * moment)};
}

namespace detail {
/// (4) for tangents T₁, T₂ in their own frames: their slopes T′ + Ω × T and rates Ṫ + ω × T, and
/// Γ, γ from the sections.
template <class S>
[[nodiscard]] PositionEquations<S> position_equations(const Section<S>& a, const Section<S>& b,
                                                      const Vec<S, 3>& t1, const Vec<S, 3>& slope1,
                                                      const Vec<S, 3>& rate1, const Vec<S, 3>& t2,
                                                      const Vec<S, 3>& slope2, const Vec<S, 3>& rate2) {
  const Geometry<S> g = geometry(a, b);
  const Vec<S, 3> turned = g.rotation * t2;
  const Vec<S, 3> along = g.rotation * b.stretch;
  const Vec<S, 3> moved = g.rotation * b.velocity - a.velocity;
  PositionEquations<S> e;
  e.matrix << g.apart.dot(slope1) - a.stretch.dot(t1), along.dot(t1), -a.stretch.dot(turned),
      along.dot(turned) + g.apart.dot(g.rotation * slope2);
  e.rate << moved.dot(t1) + g.apart.dot(rate1), moved.dot(turned) + g.apart.dot(g.rotation * rate2);
  return e;
}
}  // namespace detail

/// (4) for the material axes E₁, E₂, constant in their sections.
template <class S>
[[nodiscard]] PositionEquations<S> material_tangency(const Section<S>& a, const Section<S>& b,
                                                     const Vec<S, 3>& axis1 = Vec<S, 3>::UnitZ(),
                                                     const Vec<S, 3>& axis2 = Vec<S, 3>::UnitZ()) {
  return detail::position_equations<S>(a, b, axis1, a.curvature.cross(axis1), a.angular_velocity.cross(axis1),
                                       axis2, b.curvature.cross(axis2), b.angular_velocity.cross(axis2));
}

/// (4) for the centrelines. Needs Γ′ and γ′: Γ̇ + ω × Γ = γ′ + Ω × γ.
template <class S>
[[nodiscard]] PositionEquations<S> centreline_tangency(const Section<S>& a, const Section<S>& b) {
  const auto slope = [](const Section<S>& c) {
    return Vec<S, 3>(c.stretch_slope + c.curvature.cross(c.stretch));
  };
  const auto rate = [](const Section<S>& c) {
    return Vec<S, 3>(c.velocity_slope + c.curvature.cross(c.velocity));
  };
  return detail::position_equations<S>(a, b, a.stretch, slope(a), rate(a), b.stretch, slope(b), rate(b));
}

/// d/dt ½|κ|² for contact positions that move at ṡ [m²/s].
template <class S>
[[nodiscard]] S gap_rate(const Section<S>& a, const Section<S>& b, const Vec<S, 2>& rate) {
  const Geometry<S> g = geometry(a, b);
  return g.apart.dot(g.rotation * (b.velocity + rate[1] * b.stretch) - a.velocity - rate[0] * a.stretch);
}

}  // namespace dalembert::contact::continuum
