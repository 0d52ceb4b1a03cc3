#pragma once

#include <type_traits>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/detail/saddle_point.hpp>

/// The rows of C_K, differentiated along the motion until a rate appears in them, as A(ξ̇, ż) + β = 0:
///   φ(g, t)               A = (∂_gφ, 0)           β = d²/ds² φ along the flow                             (1)
///   φ(g, z, t), mixed     A = (0, ∂_zφ)           β = d/ds φ along the flow                               (2)
///   R(g, ξ, z, t)         A = (∂_ξR, ∂_zR)        β = d/ds R along the flow                               (3)
///   R(g, ξ, z, ż, t), mixed  A = (0, ∂_żR)        β = R − A ż                                             (4)
///   R(g, ξ, ξ̇, z, ż, t)   A = (∂_ξ̇R, ∂_żR)        β = R − A(ξ̇, ż)                                         (5)
/// where the flow for the time s moves (g, t) with the velocity ξ and leaves ξ and z as they are. (4) and (5) are linearised at given
/// rates, which matters only where R is not affine in them. Derivatives are exact, by dual numbers, and what a row does not depend
/// on costs nothing. The rows of C_V that a principle derives come with them. States may be over numbers with derivatives.
namespace dalembert::detail {

/// d/ds or, for Order = 2, d²/ds² of the rows of order 0 along the flow.
template <int Order, MechanicalSystem System, class At, class S = typename At::Scalar>
[[nodiscard]] Vec<S, position_rows<System>> positions_along_flow(const System& system, const At& at) {
  constexpr Arguments needed = taken<PositionConstraint, System>;
  constexpr int k = position_rows<System>;
  using First = Dual<S, 1>;
  using D = std::conditional_t<Order == 1, First, Dual<First, 1>>;
  Vec<S, k> slope = zeros<S, k>();
  if constexpr (needed.vary_along_flow()) {
    const D s = [] {
      if constexpr (Order == 1)
        return D::variable(S(0), 0);
      else
        return D::variable(First::variable(S(0), 0), 0);
    }();
    const Vec<D, k> rows = position_constraint<D>(system, flowing_state<System, D, needed>(at, s));
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
template <MechanicalSystem System, class At, class S, int V>
void add_position_rows(const System& system, const MixedRows<System>& mixed, const At& at,
                       SaddlePoint<S, full_size<System>, kinematic_rows<System>, V>& out) {
  constexpr int n = System::Group::dof, m = internal_size<System>, k = position_rows<System>;
  const Mat<S, k, n + m> rows = position_jacobian(system, at);
  place(out.constraint, 0, 0, rows);
  place(out.drift, 0, 0, positions_along_flow<2>(system, at));
  if constexpr (derives_variational<System>) place(out.variational, 0, 0, rows);
  if constexpr (position_may_mix<System>) {
    const Vec<S, k> once = positions_along_flow<1>(system, at);
    for (int i = 0; i < k; ++i) {
      if (!mixed.position[static_cast<std::size_t>(i)]) continue;
      for (int j = 0; j < n; ++j) out.constraint(i, j) = 0;
      out.drift[i] = once[i];
    }
  }
}

/// (3) and (4).
template <MechanicalSystem System, class At, class S, int V>
void add_velocity_rows(const System& system, const MixedRows<System>& mixed, const At& at,
                       const Vec<S, internal_size<System>>& zdot,
                       SaddlePoint<S, full_size<System>, kinematic_rows<System>, V>& out) {
  constexpr int n = System::Group::dof, m = internal_size<System>, k = velocity_rows<System>;
  constexpr int first = position_rows<System>;
  const LinearisedRows<S, k, n, m> linear = linearised_velocity_rows(system, at, zdot);
  const auto& rows = linear.jacobian;
  place(out.constraint, first, 0, columns<n + m>(rows));
  place(out.drift, first, 0, linear.along_flow);
  if constexpr (derives_variational<System>) {
    place(out.variational, first, 0, columns<n>(rows));
    if constexpr (m > 0) place(out.variational, first, n, columns<m>(rows, n + m));
  }
  if constexpr (velocity_may_mix<System>) {
    for (int i = 0; i < k; ++i) {
      if (!mixed.velocity[static_cast<std::size_t>(i)]) continue;
      out.drift[first + i] = linear.value[i];
      for (int j = 0; j < n; ++j) out.constraint(first + i, j) = 0;
      for (int j = 0; j < m; ++j) {
        out.constraint(first + i, n + j) = rows(i, n + m + j);
        out.drift[first + i] -= rows(i, n + m + j) * zdot[j];
      }
    }
  }
}

/// (5).
template <MechanicalSystem System, class At, class S, int V>
void add_acceleration_rows(const System& system, const At& at, const Vec<S, System::Group::dof>& xidot,
                           const Vec<S, internal_size<System>>& zdot,
                           SaddlePoint<S, full_size<System>, kinematic_rows<System>, V>& out) {
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

/// Whether the rows of C_V are those of C_K as they are.
template <class System>
inline constexpr bool same_rows =
    internal_size<System> == 0 && acceleration_rows<System> == 0 && derives_variational<System>;

/// All rows of C_K linearised at given rates, and the rows of C_V.
template <MechanicalSystem System, class S = ScalarOf<System>>
void add_rows(const System& system, const MixedRows<System>& mixed, const StateOf<System>& at,
              const Vec<S, System::Group::dof>& xidot, const Vec<S, internal_size<System>>& zdot,
              SaddlePoint<S, full_size<System>, kinematic_rows<System>, variational_rows<System>>& out) {
  if constexpr (0 < position_rows<System>) add_position_rows(system, mixed, at, out);
  if constexpr (0 < velocity_rows<System>) add_velocity_rows(system, mixed, at, zdot, out);
  if constexpr (0 < acceleration_rows<System>) add_acceleration_rows(system, at, xidot, zdot, out);
  if constexpr (!derives_variational<System>)
    out.variational = call<Variational, System>(system, at.g, at.time, at.xi, at.z);
}

}  // namespace dalembert::detail
