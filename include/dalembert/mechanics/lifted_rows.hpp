#pragma once

#include <type_traits>

#include <dalembert/core/small_blocks.hpp>
#include <dalembert/mechanics/bordered.hpp>
#include <dalembert/mechanics/constraint.hpp>

/// The rows of C_K, differentiated along the motion until a rate appears in them, as A(ξ̇, ż) + β = 0:
///   φ(g, t)               A = (∂_gφ, 0)           β = d²/ds² φ along the flow                             (1)
///   φ(g, z, t), mixed     A = (0, ∂_zφ)           β = d/ds φ along the flow                               (2)
///   R(g, ξ, z, t)         A = (∂_ξR, ∂_zR)        β = d/ds R along the flow                               (3)
///   R(g, ξ, z, ż, t), mixed  A = (0, ∂_żR)        β = R − A ż                                             (4)
///   R(g, ξ, ξ̇, z, ż, t)   A = (∂_ξ̇R, ∂_żR)        β = R − A(ξ̇, ż)                                         (5)
/// where the flow for the time s moves (g, t) with the velocity ξ and leaves ξ and z as they are. (4) and (5) are linearised at given
/// rates, which matters only where R is not affine in them. Derivatives are exact, by dual numbers, and what a row does not depend
/// on costs nothing. The rows of C_V that a principle derives come with them.
namespace dalembert::detail {

/// d/ds or, for Order = 2, d²/ds² of rows along the flow; Member is PositionConstraint or VelocityConstraint.
template <int Order, template <class> class Member, MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] auto along_flow(const System& system, const StateOf<System>& at,
                              const Vec<S, internal_size<System>>& zdot) {
  constexpr Arguments needed = taken<Member, System>;
  constexpr int k = rows_of<Member, System>;
  using First = Dual<S, 1>;
  using D = std::conditional_t<Order == 1, First, Dual<First, 1>>;
  Vec<S, k> slope = Vec<S, k>::Zero();
  if constexpr (needed.vary_along_flow()) {
    const D s = [] {
      if constexpr (Order == 1)
        return D::variable(S(0), 0);
      else
        return D::variable(First::variable(S(0), 0), 0);
    }();
    StateOf<System, D> moved = lifted<D, System>(at, needed);
    flow<System>(at, needed, s, moved);
    const auto rows = [&] {
      if constexpr (std::same_as<Member<System>, PositionConstraint<System>>)
        return position_constraint<D>(system, moved);
      else
        return velocity_constraint<D>(system, moved, convert_all<D>(zdot));
    }();
    for (int i = 0; i < k; ++i) {
      if constexpr (Order == 1)
        slope[i] = rows[i].derivative(0);
      else
        slope[i] = rows[i].derivative(0).derivative(0);
    }
  }
  return slope;
}

/// (1) and (2).
template <MechanicalSystem System, class S, int V>
void add_position_rows(const System& system, const MixedRows<System>& mixed, const StateOf<System>& at,
                       BorderedSystem<S, full_size<System>, kinematic_rows<System>, V>& out) {
  constexpr int n = System::Group::dof, m = internal_size<System>, k = position_rows<System>;
  const Vec<S, m> rest = Vec<S, m>::Zero();
  const Mat<S, k, n + m> rows = position_jacobian(system, at);
  place(out.constraint, 0, 0, rows);
  place(out.drift, 0, 0, along_flow<2, PositionConstraint>(system, at, rest));
  if constexpr (derives_variational<System>) place(out.variational, 0, 0, rows);
  if constexpr (position_may_mix<System>) {
    const Vec<S, k> once = along_flow<1, PositionConstraint>(system, at, rest);
    for (int i = 0; i < k; ++i) {
      if (!mixed.position[static_cast<std::size_t>(i)]) continue;
      for (int j = 0; j < n; ++j) out.constraint(i, j) = 0;
      out.drift[i] = once[i];
    }
  }
}

/// (3) and (4).
template <MechanicalSystem System, class S, int V>
void add_velocity_rows(const System& system, const MixedRows<System>& mixed, const StateOf<System>& at,
                       const Vec<S, internal_size<System>>& zdot,
                       BorderedSystem<S, full_size<System>, kinematic_rows<System>, V>& out) {
  constexpr int n = System::Group::dof, m = internal_size<System>, k = velocity_rows<System>;
  constexpr int first = position_rows<System>;
  const Mat<S, k, n + 2 * m> rows = velocity_jacobian(system, at, zdot);
  place(out.constraint, first, 0, columns<n + m>(rows));
  place(out.drift, first, 0, along_flow<1, VelocityConstraint>(system, at, zdot));
  if constexpr (derives_variational<System>) {
    place(out.variational, first, 0, columns<n>(rows));
    if constexpr (m > 0) place(out.variational, first, n, columns<m>(rows, n + m));
  }
  if constexpr (velocity_may_mix<System>) {
    const Vec<S, k> value = velocity_constraint<S>(system, at, zdot);
    for (int i = 0; i < k; ++i) {
      if (!mixed.velocity[static_cast<std::size_t>(i)]) continue;
      out.drift[first + i] = value[i];
      for (int j = 0; j < n; ++j) out.constraint(first + i, j) = 0;
      for (int j = 0; j < m; ++j) {
        out.constraint(first + i, n + j) = rows(i, n + m + j);
        out.drift[first + i] -= rows(i, n + m + j) * zdot[j];
      }
    }
  }
}

/// (5).
template <MechanicalSystem System, class S, int V>
void add_acceleration_rows(const System& system, const StateOf<System>& at,
                           const Vec<S, System::Group::dof>& xidot, const Vec<S, internal_size<System>>& zdot,
                           BorderedSystem<S, full_size<System>, kinematic_rows<System>, V>& out) {
  constexpr int n = System::Group::dof, m = internal_size<System>, k = acceleration_rows<System>;
  const Mat<S, k, n + m> rows = acceleration_jacobian(system, at, xidot, zdot);
  constexpr int first = kinematic_rows<System> - k;
  Vec<S, k> drift = acceleration_constraint<S>(system, at, xidot, zdot);
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < n; ++j) drift[i] -= rows(i, j) * xidot[j];
    for (int j = 0; j < m; ++j) drift[i] -= rows(i, n + j) * zdot[j];
  }
  place(out.constraint, first, 0, rows);
  place(out.drift, first, 0, drift);
  if constexpr (derives_variational<System>) place(out.variational, first, 0, rows);
}

/// All rows of C_K linearised at given rates, and the rows of C_V.
template <MechanicalSystem System, class S = ScalarOf<System>>
void add_rows(const System& system, const MixedRows<System>& mixed, const StateOf<System>& at,
              const Vec<S, System::Group::dof>& xidot, const Vec<S, internal_size<System>>& zdot,
              BorderedSystem<S, full_size<System>, kinematic_rows<System>, variational_rows<System>>& out) {
  if constexpr (position_rows < System >> 0) add_position_rows(system, mixed, at, out);
  if constexpr (velocity_rows < System >> 0) add_velocity_rows(system, mixed, at, zdot, out);
  if constexpr (acceleration_rows < System >> 0) add_acceleration_rows(system, at, xidot, zdot, out);
  if constexpr (!derives_variational<System>)
    out.variational = call<Variational, System, S>(system, at.g, at.time, at.xi, at.z);
}

}  // namespace dalembert::detail
