#pragma once

#include <iterator>
#include <string>
#include <type_traits>

#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/mechanics/lift.hpp>
#include <dalembert/mechanics/principle.hpp>

/// The constraints of a system, lifted by differentiation along the motion until ξ̇ appears.
///   φ(g, t) = 0        φ̇ = Aξ + ∂_tφ,                  φ̈ = A ξ̇ + d²/ds² φ(g exp(sξ), t + s),    A = ∂_gφ        (1)
///   R(g, ξ, t) = 0     Ṙ = A ξ̇ + d/ds R(g exp(sξ), ξ, t + s),                                 A = ∂R/∂ξ       (2)
/// Rows are stacked, positions first. Derivatives are exact, by dual numbers, and what a row does not depend on costs nothing.
namespace dalembert {

namespace detail {

/// A result of rows as a vector, also if it is a single number.
template <class T, int K, class Rows>
[[nodiscard]] Vec<T, K> as_rows(const Rows& rows) {
  if constexpr (requires { Rows::RowsAtCompileTime; }) {
    return rows;
  } else {
    Vec<T, K> one;
    one[0] = rows;
    return one;
  }
}

template <class System>
struct PrincipleOf {
  using type = principle::DAlembert;
};
template <class System>
  requires requires { typename System::Principle; }
struct PrincipleOf<System> {
  using type = typename System::Principle;
};
template <class System>
  requires(taken<Variational, System>.callable && !requires { typename System::Principle; })
struct PrincipleOf<System> {
  using type = principle::Given;
};

}  // namespace detail

/// The principle of a system: its `Principle`; without one `Given` if it has a function `variational`, else `DAlembert`.
template <MechanicalSystem System>
using PrincipleOf = typename detail::PrincipleOf<System>::type;

/// The name of row i of C_K, for messages: the system's own, or its kind and number.
template <MechanicalSystem System>
[[nodiscard]] std::string constraint_name(int i) {
  if constexpr (requires { System::constraint_names[0]; }) {
    static_assert(std::size(System::constraint_names) == kinematic_rows<System>,
                  "constraint_names needs a name for each row of C_K");
    return std::string(System::constraint_names[static_cast<std::size_t>(i)]);
  } else if (i < position_rows<System>) {
    return "position row " + std::to_string(i);
  } else {
    return "velocity row " + std::to_string(i - position_rows<System>);
  }
}

/// φ(g, t).
template <class T, MechanicalSystem System>
[[nodiscard]] Vec<T, position_rows<System>> position_constraint(const System& system,
                                                                const GroupOf<System, T>& g, const T& t) {
  return detail::as_rows<T, position_rows<System>>(detail::call(
      detail::PositionConstraint<System>{system}, g, detail::no_internal<T>(), detail::Nothing{}, t));
}

/// R(g, ξ, t).
template <class T, MechanicalSystem System>
[[nodiscard]] Vec<T, velocity_rows<System>> velocity_constraint(const System& system,
                                                                const GroupOf<System, T>& g,
                                                                const Vec<T, System::Group::dof>& xi,
                                                                const T& t) {
  return detail::as_rows<T, velocity_rows<System>>(
      detail::call(detail::VelocityConstraint<System>{system}, g, xi, detail::no_internal<T>(), t));
}

/// ∂_gφ.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Mat<S, position_rows<System>, System::Group::dof> position_jacobian(
    const System& system, const typename System::Group& g, S t) {
  constexpr int n = System::Group::dof, k = position_rows<System>;
  using D = Dual<S, n>;
  const Vec<D, k> phi = position_constraint<D>(system, detail::displaced<n>(g), D(t));
  Mat<S, k, n> rows;
  for (int i = 0; i < k; ++i) rows.row(i) = phi[i].derivatives().transpose();
  return rows;
}

