#pragma once

#include <algorithm>
#include <concepts>
#include <type_traits>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <dalembert/core/pack.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/detail/triple.hpp>

/// Structure-of-arrays storage of a rod, and the lanes in which loops over its nodes go.
///
/// A quantity with C numbers per node is an Eigen array of C columns, one row a node. Rows are padded so that
/// a loop may read a whole pack at any node and at the node after it; what stands in the padding has no
/// meaning. Where there is one node alone, nothing is padded, so that bodies of one node are small: who loops
/// over any number of nodes does so by `each_lanes`.
namespace dalembert::rod {

/// C numbers per node, column by column.
template <class S, int C>
using Columns = Eigen::Array<S, Eigen::Dynamic, C>;

namespace detail {
template <class S>
struct LanesOf {
  using Nodes = S;
  using Window = S;
};
template <class S>
  requires(std::same_as<S, float> || std::same_as<S, double>)
struct LanesOf<S> {
  using Nodes = NativePack<S>;
  using Window = std::conditional_t<(Nodes::width > 1), Pack<S, std::min(4, Nodes::width)>, S>;
};
}  // namespace detail

/// Nodes per pass of a loop with L.
template <class L>
inline constexpr Eigen::Index width_of = [] {
  if constexpr (requires { L::width; }) return Eigen::Index{L::width};
  return Eigen::Index{1};
}();

/// What a loop over nodes computes with: a native pack for float and double, the scalar itself otherwise.
template <class S = double>
using NodePack = typename detail::LanesOf<S>::Nodes;
/// Nodes per pass of such a loop.
template <class S>
inline constexpr int lane_width = static_cast<int>(width_of<NodePack<S>>);

/// What a loop over the few nodes of a window computes with: at most four at a time, for windows are short.
template <class S = double>
using WindowPack = typename detail::LanesOf<S>::Window;

/// Rows that `nodes` nodes need.
template <class S>
[[nodiscard]] constexpr Eigen::Index padded_rows(Eigen::Index nodes) noexcept {
  constexpr Eigen::Index width = lane_width<S>;
  if (nodes <= 1) return nodes;
  const Eigen::Index least = (nodes + width - 1) / width * width + width;
  if constexpr (width == 1) return least;
  // Columns are an odd number of cache lines apart, so that the numbers of a node do not compete for the same
  // set of a cache, of which there are 64: eight columns that are shorter do not reach round.
  constexpr auto line = static_cast<Eigen::Index>(64 / sizeof(S));
  const Eigen::Index lines = (least + line - 1) / line;
  return (lines < 8 ? lines : lines | 1) * line;
}

/// Room for `nodes` nodes, all zero.
template <class S, int C>
[[nodiscard]] Columns<S, C> zero_columns(Eigen::Index nodes) {
  Columns<S, C> columns(padded_rows<S>(nodes), C);
  std::fill_n(columns.data(), columns.size(), S(0));
  return columns;
}

/// Calls `f.template operator()<L>(k)` for the lanes L of nodes k, k + 1, … of so many.
template <class S, class F>
inline void each_lanes(Eigen::Index nodes, const F& f) noexcept {
  if (nodes == 1) return f.template operator()<S>(Eigen::Index(0));
  for (Eigen::Index k = 0; k < nodes; k += lane_width<S>) f.template operator()<NodePack<S>>(k);
}

/// The lanes that start at `p`.
template <class S, class L = NodePack<S>>
[[nodiscard]] inline L load(const S* p) noexcept {
  if constexpr (requires { L::width; })
    return L::load(p);
  else
    return *p;
}

/// Write the lanes to `p`.
template <class L, class S>
inline void store(const L& x, S* p) noexcept {
  if constexpr (requires { L::width; })
    x.store(p);
  else
    *p = x;
}

using dalembert::detail::Triple;

/// Columns `First`, `First`+1, `First`+2 in lanes, from `node` on.
template <int First, class L = void, class S, int C>
[[nodiscard]] inline auto load3(const Columns<S, C>& a, Eigen::Index node) noexcept {
  using Q = std::conditional_t<std::is_void_v<L>, NodePack<S>, L>;
  const S* p = a.data() + node;
  const Eigen::Index rows = a.rows();
  return Triple<Q>{load<S, Q>(p + First * rows), load<S, Q>(p + (First + 1) * rows),
                   load<S, Q>(p + (First + 2) * rows)};
}

/// Write three lanes to columns `First`, `First`+1, `First`+2, from `node` on.
template <int First, class L, class S, int C>
inline void store3(const Triple<L>& x, Columns<S, C>& a, Eigen::Index node) noexcept {
  S* p = a.data() + node;
  const Eigen::Index rows = a.rows();
  store(x.x, p + First * rows);
  store(x.y, p + (First + 1) * rows);
  store(x.z, p + (First + 2) * rows);
}

/// The three numbers of one node in columns `First`, `First`+1, `First`+2.
template <int First, class S, int C>
[[nodiscard]] inline Vec<S, 3> at3(const Columns<S, C>& a, Eigen::Index node) noexcept {
  return {a(node, First), a(node, First + 1), a(node, First + 2)};
}

/// Put the three numbers of one node.
template <int First, class S, int C>
inline void put3(Columns<S, C>& a, Eigen::Index node, const Vec<S, 3>& x) noexcept {
  store3<First>(Triple<S>(x), a, node);
}

/// The numbers first, first + 1, … of the nodes in the lanes of L.
template <class L>
[[nodiscard]] inline L lane_index(Eigen::Index first) noexcept {
  if constexpr (requires { L::width; }) {
    L steps(0);
    for (int i = 0; i < L::width; ++i) steps.set(i, static_cast<Number<L>>(i));
    return L(static_cast<Number<L>>(first)) + steps;
  } else {
    return L(first);
  }
}

/// Lanes moved up by one node: the last lane of `before`, then all but the last of `x`.
template <class L>
[[nodiscard]] inline L previous_nodes(const L& before, const L& x) noexcept {
  if constexpr (requires { L::width; })
    return shift_in(before, x);
  else
    return before;
}

/// The sum over the lanes; the number itself for a lane of width one.
template <class L>
[[nodiscard]] inline auto lane_sum(const L& x) noexcept {
  if constexpr (requires { L::width; })
    return sum(x);
  else
    return x;
}

/// The sum over the lanes of each component.
template <class L>
[[nodiscard]] inline auto lane_sum(const Triple<L>& a) noexcept {
  using S = decltype(lane_sum(a.x));
  return Vec<S, 3>{lane_sum(a.x), lane_sum(a.y), lane_sum(a.z)};
}

/// The sum of all numbers of `nodes` nodes.
template <class S, int C>
[[nodiscard]] S total(const Columns<S, C>& a, Eigen::Index nodes) noexcept {
  NodePack<S> lanes(S(0));
  S rest(0);
  for (int i = 0; i < C; ++i) {
    Eigen::Index k = 0;
    for (; k + lane_width<S> <= nodes; k += lane_width<S>) lanes += load<S>(a.data() + i * a.rows() + k);
    for (; k < nodes; ++k) rest += a(k, i);
  }
  return lane_sum(lanes) + rest;
}

/// a × b, written out: it inlines for every scalar.
template <class L>
[[nodiscard]] inline Vec<L, 3> cross(const Vec<L, 3>& a, const Vec<L, 3>& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// a · b.
template <class L>
[[nodiscard]] inline L dot(const Vec<L, 3>& a, const Vec<L, 3>& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

namespace detail {

/// qᵀ-rotation of x for a quaternion (w, v) with 2/|q|² = scale.
template <class L>
[[nodiscard, gnu::always_inline]] inline Triple<L> rotate_back(const L& w, const Triple<L>& v, const L& scale,
                                                               const Triple<L>& x) noexcept {
  const Triple<L> e = cross(v, x);
  return x + scale * (cross(v, e) - w * e);
}
/// q-rotation of x for a quaternion (w, v) with 2/|q|² = scale.
template <class L>
[[nodiscard, gnu::always_inline]] inline Triple<L> rotate(const L& w, const Triple<L>& v, const L& scale,
                                                          const Triple<L>& x) noexcept {
  const Triple<L> e = cross(v, x);
  return x + scale * (cross(v, e) + w * e);
}
}  // namespace detail

}  // namespace dalembert::rod
