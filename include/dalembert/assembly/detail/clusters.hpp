#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

/// Clusters: constraints that share nodes, directly or through others, by union and find.
namespace dalembert::assembly::detail {

/// The clusters of so many constraints on bodies of so many nodes.
class Clusters {
 public:
  /// Room for `constraints` constraints.
  void make_room(std::size_t constraints, std::vector<std::vector<int>> owners) {
    owner_ = std::move(owners);
    root_.resize(constraints);
    members_.resize(constraints);
    ends_.resize(constraints + 1);
  }

  /// Find them; `each_touched(f)` calls f(constraint, body, node) for every node that a constraint touches.
  template <class Touched>
  void find(const Touched& each_touched) {
    std::iota(root_.begin(), root_.end(), 0);
    each_touched([&](std::size_t constraint, std::size_t body, std::size_t node) {
      int& owner = owner_[body][node];
      if (owner < 0)
        owner = static_cast<int>(constraint);
      else
        root_[root(constraint)] = static_cast<int>(root(static_cast<std::size_t>(owner)));
    });
    each_touched([&](std::size_t, std::size_t body, std::size_t node) { owner_[body][node] = -1; });
    // members of one cluster one after the other
    std::fill(ends_.begin(), ends_.end(), std::size_t{0});
    const std::size_t n = root_.size();
    for (std::size_t i = 0; i < n; ++i) ++ends_[root(i) + 1];
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
    for (std::size_t i = 0; i < n; ++i) members_[ends_[root(i)]++] = i;
  }

  /// f(begin, end) for the members of each cluster.
  template <class F>
  void each(F&& f) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (i + 1 == members_.size() || root(members_[i]) != root(members_[i + 1])) {
        f(begin, i + 1);
        begin = i + 1;
      }
  }

  /// Number of the constraint at this place among the members.
  [[nodiscard]] std::size_t member(std::size_t i) const noexcept { return members_[i]; }

 private:
  [[nodiscard]] std::size_t root(std::size_t i) noexcept {
    while (root_[i] != static_cast<int>(i)) {
      root_[i] = root_[static_cast<std::size_t>(root_[i])];
      i = static_cast<std::size_t>(root_[i]);
    }
    return i;
  }

  std::vector<std::vector<int>> owner_;  // the constraint that touched each node first, or −1
  std::vector<int> root_;
  std::vector<std::size_t> members_, ends_;
};

}  // namespace dalembert::assembly::detail
