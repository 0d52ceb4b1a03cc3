#pragma once

#include <array>
#include <cstddef>

#include <dalembert/assembly/rows.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/problem/implicit.hpp>

/// One node in an implicit step. Its Δ = (Δr, ψ), Δr spatial, ψ in its frame at the beginning:
///   r₁ = r₀ + Δr,  Λ₁ = Λ₀ cay(ψ̂),  g = √(1 + |ψ|²/4) = 1/cos(θ/2)                    (1)
///   r = r₀ + ½Δr,  Λ = Λ₀ exp(½θ̂) = Λ₀ cay(2ψ/(1 + g))       in the middle               (2)
///   m a + νm v = f,   J a + v × Jv + νJ v = T τ,   T = 1 − ψ̂²/(4(1 + g)), or 1 at the end      (3)
/// With v = Δ/h and a = (v₁ − v₀)/h in the middle, (3) says that Λ₁Jω₁ − Λ₀Jω₀ = h t for
/// the torque t = Λτ in space, so that what does not turn the whole does not change its angular momentum;
/// and ½ω₁·Jω₁ − ½ω₀·Jω₀ = ψ·τ. Source: Lewis & Simo 1994, J. Nonlinear Sci. 4, 253
/// (rigid bodies); Brüls, Cardona & Arnold 2012, Mech. Mach. Theory 48, 121.
namespace dalembert::assembly::detail {

/// What a node has.
template <class S>
struct ImplicitNode {
  S mass;                    ///< 0 if it is held in every direction [kg]
  Vec<S, 3> rotary;          ///< J [kg m²]
  S damping;                 ///< ν [1/s]
  std::array<bool, 6> held;  ///< degrees with an equation of their own
  bool any_held;
  [[nodiscard]] S inertia(int i) const noexcept { return i < 3 ? mass : rotary[i - 3]; }
};

/// g.
template <class S>
[[nodiscard]] S secant_of_half(const Triple<S>& psi) noexcept {
  return number::sqrt(S(1) + S(0.25) * dot(psi, psi));
}

/// Node k by (1), and by (2) into `middle` if loads are taken there.
template <class S>
void place_node(const Columns<S, 7>& from, const Columns<S, 6>& moved, Eigen::Index k, bool halfway,
                Columns<S, 7>& middle, Columns<S, 7>& end) noexcept {
  const Triple<S> r = load3<0, S>(from, k), move = load3<0, S>(moved, k), psi = load3<3, S>(moved, k);
  const Quaternion<S> q = load_quaternion<S>(from, k);
  const S g = secant_of_half(psi);
  const auto turned = [&](S w, S factor) {
    return rod::detail::renormalised(rod::detail::multiply(q, Quaternion<S>{w, factor * psi}));
  };
  store3<0>(r + move, end, k);
  rod::detail::store_quaternion(turned(S(1) / g, S(0.5) / g), end, k);
  if (!halfway) return;
  const S half = number::sqrt(S(0.5) * (S(1) + S(1) / g));  // cos(θ/4)
  store3<0>(r + S(0.5) * move, middle, k);
  rod::detail::store_quaternion(turned(half, S(0.25) / (g * half)), middle, k);
}

/// Δ between two frames of node k.
template <class S>
[[nodiscard]] std::array<S, 6> displacement_between(const Columns<S, 7>& from, const Columns<S, 7>& to,
                                                    Eigen::Index k) noexcept {
  const Triple<S> r = load3<0, S>(to, k) - load3<0, S>(from, k);
  const Quaternion<S> q = load_quaternion<S>(from, k);
  const Quaternion<S> turn = rod::detail::multiply(Quaternion<S>{q.w, -q.v}, load_quaternion<S>(to, k));
  const Triple<S> psi = (S(2) / turn.w) * turn.v;
  return {r.x, r.y, r.z, psi.x, psi.y, psi.z};
}

/// How a node turns where loads are taken, in its frame there, by ψ: 3×3, row by row.
template <class S>
[[nodiscard]] std::array<S, 9> turning_by(const Triple<S>& psi, bool halfway) noexcept {
  const S g = secant_of_half(psi);
  const S factor = halfway ? S(1) / (S(1) + g) : S(1);  // of ψ, whose Cayley transform leads there
  const Triple<S> there = factor * psi;
  const S shrinks = halfway ? S(0.25) / (g * (S(1) + g) * (S(1) + g)) : S(0);
  const S scale = S(1) / (S(1) + S(0.25) * dot(there, there));
  std::array<S, 9> out;
  for (int j = 0; j < 3; ++j) {
    const Triple<S> unit(S(j == 0), S(j == 1), S(j == 2));
    const Triple<S> grows = factor * unit - (shrinks * dot(psi, unit)) * psi;
    const Vec<S, 3> turn = scale * (grows - S(0.5) * cross(there, grows));
    for (int i = 0; i < 3; ++i) out[3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(j)] = turn[i];
  }
  return out;
}

/// What is left of (3) at node k of a body with the velocities v and the loads f, zero where it is held.
template <class S, class Step>
void balance_node(const ImplicitNode<S>& n, const Step& step, std::size_t b, Eigen::Index k,
                  const Columns<S, 6>& moved, const Columns<S, 6>& v, const Columns<S, 6>& f,
                  Columns<S, 6>& left) noexcept {
  for (int i = 0; i < 6; ++i)
    left(k, i) = n.inertia(i) * (step.acceleration * moved(k, i) + step.constant_acceleration[b](k, i) +
                                 n.damping * v(k, i));
  const Triple<S> omega = load3<3, S>(v, k);
  Triple torque = load3<3, S>(f, k);
  if (step.loads != LoadsAt::end) {
    const Triple<S> psi = load3<3, S>(moved, k);
    torque = torque - (S(0.25) / (S(1) + secant_of_half(psi))) * cross(psi, cross(psi, torque));
  }
  const Triple<S> turning = cross(omega, scaled(Triple(n.rotary), omega)) - torque;
  store3<0>(load3<0, S>(left, k) - load3<0, S>(f, k), left, k);
  store3<3>(load3<3, S>(left, k) + turning, left, k);
  if (!n.any_held) return;
  for (int i = 0; i < 6; ++i)
    if (n.held[static_cast<std::size_t>(i)]) left(k, i) = S(0);
}

/// Its derivatives by Δ without those of loads, added to a block, row by row; 1 where a degree is held.
template <class S, class Step>
void add_node_inertia(const ImplicitNode<S>& n, const Step& step, const Triple<S>& omega, S* block) noexcept {
  const Triple<S> pi = scaled(Triple(n.rotary), omega);
  const S own = step.acceleration + n.damping * step.velocity;
  for (int j = 0; j < 6; ++j) {
    block[7 * j] += n.held[static_cast<std::size_t>(j)] ? S(1) : n.inertia(j) * own;
    if (j < 3) continue;
    const Triple<S> unit(S(j == 3), S(j == 4), S(j == 5));
    const Vec<S, 3> change = cross(unit, pi) + n.rotary[j - 3] * cross(omega, unit);
    for (int i = 0; i < 3; ++i)
      if (!n.held[static_cast<std::size_t>(i) + 3]) block[6 * (3 + i) + j] += step.velocity * change[i];
  }
}

}  // namespace dalembert::assembly::detail
