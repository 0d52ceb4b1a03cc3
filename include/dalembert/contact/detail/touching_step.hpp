#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/contact/detail/node_contact_search.hpp>
#include <dalembert/contact/detail/node_contacts.hpp>
#include <dalembert/contact/detail/touching_clusters.hpp>
#include <dalembert/contact/detail/touching_positions.hpp>
#include <dalembert/contact/detail/touching_surfaces.hpp>
#include <dalembert/contact/detail/touching_work.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/problem/concepts.hpp>

/// What contacts do in a step h of Verlet's method, from q_n, v_n, without memory. With u the velocities at
/// the contacts, a(F) what loads F make of them, β their rate while nodes keep their velocities:
///   P₁: the law for u + ½h(a(F) + β) + G P₁ over what is closed   kick ½h by F and P₁, drift h  (1)
///   positions: m ≥ −h P₁ₙ where closed, m ≥ 0 elsewhere, g ≥ 0;
///     q += M⁻¹Aₙᵀm, v and P₁ₙ likewise m/h  (2)
///   kick ½h by F; the law for the total impulse P of the step, u_n + e u_n⁻ where newly closed        (3)
/// In (2) an overlap from before the step is taken away without a velocity, a twentieth of it in each step.
/// Sticking contacts so end with u = 0, and the step is of second order while no contact changes between
/// sticking, slipping and open, and of first order through changes. Where a contact alone goes on slipping,
/// half of its friction is against the slip at the beginning; contacts that share bodies have all of it
/// against that at the end, which is of first order where their slip turns. Of e nothing is left where the
/// approach is slower than 4h u̇_n: what bounces ever lower comes to rest. Where contacts that share bodies
/// would gain energy, as Newton's law of restitution lets them with friction, their e is smaller, by as
/// little as that takes. Source: Moreau 1988; Kane and Levinson 1985, Dynamics, section 5.8.
namespace dalembert::contact::detail {

/// The stages of a step for some surfaces.
template <class S>
class TouchingStep : TouchingClusters<S> {
  using Base = TouchingClusters<S>;
  using Base::surfaces_, Base::w_, Base::constraints_;
  using Base::touch, Base::opening, Base::solve, Base::limit_restitution, Base::book, Base::book_cluster;
  using typename Base::Room, typename Base::V, typename Base::M;
  using Accelerated = assembly::detail::Accelerated;

 public:
  using typename Base::State, typename Base::Numbers;

  /// `constraints` are those beside the contacts, if there are any.
  TouchingStep(const TouchingSurfaces<S>& surfaces, TouchingWork<S>& w,
               HeldNodes<S>* constraints = nullptr) noexcept
      : Base(surfaces, w, constraints), nodes_(surfaces, w) {}

  /// What may touch in a step of h from `at`, as it is there; in packs what can be.
  template <class Run = OneByOne>
  void find_touches(const State& at, S h, bool in_packs = false, const Run& run = {});
  /// The same where a step begins.
  template <class Run = OneByOne>
  void find(const State& at, S h, bool in_packs = true, const Run& run = {});

  /// (1): P₁ for the loads `f` at `at`, which is added to them as a force over half a step. Velocities
  /// below `rounding` are none.
  template <class Run>
  void begin(const State& at, Numbers& f, const Run& run, S rounding = S(0));
  /// (2).
  template <class Run>
  Projection<S> project_positions(State& x, const Run& run);
  /// (3).
  template <class Run>
  Projection<S> finish(State& x, const Run& run);

  /// The contact forces at `at` for loads `f`, to which they are added: P₁ of a step so short that it
  /// changes velocities alone. Velocities below the rounding of what falls over its radius are none.
  void find_forces(const State& at, Numbers& f);

