#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/detail/node_contact.hpp>
#include <dalembert/contact/detail/touch.hpp>
#include <dalembert/contact/detail/touching_cells.hpp>
#include <dalembert/contact/detail/touching_constraints.hpp>
#include <dalembert/linalg/cone_types.hpp>
#include <dalembert/problem/concepts.hpp>

/// Room for the contacts of a step, and the clusters that they form.
namespace dalembert::contact::detail {

/// Grows with what was found, and remembers nothing of it.
template <class S>
struct TouchingWork {
  std::vector<Touch<S>> touches;              ///< by balls, then by what they are at; then those of cells
  std::size_t first_cell = 0;                 ///< where these begin
  std::vector<std::size_t> order, begin;      ///< members of clusters, one after the other
  std::vector<char> held;                     ///< whether constraints hold nodes of a cluster
  HeldRoom<S> constraint_room{};              ///< room for constraints beside contacts
  CellRoom<S> cells{};                        ///< what touches of cells are made of
  std::vector<NodeContact<S>> node_contacts;  ///< those of rods that are alone, by rods and nodes
  std::vector<ContactWorks<S>> node_works;    ///< of some at a time
  bool nodes_in_packs = true;                 ///< whether these are told from touches at all
  BlockGrid<S> grid{std::vector<Eigen::Index>{}};
  ContactWorks<S> works{};  ///< of the step
  S step{}, time{};         ///< h and the time at its beginning [s]

  /// Member `i` of all clusters.
  [[nodiscard]] Touch<S>& touch(std::size_t i) noexcept { return touches[order[i]]; }

  /// Note the nodes of touches, and those of cells with what these may move to in a step, or forget them.
  void mark_shared(bool shared) {
    for (const Touch<S>& t : touches) {
      const std::size_t beside = t.cell != nullptr ? 3 : 0;
      for (const auto& side : t.sides)
        if (side.there()) {
          const std::size_t end = side.all + side.count + beside;
          if (shared_.size() < end) shared_.resize(end, char(0));
          for (std::size_t k = side.all - std::min(side.all, beside); k < end; ++k) shared_[k] = char(shared);
        }
    }
  }
  /// Whether a node, of those of all bodies, is noted, or constraints hold it.
  [[nodiscard]] bool is_shared(std::size_t node) const noexcept {
    const auto& group = constraint_room.group;
    return (node < shared_.size() && shared_[node] != 0) ||
           (!group.empty() && group[node] != HeldRoom<S>::none);
  }

  /// Clusters of the touches that `take` names, which share nodes, or constraints that hold them: in the
  /// order of their first members, those of cluster c lie in `order` from begin[c] to begin[c + 1], in the
  /// order of touches.
  template <class Take>
  void gather(const Take& take, const HeldNodes<S>* constraints) {
    std::size_t most = 0;
    for (const Touch<S>& t : touches)
      for (const auto& side : t.sides)
        if (side.there()) most = std::max(most, side.all + side.count);
    const std::size_t groups = constraints == nullptr ? 0 : constraints->groups();
    if (root_.size() < most + groups) root_.resize(most + groups);
    cluster_.resize(root_.size());
    for (std::size_t g = most; g < most + groups; ++g) root_[g] = g;
    for (const Touch<S>& t : touches)
      for (const auto& side : t.sides)
        if (side.there())
          for (std::size_t k = side.all; k < side.all + side.count; ++k) {
            root_[k] = k;
            cluster_[k] = none;
          }
    for (Touch<S>& t : touches) {
      if (!take(t)) continue;
      t.held = false;
      for (const auto& side : t.sides)
        if (side.there())
          for (std::size_t k = side.all; k < side.all + side.count; ++k) {
            join(t.sides[0].all, k);
            if (groups == 0 || constraints->group(k) == none) continue;
            t.held = true;
            join(k, most + constraints->group(k));
          }
    }
    std::size_t clusters = 0;
    begin.assign(1, 0);
    held.clear();
    for (Touch<S>& t : touches) {
      if (!take(t)) continue;
      std::size_t& mine = cluster_[top(t.sides[0].all)];
      if (mine == none) {
        mine = clusters++;
        begin.push_back(0);
        held.push_back(0);
      }
      t.cluster = mine;
      if (t.held) held[mine] = 1;
      ++begin[mine + 1];
    }
    for (std::size_t c = 0; c < clusters; ++c) begin[c + 1] += begin[c];
    order.resize(begin[clusters]);
    next_ = begin;
    for (std::size_t i = 0; i < touches.size(); ++i)
      if (take(touches[i])) order[next_[touches[i].cluster]++] = i;
  }

