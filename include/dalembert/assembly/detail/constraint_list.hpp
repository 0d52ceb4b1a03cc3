#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/assembly/detail/row_system.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>

/// All constraints of an assembly, of several kinds: what they say in a state is put into one table of rows.
namespace dalembert::assembly::detail {

/// Constraints of the kinds C; see the head of this file.
template <class S, Constraint... C>
class ConstraintList {
 public:
  using Lists = std::tuple<std::vector<C>...>;
  using Column = Vec<S, Eigen::Dynamic>;

  /// What was computed of a state: nothing in it is read before it is computed anew.
  struct Workspace {
    RowSystem<S> rows;
    std::tuple<std::vector<Evaluation<C>>...> evaluations;
    Column mu, slip;  ///< numbers per row
    Column push;      ///< a number per position row
    Column zdot;      ///< ż
  };

  /// Throws std::invalid_argument for a place that is not on these chains.
  ConstraintList(Lists lists, const std::vector<Chain<S>>& chains) : lists_(std::move(lists)) {
    each([&]<class K>(const K& c, int number) {
      using Traits = ConstraintTraits<K>;
      rows_ += Traits::rows;
      slides_ += Traits::slides;
      const std::string what = message({K::name, " ", number});
      std::apply([&](const auto&... place) { (place.check(chains, what), ...); }, c.places());
      if constexpr (requires { c.check_parameters(); }) c.check_parameters();
    });
  }

  [[nodiscard]] const Lists& lists() const noexcept { return lists_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int slides() const noexcept { return slides_; }

  /// Number of the first row of constraint `i` of kind I.
  template <std::size_t I>
  [[nodiscard]] int first_row(std::size_t i) const {
    int row = 0;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((row += static_cast<int>(std::get<J>(lists_).size()) *
               ConstraintTraits<std::tuple_element_t<J, std::tuple<C...>>>::rows),
       ...);
    }
    (std::make_index_sequence<I>{});
    return row + static_cast<int>(i) * ConstraintTraits<std::tuple_element_t<I, std::tuple<C...>>>::rows;
  }

  [[nodiscard]] Workspace make_workspace(const std::vector<Chain<S>>& chains) const {
    Workspace w;
    each([&]<class K>(const K& c, int) {
      using Traits = ConstraintTraits<K>;
      std::vector<int> packs;
      bool turns = Traits::Has::turns;
      std::apply([&](const auto&... place) { turns = (turns || ... || place.beside_node()); }, c.places());
      std::apply([&](const auto&... place) { (packs.push_back(place.packs()), ...); }, c.places());
      w.rows.add(Traits::rows, Traits::positions, Traits::Has::reaction, turns, packs);
    });
    w.rows.make_room(chains);
    w.evaluations = std::tuple<std::vector<Evaluation<C>>...>{
        std::vector<Evaluation<C>>(std::get<std::vector<C>>(lists_).size())...};
    w.mu = w.slip = Column::Zero(rows_);
    w.push = w.rows.error;
    w.zdot = Column::Zero(slides_);
    return w;
  }

  /// Solve the tangencies of all constraints for the internal coordinates of `x`. Throws NoConvergence.
  void solve_tangencies(State<S>& x) const {
    int z = 0;
    each([&]<class K>(const K& c, int number) {
      if constexpr (ConstraintTraits<K>::slides > 0) {
        std::array<Point<S>, static_cast<std::size_t>(ConstraintTraits<K>::places)> points;
        solve_tangency(Eyes<K>(c), number, x, z, points, S(0));
      }
      z += ConstraintTraits<K>::slides;
    });
  }

  /// Where all places are: points, windows, position errors.
  void find_places(const State<S>& x, Workspace& w) const { place_all<false>(x, w); }
  /// The same near the internal coordinates that the tangencies have: returns whether `x` has them. Otherwise it gets them but for an error of
  /// second order, and what was found belongs to those before. Throws NoConvergence.
  bool settle(State<S>& x, Workspace& w) const { return place_all<true>(x, w); }

