#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <dalembert/contact/detail/cell_search.hpp>
#include <dalembert/contact/detail/touch.hpp>
#include <dalembert/contact/detail/touch_geometry.hpp>

/// Contacts of rods with rods, of a rod with itself, and of rods with balls, among the touches of a step.
/// They are the cells of contact/detail/cell.hpp, found anew where nodes move by more than a little, and for
/// two rods where one of their contacts moves along them or lies where they are side by side; what a contact
/// has so far goes on to the one of the same two lines that is nearest along them.
namespace dalembert::contact::detail {

/// The cells of a configuration, and what those of the one before had.
template <class S>
struct CellRoom {
  std::optional<CellSearch<S>> search{};  ///< none where no rod touches another body or itself
  std::vector<S> weights{S(1)};     ///< of the nodes of all touches: that of single ones, then of windows
  std::vector<Touch<S>> touches{};  ///< of the set before

  /// How far contacts may go so that they need not be found anew [m].
  [[nodiscard]] S little() const noexcept { return search ? S(S(1e-3) * search->least_radius()) : S(0); }
};

/// The numbers of a cell in its touch; weights go to where its windows have room among those of all.
template <class S>
void put_cell(Touch<S>& t, const CellContact<S>& c, const std::array<const Centreline<S>*, 2>& lines,
              const std::vector<std::size_t>& first_nodes, S* weights) {
  for (std::size_t s = 0; s < 2; ++s) {
    const CentrelinePoint<S>& p = c.places[s];
    TouchSide<S>& side = t.sides[s];
    side.window.body = lines[s]->body;
    side.window.first = p.first;
    side.window.count = p.count;
    side.all = first_nodes[lines[s]->body] + static_cast<std::size_t>(p.first);
    side.arm = c.arms[s];
    std::copy_n(p.weight.begin(), side.window.room, weights + side.window.weights);
  }
  t.place = {c.first, c.second, c.cell, {c.places[0].s, c.places[1].s}};
  t.radius = lines[0]->radius;
  t.gap = c.gap;
  t.sizes = c.sizes;
  t.surface = Vec<S, 3>::Zero();
  t.point = c.point;
  put_frame(t, c.normal);
}

/// What `old` has so far goes on in `now`: its impulse, turned with the normal.
template <class S>
void add_impulse(Touch<S>& now, const Touch<S>& old) {
  now.impulse += now.in_space(now.carried(old.impulse, old.at_impulse));
  now.push_impulse += old.push_impulse;
}
/// What it was at the beginning of the step.
template <class S>
void copy_beginning(Touch<S>& now, const Touch<S>& old) {
  now.gap_before = old.gap_before;
  now.opening_before = old.opening_before;
  now.acceleration = old.acceleration;
  now.was_closed = old.was_closed;
  now.slip_before = old.slip_before;
}

/// Touches from `first` on are those of cells, in the order of lines and cells; what those of `before` have
/// goes on in the nearest of the same lines, of the same cell or one of its neighbours. Where there was none:
/// begin(touch).
template <class S, class Begin>
void carry_over(const std::vector<Touch<S>>& before, std::vector<Touch<S>>& touches, std::size_t first,
                const Begin& begin) {
  const auto apart = [](const Touch<S>& a, const Touch<S>& b) {
    return number::abs(a.place.s[0] - b.place.s[0]) + number::abs(a.place.s[1] - b.place.s[1]);
  };
  const auto nearest = [&](const Touch<S>& of, const std::vector<Touch<S>>& list, std::size_t& from) {
    constexpr Eigen::Index reach = 2;  // cells
    const CellPlace<S>& c = of.place;
    const auto is_before = [&](const CellPlace<S>& other) {
      return other.first != c.first ? other.first < c.first : other.cell < c.cell - reach;
    };
    while (from < list.size() && is_before(list[from].place)) ++from;
    std::size_t best = list.size();
    for (std::size_t i = from; i < list.size(); ++i) {
      const CellPlace<S>& other = list[i].place;
      if (other.first != c.first || other.cell > c.cell + reach) break;
      if (other.second != c.second) continue;
      if (best == list.size() || apart(of, list[i]) < apart(of, list[best])) best = i;
    }
    return best;
  };
  std::size_t from = 0;
  for (std::size_t i = first; i < touches.size(); ++i) {
    const std::size_t old = nearest(touches[i], before, from);
    if (old < before.size())
      copy_beginning(touches[i], before[old]);
    else
      begin(touches[i]);
  }
  from = first;
  for (const Touch<S>& old : before) {
    if (old.impulse.isZero(S(0)) && old.push_impulse == S(0)) continue;
    const std::size_t now = nearest(old, touches, from);
    if (now < touches.size()) add_impulse(touches[now], old);
  }
}

}  // namespace dalembert::contact::detail
