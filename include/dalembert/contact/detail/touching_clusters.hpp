#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include <dalembert/contact/detail/touching_surfaces.hpp>
#include <dalembert/contact/detail/touching_work.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/linalg/cone_problem.hpp>

/// The law of contacts, cluster by cluster: impulses for velocities that are given, and what they do.
namespace dalembert::contact::detail {

/// Clusters of the touches of a step.
template <class S>
class TouchingClusters {
 public:
  using V = Vec<S, 3>;
  using M = Mat<S, 3>;
  using Room = ClusterRoom<S>;
  using State = assembly::State<S>;
  using Numbers = assembly::NodeNumbers<S>;
  using Nodes = assembly::detail::Nodes<S>;

  /// `constraints` are those beside the contacts, if there are any.
  TouchingClusters(const TouchingSurfaces<S>& surfaces, TouchingWork<S>& w,
                   HeldNodes<S>* constraints) noexcept
      : surfaces_(surfaces), w_(w), constraints_(constraints) {}

 protected:
  /// What a contact that closes has to open at, −e u_n⁻ with its sign changed.
  [[nodiscard]] S opening(const Touch<S>& t) const {
    const bool lands = !t.was_closed && t.opening_before < -S(4) * w_.step * number::abs(t.acceleration);
    return lands ? S(t.restitution * t.opening_before) : S(0);
  }
  /// The kinetic energy that the impulses of a cluster since the drift add, those that put positions right
  /// among them.
  [[nodiscard, gnu::noinline]] S gain(std::size_t first, std::size_t count, const Nodes& nodes, Room& room) {
    const auto pushed = [](const Touch<S>& t) { return V(t.push_impulse, S(0), S(0)); };
    w_.find_changes(first, count, nodes, constraints_, room,
                    [&](const Touch<S>& t) { return V(t.impulse - t.in_space(V(t.before + pushed(t)))); });
    S total(0);
    for (std::size_t i = first; i < first + count; ++i) {
      const Touch<S>& t = touch(i);
      const V P = t.in_frame(t.impulse) - t.before;
      total += V(P + pushed(t)).dot(V(t.kicked + S(0.5) * t.change));
    }
    return total;
  }
  /// Less restitution for a cluster that it would give energy.
  [[gnu::noinline]] void limit_restitution(std::size_t first, std::size_t count, const Nodes& nodes,
                                           Room& room) {
    bool lands = false;
    for (std::size_t i = first; i < first + count; ++i) lands = lands || touch(i).opening != S(0);
    if (!lands || !(gain(first, count, nodes, room) > S(0))) return;
    S low(0), high(1);
    for (int k = 0; k < 24; ++k) {
      const S part = k == 23 ? low : S((low + high) / S(2));
      for (std::size_t i = first; i < first + count; ++i) {
        touch(i).opening = part * opening(touch(i));
        touch(i).keep(touch(i).before);
      }
      solve_members(first, count, nodes, room);
      (gain(first, count, nodes, room) > S(0) ? high : low) = part;
    }
  }

