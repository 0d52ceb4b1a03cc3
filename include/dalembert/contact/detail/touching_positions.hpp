#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/contact/detail/touching_surfaces.hpp>
#include <dalembert/contact/detail/touching_work.hpp>
#include <dalembert/linalg/cone_problem.hpp>

/// How contacts put positions right after the drift: equation (2) of touching_step.hpp.
namespace dalembert::contact::detail {

/// Displaces along the normals until no gap is negative. Of overlaps from before the step: until they are
/// none the larger, or (`let_out`) a little smaller and without a velocity.
template <class S>
class TouchingPositions {
 public:
  using V = Vec<S, 3>;
  using State = assembly::State<S>;

  /// `constraints` are those beside the contacts, if there are any.
  TouchingPositions(const TouchingSurfaces<S>& surfaces, TouchingWork<S>& work, HeldNodes<S>* constraints,
                    bool let_out) noexcept
      : surfaces_(surfaces), w_(work), constraints_(constraints), let_out_(let_out) {}

  /// From a configuration that was looked at. Newton's method, one step for each cluster in turn, with what
  /// became active on the way. Whether anything was moved.
  bool push_apart(State& x, Projection<S>& report) {
    bool some = false;
    for (Touch<S>& t : w_.touches) {
      t.pushed = S(0);
      t.active = t.gap < target(t) - rounding(t) || (!let_out_ && t.was_closed && t.pressure() > S(0));
      some = some || t.active;
    }
    bool moved = false;
    if (!some) return moved;
    constexpr int most = 60;
    for (int i = 0; i < most; ++i) {
      w_.gather([](const Touch<S>& t) { return t.active; }, constraints_);
      S worst(0);
      moved_ = false;
      for (std::size_t c = 0; c + 1 < w_.begin.size(); ++c) {
        const std::size_t first = w_.begin[c], count = w_.begin[c + 1] - first;
        const bool alone = count == 1 && w_.held[c] == 0;
        worst = std::max(worst, alone ? push_one(x, w_.touch(first)) : push_cluster(x, first, count));
      }
      if (constraints_ != nullptr && moved_) worst = close_constraints(x, worst);
      bool more = false;
      for (Touch<S>& t : w_.touches) {
        if (t.active || !moved_) continue;
        surfaces_.look(t, x);
        if (t.gap < target(t) - rounding(t)) t.active = more = true;
      }
      moved = moved || moved_;
      report.iterations = std::max(report.iterations, i + 1);
      if (!more && !(worst > S(1))) return moved;
    }
    report.converged = false;
    return moved;
  }

