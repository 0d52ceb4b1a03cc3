#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/contact/detail/node_contact_search.hpp>
#include <dalembert/contact/detail/node_contacts.hpp>
#include <dalembert/contact/detail/touching_positions.hpp>
#include <dalembert/contact/detail/touching_surfaces.hpp>
#include <dalembert/contact/detail/touching_work.hpp>
#include <dalembert/linalg/cone_problem.hpp>
#include <dalembert/problem/concepts.hpp>

/// What contacts do in a step h of Verlet's method, from q_n, v_n, without memory. With u the velocities at
/// the contacts, a(F) what loads F make of them, β their rate while nodes keep their velocities:
///   P₁: the law for u + ½h(a(F) + β) + G P₁ over what is closed      kick ½h by F and P₁, drift h      (1)
///   positions: m ≥ −h P₁ₙ where closed, m ≥ 0 elsewhere, g ≥ 0; q += M⁻¹Aₙᵀm, v and P₁ₙ likewise m/h    (2)
///   kick ½h by F; the law for the total impulse P of the step, u_n + e u_n⁻ where newly closed          (3)
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
class TouchingStep {
 public:
  using V = Vec<S, 3>;
  using M = Mat<S, 3>;
  using State = assembly::State<S>;
  using Numbers = assembly::NodeNumbers<S>;
  using Room = ClusterRoom<S>;

  TouchingStep(const TouchingSurfaces<S>& surfaces, TouchingWork<S>& w) noexcept
      : surfaces_(surfaces), w_(w), nodes_(surfaces, w) {}

  /// What may touch in a step of h from `at`, and what is closed there; in packs what can be.
  void find(const State& at, S h, bool in_packs = true) {
    in_packs = in_packs && w_.nodes_in_packs;
    w_.touches.clear();
    w_.node_contacts.clear();
    w_.works = {};
    w_.step = h;
    w_.time = at.time;
    surfaces_.each_near(
        at, h, w_.grid, w_.points, [&](const Touch<S>& t) { w_.touches.push_back(t); }, !in_packs);
    if (in_packs) NodeContactSearch<S>(surfaces_, w_).find(at, h);
    w_.form_groups();
    for (Touch<S>& t : w_.touches) {
      t.closed = t.was_closed = t.gap <= t.tolerance();
      t.gap_before = t.gap;
      t.impulse = V::Zero();
      t.at_impulse = t.normal();
    }
  }

  /// (1): P₁ for the loads `f` at `at`, which is added to them as a force over half a step. Velocities below
  /// `rounding` are none.
  template <class Run>
  void begin(const State& at, Numbers& f, const Run& run, S rounding = S(0)) {
    nodes_.begin(at, f, run);
    (void)w_.each_group(run, [&](std::size_t first, std::size_t count, Room& room) {
      begin_group(at, f, rounding, first, count, room);
    });
  }

  /// (2).
  template <class Run>
  Projection<S> close(State& x, const Run& run) {
    nodes_.close(x, run);
    Projection<S> report = w_.each_group(
        run, [&](std::size_t first, std::size_t count, Room& room) { close_group(x, first, count, room); });
    nodes_.report(report);
    return report;
  }

  /// (3).
  template <class Run>
  Projection<S> finish(State& x, const Run& run) {
    nodes_.finish(x, run);
    return w_.each_group(
        run, [&](std::size_t first, std::size_t count, Room& room) { finish_group(x, first, count, room); });
  }

  /// The contact forces at `at` for loads `f`, to which they are added: P₁ of a step so short that it changes
  /// velocities alone. Velocities below the rounding of what falls over its radius are none.
  void find_forces(const State& at, Numbers& f) {
    find(at, S(0), false);
    S hardest(0), radius(1);
    for (const Touch<S>& t : w_.touches) {
      const S a = accelerations(t, at, f).second.norm();
      if (t.closed && a > hardest) hardest = a, radius = t.radius;
    }
    w_.step = hardest > S(0) ? S(S(1e-8) * number::sqrt(S(radius / hardest))) : S(1);
    begin(at, f, OneByOne{}, S(S(1e-11) * number::sqrt(S(radius * hardest))));
    for (Touch<S>& t : w_.touches) t.impulse *= S(2) / w_.step;  // to forces
  }

