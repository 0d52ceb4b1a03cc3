#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <dalembert/contact/broad_phase.hpp>
#include <dalembert/contact/detail/largest_of_nodes.hpp>
#include <dalembert/contact/detail/touch.hpp>
#include <dalembert/contact/detail/touch_geometry.hpp>
#include <dalembert/contact/detail/touching_bodies.hpp>
#include <dalembert/contact/detail/touching_work.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/heap_sort.hpp>

/// Where the bodies of an assembly touch, or may touch in a step.
namespace dalembert::contact::detail {

/// Looks for touches, and at them.
template <class S>
class TouchingSurfaces : public TouchingBodies<S> {
 public:
  using Base = TouchingBodies<S>;
  using Base::Base;
  using Base::begin;
  using typename Base::State;
  using typename Base::V;

  /// What passes over the nodes of touches work on.
  [[nodiscard]] assembly::detail::Nodes<S> all_nodes(const State& x,
                                                     const TouchingWork<S>& w) const noexcept {
    return {x.chains, x.lines, this->inertia(), w.cells.weights.data()};
  }
  /// Room for cells, where some rod may touch something that bears no surface of its own.
  [[nodiscard]] CellRoom<S> make_cells() const {
    CellRoom<S> room;
    if (!std::all_of(lines_.begin(), lines_.end(), [](const auto& line) { return line.is_ball(); }))
      room.search.emplace(lines_);
    return room;
  }
  [[nodiscard]] BlockGrid<S> make_grid() const {
    return BlockGrid<S>(std::vector<Eigen::Index>(meeting_.size(), 1));
  }

  /// f(candidate) for every pair of a ball and a surface that `is_near` is to be asked of in a step of h [s],
  /// in no order. Without `rods`, nodes of rods at surfaces in space are left out. Answers how far anything
  /// may go in it: what is hit, or moved out of another, goes as far as what hits it [m].
  template <class F>
  S each_candidate(const State& x, S h, BlockGrid<S>& grid, std::vector<MovingPoint<S>>& points, const F& f,
                   bool rods = true) const {
    S fastest(0);
    points.resize(meeting_.size());
    for (std::size_t i = 0; i < meeting_.size(); ++i) {
      const rod::Chain<S>& chain = x.chains[meeting_[i]];
      points[i].at = chain.position(0);
      points[i].speed = chain.linear_velocity(0).norm() + extent_[i] * chain.angular_velocity(0).norm();
      fastest = std::max(fastest, points[i].speed);
    }
    if (!meeting_.empty() || !surfaces_.empty())
      for (const RodNodes<S>& rod : this->rods())
        fastest = std::max(fastest, fastest_node(x.chains[rod.body]));
    bool borne = false;
    for (const TouchedSurface<S>& on : surfaces_) {
      borne = borne || on.borne;
      fastest = std::max(fastest, on.borne ? speed_of_bearer(on, x) : S(on.velocity.norm()));
    }
    const S way = S(2) * h * fastest;
    for (std::size_t b = rods || borne ? 0 : rod_balls_; b < balls_.size(); ++b) {
      for (std::size_t k = 0; k < surfaces_.size(); ++k) {
        if (surfaces_[k].borne ? surfaces_[k].body == balls_[b].body : !rods && balls_[b].of_rod) continue;
        if (is_far_above(surfaces_[k], b, points, way)) continue;
        if (!is_far_above(surfaces_[k], balls_[b], x, h, way))
          f(TouchCandidate<S>{b, static_cast<std::ptrdiff_t>(k), way});
      }
    }
    if (meeting_.size() < 2) return way;
    const auto point = [&](std::size_t i) -> const MovingPoint<S>& { return points[i]; };
    const auto margin = [&](std::size_t i) { return extent_[i] + way; };
    grid.each_pair(point, margin, [&](const SphereBlock<S>& one, const SphereBlock<S>& two) {
      if (one.chain == two.chain) return;
      for (std::size_t b = first_ball_[one.chain]; b < first_ball_[one.chain + 1]; ++b)
        for (std::size_t o = first_ball_[two.chain]; o < first_ball_[two.chain + 1]; ++o)
          f(TouchCandidate<S>{meeting_balls_[b], -1 - static_cast<std::ptrdiff_t>(meeting_balls_[o]), way});
    });
    return way;
  }
  /// Whether they may meet in a step of h; then the touch is as it is where that begins.
  [[nodiscard]] bool is_near(const TouchCandidate<S>& c, const State& x, S h, const TouchingWork<S>& w,
                             Touch<S>& t) const {
    if (!begin(t, c.ball, c.other) || !is_near(t, x, h, c.way, w)) return false;
    t.begin_step();
    return true;
  }
  /// One touch more, if a candidate is near; `t` is room for it.
  [[gnu::noinline]] void add_near(const TouchCandidate<S>& c, const State& x, S h, TouchingWork<S>& w,
                                  Touch<S>& t) const {
    if (is_near(c, x, h, w, t)) w.touches.push_back(t);
  }
  /// Those of the candidates that are near are all touches, in the order of their balls and of what these are
  /// at; where several work, each looks at some, in a place of its own for each.
  template <class Run>
  void find_near(const State& x, S h, const Run& run, TouchingWork<S>& w) const {
    auto& all = w.candidates;
    const auto before = [](const TouchCandidate<S>& a, const TouchCandidate<S>& b) {
      return a.ball != b.ball ? a.ball < b.ball : a.other < b.other;
    };
    if (!std::is_sorted(all.begin(), all.end(), before))
      dalembert::detail::heap_sort(all.begin(), all.end(), before);
    if (run.size() == 1) {
      w.touches.clear();
      Touch<S> t;
      for (const TouchCandidate<S>& c : all) add_near(c, x, h, w, t);
      return;
    }
    w.touches.resize(all.size());
    w.each_block(run, all.size(), [&](std::size_t first, std::size_t end) {
      Touch<S> t;
      for (std::size_t i = first; i < end; ++i) {
        all[i].near = is_near(all[i], x, h, w, t);
        if (all[i].near) w.touches[i] = t;
      }
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].near) continue;
      if (kept != i) w.touches[kept] = w.touches[i];
      ++kept;
    }
    w.touches.resize(kept);
  }

