#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/detail/marker_kinematics.hpp>

/// The rows of a constraint: what it may say of them, and what is taken where it does not. It has (1) or (2):
///   position_constraint(seen…, t)  → φ      zero where the constraint holds: P rows; or none of it  (1)
///   velocity_constraint(seen…, t)  → A v + b  affine in the velocities, zero as well: rows after
///                                             φ̇, or all R rows where there is (4), or no (1)  (2)
///   reaction(seen…, t)   → A_V v            the rows C_V along which it pulls, where they are not A  (3)
///   along(seen…)         → C           where φ̇ is a part of (2): φ̇ = C (A v + b), P×R; states are
///                                             refused in which it is not  (4)
///   coefficients(seen…, t)                    A and b, instead of derivatives of (2)
///   acceleration_bias(seen…, rates…, t)       Ȧv + ḃ, likewise
///   mobility()           → ε                  friction in place of rows: u = A v + b, but for what CA
///                                             says, is −ελ, ε ≥ 0  (6)
///   turns = false                             CA does not turn nodes, exactly
/// Where (1) and (2) are there and no (4), (2) says only rows that are no rates of (1): rows are φ̇, then
/// these, and so are the numbers of λ. A_Vᵀλ is a force: λ > 0 pushes to where the row is larger.
///
/// A constraint whose rows act on each node in a way of their own says them node by node, in numbers of type
/// Scalar, from a `NodeSight`; in place of the members from (2) on, but for `along` and `turns`, it has
///   node_rows = R                             how many they are
///   find_rows(sight, rows)                    A and b, into `NodeRows`: every row of every node of every
///                                             window
///   acceleration_bias(sight, ṡ)               Ȧv + ḃ
/// Its position rows, if it has some, are functions of what is seen of its markers; reactions act along A.
namespace dalembert::assembly {

/// The rows of a constraint in numbers: A on the velocity and on the angular velocity of each marker that is
/// seen, and b.
template <class S, int R, std::size_t N>
struct Rows {
  std::array<Eigen::Matrix<S, R, 3>, N> linear;   ///< on V of each marker
  std::array<Eigen::Matrix<S, R, 3>, N> angular;  ///< on W of each marker [m]
  Vec<S, R> known;                                ///< b
};

namespace detail {

/// The names of these members.
struct RowNames {
  int position_constraint, velocity_constraint, reaction, along, coefficients, acceleration_bias, mobility;
};

/// Whether rows of a constraint may be friction.
template <class C>
inline constexpr bool has_friction = requires(const C& c) {
  { c.mobility() } -> std::convertible_to<ScalarOf<C>>;
};

/// Which of these members are there, asked with what they are called with.
template <class C, class Numbers = MarkerNumbers<C>>
struct RowMembers;
template <class C, std::size_t... I>
struct RowMembers<C, std::index_sequence<I...>> {
  using S = ScalarOf<C>;
  template <std::size_t>
  using Change = const FrameRates<S>&;
  static constexpr bool position = requires(const C& c, View<C, I>... x, const S& t) {
    c.position_constraint(x..., t);
  };
  static constexpr bool along = requires(const C& c, View<C, I>... x) { c.along(x...); };
  static constexpr bool turns = !(requires { requires !C::turns; });
  static constexpr bool velocity = requires(const C& c, const SightOf<C>& at) {
    c.find_rows(at, std::declval<NodeRows<S, C::node_rows, sizeof...(I)>&>());
  }
  || requires(const C& c, View<C, I>... x, const S& t) {
    requires !by_nodes<C>;
    c.velocity_constraint(x..., t);
  };
  static constexpr bool drift = requires(const C& c, const SightOf<C>& at) {
    requires by_nodes<C>;
    c.acceleration_bias(at, Vec<S, CountedMarkers<C>::slide>{});
  }
  || requires(const C& c, View<C, I>... x, Change<I>... rates, const S& t) {
    requires !by_nodes<C>;
    c.acceleration_bias(x..., rates..., t);
  };
  static constexpr bool coefficients = requires(const C& c, View<C, I>... x, const S& t) {
    c.coefficients(x..., t);
  };
  static constexpr bool reaction = requires(const C& c, View<C, I>... x, const S& t) { c.reaction(x..., t); };
  // the same by the names that they had once
  static constexpr bool old_position = requires(const C& c, View<C, I>... x, const S& t) {
    c.position(x..., t);
  };
  static constexpr bool old_velocity = requires(const C& c, View<C, I>... x, const S& t) {
    c.velocity(x..., t);
  };
  static constexpr bool old_drift = requires(const C& c, View<C, I>... x, Change<I>... rates, const S& t) {
    c.drift(x..., rates..., t);
  };

