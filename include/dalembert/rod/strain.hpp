#pragma once

#include <concepts>

#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/series.hpp>
#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/material.hpp>

/// Strains of the element between two nodes, and the loads that its energy puts on them.
///
/// Nodes (Λ₀, r₀) and (Λ₁, r₁) at a rest distance h, unit quaternions q₀ and q₁, relative
/// quaternion q₀⁻¹q₁ = (w, v):
///   Θ = log(Λ₀ᵀΛ₁) = 2 A v,  A = asin|v| / |v|                          (1)
///   Ω = Θ/h,  Γ = Λ*ᵀ(r₁ − r₀)/h                                        (2)
///   Λ* = Λ₀ exp(Θ/2)  midpoint strain;   Λ* = Λ₀  forward strain        (3)
/// The quaternion of Λ₀exp(Θ/2) is (q₀ + q₁)/√(2(1 + w)), so the midpoint frame costs no series.
/// With body variations Σ₀, Σ₁ (Σ = vee(ΛᵀδΛ)) and u = v/(1 + w) the frame Λ* of the midpoint
/// turns by
///   Σ* = ½(Σ₀ + Σ₁) + ½ u × (Σ₁ − Σ₀)                                   (4)
/// and, with J⁻¹ the inverse Jacobians of SO(3),
///   δΘ = J_r⁻¹(Θ)Σ₁ − J_l⁻¹(Θ)Σ₀
///      = ½ Θ × (Σ₀ + Σ₁) + (1 + c Θ̂²)(Σ₁ − Σ₀),
///   4A²c = C = 1/(1 + w) − D w                                          (5)
/// where A = 1 + |v|²D. The energy h W(Γ, Ω) then has the gradient (torques are body torques, forces
/// spatial)
///   ∂/∂r₁ = −∂/∂r₀ = Λ* n                                               (6)
///   ∂/∂Σ₁ = s + d, ∂/∂Σ₀ = s − d,  s = ½ τ − A v × m,
///   d = ½ τ × u + m + C v × (v × m),  τ = n × hΓ                        (7)
/// Source: strains of Simo 1985; midpoint rule of Crisfield & Jelenić 1999 with both ends in exact form;
/// discrete strands of Gay-Balmaz & Putkaradze, eqs (11), (12), for the forward strain.
namespace dalembert::rod {

/// Two neighbouring frames; quaternions (w, v), and the chord r₁ − r₀ [m].
template <class L>
struct ElementPose {
  L w0;             ///< scalar part of q₀
  Vec<L, 3> v0;     ///< vector part of q₀
  L w1;             ///< scalar part of q₁
  Vec<L, 3> v1;     ///< vector part of q₁
  Vec<L, 3> chord;  ///< r₁ − r₀, spatial [m]
};

/// The same over T.
template <class T, class L>
[[nodiscard]] ElementPose<T> cast(const ElementPose<L>& e) noexcept {
  using dalembert::detail::convert_all;
  return {convert<T>(e.w0), convert_all<T>(e.v0), convert<T>(e.w1), convert_all<T>(e.v1),
          convert_all<T>(e.chord)};
}

/// Strains (Γ, Ω) of an element, in its frame [1, 1/m].
template <class L>
struct Strain {
  Vec<L, 3> stretch;    ///< Γ
  Vec<L, 3> curvature;  ///< Ω
};

/// Minus the gradient of an element's energy.
template <class L>
struct ElementLoads {
  Vec<L, 3> force;    ///< spatial force on the first node; the second gets its opposite [N]
  Vec<L, 3> torque0;  ///< body torque on the first node [N m]
  Vec<L, 3> torque1;  ///< body torque on the second node [N m]
  /// cos(θ/2) for an element that turns by θ between its nodes; a rule that does not tell is not watched.
  L half_turn{1};
};

/// By how much an element may turn between its nodes [rad]. Beyond π the shorter rotation is the opposite
/// one, so that strains and energy jump. The margin is what motion has to cross in several steps: a step that
/// turns an element by more than 0.2 rad may leap over it.
inline constexpr double largest_turn = number::plain(pi) - 0.1;

/// The cosine of half of it: sin(0.05).
inline constexpr double least_half_turn = 0.049979169270678331;

namespace detail {

/// The relative rotation of an element and what equations (1) to (7) need of it.
template <class L>
struct Relative {
  L w;          // scalar part, made non-negative: the rotation angle is at most π
  Triple<L> v;  // vector part
  L inverse;    // 1/(1 + w)
  L A;          // asin|v|/|v|
  L C;          // of equation (5)
  L mid_w;      // q₀ + q₁, not normalised; its squared norm is 2(1 + w)
  Triple<L> mid_v;

