#pragma once

/// Whether a class has a member of some name, whatever it takes: a class that inherits that name from two
/// sides does not know which is meant. What is optional, and asked for by calling it, would be passed over
/// without a word where it is there with other arguments.
namespace dalembert::assembly::detail {

/// The names of the functions that a constraint may have; then names that are near to these, or were one of
/// them once, and that nothing asks for.
struct Names {
  int position_constraint, velocity_constraint, reaction, along, tangency, tangency_change, tangency_rate,
      coefficients, acceleration_bias, check, check_markers, check_step, check_smooth_step, check_parameters,
      sliding, integrated, mobility;
  int position_constraints, velocity_constraints, check_places;
};
/// &WithNames<C>::name is an expression where C has no member of that name.
template <class C>
struct WithNames : C, Names {};

/// Says at compile time which functions of the constraint C are there, but with other arguments than they are
/// called with; `Has` says which are there with these.
template <class C, class Has, bool ByNodes>
consteval void check_arguments() {
  using S = typename Has::S;
  using Its = WithNames<C>;
  static_assert(
      requires { &Its::position_constraints; },
      "this is no Constraint: position_constraints is there, which nothing calls: did you mean "
      "position_constraint?");
  static_assert(
      requires { &Its::velocity_constraints; },
      "this is no Constraint: velocity_constraints is there, which nothing calls: did you mean "
      "velocity_constraint?");
  static_assert(
      requires { &Its::check_places; },
      "this is no Constraint: check_places is there, which nothing calls: its name is check_markers");
  static_assert(
      requires { &Its::position_constraint; } || Has::position,
      "this is no Constraint: position_constraint is there, but not as position_constraint(seen..., t) "
      "const");
  static_assert(
      requires { &Its::along; } || Has::along,
      "this is no Constraint: along is there, but not as along(seen...) const");
  if constexpr (ByNodes) {
    static_assert(
        requires { &Its::check; } || Has::check,
        "this is no Constraint: check is there, but not as check(lambda, sight) const");
    static_assert(
        requires { &Its::acceleration_bias; } || Has::drift,
        "this is no Constraint: acceleration_bias is there, but not as acceleration_bias(sight, rates) "
        "const");
    static_assert(
        requires { &Its::tangency, &Its::tangency_rate; } || Has::tangency || Has::internal_count == 0,
        "this is no Constraint: tangency or tangency_rate is there, but not both as "
        "tangency(sight) const and tangency_rate(sight) const");
    static_assert(
        requires { &Its::reaction, &Its::coefficients, &Its::sliding, &Its::tangency_change; },
        "this is no Constraint: it has node_rows, and besides reaction, coefficients, sliding or "
        "tangency_change, which nothing calls");
  } else {
    static_assert(
        requires { &Its::velocity_constraint; } || Has::velocity,
        "this is no Constraint: velocity_constraint is there, but not as velocity_constraint(seen..., t) "
        "const");
    static_assert(
        requires { &Its::reaction; } || Has::reaction,
        "this is no Constraint: reaction is there, but not as reaction(seen..., t) const");
    static_assert(
        requires { &Its::tangency; } || Has::tangency || Has::internal_count == 0,
        "this is no Constraint: tangency is there, but not as tangency(seen...) const");
    static_assert(
        requires { &Its::tangency_change; } || Has::tangency_change || Has::internal_count == 0,
        "this is no Constraint: tangency_change is there, but not as tangency_change(seen..., "
        "moved...) const");
    static_assert(
        requires { &Its::coefficients; } || Has::coefficients,
        "this is no Constraint: coefficients is there, but not as coefficients(seen..., t) const");
    static_assert(
        requires { &Its::acceleration_bias; } || Has::drift,
        "this is no Constraint: acceleration_bias is there, but not as acceleration_bias(seen..., "
        "rates..., t) const");
    static_assert(
        requires { &Its::check; } || Has::check,
        "this is no Constraint: check is there, but not as check(lambda, seen..., t) const");
    static_assert(
        requires { &Its::sliding; } || Has::sliding,
        "this is no Constraint: sliding is there, but not as sliding(seen..., t) const");
  }
  static_assert(
      requires { &Its::check_markers; } || Has::check_markers,
      "this is no Constraint: check_markers is there, but not as check_markers(points..., t) const");
  static_assert(
      requires { &Its::check_step; } || requires(const C& c, const S& t) { c.check_step(t, t); },
      "this is no Constraint: check_step is there, but not as check_step(t, h) const");
  static_assert(
      requires { &Its::check_smooth_step; } ||
          requires(const C& c, const S& t) { c.check_smooth_step(t, t); },
      "this is no Constraint: check_smooth_step is there, but not as check_smooth_step(t, h) const");
  static_assert(
      requires { &Its::check_parameters; } || requires(const C& c) { c.check_parameters(); },
      "this is no Constraint: check_parameters is there, but not as check_parameters() const");
  static_assert(
      requires { &Its::integrated; } || requires(const C& c) { static_cast<bool>(c.integrated()); },
      "this is no Constraint: integrated is there, but not as integrated() const");
  static_assert(
      requires { &Its::mobility; } || requires(const C& c) { S(c.mobility()); },
      "this is no Constraint: mobility is there, but not as mobility() const");
}

}  // namespace dalembert::assembly::detail