 private:
  /// What is looked at, of nodes of rods at surfaces in space too or not.
  void find_candidates(const State& at, S h, bool rods);
  /// After those of balls, what touches of cells and of nodes, and what hangs together.
  void find_more_touches(const State& at, S h, bool in_packs);
  /// f of every group; of all one after the other where constraints are at work between them.
  template <class Run, class F>
  Projection<S> each_group(const Run& run, const F& f) {
    if (constraints_ != nullptr) return w_.each_group(OneByOne{}, f);
    return w_.each_group(run, f);
  }
  /// Contacts of cells where rods are now, and what hangs together then.
  void find_cells(const State& x, CellsFound which) {
    surfaces_.find_cells(x, w_.step, w_, which);
    w_.form_groups();
  }
  void find_velocity(Touch<S>& t, const State& x) const {
    t.u_before = t.in_frame(t.velocity(surfaces_.all_nodes(x, w_), x));
  }
  /// Put positions right, and find the velocities then; whether contacts of cells were found anew for it.
  template <class Run>
  bool push_apart(State& x, Displacing how, const Run& run, Projection<S>& report) {
    std::atomic<bool> lost{false}, more{false};
    const auto push = [&](std::size_t first, std::size_t count, Room& room) {
      TouchingPositions<S> positions(surfaces_, w_, constraints_, room, how);
      const Displaced by = positions.push_apart(x, first, count);
      if (by == Displaced::a_little_and_lost) lost = true;
      if (by == Displaced::more) more = true;
      w_.each_of(first, count, [&](Touch<S>& t) { find_velocity(t, x); });
    };
    // contacts of cells may move onto nodes of another group
    const bool cells = w_.first_cell < w_.touches.size();
    const Projection<S> mine = cells ? w_.each_group(OneByOne{}, push) : each_group(run, push);
    report.iterations = std::max(report.iterations, mine.iterations);
    report.converged = report.converged && mine.converged;
    if (!(lost || more) || !w_.cells.search) return false;
    find_cells(x, more ? CellsFound::all_anew : CellsFound::lost_anew);
    return true;
  }
  [[gnu::noinline]] void begin_group(const State& at, Numbers& f, S rounding, std::size_t first,
                                     std::size_t count, Room& room) {
    const S half = w_.step / S(2);
    const auto nodes = surfaces_.all_nodes(at, w_);
    w_.each_of(first, count, [&](Touch<S>& t) {
      V u = t.in_frame(surfaces_.find_rates(t, at, w_));
      const V kick = t.template rate_of_velocity<Accelerated::by_loads>(nodes, f);
      const V all = t.bias + t.template rate_of_velocity<Accelerated::by_all_but_led>(nodes, f);
      for (int i = 0; i < 3; ++i)
        if (number::abs(u[i]) < rounding) u[i] = S(0);
      const S turning = t.normal_rate.dot(t.in_space(u));
      t.u_before = u;
      t.opening_before = u[0];
      t.acceleration = t.normal().dot(all) + turning;
      t.bias = u + half * t.in_frame(all);  // what P₁ has to do with
      t.bias[0] += half * turning;
      t.kicked = half * t.in_frame(kick);
      t.opening = S(0);
    });
    solve(first, count, nodes, room,
          [&](std::size_t begin, std::size_t members) { book_cluster(begin, members, room); });
    w_.each_of(first, count, [&](Touch<S>& t) {
      if (!t.closed || t.impulse.isZero(S(0))) return;
      const V u = t.in_space(V(S(0), t.u_before[1], t.u_before[2]));
      const S speed = u.norm();
      if (speed > V(t.bias - t.u_before).norm()) t.slip_before = u / speed;  // slower ones may stick
      t.add_force(nodes, f, V(t.impulse / half));
    });
  }
  [[gnu::noinline]] void finish_group(State& x, std::size_t first, std::size_t count, Room& room) {
    bool any = false;
    const auto nodes = surfaces_.all_nodes(x, w_);
    w_.each_of(first, count, [&](Touch<S>& t) {
      if (t.cell == nullptr) surfaces_.look(t, x, w_);
      t.closed = t.gap <= t.tolerance();
      any = any || t.closed;
    });
    w_.each_of(first, count, [&](Touch<S>& t) {
      // one that has parted gives its impulse back with those that it shares nodes with, which balance it
      t.closed = t.closed || (any && !t.impulse.isZero(S(0)));
      t.keep(t.carried_impulse());
      t.slip_before -= t.normal().dot(t.slip_before) * t.normal();
      t.bias = t.kicked = t.in_frame(t.velocity(nodes, x));  // by the loads alone
      t.before = t.in_frame(t.impulse);
      t.opening = opening(t);
    });
    solve(first, count, nodes, room,
          [&](std::size_t begin, std::size_t members) { limit_restitution(begin, members, nodes, room); });
    const auto more = [](const Touch<S>& t) { return V(t.impulse - t.in_space(t.before)); };
    for (std::size_t c = 0; c + 1 < room.begin.size(); ++c) {
      const std::size_t begin = room.begin[c], members = room.begin[c + 1] - begin;
      if (w_.is_held(begin, members)) {
        w_.put_field(begin, members, nodes, *constraints_, more);
        constraints_->kick(x, S(1), surfaces_.inertia());
        continue;
      }
      for (std::size_t i = begin; i < begin + members; ++i) touch(i).kick(nodes, x, more(touch(i)));
    }
    w_.each_of(first, count, [&](const Touch<S>& t) {
      if (!t.closed) return;
      const V P = t.in_frame(t.impulse) - t.before;
      const bool alone = count == 1 && !t.held;
      const V u = alone ? V(t.kicked + V(t.own_response * P)) : t.in_frame(t.velocity(nodes, x));
      book(t, P, V(S(0.5) * V(t.u_before + u)), room);
    });
  }

