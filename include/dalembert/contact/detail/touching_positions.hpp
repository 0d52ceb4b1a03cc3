#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/contact/detail/touching_surfaces.hpp>
#include <dalembert/contact/detail/touching_work.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/linalg/cone_problem.hpp>

/// How contacts put positions right after the drift: equation (2) of touching_step.hpp.
namespace dalembert::contact::detail {

/// What contacts are displaced by.
enum class Displacing {
  within_impulses,  ///< back as well, by as much as their impulses in the step
  apart,            ///< away from each other alone
  let_out           ///< the same, without a velocity: overlaps from before the step become a little smaller
};

/// What was displaced: nothing; all so little that contacts need not be found anew, but for those of rods of
/// which some are lost; or more.
enum class Displaced { nothing, a_little, a_little_and_lost, more };

/// Displaces along the normals until no gap is negative. Of overlaps from before the step: until they are
/// none the larger, or smaller where they are let out.
template <class S>
class TouchingPositions {
 public:
  using V = Vec<S, 3>;
  using State = assembly::State<S>;

  /// `constraints` are those beside the contacts, if there are any.
  TouchingPositions(const TouchingSurfaces<S>& surfaces, TouchingWork<S>& work, HeldNodes<S>* constraints,
                    ClusterRoom<S>& room, Displacing how) noexcept
      : surfaces_(surfaces),
        w_(work),
        constraints_(constraints),
        room_(room),
        back_(how == Displacing::within_impulses),
        let_out_(how == Displacing::let_out) {}

  /// A group, from a configuration that was looked at. Newton's method, one step for each cluster in turn,
  /// with what became active on the way.
  Displaced push_apart(State& x, std::size_t first, std::size_t count) {
    bool some = false;
    way_ = S(0);
    lost_ = same_ = false;
    w_.each_of(first, count, [&](Touch<S>& t) {
      t.pushed = S(0);
      t.jumps = false;
      t.active = t.gap < target(t) - rounding(t) || (back_ && t.was_closed && t.pressure() > S(0));
      some = some || t.active;
    });
    bool moved = false;
    const auto displaced = [&] {
      if (!moved) return Displaced::nothing;
      if (!(way_ <= w_.cells.little())) return Displaced::more;
      return lost_ ? Displaced::a_little_and_lost : Displaced::a_little;
    };
    if (!some) return displaced();
    constexpr int most = 100, whole = 8, enough = 4, patient = 40;
    S last(0), part(0.5);
    for (int i = 0, halved = 0, idle = 0; i < most; ++i) {
      // What rows leave out, how a crown changes, may be as large as what tells close contacts apart, or even
      // larger: then steps are ever smaller parts of Newton's. Once they halve what is off they are near
      // enough for whole ones. Where a rod winds about a point of another no place on it is nearest: it may
      // jump, and a crown too; such a contact is in the end left open.
      late_ = i >= patient;
      part_ = i < whole || halved >= enough ? S(1) : part;
      if (i >= whole) join_twins(first, count);
      w_.gather(
          first, count, [](const Touch<S>& t) { return t.active; }, room_);
      S worst(0);
      moved_ = held_moved_ = false;
      for (std::size_t c = 0; c + 1 < room_.begin.size(); ++c) {
        const std::size_t at = room_.begin[c], members = room_.begin[c + 1] - at;
        const bool alone = members == 1 && !w_.touch(at).held;
        worst = std::max(worst, alone ? push_one(x, w_.touch(at)) : push_cluster(x, at, members));
      }
      moved = moved || moved_;
      if (held_moved_) worst = project_constraints(x, first, count, worst, last);
      bool more = false;
      w_.each_of(first, count, [&](Touch<S>& t) {
        if (t.active || !moved_) return;
        look_only(t, x);
        if (i >= whole && is_shared(t)) return;
        if (t.gap < target(t) - rounding(t)) t.active = more = true;
      });
      room_.report.iterations = std::max(room_.report.iterations, i + 1);
      if (!more && !(worst > S(1))) return displaced();
      // how rods respond has hardly changed: Newton's method goes on with its matrix while that is quick
      same_ = way_ <= w_.cells.little() && (i == 0 || worst < S(0.25) * last);
      const bool less = worst < (S(1) - S(0.6) * part) * last;
      halved = less ? halved + 1 : 0;
      idle = less || i < whole ? 0 : idle + 1;
      if (idle == whole && part > S(0.1)) part /= S(2), idle = 0;
      last = worst;
    }
    throw_off(x, first, count);
  }

