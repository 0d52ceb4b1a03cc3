#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/check_reactions.hpp>
#include <dalembert/assembly/detail/evaluator.hpp>
#include <dalembert/assembly/detail/linearised_constraint.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/statics/detail/static_table.hpp>

/// The constraints of an assembly in statics: how what they say at their markers acts on the nodes that bear
/// these.
namespace dalembert::assembly::detail {

/// Constraints of the kinds C; see the head of this file.
template <class S, Constraint... C>
class StaticRows {
 public:
  using Lists = std::tuple<std::vector<C>...>;
  using Index = Eigen::Index;
  using Column = Vec<S, Eigen::Dynamic>;

  /// With the first unknowns of the bodies.
  StaticRows(const Lists& lists, const std::vector<Index>& first) : lists_(lists), first_(first) {}

  /// Counts internal coordinates and multipliers. Throws std::invalid_argument for a marker that is not on
  /// these chains.
  void count(const std::vector<Chain<S>>& chains, StaticTable<S>& table) const {
    each([&]<class K>(const K& c, int number, int, int) {
      table.slides += ConstraintTraits<K>::internal_count;
      table.positions += ConstraintTraits<K>::positions;
      const std::string what = message({assembly::detail::name_of<K>(), " ", number});
      std::apply([&](const auto&... place) { (place.check(chains, what), ...); }, c.markers());
      if constexpr (requires { c.check_parameters(); }) c.check_parameters();
    });
  }

  /// f(position) of every marker [m].
  template <class F>
  void each_place(const State<S>& x, F&& f) const {
    each([&]<class K>(const K& c, int, int z, int) {
      const Evaluator<K> evaluator(c);
      Evaluation<K> e;
      find_points(evaluator, x, z, e, static_cast<S*>(nullptr));
      for (const FrameState<S>& one : evaluator.now(e.points)) f(one.position);
    });
  }

  /// Everything that they say with these multipliers.
  void add(const State<S>& x, const Column& multipliers, StaticTable<S>& table) const {
    each([&](const auto& c, int, int z, int m) { add_one(c, x, multipliers, z, m, table); });
  }

  /// Cᵀm of all constraints. Throws what constraints throw that do not hold with them.
  [[nodiscard]] Column reactions(const State<S>& x, const Column& multipliers) const {
    std::vector<S> all;
    each([&]<class K>(const K& c, int, int z, int m) {
      const PlacedConstraint<K> placed(c, x, z);
      const Evaluation<K>& e = placed.evaluation;
      if constexpr (Evaluation<K>::Z > 0) placed.evaluator.check_markers(e.points, x.time);
      const Vec<S, Evaluation<K>::R> own = reactions_of(e, take<Evaluation<K>::P>(multipliers, m));
      check_reactions(c, x, e, own);
      for (int r = 0; r < Evaluation<K>::R; ++r) all.push_back(own[r]);
    });
    Column lambda(static_cast<Index>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) lambda[static_cast<Index>(i)] = all[i];
    return lambda;
  }

  /// The name of position row `row`, counted over all.
  [[nodiscard]] std::string name_of_row(int row) const {
    std::string text;
    each([&]<class K>(const K& c, int number, int, int m) {
      if (row >= m && row < m + ConstraintTraits<K>::positions) text = row_name(c, number, row - m, true);
    });
    return text;
  }

  /// f(bodies that a constraint with position rows touches, whether it touches something else).
  template <class F>
  void each_link(const State<S>& x, F&& f) const {
    each([&]<class K>(const K& c, int, int z, int) {
      if constexpr (ConstraintTraits<K>::positions > 0) {
        std::vector<std::size_t> touched;
        bool space = ConstraintTraits<K>::markers == 1;
        for (const Window& w : PlacedConstraint<K>(c, x, z).evaluation.windows)
          if (w.count == 0)
            space = true;
          else
            touched.push_back(w.body);
        f(touched, space);
      }
    });
  }

