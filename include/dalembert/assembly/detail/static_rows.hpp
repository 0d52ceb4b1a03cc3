#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/constraint_tangent.hpp>
#include <dalembert/assembly/detail/eyes.hpp>
#include <dalembert/assembly/detail/place_unknowns.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/assembly/detail/static_equations.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// The constraints of an assembly in statics: how what they say at their places acts on the nodes that bear
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

  /// Counts internal coordinates and multipliers. Throws std::invalid_argument for a place that is not on
  /// these chains.
  void count(const std::vector<Chain<S>>& chains, StaticTable<S>& table) const {
    each([&]<class K>(const K& c, int number, int, int) {
      table.slides += ConstraintTraits<K>::slides;
      table.positions += ConstraintTraits<K>::positions;
      const std::string what = message({K::name, " ", number});
      std::apply([&](const auto&... place) { (place.check(chains, what), ...); }, c.places());
      if constexpr (requires { c.check_parameters(); }) c.check_parameters();
    });
  }

  /// f(position) of every place [m].
  template <class F>
  void each_place(const State<S>& x, F&& f) const {
    each([&]<class K>(const K& c, int, int z, int) {
      const Eyes<K> eyes(c);
      for (const Seen<S>& one : eyes.now(Placed<K>(eyes, x, z).points)) f(one.position);
    });
  }

  /// Everything that they say with these multipliers.
  void add(const State<S>& x, const Column& multipliers, StaticTable<S>& table) const {
    each([&](const auto& c, int, int z, int m) { add_one(c, x, multipliers, z, m, table); });
  }

  /// Cᵀm of all constraints. Throws what constraints throw that do not hold with them.
  [[nodiscard]] Column reactions(const State<S>& x, const Column& multipliers) const {
    Column lambda;
    each([&]<class K>(const K& c, int, int z, int m) {
      using Traits = ConstraintTraits<K>;
      const Eyes<K> eyes(c);
      const auto points = Placed<K>(eyes, x, z).points;
      if constexpr (Traits::slides > 0) eyes.check_places(points, x.time);
      Vec<S, Traits::rows> own = Vec<S, Traits::rows>::Zero();
      const Eigen::Matrix<S, Traits::positions, Traits::rows> along = eyes.along(points);
      for (int r = 0; r < Traits::rows; ++r)
        for (int i = 0; i < Traits::positions; ++i) own[r] += along(i, r) * multipliers[m + i];
      if constexpr (Traits::Has::check)
        with_seen([&](const auto&... one) { c.check(own, one..., x.time); }, eyes.now(points));
      lambda.conservativeResize(lambda.size() + Traits::rows);
      lambda.template tail<Traits::rows>() = own;
    });
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
        bool space = ConstraintTraits<K>::places == 1;
        for (const Window& w : Placed<K>(Eyes<K>(c), x, z).windows)
          if (w.count == 0)
            space = true;
          else
            touched.push_back(w.body);
        f(touched, space);
      }
    });
  }

 private:
  template <class K>
  using Placed = PlacedConstraint<K>;

  /// A constraint whose internal coordinates begin at z, and its multipliers at m.
  template <class K>
  void add_one(const K& c, const State<S>& x, const Column& multipliers, int z, int m,
               StaticTable<S>& table) const {
    using Terms = ConstraintTangent<K>;
    constexpr int P = Terms::P;
    const Eyes<K> eyes(c);
    const Placed<K> placed(eyes, x, z);
    Terms terms;
    terms.find_of_positions(eyes, placed.points, take<P>(multipliers, m), x.time);
    eyes.each([&](auto i) {
      const auto& place = std::get<i>(eyes.places());
      if constexpr (PlaceOf<K, i>::slides) {
        table.reach[static_cast<std::size_t>(z + Eyes<K>::template slide_of<i>())] = place.reach();
      }
      if (!Terms::averages(static_cast<int>(i)) && place.count() > 0) {
        const Vec<S, 3> pull = terms.pull.template segment<3>(6 * static_cast<int>(i));
        table.note_torque(pull.norm() * place.arm(placed.points[i]).norm());
      }
    });
    for (int p = 0; p < P; ++p) {
      table.error[m + p] = terms.error[p];
      table.error_scale[m + p] = terms.change(p, table.metres);
    }
    if constexpr (P > 0) put(sizes_of_rows(eyes, placed.points, x.time), table.error_size, m);
    put(terms.apart, table.apart, z);
    const Index s0 = table.slide(z), m0 = table.multiplier(m);
    PlaceUnknowns<S> unknowns;
    unknowns.find(eyes, placed, x.chains, first_, s0, terms);
    unknowns.each_force(terms.view(), [&](Index row, const S& force) { table.push(row, force); });
    unknowns.each_stiffness(terms.view(),
                            [&](Index row, Index column, const S& k) { table.add(row, column, k); });
    unknowns.each_tangency(terms.view(),
                           [&](int r, Index column, const S& slope) { table.add(s0 + r, column, slope); });
    for (int p = 0; p < P; ++p) {
      for (int v = 0; v < Terms::variables; ++v)
        for (const auto& [column, weight] : unknowns.variable(v))
          table.add(m0 + p, column, -terms.slopes(p, v) * weight);
      for (int a = 0; a < 6 * Terms::N; ++a) {
        if (a % 6 >= 3 && Terms::averages(a / 6)) continue;  // φ does not see their spin
        for (const auto& [row, weight] : unknowns.velocity(a))
          table.add(row, m0 + p, -weight * terms.slopes(p, a));
      }
    }
    if constexpr (P == 1 && Terms::N == 2) add_gap(eyes, placed, unknowns, s0, table);
  }

  template <class K>
  void add_gap(const Eyes<K>& eyes, const Placed<K>& placed, const PlaceUnknowns<S>& unknowns, Index s0,
               StaticTable<S>& table) const {
    StaticGap<S> gap;
    const auto seen = eyes.now(placed.points);
    S square(0);
    for (int j = 0; j < 3; ++j) {
      const S between = seen[1].position[j] - seen[0].position[j];
      square += between * between;
    }
    gap.distance = number::sqrt(square);
    if (!(gap.distance > S(0))) return;
    eyes.each([&](auto i) {
      const S sign = i == 0 ? S(-1) : S(1);
      for (const auto& [unknown, weight] : unknowns.velocity(6 * static_cast<int>(i)))
        gap.nodes.emplace_back(unknown, sign * weight);
      if constexpr (PlaceOf<K, i>::slides)
        gap.slides.emplace_back(s0 + Eyes<K>::template slide_of<i>(), Vec<S, 3>(sign * placed.points[i].dR));
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
        z += ConstraintTraits<K>::slides;
        m += ConstraintTraits<K>::positions;
      }
    };
    std::apply([&](const auto&... list) { (kind(list), ...); }, lists_);
  }

  const Lists& lists_;
  const std::vector<Index>& first_;
};

}  // namespace dalembert::assembly::detail
