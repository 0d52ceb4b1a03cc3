#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/constraint_work.hpp>
#include <dalembert/assembly/detail/evaluation.hpp>
#include <dalembert/assembly/detail/friction_of_kind.hpp>
#include <dalembert/assembly/detail/kinds_of.hpp>
#include <dalembert/assembly/detail/parts.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>

/// All constraints of an assembly, of several kinds: their numbers, visits to them, and what they say in a
/// state.
namespace dalembert::assembly::detail {

/// Constraints of the kinds C, and which of them act on the same bodies, directly or through others.
template <class S, Constraint... C>
class ConstraintList {
 public:
  using Lists = std::tuple<std::vector<C>...>;
  static constexpr bool some = sizeof...(C) > 0;  ///< whether there are kinds at all
  /// Whether some may have reactions along other rows.
  static constexpr bool react_elsewhere = (ConstraintTraits<C>::Has::reaction || ...);
  /// Whether rows of some may be friction.
  static constexpr bool rub = (detail::has_friction<C> || ...);
  /// Whether position rows of some displace nodes of strings.
  static constexpr bool displace_lines = ((ConstraintTraits<C>::positions > 0 && has_line_markers<C>) || ...);

  template <class K>
  using OfKind = std::conditional_t<rub, FrictionOfKind<K>, ConstraintsOfKind<K>>;
  /// Those of a part, kind by kind: what the solution of its equations sees of them.
  using Kinds = KindsOf<std::conditional_t<rub, FrictionKind<S>, ConstraintKind<S>>, OfKind<C>...>;
  /// What was computed of a state: nothing in it is read before it is computed anew.
  struct Workspace : ConstraintWork<S, react_elsewhere, rub> {
    std::tuple<std::vector<Evaluation<C>>...> evaluations;
  };

  /// Throws std::invalid_argument for a marker that is not on these chains, or of a handle of another set.
  [[gnu::cold, gnu::noinline]] ConstraintList(Lists lists, const State<S>& shape, BodySetId set = 0)
      : lists_(std::move(lists)) {
    each([&]<class K>(const K& c, const Slot& slot) {
      const std::string what = message({name_of<K>(), " ", slot.number});
      const auto check = [&]<class P>(const P& place) {
        if constexpr (requires { place.set; })
          require(may_be_same(place.set, set), what, "handle of a marker", place.body,
                  "it must be of the bodies of the assembly");
        place.check(chains_or_lines<is_on_line<P>>(shape), what);
      };
      std::apply([&](const auto&... place) { (check(place), ...); }, c.markers());
      check_parameters_of(c);
      follow_rates_ = follow_rates_ || follows_rates(c);
    });
    end_ = each_kind([](const auto&, const Slot&) {});
    find_parts(shape);
  }
  /// The part of each body, and how many parts there are.
  [[nodiscard]] const std::pair<std::vector<int>, std::size_t>& part_of_bodies() const noexcept {
    return part_of_bodies_;
  }

  [[nodiscard]] const Lists& lists() const noexcept { return lists_; }
  [[nodiscard]] int rows() const noexcept { return end_.row; }
  [[nodiscard]] int positions() const noexcept { return end_.position; }
  [[nodiscard]] int slides() const noexcept { return end_.z; }

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
    each([&]<class K>(const K& c, const Slot& at) { f(c, evaluations<K>(w)[at.number], at); });
  }
  /// The same for those of part p; the index of a slot counts the constraints of the part.
  template <class F>
  void each(std::size_t p, Workspace& w, F&& f) const {
    each_kind(p, [&]<class K>(const std::vector<K>& list, const KindRange& range) {
      std::vector<Evaluation<K>>& mine = evaluations<K>(w);
      std::size_t index = range.first.index;
      for (const std::size_t i : range.members) f(list[i], mine[i], slot_of<K>(range.first, i, index++));
    });
  }

  /// Nodes of each body.
  [[nodiscard]] static std::vector<std::ptrdiff_t> nodes_of(const State<S>& shape) {
    std::vector<std::ptrdiff_t> nodes;
    for (std::size_t i = 0; i < shape.chains.size(); ++i)
      nodes.push_back(std::max<std::ptrdiff_t>(
          shape[i].nodes, i < shape.lines.size() ? shape.lines[i].displacement.size() : 0));
    return nodes;
  }