 private:
  void begin_group(const State& at, Numbers& f, S rounding, std::size_t first, std::size_t count,
                   Room& room) {
    const S half = w_.step / S(2);
    w_.each_of(first, count, [&](Touch<S>& t) {
      surfaces_.find_rates(t, at);
      V u = t.velocity(at);
      const auto [kick, all] = accelerations(t, at, f);
      for (int i = 0; i < 3; ++i)
        if (number::abs(u[i]) < rounding) u[i] = S(0);
      t.opening_before = t.normal().dot(u);
      t.acceleration = t.normal().dot(all) + t.normal_rate.dot(u);
      t.bias = t.frame * (u + half * all);  // what P₁ has to do with
      t.bias[0] += half * t.normal_rate.dot(u);
      t.u_before = t.frame * u;
      t.kicked = t.frame * (half * kick);
      t.opening = S(0);
    });
    solve(first, count, room);
    for (std::size_t c = 0; c + 1 < room.begin.size(); ++c)
      book_cluster(room.begin[c], room.begin[c + 1], room);
    w_.each_of(first, count, [&](Touch<S>& t) {
      if (!t.closed || t.impulse.isZero(S(0))) return;
      const V u = t.frame.transpose() * V(S(0), t.u_before[1], t.u_before[2]);
      const S speed = u.norm();
      if (speed > (t.bias - t.u_before).norm()) t.slip_before = u / speed;  // slower ones may stick
      const V force = t.impulse / half;
      for (std::size_t s = 0; s < 2; ++s) {
        if (!t.sides[s].there()) continue;
        const V mine = s == 0 ? force : V(-force), torque = t.torque(s, mine);
        auto& loads = f.chains[t.sides[s].body];
        for (int i = 0; i < 3; ++i) {
          loads(t.sides[s].node, i) += mine[i];
          loads(t.sides[s].node, 3 + i) += torque[i];
        }
      }
    });
  }
  void close_group(State& x, std::size_t first, std::size_t count, Room& room) {
    bool overlaps = false;
    w_.each_of(first, count, [&](Touch<S>& t) {
      surfaces_.look(t, x);
      t.keep(t.carried_impulse());
      t.push_impulse = S(0);
      overlaps = overlaps || t.gap_before < -t.tolerance();
    });
    for (const bool let_out : {false, true})
      if (!let_out || overlaps)
        TouchingPositions<S>(surfaces_, w_, room, let_out).push_apart(x, first, count);
    w_.each_of(first, count, [&](Touch<S>& t) { t.u_before = t.frame * t.velocity(x); });
  }
  void finish_group(State& x, std::size_t first, std::size_t count, Room& room) {
    w_.each_of(first, count, [&](Touch<S>& t) {
      surfaces_.look(t, x);
      t.closed = t.gap <= t.tolerance();
      t.keep(t.carried_impulse());
      t.slip_before -= t.normal().dot(t.slip_before) * t.normal();
      t.bias = t.kicked = t.frame * t.velocity(x);  // by the loads alone
      t.before = t.frame * t.impulse;
      t.opening = opening(t);
    });
    solve(first, count, room);
    for (std::size_t c = 0; c + 1 < room.begin.size(); ++c)
      limit_restitution(room.begin[c], room.begin[c + 1] - room.begin[c], room);
    w_.each_of(first, count, [&](const Touch<S>& t) {
      if (t.closed) t.kick(x, V(t.impulse - t.frame.transpose() * t.before), surfaces_.inertia());
    });
    w_.each_of(first, count, [&](const Touch<S>& t) {
      if (!t.closed) return;
      const V P = t.frame * t.impulse - t.before;
      book(t, P, V((t.u_before + t.frame * t.velocity(x)) / S(2)), room);
    });
  }

  /// What loads alone do to the velocity at a contact, and all that changes it.
  [[nodiscard]] std::pair<V, V> accelerations(const Touch<S>& t, const State& at, const Numbers& f) const {
    V kick = V::Zero(), all = t.bias;
    for (std::size_t s = 0; s < 2; ++s) {
      const auto& side = t.sides[s];
      if (!side.there()) continue;
      const auto& inertia = surfaces_.inertia()[side.body];
      const auto& loads = f.chains[side.body];
      const auto& chain = at.chains[side.body];
      const Eigen::Index k = side.node;
      V linear, angular, more_linear, more_angular;
      const V w = chain.angular_velocity(k);
      for (int i = 0; i < 3; ++i) {
        linear[i] = inertia.inverse(k, i) * loads(k, i);
        angular[i] = inertia.inverse(k, 3 + i) * loads(k, 3 + i);
        const S free = inertia.inverse(k, i) > S(0) ? inertia.damping : S(0);
        const S free_turn = inertia.inverse(k, 3 + i) > S(0) ? inertia.damping : S(0);
        more_linear[i] = -free * chain.velocity(k, i);
        more_angular[i] = -inertia.gyro(k, i) * w[(i + 1) % 3] * w[(i + 2) % 3] - free_turn * w[i];
      }
      kick += t.rate(s, linear, angular);
      all += t.rate(s, V(linear + more_linear), V(angular + more_angular));
    }
    return {kick, all};
  }