  /// The rows at the places found.
  void find_rows(const State<S>& x, Workspace& w) const {
    each_evaluated(w, [&]<class K>(const K& c, Evaluation<K>& e, ConstraintRows<S>& r) {
      const Eyes<K> eyes(c);
      eyes.find_rows(e, x.time);
      for (int i = 0; i < r.rows; ++i) w.rows.known[r.row + i] = e.known[i];
      const auto put = [&](const auto& block, auto& to) {
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < r.rows; ++i) to(i, j) = block(i, j);
      };
      eyes.each([&](auto i) {
        RowsAtPlace<S>& p = w.rows.places[static_cast<std::size_t>(r.place) + i];
        put(e.linear[i], p.row.linear);
        put(e.angular[i], p.row.angular);
        if constexpr (ConstraintTraits<K>::Has::reaction) {
          put(e.reaction_linear[i], p.reaction.linear);
          put(e.reaction_angular[i], p.reaction.angular);
        }
      });
    });
  }

  /// ż and Ȧv + ḃ at the places found.
  void find_rates(const State<S>& x, Workspace& w) const {
    int z = 0;
    each_evaluated(w, [&]<class K>(const K& c, Evaluation<K>& e, ConstraintRows<S>& r) {
      constexpr int Z = ConstraintTraits<K>::slides;
      const Eyes<K> eyes(c);
      eyes.each([&](auto i) { std::get<i>(eyes.places()).find_velocity(x.chains, e.points[i]); });
      if constexpr (Z > 0) {
        const auto [f, slopes] = eyes.tangency(e.points);
        e.zdot = slide<Z>(slopes, Vec<S, Z>(slopes.col(Z)), x.time);
        for (int i = 0; i < Z; ++i) w.zdot[z + i] = e.zdot[i];
      }
      eyes.find_drift(e, x.time);
      for (int i = 0; i < r.rows; ++i) w.rows.drift[r.row + i] = e.drift[i];
      z += Z;
    });
  }

  /// Throws what constraints throw that are no longer valid with these multipliers.
  void check(const State<S>& x, Workspace& w, const Column& lambda) const {
    each_evaluated(w, [&]<class K>(const K& c, Evaluation<K>& e, ConstraintRows<S>& r) {
      if constexpr (ConstraintTraits<K>::Has::check) {
        Vec<S, ConstraintTraits<K>::rows> l;
        for (int i = 0; i < r.rows; ++i) l[i] = lambda[r.row + i];
        with_seen([&](const auto&... one) { c.check(l, one..., x.time); }, Eyes<K>(c).now(e.points));
      }
    });
  }

  /// "row 2 of Hinge 3" of a row, counted over all.
  [[nodiscard, gnu::cold]] std::string name_of_row(int row) const {
    std::string text = "no row";
    int first = 0;
    each([&]<class K>(const K&, int number) {
      const int count = ConstraintTraits<K>::rows;
      if (row >= first && row < first + count) {
        if constexpr (requires { K::row_names[0]; })
          text = message(
              {"row ", K::row_names[static_cast<std::size_t>(row - first)], " of ", K::name, " ", number});
        else
          text = message({"row ", row - first, " of ", K::name, " ", number});
      }
      first += count;
    });
    return text;
  }

 private:
  static constexpr int iteration_limit = 50;

  template <class F>
  void each(F&& f) const {
    [[maybe_unused]] const auto kind = [&](const auto& list) {
      int number = 0;
      for (const auto& c : list) f(c, number++);
    };
    std::apply([&](const auto&... list) { (kind(list), ...); }, lists_);
  }
  template <class F>
  void each_evaluated(Workspace& w, F&& f) const {
    [[maybe_unused]] std::size_t at = 0;
    [[maybe_unused]] const auto kind = [&](const auto& list, auto& evaluations) {
      for (std::size_t i = 0; i < list.size(); ++i) f(list[i], evaluations[i], w.rows.constraints[at++]);
    };
    (kind(std::get<std::vector<C>>(lists_), std::get<std::vector<Evaluation<C>>>(w.evaluations)), ...);
  }

