#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/concepts.hpp>
#include <dalembert/mechanics/arguments.hpp>
#include <dalembert/mechanics/principle.hpp>

/// System policies: what a mechanical system says about itself. A system is a plain class, without base class, with
///   Group                          where its configuration g lives, over its own scalar
///   lagrangian(g, xi, z, t) → T    ℓ = kinetic minus potential energy [J], ξ = g⁻¹ġ the body velocity
/// and, if it has them,
///   position_constraint(g, z, t)       rows φ = 0
///   velocity_constraint(g, xi, z, t)   rows R = 0, which together with φ̇ = 0 are C_K
///   variational(g, xi, z, t)           rows of C_V acting on η = g⁻¹δg; the reaction is their transpose times λ
///   Principle                          a tag that derives C_V from C_K instead; see mechanics/principle.hpp
///   force(g, xi, z, t)                 generalised force in the body frame, dual to ξ
///   momentum(g, xi, z, t)              ∂ℓ/∂ξ in closed form
///   mass(g, xi, z, t)                  ∂²ℓ/∂ξ² in closed form
///   internal                           the number of coordinates z without inertia
///   constraint_names                   an array of names, first of the φ, then of the R, for error messages
/// A function writes only those arguments that it uses, in this order (z only together with ξ, but for positions), and is a
/// template over the scalar T that all of them share: it is called with plain numbers and with numbers that carry derivatives.
/// It declares its return type: T or a vector or matrix of T. Rows come as Vec<T, k>, or as T where there is one. A function
/// of nothing, as a constant mass, is no template.
///   `template <class T> T lagrangian(const Vec<T, 3>& xi) const;`
///   `template <class T> T velocity_constraint(const Vec<T, 3>& xi) const { return xi[1]; }`
namespace dalembert {

/// The group of a system over the scalar T.
template <class System, class T>
using GroupOf = typename System::Group::template rebind<T>;

/// The scalar of a system.
template <class System>
using ScalarOf = typename System::Group::Scalar;

/// The number of internal coordinates z of a system.
template <class System>
inline constexpr int internal_size = [] {
  if constexpr (requires { System::internal; }) return static_cast<int>(System::internal);
  return 0;
}();

namespace detail {

/// One member function of a system as a callable; which arguments it takes is asked of this.
template <class System>
struct Lagrangian {
  const System& system;
  template <class Self = System, class... A>
  auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().lagrangian(a...)) {
    return system.lagrangian(a...);
  }
};
template <class System>
struct PositionConstraint {
  const System& system;
  template <class Self = System, class... A>
  auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().position_constraint(a...)) {
    return system.position_constraint(a...);
  }
};
template <class System>
struct VelocityConstraint {
  const System& system;
  template <class Self = System, class... A>
  auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().velocity_constraint(a...)) {
    return system.velocity_constraint(a...);
  }
};
template <class System>
struct Variational {
  const System& system;
  template <class Self = System, class... A>
  auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().variational(a...)) {
    return system.variational(a...);
  }
};
template <class System>
struct Force {
  const System& system;
  template <class Self = System, class... A>
  auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().force(a...)) {
    return system.force(a...);
  }
};
template <class System>
struct Momentum {
  const System& system;
  template <class Self = System, class... A>
  auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().momentum(a...)) {
    return system.momentum(a...);
  }
};
template <class System>
struct Mass {
  const System& system;
  template <class Self = System, class... A>
  auto operator()(const A&... a) const -> decltype(std::declval<const Self&>().mass(a...)) {
    return system.mass(a...);
  }
};

/// Which arguments the member function takes, and what it returns, over the scalar T.
template <template <class> class Member, class System, class T = ScalarOf<System>>
inline constexpr Arguments taken = arguments_taken<
    Member<System>, GroupOf<System, T>, Vec<T, System::Group::dof>, Vec<T, internal_size<System>>, T>();
template <template <class> class Member, class System, class T = ScalarOf<System>>
using ResultOf =
    Result<Member<System>, GroupOf<System, T>, Vec<T, System::Group::dof>, Vec<T, internal_size<System>>, T>;

/// What stands in for an argument that a function never takes.
struct Nothing {};

template <class System, class T = ScalarOf<System>>
inline constexpr Arguments taken_by_position = arguments_taken<PositionConstraint<System>, GroupOf<System, T>,
                                                               Vec<T, internal_size<System>>, Nothing, T>();
template <class System, class T = ScalarOf<System>>
using PositionResultOf =
    Result<PositionConstraint<System>, GroupOf<System, T>, Vec<T, internal_size<System>>, Nothing, T>;

/// The number of rows in a result: of a vector or matrix, or one for a number.
template <class Rows>
consteval int row_count() {
  if constexpr (requires { Rows::RowsAtCompileTime; })
    return Rows::RowsAtCompileTime;
  else
    return 1;
}

