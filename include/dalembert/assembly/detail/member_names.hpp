#pragma once

#include <type_traits>

/// Whether a class has a member of some name, whatever it takes: a class that inherits that name from two
/// sides does not know which is meant. What is optional, and asked for by calling it, would be passed over
/// without a word where it is there with other arguments.
namespace dalembert::assembly::detail {

/// The names of the functions that a constraint may have.
struct OptionalNames {
  int position_constraint, velocity_constraint, reaction, along, tangency, tangency_change, tangency_rate,
      coefficients, acceleration_bias, check, check_markers, check_step, check_smooth_step, check_parameters,
      sliding, integrated, mobility;
};
template <class C>
struct Both : C, OptionalNames {};
/// Names that are near to these, or were one of them once, and that nothing asks for.
struct MistakenNames {
  int position_constraints, velocity_constraints, check_places;
};
template <class C>
struct Mistaken : C, MistakenNames {};

// clang-format off
template <class C> inline constexpr bool names_position = !requires { &Both<C>::position_constraint; };
template <class C> inline constexpr bool names_velocity = !requires { &Both<C>::velocity_constraint; };
template <class C> inline constexpr bool names_reaction = !requires { &Both<C>::reaction; };
template <class C> inline constexpr bool names_along = !requires { &Both<C>::along; };
template <class C> inline constexpr bool names_tangency = !requires { &Both<C>::tangency; };
template <class C> inline constexpr bool names_tangency_change = !requires { &Both<C>::tangency_change; };
template <class C> inline constexpr bool names_tangency_rate = !requires { &Both<C>::tangency_rate; };
template <class C> inline constexpr bool names_coefficients = !requires { &Both<C>::coefficients; };
template <class C> inline constexpr bool names_drift = !requires { &Both<C>::acceleration_bias; };
template <class C> inline constexpr bool names_check = !requires { &Both<C>::check; };
template <class C> inline constexpr bool names_check_markers = !requires { &Both<C>::check_markers; };
template <class C> inline constexpr bool names_check_step = !requires { &Both<C>::check_step; };
template <class C> inline constexpr bool names_check_smooth_step = !requires { &Both<C>::check_smooth_step; };
template <class C> inline constexpr bool names_check_parameters = !requires { &Both<C>::check_parameters; };
template <class C> inline constexpr bool names_sliding = !requires { &Both<C>::sliding; };
template <class C> inline constexpr bool names_integrated = !requires { &Both<C>::integrated; };
template <class C> inline constexpr bool names_mobility = !requires { &Both<C>::mobility; };
template <class C> inline constexpr bool names_positions = !requires { &Mistaken<C>::position_constraints; };
template <class C> inline constexpr bool names_velocities = !requires { &Mistaken<C>::velocity_constraints; };
template <class C> inline constexpr bool names_check_places = !requires { &Mistaken<C>::check_places; };
// clang-format on

/// Says at compile time which functions of the constraint C are there, but with other arguments than they are
/// called with; `Has` says which are there with these.
template <class C, class Has, bool ByNodes>
consteval void check_arguments() {
  using S = typename Has::S;
  static_assert(!names_positions<C>,
                "this is no Constraint: position_constraints is there, which nothing calls: did you mean "
                "position_constraint?");
  static_assert(!names_velocities<C>,
                "this is no Constraint: velocity_constraints is there, which nothing calls: did you mean "
                "velocity_constraint?");
  static_assert(!names_check_places<C>,
                "this is no Constraint: check_places is there, which nothing calls: its name is "
                "check_markers");
  static_assert(
      !names_position<C> || Has::position,
      "this is no Constraint: position_constraint is there, but not as position_constraint(seen..., t) "
      "const");
  static_assert(!names_along<C> || Has::along,
                "this is no Constraint: along is there, but not as along(seen...) const");
  if constexpr (ByNodes) {
    static_assert(!names_check<C> || Has::check,
                  "this is no Constraint: check is there, but not as check(lambda, sight) const");
    static_assert(
        !names_drift<C> || Has::drift,
        "this is no Constraint: acceleration_bias is there, but not as acceleration_bias(sight, rates) "
        "const");
    static_assert(!(names_tangency<C> || names_tangency_rate<C>) || Has::tangency || Has::internal_count == 0,
                  "this is no Constraint: tangency or tangency_rate is there, but not both as "
                  "tangency(sight) const and tangency_rate(sight) const");
    static_assert(
        !(names_reaction<C> || names_coefficients<C> || names_sliding<C> || names_tangency_change<C>),
        "this is no Constraint: it has node_rows, and besides reaction, coefficients, sliding or "
        "tangency_change, which nothing calls");
  } else {
    static_assert(
        !names_velocity<C> || Has::velocity,
        "this is no Constraint: velocity_constraint is there, but not as velocity_constraint(seen..., t) "
        "const");
    static_assert(!names_reaction<C> || Has::reaction,
                  "this is no Constraint: reaction is there, but not as reaction(seen..., t) const");
    static_assert(!names_tangency<C> || Has::tangency || Has::internal_count == 0,
                  "this is no Constraint: tangency is there, but not as tangency(seen...) const");
    static_assert(!names_tangency_change<C> || Has::tangency_change || Has::internal_count == 0,
                  "this is no Constraint: tangency_change is there, but not as tangency_change(seen..., "
                  "moved...) const");
    static_assert(!names_coefficients<C> || Has::coefficients,
                  "this is no Constraint: coefficients is there, but not as coefficients(seen..., t) const");
    static_assert(!names_drift<C> || Has::drift,
                  "this is no Constraint: acceleration_bias is there, but not as acceleration_bias(seen..., "
                  "rates..., t) const");
    static_assert(!names_check<C> || Has::check,
                  "this is no Constraint: check is there, but not as check(lambda, seen..., t) const");
    static_assert(!names_sliding<C> || Has::sliding,
                  "this is no Constraint: sliding is there, but not as sliding(seen..., t) const");
  }
  static_assert(
      !names_check_markers<C> || Has::check_markers,
      "this is no Constraint: check_markers is there, but not as check_markers(points..., t) const");
  static_assert(
      !names_check_step<C> || requires(const C& c, const S& t) { c.check_step(t, t); },
      "this is no Constraint: check_step is there, but not as check_step(t, h) const");
  static_assert(
      !names_check_smooth_step<C> || requires(const C& c, const S& t) { c.check_smooth_step(t, t); },
      "this is no Constraint: check_smooth_step is there, but not as check_smooth_step(t, h) const");
  static_assert(
      !names_check_parameters<C> || requires(const C& c) { c.check_parameters(); },
      "this is no Constraint: check_parameters is there, but not as check_parameters() const");
  static_assert(
      !names_integrated<C> || requires(const C& c) { static_cast<bool>(c.integrated()); },
      "this is no Constraint: integrated is there, but not as integrated() const");
  static_assert(
      !names_mobility<C> || requires(const C& c) { S(c.mobility()); },
      "this is no Constraint: mobility is there, but not as mobility() const");
}

}  // namespace dalembert::assembly::detail
