#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/detail/seeds.hpp>
#include <dalembert/assembly/node_rows.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/detail/small_blocks.hpp>

/// The markers of a constraint, and what is seen of them in one state, in numbers that carry derivatives.
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

/// Whether a class has a member of some name, whatever it takes: a class that inherits that name from two
/// sides does not know which is meant, so that &WithNames<C, Names>::name is an expression where C has no
/// member of that name. Of a final class nothing is told.
template <class C, class Names>
struct WithNames : std::conditional_t<std::is_final_v<C>, std::tuple<>, C>, Names {};
/// Whether a member is there as it is called, or there is none of its name. What is optional, and asked for
/// by calling it, would be passed over without a word where it is there with other arguments.
template <bool is_there, bool is_absent>
inline constexpr bool agrees = is_there || is_absent;

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

template <class C>
using MarkersOf = decltype(std::declval<const C&>().markers());
template <class C>
inline constexpr int marker_count = static_cast<int>(std::tuple_size_v<MarkersOf<C>>);
template <class C, std::size_t I>
using MarkerOf = std::remove_cvref_t<std::tuple_element_t<I, MarkersOf<C>>>;
/// The numbers of its markers.
template <class C>
using MarkerNumbers = std::make_index_sequence<static_cast<std::size_t>(marker_count<C>)>;
/// Whether a marker is on a string.
template <class Marker>
inline constexpr bool is_on_line = requires {
  requires Marker::on_line;
};
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

/// How many of the markers of a constraint move along their bodies, and whether some are on strings.
template <class C, class Numbers = MarkerNumbers<C>>
struct CountedMarkers;
template <class C, std::size_t... I>
struct CountedMarkers<C, std::index_sequence<I...>> {
  static constexpr int slide = (0 + ... + (MarkerOf<C, I>::slides ? 1 : 0));
  static constexpr bool on_line = (is_on_line<MarkerOf<C, I>> || ...);
};
template <class C>
inline constexpr bool has_line_markers = CountedMarkers<C>::on_line;

/// Whether a constraint says its rows node by node.
template <class C>
inline constexpr bool by_nodes = requires {
  C::node_rows;
};
/// What functions of a constraint are called with: what is seen of marker I, or of all nodes.
template <class C, std::size_t I>
using View = const FrameState<ScalarOf<C>>&;
template <class C>
using SightOf = NodeSight<ScalarOf<C>, static_cast<std::size_t>(marker_count<C>)>;

/// f(seen₀, seen₁, …, more…).
template <class F, class T, std::size_t N, class... More>
auto with_seen(const F& f, const std::array<FrameState<T>, N>& seen, const More&... more) {
  return std::apply([&](const auto&... one) { return f(one..., more...); }, seen);
}

template <class C>
struct Evaluation;

/// What is seen of moving points, made by `make(i)` for marker i.
template <class C>
class MarkerKinematics {
 public:
  using S = ScalarOf<C>;
  static constexpr std::size_t N = static_cast<std::size_t>(marker_count<C>);
  static constexpr int Z = CountedMarkers<C>::slide;
  static constexpr int changes = 6 * static_cast<int>(N);  ///< of the frames of all markers
  using Points = std::array<Point<S>, N>;

  explicit MarkerKinematics(const C& c) noexcept : c_(c), places_(c.markers()) {}

  [[nodiscard]] const C& constraint() const noexcept { return c_; }
  [[nodiscard]] const MarkersOf<C>& markers() const noexcept { return places_; }

  /// Number of the internal coordinate of marker I.
  template <std::size_t I>
  [[nodiscard]] static constexpr int slide_of() {
    return CountedMarkers<C, std::make_index_sequence<I>>::slide;
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
  /// As it is, in plain numbers.
  [[nodiscard, gnu::always_inline]] std::array<FrameState<S>, N> now(
      const std::array<Point<S>, N>& points) const {
    return seen<S>([&](auto i) { return moving<S>(points[i]); });
  }
  /// What a constraint by nodes sees.
  [[nodiscard]] static NodeSight<S, N> sight(const Evaluation<C>& e, const State<S>& at) noexcept {
    return {at.chains, e.points, e.windows, at.time};
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
  /// How marker I changes.
  template <std::size_t I>
  [[nodiscard]] FrameRates<S> passing(const Evaluation<C>& e) const {
    const auto& place = std::get<I>(places_);
    if constexpr (MarkerOf<C, I>::slides)
      return place.passing(e.points[I], e.zdot[slide_of<I>()]);
    else
      return place.passing(e.points[I]);
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

 protected:
  const C& c_;
  MarkersOf<C> places_;
};

}  // namespace dalembert::assembly::detail