  /// How many rows f(c, seen…, t) has.
  template <class F>
  static constexpr int count(const F&) {
    return row_count<std::invoke_result_t<F, const C&, View<C, I>..., const S&>>;
  }
  static constexpr int positions() {
    if constexpr (position)
      return count([](const C& c, const auto&... x) { return c.position_constraint(x...); });
    return 0;
  }
  /// Whether the rows of (2) come after φ̇.
  static constexpr bool stacks =
      velocity && position && !along && !by_nodes<C> && CountedMarkers<C>::slide == 0;
  static constexpr int rows() {
    if constexpr (by_nodes<C>) return C::node_rows;
    constexpr int before = velocity && !stacks ? 0 : positions();
    if constexpr (velocity && !by_nodes<C>)
      return before + count([](const C& c, const auto&... x) { return c.velocity_constraint(x...); });
    return before;
  }
  static constexpr int reaction_rows() {
    if constexpr (reaction) return count([](const C& c, const auto&... x) { return c.reaction(x...); });
    return rows();
  }
  /// Whether it says how its position and velocity rows belong together, or need not.
  static constexpr bool belong_together() {
    return positions() == 0 || (positions() == rows() && !by_nodes<C>) || stacks || along;
  }
};

/// Says at compile time which of these members C lacks, or has with other arguments than they are called
/// with.
template <class C>
consteval void check_row_members() {
  using Has = RowMembers<C>;
  using Its = WithNames<C, RowNames>;
  static_assert(agrees<Has::position, requires { &Its::position_constraint; }>,
                "this is no Constraint: position_constraint is there, but not with (seen..., t) const");
  static_assert(agrees<Has::along, requires { &Its::along; }>,
                "this is no Constraint: along is there, but not with (seen...) const");
  if constexpr (by_nodes<C>) {
    static_assert(
        !Has::reaction && !Has::coefficients && requires { &Its::reaction, &Its::coefficients; },
        "this is no Constraint: it has node_rows, and besides reaction or coefficients, which nothing calls");
    static_assert(Has::velocity,
                  "this is no Constraint: it has node_rows, but find_rows(sight, rows) is missing");
    static_assert(Has::drift,
                  "this is no Constraint: it has node_rows, but acceleration_bias(sight, rates) is missing");
  } else {
    static_assert(agrees<Has::velocity, requires { &Its::velocity_constraint; }>,
                  "this is no Constraint: velocity_constraint is there, but not with (seen..., t) const");
    static_assert(agrees<Has::reaction, requires { &Its::reaction; }>,
                  "this is no Constraint: reaction is there, but not with (seen..., t) const");
    static_assert(agrees<Has::coefficients, requires { &Its::coefficients; }>,
                  "this is no Constraint: coefficients is there, but not with (seen..., t) const");
    static_assert(
        agrees<Has::drift, requires { &Its::acceleration_bias; }>,
        "this is no Constraint: acceleration_bias is there, but not with (seen..., rates..., t) const");
  }
  static_assert(agrees<has_friction<C>, requires { &Its::mobility; }>,
                "this is no Constraint: mobility is there, but not with () const");
  static_assert(!has_friction<C> || (Has::velocity && !Has::reaction && !by_nodes<C> && !has_line_markers<C>),
                "this is no Constraint: mobility() is there, which takes velocity_constraint(seen..., t), no "
                "reaction(seen..., t), no node_rows and no marker on a string");
  static_assert(Has::rows() < 1 || Has::reaction_rows() == Has::rows(),
                "this is no Constraint: reaction(seen..., t) must have a row for each row that holds, those "
                "of position_constraint first where velocity_constraint comes after them");
  static_assert(Has::belong_together(),
                "this is no Constraint: along(seen...) is missing, which says how position and velocity rows "
                "belong together");
}

/// Rows of a constraint on what is seen of its markers, and by derivatives what it does not say itself.
template <class C>
class RowFunctions : public MarkerKinematics<C> {
 public:
  using Kinematics = MarkerKinematics<C>;
  using Has = RowMembers<C>;
  using S = ScalarOf<C>;
  using Kinematics::Kinematics, Kinematics::now, Kinematics::each, Kinematics::sight;
  static constexpr std::size_t N = Kinematics::N;

