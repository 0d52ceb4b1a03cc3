#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/assembly/detail/seeds.hpp>
#include <dalembert/assembly/state.hpp>

/// What a constraint says in one state: its functions on what is seen of moving points, in numbers that
/// carry derivatives.
namespace dalembert::assembly::detail {

/// Functions of a constraint on what is seen of moving points, made by `make(i)` for marker i.
template <Constraint C>
class Evaluator {
 public:
  using Traits = ConstraintTraits<C>;
  using S = ScalarOf<C>;
  static constexpr std::size_t N = static_cast<std::size_t>(Traits::markers);
  static constexpr int R = Traits::rows, Z = Traits::internal_count;
  static constexpr int changes = 6 * static_cast<int>(N);  ///< of the frames of all markers
  using Points = std::array<Point<S>, N>;

  explicit Evaluator(const C& c) noexcept : c_(c), places_(c.markers()) {}

  [[nodiscard]] const C& constraint() const noexcept { return c_; }
  [[nodiscard]] const MarkersOf<C>& markers() const noexcept { return places_; }

  /// Number of the internal coordinate of marker I.
  template <std::size_t I>
  [[nodiscard]] static constexpr int slide_of() {
    return []<std::size_t... J>(std::index_sequence<J...>) {
      return (0 + ... + (MarkerOf<C, J>::slides ? 1 : 0));
    }
    (std::make_index_sequence<I>{});
  }

  template <class F>
  static void each(F&& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }
    (std::make_index_sequence<N>{});
  }

