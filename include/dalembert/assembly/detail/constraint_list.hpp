#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/friction_of_kind.hpp>
#include <dalembert/assembly/detail/kinds_of.hpp>
#include <dalembert/assembly/detail/numbered_constraints.hpp>

/// All constraints of an assembly, of several kinds: what they say in a state.
namespace dalembert::assembly::detail {

/// Constraints of the kinds C; see the head of this file.
template <class S, Constraint... C>
class ConstraintList : public NumberedConstraints<S, C...> {
 public:
  using Numbered = NumberedConstraints<S, C...>;
  using Numbered::each;
  using Numbered::follow_rates;
  using Numbered::lists;
  using Numbered::Numbered;
  using Numbered::parts;
  using typename Numbered::Column;
  using typename Numbered::Workspace;
  template <class K>
  using OfKind = std::conditional_t<Numbered::rub, FrictionOfKind<K>, ConstraintsOfKind<K>>;
  /// Those of a part, kind by kind: what the solution of its equations sees of them.
  using Kinds = KindsOf<std::conditional_t<Numbered::rub, FrictionKind<S>, ConstraintKind<S>>, OfKind<C>...>;

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
    for (std::size_t p = 0; p < parts().count(); ++p) w.parts[p].make_room(parts().size(p));
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
    this->each_kind(
        [&](const auto& list, const Slot& first) { detail::solve_tangencies(list, first, x, all); });
  }

  /// The internal coordinates of part p after h, from those of `at` at the rates ż; if `in_middle`, of
  /// constraints that follow their rates at those in the middle of a step from `at`: there the state `x` is,
  /// but for strings, which are at its end.
  void slide(std::size_t p, const State<S>& at, const Column& zdot, S h, State<S>& x, bool in_middle) const {
    this->each_kind(p, [&](const auto& list, const KindRange& range) {
      for (const std::size_t* i = range.begin; i != range.end; ++i)
        detail::slide(list[*i], range.first, *i, at, zdot, h, x, in_middle);
    });
  }

  /// What the solution of the equations of part p sees of its constraints.
  [[nodiscard]] Kinds kinds_of_part(std::size_t p, Workspace& w) const {
    std::array<KindRange, sizeof...(C)> ranges;
    this->each_kind(p, [&](const auto&, const KindRange& range) { ranges[range.first.kind] = range; });
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Kinds{
          OfKind<C>(std::get<I>(this->lists()), Numbered::template evaluations<C>(w), ranges[I], w)...};
    }
    (std::index_sequence_for<C...>{});
  }

  /// Where all places are, which constraints share nodes, and position errors.
  void find_places(const State<S>& x, Workspace& w) const {
    if constexpr (sizeof...(C) > 0)
      for (std::size_t p = 0; p < parts().count(); ++p) find_places(p, x, w);
  }
  /// The same of part p.
  void find_places(std::size_t p, const State<S>& x, Workspace& w) const {
    if constexpr (sizeof...(C) > 0) {
      const Kinds mine = kinds_of_part(p, w);
      for (auto* const kind : mine.view()) kind->find_places(x);
      (void)find_clusters(mine.view(), w.parts[p], w.owners);
    }
  }
};

}  // namespace dalembert::assembly::detail
