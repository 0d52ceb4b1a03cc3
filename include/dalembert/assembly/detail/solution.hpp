#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/check_reactions.hpp>
#include <dalembert/assembly/detail/constraint_list.hpp>
#include <dalembert/assembly/detail/groups.hpp>
#include <dalembert/assembly/detail/products.hpp>
#include <dalembert/assembly/detail/solution_support.hpp>
#include <dalembert/assembly/report.hpp>
#include <dalembert/core/number.hpp>

/// The structured solution of an assembly's equations: multipliers, and projections onto velocities. A
/// constraint that shares no
/// node with others is solved by itself, in closed form where it has one; the others cluster by cluster.
namespace dalembert::assembly::detail {

/// Solves for the constraints of one part of an assembly with room to work; `Bodies` is a BodyList,
/// `Constraints` a ConstraintList.
template <class S, class Bodies, class Constraints>
class Solution : public Groups<S, Bodies, Constraints> {
 public:
  using Base = Groups<S, Bodies, Constraints>;
  using Base::Base;
  using typename Base::Column, typename Base::System;
  using NodeColumns = NodeNumbers<S>;

  /// Places, rows and their systems in a configuration.
  void find(const State<S>& at) {
    if (constraints_.rows() == 0) return;
    constraints_.find_places(part_, at, w_);
    find_systems(at, false);
  }
  /// Rows and their systems at the places found.
  void find_systems(const State<S>& at, bool repair) {
    const Nodes<S> n = nodes(at);
    decompose(n, repair, [&](const auto& c, auto& e) { find_system(c, e, at, n); });
  }

  /// λ = −G⁻¹(A M⁻¹f + β) for loads f, which then get A_Vᵀλ added, and ż, where the
  /// configuration was found. `room` is for accelerations.
  SolveReport solve_multipliers(const State<S>& at, NodeColumns& f, NodeColumns& room, Column& lambda,
                                Column& zdot) {
    if (constraints_.rows() == 0) return {};
    const bool prescribed = bodies_.prescribes();
    if (prescribed) bodies_.accelerate(part_, at, f, room);
    constraints_.each(part_, w_, [&](const auto& c, auto& e, const Slot& slot) {
      accelerate(c, e, slot, at, prescribed ? &room : nullptr, f, lambda, zdot);
    });
    return react_together(at, prescribed ? &room : nullptr, f, lambda);
  }

  /// Whether the constraints can have these λ: what they say against it is thrown.
  void check(const State<S>& at, const Column& lambda) const {
    constraints_.each(part_, w_, [&]<class K>(const K& c, const Evaluation<K>& e, const Slot& slot) {
      check_reactions(c, at, e, take<Evaluation<K>::R>(lambda, slot.row));
    });
  }
  /// v −= M⁻¹A_Vᵀ(A M⁻¹A_Vᵀ)⁻¹(A v + b), for systems that were found.
  Projection<S> stop(State<S>& x, bool repair) {
    if (constraints_.rows() == 0) return {};
    const bool repeats = !Constraints::rub && this->ill_conditioned();
    if (repeats) this->forget_speeds();
    S square(0), left(0), least = std::numeric_limits<S>::infinity();
    for (int i = 0, idle = 0;; ++i) {
      constraints_.each(
          part_, w_, [&](const auto& c, auto& e, const Slot& slot) { stop(c, e, slot, repair, x, square); });
      if (repeats) {
        left = this->part_of_speeds(w_.known, x);
        idle = left < least / S(2) ? 0 : idle + 1;
        least = std::min(least, left);
        if (i > 0 && (left <= rounding || idle > 3 || i > most_repetitions)) break;
      }
      stop_together(x, repair, square);
      if (!repeats) return {S(number::sqrt(value_of(square))), 0, true};
    }
    return {S(number::sqrt(value_of(square))), 0, left <= trusted<S>()};
  }
  /// Both, in one visit of each constraint that is solved by itself.
  Projection<S> stop_and_react(State<S>& x, NodeColumns& f, NodeColumns& room, Column& lambda, Column& zdot,
                               SolveReport& report) {
    if (constraints_.rows() == 0) return {};
    if (bodies_.prescribes() || !mine_.groups.empty()) {
      const Projection<S> moved = stop(x, false);
      report = solve_multipliers(x, f, room, lambda, zdot);
      return moved;
    }
    S square(0);
    const auto ahead = [&](const auto& e) {
      prefetch(e, x.chains, bodies_.inertia());
      for (const Window& w : e.windows)
        if (w.count > 0 && !w.line) {
          fetch_columns(f[w.body], w.first);
          fetch_columns(bodies_.inertia()[w.body].gyro, w.first);
        }
    };
    constraints_.each(part_, w_, ahead, [&](const auto& c, auto& e, const Slot& slot) {
      stop(c, e, slot, false, x, square);
      accelerate(c, e, slot, x, nullptr, f, lambda, zdot);
    });
    report = {0, static_cast<int>(mine_.clusters.count())};
    return {S(number::sqrt(value_of(square))), 0, true};
  }

