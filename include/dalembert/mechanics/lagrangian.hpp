#pragma once

#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/mechanics/lift.hpp>
#include <dalembert/mechanics/state.hpp>

/// The left-trivialised Euler–Lagrange operator of a system with ℓ(g, ξ, t), ξ = g⁻¹ġ,
///   EL = d/dt p − ad*_ξ p − ∂_gℓ = M ξ̇ + b,      p = ∂ℓ/∂ξ, M = ∂²ℓ/∂ξ²                               (1)
///   b = ∂_g p · ξ + ∂_t p − ad*_ξ p − ∂_gℓ                                                           (2)
/// where ∂_g f · η = d/ds f(g exp(sη)) and ⟨ad*_ξ p, η⟩ = ⟨p, [ξ, η]⟩. Derivatives are exact, by dual numbers; what
/// the system gives in closed form (`momentum`, `mass`) is used instead, and what ℓ does not depend on costs nothing.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, theorem 6.1 (left case).
namespace dalembert {

/// M and b of (1), dual to ξ.
template <class S, int N>
struct EulerLagrangeTerms {
  Mat<S, N> mass;  ///< ∂²ℓ/∂ξ²
  Vec<S, N> bias;  ///< the terms without ξ̇
};

/// ℓ(g, ξ, t) [J].
template <class T, MechanicalSystem System>
[[nodiscard]] T lagrangian(const System& system, const GroupOf<System, T>& g,
                           const Vec<T, System::Group::dof>& xi, const T& t) {
  return detail::call(detail::Lagrangian<System>{system}, g, xi, detail::no_internal<T>(), t);
}

/// p = ∂ℓ/∂ξ, in the body frame: the system's closed form, or a derivative of its ℓ.
template <class T, MechanicalSystem System>
[[nodiscard]] Vec<T, System::Group::dof> momentum(const System& system, const GroupOf<System, T>& g,
                                                  const Vec<T, System::Group::dof>& xi, const T& t) {
  constexpr int n = System::Group::dof;
  if constexpr (detail::taken<detail::Momentum, System>.callable) {
    return detail::call(detail::Momentum<System>{system}, g, xi, detail::no_internal<T>(), t);
  } else {
    using D = Dual<T, n>;
    const D value = lagrangian<D>(system, g.template cast<D>(), seeded(xi), D(t));
    return value.derivatives();
  }
}

/// ∂_gℓ, dual to η = g⁻¹δg.
template <class T, MechanicalSystem System>
[[nodiscard]] Vec<T, System::Group::dof> configuration_force(const System& system,
                                                             const GroupOf<System, T>& g,
                                                             const Vec<T, System::Group::dof>& xi,
                                                             const T& t) {
  constexpr int n = System::Group::dof;
  if constexpr (detail::taken<detail::Lagrangian, System>.g) {
    using D = Dual<T, n>;
    const D value = lagrangian<D>(system, detail::displaced<n>(g), detail::convert_all<D>(xi), D(t));
    return value.derivatives();
  } else {
    return Vec<T, n>::Zero();
  }
}

/// M and b of (1) in a state.
template <MechanicalSystem System, class S = ScalarOf<System>>
void euler_lagrange(const System& system, const typename System::Group& g,
                    const Vec<S, System::Group::dof>& xi, S t,
                    EulerLagrangeTerms<S, System::Group::dof>& out) {
  using Group = typename System::Group;
  constexpr int n = Group::dof;
  constexpr detail::Arguments of_lagrangian = detail::taken<detail::Lagrangian, System>;
  constexpr detail::Arguments of_momentum = detail::taken<detail::Momentum, System>;
  constexpr bool closed_mass = detail::taken<detail::Mass, System>.callable;
  constexpr bool flows =
      of_momentum.callable ? of_momentum.vary_along_flow() : of_lagrangian.vary_along_flow();
  constexpr int along_xi = closed_mass ? 0 : n;
  constexpr int directions = along_xi + (flows ? 1 : 0);

  if constexpr (closed_mass) {
    out.mass = detail::call(detail::Mass<System>{system}, g, xi, detail::no_internal<S>(), t);
  }
  Vec<S, n> p;
  if constexpr (directions == 0) {
    p = momentum<S>(system, g, xi, t);
    out.bias.setZero();
  } else {
    using D = Dual<S, directions>;
    Vec<D, n> xi_lifted = detail::convert_all<D>(xi);
    if constexpr (!closed_mass) {
      for (int i = 0; i < n; ++i) xi_lifted[i].derivatives()[i] = S(1);
    }
    Vec<D, n> p_lifted;
    if constexpr (flows) {
      const D s = D(S(0), directions, along_xi);
      p_lifted = momentum<D>(system, detail::moved<D>(g, xi, s), xi_lifted, D(t) + s);
    } else {
      p_lifted = momentum<D>(system, g.template cast<D>(), xi_lifted, D(t));
    }
    for (int i = 0; i < n; ++i) {
      p[i] = p_lifted[i].value();
      if constexpr (!closed_mass) out.mass.row(i) = p_lifted[i].derivatives().template head<n>().transpose();
      out.bias[i] = flows ? p_lifted[i].derivatives()[directions - 1] : S(0);
    }
  }
  out.bias -= Group::coad(xi, p);
  if constexpr (of_lagrangian.g) out.bias -= configuration_force<S>(system, g, xi, t);
}

/// ⟨∂ℓ/∂ξ, ξ⟩ − ℓ [J]: conserved if ℓ does not depend on time and no forces do work.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] S energy(const System& system, const typename System::Group& g,
                       const Vec<S, System::Group::dof>& xi, S t) {
  return momentum<S>(system, g, xi, t).dot(xi) - lagrangian<S>(system, g, xi, t);
}

/// ℓ(g, ξ, t) − ℓ(g, 0, t) [J]: the kinetic energy where ℓ is a homogeneous quadratic form in ξ minus a potential.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] S kinetic_energy(const System& system, const typename System::Group& g,
                               const Vec<S, System::Group::dof>& xi, S t) {
  const Vec<S, System::Group::dof> rest = Vec<S, System::Group::dof>::Zero();
  return lagrangian<S>(system, g, xi, t) - lagrangian<S>(system, g, rest, t);
}

/// ∂ℓ/∂t [W], the rate at which an explicit dependence on time takes energy out of ⟨∂ℓ/∂ξ, ξ⟩ − ℓ.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] S lagrangian_time_derivative(const System& system, const typename System::Group& g,
                                           const Vec<S, System::Group::dof>& xi, S t) {
  if constexpr (detail::taken<detail::Lagrangian, System>.t) {
    using D = Dual<S, 1>;
    const D value = lagrangian<D>(system, g.template cast<D>(), detail::convert_all<D>(xi), D(t, 1, 0));
    return value.derivatives()[0];
  } else {
    return S(0);
  }
}

}  // namespace dalembert
