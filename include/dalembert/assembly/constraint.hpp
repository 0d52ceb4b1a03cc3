#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/constraint_markers.hpp>
#include <dalembert/assembly/constraint_rows.hpp>
#include <dalembert/core/detail/type_name.hpp>

/// What a constraint says, and what follows from it. A policy names its markers and writes functions of what
/// is seen there, on any number type T:
///   markers()                                 a std::tuple of markers, or of references to them
///   position_constraint(seen…, t)  → φ      zero where the constraint holds                         (1)
///   velocity_constraint(seen…, t)  → A v + b  affine in the velocities, zero as well                 (2)
/// (1) is a holonomic constraint, (2) without (1) in general a nonholonomic one. All else that it may say has
/// a default where it does not:
///   constraint_rows.hpp                       how (1) and (2) belong together, rows along which it pulls,
///                                             rows in numbers, friction, rows that are said node by node
///   constraint_markers.hpp                    where markers are that move along a rod
///   check(λ, seen…, t)                     throws an InvalidState where it is no longer valid,
///                                             by nodes check(λ, sight)
///   check_step(t, h)                          throws an InvalidState where it cannot be followed from t to
///                                             t + h
///   check_smooth_step(t, h)                   the same of a method that does not put states back onto the
///                                             constraints: b must not jump
///   check_parameters()                        throws std::invalid_argument for parameters that mean nothing
///   name, row_names, row_units                for messages: the name of the class, numbers and metres where
///                                             it does not say them; a unit is that of what the row keeps at
///                                             zero, A v + b has it per second. The last two are static
///                                             constexpr std::array<std::string_view, R>
/// Functions of one row may return a number; the number type of a constraint is its `Scalar`, or double. It
/// solves nothing. Aᵀλ, Ȧv + ḃ and ṡ follow by differentiation, exact to rounding. A function of
/// one of these names that takes other arguments, or is not const, is refused by the compiler.
///
/// Each optional member has its name, its default and its use in one of these headers, and nowhere else.
namespace dalembert::assembly {

namespace detail {

/// The names of these functions.
struct CheckNames {
  int check, check_step, check_smooth_step, check_parameters;
};

/// Which of them are there, asked with what they are called with.
template <class C, class Numbers = MarkerNumbers<C>>
struct CheckMembers;
template <class C, std::size_t... I>
struct CheckMembers<C, std::index_sequence<I...>> {
  using S = ScalarOf<C>;
  using Lambda = Vec<S, RowMembers<C>::rows()>;
  static constexpr bool check = requires(const C& c, const SightOf<C>& at) {
    requires by_nodes<C>;
    c.check(Lambda{}, at);
  }
  || requires(const C& c, View<C, I>... x, const S& t) {
    requires !by_nodes<C>;
    c.check(Lambda{}, x..., t);
  };
  static constexpr bool check_step = requires(const C& c, const S& t) { c.check_step(t, t); };
  static constexpr bool check_smooth_step = requires(const C& c, const S& t) { c.check_smooth_step(t, t); };
  static constexpr bool check_parameters = requires(const C& c) { c.check_parameters(); };
};

/// Says at compile time which of these members C has with other arguments than they are called with.
template <class C>
consteval void check_check_members() {
  using Has = CheckMembers<C>;
  using Its = WithNames<C, CheckNames>;
  [[maybe_unused]] constexpr auto rows = static_cast<std::size_t>(RowMembers<C>::rows());
  static_assert(agrees<Has::check, requires { &Its::check; }>,
                "this is no Constraint: check is there, but not with (lambda, seen..., t) const, or (lambda, "
                "sight) const by nodes");
  static_assert(agrees<Has::check_step, requires { &Its::check_step; }>,
                "this is no Constraint: check_step is there, but not with (t, h) const");
  static_assert(agrees<Has::check_smooth_step, requires { &Its::check_smooth_step; }>,
                "this is no Constraint: check_smooth_step is there, but not with (t, h) const");
  static_assert(agrees<Has::check_parameters, requires { &Its::check_parameters; }>,
                "this is no Constraint: check_parameters is there, but not with () const");
  if constexpr (requires { std::size(C::row_names); })
    static_assert(std::size(C::row_names) == rows,
                  "this is no Constraint: row_names must have a name for each row, those of "
                  "position_constraint first where velocity_constraint comes after them");
  if constexpr (requires { std::size(C::row_units); })
    static_assert(std::size(C::row_units) == rows,
                  "this is no Constraint: row_units must have a unit for each row, as row_names has names");
}

/// What messages call a constraint: its `name`, or that of its class.
template <class C>
[[nodiscard]] consteval std::string_view name_of() {
  if constexpr (requires { std::string_view(C::name); }) return C::name;
  return dalembert::detail::type_name<C>();
}
/// What they call a row: nothing unless the constraint says a name.
template <class C>
[[nodiscard]] constexpr std::string_view name_of_row([[maybe_unused]] std::size_t row) {
  if constexpr (requires { C::row_names[0]; }) return C::row_names[row];
  return {};
}
/// The unit of what a row keeps at zero, metre unless the constraint says another.
template <class C>
[[nodiscard]] constexpr std::string_view unit_of([[maybe_unused]] std::size_t row) {
  if constexpr (requires { C::row_units[0]; }) return C::row_units[row];
  return "m";
}

/// Throws what a constraint throws for its parameters,
template <class C>
void check_parameters_of(const C& c) {
  if constexpr (CheckMembers<C>::check_parameters) c.check_parameters();
}
/// where it cannot be followed from `time` on for h, by a method that puts states back onto it or not,
template <class C, class S>
void check_step_of(const C& c, const S& time, const S& h, bool put_back) {
  if constexpr (CheckMembers<C>::check_step) c.check_step(time, h);
  if constexpr (CheckMembers<C>::check_smooth_step)
    if (!put_back) c.check_smooth_step(time, h);
}
/// and where it is no longer valid with these multipliers.
template <class C, class S = ScalarOf<C>>
void check_reactions(const C& c, const State<S>& x, const Evaluation<C>& e,
                     const std::type_identity_t<Vec<S, RowMembers<C>::rows()>>& lambda) {
  if constexpr (CheckMembers<C>::check) {
    const MarkerKinematics<C> kinematics(c);
    if constexpr (by_nodes<C>)
      c.check(lambda, kinematics.sight(e, x));
    else
      with_seen([&](const auto&... seen) { c.check(lambda, seen..., x.time); }, kinematics.now(e.points));
  }
}

/// Which members are there.
template <class C>
struct Members : RowMembers<C>, MarkerMembers<C>, CheckMembers<C> {};

/// Names that are near to theirs, or were one of them, and that nothing asks for.
struct NearNames {
  int position_constraints, velocity_constraints, check_places;
};

}  // namespace detail

/// Sizes of a constraint and which of its members are there.
template <class C>
struct ConstraintTraits {
  using S = detail::ScalarOf<C>;                                           ///< the number type
  using Has = detail::Members<C>;                                          ///< which members are there
  static constexpr int markers = detail::marker_count<C>;                  ///< markers that it acts on
  static constexpr int positions = Has::positions();                       ///< P
  static constexpr int rows = Has::rows();                                 ///< R
  static constexpr int internal_count = detail::CountedMarkers<C>::slide;  ///< internal coordinates
  /// Whether it says how its position and velocity rows belong together, or need not.
  static constexpr bool rows_belong_together = Has::belong_together();
};

/// What an assembly asks of a constraint; see the head of this file.
template <class C>
concept Constraint = requires(const C& c) {
  c.markers();
  requires(ConstraintTraits<C>::rows >= 1 && ConstraintTraits<C>::rows <= 6);
  requires ConstraintTraits<C>::positions <= ConstraintTraits<C>::rows;
  requires(ConstraintTraits<C>::internal_count == 0 ||
           ((ConstraintTraits<C>::Has::tangency || ConstraintTraits<C>::Has::sliding) &&
            ConstraintTraits<C>::Has::velocity));
  requires ConstraintTraits<C>::rows_belong_together;
  requires(!detail::by_nodes<C> || (ConstraintTraits<C>::Has::velocity && ConstraintTraits<C>::Has::drift));
};

namespace detail {

/// Says at compile time what C lacks to be a `Constraint`.
template <class C>
[[nodiscard]] consteval bool check_constraint() {
  static_assert(
      requires(const C& c) { c.markers(); },
      "this is no Constraint: markers() is missing (its name was places())");
  if constexpr (requires(const C& c) { c.markers(); }) {
    using Has = Members<C>;
    using Its = WithNames<C, NearNames>;
    static_assert(!Has::old_position,
                  "this is no Constraint: position(seen..., t) is there, whose name is position_constraint");
    static_assert(!Has::old_velocity,
                  "this is no Constraint: velocity(seen..., t) is there, whose name is velocity_constraint");
    static_assert(!Has::old_drift,
                  "this is no Constraint: drift(seen...) is there, whose name is acceleration_bias");
    static_assert(agrees<false, requires { &Its::position_constraints; }>,
                  "this is no Constraint: position_constraints is there: did you mean position_constraint?");
    static_assert(agrees<false, requires { &Its::velocity_constraints; }>,
                  "this is no Constraint: velocity_constraints is there: did you mean velocity_constraint?");
    static_assert(
        agrees<false, requires { &Its::check_places; }>,
        "this is no Constraint: check_places is there, which nothing calls: its name is check_markers");
    static_assert(ConstraintTraits<C>::rows >= 1,
                  "this is no Constraint: neither position_constraint(seen..., t) nor "
                  "velocity_constraint(seen..., t) is there with these arguments");
    static_assert(ConstraintTraits<C>::rows <= 6, "this is no Constraint: it has more than six rows");
    check_row_members<C>();
    check_marker_members<C>();
    check_check_members<C>();
  }
  return true;
}

}  // namespace detail

}  // namespace dalembert::assembly
