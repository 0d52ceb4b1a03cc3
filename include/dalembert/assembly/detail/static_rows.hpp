#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/eyes.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/assembly/detail/row_sizes.hpp>
#include <dalembert/assembly/detail/static_equations.hpp>
#include <dalembert/assembly/detail/static_terms.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// The constraints of an assembly in statics: how what they say at their places acts on the nodes that bear
/// these.
namespace dalembert::assembly::detail {

/// A node that bears a place.
template <class S>
struct BornNode {
  Eigen::Index unknown;  ///< number of the first of its six unknowns
  S weight;              ///< α
  S slope;               ///< α′ [1/m]
};

/// An unknown that a variable of a place is a sum of, and its weight.
template <class S>
struct Share {
  Eigen::Index unknown;
  S weight;
};

/// The nodes that bear a place.
template <class S>
struct Bearing {
  std::size_t body = 0;
  bool slides = false;
  std::vector<BornNode<S>> nodes;  ///< none for a place in space

  Bearing() = default;
  /// Of a place at its point; unknowns of body i begin at first[i].
  template <class Place>
  Bearing(const Place& place, const Point<S>& p, const std::vector<rod::Chain<S>>& chains,
          const std::vector<Eigen::Index>& first)
      : slides(Place::slides) {
    const Eigen::Index count = place.count();
    if (count == 0) return;
    constexpr Eigen::Index width = rod::width_of<rod::WindowPack<S>>;
    const auto lanes = static_cast<std::size_t>((count + width - 1) / width * width);
    std::vector<S> weights(lanes, S(1)), slopes(lanes, S(0));
    Window window;
    Point<S> point;
    place.find(chains, p.s, S(0), point, window, weights.data());
    if constexpr (Place::slides) place.bear_slopes(p, slopes.data());
    body = window.body;
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto lane = static_cast<std::size_t>(i);
      if (!number::is_zero(weights[lane]) || !number::is_zero(slopes[lane]))
        nodes.push_back({first[body] + 6 * (window.first + i), weights[lane], slopes[lane]});
    }
  }

  /// The unknowns of which its variable j is the sum: positions, then its tangent, if it slides, or else
  /// turns.
  void share(int j, std::vector<Share<S>>& shares) const {
    for (const BornNode<S>& n : nodes)
      if (j < 3)
        shares.push_back({n.unknown + j, n.weight});
      else if (slides)
        shares.push_back({n.unknown + j - 3, n.slope});
      else
        shares.push_back({n.unknown + j, S(1)});
  }
};

