#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/series.hpp>
#include <dalembert/rod/detail/free_motion.hpp>
#include <dalembert/rod/detail/tangent.hpp>
#include <dalembert/rod/material.hpp>
#include <dalembert/rod/strain.hpp>

/// A discrete gradient of an element's energy V: forces and torques that do exactly the work −ΔV between
/// two poses, and that give no momentum to the whole. Nodes move by Δr and turn by Λ₁ = cay(Ω̂)Λ₀,
/// Ω spatial; a bar is a mean of the beginning and the end, d = r_b − r_a the chord.
///   Λ₁ − Λ₀ = Ω̂ Λ̄,   τ = 1/(1 + √(1 + |Ω|²/4)),  q₁ − q₀ = τ Ω q̄  (1)
///   Δ(Λᵀd) = Λ̄ᵀ (Δd − Ω × d̄)  (2)
///   p = q_a* q_b = (w, v):  Δp = q̄_a* (τ_bΩ_b − τ_aΩ_a) q̄_b
///     = q̄_a* ((τ̄ + 2κ Ω̄Ω̄ᵀ)(Ω_b − Ω_a)) q̄_b,   κ = Δτ/Δ|Ω|²  (3)
///   midpoint strains: hΓ = x = z/w − v (v·z)/(w(1 + w)),  z = ½(Λ_a + Λ_b)ᵀd;
///     forward: x = Λ_aᵀd  (4)
///   Θ = 2 A(|v|²) v,  A(σ) = asin(√σ)/√σ,  A′ = ½(1/(w(1 + w)) − D),  A = 1 + σD  (5)
/// (4) and (5) take means and differences of each product and quotient in turn, which are exact. With the
/// mean stress s̄ of both ends
///   ΔV = h s̄·(ΔΓ, ΔΩ)  (6)
/// for an energy that is quadratic in the strains; for others s̄ takes up what is missing along the change
/// of strain, in the metric of the tangent. In (2) and (3) a common turn and displacement of both nodes drops
/// out whatever they do besides, so that the sums of the forces, and of the torques with the moments of the
/// forces at the mean positions, vanish.
/// Source: Gonzalez 1996, J. Nonlinear Sci. 6, 449 (invariants, and what is missing); Romero & Armero
/// 2002, Int. J. Numer. Meth. Eng. 54, 1683 (rods).
namespace dalembert::rod {

/// Whether stresses are linear in the strains, so that their mean does exactly the work of a change: a
/// material of one's own says so by `quadratic_energy = true`.
template <class M>
inline constexpr bool has_quadratic_energy = requires {
  requires M::quadratic_energy;
};

namespace detail {

/// A node at the beginning and the end of a step, q₁ = (1, Ω/2) q₀/√(1 + |Ω|²/4).
template <class S>
struct SteppedNode {
  Quaternion<S> from, to;
  Triple<S> turn;  ///< Ω
};

/// The discrete gradient by Δd, Ω_a, Ω_b, and the stress that it is made of.
template <class S>
struct DiscreteGradient {
  Triple<S> force, torque_a, torque_b;  ///< spatial
  Stress<S> stress;                     ///< s̄
  bool sound = true;                    ///< the element turns by less than `largest_turn` at both ends
};

template <class S>
[[nodiscard]] inline Quaternion<S> mean(const Quaternion<S>& a, const Quaternion<S>& b) noexcept {
  const S half = S(1) / S(2);
  return {half * (a.w + b.w), half * (a.v + b.v)};
}
template <class S>
[[nodiscard]] inline Triple<S> mean(const Triple<S>& a, const Triple<S>& b) noexcept {
  return S(0.5) * (a + b);
}
template <class S>
[[nodiscard]] inline Quaternion<S> conjugate(const Quaternion<S>& q) noexcept {
  return {q.w, -q.v};
}

/// (A(σ₁) − A(σ₀))/(σ₁ − σ₀): as it stands, or by two points of Gauss on A′, whose error is
/// below round-off where they are near.
template <class S>
[[nodiscard]] inline S slope_of_asin(S sigma0, S sigma1, S A0, S A1) noexcept {
  const S change = sigma1 - sigma0;
  if (number::abs(change) > S(1e-3)) return (A1 - A0) / change;
  const S node = constant<S>(0.21132486540518711775L);
  S sum(0);
  for (const S& x : {node, S(S(1) - node)}) {
    const S sigma = sigma0 + x * change, w = number::sqrt(std::max(S(0), S(S(1) - sigma)));
    sum += S(1) / (w * (S(1) + w)) - lie_series::asinc_remainder(sigma);
  }
  return sum / S(4);
}

/// The strains of an element, as (4) and (5) see them.
template <class Rule, class S>
struct ElementShape {
  static constexpr bool midpoint = std::is_same_v<Rule, MidpointStrain>;
  static_assert(midpoint || std::is_same_v<Rule, ForwardStrain>,
                "discrete gradients are known for MidpointStrain and ForwardStrain alone");
  Triple<S> z, x, v, theta;
  S w, along, k{}, A;  // v·z, 1/(w(1 + w))

