#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

#include <dalembert/assembly/detail/constraint_kind.hpp>
#include <dalembert/assembly/report.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/number.hpp>

/// The structured solution of an assembly's equations: multipliers, and projections onto positions and
/// velocities. A constraint that shares no node with others is solved by itself, in closed form where it has
/// one; the others cluster by cluster.
namespace dalembert::assembly::detail {

/// Solves for the constraints of one part of an assembly, of any kinds.
template <class S, bool may_react_elsewhere, bool may_have_friction>
class Solution {
 public:
  using Work = ConstraintWork<S, may_react_elsewhere, may_have_friction>;
  using Kind = std::conditional_t<may_have_friction, FrictionKind<S>, ConstraintKind<S>>;
  using System = ClusterSystem<S, may_react_elsewhere, may_have_friction>;

  /// Of a part.
  Solution(const PartBodies<S>& bodies, KindsOfPart<Kind> kinds, std::size_t part, Work& w) noexcept
      : bodies_(bodies), kinds_(kinds), w_(w), mine_(w.parts[part]) {}

  /// Places, rows and their systems in a configuration.
  void evaluate(const State<S>& at) {
    if (kinds_.empty()) return;
    each([&](Kind& kind) { kind.find_places(at); });
    find_clusters(kinds_, mine_, w_.owners);
    const Nodes<S> n = nodes(at);
    mine_.groups = mine_.shared_clusters;
    each([&](Kind& kind) { kind.find_systems(at, n, mine_.groups); });
    decompose_groups(n, Along::reactions);
  }

  /// λ = −G⁻¹(A M⁻¹f + β) for loads f, which then get A_Vᵀλ added, and ż, where the
  /// configuration was found. `room` is for accelerations.
  SolveReport solve_multipliers(const State<S>& at, NodeNumbers<S>& f, NodeNumbers<S>& room,
                                Column<S>& lambda, Column<S>& zdot) {
    if (kinds_.empty()) return {};
    const Nodes<S> n = nodes(at);
    const Reaction<S> r = reaction(at, n, f, room, lambda, zdot);
    if (r.accelerations) bodies_.accelerate(at, f, room);
    each([&](Kind& kind) { kind.accelerate(r); });
    return react_together(r);
  }

  /// Whether the constraints can have these λ: what they say against it is thrown.
  void check(const State<S>& at, const Column<S>& lambda) const {
    each([&](Kind& kind) { kind.check(at, lambda, false); });
  }
  /// q += M⁻¹A_VᵀCᵀm until φ = 0, v += that / h if h > 0; then the rows there and their systems,
  /// where the clusters of a configuration nearby were found. Throws NoConvergence.
  Projection<S> project_positions(State<S>& x, S h, Along along);
  /// v −= M⁻¹A_Vᵀ(A M⁻¹A_Vᵀ)⁻¹(A v + b), for systems that were found.
  Projection<S> project_velocities(State<S>& x, Along along);
  /// Both, in one visit of each constraint that is solved by itself.
  Projection<S> project_and_react(State<S>& x, NodeNumbers<S>& f, NodeNumbers<S>& room, Column<S>& lambda,
                                  Column<S>& zdot, SolveReport& report);

 protected:
  /// How often a solution is improved where its system is ill-conditioned, unless what is left is rounding.
  static constexpr int most_repetitions = 12;
  static constexpr S rounding = S(4) * std::numeric_limits<S>::epsilon();