 private:
  [[nodiscard]] auto nodes(const State& x) const noexcept { return surfaces_.all_nodes(x, w_); }
  /// Whether it has gone to an end of its cell, beyond which the gap of a neighbour is smaller.
  [[nodiscard]] static bool is_shared(const Touch<S>& t) noexcept {
    return t.cell != nullptr && t.cell->shared;
  }
  /// Two contacts of a cell that have gone to one place may overlap by as much as either of them did. One
  /// that a neighbour has instead is none.
  [[gnu::cold, gnu::noinline]] void join_twins(std::size_t first, std::size_t count) {
    Touch<S>* before = nullptr;
    w_.each_of(first, count, [&](Touch<S>& t) {
      Touch<S>* const other = std::exchange(before, &t);
      if (is_shared(t)) t.active = false, t.cell->lost = lost_ = true;
      if (other == nullptr || t.cell == nullptr || other->cell == nullptr) return;
      const CellContact<S>&c = *t.cell, &d = *other->cell;
      if (c.first != d.first || c.second != d.second || c.cell != d.cell) return;
      for (std::size_t s = 0; s < 2; ++s)
        if (number::abs(c.places[s].s - d.places[s].s) > S(1e-6) * t.radius) return;
      t.gap_before = other->gap_before = std::min(t.gap_before, other->gap_before);
    });
  }
  /// Throws NoConvergence for the contact of a group whose gap is farthest off.
  [[noreturn, gnu::cold, gnu::noinline]] void throw_off(const State& x, std::size_t first,
                                                        std::size_t count) {
    const Touch<S>* worst = nullptr;
    S most(-1), response(0), largest(0);
    std::size_t active = 0;
    w_.each_of(first, count, [&](Touch<S>& t) {
      if (!t.active) return;
      ++active;
      const S G = t.normal_response(nodes(x)), by = off(t, x);
      largest = std::max(largest, G);
      if (by > most) most = by, response = G, worst = &t;
    });
    const S gap = worst == nullptr ? S(0) : S(worst->gap - target(*worst));
    throw NoConvergence(message({"the positions of ", active, " contacts, the worst of ",
                                 worst == nullptr ? std::string("none") : surfaces_.name(*worst),
                                 response < S(1e-3) * largest ? ", where hardly anything can move" : "",
                                 ", did not converge: its gap is off by ", number::plain(gap), " m"}),
                        number::plain(w_.time));
  }
  [[nodiscard]] S target(const Touch<S>& t) const { return t.kept_overlap() * (let_out_ ? S(0.95) : S(1)); }
  [[nodiscard]] static S rounding(const Touch<S>& t) {
    return S(4) * std::numeric_limits<S>::epsilon() * t.sizes;
  }
  /// What it may be pulled back by.
  [[nodiscard]] S held(const Touch<S>& t) const {
    return t.jumps ? S(0) : back_ ? S(w_.step * t.pressure()) : t.pushed;
  }
  /// How far the gap is off, in units of its rounding; an open one no more than it may be pulled back.
  [[nodiscard]] S off(const Touch<S>& t, const State& x) const {
    const S g = t.gap - target(t), most = rounding(t), back = held(t);
    if (!(g > most)) return number::abs(g) / most;
    return back > S(0) ? S(std::min(g, S(back * t.normal_response(nodes(x)))) / most) : S(0);
  }
  /// Look again; that contacts of its rods are to be found anew is noted.
  void look_only(Touch<S>& t, const State& x) {
    if (surfaces_.look_along(t, x, w_)) lost_ = true;
  }
  /// The same with the impulse turned with the normal.
  void look(Touch<S>& t, const State& x) {
    if (t.cell == nullptr) {
      look_only(t, x);
    } else {
      const CellContact<S>& c = *t.cell;
      const S crown = c.crown, s1 = c.places[0].s, s2 = c.places[1].s;
      look_only(t, x);
      const S ran = std::max(number::abs(c.places[0].s - s1), number::abs(c.places[1].s - s2));
      if (late_ &&
          (number::abs(c.crown - crown) > S(0.5) * std::max(c.crown, crown) || ran > w_.cells.little()))
        t.jumps = true;
    }
    t.keep(t.carried_impulse());
  }
  /// By an impulse, of which G is what it does to the gap.
  void push(State& x, Touch<S>& t, S by, S G) {
    if (by == S(0)) return;
    moved_ = true;
    way_ += number::abs(by) * G;
    const auto n = nodes(x);
    const S per_time = let_out_ ? S(0) : S(S(1) / w_.step), before = t.normal().dot(t.velocity(n, x));
    t.displace(n, x, V(by * t.normal()), per_time);
    t.pushed += by;
    if (let_out_) return;
    note(t, by);
    room_.works.correction += per_time * by * (before + per_time * by * G / S(2));
  }
  /// The same of all contacts of a cluster of which constraints hold nodes, by their `push_now`.
  void push_held(State& x, std::size_t first, std::size_t count) {
    moved_ = held_moved_ = true;
    way_ = std::numeric_limits<S>::infinity();  // of what constraints hold as well
    w_.put_field(first, count, nodes(x), *constraints_,
                 [](const Touch<S>& t) { return V(t.push_now * t.normal()); });
    constraints_->displace(x);
    if (!let_out_) room_.works.correction += constraints_->kick(x, S(1) / w_.step, surfaces_.inertia());
    for (std::size_t i = first; i < first + count; ++i) {
      w_.touch(i).pushed += w_.touch(i).push_now;
      if (!let_out_) note(w_.touch(i), w_.touch(i).push_now);
    }
  }
  void note(Touch<S>& t, S by) const {
    t.impulse += by / w_.step * t.normal();
    t.push_impulse += by / w_.step;
  }
  /// Put the rows of constraints right, which were kept to first order; how far gaps are off then. To what
  /// impulses of both are found, they cannot be put right together.
  S project_constraints(State& x, std::size_t first, std::size_t count, S worst, S last) {
    constraints_->project_positions(x, let_out_ ? S(0) : w_.step);
    constraints_->look(x);
    S most(0);
    w_.each_of(first, count, [&](Touch<S>& t) {
      look(t, x);
      if (t.active) most = std::max(most, off(t, x));
    });
    return worst > S(0) ? most : last > S(0) && !(most < S(0.5) * last) ? S(0) : most / S(16);
  }