  /// Contacts of cells in a configuration, in which a step of h begins [s], after the other touches of the
  /// workspace. Where they are found anew, what those had that were there before goes on.
  void find_cells(const State& x, S h, TouchingWork<S>& w, CellsFound which) const {
    CellRoom<S>& room = w.cells;
    if (!room.search) return;
    const auto first = w.touches.begin() + static_cast<std::ptrdiff_t>(w.first_cell);
    room.touches.assign(first, w.touches.end());
    w.touches.erase(first, w.touches.end());
    room.weights.resize(1);
    const auto add = [&](CellContact<S>& c) {
      Touch<S> t;
      t.cell = &c;
      if (!begin_cell(t) || is_held(c.first, c.places[0].s, c.second, c.places[1].s, w)) return;
      const auto lines = lines_of(c);
      for (std::size_t s = 0; s < 2; ++s) {
        assembly::Window& window = t.sides[s].window;
        window.weights = static_cast<Eigen::Index>(room.weights.size());
        window.room = room_of(lines[s]->window());
        room.weights.resize(room.weights.size() + static_cast<std::size_t>(window.room));
      }
      put_cell(t, c, lines, first_, room.weights.data());
      t.at_impulse = t.normal();
      w.touches.push_back(t);
    };
    room.search->each(
        x.chains, x.time, h, add,
        [&](std::size_t one, S s1, std::size_t two, S s2) { return is_held(one, s1, two, s2, w); }, which);
    if (which == CellsFound::first) return;
    // an overlap that is deeper than rods have moved on each other was there before, where no contact was
    carry_over(room.touches, w.touches, w.first_cell, [&](Touch<S>& t) {
      const V u = t.velocity(all_nodes(x, w), x);
      if (!(-t.gap > std::max(S(h * u.norm()), S(S(1e-3) * t.radius)))) return;
      t.gap_before = t.gap - h * t.normal().dot(u);
      t.was_closed = true;
    });
  }
  /// The same after the drift of a step: they are looked at, then looked(touch). Answers which are
  /// to be found anew, `first` where none is.
  template <class Run, class F>
  [[nodiscard]] CellsFound follow_cells(const State& x, const Run& run, TouchingWork<S>& w,
                                        const F& looked) const {
    if (!w.cells.search) return CellsFound::first;
    if (!w.cells.search->are_in_reach(x.chains, w.step)) return CellsFound::all_anew;
    Touch<S>* const touches = w.touches.data() + w.first_cell;
    std::atomic<bool> lost{false};
    w.each_block(run, w.touches.size() - w.first_cell, [&](std::size_t first, std::size_t end) {
      for (Touch<S>* t = touches + first; t != touches + end; ++t) {
        if (!t->cell->is_plain() || look_along(*t, x, w)) t->cell->lost = lost = true;
        t->keep(t->carried_impulse());
        looked(*t);
      }
    });
    return lost ? CellsFound::lost_anew : CellsFound::first;
  }
  /// Look at the configuration: where the contact is and how far it is open.
  void look(Touch<S>& t, const State& x, TouchingWork<S>& w) const {
    if (t.cell != nullptr) {
      w.cells.search->look(*t.cell, x.chains);
      put_cell(t, *t.cell, lines_of(*t.cell), first_, w.cells.weights.data());
    } else {
      look_at(t, x);
    }
  }
  /// The same of a ball.
  void look_at(Touch<S>& t, const State& x) const {
    if (t.other < 0)
      look_at_ball(t, balls_[t.ball], balls_[static_cast<std::size_t>(-1 - t.other)], x);
    else
      look_at_surface(t, balls_[t.ball], surfaces_[static_cast<std::size_t>(t.other)], x);
  }
  /// Look again; whether a contact of a cell went on to other nodes or to another cell, ran along a rod by
  /// more than a little, or is no plain one: then those of its rods are to be found anew.
  bool look_along(Touch<S>& t, const State& x, TouchingWork<S>& w) const {
    if (t.cell == nullptr) {
      look(t, x, w);
      return false;
    }
    const auto& places = t.cell->places;
    const auto windows = [&] {
      return std::array<Eigen::Index, 4>{places[0].first, places[0].count, places[1].first, places[1].count};
    };
    const auto before = windows();
    const std::array at{places[0].s, places[1].s};
    look(t, x, w);
    const S run = std::max(number::abs(places[0].s - at[0]), number::abs(places[1].s - at[1]));
    t.cell->lost = t.cell->lost || windows() != before || !(run <= w.cells.little()) || !t.cell->is_plain();
    return t.cell->lost;
  }
  /// Where touches were found, what changes while the nodes keep their velocities; the velocity.
  [[nodiscard]] V find_rates(Touch<S>& t, const State& x, const TouchingWork<S>& w) const {
    if (t.cell != nullptr) {
      t.normal_rate = t.cell->normal_rate;
      t.bias = t.cell->bias;
      return t.cell->velocity;
    }
    if (t.other < 0)
      find_rates_at_ball(t, balls_[t.ball], balls_[static_cast<std::size_t>(-1 - t.other)], x);
    else
      find_rates_at_surface(t, balls_[t.ball], surfaces_[static_cast<std::size_t>(t.other)], x);
    return t.velocity(all_nodes(x, w), x);
  }