  template <bool settles, class X>
  bool place_all(X& x, Workspace& w) const {
    int z = 0, number = 0;
    bool settled = true;
    w.rows.size = S(0);
    each_evaluated(w, [&]<class K>(const K& c, Evaluation<K>& e, ConstraintRows<S>& r) {
      const Eyes<K> eyes(c);
      if constexpr (settles && ConstraintTraits<K>::slides > 0)
        settled = solve_tangency(eyes, number, x, z, e.points, S(1e-6)) && settled;
      else
        find_points(eyes, x, z, e.points);
      ++number;
      for (const Point<S>& p : e.points)
        for (int i = 0; i < 3; ++i) w.rows.size = std::max(w.rows.size, std::abs(p.R[i]));
      eyes.each([&](auto i) {
        RowsAtPlace<S>& p = w.rows.places[static_cast<std::size_t>(r.place) + i];
        std::get<i>(eyes.places()).bear(e.points[i], p.window, w.rows.weights.data() + p.window.weights);
      });
      if constexpr (ConstraintTraits<K>::positions > 0) {
        eyes.find_error(e, x.time);
        for (int i = 0; i < r.positions; ++i) {
          w.rows.error[r.position + i] = e.error[i];
          for (int j = 0; j < r.rows; ++j) r.along(i, j) = e.along(i, j);
        }
      }
      z += ConstraintTraits<K>::slides;
    });
    w.rows.find_clusters();
    return settled;
  }

  template <class K, class Points>
  static void find_points(const Eyes<K>& eyes, const State<S>& x, int z, Points& points) {
    eyes.each([&](auto i) {
      const auto& place = std::get<i>(eyes.places());
      S s(0);
      if constexpr (std::decay_t<decltype(place)>::slides) s = x.z[z + Eyes<K>::template slide_of<i>()];
      place.find(x.chains, s, x.time, points[i]);
    });
  }

  /// −J⁻¹ f. Throws ParallelRods where J is singular.
  template <int Z, class Slopes>
  [[nodiscard]] static Vec<S, Z> slide(const Slopes& slopes, const Vec<S, Z>& f, S time) {
    if constexpr (Z == 1) {
      if (!(std::abs(slopes(0, 0)) > S(0))) throw_singular(time);
      return Vec<S, Z>(-f[0] / slopes(0, 0));
    } else {
      static_assert(Z == 2, "at most two places of a constraint move along rods");
      const S product = std::abs(slopes(0, 0) * slopes(1, 1)) + std::abs(slopes(0, 1) * slopes(1, 0));
      const S det = slopes(0, 0) * slopes(1, 1) - slopes(0, 1) * slopes(1, 0);
      if (!(std::abs(det) > S(16) * std::numeric_limits<S>::epsilon() * product)) throw_singular(time);
      return {(slopes(0, 1) * f[1] - slopes(1, 1) * f[0]) / det,
              (slopes(1, 0) * f[0] - slopes(0, 0) * f[1]) / det};
    }
  }
  [[noreturn, gnu::cold, gnu::noinline]] static void throw_singular(S time) {
    throw ParallelRods("ParallelRods: the tangency equations are singular", static_cast<double>(time));
  }

  /// Newton's method on the internal coordinates of one constraint, until it steps nowhere (then `points` are where it ends, and the answer is
  /// true) or less than this part of a window.
  template <class K, class Points>
  static bool solve_tangency(const Eyes<K>& eyes, int number, State<S>& x, int z, Points& points, S near) {
    constexpr int Z = ConstraintTraits<K>::slides;
    S limit(0);  // no step is longer than the widest window allows
    eyes.each([&](auto i) {
      if constexpr (std::decay_t<decltype(std::get<i>(eyes.places()))>::slides)
        limit = std::max(limit, std::get<i>(eyes.places()).reach());
    });
    for (int i = 0; i < iteration_limit; ++i) {
      find_points(eyes, x, z, points);
      const auto [f, slopes] = eyes.tangency(points);
      const Vec<S, Z> step = slide<Z>(slopes, f, x.time);
      S longest(0), size = limit;
      for (int j = 0; j < Z; ++j) longest = std::max(longest, std::abs(step[j]));
      for (const Point<S>& p : points)
        for (int j = 0; j < 3; ++j) size = std::max(size, std::abs(p.R[j]));
      if (longest <= S(512) * std::numeric_limits<S>::epsilon() * size) return true;
      const S factor = longest > limit ? limit / longest : S(1);
      for (int j = 0; j < Z; ++j) x.z[z + j] += factor * step[j];
      if (longest <= near * limit) return false;
    }
    throw NoConvergence(message({"NoConvergence: the tangency of ", K::name, " ", number}),
                        static_cast<double>(x.time));
  }

  Lists lists_;
  int rows_ = 0, slides_ = 0;
};

}  // namespace dalembert::assembly::detail
