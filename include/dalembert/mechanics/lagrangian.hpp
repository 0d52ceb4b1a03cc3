#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/mechanics/detail/dual_state.hpp>
#include <dalembert/problem/concepts.hpp>

/// The Euler–Lagrange operator of a system with ℓ(g, ξ, z, t), ξ = g⁻¹ġ, where z has no inertia,
///   EL_ξ = d/dt p − ad*_ξ p − ∂_gℓ = M ξ̇ + N ż + b,      p = ∂ℓ/∂ξ, M = ∂²ℓ/∂ξ², N = ∂²ℓ/∂ξ∂z              (1)
///   EL_z = −∂ℓ/∂z                                                                                   (2)
///   b = ∂_g p · ξ + ∂_t p − ad*_ξ p − ∂_gℓ                                                           (3)
/// where ∂_g f · η = d/ds f(g exp(sη)) and ⟨ad*_ξ p, η⟩ = ⟨p, [ξ, η]⟩; for ξ = ġg⁻¹ see mechanics/trivialisation.hpp. Derivatives
/// are exact, by dual numbers; what the system gives in closed form (`momentum`, `mass`) is used instead, and what ℓ does
/// not depend on costs nothing.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, theorem 6.1, corrected (δv = η̇ + [v, η]).
namespace dalembert {

/// (1) and (2) as one matrix times (ξ̇, ż), plus the rest: N coordinates of the group, M internal ones.
template <class S, int N, int M = 0>
struct EulerLagrangeTerms {
  Mat<S, N + M> mass;  ///< (M, N; 0, 0)
  Vec<S, N + M> bias;  ///< (b, −∂ℓ/∂z)
};

namespace detail {

/// What a function of a system returned, over T: a constant does not know of the derivatives that others carry.
template <class T, class Result>
[[nodiscard]] decltype(auto) over(Result&& x) {
  if constexpr (std::same_as<typename std::remove_cvref_t<Result>::Scalar, T>)
    return std::forward<Result>(x);
  else
    return convert_all<T>(x);
}

}  // namespace detail

/// ℓ(g, ξ, z, t) [J].
template <class T, MechanicalSystem System, class At>
[[nodiscard]] T lagrangian(const System& system, const At& at) {
  return detail::call<detail::Lagrangian, System>(system, at.g, at.time, at.xi, at.z);
}

/// p = ∂ℓ/∂ξ: the system's closed form, or a derivative of its ℓ.
template <class T, MechanicalSystem System, class At>
[[nodiscard]] Vec<T, System::Group::dof> momentum(const System& system, const At& at) {
  constexpr int n = System::Group::dof;
  if constexpr (detail::has<detail::Momentum, System>) {
    return detail::call<detail::Momentum, System>(system, at.g, at.time, at.xi, at.z);
  } else {
    using D = Dual<T, n>;
    constexpr detail::Arguments taken = detail::taken<detail::Lagrangian, System>;
    return lagrangian<D>(system, detail::dual_state<System, D, taken, detail::Variables{.xi = 0}>(at))
        .derivatives();
  }
}

/// (∂_gℓ, ∂ℓ/∂z), dual to (η, δz).
template <class T, MechanicalSystem System, class At>
[[nodiscard]] Vec<T, detail::full_size<System>> configuration_force(const System& system, const At& at) {
  constexpr int n = System::Group::dof, m = internal_size<System>;
  constexpr detail::Arguments taken = detail::taken<detail::Lagrangian, System>;
  constexpr int along_g = taken.g ? n : 0, along_z = taken.vectors > 1 ? m : 0;
  constexpr detail::Variables variables{.g = along_g > 0 ? 0 : -1, .z = along_z > 0 ? along_g : -1};
  Vec<T, n + m> force = detail::zeros<T, n + m>();
  if constexpr (along_g + along_z > 0) {
    using D = Dual<T, along_g + along_z>;
    const D value = lagrangian<D>(system, detail::dual_state<System, D, taken, variables>(at));
#pragma GCC unroll 16
    for (int i = 0; i < along_g; ++i) force[i] = value.derivative(i);
    for (int i = 0; i < along_z; ++i) force[n + i] = value.derivative(along_g + i);
  }
  return force;
}

/// (3) and −∂ℓ/∂z; with `mass`, also (M, N; 0, 0). The state may be over numbers with derivatives.
template <MechanicalSystem System, class At, class S = typename At::Scalar>
[[nodiscard]] Vec<S, detail::full_size<System>> euler_lagrange_bias(
    const System& system, const At& at, Mat<S, detail::full_size<System>>* mass = nullptr) {
  using Group = GroupOf<System, S>;
  constexpr int n = Group::dof, m = internal_size<System>;
  constexpr detail::Arguments of_lagrangian = detail::taken<detail::Lagrangian, System>;
  constexpr detail::Arguments of_momentum =
      detail::has<detail::Momentum, System> ? detail::taken<detail::Momentum, System> : of_lagrangian;
  constexpr int along_xi = detail::has<detail::Mass, System> ? 0 : n;
  constexpr int along_z = of_momentum.vectors > 1 ? m : 0;
  constexpr bool flows = of_momentum.vary_along_flow();
  constexpr int directions = along_xi + along_z + (flows ? 1 : 0);

  if constexpr (m > 0)
    if (mass) detail::set_zero(*mass);
  Vec<S, n + m> bias = detail::zeros<S, n + m>();
  Vec<S, n> p;
  if constexpr (directions == 0) {
    p = momentum<S>(system, at);
  } else {
    using D = Dual<S, directions>;
    constexpr detail::Variables variables{
        .xi = along_xi > 0 ? 0 : -1, .z = along_z > 0 ? along_xi : -1, .flow = flows ? directions - 1 : -1};
    const Vec<D, n> p_lifted = momentum<D>(system, detail::dual_state<System, D, of_momentum, variables>(at));
    for (int i = 0; i < n; ++i) {
      p[i] = p_lifted[i].value();
      if (mass) {
        for (int j = 0; j < along_xi; ++j) (*mass)(i, j) = p_lifted[i].derivative(j);
        for (int j = 0; j < along_z; ++j) (*mass)(i, n + j) = p_lifted[i].derivative(along_xi + j);
      }
      if constexpr (flows) bias[i] = p_lifted[i].derivative(directions - 1);
    }
  }
  if constexpr (along_xi == 0)
    if (mass)
      detail::place<S, n + m, n + m, n, n>(
          *mass, 0, 0,
          detail::over<S>(detail::call<detail::Mass, System>(system, at.g, at.time, at.xi, at.z)));
  const Vec<S, n> turning = TrivialisationOf<System>::template turning<Group>(at.xi, p);
#pragma GCC unroll 16
  for (int i = 0; i < n; ++i) bias[i] += turning[i];
  if constexpr (of_lagrangian.g || (m > 0 && of_lagrangian.vectors > 1)) {
    const Vec<S, n + m> force = configuration_force<S>(system, at);
#pragma GCC unroll 16
    for (int i = 0; i < n + m; ++i) bias[i] -= force[i];
  }
  return bias;
}

/// (1) and (2) in a state.
template <MechanicalSystem System, class S = ScalarOf<System>>
void euler_lagrange(const System& system, const StateOf<System>& at,
                    EulerLagrangeTerms<S, System::Group::dof, internal_size<System>>& out) {
  out.bias = euler_lagrange_bias(system, at, &out.mass);
}

/// ⟨∂ℓ/∂ξ, ξ⟩ − ℓ [J]: conserved if ℓ does not depend on time and no forces do work.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] S energy(const System& system, const StateOf<System>& at) {
  return detail::inner(momentum<S>(system, at), at.xi) - lagrangian<S>(system, at);
}

