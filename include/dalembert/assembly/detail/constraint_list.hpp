#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/cluster_system.hpp>
#include <dalembert/assembly/detail/clusters.hpp>
#include <dalembert/assembly/detail/tangency.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>

/// All constraints of an assembly, of several kinds: what they say in a state.
namespace dalembert::assembly::detail {

/// Where the numbers of one constraint lie among those of all.
struct Slot {
  int number = 0;         ///< among those of its kind
  int row = 0;            ///< the first of its rows
  int position = 0;       ///< of its position rows
  int z = 0;              ///< of its internal coordinates
  std::size_t index = 0;  ///< among the constraints
};

/// Constraints of the kinds C; see the head of this file.
template <class S, Constraint... C>
class ConstraintList {
 public:
  using Lists = std::tuple<std::vector<C>...>;
  using Column = Vec<S, Eigen::Dynamic>;
  using System = ClusterSystem<S, (ConstraintTraits<C>::Has::reaction || ...)>;

  /// What was computed of a state: nothing in it is read before it is computed anew.
  struct Workspace {
    std::tuple<std::vector<Evaluation<C>>...> evaluations;
    std::vector<S> weights;  ///< of the nodes of all windows; the first is 1, for places at a node
    Clusters clusters;
    std::vector<System> systems;        ///< of the clusters, where they are not solved in closed form
    std::vector<RowsView<S>> members;   ///< of the cluster at work
    std::vector<std::size_t> together;  ///< clusters of more than one constraint
    std::vector<std::size_t> groups;    ///< clusters that are not solved in closed form
    Column mu, known;                   ///< numbers per row
    Column push;                        ///< a number per position row
  };

  /// Throws std::invalid_argument for a place that is not on these chains.
  [[gnu::cold]] ConstraintList(Lists lists, const State<S>& shape) : lists_(std::move(lists)) {
    each([&]<class K>(const K& c, const Slot& slot) {
      const std::string what = message({K::name, " ", slot.number});
      std::apply([&]<class... P>(const P&... place) { (place.check(bearers<P>(shape), what), ...); },
                 c.places());
      if constexpr (requires { c.check_parameters(); }) c.check_parameters();
      follow_rates_ = follow_rates_ || follows_rates(c);
    });
    const Slot end = first_of(sizeof...(C));
    rows_ = end.row;
    positions_ = end.position;
    slides_ = end.z;
    constraints_ = end.index;
  }

