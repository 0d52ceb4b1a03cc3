#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/mechanics/detail/dual_state.hpp>

/// The kinematic constraints C_K of a system: the values of their rows, and which of them are of mixed order.
///   φ(g, z, t) = 0      R(g, ξ, z, ż, t) = 0      R(g, ξ, ξ̇, z, ż, t) = 0
/// The first is a holonomic constraint, the second, unless it follows from such ones, a nonholonomic
/// constraint. Rows are stacked in this order. A row is of mixed order if the first rate in it is ż, that of
/// a coordinate without inertia: a row φ that contains z, or a row of order 1 that contains ż. Mixed rows
/// do not restrict (g, ξ), but say how z moves.
namespace dalembert {

/// Which rows of order 0 and 1 are of mixed order.
template <MechanicalSystem System>
struct MixedRows {
  std::array<bool, static_cast<std::size_t>(position_rows<System>)> position{};  ///< those that contain z
  std::array<bool, static_cast<std::size_t>(velocity_rows<System>)> velocity{};  ///< those that contain ż

  /// f(i) for each, i its number among the rows of order 0 and then 1.
  template <class F>
  void for_each(F&& f) const {
    int row = 0;
    for (const bool mixed : position) {
      if (mixed) f(row);
      ++row;
    }
    for (const bool mixed : velocity) {
      if (mixed) f(row);
      ++row;
    }
  }
};

namespace detail {

/// Whether rows can be of mixed order at all.
template <class System>
inline constexpr bool position_may_mix =
    internal_size<System> > 0 && taken<PositionConstraint, System>.vectors > 0 &&
    has<PositionConstraint, System>;
template <class System>
inline constexpr bool velocity_may_mix =
    internal_size<System> > 0 && taken<VelocityConstraint, System>.vectors > 2 &&
    has<VelocityConstraint, System>;

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

}  // namespace detail

/// The name of row i of C_K, for messages: the system's own, or its kind and number.
template <MechanicalSystem System>
[[nodiscard]] std::string constraint_name(int i) {
  constexpr int p = position_rows<System>, v = velocity_rows<System>;
  if constexpr (requires { System::constraint_names[0]; })
    return std::string(System::constraint_names[static_cast<std::size_t>(i)]);
  else if (i < p)
    return message({"position row ", i});
  else if (i < p + v)
    return message({"velocity row ", i - p});
  else if (i < kinematic_rows<System>)
    return message({"acceleration row ", i - p - v});
  else
    return message({"higher row ", i - kinematic_rows<System>});
}

/// φ(g, z, t).
template <class T, MechanicalSystem System, class At>
[[nodiscard]] Vec<T, position_rows<System>> position_constraint(const System& system, const At& at) {
  return detail::as_rows<T, position_rows<System>>(
      detail::call<detail::PositionConstraint, System>(system, at.g, at.time, at.z));
}

/// R(g, ξ, z, ż, t), the rows of order 1.
template <class T, MechanicalSystem System, class At>
[[nodiscard]] Vec<T, velocity_rows<System>> velocity_constraint(const System& system, const At& at,
                                                                const Vec<T, internal_size<System>>& zdot) {
  return detail::as_rows<T, velocity_rows<System>>(
      detail::call<detail::VelocityConstraint, System>(system, at.g, at.time, at.xi, at.z, zdot));
}

/// R(g, ξ, ξ̇, z, ż, t), the rows of order 2.
template <class T, MechanicalSystem System, class At>
[[nodiscard]] Vec<T, acceleration_rows<System>> acceleration_constraint(
    const System& system, const At& at, const Vec<T, System::Group::dof>& xidot,
    const Vec<T, internal_size<System>>& zdot) {
  return detail::as_rows<T, acceleration_rows<System>>(
      detail::call<detail::AccelerationConstraint, System>(system, at.g, at.time, at.xi, xidot, at.z, zdot));
}

/// (∂φ/∂g, ∂φ/∂z).
template <MechanicalSystem System, class At, class S = typename At::Scalar>
[[nodiscard]] Mat<S, position_rows<System>, detail::full_size<System>> position_jacobian(const System& system,
                                                                                         const At& at) {
  constexpr int n = System::Group::dof, m = internal_size<System>, k = position_rows<System>;
  constexpr detail::Arguments taken = detail::taken<detail::PositionConstraint, System>;
  constexpr int along_z = taken.vectors > 0 ? m : 0;
  using D = Dual<S, n + along_z>;
  constexpr detail::Variables variables{.g = 0, .z = along_z > 0 ? n : -1};
  const Vec<D, k> phi = position_constraint<D>(system, detail::dual_state<System, D, taken, variables>(at));
  Mat<S, k, n + m> rows;
  if constexpr (m > 0) detail::set_zero(rows);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < n + along_z; ++j) rows(i, j) = phi[i].derivative(j);
  return rows;
}

