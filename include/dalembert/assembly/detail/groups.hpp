#pragma once

#include <algorithm>
#include <cstddef>

#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/constraint_list.hpp>
#include <dalembert/assembly/detail/solution_support.hpp>
#include <dalembert/assembly/report.hpp>

/// The systems of those constraints of a part that are not solved in closed form, a group for each cluster.
namespace dalembert::assembly::detail {

/// What `Solution` has of them.
template <class S, class Bodies, class Constraints>
class Groups {
 public:
  using Workspace = typename Constraints::Workspace;
  using Column = Vec<S, Eigen::Dynamic>;
  using System = typename Constraints::System;

  Groups(const Bodies& bodies, const Constraints& constraints, std::size_t part, Workspace& w) noexcept
      : bodies_(bodies), constraints_(constraints), part_(part), w_(w), mine_(w.parts[part]) {}

 protected:
  [[nodiscard]] Nodes<S> nodes(const State<S>& at) const noexcept {
    return {at.chains, at.lines, bodies_.inertia(), w_.weights.data()};
  }
  /// f(system) for each cluster that is not solved in closed form; `members` are its rows.
  template <class F>
  void each_group(F&& f) {
    for (const std::size_t i : mine_.groups) {
      gather(i);
      f(mine_.system(i));
    }
  }
  void decompose_groups(const Nodes<S>& n, bool repair) {
    mine_.make_systems();
    each_group([&](System& system) { system.decompose(mine_.members, {.repair = repair}, n); });
  }
  /// The rows of the members of a cluster.
  void gather(std::size_t cluster) {
    mine_.members.clear();
    constraints_.each_member(part_, cluster, w_, [&](const auto&, const auto& e, const Slot& slot) {
      mine_.members.push_back(RowsView<S>::of(e, slot.row, slot.position));
    });
  }
  /// b ← μ, for all rows that are not solved in closed form. Throws IncompatibleConstraints if more is
  /// left than rounding leaves; `scale()` is the size of what b was made from.
  template <class Scale>
  SolveReport solve_groups(Column& b, S time, const Scale& scale) {
    SolveReport report{0, static_cast<int>(mine_.clusters.count())};
    Leftover<S> left;
    each_group([&](System& system) {
      system.solve(mine_.members, b, left);
      report.redundant_rows += system.redundant();
    });
    if (left.size > trusted<S>() * left.largest && left.size > trusted<S>() * scale()) [[unlikely]]
      throw_contradicts(constraints_, left.row, false, time);
    return report;
  }

  /// Whether the solution of some group has to be improved by solving for what is left.
  [[nodiscard]] bool ill_conditioned() {
    return std::any_of(mine_.groups.begin(), mine_.groups.end(),
                       [&](std::size_t i) { return mine_.system(i).is_ill_conditioned(); });
  }
  void forget_speeds() {
    for (const std::size_t i : mine_.groups) mine_.system(i).forget_speeds();
  }
  /// The largest part that numbers of `u` are of the largest terms of A v so far, those of this state among
  /// them.
  [[gnu::noinline]] S part_of_speeds(const Column& u, const State<S>& at) {
    S most(0);
    each_group([&](System& system) {
      system.note_speeds(mine_.members, nodes(at));
      const S mine = system.part_of_speeds(mine_.members, u);
      if (!(mine <= most)) most = mine;
    });
    return most;
  }

  const Bodies& bodies_;
  const Constraints& constraints_;
  std::size_t part_;
  Workspace& w_;
  typename Constraints::PartWork& mine_;
};

}  // namespace dalembert::assembly::detail
