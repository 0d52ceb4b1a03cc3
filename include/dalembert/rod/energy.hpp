#pragma once

#include <dalembert/core/number.hpp>
#include <dalembert/rod/concepts.hpp>
#include <dalembert/rod/rod.hpp>

/// Energies and momenta of a rod, summed over its nodes and elements.
namespace dalembert::rod {

/// Kinetic energy Σ ½ m |ṙ|² + ½ ω·jω [J].
template <RodModel R, class S = typename R::Scalar>
[[nodiscard, gnu::noinline]] S kinetic_energy(const R& rod, const Chain<S>& chain) {
  const Eigen::Index n = rod.nodes();
  const auto square = [&](Eigen::Index k) {
    const Triple<S> v = load3<0, S>(chain.velocity, k), omega = load3<3, S>(chain.velocity, k);
    return S(0.5) * (rod.node_mass(k) * dot(v, v) + dot(omega, scaled(Triple<S>(rod.node_rotary(k)), omega)));
  };
  S total = (rod.mass_fraction(0)) * square(0) + rod.mass_fraction(n - 1) * square(n - 1);
  for (Eigen::Index k = 1; k + 1 < n; ++k) total += square(k);
  return total;
}

/// Elastic energy Σ h W(Γ, Ω) [J].
template <RodModel R, class S = typename R::Scalar>
[[nodiscard, gnu::noinline]] S elastic_energy(const R& rod, const Chain<S>& chain) {
  S total{};
  for (Eigen::Index k = 0; k < rod.elements(); ++k) {
    const Strain<S> e = rod.strain(chain, k);
    total += rod.spacing() * rod.material_at(k).energy(e.stretch, e.curvature);
  }
  return total;
}

/// Elastic energy and the potentials of gravity and of the dead end forces, zero at the origin [J].
template <RodModel R, class S = typename R::Scalar>
[[nodiscard]] S potential_energy(const R& rod, const Chain<S>& chain) {
  const Loads<S>& loads = rod.parameters().loads;
  const Eigen::Index n = rod.nodes();
  using dalembert::detail::inner;
  S total = elastic_energy(rod, chain) - inner(loads.start.force, chain.position(0)) -
            inner(loads.finish.force, chain.position(n - 1));
  if (!number::is_zero(loads.gravity))
    for (Eigen::Index k = 0; k < n; ++k)
      total -= rod.mass_fraction(k) * rod.node_mass(k) * inner(loads.gravity, chain.position(k));
  return total;
}

/// Linear momentum (spatial, first three) [kg m/s] and angular momentum about the origin (spatial, last
/// three) [kg m²/s].
template <RodModel R, class S = typename R::Scalar>
[[nodiscard]] Vec<S, 6> momentum(const R& rod, const Chain<S>& chain) {
  Vec<S, 6> total = Vec<S, 6>::Zero();
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    const Triple<S> p = S(rod.mass_fraction(k) * rod.node_mass(k)) * load3<0, S>(chain.velocity, k);
    const Triple<S> spin =
        scaled(rod.mass_fraction(k) * Triple<S>(rod.node_rotary(k)), load3<3, S>(chain.velocity, k));
    const Vec<S, 3> angular =
        cross(load3<0, S>(chain.configuration, k), p) + Triple<S>(chain.rotation(k).act(spin));
    total = dalembert::detail::sum(total, dalembert::detail::stacked(Vec<S, 3>(p), angular));
  }
  return total;
}

/// The power of what acts on an end besides dead forces: end moments, follower loads, and the reaction that
/// makes it follow a prescribed motion [W]. Accelerations and loads are those of `Rod`.
template <RodModel R, class S = typename R::Scalar>
[[nodiscard, gnu::noinline]] S end_power(const R& rod, const Chain<S>& chain,
                                         const Columns<S, 6>& acceleration, const Columns<S, 6>& loads,
                                         End end) {
  const Eigen::Index k = end == End::start ? 0 : rod.nodes() - 1;
  const auto& load = end == End::start ? rod.parameters().loads.start : rod.parameters().loads.finish;
  const Vec<S, 3> v = chain.linear_velocity(k), omega = chain.angular_velocity(k);
  S p = detail::power_of(load, chain.rotation(k), v, omega);
  if (rod.boundary(end).moves()) {  // m a − f
    const S m = rod.mass_fraction(k) * rod.node_mass(k);
    const Triple<S> j = rod.mass_fraction(k) * Triple<S>(rod.node_rotary(k));
    const S nu = rod.parameters().damping.rate;
    const Triple<S> of_v(v), of_omega(omega);
    p += dot(of_v, m * (load3<0, S>(acceleration, k) + nu * of_v) - load3<0, S>(loads, k)) +
         dot(of_omega, scaled(j, load3<3, S>(acceleration, k) + nu * of_omega) - load3<3, S>(loads, k));
  }
  return p;
}

}  // namespace dalembert::rod
