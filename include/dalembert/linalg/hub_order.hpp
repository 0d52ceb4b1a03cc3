#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/linalg/cuthill_mckee.hpp>

/// An order of elimination where a few unknowns, hubs, couple with many others, which beside them couple
/// with few: those that hang together without hubs stay together, and a hub comes after the last of them.
namespace dalembert::linalg {

/// The order of the vertices of a graph of which the last are hubs. It is that of Cuthill and McKee among
/// those that hang together without hubs, and among these and the hubs.
class HubOrder {
 public:
  /// Find it for a graph whose order was found; no two hubs couple. A vertex that `waits` comes after all
  /// hubs that it couples with, at the end where there are none.
  void find(const CuthillMcKee& graph, std::size_t hubs, const std::vector<char>& waits) {
    const std::size_t all = graph.order().size(), n = all - hubs;
    near_.start(n);
    for (std::size_t v = 0; v < n; ++v)
      graph.each_neighbour(static_cast<int>(v), [&](int other) {
        if (at(other) < v && !waits[v] && !waits[at(other)]) near_.couple(static_cast<int>(v), other);
      });
    near_.find();
    find_pieces(n);
    open_.assign(all, 0);
    whole_.start(pieces() + hubs);
    for (std::size_t v = 0; v < n; ++v)
      graph.each_neighbour(static_cast<int>(v), [&](int other) {
        if (at(other) < n) return;
        whole_.couple(piece_[v], static_cast<int>(pieces() + at(other) - n));
        ++open_[waits[v] ? v : at(other)];
      });
    whole_.find();
    order_.clear();
    const auto put_hub = [&](int hub) {
      order_.push_back(hub);
      graph.each_neighbour(hub, [&](int other) {
        if (waits[at(other)] && --open_[at(other)] == 0) order_.push_back(other);
      });
    };
    for (const int i : whole_.order()) {
      if (at(i) >= pieces()) {
        const std::size_t hub = n + at(i) - pieces();
        if (open_[hub] == 0) put_hub(static_cast<int>(hub));
        continue;
      }
      const std::size_t begin = begin_[at(i)], end = begin_[at(i) + 1];
      if (waits[at(near_.order()[begin])]) continue;
      for (std::size_t k = begin; k < end; ++k) order_.push_back(near_.order()[k]);
      for (std::size_t k = begin; k < end; ++k)
        graph.each_neighbour(near_.order()[k], [&](int other) {
          if (at(other) < n || --open_[at(other)] > 0) return;
          open_[at(other)] = -1;
          put_hub(other);
        });
    }
    if (order_.size() == all) return;
    open_.assign(all, 0);
    for (const int v : order_) open_[at(v)] = 1;
    for (std::size_t v = 0; v < all; ++v)
      if (open_[v] == 0) order_.push_back(static_cast<int>(v));
  }

  /// The vertex at each place.
  [[nodiscard]] const std::vector<int>& order() const noexcept { return order_; }

 private:
  static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] std::size_t pieces() const noexcept { return begin_.size() - 1; }

  /// What hangs together without hubs lies side by side in the order there; each vertex of it but the last
  /// has a neighbour behind it.
  void find_pieces(std::size_t n) {
    place_.resize(n);
    piece_.resize(n);
    for (std::size_t k = 0; k < n; ++k) place_[at(near_.order()[k])] = k;
    begin_.assign(1, 0);
    for (std::size_t k = 0; k < n; ++k) {
      const int v = near_.order()[k];
      piece_[at(v)] = static_cast<int>(pieces());
      bool last = true;
      near_.each_neighbour(v, [&](int other) { last = last && place_[at(other)] < k; });
      if (last) begin_.push_back(k + 1);
    }
  }

  CuthillMcKee near_, whole_;  // without hubs; of the pieces that this falls into, and hubs
  std::vector<std::size_t> place_, begin_;
  std::vector<int> piece_, open_, order_;  // open: how many must come before a hub, or one that waits
};

}  // namespace dalembert::linalg