  /// What a contact that closes has to open at, −e u_n⁻ with its sign changed.
  [[nodiscard]] S opening(const Touch<S>& t) const {
    const bool lands = !t.was_closed && t.opening_before < -S(4) * w_.step * number::abs(t.acceleration);
    return lands ? S(t.restitution * t.opening_before) : S(0);
  }
  /// The kinetic energy that the impulses of a cluster since the drift add, those that put positions right
  /// among them.
  [[nodiscard]] S gain(std::size_t first, std::size_t count) {
    const auto pushed = [](const Touch<S>& t) { return V(t.push_impulse, S(0), S(0)); };
    S total(0);
    for (std::size_t i = first; i < first + count; ++i) {
      const Touch<S>& t = touch(i);
      V mean = t.kicked;
      for (std::size_t j = first; j < first + count; ++j) {
        const Touch<S>& by = touch(j);
        const V P = by.frame * by.impulse - by.before;
        mean += t.response(by, surfaces_.inertia()) * V(P - pushed(by)) / S(2);
      }
      total += V(t.frame * t.impulse - t.before + pushed(t)).dot(mean);
    }
    return total;
  }
  /// Less restitution for a cluster that it would give energy.
  void limit_restitution(std::size_t first, std::size_t count, Room& room) {
    bool lands = false;
    for (std::size_t i = first; i < first + count; ++i) lands = lands || touch(i).opening != S(0);
    if (!lands || !(gain(first, count) > S(0))) return;
    S low(0), high(1);
    for (int k = 0; k < 24; ++k) {
      const S part = k == 23 ? low : S((low + high) / S(2));
      for (std::size_t i = first; i < first + count; ++i) {
        touch(i).opening = part * opening(touch(i));
        touch(i).keep(touch(i).before);
      }
      solve_members(first, count, room);
      (gain(first, count) > S(0) ? high : low) = part;
    }
  }

  /// The velocity that further impulses have to do with.
  [[nodiscard]] static V without(const Touch<S>& t) { return {t.bias[0] + t.opening, t.bias[1], t.bias[2]}; }
  /// The law for impulses that leave b + G(P − impulse so far): they become those of the touches.
  void solve(std::size_t first, std::size_t count, Room& room) {
    w_.gather(
        first, count, [](const Touch<S>& t) { return t.closed; }, room);
    for (std::size_t c = 0; c + 1 < room.begin.size(); ++c)
      solve_members(room.begin[c], room.begin[c + 1] - room.begin[c], room);
  }
  void solve_members(std::size_t first, std::size_t count, Room& room) {
    if (count > 1) return solve_cluster(first, count, room);
    Touch<S>& t = touch(first);
    const M G = t.own_response = t.response(t, surfaces_.inertia());
    if (!(G(0, 0) > S(0))) return;  // nothing of it can move
    const V b = without(t) - G * (t.frame * t.impulse), slip = t.frame * t.slip_before;
    if (linalg::detail::is_central<S>(G))
      t.keep(linalg::detail::central_contact<S>(G, b, t.friction, Vec<S, 2>(slip[1], slip[2])));
    else
      t.keep(linalg::detail::solved_contact<S>(G, b, t.friction));
  }
  [[gnu::noinline]] void solve_cluster(std::size_t first, std::size_t count, Room& room) {
    room.begin_problem(count, [&](std::size_t i) { return touch(first + i).friction; });
    auto& problem = room.problem;
    w_.put_responses(first, count, surfaces_.inertia(), problem);
    for (std::size_t i = 0; i < count; ++i) {
      const V u = without(touch(first + i)), P = touch(first + i).frame * touch(first + i).impulse;
      for (int k = 0; k < 3; ++k) {
        problem.b[problem.row(i) + k] = u[k];
        room.start[problem.row(i) + k] = P[k];
      }
    }
    problem.take_away(room.start);
    room.guess = room.start;
    for (S& x : room.guess) x *= S(2);
    const linalg::ConeOptions<S> options;
    const auto& solution = room.search(problem, options, room.guess);
    bool endless = false;  // μ = ∞, of contacts that cannot all stick: as large as can be. Others keep theirs
    for (std::size_t i = 0; i < count; ++i) endless = endless || !std::isfinite(touch(first + i).friction);
    for (S most(1e3); endless && !solution.converged && most > S(2); most /= S(4)) {
      for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite(touch(first + i).friction)) problem.friction[i] = most;
      (void)room.search(problem, options, room.guess);
    }
    if (!solution.converged) [[unlikely]] {
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
    room.works.driven += P.dot(t.frame * t.surface);
  }
  /// Those of the first solve, whose impulses have not moved anything yet.
  void book_cluster(std::size_t first, std::size_t last, Room& room) {
    for (std::size_t i = first; i < last; ++i) {
      const Touch<S>& t = touch(i);
      V change = t.kicked;
      for (std::size_t j = first; j < last; ++j)
        if (last - first == 1)
          change += t.own_response * (t.frame * t.impulse);
        else if (t.shares_with(touch(j)))
          change += t.response(touch(j), surfaces_.inertia()) * (touch(j).frame * touch(j).impulse);
      book(t, V(t.frame * t.impulse), V(t.u_before + change / S(2)), room);
    }
  }

  [[nodiscard]] Touch<S>& touch(std::size_t in_order) noexcept { return w_.touch(in_order); }

  const TouchingSurfaces<S>& surfaces_;
  TouchingWork<S>& w_;
  NodeContacts<S> nodes_;
};

}  // namespace dalembert::contact::detail