  NodeContacts<S> nodes_;
};

template <class S>
void TouchingStep<S>::find_candidates(const State& at, S h, bool rods) {
  w_.candidates.clear();
  w_.way = surfaces_.each_candidate(
      at, h, w_.grid, w_.points, [&](const TouchCandidate<S>& c) { w_.candidates.push_back(c); }, rods);
}

template <class S>
void TouchingStep<S>::find_more_touches(const State& at, S h, bool in_packs) {
  w_.first_cell = w_.touches.size();
  if (constraints_ != nullptr) constraints_->find_together(at, surfaces_.spacing(), surfaces_.radius());
  surfaces_.find_cells(at, h, w_, CellsFound::first);
  for (std::size_t i = w_.first_cell; i < w_.touches.size(); ++i) w_.touches[i].begin_step();
  const std::size_t so_far = w_.touches.size();
  w_.node_contacts.clear();
  if (in_packs) NodeContactSearch<S>(surfaces_, w_).find(at, h);
  const std::size_t more = w_.touches.size() - so_far;
  std::rotate(w_.touches.begin() + static_cast<std::ptrdiff_t>(w_.first_cell),
              w_.touches.begin() + static_cast<std::ptrdiff_t>(so_far), w_.touches.end());
  w_.first_cell += more;
  w_.form_groups();
}

template <class S>
template <class Run>
void TouchingStep<S>::find_touches(const State& at, S h, bool in_packs, const Run& run) {
  find_candidates(at, h, !in_packs);
  surfaces_.find_near(at, h, run, w_);
  find_more_touches(at, h, in_packs);
}

template <class S>
template <class Run>
void TouchingStep<S>::find(const State& at, S h, bool in_packs, const Run& run) {
  w_.works = {};
  w_.step = h;
  w_.time = at.time;
  if (constraints_ != nullptr) constraints_->look(at);
  find_touches(at, h, in_packs && w_.nodes_in_packs, run);
}

template <class S>
template <class Run>
void TouchingStep<S>::begin(const State& at, Numbers& f, const Run& run, S rounding) {
  nodes_.begin(at, f, run);
  (void)each_group(run, [&](std::size_t first, std::size_t count, Room& room) {
    begin_group(at, f, rounding, first, count, room);
  });
}

template <class S>
template <class Run>
Projection<S> TouchingStep<S>::project_positions(State& x, const Run& run) {
  if (constraints_ != nullptr) {
    constraints_->project_positions(x, w_.step);
    constraints_->look(x);
  }
  nodes_.project_positions(x, run);
  std::atomic<bool> overlaps{false};
  const auto start = [&](Touch<S>& t) {
    t.push_impulse = S(0);
    if (t.gap_before < -t.tolerance()) overlaps = true;
  };
  w_.each_touch(run, w_.first_cell, [&](Touch<S>& t) {
    surfaces_.look(t, x, w_);
    t.keep(t.carried_impulse());
    start(t);
  });
  if (const CellsFound which = surfaces_.follow_cells(x, run, w_, start); which != CellsFound::first) {
    find_cells(x, which);
    std::for_each(w_.touches.begin() + static_cast<std::ptrdiff_t>(w_.first_cell), w_.touches.end(), start);
  }
  Projection<S> report;
  nodes_.report(report);
  // the nearest places of rods may be elsewhere afterwards; some go to and fro between two cells
  constexpr int most = 12, back = 4;
  bool anew = true;
  for (int i = 0; anew && i < most; ++i)
    anew = push_apart(x, i < back ? Displacing::within_impulses : Displacing::apart, run, report);
  if (overlaps) anew = push_apart(x, Displacing::let_out, run, report);
  if (anew) w_.each_touch(run, w_.touches.size(), [&](Touch<S>& t) { find_velocity(t, x); });
  return report;
}

template <class S>
template <class Run>
Projection<S> TouchingStep<S>::finish(State& x, const Run& run) {
  if (constraints_ != nullptr) constraints_->project_velocities(x, w_.step);
  nodes_.finish(x, run);
  return each_group(
      run, [&](std::size_t first, std::size_t count, Room& room) { finish_group(x, first, count, room); });
}

template <class S>
void TouchingStep<S>::find_forces(const State& at, Numbers& f) {
  find(at, S(0), false);
  S hardest(0), radius(1);
  for (const Touch<S>& t : w_.touches) {
    const auto nodes = surfaces_.all_nodes(at, w_);
    const S a = V(t.bias + t.template rate_of_velocity<Accelerated::by_all_but_led>(nodes, f)).norm();
    if (t.closed && a > hardest) hardest = a, radius = t.radius;
  }
  w_.step = hardest > S(0) ? S(S(1e-8) * number::sqrt(S(radius / hardest))) : S(1);
  begin(at, f, OneByOne{}, S(S(1e-11) * number::sqrt(S(radius * hardest))));
  for (Touch<S>& t : w_.touches) t.impulse *= S(2) / w_.step;  // to forces
}

}  // namespace dalembert::contact::detail
