#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/friction_drift.hpp>
#include <dalembert/assembly/detail/numbered_constraints.hpp>
#include <dalembert/assembly/detail/tangency.hpp>

/// All constraints of an assembly, of several kinds: what they say in a state.
namespace dalembert::assembly::detail {

/// Constraints of the kinds C; see the head of this file.
template <class S, Constraint... C>
class ConstraintList : public NumberedConstraints<S, C...> {
 public:
  using Numbered = NumberedConstraints<S, C...>;
  using Numbered::each;
  using Numbered::each_member;
  using Numbered::follow_rates;
  using Numbered::lists;
  using Numbered::Numbered;
  using Numbered::parts;
  using typename Numbered::Column;
  using typename Numbered::PartWork;
  using typename Numbered::Workspace;

  [[nodiscard]] Workspace make_workspace(const State<S>& shape) const {
    Workspace w;
    w.evaluations = std::tuple<std::vector<Evaluation<C>>...>{
        std::vector<Evaluation<C>>(std::get<std::vector<C>>(lists()).size())...};
    w.weights.assign(1, S(1));
    this->each(w, [&]<class K>(const K& c, Evaluation<K>& e, const Slot&) {
      make_room(Evaluator<K>(c), e, w.weights);
    });
    if constexpr (sizeof...(C) == 0) return w;
    for (const std::ptrdiff_t nodes : Numbered::nodes_of(shape))
      w.owners.emplace_back(static_cast<std::size_t>(nodes), -1);
    w.parts.resize(parts().count());
    for (std::size_t p = 0; p < parts().count(); ++p) {
      const std::size_t constraints = parts().size(p);
      w.parts[p].clusters.make_room(constraints);
      w.parts[p].system_of.resize(constraints, -1);
      w.parts[p].members.reserve(constraints);
      w.parts[p].together.reserve(constraints);
      w.parts[p].groups.reserve(constraints);
    }
    w.mu = w.known = Column::Zero(this->rows());
    if constexpr (Numbered::rub) {
      for (const Chain<S>& chain : shape.chains) w.kept.chains.push_back(chain.velocity);
      for (const Line<S>& line : shape.lines) w.kept.lines.push_back(line.velocity);
    }
    w.push = Column::Zero(this->positions());
    return w;
  }

  /// Solve the tangencies for the internal coordinates of `x`, of all constraints or but for those that
  /// follow their rates. Throws NoConvergence.
  void solve_tangencies(State<S>& x, bool all) const {
    this->each([&]<class K>(const K& c, const Slot& slot) {
      if constexpr (ConstraintTraits<K>::internal_count > 0) {
        Evaluation<K> e;
        if constexpr (ConstraintTraits<K>::Has::tangency) {
          if (all || !follows_rates(c)) {
            solve_tangency(Evaluator<K>(c), slot.number, x, slot.z, e, static_cast<S*>(nullptr), S(0));
            return;
          }
        }
        find_points(Evaluator<K>(c), x, slot.z, e, static_cast<S*>(nullptr));  // are there such places?
      }
    });
  }

  /// The internal coordinates of part p after h, from those of `at` at the rates ż.
  void slide(std::size_t p, const State<S>& at, const Column& zdot, S h, State<S>& x) const {
    slide(p, at, h, x, [&]<class K>(const K&, const Slot& slot) -> Vec<S, Evaluation<K>::Z> {
      return zdot.template segment<Evaluation<K>::Z>(slot.z);
    });
  }
  /// The same; of constraints that follow their rates, at those in the middle of a step from `at`: there the
  /// state `x` is, but for strings, which are at its end.
  void follow_rates(std::size_t p, const State<S>& at, const Column& zdot, S h, State<S>& x) const {
    slide(p, at, h, x, [&]<class K>(const K& c, const Slot& slot) -> Vec<S, Evaluation<K>::Z> {
      if (!follows_rates(c)) return zdot.template segment<Evaluation<K>::Z>(slot.z);
      const Evaluator<K> evaluator(c);
      Evaluation<K> e;
      find_middle(evaluator, at, h, x, slot.z, e);
      find_slopes(evaluator, x, e);
      return rate_of_places(evaluator, e, x);
    });
  }

