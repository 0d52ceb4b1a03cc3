#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <dalembert/assembly/detail/constraint_kind.hpp>
#include <dalembert/assembly/detail/part_bodies.hpp>
#include <dalembert/assembly/detail/solution_support.hpp>
#include <dalembert/assembly/report.hpp>

/// The systems of those constraints of a part that are not solved in closed form, a group for each cluster.
namespace dalembert::assembly::detail {

/// What `Solution` has of them.
template <class S, bool may_react_elsewhere, bool may_have_friction>
class Groups {
 public:
  using Work = ConstraintWork<S, may_react_elsewhere, may_have_friction>;
  using Kind = std::conditional_t<may_have_friction, FrictionKind<S>, ConstraintKind<S>>;
  using Column = Vec<S, Eigen::Dynamic>;
  using System = ClusterSystem<S, may_react_elsewhere, may_have_friction>;

  /// Of a part.
  Groups(const PartBodies<S>& bodies, KindsOfPart<Kind> kinds, std::size_t part, Work& w) noexcept
      : bodies_(bodies), kinds_(kinds), w_(w), mine_(w.parts[part]) {}

 protected:
  [[nodiscard]] Nodes<S> nodes(const State<S>& at) const noexcept {
    return {at.chains, at.lines, bodies_.inertia(), w_.weights.data()};
  }
  /// f(kind) for each.
  template <class F>
  void each(const F& f) const {
    for (Kind* const kind : kinds_) f(*kind);
  }
  /// f(kind, number) for the members of a cluster.
  template <class F>
  void each_member(std::size_t cluster, const F& f) const {
    detail::each_member(kinds_, mine_.clusters, cluster, f);
  }
  /// f(system) for each cluster that is not solved in closed form; `members` are its rows.
  template <class F>
  void each_group(F&& f) {
    for (const std::size_t i : mine_.groups) {
      gather(i);
      f(mine_.system(i));
    }
  }
  [[gnu::noinline]] void decompose_groups(const Nodes<S>& n, bool repair) {
    mine_.make_systems();
    each_group([&](System& system) { system.decompose(mine_.members, {.repair = repair}, n); });
  }
  /// The rows of the members of a cluster.
  [[gnu::noinline]] void gather(std::size_t cluster) {
    mine_.members.clear();
    each_member(cluster, [&](Kind& kind, std::size_t i) { mine_.members.push_back(kind.view(i)); });
  }
  /// b ← μ, for all rows that are not solved in closed form. Throws IncompatibleConstraints if more is
  /// left than rounding leaves; `scale()` is the size of what b was made from.
  template <class Scale>
  [[gnu::noinline]] SolveReport solve_groups(Column& b, S time, const Scale& scale) {
    SolveReport report{0, static_cast<int>(mine_.clusters.count())};
    Leftover<S> left;
    each_group([&](System& system) {
      system.solve(mine_.members, b, left);
      report.redundant_rows += system.redundant();
    });
    if (left.size > trusted<S>() * left.largest && left.size > trusted<S>() * scale()) [[unlikely]]
      throw_contradicts(name_of_row(kinds_, left.row, false), time);
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

  const PartBodies<S>& bodies_;
  KindsOfPart<Kind> kinds_;
  Work& w_;
  PartWork<S, may_react_elsewhere, may_have_friction>& mine_;
};

}  // namespace dalembert::assembly::detail
