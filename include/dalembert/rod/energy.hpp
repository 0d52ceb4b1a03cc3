#pragma once

#include <dalembert/rod/rod.hpp>

/// Energies and momenta of a rod, summed over its nodes and elements.
namespace dalembert::rod {

/// Kinetic energy Σ ½ m |ṙ|² + ½ ω·jω [J].
template <class R>
[[nodiscard]] typename R::Scalar kinetic_energy(const R& rod, const Chain<typename R::Scalar>& chain) {
  using S = typename R::Scalar;
  const Eigen::Index n = rod.nodes();
  const auto square = [&](Eigen::Index k) {
    return S(0.5) *
           (rod.node_mass() * chain.linear_velocity(k).squaredNorm() +
            chain.angular_velocity(k).dot(rod.node_rotary().cwiseProduct(chain.angular_velocity(k))));
  };
  S total = (rod.mass_fraction(0)) * square(0) + rod.mass_fraction(n - 1) * square(n - 1);
  for (Eigen::Index k = 1; k + 1 < n; ++k) total += square(k);
  return total;
}

/// Elastic energy Σ h W(Γ, Ω) [J].
template <class R>
[[nodiscard]] typename R::Scalar elastic_energy(const R& rod, const Chain<typename R::Scalar>& chain) {
  using S = typename R::Scalar;
  S total{};
  for (Eigen::Index k = 0; k < rod.elements(); ++k) {
    const Strain<S> e = rod.strain(chain, k);
    total += rod.spacing() * rod.material().energy(e.stretch, e.curvature);
  }
  return total;
}

/// Elastic energy and the potentials of gravity and of the dead end forces, zero at the origin [J].
template <class R>
[[nodiscard]] typename R::Scalar potential_energy(const R& rod, const Chain<typename R::Scalar>& chain) {
  using S = typename R::Scalar;
  const Loads<S>& loads = rod.parameters().loads;
  const Eigen::Index n = rod.nodes();
  S total = elastic_energy(rod, chain) - loads.start.force.dot(chain.position(0)) -
            loads.finish.force.dot(chain.position(n - 1));
  if (loads.gravity.squaredNorm() > 0)
    for (Eigen::Index k = 0; k < n; ++k)
      total -= rod.mass_fraction(k) * rod.node_mass() * loads.gravity.dot(chain.position(k));
  return total;
}

/// Linear momentum (spatial, first three) [kg m/s] and angular momentum about the origin (spatial, last three) [kg m²/s].
template <class R>
[[nodiscard]] Vec<typename R::Scalar, 6> momentum(const R& rod, const Chain<typename R::Scalar>& chain) {
  using S = typename R::Scalar;
  Vec<S, 6> total = Vec<S, 6>::Zero();
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const Vec<S, 3> p = rod.mass_fraction(k) * rod.node_mass() * chain.linear_velocity(k);
    const Vec<S, 3> spin = rod.mass_fraction(k) * rod.node_rotary().cwiseProduct(chain.angular_velocity(k));
    total.template head<3>() += p;
    total.template tail<3>() += chain.position(k).cross(p) + chain.rotation(k).act(spin);
  }
  return total;
}

/// The power of what acts on an end besides dead forces: end moments, follower loads, and the reaction that makes it follow a prescribed motion [W].
/// Accelerations and loads are those of `Rod`.
template <class R>
[[nodiscard]] typename R::Scalar end_power(const R& rod, const Chain<typename R::Scalar>& chain,
                                           const Columns<typename R::Scalar, 6>& acceleration,
                                           const Columns<typename R::Scalar, 6>& loads, End end) {
  using S = typename R::Scalar;
  const Eigen::Index k = end == End::start ? 0 : rod.nodes() - 1;
  const auto& load = end == End::start ? rod.parameters().loads.start : rod.parameters().loads.finish;
  const SO3<S> frame = chain.rotation(k);
  const Vec<S, 3> v = chain.linear_velocity(k);
  const Vec<S, 3> omega = chain.angular_velocity(k);
  S p = v.dot(frame.act(load.follower_force)) + omega.dot(load.follower_moment) +
        frame.act(omega).dot(load.moment);
  if (rod.boundary(end).moves()) {  // m a − f
    const S m = rod.mass_fraction(k) * rod.node_mass();
    const Vec<S, 3> j = rod.mass_fraction(k) * rod.node_rotary();
    const S nu = rod.parameters().damping.rate;
    p += v.dot(m * (at3<0>(acceleration, k) + nu * v) - at3<0>(loads, k)) +
         omega.dot(j.cwiseProduct(at3<3>(acceleration, k) + nu * omega) - at3<3>(loads, k));
  }
  return p;
}

}  // namespace dalembert::rod