  template <class T, class Make>
  [[nodiscard, gnu::always_inline]] std::array<FrameState<T>, N> seen(const Make& make) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<FrameState<T>, N>{
          std::get<I>(places_).template seen<T>(make(std::integral_constant<std::size_t, I>{}))...};
    }
    (std::make_index_sequence<N>{});
  }

  /// A v + b, where the constraint has velocity rows; those of its positions come first if it stacks them.
  template <class T>
  [[nodiscard]] auto velocity(const std::array<FrameState<T>, N>& x, const T& t) const {
    auto rows = with_seen([&](const auto&... one) { return as_rows(c_.velocity_constraint(one...)); }, x, t);
    if constexpr (Traits::Has::stacks)
      return dalembert::detail::stacked(position_rate(*this, x, t), rows);
    else
      return rows;
  }
  template <class T>
  [[nodiscard]] auto reaction(const std::array<FrameState<T>, N>& x, const T& t) const {
    return with_seen([&](const auto&... one) { return as_rows(c_.reaction(one...)); }, x, t);
  }
  template <class T>
  [[nodiscard]] auto position(const std::array<FrameState<T>, N>& x, const T& t) const {
    return with_seen([&](const auto&... one) { return as_rows(c_.position_constraint(one...)); }, x, t);
  }
  template <class T>
  [[nodiscard]] auto tangency(const std::array<FrameState<T>, N>& x) const {
    return with_seen([&](const auto&... one) { return as_rows(c_.tangency(one...)); }, x);
  }

  /// As it is, in plain numbers.
  [[nodiscard, gnu::always_inline]] std::array<FrameState<S>, N> now(
      const std::array<Point<S>, N>& points) const {
    return seen<S>([&](auto i) { return moving<S>(points[i]); });
  }

  /// φ and C.
  void find_error(Evaluation<C>& e, S time) const {
    if constexpr (Traits::positions > 0) {
      e.error = position(now(e.points), time);
      if constexpr (Traits::Has::along)
        e.along = with_seen([&](const auto&... one) { return c_.along(one...); }, now(e.points));
      else
        e.along = dalembert::detail::identity<S, Evaluation<C>::P, Evaluation<C>::R>();
    }
  }

  /// A, b and A_V.
  void find_rows(Evaluation<C>& e, const State<S>& at) const {
    const S time = at.time;
    if constexpr (by_nodes<C>) {
      c_.find_rows(sight(e, at), e.nodes);
      e.known = e.nodes.known;
    } else if constexpr (Traits::Has::coefficients) {
      const auto rows =
          with_seen([&](const auto&... one) { return c_.coefficients(one..., time); }, now(e.points));
      e.linear = rows.linear;
      e.angular = rows.angular;
      e.known = rows.known;
      each([&](auto i) { add_arm<i>(e, e.linear, e.angular); });
    } else if constexpr (Traits::Has::velocity) {
      e.known = read(
          e, [&](const auto& x, const auto& t) { return velocity(x, t); }, time, e.linear, e.angular);
    } else {  // by every translation and rotation of a node, and by the time
      const auto phi = moved_position(*this, e.points, time, seed<Dual<S, changes + 1>>);
      put_slopes(phi, e.linear, e.angular);
      e.known = slopes_of(phi, changes);
    }
    if constexpr (Traits::Has::reaction)
      (void)read(
          e, [&](const auto& x, const auto& t) { return reaction(x, t); }, time, e.reaction_linear,
          e.reaction_angular);
    if constexpr (has_friction<C>) e.friction.find(c_.mobility(), e.along);
  }

  /// What a constraint by nodes sees.
  [[nodiscard]] static NodeSight<S, N> sight(const Evaluation<C>& e, const State<S>& at) noexcept {
    return {at.chains, e.points, e.windows, at.time};
  }

  /// Throws what the constraint throws for markers that it cannot have.
  void check_markers(const Points& points, S time) const {
    std::apply(
        [&](const auto&... point) {
          if constexpr (requires { c_.check_markers(point..., time); }) c_.check_markers(point..., time);
        },
        points);
  }

  /// F of (5), and its Jacobian J by the positions of the markers that slide.
  [[nodiscard]] std::pair<Vec<S, Z>, Mat<S, Z>> tangency(const Evaluation<C>& e, const State<S>& at) const;
  /// ṡ, where the constraint says it.
  [[nodiscard]] Vec<S, Z> sliding(const Evaluation<C>& e, const State<S>& at) const {
    return with_seen([&](const auto&... one) { return c_.sliding(one..., at.time); }, now(e.points));
  }
  /// The rate of F while the markers stand still on their bodies.
  [[nodiscard]] Vec<S, Z> tangency_rate(const Evaluation<C>& e, const State<S>& at) const {
    const Points& points = e.points;
    if constexpr (by_nodes<C>) {
      return c_.tangency_rate(sight(e, at));
    } else if constexpr (Traits::Has::tangency_change) {
      std::array<FrameChange<S>, N> moved;
      each([&](auto i) { moved[i] = std::get<i>(places_).moved(points[i]); });
      return changing(now(points), moved);
    } else {
      using T = Dual<S, 1>;
      const T time = seed<T>(0);
      const auto x = seen<T>([&](auto i) {
        const Point<S>& p = points[i];
        PointState<T> m = at_rest<T>(p);
        for (int j = 0; j < 3; ++j) {
          m.R[j] += p.V[j] * time;
          m.dR[j] += p.dV[j] * time;
        }
        turn(m, turned(p, time));
        return m;
      });
      return slopes_of(tangency(x));
    }
  }

  /// Ȧv + ḃ, with the markers that slide moving at ṡ.
  void find_drift(Evaluation<C>& e, const State<S>& at) const {
    const S time = at.time;
    if constexpr (by_nodes<C>) {
      e.drift = c_.acceleration_bias(sight(e, at), e.zdot);
    } else if constexpr (Traits::Has::drift) {
      e.drift = [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto x = now(e.points);
        return c_.acceleration_bias(x[I]..., passing<I>(e)..., time);
      }
      (std::make_index_sequence<N>{});
    } else if constexpr (Traits::Has::velocity) {
      using T = Dual<S, 1>;
      const T step = seed<T>(0);
      const auto x = seen<T>([&](auto i) { return later<i>(e, step); });
      e.drift = slopes_of(velocity(x, T(T(time) + step)));
    } else {
      using T1 = Dual<S, 1>;
      using T = Dual<T1, 1>;
      const T step = T(seed<T1>(0)) + seed<T>(0);
      const auto x = seen<T>([&](auto i) { return later<i>(e, step); });
      e.drift = slopes_of(slopes_of(position(x, T(time) + step)));
    }
  }

  /// Marker I, or the node that bears it, after a short time: nodes keep velocities, the marker moves at ṡ.
  template <std::size_t I, class T>
  [[nodiscard]] PointState<T> later(const Evaluation<C>& e, const T& step) const {
    const Point<S>& p = e.points[I];
    PointState<T> m = moving<T>(p);
    turn(m, turned(p, step));
    if constexpr (MarkerOf<C, I>::slides) {  // such a marker is seen from itself
      const FrameRates<S> change = passing<I>(e);
      const S rate = e.zdot[slide_of<I>()];
      for (int j = 0; j < 3; ++j) {
        m.R[j] += change.position[j] * step;
        m.dR[j] += (p.dV[j] + rate * p.ddR[j]) * step;
        m.V[j] += change.velocity[j] * step;
        m.W[j] += change.angular_velocity[j] * step;
      }
    } else {
      for (int j = 0; j < 3; ++j) m.R[j] += p.V[j] * step;
    }
    return m;
  }
  /// How Λ turns in a short time: the nodes keep their body angular velocities, and W = Λω with them.
  template <class T>
  [[nodiscard]] static Vec<T, 3> turned(const Point<S>& p, const T& step) {
    return {T(p.W[0] * step), T(p.W[1] * step), T(p.W[2] * step)};
  }

  /// The coefficients of numbers that are affine in the velocities, and what they are at rest.
  template <class F, class Blocks>
  auto read(const Evaluation<C>& e, const F& f, S time, Blocks& linear, Blocks& angular) const {
    using T = Dual<S, 6 * static_cast<int>(N)>;
    const auto x = seen<T>([&](auto i) {
      constexpr int first = 6 * static_cast<int>(i);
      PointState<T> m = at_rest<T>(e.points[i]);
      m.V = seeds<T>(first);
      m.W = seeds<T>(first + 3);
      return m;
    });
    const auto u = f(x, T(time));
    constexpr int count = std::remove_cvref_t<decltype(u)>::RowsAtCompileTime;
    put_slopes(u, linear, angular);
    each([&](auto i) {  // seen from itself
      if constexpr (MarkerOf<C, i>::slides) add_arm<i>(e, linear, angular);
    });
    Vec<S, count> at_rest_is;
    for (int r = 0; r < count; ++r) at_rest_is[r] = u[r].value();
    return at_rest_is;
  }

 private:
  /// The change of F with changes of what is seen.
  [[nodiscard, gnu::always_inline]] Vec<S, Z> changing(const std::array<FrameState<S>, N>& x,
                                                       const std::array<FrameChange<S>, N>& moved) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return c_.tangency_change(x[I]..., moved[I]...);
    }
    (std::make_index_sequence<N>{});
  }
  /// L (V + W × arm): rows on the motion of marker I become rows on that of the node beside which it is.
  template <std::size_t I, class Blocks>
  void add_arm(const Evaluation<C>& e, const Blocks& linear, Blocks& angular) const {
    const auto& place = std::get<I>(places_);
    if (!place.beside_node()) return;
    const Vec<S, 3> arm = place.arm(e.points[I]);
    for (int r = 0; r < static_cast<int>(linear[I].rows()); ++r)
      for (int j = 0; j < 3; ++j)
        angular[I](r, j) +=
            arm[(j + 1) % 3] * linear[I](r, (j + 2) % 3) - arm[(j + 2) % 3] * linear[I](r, (j + 1) % 3);
  }
  /// How marker I changes.
  template <std::size_t I>
  [[nodiscard]] FrameRates<S> passing(const Evaluation<C>& e) const {
    const auto& place = std::get<I>(places_);
    if constexpr (MarkerOf<C, I>::slides)
      return place.passing(e.points[I], e.zdot[slide_of<I>()]);
    else
      return place.passing(e.points[I]);
  }
  /// Derivatives of rows, six by each marker, into their blocks.
  template <class Rows, class Blocks>
  static void put_slopes(const Rows& u, Blocks& linear, Blocks& angular) {
    constexpr int count = Rows::RowsAtCompileTime;
    each([&](auto i) {
      constexpr int first = 6 * static_cast<int>(i);
      for (int r = 0; r < count; ++r)
        for (int j = 0; j < 3; ++j) {
          linear[i](r, j) = u[r].derivative(first + j);
          angular[i](r, j) = u[r].derivative(first + 3 + j);
        }
    });
  }
  const C& c_;
  MarkersOf<C> places_;
};

}  // namespace dalembert::assembly::detail

#include <dalembert/assembly/detail/evaluator_members.hpp>
