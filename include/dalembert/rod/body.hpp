#pragma once

#include <cstddef>

#include <dalembert/assembly/body.hpp>
#include <dalembert/core/detail/path_step.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/energy.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/rod.hpp>

/// A rod as a body of an assembly.
namespace dalembert::rod {

/// Both ends as they are held at `time` [s].
template <class M, class R>
void hold(const Rod<M, R>& rod, Chain<typename M::Scalar>& chain, typename M::Scalar time) {
  rod.hold_end(chain, End::start, time);
  rod.hold_end(chain, End::finish, time);
}

/// The lumped inertia of node k.
template <class M, class R, class S = typename M::Scalar>
[[nodiscard, gnu::cold, gnu::noinline]] assembly::NodeInertia<S> node_inertia(const Rod<M, R>& rod,
                                                                              Eigen::Index k) {
  assembly::NodeInertia<S> inertia;
  for (int i = 0; i < 6; ++i)
    if (!rod.held(k, i)) inertia.inverse[i] = rod.inverse_mass(k, i);
  for (int i = 0; i < 3; ++i) inertia.rotary[i] = rod.mass_fraction(k) * rod.node_rotary(k)[i];
  return inertia;
}

/// ν of the damping [1/s].
template <class M, class R>
[[nodiscard]] typename M::Scalar damping_rate(const Rod<M, R>& rod) noexcept {
  return rod.parameters().damping.rate;
}

/// Whether the motion of an end is prescribed.
template <class M, class R>
[[nodiscard]] bool has_prescribed_motion(const Rod<M, R>& rod) noexcept {
  return rod.boundary(End::start).moves() || rod.boundary(End::finish).moves();
}

namespace detail {

/// Throws PathJumps if a prescribed motion m goes elsewhere from `time` on for h than its velocities say: the
/// position, or the first two axes of the frame, which turn at ω.
template <class S>
void check_motion(const Boundary<S>& boundary, const char* end, std::size_t body, const S& time, const S& h) {
  using Step = dalembert::detail::PathStep<S, 3>;
  using Turn = dalembert::detail::PathStep<S, 6>;
  typename Step::Rates positions, velocities;
  typename Turn::Rates frames, turning;
  const auto times = Step::times(time, h);
  for (std::size_t k = 0; k < times.size(); ++k) {
    const EndMotion<S> m = boundary.motion(times[k]);
    const Vec<S, 4>& q = m.quaternion;
    const Mat<S, 3> frame = SO3<S>::from_quaternion(q[0], Vec<S, 3>(q[1], q[2], q[3])).matrix();
    const Vec<S, 3>& w = m.angular_velocity;
    positions[k] = m.position;
    velocities[k] = m.velocity;
    for (int i = 0; i < 3; ++i) {
      frames[k][i] = frame(i, 0);
      frames[k][3 + i] = frame(i, 1);
      turning[k][i] = w[2] * frame(i, 1) - w[1] * frame(i, 2);      // Λ(ω × e₁)
      turning[k][3 + i] = w[0] * frame(i, 2) - w[2] * frame(i, 0);  // Λ(ω × e₂)
    }
  }
  const Step step(positions.front(), positions.back(), velocities, h);
  const Turn turn(frames.front(), frames.back(), turning, h);
  const auto refuse = [&](const char* what, const S& moved, const char* unit) {
    throw PathJumps(
        message({"PathJumps: the ", end, " of rod ", body, " is prescribed so that its ", what,
                 " changes by ", moved, unit, " in a step of ", h, " s, which its velocity does not"}),
        number::plain(time));
  };
  if (!step.followed_but_for_jumping_rates(h)) refuse("position", step.moved, " m");
  if (!turn.followed_but_for_jumping_rates(h)) refuse("frame", turn.moved, "");
}

}  // namespace detail

/// Throws PathJumps if the prescribed motion of an end of rod number `body` jumps from `time` on for h
/// [s].
template <class M, class R>
void check_motion(const Rod<M, R>& rod, std::size_t body, const typename M::Scalar& time,
                  const typename M::Scalar& h) {
  for (const End end : {End::start, End::finish})
    if (rod.boundary(end).moves()) [[unlikely]]
      detail::check_motion(rod.boundary(end), end == End::start ? "start" : "finish", body, time, h);
}

/// The power of end moments, follower loads and prescribed motions [W], for accelerations and loads as those
/// of `Rod`.
template <class M, class R, class S = typename M::Scalar>
[[nodiscard]] S load_power(const Rod<M, R>& rod, const Chain<S>& chain, const Columns<S, 6>& acceleration,
                           const Columns<S, 6>& loads) {
  return end_power(rod, chain, acceleration, loads, End::start) +
         end_power(rod, chain, acceleration, loads, End::finish);
}

}  // namespace dalembert::rod