 private:
  [[nodiscard]] S target(const Touch<S>& t) const {
    return std::min(S(0), t.gap_before) * (let_out_ ? S(0.95) : S(1));
  }
  [[nodiscard]] static S rounding(const Touch<S>& t) {
    return S(4) * std::numeric_limits<S>::epsilon() * t.sizes;
  }
  /// What its impulse lets it be pulled back by.
  [[nodiscard]] S held(const Touch<S>& t) const { return let_out_ ? t.pushed : S(w_.step * t.pressure()); }
  /// How far the gap is off, in units of its rounding.
  [[nodiscard]] S off(const Touch<S>& t) const {
    const S g = t.gap - target(t);
    return (held(t) > S(0) ? S(number::abs(g)) : std::max(S(0), S(-g))) / rounding(t);
  }
  /// Look again, with the impulse turned with the normal.
  void look(Touch<S>& t, const State& x) const {
    surfaces_.look(t, x);
    t.keep(t.carried_impulse());
  }
  void push(State& x, Touch<S>& t, S by) {
    if (by == S(0)) return;
    moved_ = true;
    const V m = by * t.normal();
    t.displace(x, m, surfaces_.inertia());
    if (let_out_) {
      t.pushed += by;
      return;
    }
    const S before = t.normal().dot(t.velocity(x));
    t.kick(x, V(m / w_.step), surfaces_.inertia());
    note(t, by);
    w_.works.correction += by / w_.step * (before + t.normal().dot(t.velocity(x))) / S(2);
  }
  /// The same of all contacts of a cluster of which constraints hold nodes, by their `push_now`.
  void push_held(State& x, std::size_t first, std::size_t count) {
    moved_ = true;
    w_.put_field(first, count, surfaces_.inertia(), *constraints_,
                 [](const Touch<S>& t) { return V(t.push_now * t.normal()); });
    constraints_->displace(x);
    if (!let_out_) w_.works.correction += constraints_->kick(x, S(1) / w_.step, surfaces_.inertia());
    for (std::size_t i = first; i < first + count; ++i)
      if (let_out_)
        w_.touch(i).pushed += w_.touch(i).push_now;
      else
        note(w_.touch(i), w_.touch(i).push_now);
  }
  void note(Touch<S>& t, S by) const {
    t.impulse += by * t.normal() / w_.step;
    t.push_impulse += by / w_.step;
  }
  /// Put the rows of constraints right, which were kept to first order; how far gaps are off then. To the
  /// rounding of both, which act on the same nodes, they cannot be put right together.
  S close_constraints(State& x, S worst) {
    constraints_->close(x, let_out_ ? S(0) : w_.step);
    constraints_->look(x);
    S most(0);
    for (Touch<S>& t : w_.touches) {
      look(t, x);
      if (t.active) most = std::max(most, off(t));
    }
    return worst > S(0) ? most : most / S(16);
  }

  /// One step of Newton's method on a gap; how far it is off then.
  S push_one(State& x, Touch<S>& t) {
    if (off(t) <= S(1)) return S(0);
    const S G = t.normal_response(surfaces_.inertia());
    if (!(G > S(0))) return S(0);
    const S by = std::max(S(-held(t)), S((target(t) - t.gap) / G));
    push(x, t, by);
    look(t, x);
    return number::abs(by) * G <= rounding(t) ? S(0) : off(t);  // no nearer than this
  }
  /// The same of a cluster.
  S push_cluster(State& x, std::size_t first, std::size_t count) {
    bool good = true;
    for (std::size_t i = 0; i < count; ++i) good = good && off(w_.touch(first + i)) <= S(1);
    if (good) return S(0);
    linalg::ConeProblem<S> problem(0, std::vector<S>(count, S(0)));
    w_.put_responses(first, count, surfaces_.inertia(), constraints_, problem);
    Vec<S, Eigen::Dynamic> start = Vec<S, Eigen::Dynamic>::Zero(problem.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Touch<S>& t = w_.touch(first + i);
      problem.b[problem.row(i)] = t.gap - target(t);
      start[problem.row(i)] = held(t);
    }
    problem.b = problem.velocities(start, S(-1));
    const auto solution = linalg::solve_cone_problem(problem, {}, start);
    bool below_rounding = true;
    const bool held = w_.is_held(first);
    for (std::size_t i = 0; i < count; ++i) {
      Touch<S>& t = w_.touch(first + i);
      const Eigen::Index row = problem.row(i);
      const S by = solution.P[row] - start[row];
      below_rounding = below_rounding && number::abs(by) * problem.G(row, row) <= rounding(t);
      if (held)
        t.push_now = by;
      else
        push(x, t, by);
    }
    if (held) push_held(x, first, count);
    S worst(0);
    for (std::size_t i = 0; i < count; ++i) {
      Touch<S>& t = w_.touch(first + i);
      look(t, x);
      worst = std::max(worst, off(t));
    }
    return below_rounding ? S(0) : worst;
  }

  const TouchingSurfaces<S>& surfaces_;
  TouchingWork<S>& w_;
  HeldNodes<S>* constraints_;
  bool let_out_, moved_ = false;
};

}  // namespace dalembert::contact::detail
