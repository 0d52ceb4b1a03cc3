#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/detail/member_names.hpp>
#include <dalembert/assembly/node_rows.hpp>

/// What a constraint says, and what follows from it. A policy names its places and writes functions of what
/// is seen there, on any number type T:
///   markers()                                 a std::tuple of markers, or of references to them
///   position_constraint(seen…, t)  → φ        zero where the constraint holds: P rows; or none of it  (1)
///   velocity_constraint(seen…, t)  → A v + b  affine in the velocities, zero as well: rows that come after
///                                             φ̇, or all R rows where there is (4), or no (1)  (2)
///   reaction(seen…, t)   → A_V v              the rows C_V along which it pulls, where they are not A  (3)
///   along(seen…)         → C                  where φ̇ is a part of (2): φ̇ = C (A v + b), P×R; states are
///                                             refused in which it is not  (4)
///   tangency(seen…)      → F                  zero where the places that move along a rod are, one each (5)
///   tangency_change(seen…, moved…)            its change with theirs, instead of derivatives of (5)
///   coefficients(seen…, t)                    A and b, instead of derivatives of (2)
///   acceleration_bias(seen…, rates…, t)       Ȧv + ḃ, likewise
///   mobility()           → ε                  friction in place of rows: u = A v + b, but for what CA
///                                             says, is −ελ, ε ≥ 0  (6)
///   turns = false                             CA does not turn nodes, exactly
///   check(λ, seen…, t)                        throws an InvalidState where the constraint is no longer valid
///   check_markers(points…, t)                 throws an InvalidState where (5) was solved by places that it
///                                             cannot have
///   check_step(t, h)                          throws an InvalidState where it cannot be followed from t to
///                                             t + h
///   check_smooth_step(t, h)                   the same of a method that does not put states back onto the
///                                             constraints: b must not jump
///   check_parameters()                        throws std::invalid_argument for parameters that mean nothing
///   sliding(seen…, t)    → ṡ                  how its places move along their bodies, where no (5) says it
///   integrated()                              whether its internal coordinates follow ṡ from where they
///                                             start, instead of being solved from (5)
///   name, row_names, row_units                for messages; a unit is that of what the row keeps at zero, A
///                                             v + b has it per second
/// It solves nothing. Aᵀλ, Ȧv + ḃ and ṡ follow by differentiation, exact to rounding. A function of
/// one of these names that takes other arguments, or is not const, is refused by the compiler.
///
/// A constraint whose rows act on each node in a way of their own says them node by node, in numbers of type
/// Scalar, from a `NodeSight`; in place of the members from `velocity_constraint` to `check` above, but for
/// `along` and `turns`, it has
///   node_rows = R                             how many they are
///   find_rows(sight, rows)                    A and b, into `NodeRows`: every row of every node of every
///                                             window
///   acceleration_bias(sight, ṡ)               Ȧv + ḃ
///   tangency(sight)                           F and ∂F/∂s as a std::pair, if places move along a rod
///   tangency_rate(sight)                      the rate of F while these places stand still, likewise
///   beyond = 0                                nodes on either side of a window that F looks at
///   check(λ, sight)                           as above
/// Position rows, if it has some, are functions of what is seen of its places; reactions act along A.
namespace dalembert::assembly {

/// The rows of a constraint in numbers: A on the velocity and on the spin of each place that is seen, and b.
template <class S, int R, std::size_t N>
struct Rows {
  std::array<Eigen::Matrix<S, R, 3>, N> linear;   ///< on V of each place
  std::array<Eigen::Matrix<S, R, 3>, N> angular;  ///< on W of each place [m]
  Vec<S, R> known;                                ///< b
};

/// The `row_units` of N rows that keep lengths at zero.
template <std::size_t N>
inline constexpr std::array<std::string_view, N> metres = [] {
  std::array<std::string_view, N> units;
  units.fill("m");
  return units;
}();

namespace detail {

template <class C>
using MarkersOf = decltype(std::declval<const C&>().markers());
template <class C>
inline constexpr int marker_count = static_cast<int>(std::tuple_size_v<MarkersOf<C>>);
template <class C, std::size_t I>
using MarkerOf = std::remove_cvref_t<std::tuple_element_t<I, MarkersOf<C>>>;
/// Whether a constraint says its rows node by node.
template <class C>
inline constexpr bool by_nodes = requires {
  C::node_rows;
};
template <class C>
using SightOf = NodeSight<typename C::Scalar, static_cast<std::size_t>(marker_count<C>)>;
/// Whether a place is on a string.
template <class Marker>
inline constexpr bool is_on_line = requires {
  requires Marker::on_line;
};
/// Whether some place of a constraint is on a string.
template <class C>
inline constexpr bool has_line_markers = []<std::size_t... I>(std::index_sequence<I...>) {
  return (is_on_line<MarkerOf<C, I>> || ...);
}
(std::make_index_sequence<static_cast<std::size_t>(marker_count<C>)>{});
/// Whether a place keeps the slopes of its weights beside them, so that it need not find them again for
/// velocities.
template <class Marker>
inline constexpr bool keeps_slopes = requires {
  requires Marker::keeps_slopes;
};
/// Whether one node of weight 1 bears a place.
template <class Marker>
inline constexpr bool is_one_node = requires {
  requires Marker::one_node;
};

/// Whether a place is an average over several nodes.
template <class Marker>
inline constexpr bool is_average = Marker::slides && !is_one_node<Marker>;

/// Whether rows of a constraint may be friction.
template <class C>
inline constexpr bool has_friction = requires(const C& c) {
  { c.mobility() } -> std::convertible_to<typename C::Scalar>;
};

/// f(seen₀, seen₁, …, more…).
template <class F, class T, std::size_t N, class... More>
auto with_seen(const F& f, const std::array<FrameState<T>, N>& seen, const More&... more) {
  return std::apply([&](const auto&... one) { return f(one..., more...); }, seen);
}

// Whether the members are there, asked with what they are called with: those that any constraint may have,
template <class C, class Sequence>
struct CommonMembers;
template <class C, std::size_t... I>
struct CommonMembers<C, std::index_sequence<I...>> {
  using S = typename C::Scalar;
  template <std::size_t>
  using View = const FrameState<S>&;
  template <std::size_t>
  using At = const Point<S>&;
  static constexpr bool position = requires(const C& c, View<I>... x, const S& t) {
    c.position_constraint(x..., t);
  };
  static constexpr bool along = requires(const C& c, View<I>... x) { c.along(x...); };
  static constexpr bool check_markers = requires(const C& c, At<I>... at, const S& t) {
    c.check_markers(at..., t);
  };
  static constexpr bool turns = [] {
    if constexpr (requires { C::turns; }) return static_cast<bool>(C::turns);
    return true;
  }();
  static constexpr int internal_count = (0 + ... + (MarkerOf<C, I>::slides ? 1 : 0));
  static constexpr int positions() {
    if constexpr (position)
      return decltype(std::declval<const C&>().position_constraint(
          std::declval<View<I>>()..., std::declval<const S&>()))::RowsAtCompileTime;
    else
      return 0;
  }
};

// those of functions of what is seen,
template <class C, class Sequence>
struct Members;
template <class C, std::size_t... I>
struct Members<C, std::index_sequence<I...>> : CommonMembers<C, std::index_sequence<I...>> {
  using S = typename C::Scalar;
  template <std::size_t>
  using View = const FrameState<S>&;
  template <std::size_t>
  using Change = const FrameRates<S>&;
  template <std::size_t>
  using Shift = const FrameChange<S>&;
  static constexpr bool velocity = requires(const C& c, View<I>... x, const S& t) {
    c.velocity_constraint(x..., t);
  };
  static constexpr bool coefficients = requires(const C& c, View<I>... x, const S& t) {
    c.coefficients(x..., t);
  };
  static constexpr bool drift = requires(const C& c, View<I>... x, Change<I>... rates, const S& t) {
    c.acceleration_bias(x..., rates..., t);
  };
  // the same by the names that they had once
  static constexpr bool old_position = requires(const C& c, View<I>... x, const S& t) {
    c.position(x..., t);
  };
  static constexpr bool old_velocity = requires(const C& c, View<I>... x, const S& t) {
    c.velocity(x..., t);
  };
  static constexpr bool old_drift = requires(const C& c, View<I>... x, Change<I>... rates, const S& t) {
    c.drift(x..., rates..., t);
  };
  static constexpr bool tangency_change = requires(const C& c, View<I>... x, Shift<I>... moved) {
    c.tangency_change(x..., moved...);
  };
  static constexpr bool reaction = requires(const C& c, View<I>... x, const S& t) { c.reaction(x..., t); };
  static constexpr bool tangency = requires(const C& c, View<I>... x) { c.tangency(x...); };
  static constexpr bool sliding = requires(const C& c, View<I>... x, const S& t) { c.sliding(x..., t); };
  /// Whether the rows of (2) come after φ̇.
  static constexpr bool stacks =
      velocity && Members::position && !Members::along && Members::internal_count == 0;
  static constexpr int rows() {
    int count = velocity && !stacks ? 0 : Members::positions();
    if constexpr (velocity)
      count += decltype(std::declval<const C&>().velocity_constraint(
          std::declval<View<I>>()..., std::declval<const S&>()))::RowsAtCompileTime;
    return count;
  }
  static constexpr int reaction_rows() {
    if constexpr (reaction)
      return decltype(std::declval<const C&>().reaction(std::declval<View<I>>()...,
                                                        std::declval<const S&>()))::RowsAtCompileTime;
    return rows();
  }
  static constexpr bool check = requires(const C& c, View<I>... x, const S& t) {
    c.check(Vec<S, rows()>{}, x..., t);
  };
};

// and those of rows that are said by nodes.
template <class C, std::size_t... I>
  requires(by_nodes<C>)
struct Members<C, std::index_sequence<I...>> : CommonMembers<C, std::index_sequence<I...>> {
  using S = typename C::Scalar;
  static constexpr bool velocity =
      requires(const C& c, const SightOf<C>& at, NodeRows<S, C::node_rows, sizeof...(I)>& rows) {
    c.find_rows(at, rows);
  };
  static constexpr bool drift = requires(const C& c, const SightOf<C>& at) {
    c.acceleration_bias(at, Vec<S, Members::internal_count>{});
  };
  static constexpr bool tangency = requires(const C& c, const SightOf<C>& at) {
    c.tangency(at).second;
    c.tangency_rate(at);
  };
  static constexpr bool reaction = false;
  static constexpr bool sliding = false;
  static constexpr bool stacks = false;
  static constexpr bool old_position = false, old_velocity = false, old_drift = false;
  static constexpr int rows() { return C::node_rows; }
  static constexpr int reaction_rows() { return rows(); }
  static constexpr bool check = requires(const C& c, const SightOf<C>& at) { c.check(Vec<S, rows()>{}, at); };
};

/// Whether the internal coordinates of a constraint follow their rates.
template <class C>
[[nodiscard]] bool follows_rates(const C& c) {
  if constexpr (Members<C, std::make_index_sequence<static_cast<std::size_t>(marker_count<C>)>>::sliding)
    return true;
  else if constexpr (requires { c.integrated(); })
    return c.integrated();
  else
    return false;
}

}  // namespace detail

/// Sizes of a constraint and which of its members are there.
template <class C>
struct ConstraintTraits {
  using S = typename C::Scalar;  ///< the number type
  /// Which members are there.
  using Has = detail::Members<C, std::make_index_sequence<static_cast<std::size_t>(detail::marker_count<C>)>>;
  static constexpr int places = detail::marker_count<C>;      ///< places that it touches
  static constexpr int positions = Has::positions();          ///< P
  static constexpr int rows = Has::rows();                    ///< R
  static constexpr int internal_count = Has::internal_count;  ///< internal coordinates
};

/// What an assembly asks of a constraint; see the head of this file.
template <class C>
concept Constraint = requires(const C& c) {
  typename C::Scalar;
  c.markers();
  { C::name } -> std::convertible_to<std::string_view>;
  requires(ConstraintTraits<C>::rows >= 1 && ConstraintTraits<C>::rows <= 6);
  requires ConstraintTraits<C>::positions <= ConstraintTraits<C>::rows;
  requires(ConstraintTraits<C>::internal_count == 0 ||
           ((ConstraintTraits<C>::Has::tangency || ConstraintTraits<C>::Has::sliding) &&
            ConstraintTraits<C>::Has::velocity));
  requires(ConstraintTraits<C>::positions == 0 ||
           (ConstraintTraits<C>::positions == ConstraintTraits<C>::rows && !detail::by_nodes<C>) ||
           ConstraintTraits<C>::Has::stacks || ConstraintTraits<C>::Has::along);
  requires(!detail::by_nodes<C> || (ConstraintTraits<C>::Has::velocity && ConstraintTraits<C>::Has::drift));
};

namespace detail {

/// Says at compile time what C lacks to be a `Constraint`.
template <class C>
[[nodiscard]] consteval bool check_constraint() {
  static_assert(
      requires { typename C::Scalar; }, "this is no Constraint: the type Scalar is missing");
  static_assert(
      requires(const C& c) { c.markers(); },
      "this is no Constraint: markers() is missing (its name was places())");
  static_assert(
      requires { std::string_view(C::name); }, "this is no Constraint: the static member name is missing");
  if constexpr (requires(const C& c) {
                  typename C::Scalar;
                  c.markers();
                }) {
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
                    "this is no Constraint: a place moves along a rod, but tangency(sight) or "
                    "tangency_rate(sight) is missing");
    }
    static_assert(
        !has_friction<C> ||
            (Traits::Has::velocity && !Traits::Has::reaction && !by_nodes<C> && !has_line_markers<C>),
        "this is no Constraint: mobility() is there, which takes velocity_constraint(seen..., t), no "
        "reaction(seen..., t), no node_rows and no place on a string");
    static_assert(Traits::rows >= 1,
                  "this is no Constraint: neither position_constraint(seen..., t) nor "
                  "velocity_constraint(seen..., t) is there with these arguments");
    static_assert(
        Traits::rows < 1 || Traits::Has::reaction_rows() == Traits::rows,
        "this is no Constraint: reaction(seen..., t) must have a row for each row that holds, those "
        "of position_constraint first where velocity_constraint comes after them");
    static_assert(Traits::rows <= 6, "this is no Constraint: it has more than six rows");
    static_assert(Traits::internal_count == 0 || Traits::Has::tangency || Traits::Has::sliding,
                  "this is no Constraint: a place moves along a rod, but tangency(seen...) is missing");
    static_assert(Traits::internal_count > 0 || !Traits::Has::tangency,
                  "this is no Constraint: tangency(seen...) is there, but no place moves along a rod");
    static_assert(Traits::internal_count == 0 || Traits::Has::velocity,
                  "this is no Constraint: a place moves along a rod, but velocity_constraint(seen..., t) is "
                  "missing");
    static_assert(
        Traits::positions == 0 || (Traits::positions == Traits::rows && !by_nodes<C>) ||
            Traits::Has::stacks || Traits::Has::along,
        "this is no Constraint: along(seen...) is missing, which says how position and velocity rows belong "
        "together");
  }
  return true;
}

}  // namespace detail

}  // namespace dalembert::assembly
