#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <tuple>
#include <vector>

#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/detail/cluster_room.hpp>
#include <dalembert/contact/detail/node_contact.hpp>
#include <dalembert/contact/detail/touch.hpp>
#include <dalembert/contact/detail/touching_bodies.hpp>
#include <dalembert/contact/detail/touching_cells.hpp>
#include <dalembert/contact/detail/touching_constraints.hpp>
#include <dalembert/core/detail/heap_sort.hpp>
#include <dalembert/problem/concepts.hpp>

/// Room for the contacts of a step, and how they hang together.
namespace dalembert::contact::detail {

/// Grows with what was found, and remembers nothing of it.
template <class S>
struct TouchingWork {
  using Nodes = assembly::detail::Nodes<S>;

  std::vector<Touch<S>> touches;    ///< in the order in which they were found, then those of cells
  std::size_t first_cell = 0;       ///< where these begin
  std::size_t nodes = 0;            ///< of all bodies
  std::vector<std::size_t> sorted;  ///< their numbers by balls, then by what they are at; then those of cells
  std::vector<std::size_t> grouped;  ///< the same by groups, which share nodes, the order in each as before
  std::vector<std::size_t> group;    ///< where groups begin there
  std::vector<std::size_t> order;    ///< the members of each group by its clusters, one after the other
  std::vector<NodeContact<S>> node_contacts;  ///< those of rods that are alone, by rods and nodes
  std::vector<ContactWorks<S>> node_works;    ///< of some at a time
  bool nodes_in_packs = true;                 ///< whether these are told from touches at all
  CellRoom<S> cells{};                        ///< what touches of cells are made of
  HeldRoom<S> constraint_room{};              ///< room for constraints beside contacts
  Vec<S, Eigen::Dynamic> multipliers{};       ///< of these, without contacts
  BlockGrid<S> grid{std::vector<Eigen::Index>{}};
  std::vector<MovingPoint<S>> points;         ///< bodies with balls that may meet
  std::vector<TouchCandidate<S>> candidates;  ///< what is looked at in a step
  ContactWorks<S> works{};                    ///< of the step
  S step{}, time{};                           ///< h and the time at its beginning [s]
  S way{};                                    ///< how far anything may go in it [m]

  [[gnu::cold, gnu::noinline]] TouchingWork();
  [[gnu::cold, gnu::noinline]] TouchingWork(const TouchingWork&);
  [[gnu::cold, gnu::noinline]] TouchingWork(TouchingWork&&) noexcept;
  TouchingWork& operator=(const TouchingWork&);
  TouchingWork& operator=(TouchingWork&&) noexcept;
  [[gnu::cold, gnu::noinline]] ~TouchingWork();

  /// Member `i` of all clusters.
  [[nodiscard]] Touch<S>& touch(std::size_t i) noexcept { return touches[order[i]]; }
  /// Note the nodes of touches, and those of cells with what these may move to in a step, or forget them.
  [[gnu::noinline]] void mark_shared(bool shared) {
    for (const Touch<S>& t : touches) {
      const std::size_t beside = t.cell != nullptr ? 3 : 0;
      for (const auto& side : t.sides)
        if (side.there()) {
          const std::size_t end = side.all + side.count() + beside;
          if (shared_.size() < end) shared_.resize(end, char(0));
          for (std::size_t k = side.all - std::min(side.all, beside); k < end; ++k) shared_[k] = char(shared);
        }
    }
  }
  /// Whether a node, of those of all bodies, is noted, or constraints hold it.
  [[nodiscard]] bool is_shared(std::size_t node) const noexcept {
    const auto& by = constraint_room.group;
    return (node < shared_.size() && shared_[node] != 0) || (!by.empty() && by[node] != HeldRoom<S>::none);
  }

