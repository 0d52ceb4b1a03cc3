#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/cluster_system.hpp>
#include <dalembert/assembly/detail/clusters.hpp>
#include <dalembert/assembly/detail/evaluator.hpp>
#include <dalembert/assembly/detail/parts.hpp>
#include <dalembert/assembly/detail/row_name.hpp>
#include <dalembert/assembly/report.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>

/// All constraints of an assembly, of several kinds: their numbers, and visits to them.
namespace dalembert::assembly::detail {

/// Where the numbers of one constraint lie among those of all.
struct Slot {
  std::size_t kind = 0;   ///< which kind of constraint it is
  int number = 0;         ///< among those of its kind
  int row = 0;            ///< the first of its rows
  int position = 0;       ///< of its position rows
  int z = 0;              ///< of its internal coordinates
  std::size_t index = 0;  ///< among the constraints
};

/// Constraints of the kinds C, and which of them act on the same bodies, directly or through others.
template <class S, Constraint... C>
class NumberedConstraints {
 public:
  using Lists = std::tuple<std::vector<C>...>;
  using Column = Vec<S, Eigen::Dynamic>;
  using System =
      ClusterSystem<S, (ConstraintTraits<C>::Has::reaction || ...), (detail::has_friction<C> || ...)>;
  static constexpr bool some = sizeof...(C) > 0;  ///< whether there are kinds at all
  /// Whether rows of some may be friction.
  static constexpr bool rub = (detail::has_friction<C> || ...);
  /// Whether position rows of some displace nodes of strings.
  static constexpr bool displace_lines = ((ConstraintTraits<C>::positions > 0 && has_line_markers<C>) || ...);

  /// What was computed of the constraints of a part.
  struct PartWork {
    Clusters clusters;
    std::vector<System> systems;        ///< of the clusters that are not solved in closed form
    std::vector<int> system_of;         ///< which of them a cluster has, −1 if it has none yet
    int systems_used = 0;               ///< how many clusters have one
    std::vector<RowsView<S>> members;   ///< of the cluster at work
    std::vector<std::size_t> together;  ///< clusters of more than one constraint
    std::vector<std::size_t> groups;    ///< clusters that are not solved in closed form
    SolveReport report;                 ///< what the last solve found out
    S step{};                           ///< how long a step is whose end is near [s], for friction
    bool unchecked = false;             ///< whether `check` of constraints is called later, for all of λ

    [[nodiscard]] System& system(std::size_t cluster) {
      return systems[static_cast<std::size_t>(system_of[cluster])];
    }
    /// Let each of the groups have one, before any of them is decomposed.
    [[gnu::noinline]] void make_systems() {
      for (const std::size_t i : groups)
        if (system_of[i] < 0) system_of[i] = systems_used++;
      const auto wanted = static_cast<std::size_t>(systems_used);
      if (systems.size() < wanted) systems = std::vector<System>(wanted);
    }
    /// Clusters are others now.
    void forget_systems() {
      std::fill(system_of.begin(), system_of.end(), -1);
      systems_used = 0;
    }
  };
  /// What was computed of a state: nothing in it is read before it is computed anew.
  struct Workspace {
    std::tuple<std::vector<Evaluation<C>>...> evaluations;
    std::vector<S> weights;  ///< of the nodes of all windows; the first is 1, for markers at a node
    std::vector<PartWork> parts;
    Clusters::Owners owners;  ///< room to find clusters
    Column mu, known;         ///< numbers per row
    Column push;              ///< a number per position row
    NodeNumbers<S> kept;      ///< room for loads, where rows are friction
  };

  /// Throws std::invalid_argument for a marker that is not on these chains, or of a handle of another set.
  NumberedConstraints(Lists lists, const State<S>& shape, BodySetId set = 0) : lists_(std::move(lists)) {
    each([&]<class K>(const K& c, const Slot& slot) {
      const std::string what = message({name_of<K>(), " ", slot.number});
      const auto check = [&]<class P>(const P& place) {
        if constexpr (requires { place.set; })
          require(may_be_same(place.set, set), what, "handle of a marker", place.body,
                  "it must be of the bodies of the assembly");
        place.check(bearers<P>(shape), what);
      };
      std::apply([&](const auto&... place) { (check(place), ...); }, c.markers());
      if constexpr (requires { c.check_parameters(); }) c.check_parameters();
      follow_rates_ = follow_rates_ || follows_rates(c);
      rows_ += ConstraintTraits<K>::rows;
      positions_ += ConstraintTraits<K>::positions;
      slides_ += ConstraintTraits<K>::internal_count;
    });
    find_parts(shape);
  }
  /// The part of each body, and how many parts there are.
  [[nodiscard]] const std::pair<std::vector<int>, std::size_t>& part_of_bodies() const noexcept {
    return part_of_bodies_;
  }