  /// Where all places are, which constraints share nodes, and position errors.
  void find_places(const State<S>& x, Workspace& w) const {
    if constexpr (sizeof...(C) == 0) return;
    this->each(
        w, [&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) { find_place(c, e, slot, x, w); });
    for (std::size_t p = 0; p < parts().count(); ++p) find_clusters(p, w);
  }
  /// The same of part p.
  void find_places(std::size_t p, const State<S>& x, Workspace& w) const {
    if constexpr (sizeof...(C) == 0) return;
    this->each(
        p, w, [&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) { find_place(c, e, slot, x, w); });
    find_clusters(p, w);
  }
  /// The clusters of the windows found in part p. Answers whether they are others than before.
  [[gnu::noinline]] bool find_clusters(std::size_t p, Workspace& w) const {
    PartWork& part = w.parts[p];
    bool moved = part.clusters.count() == 0;
    this->each(p, w, [&]<class K>(const K&, Evaluation<K>& e, const Slot&) {
      for (int i = 0; i < Evaluation<K>::N; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (e.clustered_at[at] != e.windows[at].first) moved = true;
        e.clustered_at[at] = e.windows[at].first;
      }
    });
    if (!moved) return false;
    part.clusters.find(w.owners, [&](const auto& touch) {
      this->each(p, w, [&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
        for (const Window& v : e.windows) {
          if (v.count == 0) continue;
          Eigen::Index first = v.first, end = first + v.count;
          if constexpr (requires { K::beyond; }) {
            first = std::max(first - K::beyond, Eigen::Index(0));
            end = std::min(end + K::beyond, static_cast<Eigen::Index>(w.owners[v.body].size()));
          }
          if (v.around > 0 && end > v.around) {  // on a closed string, past its last node
            touch(slot.index, v.body, std::size_t{0}, static_cast<std::size_t>(end - v.around));
            end = v.around;
          }
          touch(slot.index, v.body, static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
        }
      });
    });
    part.together.clear();
    part.forget_systems();
    for (std::size_t i = 0; i < part.clusters.count(); ++i) {
      const bool alone = part.clusters.begin(i + 1) - part.clusters.begin(i) == 1;
      if (!alone) part.together.push_back(i);
      this->each_member(p, i, w, [&](const auto&, auto& e, const Slot&) {
        e.cluster = i;
        e.alone = alone;
      });
    }
    return true;
  }

  /// ż and Ȧv + ḃ of one constraint at the places found, and the weights of its nodes.
  template <class K>
  static void find_rates(const K& c, const State<S>& x, const S* weights, Evaluation<K>& e) {
    const Evaluator<K> evaluator(c);
    find_velocities(evaluator, x, e, weights);
    if constexpr (ConstraintTraits<K>::internal_count > 0) e.zdot = rate_of_places(evaluator, e, x);
    evaluator.find_drift(e, x);
    follow_errors(evaluator, e, x);
  }

 private:
  template <class K>
  static void find_place(const K& c, Evaluation<K>& e, const Slot& slot, const State<S>& x, Workspace& w) {
    const Evaluator<K> evaluator(c);
    find_points(evaluator, x, slot.z, e, w.weights.data());
    e.settled = true;
    find_slopes(evaluator, x, e);
    evaluator.find_error(e, x.time);
  }
  template <class Rates>
  void slide(std::size_t p, const State<S>& at, S h, State<S>& x, const Rates& rates) const {
    this->each_kind(p, [&]<class K>(const std::vector<K>& list, const std::size_t* begin,
                                    const std::size_t* end, const Slot& first) {
      if constexpr (Evaluation<K>::Z > 0)
        for (const std::size_t* i = begin; i != end; ++i) {
          const Slot mine = Numbered::template slot_of<K>(first, *i, 0);
          const Vec<S, Evaluation<K>::Z> rate = rates(list[*i], mine);
          for (int j = 0; j < Evaluation<K>::Z; ++j) x.z[mine.z + j] = at.z[mine.z + j] + h * rate[j];
        }
    });
  }
};

}  // namespace dalembert::assembly::detail