  template <class K>
  [[nodiscard]] static std::vector<Evaluation<K>>& evaluations(Workspace& w) noexcept {
    return std::get<std::vector<Evaluation<K>>>(w.evaluations);
  }
  /// f(list, slot of its first) for each kind. Answers the slot of one constraint more.
  template <class F>
  Slot each_kind(const F& f) const {
    Slot first;
    [[maybe_unused]] const auto of_kind = [&]<class K>(const std::vector<K>& list) {
      f(list, std::as_const(first));
      advance<K>(first, list.size());
      ++first.kind;
    };
    (of_kind(std::get<std::vector<C>>(lists_)), ...);
    return first;
  }
  /// f(list, those of part p) for each kind.
  template <class F>
  void each_kind(std::size_t p, const F& f) const {
    std::size_t index = 0;
    each_kind([&](const auto& list, Slot first) {
      const auto members = parts_.members(first.kind, p);
      first.index = std::exchange(index, index + members.size());
      f(list, KindRange{members, first});
    });
  }

  [[nodiscard, gnu::cold, gnu::noinline]] Workspace make_workspace(const State<S>& shape) const {
    Workspace w;
    w.evaluations = std::tuple<std::vector<Evaluation<C>>...>{
        std::vector<Evaluation<C>>(std::get<std::vector<C>>(lists_).size())...};
    w.weights.assign(1, S(1));
    each(w, [&]<class K>(const K& c, Evaluation<K>& e, const Slot&) {
      make_room(Evaluator<K>(c), e, w.weights);
    });
    if constexpr (sizeof...(C) == 0) return w;
    const std::vector<std::ptrdiff_t> nodes = nodes_of(shape);
    w.owners = Clusters::Owners(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) w.owners[i].assign(static_cast<std::size_t>(nodes[i]), -1);
    w.parts.resize(parts_.count());
    for (std::size_t p = 0; p < parts_.count(); ++p) w.parts[p].make_room(parts_.size(p));
    w.mu = w.known = Column<S>::Zero(rows());
    if constexpr (rub) {
      for (const Chain<S>& chain : shape.chains) w.kept.chains.push_back(chain.velocity);
      for (const Line<S>& line : shape.lines) w.kept.lines.push_back(line.velocity);
    }
    w.push = Column<S>::Zero(positions());
    return w;
  }

  /// Solve the tangencies for the internal coordinates of `x`, of all constraints or but for those that
  /// follow their rates. Throws NoConvergence.
  void solve_tangencies(State<S>& x, bool all) const {
    each_kind([&](const auto& list, const Slot& first) { detail::solve_tangencies(list, first, x, all); });
  }

  /// The internal coordinates of part p after h, from those of `at` at the rates ż; if `in_middle`, of
  /// constraints that follow their rates at those in the middle of a step from `at`: there the state `x` is,
  /// but for strings, which are at its end.
  void slide(std::size_t p, const State<S>& at, const Column<S>& zdot, S h, State<S>& x,
             bool in_middle) const {
    each_kind(p, [&](const auto& list, const KindRange& range) {
      for (const std::size_t i : range.members)
        detail::slide(list[i], range.first, i, at, zdot, h, x, in_middle);
    });
  }

  /// What the solution of the equations of part p sees of its constraints.
  [[nodiscard]] Kinds kinds_of_part(std::size_t p, Workspace& w) const {
    std::array<KindRange, sizeof...(C)> ranges;
    each_kind(p, [&](const auto&, const KindRange& range) { ranges[range.first.kind] = range; });
    std::size_t kind = 0;
    [[maybe_unused]] const auto next = [&] { return ranges[kind++]; };
    return Kinds{OfKind<C>(std::get<std::vector<C>>(lists_), evaluations<C>(w), next(), w)...};
  }

  /// Where all places are, which constraints share nodes, and position errors.
  void find_places(const State<S>& x, Workspace& w) const {
    for (std::size_t p = 0; p < parts_.count(); ++p) find_places(p, x, w);
  }
  /// The same of part p.
  void find_places(std::size_t p, const State<S>& x, Workspace& w) const {
    if constexpr (sizeof...(C) > 0) {
      const Kinds mine = kinds_of_part(p, w);
      for (auto* const kind : mine.view()) kind->find_places(x);
      (void)find_clusters(mine.view(), w.parts[p], w.owners);
    }
  }

 private:
  /// Which bodies and constraints act on each other.
  [[gnu::cold, gnu::noinline]] void find_parts(const State<S>& shape) {
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
  Slot end_;  // of one constraint more
  bool follow_rates_ = false;
  Parts<sizeof...(C)> parts_;
  std::pair<std::vector<int>, std::size_t> part_of_bodies_;
};

}  // namespace dalembert::assembly::detail