  /// After touches were found: their order, and groups of those that share nodes, or constraints that hold
  /// them.
  void form_groups() {
    keys_.clear();
    std::size_t most = nodes;  // where contacts of cells may move to as well
    for (std::size_t i = 0; i < touches.size(); ++i) {
      Touch<S>& t = touches[i];
      if (i < first_cell) keys_.push_back({t.ball, t.other, i});
      t.held = false;
      for (const auto& side : t.sides)
        if (side.there()) {
          most = std::max(most, side.all + side.passed());
          for (std::size_t k = side.all; k < side.all + side.count(); ++k)
            t.held = t.held || held_by(k) != none;
        }
    }
    if (!std::is_sorted(keys_.begin(), keys_.end())) dalembert::detail::heap_sort(keys_.begin(), keys_.end());
    sorted.clear();
    for (const auto& key : keys_) sorted.push_back(std::get<2>(key));
    for (std::size_t i = first_cell; i < touches.size(); ++i) sorted.push_back(i);
    const std::size_t holds = constraint_room.group.empty() ? 0 : constraint_room.groups;
    first_hold_ = std::max(most, constraint_room.group.size());
    if (root_.size() < first_hold_ + holds) {
      root_.resize(first_hold_ + holds);
      cluster_.resize(first_hold_ + holds);
    }
    grouped.resize(touches.size());
    order.resize(touches.size());
    const auto all = [](const Touch<S>&) { return true; };
    gather<true>(sorted.data(), sorted.size(), all, grouped.data(), group, next_);
    pieces_.assign(1, 0);
    for (std::size_t g = 1; g < group.size(); ++g)
      if (g + 1 == group.size() || group[g] - group[pieces_.back()] >= together) pieces_.push_back(g);
  }
  /// f(first, count, room) of every group, some at a time, by those who work at the same time; `works` and
  /// what comes back are the same for any number of them.
  template <class Run, class F>
  Projection<S> each_group(const Run& run, const F& f) {
    const std::size_t pieces = pieces_.size() - 1, workers = std::min(pieces, run.size());
    if (rooms_.size() < workers) rooms_.resize(workers);
    done_.resize(pieces);
    std::atomic<std::size_t> next{0};
    run(workers, [&](std::size_t worker) {
      ClusterRoom<S>& room = rooms_[worker];
      for (std::size_t i = next++; i < pieces; i = next++) {
        room.works = {};
        room.report = {};
        for (std::size_t g = pieces_[i]; g < pieces_[i + 1]; ++g) f(group[g], group[g + 1] - group[g], room);
        done_[i] = {room.works, room.report};
      }
    });
    Projection<S> report;
    for (const auto& [mine, ended] : done_) {
      works += mine;
      report.converged = report.converged && ended.converged;
      report.iterations = std::max(report.iterations, ended.iterations);
    }
    return report;
  }
  /// f(begin, end) for pieces of so many touches.
  template <class Run, class F>
  static void each_block(const Run& run, std::size_t count, const F& f) {
    run((count + together - 1) / together,
        [&](std::size_t block) { f(block * together, std::min(count, (block + 1) * together)); });
  }
  /// f(touch) of the first so many, which do not act on each other, some at a time.
  template <class Run, class F>
  void each_touch(const Run& run, std::size_t count, const F& f) {
    each_block(run, count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(touches[i]);
    });
  }
  /// f(touch) of a group.
  template <class F>
  void each_of(std::size_t first, std::size_t count, const F& f) {
    for (std::size_t i = first; i < first + count; ++i) f(touches[grouped[i]]);
  }
  /// Clusters of those touches of a group that `take` names, which share nodes: in the order of their first
  /// members, those of cluster c lie in `order` from room.begin[c] to room.begin[c + 1].
  template <class Take>
  void gather(std::size_t first, std::size_t count, const Take& take, ClusterRoom<S>& room) {
    if (count == 1) {  // most of what is alone
      const bool taken = take(touches[grouped[first]]);
      room.begin.assign(1, first);
      if (taken) room.begin.push_back(first + 1);
      order[first] = grouped[first];
      return;
    }
    gather<false>(grouped.data() + first, count, take, order.data() + first, room.begin, room.next);
    for (std::size_t& begin : room.begin) begin += first;
  }
  /// Whether constraints hold nodes of a cluster.
  [[nodiscard]] bool is_held(std::size_t first, std::size_t count) noexcept {
    for (std::size_t i = first; i < first + count; ++i)
      if (touch(i).held) return true;
    return false;
  }
  /// The Delassus operator of a cluster, or its normal rows and columns; of one with nodes that `constraints`
  /// hold as those let it be.
  [[gnu::noinline]] void put_responses(std::size_t first, std::size_t count, const Nodes& n,
                                       HeldNodes<S>* constraints, ClusterRoom<S>& room, bool normals) {
    auto& problem = room.problem;
    if (is_held(first, count)) return put_held_responses(first, count, n, *constraints, room, normals);
    for (const auto& [i, j] : room.pairs.find(touches, &order[first], count)) {
      const Touch<S>&a = touch(first + i), &b = touch(first + j);
      if (normals)
        problem.put(i, j, a.template response<1>(b, n)(0, 0));
      else
        problem.put(i, j, a.response(b, n));
    }
    problem.end();
  }
  /// What impulses of the contacts of a cluster, spatial, change of their velocities: Touch::change.
  template <class Impulse>
  void find_changes(std::size_t first, std::size_t count, const Nodes& n, HeldNodes<S>* constraints,
                    ClusterRoom<S>& room, const Impulse& impulse) {
    if (is_held(first, count)) {
      put_field(first, count, n, *constraints, impulse);
      for (std::size_t i = first; i < first + count; ++i)
        touch(i).change = touch(i).in_frame(touch(i).moved(n, constraints->field()));
      return;
    }
    for (std::size_t i = first; i < first + count; ++i) touch(i).change = Vec<S, 3>::Zero();
    for (const auto& [i, j] : room.pairs.find(touches, &order[first], count)) {
      Touch<S>&a = touch(first + i), &b = touch(first + j);
      const Mat<S, 3> response = a.response(b, n);
      a.change += response * b.in_frame(impulse(b));
      if (i != j) b.change += response.transpose() * a.in_frame(impulse(a));
    }
  }
  /// The changes of all velocities by such impulses, where constraints hold nodes of a cluster.
  template <class Impulse>
  void put_field(std::size_t first, std::size_t count, const Nodes& n, HeldNodes<S>& constraints,
                 const Impulse& impulse) {
    start(first, count, constraints);
    constraints.clear();
    for (std::size_t i = first; i < first + count; ++i)
      touch(i).kick(n, constraints.field(), impulse(touch(i)));
    constraints.project_field();
  }