  [[nodiscard]] const Lists& lists() const noexcept { return lists_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int positions() const noexcept { return positions_; }
  [[nodiscard]] int slides() const noexcept { return slides_; }

  /// Number of the first row of constraint `i` of kind I.
  template <std::size_t I>
  [[nodiscard]] int first_row(std::size_t i) const {
    int row = 0;
    each_kind([&]<class K>(const std::vector<K>&, const Slot& first) {
      if (first.kind == I) row = slot_of<K>(first, i, i).row;
    });
    return row;
  }

  /// Whether some internal coordinates follow their rates.
  [[nodiscard]] bool follow_rates() const noexcept { return follow_rates_; }
  /// The constraints of all parts.
  [[nodiscard]] const Parts<sizeof...(C)>& parts() const noexcept { return parts_; }

  /// f(constraint, slot) for all of them.
  template <class F>
  void each(F&& f) const {
    each_kind([&]<class K>(const std::vector<K>& list, const Slot& first) {
      for (std::size_t i = 0; i < list.size(); ++i) f(list[i], slot_of<K>(first, i, first.index + i));
    });
  }
  /// f(constraint, evaluation, slot) for all of them.
  template <class F>
  void each(Workspace& w, F&& f) const {
    each([&]<class K>(const K& c, const Slot& at) {
      f(c, evaluations<K>(w)[static_cast<std::size_t>(at.number)], at);
    });
  }
  /// f(constraint, evaluation, slot) for those of part p, where `ahead(evaluation)` is called for the next
  /// one of a kind before each; the index of a slot counts the constraints of the part.
  template <class Ahead, class F>
  void each(std::size_t p, Workspace& w, const Ahead& ahead, F&& f) const {
    each_kind(p, [&]<class K>(const std::vector<K>& list, const std::size_t* begin, const std::size_t* end,
                              const Slot& first) {
      std::vector<Evaluation<K>>& mine = evaluations<K>(w);
      std::size_t index = first.index;
      for (const std::size_t* i = begin; i != end; ++i) {
        if (i + 1 != end) ahead(mine[i[1]]);
        f(list[*i], mine[*i], slot_of<K>(first, *i, index++));
      }
    });
  }
  template <class F>
  void each(std::size_t p, Workspace& w, F&& f) const {
    each(
        p, w, [](const auto&) {}, f);
  }
  /// The same for the one that has this index.
  template <class F>
  void with(std::size_t p, std::size_t index, Workspace& w, F&& f) const {
    each_kind(p, [&]<class K>(const std::vector<K>& list, const std::size_t* begin, const std::size_t* end,
                              const Slot& first) {
      if (index < first.index || index - first.index >= static_cast<std::size_t>(end - begin)) return;
      const std::size_t number = begin[index - first.index];
      f(list[number], evaluations<K>(w)[number], slot_of<K>(first, number, index));
    });
  }

  /// The same for the members of a cluster.
  template <class F>
  void each_member(std::size_t p, std::size_t cluster, Workspace& w, const F& f) const {
    const Clusters& all = w.parts[p].clusters;
    for (std::size_t j = all.begin(cluster); j < all.begin(cluster + 1); ++j) with(p, all.member(j), w, f);
  }

  /// "row axis 1 of Hinge 3 (body 0, body 1)" of a row, or of a position row, counted over all.
  [[nodiscard]] std::string name_of_row(int row, bool positions = false) const {
    std::string text = "no row";
    each([&]<class K>(const K& c, const Slot& slot) {
      using Traits = ConstraintTraits<K>;
      const int at = row - (positions ? slot.position : slot.row);
      if (at < 0 || at >= (positions ? Traits::positions : Traits::rows)) return;
      text = row_name(c, slot.number, at, positions);
    });
    return text;
  }

  /// Nodes of each body.
  [[nodiscard]] static std::vector<std::ptrdiff_t> nodes_of(const State<S>& shape) {
    std::vector<std::ptrdiff_t> nodes;
    for (std::size_t i = 0; i < shape.chains.size(); ++i)
      nodes.push_back(std::max<std::ptrdiff_t>(
          shape[i].nodes, i < shape.lines.size() ? shape.lines[i].displacement.size() : 0));
    return nodes;
  }

 protected:
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
    slot.z += Traits::internal_count * static_cast<int>(count);
  }
  /// Of one constraint, of a kind whose first has the slot `slot`.
  template <class K>
  [[nodiscard]] static Slot slot_of(Slot slot, std::size_t number, std::size_t index) noexcept {
    advance<K>(slot, number);
    slot.number = static_cast<int>(number);
    slot.index = index;
    return slot;
  }
  /// f(list, slot of its first) for each kind.
  template <class F>
  void each_kind(const F& f) const {
    [[maybe_unused]] Slot first;
    [[maybe_unused]] const auto of_kind = [&]<class K>(const std::vector<K>& list) {
      f(list, std::as_const(first));
      advance<K>(first, list.size());
      ++first.kind;
    };
    (of_kind(std::get<std::vector<C>>(lists_)), ...);
  }
  /// f(list, begin, end, slot of its first) for each kind; between are the numbers of those of part p, which
  /// the index counts.
  template <class F>
  void each_kind(std::size_t p, const F& f) const {
    std::size_t index = 0;
    each_kind([&](const auto& list, Slot first) {
      const auto mine = parts_.members(first.kind, p);
      first.index = index;
      f(list, mine.first, mine.second, std::as_const(first));
      index += static_cast<std::size_t>(mine.second - mine.first);
    });
  }

 private:
  /// Which bodies and constraints act on each other.
  void find_parts(const State<S>& shape) {
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    Islands islands(nodes_of(shape));
    std::vector<std::size_t> first_body;
    each([&](const auto& c, const Slot&) {
      std::size_t first = nobody;
      const auto touch = [&](const auto& place) {
        if (place.count() == 0) return;
        if (first == nobody) first = place.body;
        islands.join(first, place.body);
      };
      std::apply([&](const auto&... place) { (touch(place), ...); }, c.markers());
      first_body.push_back(first);
    });
    part_of_bodies_ = islands.parts();
    std::vector<int> part_of;
    for (const std::size_t body : first_body)
      part_of.push_back(body == nobody ? 0 : part_of_bodies_.first[body]);
    parts_.divide({std::get<std::vector<C>>(lists_).size()...}, part_of, part_of_bodies_.second);
  }

  Lists lists_;
  int rows_ = 0, positions_ = 0, slides_ = 0;
  bool follow_rates_ = false;
  Parts<sizeof...(C)> parts_;
  std::pair<std::vector<int>, std::size_t> part_of_bodies_;
};

}  // namespace dalembert::assembly::detail
