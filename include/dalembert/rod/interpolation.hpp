#pragma once

#include <type_traits>

#include <dalembert/core/errors.hpp>
#include <dalembert/rod/chain.hpp>

/// A rod between two states of a run, from their frames and velocities alone, whatever stepped it: Hermite's
/// cubic for the positions and, in the coordinates θ = log(Λ₀ᵀΛ), for the rotations,
///   θ(0) = 0,  θ̇(0) = ω₀,   θ(1) = log(Λ₀ᵀΛ₁),  θ̇(1) = J_r⁻¹(θ₁) ω₁,   Λ = Λ₀ exp θ,  ω = J_r(θ) θ̇    (1)
/// Frames have errors of fourth order in the time between the states, velocities of third. Both states are
/// met to round-off.
namespace dalembert::rod {

/// The chain at `time` in [t₀, t₁] [s] between `before` at t₀ and `after` at t₁. Throws
/// std::invalid_argument for chains of different nodes and for times that are not in this order. The time
/// between the states must be short beside a turn of a section: sections turn by less than π between them.
template <class S>
[[nodiscard, gnu::noinline]] Chain<S> interpolated(const Chain<S>& before, const std::type_identity_t<S>& t0,
                                                   const Chain<S>& after, const std::type_identity_t<S>& t1,
                                                   const std::type_identity_t<S>& time) {
  require(before.nodes == after.nodes, "interpolated", "nodes", after.nodes,
          "both chains must be of one rod");
  require(t0 < t1, "interpolated", "later time", t1, "it must be after the earlier one [s]");
  require(t0 <= time && time <= t1, "interpolated", "time", time, "it must lie between both [s]");
  const S h = t1 - t0, x = (time - t0) / h, y = S(1) - x;
  // weights of the end value, and of the slopes at both ends; then their derivatives
  const S end = x * x * (S(3) - S(2) * x), slope0 = h * x * y * y, slope1 = -h * x * x * y;
  const S d_end = S(6) * x * y / h, d_slope0 = y * (y - S(2) * x), d_slope1 = x * (x - S(2) * y);
  Chain<S> chain(before.nodes);
  for (Eigen::Index k = 0; k < before.nodes; ++k) {
    const Vec<S, 3> v0 = before.linear_velocity(k), v1 = after.linear_velocity(k);
    const Vec<S, 3> chord = after.position(k) - before.position(k);
    const SO3<S> start = before.rotation(k);
    const Vec<S, 3> turn = (start.inverse() * after.rotation(k)).log();
    const Vec<S, 3> w0 = before.angular_velocity(k);
    const Vec<S, 3> w1 = SO3<S>::right_jacobian_inverse(turn, after.angular_velocity(k));
    const Vec<S, 3> theta = end * turn + slope0 * w0 + slope1 * w1;
    const Vec<S, 3> rate = d_end * turn + d_slope0 * w0 + d_slope1 * w1;
    chain.set_frame(k, start * SO3<S>::exp(theta),
                    Vec<S, 3>(before.position(k) + end * chord + slope0 * v0 + slope1 * v1));
    chain.set_velocity(k, Vec<S, 3>(d_end * chord + d_slope0 * v0 + d_slope1 * v1),
                       SO3<S>::right_jacobian(theta, rate));
  }
  return chain;
}

}  // namespace dalembert::rod