 private:
  static constexpr std::size_t none = TouchSide<S>::none;
  static constexpr std::size_t together = 64;  // touches, of a piece of work
  /// The Delassus operator by what unit impulses do to nodes that constraints hold.
  [[gnu::noinline]] void put_held_responses(std::size_t first, std::size_t count, const Nodes& n,
                                            HeldNodes<S>& constraints, ClusterRoom<S>& room, bool normals);
  /// What constraints hold a node by, or none.
  [[nodiscard]] std::size_t held_by(std::size_t node) const noexcept {
    return constraint_room.group.empty() ? none : constraint_room.group[node];
  }
  /// f of the nodes of a touch, or of all that a pass over them writes to, and of what holds them.
  template <bool passed, class F>
  void each_root(const Touch<S>& t, const F& f) const {
    for (const auto& side : t.sides) {
      if (!side.there()) continue;
      for (std::size_t k = 0; k < (passed ? side.passed() : side.count()); ++k) f(side.all + k);
      for (std::size_t k = side.all; t.held && k < side.all + side.count(); ++k)
        if (held_by(k) != none) f(first_hold_ + held_by(k));
    }
  }
  void start(std::size_t first, std::size_t count, HeldNodes<S>& constraints) {
    constraints.start();
    for (std::size_t i = first; i < first + count; ++i)
      for (const auto& side : touch(i).sides)
        if (side.there()) constraints.include(side.window.body);
  }
  [[nodiscard]] std::size_t top(std::size_t i) noexcept {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }
  /// Of the touches in a list: what is taken by clusters, to `to`, and where these begin there.
  template <bool passed, class Take>
  void gather(const std::size_t* list, std::size_t count, const Take& take, std::size_t* to,
              std::vector<std::size_t>& begin, std::vector<std::size_t>& next) {
    for (std::size_t i = 0; i < count; ++i)
      each_root<passed>(touches[list[i]], [&](std::size_t k) {
        root_[k] = k;
        cluster_[k] = none;
      });
    for (std::size_t i = 0; i < count; ++i) {
      const Touch<S>& t = touches[list[i]];
      if (!take(t)) continue;
      each_root<passed>(t, [&](std::size_t k) {
        const std::size_t a = top(t.sides[0].all), b = top(k);
        root_[std::max(a, b)] = std::min(a, b);
      });
    }
    std::size_t clusters = 0;
    begin.assign(1, 0);
    for (std::size_t i = 0; i < count; ++i) {
      Touch<S>& t = touches[list[i]];
      if (!take(t)) continue;
      std::size_t& mine = cluster_[top(t.sides[0].all)];
      if (mine == none) {
        mine = clusters++;
        begin.push_back(0);
      }
      t.cluster = mine;
      ++begin[mine + 1];
    }
    for (std::size_t c = 0; c < clusters; ++c) begin[c + 1] += begin[c];
    next = begin;
    for (std::size_t i = 0; i < count; ++i)
      if (take(touches[list[i]])) to[next[touches[list[i]].cluster]++] = list[i];
  }

  std::vector<std::tuple<std::size_t, std::ptrdiff_t, std::size_t>> keys_;  // ball, other, number
  std::vector<std::size_t> root_, cluster_, next_;                          // by nodes; by groups
  std::size_t first_hold_ = 0;                                              // among these, after all nodes
  std::vector<std::size_t> pieces_{0};                                      // groups that are done together
  std::vector<ClusterRoom<S>> rooms_;                                       // of those who work
  std::vector<std::pair<ContactWorks<S>, Projection<S>>> done_;             // by pieces
  std::vector<char> shared_;                                                // by nodes
};

}  // namespace dalembert::contact::detail

#include <dalembert/contact/detail/touching_work_members.hpp>