/// ℓ(g, ξ, z, t) − ℓ(g, 0, z, t) [J]: the kinetic energy where ℓ is a homogeneous quadratic form in ξ minus a potential.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] S kinetic_energy(const System& system, const StateOf<System>& at) {
  StateOf<System> rest = at;
  detail::set_zero(rest.xi);
  return lagrangian<S>(system, at) - lagrangian<S>(system, rest);
}

/// ∂ℓ/∂t [W], the rate at which an explicit dependence on time takes energy out of ⟨∂ℓ/∂ξ, ξ⟩ − ℓ.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] S lagrangian_time_derivative(const System& system, const StateOf<System>& at) {
  if constexpr (detail::taken<detail::Lagrangian, System>.t) {
    using D = Dual<S, 1>;
    constexpr detail::Arguments taken = detail::taken<detail::Lagrangian, System>;
    return lagrangian<D>(system, detail::dual_state<System, D, taken, detail::Variables{.t = 0}>(at))
        .derivative(0);
  } else {
    return S(0);
  }
}

/// How forces change the energy, `of_forces` their power [W]: what the system calls `dissipation` apart, the rest and −∂ℓ/∂t under `load`.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Powers<S> power_of_forces(const System& system, const StateOf<System>& at, const S& of_forces) {
  Powers<S> power;
  if constexpr (detail::dissipates<System>) power.dissipation = system.dissipation(at);
  power.load = of_forces - power.dissipation - lagrangian_time_derivative(system, at);
  return power;
}

namespace detail {

/// Whether the mass matrix of a system is a member function of nothing, and all coordinates have inertia.
template <class System>
inline constexpr bool has_constant_mass = [] {
  if constexpr (has<Mass, System> && internal_size<System> == 0) return taken<Mass, System> == Arguments{};
  return false;
}();

}  // namespace detail

}  // namespace dalembert
