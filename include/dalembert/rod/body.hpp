#pragma once

#include <dalembert/assembly/body.hpp>
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
template <class M, class R>
[[nodiscard]] assembly::NodeInertia<typename M::Scalar> node_inertia(const Rod<M, R>& rod, Eigen::Index k) {
  assembly::NodeInertia<typename M::Scalar> inertia;
  for (int i = 0; i < 6; ++i)
    if (!rod.held(k, i)) inertia.inverse[i] = rod.inverse_mass(k, i);
  for (int i = 0; i < 3; ++i) inertia.rotary[i] = rod.mass_fraction(k) * rod.node_rotary()[i];
  return inertia;
}

/// ν of the damping [1/s].
template <class M, class R>
[[nodiscard]] typename M::Scalar damping_rate(const Rod<M, R>& rod) noexcept {
  return rod.parameters().damping.rate;
}

/// Whether an end is led along a prescribed motion.
template <class M, class R>
[[nodiscard]] bool moves_by_itself(const Rod<M, R>& rod) noexcept {
  return rod.boundary(End::start).moves() || rod.boundary(End::finish).moves();
}

/// The power of end moments, follower loads and prescribed motions [W], for accelerations and loads as those of `Rod`.
template <class M, class R>
[[nodiscard]] typename M::Scalar load_power(const Rod<M, R>& rod, const Chain<typename M::Scalar>& chain,
                                            const Columns<typename M::Scalar, 6>& acceleration,
                                            const Columns<typename M::Scalar, 6>& loads) {
  return end_power(rod, chain, acceleration, loads, End::start) +
         end_power(rod, chain, acceleration, loads, End::finish);
}

}  // namespace dalembert::rod