 private:
  /// A constraint whose internal coordinates begin at z, and its multipliers at m.
  template <class K>
  void add_one(const K& c, const State<S>& x, const Column& multipliers, int z, int m,
               StaticTable<S>& table) const {
    using E = Evaluation<K>;
    constexpr int P = E::P;
    const Index s0 = table.slide(z), m0 = table.multiplier(m);
    LinearisedConstraint<K> one(c, x, z, first_, s0);
    const Evaluator<K>& evaluator = one.evaluator();
    const E& e = one.evaluation();
    const Vec<S, P> push = take<P>(multipliers, m);
    one.hold_positions(push);
    const Vec<S, E::R> lambda = reactions_of(e, push);
    evaluator.each([&](auto i) {
      const auto& place = std::get<i>(evaluator.markers());
      if constexpr (MarkerOf<K, i>::slides) {
        const int slide = z + Evaluator<K>::template slide_of<i>();
        table.reach[static_cast<std::size_t>(slide)] = place.reach();
      }
      if constexpr (!is_average<MarkerOf<K, i>> && !by_nodes<K>)
        if (place.count() > 0) {
          const Vec<S, 3> pull = dalembert::detail::transpose_times(e.linear[i], lambda);
          const Vec<S, 3> arm = place.arm(e.points[i]);
          table.note_torque(number::sqrt(S(dalembert::detail::inner(pull, pull))) *
                            number::sqrt(S(dalembert::detail::inner(arm, arm))));
        }
    });
    if constexpr (P > 0) {
      put(e.error, table.error, m);
      put(sizes_of_rows(evaluator, e.points, x.time), table.error_size, m);
      put(one.changes(table.metres), table.error_scale, m);
    }
    put(one.apart(), table.apart, z);
    one.each_row([&](Index unknown, int r, const S&, const S& pull) {
      if (number::is_zero(pull)) return;
      table.push(unknown, lambda[r] * pull);
      for (int p = 0; p < P; ++p) table.add(unknown, m0 + p, -e.along(p, r) * pull);
    });
    one.each_geometric_stiffness([&](Index row, Index column, const S& k) { table.add(row, column, k); });
    one.each_tangency([&](int r, Index column, const S& slope) { table.add(s0 + r, column, slope); });
    one.each_slope([&](int p, Index column, const S& slope) { table.add(m0 + p, column, -slope); });
    if constexpr (P == 1 && E::N == 2) add_gap(one, s0, table);
  }

  template <class K>
  void add_gap(const LinearisedConstraint<K>& one, Index s0, StaticTable<S>& table) const {
    StaticGap<S> gap;
    const auto& points = one.evaluation().points;
    const auto seen = one.evaluator().now(points);
    S square(0);
    for (int j = 0; j < 3; ++j) {
      const S between = seen[1].position[j] - seen[0].position[j];
      square += between * between;
    }
    gap.distance = number::sqrt(square);
    if (!(gap.distance > S(0))) return;
    Evaluator<K>::each([&](auto i) {
      const S sign = i == 0 ? S(-1) : S(1);
      one.each_weight(
          i, [&](Index unknown, const S& weight) { gap.nodes.emplace_back(unknown, sign * weight); });
      if constexpr (MarkerOf<K, i>::slides) {
        auto& [at, along] = gap.slides.emplace_back();
        at = s0 + Evaluator<K>::template slide_of<i>();
        for (int j = 0; j < 3; ++j) along[j] = sign * points[i].dR[j];
      }
    });
    table.gaps.push_back(std::move(gap));
  }

  /// f(constraint, its number in its kind, its first internal coordinate, its first multiplier).
  template <class F>
  void each(F&& f) const {
    int z = 0, m = 0;
    [[maybe_unused]] const auto kind = [&]<class K>(const std::vector<K>& list) {
      int number = 0;
      for (const K& c : list) {
        f(c, number++, z, m);
        z += ConstraintTraits<K>::internal_count;
        m += ConstraintTraits<K>::positions;
      }
    };
    std::apply([&](const auto&... list) { (kind(list), ...); }, lists_);
  }

  const Lists& lists_;
  const std::vector<Index>& first_;
};

}  // namespace dalembert::assembly::detail
