#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <dalembert/assembly/marker.hpp>

/// Rows of a constraint that act on each node of a window in a way of their own, not through the averages of
/// a marker alone: what such a constraint sees, and where it puts its rows. constraint_rows.hpp says what it
/// writes.
namespace dalembert::assembly {

/// What a constraint by nodes sees: all chains, where its N markers are, the nodes that bear them, and the
/// time.
template <class S, std::size_t N>
struct NodeSight {
  const std::vector<Chain<S>>& chains;    ///< of all bodies
  const std::array<Point<S>, N>& points;  ///< the markers; V, W and their slopes only for drifts and rates
  const std::array<Window, N>& windows;   ///< the nodes that bear them
  S time;                                 ///< [s]
};

/// R rows on each node of N windows: A v + b = Σ_k (L_k v_k + B_k Λ_kω_k) + b, v and Λω spatial.
template <class S, int R, std::size_t N>
class NodeRows {
 public:
  using Triple = dalembert::detail::Triple<S>;  ///< a spatial vector

  Vec<S, R> known;  ///< b

  /// Room for a window of so many nodes.
  void make_room(std::size_t place, Eigen::Index count) {
    blocks_[place].resize(static_cast<std::size_t>(count) * size);
  }
  /// Row `row` on node number k of a window: on its velocity, and on its angular velocity [m].
  void set(std::size_t place, Eigen::Index k, int row, const Triple& linear, const Triple& angular) noexcept {
    S* const p = blocks_[place].data() + static_cast<std::size_t>(k) * size + 6 * row;
    write(linear, p);
    write(angular, p + 3);
  }
  /// The rows of all windows: node after node, row after row, six numbers each.
  [[nodiscard]] const std::vector<S>* windows() const noexcept { return blocks_.data(); }

 private:
  static constexpr std::size_t size = 6 * static_cast<std::size_t>(R);

  std::array<std::vector<S>, N> blocks_;
};

}  // namespace dalembert::assembly