  /// A v + b, where the constraint has velocity rows; those of its positions come first if it stacks them.
  [[nodiscard]] auto velocity(const auto& x, const auto& t) const {
    auto rows = with_seen([&](const auto&... one) { return as_rows(c_.velocity_constraint(one...)); }, x, t);
    if constexpr (Has::stacks)
      return dalembert::detail::stacked(position_rate(*this, x, t), rows);
    else
      return rows;
  }
  [[nodiscard]] auto reaction(const auto& x, const auto& t) const {
    return with_seen([&](const auto&... one) { return as_rows(c_.reaction(one...)); }, x, t);
  }
  [[nodiscard]] auto position(const auto& x, const auto& t) const {
    return with_seen([&](const auto&... one) { return as_rows(c_.position_constraint(one...)); }, x, t);
  }

  /// φ and C.
  void find_error(Evaluation<C>& e, S time) const {
    if constexpr (Has::positions() > 0) {
      e.error = position(now(e.points), time);
      if constexpr (Has::along)
        e.along = with_seen([&](const auto&... one) { return c_.along(one...); }, now(e.points));
      else
        e.along = dalembert::detail::identity<S, Has::positions(), Has::rows()>();
    }
  }

  /// A, b and A_V.
  void find_rows(Evaluation<C>& e, const State<S>& at) const {
    const S time = at.time;
    if constexpr (by_nodes<C>) {
      c_.find_rows(sight(e, at), e.nodes);
      e.known = e.nodes.known;
    } else if constexpr (Has::coefficients) {
      const auto rows =
          with_seen([&](const auto&... one) { return c_.coefficients(one..., time); }, now(e.points));
      e.linear = rows.linear;
      e.angular = rows.angular;
      e.known = rows.known;
      each([&](auto i) { this->template add_arm<i>(e, e.linear, e.angular); });
    } else if constexpr (Has::velocity) {
      e.known = this->read(
          e, [&](const auto& x, const auto& t) { return velocity(x, t); }, time, e.linear, e.angular);
    } else {  // by every translation and rotation of a node, and by the time
      const auto phi = moved_position(*this, e.points, time, seed<Dual<S, Kinematics::changes + 1>>);
      this->put_slopes(phi, e.linear, e.angular);
      e.known = slopes_of(phi, Kinematics::changes);
    }
    if constexpr (Has::reaction)
      (void)this->read(
          e, [&](const auto& x, const auto& t) { return reaction(x, t); }, time, e.reaction_linear,
          e.reaction_angular);
    if constexpr (has_friction<C>) e.friction.find(c_.mobility(), e.along);
  }

  /// Ȧv + ḃ, with the markers that slide moving at ṡ.
  void find_drift(Evaluation<C>& e, const State<S>& at) const {
    const S time = at.time;
    if constexpr (by_nodes<C>) {
      e.drift = c_.acceleration_bias(sight(e, at), e.zdot);
    } else if constexpr (Has::drift) {
      e.drift = [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto x = now(e.points);
        return as_rows(c_.acceleration_bias(x[I]..., this->template passing<I>(e)..., time));
      }
      (std::make_index_sequence<N>{});
    } else if constexpr (Has::velocity) {
      using T = Dual<S, 1>;
      const T step = seed<T>(0);
      const auto x = this->template seen<T>([&](auto i) { return this->template later<i>(e, step); });
      e.drift = slopes_of(velocity(x, T(T(time) + step)));
    } else {
      using T1 = Dual<S, 1>;
      using T = Dual<T1, 1>;
      const T step = T(seed<T1>(0)) + seed<T>(0);
      const auto x = this->template seen<T>([&](auto i) { return this->template later<i>(e, step); });
      e.drift = slopes_of(slopes_of(position(x, T(time) + step)));
    }
  }

 protected:
  using Kinematics::c_;
};

}  // namespace detail

}  // namespace dalembert::assembly