  explicit Relative(const ElementPose<L>& e) noexcept {
    const Triple<L> v0(e.v0);
    w = e.w0 * e.w1 + dot(v0, Triple<L>(e.v1));
    const L one(1);
    const L sign = select(w < L(0), -one, one);  // q₁ and −q₁ are one rotation
    const L w1 = sign * e.w1;
    const Triple<L> v1 = sign * Triple<L>(e.v1);
    w = sign * w;
    v = e.w0 * v1 - w1 * v0 - cross(v0, v1);
    mid_w = e.w0 + w1;
    mid_v = v0 + v1;
    inverse = one / (one + w);
    const L sigma = dot(v, v);
    const L D = lie_series::asinc_remainder(sigma);
    A = one + sigma * D;
    C = inverse - D * w;
  }
};

/// Λ* halfway between the nodes, U of Σ* = ½(σ + Uρ), σ = Σ₀ + Σ₁, ρ = Σ₁ − Σ₀, and the
/// change of u. Refers to what it is made of.
template <class L>
struct MidpointFrame {
  const Relative<L>& r;
  Triple<L> u;

  MidpointFrame(const ElementPose<L>&, const Relative<L>& of) noexcept : r(of), u(of.inverse * of.v) {}

  [[nodiscard]] Triple<L> to_space(const Triple<L>& a) const noexcept {
    return rotate(r.mid_w, r.mid_v, r.inverse, a);
  }
  [[nodiscard]] Triple<L> to_frame(const Triple<L>& a) const noexcept {
    return rotate_back(r.mid_w, r.mid_v, r.inverse, a);
  }
  [[nodiscard]] Triple<L> lever(const Triple<L>& rho) const noexcept { return cross(u, rho); }
  [[nodiscard]] Triple<L> lever_transposed(const Triple<L>& a) const noexcept { return cross(a, u); }
  [[nodiscard]] Triple<L> change_of_u(const Triple<L>& sigma, const Triple<L>& rho) const noexcept {
    return L(0.5) * ((r.w * r.inverse) * rho + cross(u, sigma) + dot(u, rho) * u);
  }
};

/// Λ* of the first node, where U = −1.
template <class L>
struct ForwardFrame {
  const ElementPose<L>& element;
  const Relative<L>& r;

  [[nodiscard]] Triple<L> to_space(const Triple<L>& a) const noexcept {
    return rotate(element.w0, Triple<L>(element.v0), L(2), a);
  }
  [[nodiscard]] Triple<L> to_frame(const Triple<L>& a) const noexcept {
    return rotate_back(element.w0, Triple<L>(element.v0), L(2), a);
  }
  [[nodiscard]] Triple<L> lever(const Triple<L>& rho) const noexcept { return -rho; }
  [[nodiscard]] Triple<L> lever_transposed(const Triple<L>& a) const noexcept { return -a; }
  [[nodiscard]] Triple<L> change_of_u(const Triple<L>&, const Triple<L>&) const noexcept {
    return {L(0), L(0), L(0)};
  }
};

/// The strains of elements that have them in such a frame.
template <template <class> class FrameOf>
struct StrainsInFrame {
  template <class L>
  using Frame = FrameOf<L>;  ///< Λ*

  /// (Γ, Ω) of an element of rest length h [m], equations (1) to (3).
  template <class L, class S>
  [[nodiscard]] static Strain<L> strain(const ElementPose<L>& e, S h) noexcept {
    const Relative<L> r(e);
    return {L(S(1) / h) * Frame<L>{e, r}.to_frame(Triple<L>(e.chord)), (L(S(2) / h) * r.A) * r.v};
  }

  /// Loads on both nodes, equations (6) and (7).
  template <class L, class M, class S>
  [[nodiscard]] static ElementLoads<L> loads(const ElementPose<L>& e, const M& material, S h) noexcept {
    const Relative<L> r(e);
    const Frame<L> frame{e, r};
    const Triple<L> x = frame.to_frame(Triple<L>(e.chord));
    const Vec<L, 3> stretch = L(S(1) / h) * x;
    const Vec<L, 3> curvature = (L(S(2) / h) * r.A) * r.v;
    const Stress<L> stress = material.stress(stretch, curvature);
    const Triple<L> n(stress.force), m(stress.moment);
    const Triple<L> tau = cross(n, x);
    const Triple<L> vm = cross(r.v, m);
    const L half(S(0.5));
    const Triple<L> s = half * tau - r.A * vm;
    const Triple<L> d = half * frame.lever_transposed(tau) + m + r.C * cross(r.v, vm);
    return {frame.to_space(n), d - s, -(s + d), r.w};
  }
};

}  // namespace detail

/// The frame of the strains lies halfway between the nodes: second order in h, symmetric in the two ends.
struct MidpointStrain : detail::StrainsInFrame<detail::MidpointFrame> {};

/// The frame of the strains is that of the first node, as in the discrete strands: first order in h. In (7)
/// τ × u is −τ.
struct ForwardStrain : detail::StrainsInFrame<detail::ForwardFrame> {};

/// A rule that gives the strains and loads of an element.
template <class R, class M>
concept StrainRule = requires(const ElementPose<typename M::Scalar>& pose, const M& material,
                              typename M::Scalar h) {
  { R::strain(pose, h) } -> std::same_as<Strain<typename M::Scalar>>;
  { R::loads(pose, material, h) } -> std::same_as<ElementLoads<typename M::Scalar>>;
};

}  // namespace dalembert::rod