  [[nodiscard]] Reaction<S> reaction(const State<S>& at, const Nodes<S>& n, NodeNumbers<S>& f,
                                     NodeNumbers<S>& room, Column<S>& lambda,
                                     Column<S>& zdot) const noexcept {
    return {at, n, bodies_.prescribes ? &room : nullptr, f, lambda, zdot, mine_.unchecked};
  }
  [[nodiscard]] Nodes<S> nodes(const State<S>& at) const noexcept {
    return {at.chains, at.lines, bodies_.inertia, w_.weights.data()};
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
  [[gnu::noinline]] void decompose_groups(const Nodes<S>& n, Along along) {
    mine_.make_systems();
    each_group([&](System& system) { system.decompose(mine_.members, {.along = along}, n); });
  }
  /// The rows of the members of a cluster.
  [[gnu::noinline]] void gather(std::size_t cluster) {
    mine_.members.clear();
    each_member(cluster, [&](Kind& kind, std::size_t i) { mine_.members.push_back(kind.view(i)); });
  }
  /// b ← μ, for all rows that are not solved in closed form. Throws IncompatibleConstraints if more is
  /// left than rounding leaves; `scale()` is the size of what b was made from.
  template <class Scale>
  [[gnu::noinline]] SolveReport solve_groups(Column<S>& b, S time, const Scale& scale) {
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
  /// The largest part that numbers of `u` are of the largest terms of A v so far, those of this state among
  /// them.
  [[gnu::noinline]] S part_of_speeds(const Column<S>& u, const State<S>& at) {
    S most(0);
    each_group([&](System& system) {
      system.note_speeds(mine_.members, nodes(at));
      number::keep_larger(most, system.part_of_speeds(mine_.members, u));
    });
    return most;
  }

  const PartBodies<S>& bodies_;
  KindsOfPart<Kind> kinds_;
  Work& w_;
  PartWork<S, may_react_elsewhere, may_have_friction>& mine_;

 private:
  /// The position rows of all members of a cluster.
  struct ClusterRows {
    Solution& all;
    std::size_t cluster;
    const Correction<S>& by;

    void find_open(int iteration, OpenRows<S>& open) const {
      all.each_member(cluster, [&](Kind& kind, std::size_t i) { kind.find_open(i, by, iteration, open); });
    }
    [[nodiscard]] bool correct(int iteration, bool serves, Leftover<S>& left) const {
      all.each_member(cluster, [&](Kind& kind, std::size_t i) {
        kind.find_rows_and_push(i, by, iteration > late_correction);
      });
      all.gather(cluster);
      System& system = all.mine_.system(cluster);
      if (!serves) system.decompose(all.mine_.members, {.positions = true, .along = by.along}, by.n);
      system.solve(all.mine_.members, all.w_.push, left);
      return true;
    }
    void displace(bool late, Displacement<S>& d) const {
      all.each_member(cluster, [&](Kind& kind, std::size_t i) { kind.displace(i, by, late, d); });
    }
    void solve_internal(int done) const {
      all.each_member(cluster, [&](Kind& kind, std::size_t i) { kind.solve_internal(i, by, done); });
    }
    /// How far a cluster of which rows follow from others is open, beside its sizes, both in the units of the
    /// kinetic energy; infinite for others.
    [[nodiscard]] S together(const OpenRow<S>&) const {
      System& system = all.mine_.system(cluster);
      if (system.redundant() == 0) return std::numeric_limits<S>::infinity();
      all.each_member(cluster, [](Kind& kind, std::size_t i) { kind.put_errors(i); });
      all.gather(cluster);
      return system.largest(all.mine_.members, all.w_.push) / system.largest(all.mine_.members, all.w_.known);
    }
    [[nodiscard]] std::string name_of_row(int row) const {
      return detail::name_of_row(all.kinds_, row, true);
    }
  };

  /// λ and its loads for those that are not solved in closed form. Where a system is ill-conditioned what
  /// the loads still leave of the rows is solved for, until that falls no longer.
  SolveReport react_together(const Reaction<S>& r);
  /// Drifts are those of rows that the state keeps. Where its velocities break them, as the rounding of
  /// velocities does that should be none, so much of the drifts means nothing: how large these are, over
  /// `trusted`.
  [[gnu::noinline]] S broken(const State<S>& at, const Nodes<S>& n);
};

template <class S, bool may_react_elsewhere, bool may_have_friction>
Projection<S> Solution<S, may_react_elsewhere, may_have_friction>::project_velocities(State<S>& x,
                                                                                      Along along) {
  if (kinds_.empty()) return {};
  const bool repeats = !may_have_friction && ill_conditioned();
  if (repeats)
    for (const std::size_t i : mine_.groups) mine_.system(i).forget_speeds();
  const Nodes<S> n = nodes(x);
  S square(0), left(0), least = std::numeric_limits<S>::infinity();
  for (int i = 0, idle = 0;; ++i) {
    each([&](Kind& kind) { kind.project_velocities(x, n, along, square); });
    if (repeats) {
      left = part_of_speeds(w_.known, x);
      idle = left < least / S(2) ? 0 : idle + 1;
      least = std::min(least, left);
      if (i > 0 && (left <= rounding || idle > 3 || i > most_repetitions)) break;
    }
    if (!mine_.groups.empty()) {
      solve_groups(w_.mu, x.time, [&] { return bodies_.speed(x); });
      each([&](Kind& kind) { kind.add_impulses(x, n, along, square); });
    }
    if (!repeats) return {S(number::sqrt(value_of(square))), 0, true};
  }
  return {S(number::sqrt(value_of(square))), 0, left <= trusted<S>()};
}

template <class S, bool may_react_elsewhere, bool may_have_friction>
Projection<S> Solution<S, may_react_elsewhere, may_have_friction>::project_and_react(
    State<S>& x, NodeNumbers<S>& f, NodeNumbers<S>& room, Column<S>& lambda, Column<S>& zdot,
    SolveReport& report) {
  if (kinds_.empty()) return {};
  if (bodies_.prescribes || !mine_.groups.empty()) {
    const Projection<S> moved = project_velocities(x, Along::reactions);
    report = solve_multipliers(x, f, room, lambda, zdot);
    return moved;
  }
  S square(0);
  const Nodes<S> n = nodes(x);
  const Reaction<S> r = reaction(x, n, f, room, lambda, zdot);
  each([&](Kind& kind) { kind.project_and_accelerate(x, r, square); });
  report = {0, static_cast<int>(mine_.clusters.count())};
  return {S(number::sqrt(value_of(square))), 0, true};
}

template <class S, bool may_react_elsewhere, bool may_have_friction>
SolveReport Solution<S, may_react_elsewhere, may_have_friction>::react_together(const Reaction<S>& r) {
  if (mine_.groups.empty()) return {0, static_cast<int>(mine_.clusters.count())};
  const SolveReport report =
      solve_groups(w_.mu, r.at.time, [&] { return std::max(bodies_.strength(r.f), broken(r.at, r.n)); });
  S before = std::numeric_limits<S>::infinity();
  for (int i = 0;; ++i) {
    each([&](Kind& kind) { kind.add_reactions(r, i == 0); });
    if (i == most_repetitions || !ill_conditioned()) break;
    if (r.accelerations) bodies_.accelerate(r.at, r.f, *r.accelerations);
    each([&](Kind& kind) { kind.find_rest(r); });
    Leftover<S> left;
    each_group([&](System& system) { system.solve(mine_.members, w_.mu, left); });
    if (left.largest >= before / S(2)) break;
    before = left.largest;
  }
  if (!mine_.unchecked) each([&](Kind& kind) { kind.check(r.at, r.lambda, true); });
  return report;
}

template <class S, bool may_react_elsewhere, bool may_have_friction>
S Solution<S, may_react_elsewhere, may_have_friction>::broken(const State<S>& at, const Nodes<S>& n) {
  const auto largest = [&] {
    S most(0);
    each_group([&](System& system) { most = std::max(most, system.largest(mine_.members, w_.known)); });
    return most;
  };
  each([](Kind& kind) { kind.put_drifts(); });
  const S drift = largest();
  each([&](Kind& kind) { kind.put_slips(n); });
  const S slip = largest(), speed = bodies_.speed(at);
  return slip > S(0) ? S(16) / trusted<S>() * drift * std::min(S(slip / speed), S(1)) : S(0);
}

template <class S, bool may_react_elsewhere, bool may_have_friction>
Projection<S> Solution<S, may_react_elsewhere, may_have_friction>::project_positions(State<S>& x, S h,
                                                                                     Along along) {
  Projection<S> result;
  const Nodes<S> n = nodes(x);
  const Correction<S> by{x, n, h > S(0) ? S(1) / h : S(0), along, result};
  for (int i = 0; !kinds_.empty(); ++i) {
    if (i == most_corrections) throw_changes_without_end(x.time);
    bool moved = false;
    mine_.groups = mine_.shared_clusters;
    each([&](Kind& kind) { moved = kind.project_positions(by, mine_.groups) || moved; });
    mine_.make_systems();
    std::size_t kept = 0;
    for (const std::size_t group : mine_.groups) {
      solve_position_rows(ClusterRows{*this, group, by}, by);
      bool closed_form = false;
      each_member(group, [&](Kind& kind, std::size_t j) {
        closed_form = kind.find_system(j, x, n);
        moved = moved || kind.nodes(j).have_moved();
      });
      if (!closed_form) mine_.groups[kept++] = group;
    }
    mine_.groups.resize(kept);
    decompose_groups(n, along);
    if (!moved || !find_clusters(kinds_, mine_, w_.owners)) break;
  }
  return result;
}

}  // namespace dalembert::assembly::detail