  /// The velocity that further impulses have to do with.
  [[nodiscard]] static V without(const Touch<S>& t) { return {t.bias[0] + t.opening, t.bias[1], t.bias[2]}; }
  /// The law for impulses that leave b + G(P − impulse so far): they become those of the touches.
  /// After each cluster, solved(its first, how many).
  template <class F>
  void solve(std::size_t first, std::size_t count, const Nodes& nodes, Room& room, const F& solved) {
    w_.gather(
        first, count, [](const Touch<S>& t) { return t.closed; }, room);
    for (std::size_t c = 0; c + 1 < room.begin.size(); ++c) {
      solve_members(room.begin[c], room.begin[c + 1] - room.begin[c], nodes, room);
      solved(room.begin[c], room.begin[c + 1] - room.begin[c]);
    }
  }
  void solve_members(std::size_t first, std::size_t count, const Nodes& nodes, Room& room) {
    if (count > 1 || touch(first).held) return solve_cluster(first, count, nodes, room);
    Touch<S>& t = touch(first);
    const M G = t.own_response = t.response(t, nodes);
    if (!(G(0, 0) > S(0))) return;  // nothing of it can move
    const V undone = G * t.in_frame(t.impulse), b = without(t) - undone, slip = t.in_frame(t.slip_before);
    if (linalg::detail::is_central<S>(G))
      t.keep(linalg::detail::central_contact<S>(G, b, t.friction, Vec<S, 2>(slip[1], slip[2])));
    else
      t.keep(linalg::detail::solved_contact<S>(G, b, t.friction));
  }
  /// Wedged bodies may have no motion that opens all contacts as their restitution says, and then no impulses
  /// of a moderate size: a quarter of it, then none. Answers whether there was any.
  [[nodiscard]] bool lessen_restitution(std::size_t first, std::size_t count) {
    bool any = false;
    for (std::size_t i = first; i < first + count; ++i) {
      Touch<S>& t = touch(i);
      any = any || t.opening != S(0);
      t.opening = number::abs(t.opening) > S(0.5) * number::abs(opening(t)) ? S(t.opening / S(4)) : S(0);
    }
    return any;
  }
  /// The solution of the problem of a cluster, or what comes near to it. With μ = ∞ contacts may be wedged
  /// so that not all of them can stick: then theirs is as large as can be, and others keep theirs.
  [[gnu::noinline]] const linalg::ConeSolution<S>& search_cluster(std::size_t first, std::size_t count,
                                                                  Room& room) {
    const linalg::ConeSolution<S>* solution = nullptr;
    const auto is_solved = [&](S most, int sweeps) {
      for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite(touch(first + i).friction)) room.problem.friction[i] = most;
      linalg::ConeOptions<S> options;
      options.sweeps = sweeps;
      solution = &room.search(room.problem, options, room.guess);
      return solution->converged;
    };
    bool endless = false;
    for (std::size_t i = 0; i < count; ++i) endless = endless || !std::isfinite(touch(first + i).friction);
    constexpr S none = std::numeric_limits<S>::infinity(), large(1e3);
    const int all = linalg::ConeOptions<S>{}.sweeps;
    for (const int sweeps : {0, all}) {
      if (sweeps == 0 && !endless) continue;
      if (is_solved(none, sweeps)) break;
      if (!endless || (sweeps == 0 && !(room.search.farthest() < large))) continue;
      for (S most(S(4) * large); most > S(2);) {
        const S farthest = S(0.9) * room.search.farthest();
        most = std::min(S(most / S(4)), farthest > S(0) ? farthest : most);
        if (is_solved(most, sweeps)) return *solution;
      }
    }
    return *solution;
  }
  [[gnu::noinline]] void solve_cluster(std::size_t first, std::size_t count, const Nodes& nodes, Room& room) {
    room.begin_problem(count, [&](std::size_t i) { return touch(first + i).friction; });
    auto& problem = room.problem;
    w_.put_responses(first, count, nodes, constraints_, room, false);
    for (std::size_t i = 0; i < count; ++i) {
      const V u = without(touch(first + i)), P = touch(first + i).in_frame(touch(first + i).impulse);
      for (int k = 0; k < 3; ++k) {
        problem.b[problem.row(i) + k] = u[k];
        room.start[problem.row(i) + k] = P[k];
      }
      S& closing = problem.b[problem.row(i)];  // of what nothing can move the positions decide
      if (!(problem.G.diagonal(problem.row(i)) > S(0))) closing = std::max(closing, S(0));
    }
    problem.take_away(room.start);
    room.guess = room.start;
    for (S& x : room.guess) x *= S(2);
    const linalg::ConeSolution<S>& solution = search_cluster(first, count, room);
    if (!solution.converged) [[unlikely]] {
      if (lessen_restitution(first, count)) return solve_cluster(first, count, nodes, room);
      throw NoConvergence(
          message({"the impulses of ", count, " contacts, the first of ", surfaces_.name(touch(first)),
                   ", did not converge: ", number::plain(solution.residual), " of the largest,"}),
          number::plain(w_.time));
    }
    for (std::size_t i = 0; i < count; ++i)
      touch(first + i).keep(linalg::detail::three(solution.P, problem.row(i)));
  }
  /// The works of impulses P on what moves at u on average, in the frame of a touch. Loads and impulses
  /// change the velocity together: u is the mean of those before and after both, so that rest costs nothing.
  static void book(const Touch<S>& t, const V& P, const V& u, Room& room) {
    room.works.impact += P[0] * u[0];
    room.works.friction += P[1] * u[1] + P[2] * u[2];
    room.works.driven += P.dot(t.in_frame(t.surface));
  }
  /// Those of the first solve of a cluster, the last that was solved, whose impulses have not moved anything
  /// yet.
  [[gnu::noinline]] void book_cluster(std::size_t first, std::size_t count, Room& room) {
    if (count == 1 && !touch(first).held) {
      touch(first).change = touch(first).own_response * touch(first).in_frame(touch(first).impulse);
    } else {
      const auto& problem = room.problem;
      for (std::size_t i = 0; i < count; ++i) {
        const V P = touch(first + i).in_frame(touch(first + i).impulse);
        for (int k = 0; k < 3; ++k) room.start[problem.row(i) + k] = P[k];
      }
      room.guess.set_zero(problem.size());
      problem.G.add_product(room.start, S(1), room.guess);
      for (std::size_t i = 0; i < count; ++i)
        touch(first + i).change = linalg::detail::three(room.guess, problem.row(i));
    }
    for (std::size_t i = first; i < first + count; ++i) {
      const Touch<S>& t = touch(i);
      const V kicked = t.kicked + t.change;
      book(t, t.in_frame(t.impulse), V(t.u_before + S(0.5) * kicked), room);
    }
  }

  [[nodiscard]] Touch<S>& touch(std::size_t in_order) noexcept { return w_.touch(in_order); }

  const TouchingSurfaces<S>& surfaces_;
  TouchingWork<S>& w_;
  HeldNodes<S>* constraints_;
};

}  // namespace dalembert::contact::detail
