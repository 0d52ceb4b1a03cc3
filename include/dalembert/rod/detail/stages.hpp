#pragma once

#include <dalembert/lie/series.hpp>
#include <dalembert/rod/chain.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// Stages of Runge–Kutta methods on a chain: displacements (spatial δr, body rotation vector θ) from the
/// base of a step.
namespace dalembert::rod::detail {

/// (ṙ, J_r⁻¹(θ) ω) for the velocities of a chain that lies at `offset` from the base.
template <class S>
void slope_of_displacement(const Chain<S>& at, const Columns<S, 6>& offset, Columns<S, 6>& slope) noexcept {
  each_lanes<S>(at.nodes, [&]<class L>(Eigen::Index n) {
    const Triple<L> theta = load3<3, L>(offset, n);
    const Triple<L> omega = load3<3, L>(at.velocity, n);
    const Triple<L> turn = cross(theta, omega);
    const L c = lie_series::cot_remainder(dot(theta, theta));
    store3<0>(load3<0, L>(at.velocity, n), slope, n);
    store3<3>(omega + L(S(0.5)) * turn + c * cross(theta, turn), slope, n);
  });
}

/// to = from ⊕ (displacement, velocity): positions and velocities added, rotations Λ exp(θ).
template <class S>
void retract(const Chain<S>& from, const Columns<S, 6>& displacement, const Columns<S, 6>& velocity,
             Chain<S>& to) {
  each_lanes<S>(from.nodes, [&]<class L>(Eigen::Index n) {
    const Quaternion<L> q = load_quaternion<L>(from.configuration, n);
    const Quaternion<L> turned = multiply(q, exponential(load3<3, L>(displacement, n)));
    store_quaternion(renormalised(turned), to.configuration, n);
    store3<0>(load3<0, L>(from.configuration, n) + load3<0, L>(displacement, n), to.configuration, n);
  });
  to.velocity = from.velocity + velocity;
}

}  // namespace dalembert::rod::detail