/// Torques and turns of the place whose variables begin at `first`, from space to the axes of a body with
/// this rotation:
///   τ → Λᵀτ, whose change is Λᵀ(δτ + τ × θ),  θ = ΛΣ.
template <class S, class Terms>
void turn_to_body(const SO3<S>& rotation, int first, Terms& terms) {
  const int t = first + 3;
  const Vec<S, 3> torque(terms.pull[t], terms.pull[t + 1], terms.pull[t + 2]);
  for (int j = 0; j < 3; ++j) {  // τ × θ
    const int next = (j + 1) % 3, last = (j + 2) % 3;
    terms.curvature(t + j, t + last) += torque[next];
    terms.curvature(t + j, t + next) -= torque[last];
  }
  const Mat<S, 3> lambda = rotation.matrix();
  const auto turn_row = [&](auto& column) {
    S x[3] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) x[i] += lambda(j, i) * column[t + j];
    for (int i = 0; i < 3; ++i) column[t + i] = x[i];
  };
  turn_row(terms.pull);
  for (int v = 0; v < Terms::variables; ++v) {
    auto column = terms.curvature.col(v);
    turn_row(column);
  }
  const auto turn_columns = [&](auto& block) {
    for (int r = 0; r < block.rows(); ++r) {
      S x[3] = {};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) x[i] += block(r, t + j) * lambda(j, i);
      for (int i = 0; i < 3; ++i) block(r, t + i) = x[i];
    }
  };
  turn_columns(terms.curvature);
  turn_columns(terms.slopes);
  turn_columns(terms.tangency);
}

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
      for (const Seen<S>& one : see(c, find_points(c, x, z))) f(one.position);
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
      const auto points = find_points(c, x, z);
      if constexpr (Traits::slides > 0) Eyes<K>(c).check_places(points, x.time);
      const auto seen = see(c, points);
      Vec<S, Traits::rows> own = Vec<S, Traits::rows>::Zero();
      if constexpr (Traits::Has::along) {
        const auto along = with_seen([&](const auto&... one) { return c.along(one...); }, seen).eval();
        for (int r = 0; r < Traits::rows; ++r)
          for (int i = 0; i < Traits::positions; ++i) own[r] += along(i, r) * multipliers[m + i];
      } else {
        for (int r = 0; r < Traits::positions; ++r) own[r] = multipliers[m + r];
      }
      if constexpr (Traits::Has::check)
        with_seen([&](const auto&... one) { c.check(own, one..., x.time); }, seen);
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
        for (const Bearing<S>& b : find_bearings(c, x, find_points(c, x, z))) {
          if (b.nodes.empty())
            space = true;
          else
            touched.push_back(b.body);
        }
        f(touched, space);
      }
    });
  }

 private:
  template <class K, class Points>
  [[nodiscard, gnu::noinline]] static auto see(const K& c, const Points& points) {
    return StaticTerms<K>::template seen<S>(c, [&](auto i) {
      const Point<S>& p = points[i];
      return Moving<S>{p.R, p.dR, p.rotation, p.V, p.W};
    });
  }
  template <class K>
  [[nodiscard, gnu::noinline]] auto find_points(const K& c, const State<S>& x, int z) const {
    typename StaticTerms<K>::Points points;
    const auto places = c.places();
    StaticTerms<K>::each_place([&](auto i) {
      S s(0);
      if constexpr (PlaceOf<K, i>::slides) s = x.z[z + StaticTerms<K>::template slide<i>];
      Window window;
      std::get<i>(places).find(x.chains, s, x.time, points[i], window, static_cast<S*>(nullptr));
    });
    return points;
  }
  template <class K, class Points>
  [[nodiscard, gnu::noinline]] auto find_bearings(const K& c, const State<S>& x, const Points& points) const {
    std::array<Bearing<S>, static_cast<std::size_t>(StaticTerms<K>::N)> borne;
    const auto places = c.places();
    StaticTerms<K>::each_place(
        [&](auto i) { borne[i] = Bearing<S>(std::get<i>(places), points[i], x.chains, first_); });
    return borne;
  }

  /// A constraint whose internal coordinates begin at z, and its multipliers at m.
  template <class K>
  void add_one(const K& c, const State<S>& x, const Column& multipliers, int z, int m,
               StaticTable<S>& table) const {
    using Terms = StaticTerms<K>;
    const auto points = find_points(c, x, z);
    const auto borne = find_bearings(c, x, points);
    Vec<S, Terms::P> own;
    for (int p = 0; p < Terms::P; ++p) own[p] = multipliers[m + p];
    Terms terms;
    terms.find(c, points, own, x.time);
    const Index s0 = table.slide(z), m0 = table.multiplier(m);
    Terms::each_place([&](auto i) {
      if constexpr (Terms::template slides<i>) {  // the pull moves along with s
        for (const BornNode<S>& n : borne[i].nodes)
          for (int j = 0; j < 3; ++j)
            table.add(n.unknown + j, s0 + Terms::template slide<i>,
                      -n.slope * terms.pull[6 * static_cast<int>(i) + j]);
        table.reach[static_cast<std::size_t>(z + Terms::template slide<i>)] = std::get<i>(c.places()).reach();
      } else {
        const Vec<S, 3> pull = terms.pull.template segment<3>(6 * static_cast<int>(i));
        if (!borne[i].nodes.empty())
          table.note_torque(pull.norm() * std::get<i>(c.places()).arm(points[i]).norm());
        turn_to_body(points[i].rotation, 6 * static_cast<int>(i), terms);
      }
    });
    // the unknowns of which each variable is the sum
    std::array<std::vector<Share<S>>, static_cast<std::size_t>(Terms::variables)> shares;
    for (int v = 0; v < Terms::variables; ++v) {
      auto& of_v = shares[static_cast<std::size_t>(v)];
      if (v < 6 * Terms::N)
        borne[static_cast<std::size_t>(v / 6)].share(v % 6, of_v);
      else
        of_v.push_back({s0 + v - 6 * Terms::N, S(1)});
      for (const auto& [column, w] : of_v) {
        for (int p = 0; p < Terms::P; ++p) table.add(m0 + p, column, -terms.slopes(p, v) * w);
        for (int r = 0; r < Terms::Z; ++r) table.add(s0 + r, column, terms.tangency(r, v) * w);
      }
    }
    for (int a = 0; a < 6 * Terms::N; ++a) {
      if (borne[static_cast<std::size_t>(a / 6)].slides && a % 6 >= 3) continue;
      for (const auto& [row, weight] : shares[static_cast<std::size_t>(a)]) {
        table.push(row, weight * terms.pull[a]);
        for (int v = 0; v < Terms::variables; ++v) {
          const S slope = weight * terms.curvature(a, v);
          if (number::is_zero(slope)) continue;
          for (const auto& [column, w] : shares[static_cast<std::size_t>(v)])
            table.add(row, column, -slope * w);
        }
        for (int p = 0; p < Terms::P; ++p) table.add(row, m0 + p, -weight * terms.slopes(p, a));
      }
    }
    if constexpr (Terms::P > 0) {
      const Vec<S, Terms::P> sizes = sizes_of_rows(Eyes<K>(c), points, x.time);
      for (int p = 0; p < Terms::P; ++p) {
        table.error[m + p] = terms.error[p];
        table.error_scale[m + p] = terms.change(p, table.metres);
        table.error_size[m + p] = sizes[p];
      }
    }
    for (int r = 0; r < Terms::Z; ++r) table.apart[z + r] = terms.apart[r];
    if constexpr (Terms::P == 1 && Terms::N == 2) add_gap(c, points, borne, s0, table);
  }

  template <class K, class Points, class Bearings>
  void add_gap(const K& c, const Points& points, const Bearings& borne, Index s0,
               StaticTable<S>& table) const {
    StaticGap<S> gap;
    const auto seen = see(c, points);
    S square(0);
    for (int j = 0; j < 3; ++j) {
      const S between = seen[1].position[j] - seen[0].position[j];
      square += between * between;
    }
    gap.distance = number::sqrt(square);
    if (!(gap.distance > S(0))) return;
    StaticTerms<K>::each_place([&](auto i) {
      const S sign = i == 0 ? S(-1) : S(1);
      for (const BornNode<S>& n : borne[i].nodes) gap.nodes.emplace_back(n.unknown, sign * n.weight);
      if constexpr (PlaceOf<K, i>::slides)
        gap.slides.emplace_back(s0 + StaticTerms<K>::template slide<i>, Vec<S, 3>(sign * points[i].dR));
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
