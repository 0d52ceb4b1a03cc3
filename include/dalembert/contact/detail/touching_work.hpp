#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/detail/node_contact.hpp>
#include <dalembert/contact/detail/touch.hpp>
#include <dalembert/linalg/cone_types.hpp>
#include <dalembert/problem/concepts.hpp>

/// Room for the contacts of a step, and the clusters that they form.
namespace dalembert::contact::detail {

/// Grows with what was found, and remembers nothing of it.
template <class S>
struct TouchingWork {
  std::vector<Touch<S>> touches;              ///< by balls, then by what they are at
  std::vector<std::size_t> order, begin;      ///< members of clusters, one after the other
  std::vector<NodeContact<S>> node_contacts;  ///< those of rods that are alone, by rods and nodes
  std::vector<ContactWorks<S>> node_works;    ///< of some at a time
  bool nodes_in_packs = true;                 ///< whether these are told from touches at all
  BlockGrid<S> grid{std::vector<Eigen::Index>{}};
  ContactWorks<S> works{};  ///< of the step
  S step{}, time{};         ///< h and the time at its beginning [s]

  /// Member `i` of all clusters.
  [[nodiscard]] Touch<S>& touch(std::size_t i) noexcept { return touches[order[i]]; }

  /// Note the nodes of touches, or forget them.
  void mark_shared(bool shared) {
    for (const Touch<S>& t : touches)
      for (const auto& side : t.sides)
        if (side.there()) {
          if (shared_.size() <= side.all) shared_.resize(side.all + 1, char(0));
          shared_[side.all] = char(shared);
        }
  }
  /// Whether a node, of those of all bodies, is noted.
  [[nodiscard]] bool is_shared(std::size_t node) const noexcept {
    return node < shared_.size() && shared_[node] != 0;
  }

  /// Clusters of the touches that `take` names, which share nodes: in the order of their first members, those
  /// of cluster c lie in `order` from begin[c] to begin[c + 1], in the order of touches.
  template <class Take>
  void gather(const Take& take) {
    std::size_t most = 0;
    for (const Touch<S>& t : touches)
      for (const auto& side : t.sides)
        if (side.there()) most = std::max(most, side.all + 1);
    if (root_.size() < most) root_.resize(most);
    cluster_.resize(root_.size());
    for (const Touch<S>& t : touches)
      for (const auto& side : t.sides)
        if (side.there()) {
          root_[side.all] = side.all;
          cluster_[side.all] = none;
        }
    bool all_alone = true;
    for (const Touch<S>& t : touches)
      if (take(t) && t.sides[1].there()) {
        all_alone = false;
        const std::size_t a = top(t.sides[0].all), b = top(t.sides[1].all);
        root_[std::max(a, b)] = std::min(a, b);
      }
    std::size_t clusters = 0;
    begin.assign(1, 0);
    for (Touch<S>& t : touches) {
      if (!take(t)) continue;
      std::size_t& mine = cluster_[all_alone ? t.sides[0].all : top(t.sides[0].all)];
      if (mine == none) {
        mine = clusters++;
        begin.push_back(0);
      }
      t.cluster = mine;
      ++begin[mine + 1];
    }
    for (std::size_t c = 0; c < clusters; ++c) begin[c + 1] += begin[c];
    order.resize(begin[clusters]);
    next_ = begin;
    for (std::size_t i = 0; i < touches.size(); ++i)
      if (take(touches[i])) order[next_[touches[i].cluster]++] = i;
  }

  /// The Delassus operator of a cluster.
  void put_responses(std::size_t first, std::size_t count, const assembly::Inertias<S>& inertia,
                     linalg::ConeProblem<S>& problem) {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        problem.put(i, j, touch(first + i).response(touch(first + j), inertia));
      }
  }

 private:
  static constexpr std::size_t none = TouchSide<S>::none;
  [[nodiscard]] std::size_t top(std::size_t i) noexcept {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }

  std::vector<std::size_t> root_, cluster_, next_;  // by nodes; by clusters
  std::vector<char> shared_;                        // by nodes
};

}  // namespace dalembert::contact::detail
