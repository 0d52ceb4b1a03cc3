#pragma once

#include <dalembert/rod/rod.hpp>

/// The equations of motion of a rod as a residual, node by node, for accelerations that need not solve them.
///   m (r̈ + ν ṙ) − f,   j ω̇ + ω × jω + ν jω − τ                                                                     (1)
/// A held degree has m r̈ or j ω̇ of its prescribed motion subtracted instead of all the rest.
namespace dalembert::rod {

/// Put equation (1) of each node into `out`, six numbers a node, force [N] then torque [N m], from `at` on. `loads` hold f and τ
/// with every constraint force, `acceleration` r̈ (spatial) and ω̇ (body).
template <class R, class Vector>
void equations_of_motion(const R& rod, const Chain<typename R::Scalar>& chain,
                         const Columns<typename R::Scalar, 6>& acceleration,
                         const Columns<typename R::Scalar, 6>& loads, typename R::Scalar time, Vector& out,
                         Eigen::Index at) {
  using S = typename R::Scalar;
  const S nu = rod.parameters().damping.rate;
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const S m = rod.mass_fraction(k) * rod.node_mass();
    const Vec<S, 3> j = rod.mass_fraction(k) * rod.node_rotary();
    const Vec<S, 3> omega = chain.angular_velocity(k);
    const Vec<S, 3> spin = j.cwiseProduct(omega);
    out.template segment<3>(at + 6 * k) =
        m * (at3<0>(acceleration, k) + nu * chain.linear_velocity(k)) - at3<0>(loads, k);
    out.template segment<3>(at + 6 * k + 3) =
        j.cwiseProduct(at3<3>(acceleration, k)) + omega.cross(spin) + nu * spin - at3<3>(loads, k);
  }
  for (const End end : {End::start, End::finish}) {
    const Boundary<S>& b = rod.boundary(end);
    if (!b.any_held()) continue;
    const Eigen::Index k = end == End::start ? 0 : rod.nodes() - 1;
    EndMotion<S> motion;
    if (b.moves()) motion = b.motion(time);
    for (int i = 0; i < 6; ++i) {
      const S wanted = i < 3 ? motion.acceleration[i] : motion.angular_acceleration[i - 3];
      if (b.held(i)) out[at + 6 * k + i] = (acceleration(k, i) - wanted) / rod.inverse_mass(k, i);
    }
  }
}

}  // namespace dalembert::rod