  /// The Delassus operator of a cluster; of one with nodes that `constraints` hold as those let it be.
  void put_responses(std::size_t first, std::size_t count, const assembly::Inertias<S>& inertia,
                     HeldNodes<S>* constraints, linalg::ConeProblem<S>& problem) {
    if (!is_held(first)) {
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          problem.put(i, j, touch(first + i).response(touch(first + j), inertia));
      return;
    }
    start(first, count, *constraints);
    std::vector<Mat<S, 3>> column(count);
    for (std::size_t j = 0; j < count; ++j) {
      const Touch<S>& by = touch(first + j);
      for (int c = 0; c < 3; ++c) {
        constraints->clear();
        by.kick(constraints->field(), Vec<S, 3>(by.frame.row(c).transpose()), inertia);
        if (by.held) constraints->project_field();
        for (std::size_t i = j; i < count; ++i)
          column[i].col(c) = touch(first + i).frame * touch(first + i).moved(constraints->field());
      }
      for (std::size_t i = j; i < count; ++i) problem.put(i, j, column[i]);
      problem.symmetrise(j);
    }
  }
  /// What impulses of the contacts of a cluster, spatial, change of their velocities, in their frames:
  /// Touch::change.
  template <class Impulse>
  void find_changes(std::size_t first, std::size_t count, const assembly::Inertias<S>& inertia,
                    HeldNodes<S>* constraints, const Impulse& impulse) {
    if (is_held(first)) {
      put_field(first, count, inertia, *constraints, impulse);
      for (std::size_t i = first; i < first + count; ++i)
        touch(i).change = touch(i).frame * touch(i).moved(constraints->field());
      return;
    }
    for (std::size_t i = first; i < first + count; ++i) {
      Touch<S>& t = touch(i);
      t.change = Vec<S, 3>::Zero();
      for (std::size_t j = first; j < first + count; ++j)
        t.change += t.response(touch(j), inertia) * (touch(j).frame * impulse(touch(j)));
    }
  }
  /// The changes of all velocities by such impulses, where constraints hold nodes of a cluster.
  template <class Impulse>
  void put_field(std::size_t first, std::size_t count, const assembly::Inertias<S>& inertia,
                 HeldNodes<S>& constraints, const Impulse& impulse) {
    start(first, count, constraints);
    constraints.clear();
    for (std::size_t i = first; i < first + count; ++i)
      touch(i).kick(constraints.field(), impulse(touch(i)), inertia);
    constraints.project_field();
  }
  /// Whether constraints hold nodes of the cluster that begins there.
  [[nodiscard]] bool is_held(std::size_t first) const { return held[touches[order[first]].cluster] != 0; }

 private:
  static constexpr std::size_t none = TouchSide<S>::none;
  void start(std::size_t first, std::size_t count, HeldNodes<S>& constraints) {
    constraints.start();
    for (std::size_t i = first; i < first + count; ++i)
      for (const auto& side : touch(i).sides)
        if (side.there()) constraints.include(side.body);
  }
  void join(std::size_t i, std::size_t k) noexcept {
    const std::size_t a = top(i), b = top(k);
    root_[std::max(a, b)] = std::min(a, b);
  }
  [[nodiscard]] std::size_t top(std::size_t i) noexcept {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }

  std::vector<std::size_t> root_, cluster_, next_;  // by nodes; by clusters
  std::vector<char> shared_;                        // by nodes
};

}  // namespace dalembert::contact::detail