 protected:
  using Base::bodies_, Base::constraints_, Base::part_, Base::w_, Base::mine_;
  using Base::nodes, Base::each_group, Base::decompose_groups, Base::gather, Base::solve_groups;

  /// How often a solution is improved where its system is ill-conditioned, unless what is left is rounding.
  static constexpr int most_repetitions = 12;
  static constexpr S rounding = S(4) * std::numeric_limits<S>::epsilon();

  /// The systems of constraints, each of which `find(constraint, evaluation)` has prepared.
  template <class Find>
  void decompose(const Nodes<S>& n, bool repair, const Find& find) {
    mine_.groups = mine_.together;
    constraints_.each(part_, w_, [&](const auto& c, auto& e, const Slot&) {
      find(c, e);
      if (e.alone && !e.direct) mine_.groups.push_back(e.cluster);
    });
    decompose_groups(n, repair);
  }
  /// f(constraint, evaluation, slot) for those that are not solved in closed form.
  template <class F>
  void each_together(const F& f) {
    constraints_.each(part_, w_, [&](const auto& c, auto& e, const Slot& slot) {
      if (!e.direct) f(c, e, slot);
    });
  }

  /// A a + Ȧv + ḃ for these accelerations, or for those that f gives where no motion is prescribed.
  template <class K>
  [[nodiscard]] static auto accelerations_of(const Evaluation<K>& e, const Nodes<S>& n,
                                             const NodeColumns* accelerations, const NodeColumns& f) {
    return accelerations ? Products<K>::accelerations(e, n, *accelerations)
                         : Products<K>::accelerations_of_loads(e, n, f);
  }
  /// ṡ, and what the rows make of accelerations.
  template <class K>
  [[nodiscard]] auto find_rates(const K& c, Evaluation<K>& e, const Slot& slot, const State<S>& at,
                                const NodeColumns* accelerations, const NodeColumns& f, Column& zdot) {
    Constraints::find_rates(c, at, w_.weights.data(), e);
    for (int i = 0; i < Evaluation<K>::Z; ++i) zdot[slot.z + i] = e.zdot[i];
    return accelerations_of<K>(e, nodes(at), accelerations, f);
  }
  /// ṡ, and λ and the loads of it for a constraint that is solved in closed form, or the right side of its
  /// rows. `accelerations` are those that f gives, where motions are prescribed.
  template <class K>
  [[gnu::flatten]] void accelerate(const K& c, Evaluation<K>& e, const Slot& slot, const State<S>& at,
                                   const NodeColumns* accelerations, NodeColumns& f, Column& lambda,
                                   Column& zdot) {
    const auto u = find_rates(c, e, slot, at, accelerations, f, zdot);
    if (e.direct) {
      const auto mu = solve_alone(e, u);
      const auto all = with_friction(e, mu);
      put(all, lambda, slot.row);
      if (!mine_.unchecked) check_reactions(c, at, e, all);
      Products<K>::add_loads(e, mu, nodes(at), f);
    } else {
      put(-shaped(e, u), w_.mu, slot.row);
    }
  }
  /// λ and its loads for those that are not. Where a system is ill-conditioned what the loads still leave of
  /// the rows is solved for, until that falls no longer.
  SolveReport react_together(const State<S>& at, NodeColumns* accelerations, NodeColumns& f, Column& lambda) {
    if (mine_.groups.empty()) return {0, static_cast<int>(mine_.clusters.count())};
    const auto strength = [&] { return std::max(bodies_.strength(part_, f), broken(at)); };
    const SolveReport report = solve_groups(w_.mu, at.time, strength);
    const Nodes<S> n = nodes(at);
    each_together([&](const auto&, auto& e, const Slot& slot) {
      put(with_friction(e, decltype(e.drift)::Zero()), lambda, slot.row);
    });
    S before = std::numeric_limits<S>::infinity();
    for (int i = 0;; ++i) {
      each_together([&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
        const auto more = shaped(e, take<Evaluation<K>::R>(w_.mu, slot.row));
        for (int r = 0; r < Evaluation<K>::R; ++r) lambda[slot.row + r] += more[r];
        Products<K>::add_loads(e, more, n, f);
      });
      if (i == most_repetitions || !this->ill_conditioned()) break;
      if (accelerations) bodies_.accelerate(part_, at, f, *accelerations);
      each_together([&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
        put(-shaped(e, accelerations_of<K>(e, n, accelerations, f)), w_.mu, slot.row);
      });
      Leftover<S> left;
      each_group([&](System& system) { system.solve(mine_.members, w_.mu, left); });
      if (left.largest >= before / S(2)) break;
      before = left.largest;
    }
    if (!mine_.unchecked)
      each_together([&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
        check_reactions(c, at, e, take<Evaluation<K>::R>(lambda, slot.row));
      });
    return report;
  }
  /// Drifts are those of rows that the state keeps. Where its velocities break them, as the rounding of
  /// velocities does that should be none, so much of the drifts means nothing: how large these are, over
  /// `trusted`.
  [[gnu::noinline]] S broken(const State<S>& at) {
    const auto largest_of = [&](const auto& rows) {
      each_together([&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
        put(rows.template operator()<K>(e), w_.known, slot.row);
      });
      S most(0);
      each_group([&](System& system) { most = std::max(most, system.largest(mine_.members, w_.known)); });
      return most;
    };
    const S drift = largest_of([]<class K>(const Evaluation<K>& e) { return e.drift; });
    const S slip =
        largest_of([&]<class K>(const Evaluation<K>& e) { return exact_velocities<K>(e, nodes(at)); });
    const S speed = bodies_.speed(part_, at);
    return slip > S(0) ? S(16) / trusted<S>() * drift * std::min(S(slip / speed), S(1)) : S(0);
  }
  /// Stops a constraint that is solved in closed form, or notes how it moves.
  template <class K>
  [[gnu::flatten]] void stop(const K&, const Evaluation<K>& e, const Slot& slot, bool repair, State<S>& x,
                             S& square) {
    const Nodes<S> n = nodes(x);
    const auto u = Products<K>::velocities(e, n);
    if (e.direct) {
      const auto mu = solve_alone(e, u);
      Products<K>::add_impulses(e, mu, repair, n, x);
      square += number::abs(mu.dot(u));
    } else {
      put(-shaped(e, u), w_.mu, slot.row);
      put(u, w_.known, slot.row);
    }
  }
  /// Stops those that are not.
  void stop_together(State<S>& x, bool repair, S& square) {
    if (mine_.groups.empty()) return;
    solve_groups(w_.mu, x.time, [&] { return bodies_.speed(part_, x); });
    each_together([&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
      const auto mu = shaped(e, take<Evaluation<K>::R>(w_.mu, slot.row));
      square += number::abs(mu.dot(take<Evaluation<K>::R>(w_.known, slot.row)));
      Products<K>::add_impulses(e, mu, repair, nodes(x), x);
    });
  }

  /// The rows of a constraint at its places, and their system if it meets no others.
  template <class K>
  [[gnu::noinline, gnu::flatten]] static void find_system(const K& c, Evaluation<K>& e, const State<S>& at,
                                                          const Nodes<S>& n) {
    Evaluator<K>(c).find_rows(e, at);
    if constexpr (has_friction<K>) Products<K>::find_friction(e, n, S(0));
    e.direct = e.alone && Products<K>::invert(e, n);
  }
};

}  // namespace dalembert::assembly::detail