  [[nodiscard]] const Lists& lists() const noexcept { return lists_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int positions() const noexcept { return positions_; }
  [[nodiscard]] int slides() const noexcept { return slides_; }

  /// Number of the first row of constraint `i` of kind I.
  template <std::size_t I>
  [[nodiscard]] int first_row(std::size_t i) const {
    return first_of(I).row +
           static_cast<int>(i) * ConstraintTraits<std::tuple_element_t<I, std::tuple<C...>>>::rows;
  }

  [[nodiscard, gnu::cold]] Workspace make_workspace(const State<S>& shape) const {
    Workspace w;
    w.evaluations = std::tuple<std::vector<Evaluation<C>>...>{
        std::vector<Evaluation<C>>(std::get<std::vector<C>>(lists_).size())...};
    w.weights.assign(1, S(1));
    each(w, [&]<class K>(const K& c, Evaluation<K>& e, const Slot&) {
      const Eyes<K> eyes(c);
      e.turns = ConstraintTraits<K>::Has::turns;
      eyes.each([&](auto i) {
        const auto& place = std::get<i>(eyes.places());
        e.windows[i].count = place.count();
        if constexpr (by_nodes<K>) e.nodes.make_room(i, place.count());
        e.turns = e.turns || place.beside_node();
        if constexpr (!is_one_node<PlaceOf<K, i>>) {
          e.windows[i].weights = static_cast<Eigen::Index>(w.weights.size());
          constexpr Eigen::Index width = rod::width_of<rod::WindowPack<S>>;
          const Eigen::Index packs = (place.count() + width - 1) / width;
          w.weights.resize(w.weights.size() + static_cast<std::size_t>(packs * width), S(0));
        }
      });
    });
    if constexpr (sizeof...(C) == 0) return w;
    std::vector<std::vector<int>> owners;
    for (std::size_t i = 0; i < shape.chains.size(); ++i) {
      const Eigen::Index on_line = i < shape.lines.size() ? shape.lines[i].displacement.size() : 0;
      owners.emplace_back(static_cast<std::size_t>(std::max(shape.chains[i].nodes, on_line)), -1);
    }
    w.clusters.make_room(constraints_, std::move(owners));
    w.systems.resize(constraints_);
    w.members.reserve(constraints_);
    w.together.reserve(constraints_);
    w.groups.reserve(constraints_);
    w.mu = w.known = Column::Zero(rows_);
    w.push = Column::Zero(positions_);
    return w;
  }

  /// f(constraint, slot) for all of them.
  template <class F>
  void each(F&& f) const {
    [[maybe_unused]] Slot slot;
    (each_of_kind<C>(slot, [&](const C& c, const Slot& at) { f(c, at); }), ...);
  }
  /// f(constraint, evaluation, slot) for all of them.
  template <class F>
  void each(Workspace& w, F&& f) const {
    [[maybe_unused]] Slot slot;
    (each_of_kind<C>(slot,
                     [&](const C& c, const Slot& at) {
                       f(c, evaluations<C>(w)[static_cast<std::size_t>(at.number)], at);
                     }),
     ...);
  }
  /// The same, where `ahead(evaluation)` is called for the next one of a kind before each.
  template <class Ahead, class F>
  void each(Workspace& w, const Ahead& ahead, F&& f) const {
    each(w, [&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
      if (static_cast<std::size_t>(slot.number) + 1 < evaluations<K>(w).size()) ahead((&e)[1]);
      f(c, e, slot);
    });
  }
  /// f(constraint, evaluation, slot) for constraint number `index`.
  template <class F>
  void with(std::size_t index, Workspace& w, F&& f) const {
    [[maybe_unused]] Slot slot;
    [[maybe_unused]] const auto kind = [&]<class K>(const std::vector<K>& list) {
      if (index < slot.index + list.size() && index >= slot.index) {
        const std::size_t number = index - slot.index;
        Slot at = slot;
        advance<K>(at, number);
        at.number = static_cast<int>(number);
        f(list[number], evaluations<K>(w)[number], at);
      }
      advance<K>(slot, list.size());
    };
    (kind(std::get<std::vector<C>>(lists_)), ...);
  }

  /// The same for the members of a cluster.
  template <class F>
  void each_member(std::size_t cluster, Workspace& w, const F& f) const {
    for (std::size_t j = w.clusters.begin(cluster); j < w.clusters.begin(cluster + 1); ++j)
      with(w.clusters.member(j), w, f);
  }

  /// Solve the tangencies for the internal coordinates of `x`, of all constraints or but for those that follow their rates. Throws NoConvergence.
  [[gnu::cold]] void solve_tangencies(State<S>& x, bool all) const {
    each([&]<class K>(const K& c, const Slot& slot) {
      if constexpr (ConstraintTraits<K>::slides > 0) {
        Evaluation<K> e;
        if constexpr (ConstraintTraits<K>::Has::tangency) {
          if (all || !follows_rates(c)) {
            solve_tangency(Eyes<K>(c), slot.number, x, slot.z, e, static_cast<S*>(nullptr), S(0));
            return;
          }
        }
        find_points(Eyes<K>(c), x, slot.z, e, static_cast<S*>(nullptr));  // are there such places?
      }
    });
  }

  /// Whether some internal coordinates follow their rates.
  [[nodiscard]] bool follow_rates() const noexcept { return follow_rates_; }
  /// The internal coordinates after h, from those of `at` and ż there; of constraints that follow them, at their rates in the state `x`.
  void follow_rates(const State<S>& at, const Column& zdot, S h, State<S>& x) const {
    each([&]<class K>(const K& c, const Slot& slot) {
      constexpr int Z = Evaluation<K>::Z;
      if constexpr (Z > 0) {
        Vec<S, Z> rate = zdot.template segment<Z>(slot.z);
        if (follows_rates(c)) {
          const Eyes<K> eyes(c);
          Evaluation<K> e;
          find_points(eyes, x, slot.z, e, static_cast<S*>(nullptr));
          find_slopes(eyes, x, e);
          find_velocities(eyes, x, e);
          rate = rate_of_places(eyes, e, x);
        }
        for (int j = 0; j < Z; ++j) x.z[slot.z + j] = at.z[slot.z + j] + h * rate[j];
      }
    });
  }

  /// Where all places are, which constraints share nodes, and position errors.
  void find_places(const State<S>& x, Workspace& w) const {
    if constexpr (sizeof...(C) == 0) return;
    each(w, [&]<class K>(const K& c, Evaluation<K>& e, const Slot& slot) {
      const Eyes<K> eyes(c);
      find_points(eyes, x, slot.z, e, w.weights.data());
      e.settled = true;
      find_slopes(eyes, x, e);
      eyes.find_error(e, x.time);
    });
    find_clusters(w);
  }
  /// The clusters of the windows found. Answers whether they are others than before.
  [[gnu::noinline]] bool find_clusters(Workspace& w) const {
    bool moved = w.clusters.count() == 0;
    each(w, [&]<class K>(const K&, Evaluation<K>& e, const Slot&) {
      for (int i = 0; i < Evaluation<K>::N; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (e.clustered_at[at] != e.windows[at].first) moved = true;
        e.clustered_at[at] = e.windows[at].first;
      }
    });
    if (!moved) return false;
    w.clusters.find([&](const auto& touch) {
      each(w, [&]<class K>(const K&, Evaluation<K>& e, const Slot& slot) {
        for (const Window& v : e.windows) {
          if (v.count == 0) continue;
          Eigen::Index first = v.first, end = first + v.count;
          if constexpr (requires { K::beyond; }) {
            first = std::max(first - K::beyond, Eigen::Index(0));
            end = std::min(end + K::beyond, w.clusters.nodes(v.body));
          }
          if (v.around > 0 && end > v.around) {  // on a closed string, past its last node
            touch(slot.index, v.body, std::size_t{0}, static_cast<std::size_t>(end - v.around));
            end = v.around;
          }
          touch(slot.index, v.body, static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
        }
      });
    });
    w.together.clear();
    for (std::size_t i = 0; i < w.clusters.count(); ++i) {
      const bool alone = w.clusters.begin(i + 1) - w.clusters.begin(i) == 1;
      if (!alone) w.together.push_back(i);
      each_member(i, w, [&](const auto&, auto& e, const Slot&) {
        e.cluster = i;
        e.alone = alone;
      });
    }
    return true;
  }

  /// ż and Ȧv + ḃ of one constraint at the places found.
  template <class K>
  static void find_rates(const K& c, const State<S>& x, Evaluation<K>& e) {
    const Eyes<K> eyes(c);
    find_velocities(eyes, x, e);
    if constexpr (ConstraintTraits<K>::slides > 0) e.zdot = rate_of_places(eyes, e, x);
    eyes.find_drift(e, x);
  }
  /// Throws what a constraint throws that is no longer valid with these multipliers.
  template <class K>
  static void check(const K& c, const State<S>& x, const Evaluation<K>& e,
                    const Vec<S, ConstraintTraits<K>::rows>& lambda) {
    if constexpr (ConstraintTraits<K>::Has::check) {
      const Eyes<K> eyes(c);
      if constexpr (by_nodes<K>)
        c.check(lambda, eyes.sight(e, x));
      else
        with_seen([&](const auto&... seen) { c.check(lambda, seen..., x.time); }, eyes.now(e.points));
    }
  }

  /// "row axis 1 of Hinge 3 (body 0, body 1)" of a row, or of a position row, counted over all.
  [[nodiscard, gnu::cold]] std::string name_of_row(int row, bool positions = false) const {
    std::string text = "no row";
    each([&]<class K>(const K& c, const Slot& slot) {
      using Traits = ConstraintTraits<K>;
      const int at = row - (positions ? slot.position : slot.row);
      if (at < 0 || at >= (positions ? Traits::positions : Traits::rows)) return;
      text = message({positions && Traits::positions < Traits::rows ? "position row " : "row ", at});
      if constexpr (requires { K::row_names[0]; })
        if (!positions || Traits::positions == Traits::rows)
          text = message({"row ", K::row_names[static_cast<std::size_t>(at)]});
      text += message({" of ", K::name, " ", slot.number, " ("});
      const char* between = "";
      const auto add = [&](const auto& place) {
        text += place.count() > 0 ? message({between, "body ", place.body}) : message({between, "space"});
        between = ", ";
      };
      std::apply([&](const auto&... place) { (add(place), ...); }, c.places());
      text += ')';
    });
    return text;
  }

 private:
  template <class K>
  [[nodiscard]] static std::vector<Evaluation<K>>& evaluations(Workspace& w) noexcept {
    return std::get<std::vector<Evaluation<K>>>(w.evaluations);
  }
  template <class K>
  static void advance(Slot& slot, std::size_t count) noexcept {
    using Traits = ConstraintTraits<K>;
    slot.index += count;
    slot.row += Traits::rows * static_cast<int>(count);
    slot.position += Traits::positions * static_cast<int>(count);
    slot.z += Traits::slides * static_cast<int>(count);
  }
  template <class K, class F>
  void each_of_kind(Slot& slot, F&& f) const {
    slot.number = 0;
    for (const K& c : std::get<std::vector<K>>(lists_)) {
      f(c, slot);
      advance<K>(slot, 1);
      ++slot.number;
    }
  }
  /// Where the constraints of a kind begin.
  [[nodiscard]] Slot first_of(std::size_t kind) const noexcept {
    Slot slot;
    [[maybe_unused]] std::size_t number = 0;
    ((number++ < kind ? advance<C>(slot, std::get<std::vector<C>>(lists_).size()) : void()), ...);
    return slot;
  }

  Lists lists_;
  int rows_ = 0, positions_ = 0, slides_ = 0;
  std::size_t constraints_ = 0;
  bool follow_rates_ = false;
};

}  // namespace dalembert::assembly::detail