/// The same of a member function; 0 if there is no such function.
template <template <class> class Member, class System>
inline constexpr int rows_of = [] {
  if constexpr (taken<Member, System>.callable)
    return row_count<ResultOf<Member, System>>();
  else
    return 0;
}();
template <class System>
inline constexpr int position_row_count = [] {
  if constexpr (taken_by_position<System>.callable)
    return row_count<PositionResultOf<System>>();
  else
    return 0;
}();

/// A class that has one of these names by itself makes the name ambiguous here; that tells whether the system has a member of
/// that name, whatever its arguments.
struct OptionalNames {
  int position_constraint, velocity_constraint, variational, force, momentum, mass;
};
template <class System, bool is_final = std::is_final_v<System>>
struct WithOptionalNames : System, OptionalNames {};
template <class System>
struct WithOptionalNames<System, true> : OptionalNames {};  // nothing can be told

/// Whether a member either is not there or takes arguments that are known; otherwise it would be passed over in silence.
template <class System, class W = WithOptionalNames<System>>
inline constexpr bool position_constraint_known = taken_by_position<System>.callable || requires {
  &W::position_constraint;
};
template <class System, class W = WithOptionalNames<System>>
inline constexpr bool velocity_constraint_known = taken<VelocityConstraint, System>.callable || requires {
  &W::velocity_constraint;
};
template <class System, class W = WithOptionalNames<System>>
inline constexpr bool variational_known = taken<Variational, System>.callable || requires {
  &W::variational;
};
template <class System, class W = WithOptionalNames<System>>
inline constexpr bool force_known = taken<Force, System>.callable || requires {
  &W::force;
};
template <class System, class W = WithOptionalNames<System>>
inline constexpr bool closed_forms_known = (taken<Momentum, System>.callable || requires { &W::momentum; }) &&
                                           (taken<Mass, System>.callable || requires { &W::mass; });

template <class System>
inline constexpr bool has_lagrangian = taken<Lagrangian, System>.callable;

/// Whether the Lagrangian gives a number with derivatives where it is given some.
template <class System, class T = Dual<ScalarOf<System>, 1>>
inline constexpr bool differentiable = [] {
  if constexpr (taken<Lagrangian, System, T>.callable)
    return !std::floating_point<ResultOf<Lagrangian, System, T>>;
  else
    return false;
}();

template <class System>
concept OnGroup = LieGroup<typename System::Group>;

}  // namespace detail

/// A system with inertia on a Lie group; see the head of this file.
template <class System>
concept MechanicalSystem = std::copyable<System> && detail::OnGroup<System> &&
    detail::has_lagrangian<System> && detail::differentiable<System> &&
    detail::position_constraint_known<System> && detail::velocity_constraint_known<System> &&
    detail::variational_known<System> && detail::force_known<System> && detail::closed_forms_known<System>;

/// True if System is a `MechanicalSystem`; otherwise the compiler's message names what it lacks.
template <class System>
consteval bool check_system() {
  static_assert(
      detail::OnGroup<System>,
      "this is no MechanicalSystem (mechanics/concepts.hpp): it needs a type Group that is a LieGroup");
  if constexpr (detail::OnGroup<System>) {
    static_assert(
        detail::has_lagrangian<System>,
        "this is no MechanicalSystem: lagrangian is missing, or takes other arguments than (g, xi, z, t)");
    static_assert(detail::differentiable<System>,
                  "this is no MechanicalSystem: lagrangian must be a template over the scalar T "
                  "of its arguments, and declare its return type T");
    static_assert(detail::position_constraint_known<System>,
                  "position_constraint takes other arguments than (g, z, t)");
    static_assert(detail::velocity_constraint_known<System>,
                  "velocity_constraint takes other arguments than (g, xi, z, t)");
    static_assert(detail::variational_known<System>, "variational takes other arguments than (g, xi, z, t)");
    static_assert(detail::force_known<System>, "force takes other arguments than (g, xi, z, t)");
    static_assert(detail::closed_forms_known<System>,
                  "momentum or mass takes other arguments than (g, xi, z, t)");
    static_assert(MechanicalSystem<System>, "this is no MechanicalSystem: it cannot be copied");
  }
  return true;
}

/// A mechanical system with constraints on its positions or velocities.
template <class System>
concept NonholonomicSystem = MechanicalSystem<System> &&
    (detail::rows_of<detail::VelocityConstraint, System> > 0 || detail::position_row_count<System> > 0);

/// Rows of C_K that restrict positions.
template <MechanicalSystem System>
inline constexpr int position_rows = detail::position_row_count<System>;
/// Rows of C_K that restrict velocities and are not derivatives of the former.
template <MechanicalSystem System>
inline constexpr int velocity_rows = detail::rows_of<detail::VelocityConstraint, System>;
/// All rows of C_K.
template <MechanicalSystem System>
inline constexpr int kinematic_rows = position_rows<System> + velocity_rows<System>;
/// Rows of C_V: as many as the system's `variational` returns, else as C_K has.
template <MechanicalSystem System>
inline constexpr int variational_rows = [] {
  if constexpr (detail::taken<detail::Variational, System>.callable)
    return detail::rows_of<detail::Variational, System>;
  return kinematic_rows<System>;
}();

}  // namespace dalembert
