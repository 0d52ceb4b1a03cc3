#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/assembly/report.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/clusters/cluster_system.hpp>
#include <dalembert/clusters/clusters.hpp>

/// What was computed of the constraints of an assembly, but for what each of them says.
namespace dalembert::assembly::detail {

/// `slot` after so many constraints of one kind.
template <class K>
void advance(Slot& slot, std::size_t count) noexcept {
  using Traits = ConstraintTraits<K>;
  slot.index += count;
  slot.row += Traits::rows * static_cast<int>(count);
  slot.position += Traits::positions * static_cast<int>(count);
  slot.z += Traits::internal_count * static_cast<int>(count);
}
/// Of one constraint, of a kind whose first has the slot `slot`.
template <class K>
[[nodiscard]] Slot slot_of(Slot slot, std::size_t number, std::size_t index) noexcept {
  advance<K>(slot, number);
  slot.number = number;
  slot.index = index;
  return slot;
}

/// The numbers, in its list, of those constraints of a kind that belong to a part.
struct KindRange {
  std::span<const std::size_t> members;
  Slot first;  ///< of the first of the list; but its index is that of the first of these in the part
};

/// Weights, and room for numbers of rows.
template <class S>
struct RowNumbers {
  std::vector<S> weights;  ///< of the nodes of all windows; the first is 1, for markers at a node
  Column<S> mu, known;     ///< numbers per row
  Column<S> push;          ///< a number per position row
};

/// What was computed of the constraints of a part.
template <class S, bool may_react_elsewhere, bool may_have_friction>
struct PartWork {
  using System = ClusterSystem<S, may_react_elsewhere, may_have_friction>;

  Clusters clusters;
  std::vector<System> systems;               ///< of the clusters that are not solved in closed form
  std::vector<int> system_of;                ///< which of them a cluster has, −1 if it has none yet
  int systems_used = 0;                      ///< how many clusters have one
  std::vector<RowsView<S>> members;          ///< of the cluster at work
  std::vector<std::size_t> shared_clusters;  ///< clusters of more than one constraint
  std::vector<std::size_t> groups;           ///< clusters that are not solved in closed form
  SolveReport report;                        ///< what the last solve found out
  S step{};                                  ///< how long a step is whose end is near [s], for friction
  bool unchecked = false;  ///< whether `check` of constraints is called later, for all of λ

  void make_room(std::size_t constraints) {
    clusters.make_room(constraints);
    system_of.resize(constraints, -1);
    members.reserve(constraints);
    shared_clusters.reserve(constraints);
    groups.reserve(constraints);
  }
  [[nodiscard]] System& system(std::size_t cluster) {
    return systems[static_cast<std::size_t>(system_of[cluster])];
  }
  /// Let each of the groups have one, before any of them is decomposed.
  [[gnu::noinline]] void make_systems() {
    for (const std::size_t i : groups)
      if (system_of[i] < 0) system_of[i] = systems_used++;
    const auto wanted = static_cast<std::size_t>(systems_used);
    if (systems.size() < wanted) systems = std::vector<System>(wanted);
  }
  /// Clusters are others now.
  void forget_systems() {
    std::fill(system_of.begin(), system_of.end(), -1);
    systems_used = 0;
  }
};

/// What was computed of a state: nothing in it is read before it is computed anew.
template <class S, bool may_react_elsewhere, bool may_have_friction>
struct ConstraintWork : RowNumbers<S> {
  std::vector<PartWork<S, may_react_elsewhere, may_have_friction>> parts;
  Clusters::Owners owners;  ///< room to find clusters
  NodeNumbers<S> kept;      ///< room for loads, where rows are friction
};

}  // namespace dalembert::assembly::detail