/// Rows of order 1 with their derivatives: N coordinates of the group, M internal ones.
template <class S, int K, int N, int M>
struct LinearisedRows {
  Vec<S, K> value;                ///< R
  Mat<S, K, N + 2 * M> jacobian;  ///< (∂R/∂ξ, ∂R/∂z, ∂R/∂ż)
  Vec<S, K> along_flow;  ///< d/ds R where g and t move with ξ for the time s, ξ and z staying as they are
};

/// The rows of order 1 and all their derivatives.
template <MechanicalSystem System, class At, class S = typename At::Scalar>
[[nodiscard]] LinearisedRows<S, velocity_rows<System>, System::Group::dof, internal_size<System>>
linearised_velocity_rows(const System& system, const At& at, const Vec<S, internal_size<System>>& zdot) {
  constexpr int n = System::Group::dof, m = internal_size<System>, k = velocity_rows<System>;
  constexpr detail::Arguments taken = detail::taken<detail::VelocityConstraint, System>;
  constexpr int along_z = taken.vectors > 1 ? m : 0, along_zdot = taken.vectors > 2 ? m : 0;
  constexpr bool flows = taken.vary_along_flow();
  constexpr int flow = n + along_z + along_zdot;
  using D = Dual<S, flow + (flows ? 1 : 0)>;
  constexpr detail::Variables variables{.xi = 0, .z = along_z > 0 ? n : -1, .flow = flows ? flow : -1};
  const Vec<D, k> r = velocity_constraint<D>(system, detail::dual_state<System, D, taken, variables>(at),
                                             detail::dual_vector<D, (along_zdot > 0 ? n + m : -1)>(zdot));
  LinearisedRows<S, k, n, m> rows;
  if constexpr (m > 0) detail::set_zero(rows.jacobian);
  for (int i = 0; i < k; ++i) {
    rows.value[i] = r[i].value();
    for (int j = 0; j < flow; ++j) rows.jacobian(i, j) = r[i].derivative(j);
    if constexpr (flows)
      rows.along_flow[i] = r[i].derivative(flow);
    else
      rows.along_flow[i] = 0;
  }
  return rows;
}

/// (∂R/∂ξ, ∂R/∂z, ∂R/∂ż) of the rows of order 1.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Mat<S, velocity_rows<System>, System::Group::dof + 2 * internal_size<System>> velocity_jacobian(
    const System& system, const StateOf<System>& at, const Vec<S, internal_size<System>>& zdot) {
  return linearised_velocity_rows(system, at, zdot).jacobian;
}

/// (∂R/∂ξ̇, ∂R/∂ż) of the rows of order 2.
template <MechanicalSystem System, class At, class S = typename At::Scalar>
[[nodiscard]] Mat<S, acceleration_rows<System>, detail::full_size<System>> acceleration_jacobian(
    const System& system, const At& at, const Vec<S, System::Group::dof>& xidot,
    const Vec<S, internal_size<System>>& zdot) {
  constexpr int n = System::Group::dof, m = internal_size<System>, k = acceleration_rows<System>;
  constexpr detail::Arguments taken = detail::taken<detail::AccelerationConstraint, System>;
  constexpr int along_zdot = taken.vectors > 3 ? m : 0;
  using D = Dual<S, n + along_zdot>;
  const Vec<D, k> r = acceleration_constraint<D>(
      system, detail::dual_state<System, D, taken, detail::Variables{}>(at), detail::dual_vector<D, 0>(xidot),
      detail::dual_vector<D, (along_zdot > 0 ? n : -1)>(zdot));
  Mat<S, k, n + m> rows;
  if constexpr (m > 0) detail::set_zero(rows);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < n + along_zdot; ++j) rows(i, j) = r[i].derivative(j);
  return rows;
}

