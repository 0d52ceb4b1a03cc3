#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/detail/constraint_members.hpp>

/// What a constraint says, and what follows from it: (1) is a holonomic constraint, (2) without (1) in
/// general a nonholonomic one. A policy names its markers and writes functions of what is seen there, on
/// any number type T:
///   markers()                                 a std::tuple of markers, or of references to them
///   position_constraint(seen…, t)  → φ      zero where the constraint holds: P rows; or none of it  (1)
///   velocity_constraint(seen…, t)  → A v + b  affine in the velocities, zero as well: rows after
///                                             φ̇, or all R rows where there is (4), or no (1)  (2)
///   reaction(seen…, t)   → A_V v            the rows C_V along which it pulls, where they are not A  (3)
///   along(seen…)         → C           where φ̇ is a part of (2): φ̇ = C (A v + b), P×R; states are
///                                             refused in which it is not  (4)
///   tangency(seen…)      → F                  zero where markers that move along a rod are, one each (5)
///   tangency_change(seen…, moved…)            its change with theirs, instead of derivatives of (5)
///   coefficients(seen…, t)                    A and b, instead of derivatives of (2)
///   acceleration_bias(seen…, rates…, t)       Ȧv + ḃ, likewise
///   mobility()           → ε                  friction in place of rows: u = A v + b, but for what CA
///                                             says, is −ελ, ε ≥ 0  (6)
///   turns = false                             CA does not turn nodes, exactly
///   check(λ, seen…, t)                     throws an InvalidState where the constraint is no longer valid
///   check_markers(points…, t)                throws an InvalidState where (5) was solved by positions that
///                                             it cannot have
///   check_step(t, h)                          throws an InvalidState where it cannot be followed from t to
///                                             t + h
///   check_smooth_step(t, h)                   the same of a method that does not put states back onto the
///                                             constraints: b must not jump
///   check_parameters()                        throws std::invalid_argument for parameters that mean nothing
///   sliding(seen…, t)    → ṡ             how its markers move along their bodies, where no (5) says it
///   integrated()                              whether its internal coordinates follow ṡ from where they
///                                             start, instead of being solved from (5)
///   name, row_names, row_units                for messages: the name of the class, numbers and metres where
///                                             it does not say them; a unit is that of what the row keeps at
///                                             zero, A v + b has it per second. The last two are static
///                                             constexpr std::array<std::string_view, R>
/// Where (1) and (2) are there and no (4), (2) says only rows that are no rates of (1): rows are φ̇, then
/// these, and so are the numbers of λ. A_Vᵀλ is a force: λ > 0 pushes to where the row is larger.
/// Functions of one row may return a number; the number type of a constraint is its `Scalar`, or double. It
/// solves nothing. Aᵀλ, Ȧv + ḃ and ṡ follow by differentiation, exact to rounding. A function of
/// one of these names that takes other arguments, or is not const, is refused by the compiler.
///
/// A constraint whose rows act on each node in a way of their own says them node by node, in numbers of type
/// Scalar, from a `NodeSight`; in place of the members from `velocity_constraint` to `check` above, but for
/// `along` and `turns`, it has
///   node_rows = R                             how many they are
///   find_rows(sight, rows)                    A and b, into `NodeRows`: every row of every node of every
///                                             window
///   acceleration_bias(sight, ṡ)               Ȧv + ḃ
///   tangency(sight)                           F and ∂F/∂s as a std::pair, if markers move along a rod
///   tangency_rate(sight)                      the rate of F while these markers stand still, likewise
///   beyond = 0                                nodes on either side of a window that F looks at
///   check(λ, sight)                           as above
/// Position rows, if it has some, are functions of what is seen of its markers; reactions act along A.
namespace dalembert::assembly {

/// The rows of a constraint in numbers: A on the velocity and on the angular velocity of each marker that is
/// seen, and b.
template <class S, int R, std::size_t N>
struct Rows {
  std::array<Eigen::Matrix<S, R, 3>, N> linear;   ///< on V of each marker
  std::array<Eigen::Matrix<S, R, 3>, N> angular;  ///< on W of each marker [m]
  Vec<S, R> known;                                ///< b
};

/// Sizes of a constraint and which of its members are there.
template <class C>
struct ConstraintTraits {
  using S = detail::ScalarOf<C>;  ///< the number type
  /// Which members are there.
  using Has = detail::Members<C, std::make_index_sequence<static_cast<std::size_t>(detail::marker_count<C>)>>;
  static constexpr int markers = detail::marker_count<C>;     ///< markers that it acts on
  static constexpr int positions = Has::positions();          ///< P
  static constexpr int rows = Has::rows();                    ///< R
  static constexpr int internal_count = Has::internal_count;  ///< internal coordinates
  /// Whether it says how its position and velocity rows belong together, or need not.
  static constexpr bool rows_belong_together =
      positions == 0 || (positions == rows && !detail::by_nodes<C>) || Has::stacks || Has::along;
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
    using Traits = ConstraintTraits<C>;
    static_assert(!Traits::Has::old_position,
                  "this is no Constraint: position(seen..., t) is there, whose name is position_constraint");
    static_assert(!Traits::Has::old_velocity,
                  "this is no Constraint: velocity(seen..., t) is there, whose name is velocity_constraint");
    static_assert(!Traits::Has::old_drift,
                  "this is no Constraint: drift(seen...) is there, whose name is acceleration_bias");
    if constexpr (!std::is_final_v<C>) check_arguments<C, typename Traits::Has, by_nodes<C>>();
    if constexpr (by_nodes<C>) {
      static_assert(Traits::Has::velocity,
                    "this is no Constraint: it has node_rows, but find_rows(sight, rows) is missing");
      static_assert(
          Traits::Has::drift,
          "this is no Constraint: it has node_rows, but acceleration_bias(sight, rates) is missing");
      static_assert(Traits::internal_count == 0 || Traits::Has::tangency,
                    "this is no Constraint: a marker moves along a rod, but tangency(sight) or "
                    "tangency_rate(sight) is missing");
    }
    static_assert(
        !has_friction<C> ||
            (Traits::Has::velocity && !Traits::Has::reaction && !by_nodes<C> && !has_line_markers<C>),
        "this is no Constraint: mobility() is there, which takes velocity_constraint(seen..., t), no "
        "reaction(seen..., t), no node_rows and no marker on a string");
    static_assert(Traits::rows >= 1,
                  "this is no Constraint: neither position_constraint(seen..., t) nor "
                  "velocity_constraint(seen..., t) is there with these arguments");
    static_assert(
        Traits::rows < 1 || Traits::Has::reaction_rows() == Traits::rows,
        "this is no Constraint: reaction(seen..., t) must have a row for each row that holds, those "
        "of position_constraint first where velocity_constraint comes after them");
    static_assert(Traits::rows <= 6, "this is no Constraint: it has more than six rows");
    static_assert(Traits::rows < 1 || names_each_row<C, Traits::rows>(),
                  "this is no Constraint: row_names must have a name for each row, those of "
                  "position_constraint first where velocity_constraint comes after them");
    static_assert(Traits::rows < 1 || has_unit_of_each_row<C, Traits::rows>(),
                  "this is no Constraint: row_units must have a unit for each row, as row_names has names");
    static_assert(Traits::internal_count == 0 || Traits::Has::tangency || Traits::Has::sliding,
                  "this is no Constraint: a marker moves along a rod, but tangency(seen...) is missing");
    static_assert(Traits::internal_count > 0 || !Traits::Has::tangency,
                  "this is no Constraint: tangency(seen...) is there, but no marker moves along a rod");
    static_assert(Traits::internal_count == 0 || Traits::Has::velocity,
                  "this is no Constraint: a marker moves along a rod, but velocity_constraint(seen..., t) is "
                  "missing");
    static_assert(
        Traits::rows_belong_together,
        "this is no Constraint: along(seen...) is missing, which says how position and velocity rows belong "
        "together");
  }
  return true;
}

}  // namespace detail

}  // namespace dalembert::assembly
