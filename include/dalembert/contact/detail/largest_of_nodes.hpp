#pragma once

#include <algorithm>

#include <dalembert/core/number.hpp>
#include <dalembert/core/pack.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/rod/chain.hpp>

/// The largest of what the nodes of a rod have, and what holds for all of them, in packs.
namespace dalembert::contact::detail {

/// The largest of f(lanes, node) ≥ 0 of the nodes in [begin, end), packs of nodes first; not finite if one
/// is not.
template <class S, class F>
[[nodiscard]] S largest_of_nodes(Eigen::Index begin, Eigen::Index end, const F& f) noexcept {
  using L = rod::NodePack<S>;
  L most(S(0)), finite(S(0));
  Eigen::Index k = begin;
  for (; k + rod::lane_width<S> <= end; k += rod::lane_width<S>) {
    const L x = f(L(S(0)), k);
    most = select(x > most, x, most);
    finite = finite + x * L(S(0));
  }
  S all = rod::lane_sum(finite);
  if constexpr (requires { L::width; }) {
    for (int i = 0; i < L::width; ++i) all = std::max(all, S(most[i]));
  } else {
    all = std::max(all, S(most));
  }
  S rest = rod::lane_sum(finite);
  for (; k < end; ++k) {
    const S x = f(S(0), k);
    all = std::max(all, x);
    rest += x * S(0);
  }
  return all + rest;
}

/// Whether f(lanes, node), a condition, holds for all nodes in [begin, end).
template <class S, class F>
[[nodiscard]] bool holds_for_nodes(Eigen::Index begin, Eigen::Index end, const F& f) noexcept {
  Eigen::Index k = begin;
  for (; k + rod::lane_width<S> <= end; k += rod::lane_width<S>)
    if (!all_lanes(f(rod::NodePack<S>(S(0)), k))) return false;
  for (; k < end; ++k)
    if (!all_lanes(f(S(0), k))) return false;
  return true;
}

/// The largest speed of a node [m/s].
template <class S>
[[nodiscard]] S fastest_node(const rod::Chain<S>& chain) noexcept {
  return number::sqrt(largest_of_nodes<S>(0, chain.nodes, [&](auto lanes, Eigen::Index k) {
    using Q = decltype(lanes);
    const rod::Triple<Q> v = rod::load3<0, Q>(chain.velocity, k);
    return Q(dot(v, v));
  }));
}

/// Whether segments first … last − 1 go within 45° of one direction: no two points of them are nearer
/// to each other than 0.7 times the length between them.
template <class S>
[[nodiscard]] bool is_straight(const rod::Chain<S>& chain, Eigen::Index first, Eigen::Index last) noexcept {
  const rod::Triple<S> u =
      rod::load3<0, S>(chain.configuration, last) - rod::load3<0, S>(chain.configuration, first);
  const S half = S(0.5) * dot(u, u);
  return holds_for_nodes<S>(first, last, [&](auto lanes, Eigen::Index k) {
    using Q = decltype(lanes);
    const auto& x = chain.configuration;
    const rod::Triple<Q> d = rod::load3<0, Q>(x, k + 1) - rod::load3<0, Q>(x, k);
    const Q along = dot(d, rod::Triple<Q>(Q(u.x), Q(u.y), Q(u.z)));
    return select(along > Q(S(0)), along * along, Q(S(-1))) >= Q(half) * dot(d, d);
  });
}

}  // namespace dalembert::contact::detail