/// Which rows are of mixed order, found by derivatives in three states that are nothing special.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] MixedRows<System> find_mixed_rows(const System& system) {
  constexpr int n = System::Group::dof, m = internal_size<System>;
  MixedRows<System> mixed;
  if constexpr (detail::position_may_mix<System> || detail::velocity_may_mix<System>) {
    S place = S(0.37);
    const auto next = [&place] { return place = S(3.7) * place * (S(1) - place); };  // the logistic map
    for (int trial = 0; trial < 3; ++trial) {
      StateOf<System> at;
      typename System::Group::Tangent eta;
      Vec<S, m> zdot;
      for (int i = 0; i < n; ++i) eta[i] = next();
      for (int i = 0; i < n; ++i) at.xi[i] = next();
      for (int i = 0; i < m; ++i) at.z[i] = next();
      for (int i = 0; i < m; ++i) zdot[i] = next();
      at.g = detail::anywhere<System>(eta);
      at.time = next();
      const auto note = [](auto& found, const auto& columns) {
        for (std::size_t i = 0; i < found.size(); ++i)
          for (int j = 0; j < m; ++j)
            if (!(columns(static_cast<int>(i), j) == S(0))) found[i] = true;  // not-a-number counts
      };
      if constexpr (detail::position_may_mix<System>)
        note(mixed.position, detail::columns<m>(position_jacobian(system, at), n));
      if constexpr (detail::velocity_may_mix<System>)
        note(mixed.velocity, detail::columns<m>(velocity_jacobian(system, at, zdot), n + m));
    }
  }
  return mixed;
}

namespace detail {

/// Throws std::invalid_argument unless the rows of order 1 are affine in ξ at this configuration, as far as
/// two velocities can tell: each row is judged by its own largest coefficient, whatever its unit.
template <MechanicalSystem System, class S = ScalarOf<System>>
void require_affine(const System& system, const StateOf<System>& at) {
  if constexpr (0 < velocity_rows<System>) {
    constexpr int n = System::Group::dof, v = velocity_rows<System>;
    const Vec<S, internal_size<System>> zdot = zeros<S, internal_size<System>>();
    StateOf<System> other = at, rest = at;
    for (int i = 0; i < n; ++i) other.xi[i] += S(1) / S(i + 1);
    set_zero(rest.xi);
    const auto rows = velocity_jacobian(system, other, zdot),
               rows_at_rest = velocity_jacobian(system, rest, zdot);
    const Vec<S, v> there = velocity_constraint<S>(system, other, zdot),
                    here = velocity_constraint<S>(system, rest, zdot);
    Vec<S, v> size = zeros<S, v>();  // the largest coefficient of each row
    S largest_size = 0, largest_velocity = 0;
    bool finite = true;
    for (int j = 0; j < n; ++j) {
      largest_velocity = std::max<S>(largest_velocity, number::abs(other.xi[j]));
      for (int i = 0; i < v; ++i) {
        finite = finite && number::isfinite(rows(i, j));
        size[i] = std::max<S>(size[i], std::max<S>(number::abs(rows(i, j)), number::abs(rows_at_rest(i, j))));
        largest_size = std::max<S>(largest_size, size[i]);
      }
    }
    require(finite, "LagrangeDAlembert", "velocity_constraint", "not finite",
            "the rows must have derivatives in this state");
    // A row that is next to nothing beside the others may be their rounding.
    const S rounding = 64 * std::numeric_limits<S>::epsilon();
    bool affine = true;
    for (int i = 0; i < v; ++i) {
      const S slack = std::sqrt(std::numeric_limits<S>::epsilon()) * size[i] + rounding * largest_size;
      S bend = there[i] - here[i];
      for (int j = 0; j < n; ++j) {
        bend -= rows(i, j) * other.xi[j];
        affine = affine && number::abs(rows(i, j) - rows_at_rest(i, j)) <= slack;
      }
      affine = affine && number::abs(bend) <= slack * largest_velocity +
                                                  rounding * (number::abs(there[i]) + number::abs(here[i]));
    }
    require(affine, "LagrangeDAlembert", "velocity_constraint", "not affine in the velocity",
            "d'Alembert's principle needs that; give the system `using Principle = principle::Chetaev` or "
            "its own `variational`");
  }
}

}  // namespace detail

}  // namespace dalembert
