#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/linalg/cuthill_mckee.hpp>

/// An order of elimination where a few unknowns, hubs, couple with many others, which beside them couple
/// with few: those that hang together without hubs stay together, and a hub comes after the last of them.
namespace dalembert::linalg {

/// The vertices of a graph whose order was found, of which the last are hubs; no two hubs couple. The order
/// is that of Cuthill and McKee among those that hang together without hubs, and that of these groups and the
/// hubs. A vertex that `waits` comes after all hubs that it couples with, at the end where there are none.
class HubOrder {
 public:
  /// Of a graph whose last `hubs` vertices are hubs; `waits` has a number other than 0 for each that waits.
  [[gnu::cold, gnu::noinline]] HubOrder(const CuthillMcKee& graph, std::size_t hubs,
                                        const std::vector<int>& waits)
      : graph_(graph), waits_(waits), n_(static_cast<int>(graph.order().size() - hubs)) {
    for (std::vector<int>* list : {&near_, &group_, &begin_, &open_, &order_})
      list->resize(graph.order().size() + 1);
    find_groups();
    reduced_.start(at(groups_) + hubs);
    for (int v = 0; v < n_; ++v)
      graph_.each_neighbour(v, [&](int other) {
        if (other < n_) return;
        reduced_.couple(group_[at(v)], groups_ + other - n_);
        ++open_[at(waits_[at(v)] ? v : other)];
      });
    reduced_.find();
    for (const int i : reduced_.order())
      if (i < groups_)
        put_group(begin_[at(i)], begin_[at(i) + 1]);
      else if (open_[at(n_ + i - groups_)] == 0)
        put_hub(n_ + i - groups_);
    for (int v = 0; v < n_; ++v)
      if (open_[at(v)] == 0) put(v);
    order_.pop_back();
  }

  /// The vertex at each place.
  [[nodiscard]] const std::vector<int>& order() const noexcept { return order_; }

 private:
  static constexpr int placed = -1;
  [[nodiscard]] static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

  void put(int vertex) {
    order_[at(count_++)] = vertex;
    open_[at(vertex)] = placed;
  }
  /// A hub, and those that waited for it last.
  [[gnu::cold, gnu::noinline]] void put_hub(int hub) {
    put(hub);
    graph_.each_neighbour(hub, [&](int other) {
      if (waits_[at(other)] && --open_[at(other)] == 0) put(other);
    });
  }
  /// A group, and the hubs of which it was the last.
  [[gnu::cold, gnu::noinline]] void put_group(int begin, int end) {
    if (waits_[at(near_[at(begin)])]) return;
    for (int k = begin; k < end; ++k) put(near_[at(k)]);
    for (int k = begin; k < end; ++k)
      graph_.each_neighbour(near_[at(k)], [&](int other) {
        if (other >= n_ && --open_[at(other)] == 0) put_hub(other);
      });
  }
  /// What hangs together without hubs lies side by side in the order there; each vertex of it but the last
  /// has a neighbour behind it.
  [[gnu::cold, gnu::noinline]] void find_groups() {
    reduced_.start(at(n_));
    for (int v = 0; v < n_; ++v)
      graph_.each_neighbour(v, [&](int other) {
        if (other < v && !waits_[at(v)] && !waits_[at(other)]) reduced_.couple(v, other);
      });
    reduced_.find();
    std::vector<int>& place = open_;
    for (int k = 0; k < n_; ++k) place[at(near_[at(k)] = reduced_.order()[at(k)])] = k;
    for (int k = 0; k < n_; ++k) {
      const int v = near_[at(k)];
      group_[at(v)] = groups_;
      bool last = true;
      reduced_.each_neighbour(v, [&](int other) { last = last && place[at(other)] < k; });
      if (last) begin_[at(++groups_)] = k + 1;
    }
    for (int& x : open_) x = 0;
  }

  const CuthillMcKee& graph_;
  const std::vector<int>& waits_;
  int n_, groups_ = 0, count_ = 0;  // vertices that are no hubs, groups, vertices that have a place
  CuthillMcKee reduced_;            // without hubs, then of groups and hubs
  std::vector<int> near_;           // the order without hubs
  std::vector<int> group_, begin_;  // of each vertex, and where groups begin there
  std::vector<int> open_;           // how many must come before a hub, or before one that waits
  std::vector<int> order_;
};

}  // namespace dalembert::linalg