  ElementShape(const Quaternion<S>& a, const Quaternion<S>& b, const Triple<S>& chord, S sign) noexcept {
    const Quaternion<S> p = multiply(conjugate(a), b);
    w = sign * p.w;
    v = sign * p.v;
    const S sigma = dot(v, v);
    A = S(1) + sigma * lie_series::asinc_remainder(sigma);
    theta = (S(2) * A) * v;
    if constexpr (midpoint) {
      z = mean(rotate_back(a, chord), rotate_back(b, chord));
      along = dot(v, z);
      k = S(1) / (w * (S(1) + w));
      x = (S(1) / w) * z - (k * along) * v;
    } else {
      x = z = rotate_back(a, chord);
    }
  }
};

/// s̄ of (6) for the strains x/h and Θ/h at both ends; of numbers with derivatives without what it takes
/// up, which vanishes with the square of the change.
template <class M, class S>
[[nodiscard]] inline Stress<S> mean_stress(const M& material, const Strain<S>& e0, const Strain<S>& e1) {
  using namespace dalembert::detail;
  const Stress<S> s0 = material.stress(e0.stretch, e0.curvature),
                  s1 = material.stress(e1.stretch, e1.curvature);
  Vec<S, 6> s = zeros<S, 6>();
  add_scaled(s, S(0.5), stacked(s0.force, s0.moment));
  add_scaled(s, S(0.5), stacked(s1.force, s1.moment));
  if constexpr (!has_quadratic_energy<M> && std::is_same_v<S, typename M::Scalar>) {
    const S W0 = material.energy(e0.stretch, e0.curvature), W1 = material.energy(e1.stretch, e1.curvature);
    Vec<S, 6> middle = stacked(e0.stretch, e0.curvature);
    const Vec<S, 6> change = difference(stacked(e1.stretch, e1.curvature), middle);
    const S missing = W1 - W0 - inner(s, change);
    const S rounding = S(32) * std::numeric_limits<S>::epsilon() * (number::abs(W0) + number::abs(W1));
    if (number::abs(missing) > rounding) {
      add_scaled(middle, S(0.5), change);
      const Vec<S, 6> along = times(material_tangent(material, part<3>(middle), part<3>(middle, 3)), change);
      add_scaled(s, S(missing / inner(along, change)), along);
    }
  }
  return {part<3>(s), part<3>(s, 3)};
}

/// The discrete gradient between two poses of an element of rest length h [m].
template <class Rule, class M, class S>
[[nodiscard]] DiscreteGradient<S> discrete_gradient(const SteppedNode<S>& a, const SteppedNode<S>& b,
                                                    const Triple<S>& chord0, const Triple<S>& chord1,
                                                    const M& material, const S& h) {
  using Shape = ElementShape<Rule, S>;
  const S half = S(1) / S(2), one(1);
  const S sign = a.from.w * b.from.w + dot(a.from.v, b.from.v) < S(0) ? -one : one;
  const Shape e0(a.from, b.from, chord0, sign), e1(a.to, b.to, chord1, sign);
  DiscreteGradient<S> g;
  g.sound = !(e0.w < S(least_half_turn)) && !(e1.w < S(least_half_turn));
  const auto strain = [h](const Shape& e) {
    return Strain<S>{Vec<S, 3>(S(1) / h * e.x), Vec<S, 3>(S(1) / h * e.theta)};
  };
  g.stress = mean_stress(material, strain(e0), strain(e1));
  const Triple<S> n(g.stress.force), m(g.stress.moment);

  // by z, w and v, with all else in its mean: (4) and (5) from the outside in
  const Triple<S> v = mean(e0.v, e1.v);
  const S sigma0 = dot(e0.v, e0.v), sigma1 = dot(e1.v, e1.v);
  Triple<S> by_v = (e0.A + e1.A) * m + (S(4) * slope_of_asin(sigma0, sigma1, e0.A, e1.A) * dot(m, v)) * v;
  Triple<S> by_z = n;
  S by_w(0);
  if constexpr (Shape::midpoint) {
    const Triple<S> z = mean(e0.z, e1.z);
    const S k = half * (e0.k + e1.k), along = half * (e0.along + e1.along), nv = dot(n, v);
    const Triple<S> along_v = half * (e0.along * e0.v + e1.along * e1.v);
    by_z = (half * (one / e0.w + one / e1.w)) * n - (k * nv) * v;
    by_v = by_v - k * (along * n + nv * z);
    by_w = dot(n, along_v) * (one + e0.w + e1.w) * e0.k * e1.k - dot(n, z) / (e0.w * e1.w);
  }

  // (2)
  const Triple<S> chord = mean(chord0, chord1);
  const Triple<S> at_a = mean(rotate(a.from, by_z), rotate(a.to, by_z));
  if constexpr (Shape::midpoint) {
    const Triple<S> at_b = mean(rotate(b.from, by_z), rotate(b.to, by_z));
    g.force = mean(at_a, at_b);
    g.torque_a = -half * cross(chord, at_a);
    g.torque_b = -half * cross(chord, at_b);
  } else {
    g.force = at_a;
    g.torque_a = -cross(chord, at_a);
    g.torque_b = {S(0), S(0), S(0)};
  }

  // (3)
  const Quaternion<S> by_p{sign * by_w, sign * by_v};
  const Triple<S> by_turns = multiply(multiply(mean(a.from, a.to), by_p), conjugate(mean(b.from, b.to))).v;
  const S root_a = number::sqrt(one + S(0.25) * dot(a.turn, a.turn)),
          root_b = number::sqrt(one + S(0.25) * dot(b.turn, b.turn));
  const S product = (one + root_a) * (one + root_b);
  const S tau = half * (one / (one + root_a) + one / (one + root_b));
  const S kappa = -one / (S(4) * (root_a + root_b) * product);
  const Triple<S> turn = mean(a.turn, b.turn);
  const Triple<S> couple = tau * by_turns + (S(2) * kappa * dot(turn, by_turns)) * turn;
  g.torque_a = g.torque_a - couple;
  g.torque_b = g.torque_b + couple;
  return g;
}

/// The derivatives of (force, torque_a, torque_b) by (Δd, Ω_a, Ω_b), which change the end of a step.
template <class Rule, class M, class S>
[[gnu::noinline]] void discrete_tangent(const SteppedNode<S>& a, const SteppedNode<S>& b,
                                        const Triple<S>& chord0, const Triple<S>& chord1, const M& material,
                                        const S& h, Mat<S, 9>& out) {
  using D = Dual<S, 9>;
  const auto constant = [](const Triple<S>& x) { return Triple<D>{D(x.x), D(x.y), D(x.z)}; };
  const auto variable = [](const Triple<S>& x, int first) {
    return Triple<D>{D::variable(x.x, first), D::variable(x.y, first + 1), D::variable(x.z, first + 2)};
  };
  const auto node = [&](const SteppedNode<S>& n, int first) {
    const Quaternion<D> from{D(n.from.w), constant(n.from.v)};
    const Triple<D> turn = variable(n.turn, first);
    const D half(S(0.5)), w = D(S(1)) / number::sqrt(D(D(S(1)) + half * half * dot(turn, turn)));
    return SteppedNode<D>{from, multiply(Quaternion<D>{w, (half * w) * turn}, from), turn};
  };
  const DiscreteGradient<D> g =
      discrete_gradient<Rule>(node(a, 3), node(b, 6), constant(chord0), variable(chord1, 0), material, D(h));
  const Triple<D>* const rows[3] = {&g.force, &g.torque_a, &g.torque_b};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 9; ++j) {
      out(3 * i, j) = rows[i]->x.derivative(j);
      out(3 * i + 1, j) = rows[i]->y.derivative(j);
      out(3 * i + 2, j) = rows[i]->z.derivative(j);
    }
}

}  // namespace detail

}  // namespace dalembert::rod