/// ∂R/∂ξ.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Mat<S, velocity_rows<System>, System::Group::dof> velocity_jacobian(
    const System& system, const typename System::Group& g, const Vec<S, System::Group::dof>& xi, S t) {
  constexpr int n = System::Group::dof, k = velocity_rows<System>;
  using D = Dual<S, n>;
  const Vec<D, k> r = velocity_constraint<D>(system, g.template cast<D>(), seeded(xi), D(t));
  Mat<S, k, n> rows;
  for (int i = 0; i < k; ++i) rows.row(i) = r[i].derivatives().transpose();
  return rows;
}

/// (φ̇, R): how fast a state leaves its constraints.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Vec<S, kinematic_rows<System>> constraint_velocity(const System& system,
                                                                 const typename System::Group& g,
                                                                 const Vec<S, System::Group::dof>& xi, S t) {
  Vec<S, kinematic_rows<System>> rows;
  if constexpr (0 < position_rows<System>) {
    using D = Dual<S, 1>;
    const D s(S(0), 1, 0);
    const auto phi = position_constraint<D>(system, detail::moved<D>(g, xi, s), D(t) + s);
    for (int i = 0; i < position_rows<System>; ++i) rows[i] = phi[i].derivatives()[0];
  }
  if constexpr (0 < velocity_rows<System>) {
    rows.template tail<velocity_rows<System>>() = velocity_constraint<S>(system, g, xi, t);
  }
  return rows;
}

/// (∂_gφ, ∂R/∂ξ), the rows of C_K on ξ.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Mat<S, kinematic_rows<System>, System::Group::dof> constraint_jacobian(
    const System& system, const typename System::Group& g, const Vec<S, System::Group::dof>& xi, S t) {
  Mat<S, kinematic_rows<System>, System::Group::dof> rows;
  if constexpr (0 < position_rows<System>)
    rows.template topRows<position_rows<System>>() = position_jacobian(system, g, t);
  if constexpr (0 < velocity_rows<System>) {
    rows.template bottomRows<velocity_rows<System>>() = velocity_jacobian(system, g, xi, t);
  }
  return rows;
}

/// β of the lifted rows.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Vec<S, kinematic_rows<System>> constraint_drift(const System& system,
                                                              const typename System::Group& g,
                                                              const Vec<S, System::Group::dof>& xi, S t) {
  Vec<S, kinematic_rows<System>> drift = Vec<S, kinematic_rows<System>>::Zero();
  if constexpr (0 < position_rows<System>) {
    using D = Dual<Dual<S, 1>, 1>;
    const D s(Dual<S, 1>(S(0), 1, 0), 1, 0);
    const auto phi = position_constraint<D>(system, detail::moved<D>(g, xi, s), D(Dual<S, 1>(t)) + s);
    for (int i = 0; i < position_rows<System>; ++i) drift[i] = phi[i].derivatives()[0].derivatives()[0];
  }
  if constexpr (0 < velocity_rows<System>) {
    if constexpr (detail::taken<detail::VelocityConstraint, System>.vary_along_flow()) {
      using D = Dual<S, 1>;
      const D s(S(0), 1, 0);
      const auto r =
          velocity_constraint<D>(system, detail::moved<D>(g, xi, s), detail::convert_all<D>(xi), D(t) + s);
      for (int i = 0; i < velocity_rows<System>; ++i)
        drift[position_rows<System> + i] = r[i].derivatives()[0];
    }
  }
  return drift;
}

/// R_V, the rows of C_V; `kinematic` = (∂_gφ, ∂R/∂ξ) there.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Mat<S, variational_rows<System>, System::Group::dof> variational_jacobian(
    const System& system, const typename System::Group& g, const Vec<S, System::Group::dof>& xi, S t,
    const Mat<S, kinematic_rows<System>, System::Group::dof>& kinematic) {
  if constexpr (std::is_same_v<PrincipleOf<System>, principle::Given>) {
    static_assert(detail::taken<detail::Variational, System>.callable,
                  "the principle Given needs a function `variational`");
    return detail::call(detail::Variational<System>{system}, g, xi, detail::no_internal<S>(), t);
  } else {
    static_assert(!detail::taken<detail::Variational, System>.callable,
                  "a system with a function `variational` has the principle Given, and needs no other");
    return kinematic;
  }
}

}  // namespace dalembert