  /// Whether two places that meet are one: of a coarse rod, where its surface is no tube.
  [[nodiscard]] static bool is_one_place(const Touch<S>& t) {
    return t.cell != nullptr && t.sides[0].window.body == t.sides[1].window.body &&
           number::abs(t.cell->places[0].s - t.cell->places[1].s) < t.radius;
  }
  /// Whether anything of a contact can move. Throws BodiesOverlap where nothing can and its gap closes.
  [[nodiscard]] bool can_move(const Touch<S>& t, const S& G) const {
    if (G > S(0)) return true;
    if (!let_out_ && t.gap < target(t) - t.tolerance() && !is_one_place(t)) [[unlikely]]
      surfaces_.throw_led_together(t, w_.time);
    return false;
  }
  /// One step of Newton's method on a gap; how far it is off then.
  S push_one(State& x, Touch<S>& t) {
    if (off(t, x) <= S(1)) return S(0);
    const S G = t.normal_response(nodes(x));
    if (!can_move(t, G)) return S(0);
    const S by = std::max(S(-held(t)), S((target(t) - t.gap) / G));
    push(x, t, part_ * by, G);
    look(t, x);
    return number::abs(by) * G <= rounding(t) ? S(0) : off(t, x);  // no nearer than this
  }
  /// The same of a cluster.
  S push_cluster(State& x, std::size_t first, std::size_t count) {
    bool good = true;
    for (std::size_t i = 0; i < count; ++i) good = good && off(w_.touch(first + i), x) <= S(1);
    if (good) return S(0);
    auto& problem = room_.problem;
    auto& start = room_.start;
    const std::size_t* const mine = &w_.order[first];
    const bool same = same_ && std::equal(mine, mine + count, room_.members.begin(), room_.members.end());
    if (!same) {
      room_.begin_normals(count);
      w_.put_responses(first, count, nodes(x), constraints_, room_, true);
      room_.members.assign(mine, mine + count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Touch<S>& t = w_.touch(first + i);
      const auto row = static_cast<Eigen::Index>(i);
      problem.b[row] = t.gap - target(t);
      if (!can_move(t, problem.G.diagonal(row))) problem.b[row] = std::max(problem.b[row], S(0));
      start[row] = held(t);
    }
    problem.take_away(start);
    const auto& solution = room_.search(problem, options_, start, same);
    bool below_rounding = true;
    const bool held = w_.is_held(first, count);
    for (std::size_t i = 0; i < count; ++i) {
      Touch<S>& t = w_.touch(first + i);
      const auto row = static_cast<Eigen::Index>(i);
      const S by = part_ * (solution.P[row] - start[row]);
      below_rounding = below_rounding && number::abs(by) * problem.G.diagonal(row) <= rounding(t);
      if (held)
        t.push_now = by;
      else
        push(x, t, by, problem.G.diagonal(row));
    }
    if (held) push_held(x, first, count);
    S worst(0);
    for (std::size_t i = 0; i < count; ++i) {
      Touch<S>& t = w_.touch(first + i);
      look(t, x);
      worst = std::max(worst, off(t, x));
    }
    return below_rounding ? S(0) : worst;
  }

  const TouchingSurfaces<S>& surfaces_;
  TouchingWork<S>& w_;
  HeldNodes<S>* constraints_;
  ClusterRoom<S>& room_;
  linalg::ConeOptions<S> options_{};
  S part_{1}, way_{};  // of a step of Newton's method that is taken; of all contacts together [m]
  bool back_, let_out_, same_ = false, moved_ = false, held_moved_ = false, late_ = false, lost_ = false;
};

}  // namespace dalembert::contact::detail
