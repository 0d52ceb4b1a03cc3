#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/detail/member_names.hpp>
#include <dalembert/assembly/node_rows.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/detail/type_name.hpp>

/// Which members a constraint has, asked with what they are called with, and what is taken where it does not
/// say its number type, its name or the units of its rows.
namespace dalembert::assembly::detail {

/// The number type of a constraint: double unless it says another.
template <class C>
struct NumberType {
  using Type = double;  ///< the default
};
/// The one that it says.
template <class C>
  requires requires { typename C::Scalar; }
struct NumberType<C> {
  using Type = typename C::Scalar;  ///< its own
};
template <class C>
using ScalarOf = typename NumberType<C>::Type;

/// Rows as a column: a single one may be a number.
template <class X>
[[nodiscard]] auto as_rows(const X& x) {
  if constexpr (requires { X::RowsAtCompileTime; })
    return typename X::PlainObject(x);
  else
    return dalembert::detail::OneRow<X>{x};
}
/// How many rows a function returns.
template <class X>
inline constexpr int row_count = decltype(as_rows(std::declval<const X&>()))::RowsAtCompileTime;

/// What messages call a constraint: its `name`, or that of its class.
template <class C>
[[nodiscard]] consteval std::string_view name_of() {
  if constexpr (requires { std::string_view(C::name); })
    return C::name;
  else
    return dalembert::detail::type_name<C>();
}
/// The unit of what a row keeps at zero, metre unless the constraint says another.
template <class C>
[[nodiscard]] constexpr std::string_view unit_of(std::size_t row) {
  if constexpr (requires { C::row_units[0]; })
    return C::row_units[row];
  else
    return "m";
}

/// Whether the names of the rows of a constraint, if it says some, are as many as these.
template <class C, int R>
[[nodiscard]] consteval bool names_each_row() {
  if constexpr (requires { std::size(C::row_names); }) return std::size(C::row_names) == R;
  return true;
}
/// The same of their units.
template <class C, int R>
[[nodiscard]] consteval bool has_unit_of_each_row() {
  if constexpr (requires { std::size(C::row_units); }) return std::size(C::row_units) == R;
  return true;
}

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
using SightOf = NodeSight<ScalarOf<C>, static_cast<std::size_t>(marker_count<C>)>;
/// Whether a marker is on a string.
template <class Marker>
inline constexpr bool is_on_line = requires {
  requires Marker::on_line;
};
/// Whether some marker of a constraint is on a string.
template <class C>
inline constexpr bool has_line_markers = []<std::size_t... I>(std::index_sequence<I...>) {
  return (is_on_line<MarkerOf<C, I>> || ...);
}
(std::make_index_sequence<static_cast<std::size_t>(marker_count<C>)>{});
/// Whether a marker keeps the slopes of its weights beside them, so that it need not find them again for
/// velocities.
template <class Marker>
inline constexpr bool keeps_slopes = requires {
  requires Marker::keeps_slopes;
};
/// Whether one node of weight 1 bears a marker.
template <class Marker>
inline constexpr bool is_one_node = requires {
  requires Marker::one_node;
};

/// Whether a marker is an average over several nodes.
template <class Marker>
inline constexpr bool is_average = Marker::slides && !is_one_node<Marker>;

/// Whether rows of a constraint may be friction.
template <class C>
inline constexpr bool has_friction = requires(const C& c) {
  { c.mobility() } -> std::convertible_to<ScalarOf<C>>;
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
  using S = ScalarOf<C>;
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
  static constexpr bool turns = !(requires { requires !C::turns; });
  static constexpr int internal_count = (0 + ... + (MarkerOf<C, I>::slides ? 1 : 0));
  static constexpr int positions() {
    if constexpr (position)
      return row_count<decltype(std::declval<const C&>().position_constraint(std::declval<View<I>>()...,
                                                                             std::declval<const S&>()))>;
    else
      return 0;
  }
};

// those of functions of what is seen,
template <class C, class Sequence>
struct Members;
template <class C, std::size_t... I>
struct Members<C, std::index_sequence<I...>> : CommonMembers<C, std::index_sequence<I...>> {
  using S = ScalarOf<C>;
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
      count += row_count<decltype(std::declval<const C&>().velocity_constraint(std::declval<View<I>>()...,
                                                                               std::declval<const S&>()))>;
    return count;
  }
  static constexpr int reaction_rows() {
    if constexpr (reaction)
      return row_count<decltype(std::declval<const C&>().reaction(std::declval<View<I>>()...,
                                                                  std::declval<const S&>()))>;
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
  using S = ScalarOf<C>;
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

}  // namespace dalembert::assembly::detail
