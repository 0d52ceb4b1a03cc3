#pragma once

#include <tuple>
#include <utility>

#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>

/// Quaternions in lanes, and the free motion of rigid nodes.
namespace dalembert::rod {

namespace detail {

/// The quaternions of `NodePack`s of nodes.
template <class L>
struct Quaternion {
  L w;
  Triple<L> v;
};

template <class L, class S>
[[nodiscard]] inline Quaternion<L> load_quaternion(const Columns<S, 7>& c, Eigen::Index k) noexcept {
  return {load<S, L>(c.data() + k + 3 * c.rows()), load3<4, L>(c, k)};
}

template <class L, class S>
inline void store_quaternion(const Quaternion<L>& q, Columns<S, 7>& c, Eigen::Index k) noexcept {
  store(q.w, c.data() + k + 3 * c.rows());
  store3<4>(q.v, c, k);
}

template <class L>
[[nodiscard, gnu::always_inline]] inline Quaternion<L> multiply(const Quaternion<L>& a,
                                                                const Quaternion<L>& b) noexcept {
  return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}

/// Λx, where q is the unit quaternion of Λ.
template <class L>
[[nodiscard, gnu::always_inline]] inline Triple<L> rotate(const Quaternion<L>& q,
                                                          const Triple<L>& x) noexcept {
  return rotate(q.w, q.v, L(2), x);
}
/// Λᵀx.
template <class L>
[[nodiscard, gnu::always_inline]] inline Triple<L> rotate_back(const Quaternion<L>& q,
                                                               const Triple<L>& x) noexcept {
  return rotate_back(q.w, q.v, L(2), x);
}

/// One Newton step towards |q| = 1: exact to the square of the deviation, which one product leaves at
/// round-off.
template <class L>
[[nodiscard]] inline Quaternion<L> renormalised(const Quaternion<L>& q) noexcept {
  const L scale = L(1.5) - L(0.5) * (q.w * q.w + dot(q.v, q.v));
  return {scale * q.w, scale * q.v};
}

/// The quaternion exp of a rotation vector.
template <class L>
[[nodiscard]] inline Quaternion<L> exponential(const Triple<L>& rotation) noexcept {
  const Triple<L> half = L(0.5) * rotation;
  const L x = dot(half, half);
  return {lie_series::stumpff<0>(x), lie_series::stumpff<1>(x) * half};
}

/// Rotate (q, ω) freely for a time h: symmetric top j = (j₁, j₁, j₃), exact.
///   Λ ← Λ exp(hΠ/j₁) exp(φ e₃), Π ← exp(−φ e₃) Π, φ = h(1 − j₃/j₁) ω₃, Π = jω
/// The ratio j₃/j₁ is a number, or one in each lane.
template <class L, class Q, class S>
[[gnu::always_inline]] inline void drift_symmetric_top(Quaternion<L>& q, Triple<L>& omega, const Q& ratio,
                                                       S h) noexcept {
  const L half_phi = L(Q(S(0.5) * h) * (Q(1) - ratio)) * omega.z;
  const L x = half_phi * half_phi;
  const L c = lie_series::stumpff<0>(x);
  const L s = lie_series::stumpff<1>(x) * half_phi;
  const Triple<L> along{L(h) * omega.x, L(h) * omega.y, L(Q(h) * ratio) * omega.z};
  const Quaternion<L> a = multiply(q, exponential(along));
  // product with (c, s e₃)
  q = renormalised(Quaternion<L>{a.w * c - a.v.z * s,
                                 {a.v.x * c + a.v.y * s, a.v.y * c - a.v.x * s, a.v.z * c + a.w * s}});
  const L cos_phi = c * c - s * s;
  const L sin_phi = L(2) * c * s;
  omega = {cos_phi * omega.x + sin_phi * omega.y, cos_phi * omega.y - sin_phi * omega.x, omega.z};
}

/// Rotate (q, ω) for a time h by the part ½(1/j₁ − 1/j₂)Π₁² of the kinetic energy, exact:
///   Λ ← Λ exp(φ e₁), Π ← exp(−φ e₁) Π, φ = h(1 − j₁/j₂) ω₁, Π = jω
/// The moments j and the `excess` 1 − j₁/j₂ are numbers, or have one in each lane.
template <class L, class Q, class S>
[[gnu::noinline]] void drift_excess(Quaternion<L>& q, Triple<L>& omega, const Vec<Q, 3>& j, const Q& excess,
                                    S h) noexcept {
  const L half_phi = L(Q(S(0.5) * h) * excess) * omega.x;
  const L x = half_phi * half_phi;
  const L c = lie_series::stumpff<0>(x);
  const L s = lie_series::stumpff<1>(x) * half_phi;
  q = renormalised(multiply(q, Quaternion<L>{c, {s, L(0), L(0)}}));
  const L cos_phi = c * c - s * s;
  const L sin_phi = L(2) * c * s;
  const L second = L(j[1]) * omega.y;
  const L third = L(j[2]) * omega.z;
  omega.y = L(Q(1) / j[1]) * (cos_phi * second + sin_phi * third);
  omega.z = L(Q(1) / j[2]) * (cos_phi * third - sin_phi * second);
}

/// (q, ω) rotated freely for a time h, with any principal inertia, by a symmetric splitting of second order:
///   Πᵀj⁻¹Π = (1/j₁ − 1/j₂)Π₁² + Πᵀ diag(j₂, j₂, j₃)⁻¹Π
/// The first part is zero for a symmetric top, so that the motion depends on j smoothly where it becomes one
/// (Fassò 2003, J. Comput. Phys. 189). Out of line, with copies: what is passed by reference stands in
/// memory where a symmetric top would be in registers.
template <class L, class Q, class S>
[[nodiscard, gnu::noinline]] std::pair<Quaternion<L>, Triple<L>> drift_rigid_body(Quaternion<L> q,
                                                                                  Triple<L> omega,
                                                                                  const Vec<Q, 3>& j,
                                                                                  S h) noexcept {
  const Q ratio = j[0] / j[1];
  const Q excess = Q(1) - ratio;
  drift_excess(q, omega, j, excess, h / S(2));
  omega.x = L(ratio) * omega.x;  // Π₁/j₂, as the top has it
  drift_symmetric_top(q, omega, Q(j[2] / j[1]), h);
  omega.x = L(Q(1) / ratio) * omega.x;
  drift_excess(q, omega, j, excess, h / S(2));
  return {q, omega};
}

/// The state of free nodes, one per lane of L.
template <class L>
struct FreeNode {
  Triple<L> position;
  Quaternion<L> rotation;
  Triple<L> velocity;
  Triple<L> omega;
};

/// Nodes of a chain from k on.
template <class L, class S>
[[nodiscard]] inline FreeNode<L> load_node(const Chain<S>& from, Eigen::Index k) noexcept {
  return {load3<0, L>(from.configuration, k), load_quaternion<L>(from.configuration, k),
          load3<0, L>(from.velocity, k), load3<3, L>(from.velocity, k)};
}
template <class L, class S>
inline void store_node(const FreeNode<L>& n, Chain<S>& to, Eigen::Index k) noexcept {
  store3<0>(n.position, to.configuration, k);
  store_quaternion(n.rotation, to.configuration, k);
  store3<0>(n.velocity, to.velocity, k);
  store3<3>(n.omega, to.velocity, k);
}

/// (q, ω) rotated freely for a time h with principal inertia j, exactly where j₁ = j₂.
template <class L, class S>
inline void turn_freely(Quaternion<L>& q, Triple<L>& omega, const Vec<S, 3>& j, S h) noexcept {
  if (number::equal(j[0], j[1]))
    drift_symmetric_top(q, omega, S(j[2] / j[0]), h);
  else
    std::tie(q, omega) = drift_rigid_body(q, omega, j, h);
}

/// What damping at this rate [1/s] leaves of a velocity in half of a step of h [s].
template <class S>
[[nodiscard]] S damping_factor(const S& rate, const S& h) {
  return number::is_zero(rate) ? S(1) : S(number::exp(-rate * h / S(2)));
}

/// Free motion for h [s] between two halves of the damping (a factor on velocities); turn(q, ω, k) is that
/// of the rotations of nodes from k on.
template <class L, class S, class Turn>
[[gnu::always_inline]] inline void move_freely(FreeNode<L>& n, const Turn& turn, Eigen::Index k, S h,
                                               S damp) noexcept {
  // Both times beside the usual path, where a loop has no damping.
  if (!number::equal(damp, S(1))) {
    n.velocity = L(damp) * n.velocity;
    n.omega = L(damp) * n.omega;
  }
  turn(n.rotation, n.omega, k);
  n.position += L(h) * n.velocity;
  if (!number::equal(damp, S(1))) {
    n.velocity = L(damp) * n.velocity;
    n.omega = L(damp) * n.omega;
  }
}
/// The same with principal inertia j.
template <class L, class S>
inline void move_freely(FreeNode<L>& n, const Vec<S, 3>& j, S h, S damp) noexcept {
  move_freely(
      n, [&](Quaternion<L>& q, Triple<L>& omega, Eigen::Index) { turn_freely(q, omega, j, h); }, 0, h, damp);
}

}  // namespace detail

/// Move node k by a spatial displacement [m] and a body rotation vector [rad]: r ← r + δr, Λ ← Λ
/// exp(Σ̂).
template <class S>
void move_node(Chain<S>& chain, Eigen::Index k, const Vec<S, 3>& displacement,
               const Vec<S, 3>& rotation) noexcept {
  const detail::Quaternion<S> q = detail::load_quaternion<S>(chain.configuration, k);
  const detail::Quaternion<S> turn = detail::exponential(Triple<S>(rotation));
  detail::store_quaternion(detail::renormalised(detail::multiply(q, turn)), chain.configuration, k);
  for (int i = 0; i < 3; ++i) chain.configuration(k, i) += displacement[i];
}

}  // namespace dalembert::rod
