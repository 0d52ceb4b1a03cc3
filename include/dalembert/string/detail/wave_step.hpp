#pragma once

#include <algorithm>

#include <Eigen/Core>

/// One step of Verlet's method of a string on a grid, in one sweep over its nodes. With Δu_i = (u_{i+1} −
/// u_i) − (u_i − u_{i−1}):
///   w_i = v_i + κ_i Δu_i,   u′_i = u_i + η w_i,   v′_i = δ w_i + κ_i Δu′_i                               (1)
/// Taken one after the other its parts would read and write the nodes three times, which on a long string is
/// what a step takes its time for.
namespace dalembert::strings::detail {

/// What the numbers of (1) are; u and v are those of the nodes of one string.
template <class S>
struct WaveStep {
  using Index = Eigen::Index;  ///< counts nodes

  S kick{};  ///< κ of nodes between the ends: half the step times T/(h m) [1/s]
  S way{};   ///< η: the time in which a velocity moves a node, less than the step where there is damping [s]
  S decay = 1;    ///< δ: what the damping leaves of a velocity
  S end{};        ///< κ of an end over that of the others
  bool closed{};  ///< the last node is beside the first
  Index nodes{};  ///< number of nodes

  /// Equation (1), from (u, v) to other arrays. It is compiled by itself, where its few pointers have
  /// registers.
  [[gnu::noinline]] void operator()(const S* __restrict u, const S* __restrict v, S* __restrict u1,
                                    S* __restrict v1) const noexcept {
    const Index last = nodes - 1;
    const auto drift = [&](Index i, S kicked) {
      u1[i] = u[i] + way * kicked;
      v1[i] = decay * kicked;
    };
    drift(0, v[0] + kick_of(0) * bend(u, 0));
    drift(last, v[last] + kick_of(last) * bend(u, last));
    // A tile stays in the nearest cache until its second kick, which waits for the node beyond.
    constexpr Index tile = 128;
    const S kick_ = kick, way_ = way, decay_ = decay;
    for (Index begin = 1; begin < last; begin += tile) {
      const Index end_of_tile = std::min(begin + tile, last);
      for (Index i = begin; i < end_of_tile; ++i) {
        const S kicked = v[i] + kick_ * ((u[i + 1] - u[i]) - (u[i] - u[i - 1]));
        v1[i] = decay_ * kicked;
        u1[i] = u[i] + way_ * kicked;
      }
      const Index from = std::max(begin - 1, Index(1)), to = end_of_tile < last ? end_of_tile - 1 : last;
      for (Index i = from; i < to; ++i) v1[i] += kick_ * ((u1[i + 1] - u1[i]) - (u1[i] - u1[i - 1]));
    }
    v1[0] += kick_of(0) * bend(u1, 0);
    v1[last] += kick_of(last) * bend(u1, last);
  }

  /// What (1) gives besides to (u′, v′) where w_i had got more: `more`·weights[j] at node first + j, on
  /// a closed string after the last the first again; an end gets as much more as its κ is.
  void add(const S* __restrict weights, Index first, Index count, S more, S* __restrict u1,
           S* __restrict v1) const noexcept {
    const S moved = way * more, spread = kick * moved, stays = decay * more - 2 * spread;
    if (first > 1 && first + count < nodes - 1) [[likely]] {
      S* const __restrict u = u1 + first, * const __restrict v = v1 + first;
      const auto one = [&](Index j, S beside) {
        u[j] += moved * weights[j];
        v[j] += stays * weights[j] + spread * beside;
      };
      const Index last = count - 1;
      v[-1] += spread * weights[0];
      one(0, last > 0 ? weights[1] : S(0));
      for (Index j = 1; j < last; ++j) one(j, weights[j - 1] + weights[j + 1]);
      if (last > 0) one(last, weights[last - 1]);
      v[count] += spread * weights[last];
      return;
    }
    for (Index j = 0; j < count; ++j) {
      const Index i = first + j < nodes ? first + j : first + j - nodes;
      const S mine = share(i) * weights[j], shift = moved * mine;
      u1[i] += shift;
      v1[i] += decay * more * mine;
      const auto pull = [&](Index k) {  // by the element between i and its neighbour k
        v1[k] += share(k) * kick * shift;
        v1[i] -= share(i) * kick * shift;
      };
      if (i > 0 || closed) pull(i > 0 ? i - 1 : nodes - 1);
      if (i < nodes - 1 || closed) pull(i < nodes - 1 ? i + 1 : 0);
    }
  }

  /// Δu at any node; beyond an end that is not closed there is no element.
  [[nodiscard]] S bend(const S* u, Index i) const noexcept {
    const Index last = nodes - 1;
    const S right = i < last ? u[i + 1] - u[i] : closed ? u[0] - u[i] : S(0);
    const S left = i > 0 ? u[i] - u[i - 1] : closed ? u[i] - u[last] : S(0);
    return right - left;
  }

 private:
  [[nodiscard]] S share(Index i) const noexcept { return !closed && (i == 0 || i == nodes - 1) ? end : S(1); }
  [[nodiscard]] S kick_of(Index i) const noexcept { return share(i) * kick; }
};

}  // namespace dalembert::strings::detail