 private:
  /// Numbers of a window of so many nodes, in full packs where it is of more than one.
  [[nodiscard]] static Eigen::Index room_of(int window) noexcept {
    constexpr Eigen::Index width = rod::width_of<rod::WindowPack<S>>;
    return window == 1 ? 1 : (window + width - 1) / width * width;
  }
  using Base::balls_, Base::surfaces_, Base::lines_, Base::meeting_, Base::first_ball_, Base::meeting_balls_,
      Base::extent_, Base::first_, Base::rod_balls_, Base::point_of_;
  using Base::lines_of, Base::begin_cell;

  /// Whether a constraint holds two lines together there.
  [[nodiscard]] bool is_held(std::size_t one, S s1, std::size_t two, S s2, const TouchingWork<S>& w) const {
    const auto& all = w.constraint_room.together;
    if (all.empty()) return false;
    one = lines_[one].body, two = lines_[two].body;
    const HeldTogether<S> bodies({one}, {two});
    for (auto at = std::lower_bound(all.begin(), all.end(), bodies);
         at != all.end() && at->bodies() == bodies.bodies(); ++at)
      if ((at->one.has(one, s1) && at->other.has(two, s2)) ||
          (at->other.has(one, s1) && at->one.has(two, s2)))
        return true;
    return false;
  }
  /// Whether a plane in space is out of reach for sure, without a look at the body.
  [[nodiscard]] bool is_far_above(const TouchedSurface<S>& on, std::size_t b,
                                  const std::vector<MovingPoint<S>>& points, S way) const {
    if (!on.flat || on.borne || b < rod_balls_) return false;
    const std::size_t i = point_of_[b - rod_balls_];
    if (i == TouchSide<S>::none) return false;
    return on.axis.dot(V(points[i].at - on.point)) > S(1.05) * extent_[i] + way;
  }
  /// The same by its distance alone, for a step of h in which others may move it by `way`.
  [[nodiscard]] static bool is_far_above(const TouchedSurface<S>& on, const NodeBall<S>& ball, const State& x,
                                         S h, S way) {
    if (!on.flat || on.borne) return false;
    const auto& chain = x.chains[ball.body];
    const S v = number::abs(on.axis.dot(chain.linear_velocity(ball.node))) +
                ball.offset.norm() * chain.angular_velocity(ball.node).norm();
    const S height = on.axis.dot(V(chain.position(ball.node) - on.point)) - ball.offset.norm();
    return height > S(1.05) * ball.radius + std::max(way, S(S(2) * h * v));
  }
  /// Whether it may close within a step of h, in which others may move it by `way`.
  [[nodiscard, gnu::noinline]] bool is_near(Touch<S>& t, const State& x, S h, S way,
                                            const TouchingWork<S>& w) const {
    look_at(t, x);
    const V u = t.velocity(all_nodes(x, w), x);
    const S speed = u.norm();
    if (!(t.gap <= S(0.05) * t.radius + std::max(way, S(S(2) * h * speed)))) return false;
    // what is solid on both sides could be passed through
    const TouchedSurface<S>* on = t.other < 0 ? nullptr : &surfaces_[static_cast<std::size_t>(t.other)];
    const bool bulk = on == nullptr || !(on->flat || on->inside);
    const S other_radius = on == nullptr ? balls_[static_cast<std::size_t>(-1 - t.other)].radius : on->radius;
    const S opening = number::abs(S(t.normal().dot(u)));
    if (bulk && h * opening > S(0.5) * (t.radius + other_radius)) [[unlikely]]
      throw ContactTooFast(message({"ContactTooFast: ", this->name(t), " go ", number::plain(S(h * opening)),
                                    " m towards each other in a step, more than half their radii,"}),
                           number::plain(x.time));
    return true;
  }
};

}  // namespace dalembert::contact::detail
