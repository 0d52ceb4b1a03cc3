#pragma once

#include <concepts>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/concepts.hpp>
#include <dalembert/mechanics/detail/members.hpp>
#include <dalembert/mechanics/principle.hpp>

/// System policies: what a mechanical system says about itself. A system is a plain class, without base
/// class, with
///   Group                                     where its configuration g lives; n is its dimension
///   lagrangian(g, xi, z, t) → T               ℓ = kinetic minus potential energy [J], ξ = g⁻¹ġ
/// and, if it has them,
///   internal                                  m, how many coordinates z have no inertia: ℓ has no ż
///   position_constraint(g, z, t)              rows φ = 0, order 0
///   velocity_constraint(g, xi, z, zdot, t)    rows R = 0, order 1
///   acceleration_constraint(g, xi, xidot, z, zdot, t)   rows of order 2: R = 0 at the level of the rates
///   jerk_constraint(g, xi, xidot, xiddot, t)   rows of order 3; or, of order k = `higher_order` ≥ 3,
///   higher_constraint(g, rates, t)            with rates = (ξ, ξ̇, …), k columns in a std::array;
///                                             see mechanics/higher_order.hpp
///   variational(g, xi, z, t)                  rows × (n + m) of C_V acting on (η, δz), η = g⁻¹δg;
///                                             the reaction is their transpose times λ
///   Principle                                 a tag that derives C_V from C_K; see mechanics/principle.hpp
///   force(g, xi, z, t)                        generalised force dual to ξ (n), or to ξ and ż (n + m)
///   dissipation(state)                        the part of that force's power that friction takes [W],
///                                             ≤ 0; takes plain numbers only
///   momentum(g, xi, z, t)                     ∂ℓ/∂ξ in closed form
///   mass(g, xi, z, t)                         ∂²ℓ/∂ξ² in closed form
///   require_valid(g, t)                       throws an InvalidState where the model does not hold;
///                                             takes plain numbers only
///   constraint_names                          an array of names, of order 0, then 1, 2 and above
///   Trivialisation                            trivialisation::Right, if ξ = ġg⁻¹, the velocity in space
///   Configuration                             `Advected<Group>` in place of g in a reduced system;
///                                             see mechanics/reduction.hpp
/// C_K is all the rows of the constraints together; those of orders 0 to 2 are differentiated until a rate
/// appears in them, ξ̇ or ż. A function writes only those arguments that it uses, in this order (z only
/// after ξ, but for positions; ż only after z), and is a template over the scalar T that all of them share:
/// it is called with plain numbers and with numbers that carry derivatives. It declares its return type: T or
/// a vector or matrix of T. Rows come as Vec<T, k>, or as T where there is one. A function of nothing, as a
/// constant mass, is no template.
///   `template <class T> T lagrangian(const Vec<T, 3>& xi) const;`
///   `template <class T> T velocity_constraint(const Vec<T, 3>& xi) const { return xi[1]; }`
namespace dalembert {

namespace detail {

/// Whether a member either is not there or takes arguments that are known; otherwise it would be passed over
/// in silence.
template <template <class> class Member, class System>
inline constexpr bool is_known = has<Member, System> || Member<System>::absent;

/// Whether what a member returns, if it is there, has these rows and columns.
template <template <class> class Member, class System>
consteval bool shaped(int rows, int columns) {
  return !has<Member, System> || (rows_of<Member, System> == rows && columns_of<Member, System> == columns);
}
/// Whether a member, if it is there, returns a column of rows, of a number known at compile time.
template <template <class> class Member, class System>
inline constexpr bool is_column =
    !has<Member, System> || (rows_of<Member, System> >= 0 && columns_of<Member, System> == 1);

template <class System>
inline constexpr bool variational_fits =
    !has<Variational, System> ||
    (rows_of<Variational, System> >= 0 && columns_of<Variational, System> == full_size<System>);
template <class System>
inline constexpr bool force_fits =
    shaped<Force, System>(velocity_size<System>, 1) || shaped<Force, System>(full_size<System>, 1);
template <class System>
inline constexpr bool momentum_fits = shaped<Momentum, System>(velocity_size<System>, 1);
template <class System>
inline constexpr bool mass_fits = shaped<Mass, System>(velocity_size<System>, velocity_size<System>);

/// All rows of C_K but those of order 3 and above.
template <class System>
inline constexpr int row_total = rows_of<PositionConstraint, System> + rows_of<VelocityConstraint, System> +
                                 rows_of<AccelerationConstraint, System>;
/// Whether there is a name for each row, where there are names.
template <class System>
inline constexpr bool names_fit = [] {
  if constexpr (requires { std::size(System::constraint_names); })
    return static_cast<int>(std::size(System::constraint_names)) == row_total<System> + higher_rows<System>;
  return true;
}();

/// Whether the Lagrangian gives a number with derivatives where it is given some.
template <class System, class T = Dual<ScalarOf<System>, 1>>
inline constexpr bool differentiable = [] {
  if constexpr (taken<Lagrangian, System, T>.callable)
    return !std::floating_point<ResultOf<Lagrangian, System, T>>;
  return false;
}();

/// Whether the system says where its model holds.
template <class System>
concept says_where_valid = requires(const System& system, const ConfigurationOf<System>& g,
                                    const ScalarOf<System>& t) {
  system.require_valid(g, t);
};

/// Whether the system says what friction takes.
template <class System>
concept dissipates = requires(const System& system, const StateOf<System>& at) {
  { system.dissipation(at) } -> std::convertible_to<ScalarOf<System>>;
};

/// Whether it says so in another way, which would be passed over in silence.
template <class System>
inline constexpr bool knows_dissipation = dissipates<System> || requires {
  &WithNames<System>::dissipation;
};

template <class System>
concept OnGroup = LieGroup<typename System::Group>;

}  // namespace detail

/// A system with inertia on a Lie group; see the head of this file.
template <class System>
concept MechanicalSystem =
    std::copyable<System> && detail::OnGroup<System> && detail::has<detail::Lagrangian, System> &&
    detail::differentiable<System> && detail::is_known<detail::PositionConstraint, System> &&
    detail::is_known<detail::VelocityConstraint, System> &&
    detail::is_known<detail::AccelerationConstraint, System> &&
    detail::is_known<detail::Variational, System> && detail::is_known<detail::Force, System> &&
    detail::is_known<detail::Momentum, System> && detail::is_known<detail::Mass, System> &&
    detail::is_column<detail::PositionConstraint, System> &&
    detail::is_column<detail::VelocityConstraint, System> &&
    detail::is_column<detail::AccelerationConstraint, System> && detail::variational_fits<System> &&
    detail::force_fits<System> && detail::momentum_fits<System> && detail::mass_fits<System> &&
    detail::names_fit<System> && detail::knows_dissipation<System>;

namespace detail {

/// The messages about members that are not as they should be.
template <class System>
consteval void check_members() {
  static_assert(
      has<Lagrangian, System>,
      "this is no MechanicalSystem: lagrangian is missing, or takes other arguments than (g, xi, z, t)");
  static_assert(
      !has<Lagrangian, System> || differentiable<System>,
      "this is no MechanicalSystem: lagrangian must be a template over the scalar T of its arguments, "
      "and declare its return type T");
  static_assert(is_known<PositionConstraint, System>,
                "this is no MechanicalSystem: position_constraint takes other arguments than (g, z, t)");
  static_assert(
      is_known<VelocityConstraint, System>,
      "this is no MechanicalSystem: velocity_constraint takes other arguments than (g, xi, z, zdot, t)");
  static_assert(is_known<AccelerationConstraint, System>,
                "this is no MechanicalSystem: acceleration_constraint takes other arguments than "
                "(g, xi, xidot, z, zdot, t)");
  static_assert(is_known<Variational, System>,
                "this is no MechanicalSystem: variational takes other arguments than (g, xi, z, t)");
  static_assert(is_known<Force, System>,
                "this is no MechanicalSystem: force takes other arguments than (g, xi, z, t)");
  static_assert(knows_dissipation<System>,
                "this is no MechanicalSystem: dissipation takes a state, and returns a number");
  static_assert(is_known<Momentum, System>,
                "this is no MechanicalSystem: momentum takes other arguments than (g, xi, z, t)");
  static_assert(is_known<Mass, System>,
                "this is no MechanicalSystem: mass takes other arguments than (g, xi, z, t)");
  static_assert(
      !requires { &System::require_valid; } || says_where_valid<System>,
      "this is no MechanicalSystem: require_valid takes other arguments than (g, t)");
}

/// The messages about members of a wrong shape.
template <class System>
consteval void check_shapes() {
  static_assert(is_column<PositionConstraint, System>,
                "this is no MechanicalSystem: position_constraint must return T or Vec<T, k>");
  static_assert(is_column<VelocityConstraint, System>,
                "this is no MechanicalSystem: velocity_constraint must return T or Vec<T, k>");
  static_assert(is_column<AccelerationConstraint, System>,
                "this is no MechanicalSystem: acceleration_constraint must return T or Vec<T, k>");
  static_assert(
      variational_fits<System>,
      "this is no MechanicalSystem: variational must return a matrix with a row per reaction and a column "
      "per coordinate, first those of the group, then the internal ones");
  static_assert(force_fits<System>,
                "this is no MechanicalSystem: force must return a number per coordinate of the group, or per "
                "coordinate of the group and internal coordinate");
  static_assert(momentum_fits<System>,
                "this is no MechanicalSystem: momentum must return a number per coordinate of the group");
  static_assert(
      mass_fits<System>,
      "this is no MechanicalSystem: mass must return a square matrix with a row per coordinate of the group");
  static_assert(names_fit<System>,
                "this is no MechanicalSystem: constraint_names needs a name for each row of C_K");
}

}  // namespace detail

/// True if System is a `MechanicalSystem`; otherwise the compiler's message names what it lacks.
template <class System>
consteval bool check_system() {
  static_assert(
      detail::OnGroup<System>,
      "this is no MechanicalSystem (mechanics/concepts.hpp): it needs a type Group that is a LieGroup");
  if constexpr (detail::OnGroup<System>) {
    detail::check_members<System>();
    detail::check_shapes<System>();
    static_assert(std::copyable<System>, "this is no MechanicalSystem: it cannot be copied");
  }
  return true;
}

/// Rows of C_K that restrict positions.
template <MechanicalSystem System>
inline constexpr int position_rows = detail::rows_of<detail::PositionConstraint, System>;
/// Rows of C_K of order 1.
template <MechanicalSystem System>
inline constexpr int velocity_rows = detail::rows_of<detail::VelocityConstraint, System>;
/// Rows of C_K of order 2.
template <MechanicalSystem System>
inline constexpr int acceleration_rows = detail::rows_of<detail::AccelerationConstraint, System>;
/// All rows of C_K but those of order 3 and above.
template <MechanicalSystem System>
inline constexpr int kinematic_rows = detail::row_total<System>;
/// Rows of C_V: as many as the system's `variational` returns, else as C_K has.
template <MechanicalSystem System>
inline constexpr int variational_rows = [] {
  if constexpr (detail::has<detail::Variational, System>) return detail::rows_of<detail::Variational, System>;
  return kinematic_rows<System>;
}();

/// A mechanical system with constraints.
template <class System>
concept NonholonomicSystem =
    MechanicalSystem<System> && 0 < detail::row_total<System> + detail::higher_rows<System>;

}  // namespace dalembert
