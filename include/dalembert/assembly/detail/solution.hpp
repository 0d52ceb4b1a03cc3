#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <dalembert/assembly/detail/body_list.hpp>
#include <dalembert/assembly/detail/constraint_list.hpp>

/// The structured solution of an assembly's equations: multipliers, and projections onto velocities and positions. Rows, bodies and inertia are
/// those of the lists; `Bodies` is a BodyList, `Constraints` a ConstraintList.
namespace dalembert::assembly {

/// What a solve found out.
struct Report {
  int redundant_rows =
      0;  ///< rows that follow from others: their multipliers are not unique, those of least norm are given
  int clusters = 0;  ///< groups of constraints that share nodes
};

namespace detail {

template <class Constraints>
using WorkspaceOf = typename Constraints::Workspace;

/// The largest magnitude; a NaN if there is one.
template <class S>
[[nodiscard]] S largest(const Vec<S, Eigen::Dynamic>& x) {
  S most(0);
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i]) <= most)) most = std::abs(x[i]);
  return most;
}

template <class Constraints, class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_incompatible(const Constraints& constraints, int row,
                                                               S time) {
  throw IncompatibleConstraints(message({"IncompatibleConstraints: ", constraints.name_of_row(row),
                                         " contradicts other rows, or acts on nothing that can move"}),
                                static_cast<double>(time));
}

/// What may be left of a right side, relative to its size or to that of what it was made from.
template <class S>
inline constexpr S trusted = S(4e6) * std::numeric_limits<S>::epsilon();

/// Throws IncompatibleConstraints if more is left than rounding leaves; `scale()` is the size of what the right side was made from.
template <class Constraints, class Left, class S, class Scale>
void check_left(const Constraints& constraints, const Left& left, S time, const Scale& scale) {
  if (left.size > trusted<S> * left.largest && left.size > trusted<S> * scale()) [[unlikely]]
    throw_incompatible(constraints, left.row, time);
}

/// Rows and their systems at the places found.
template <class Bodies, class Constraints, class S>
void find_systems(const Bodies& bodies, const Constraints& constraints, const State<S>& at,
                  WorkspaceOf<Constraints>& w, RowKind kind) {
  if (constraints.rows() == 0) return;
  constraints.find_rows(at, w);
  w.rows.decompose(kind, at.chains, bodies.inertia());
}
/// Places, rows and their systems in a configuration.
template <class Bodies, class Constraints, class S>
void find(const Bodies& bodies, const Constraints& constraints, const State<S>& at,
          WorkspaceOf<Constraints>& w) {
  if (constraints.rows() == 0) return;
  constraints.find_places(at, w);
  find_systems(bodies, constraints, at, w, {});
}

/// λ = −G⁻¹(A M⁻¹f + β) for loads f, which then get A_Vᵀλ added, and ż, where the configuration was found. `room` is for accelerations.
template <class Bodies, class Constraints, class S>
Report solve_multipliers(const Bodies& bodies, const Constraints& constraints, const State<S>& at,
                         WorkspaceOf<Constraints>& w, std::vector<Columns<S, 6>>& f,
                         std::vector<Columns<S, 6>>& room, Vec<S, Eigen::Dynamic>& lambda,
                         Vec<S, Eigen::Dynamic>& zdot) {
  if (constraints.rows() == 0) return {};
  constraints.find_rates(at, w);
  zdot = w.zdot;
  if (bodies.leads()) {
    bodies.accelerate(at, f, room);
    w.rows.accelerations(at.chains, room, w.mu);
  } else {
    w.rows.accelerations_of_loads(at.chains, bodies.inertia(), f, w.mu);
  }
  for (Eigen::Index i = 0; i < lambda.size(); ++i) lambda[i] = -w.mu[i];
  check_left(constraints, w.rows.solve(lambda), at.time, [&] { return bodies.strength(f); });
  constraints.check(at, w, lambda);
  w.rows.add_loads(lambda, at.chains, f);
  return {w.rows.redundant(), w.rows.clusters()};
}

/// v −= M⁻¹A_Vᵀ(A M⁻¹A_Vᵀ)⁻¹(A v + b), for systems that were found.
template <class Bodies, class Constraints, class S>
Projection<S> stop(const Bodies& bodies, const Constraints& constraints, State<S>& x,
                   WorkspaceOf<Constraints>& w, RowKind kind) {
  if (constraints.rows() == 0) return {};
  w.rows.velocities(x.chains, w.slip);
  for (Eigen::Index i = 0; i < w.mu.size(); ++i) w.mu[i] = -w.slip[i];
  check_left(constraints, w.rows.solve(w.mu), x.time, [&] { return std::sqrt(S(2) * bodies.kinetic(x)); });
  w.rows.add_impulses(w.mu, kind, bodies.inertia(), x.chains);
  return {std::sqrt(std::abs(w.mu.dot(w.slip))), 0, true};
}

/// q += M⁻¹A_VᵀCᵀm until φ = 0, v += that / h if h > 0. Throws NoConvergence.
template <class Bodies, class Constraints, class S>
Projection<S> close(const Bodies& bodies, const Constraints& constraints, State<S>& x,
                    WorkspaceOf<Constraints>& w, S h, RowKind kind) {
  constexpr int iteration_limit = 50;
  Projection<S> result;
  if (constraints.rows() == 0) return result;
  S before = std::numeric_limits<S>::infinity();
  for (result.iterations = 1; result.iterations <= iteration_limit; ++result.iterations) {
    const bool settled = constraints.settle(x, w);
    const S error = largest(w.rows.error);
    if (!std::isfinite(error)) break;
    // as near as rounding lets it come
    const S tolerance = S(4) * std::numeric_limits<S>::epsilon() * w.rows.size;
    const bool closed = error <= tolerance || (error >= before / S(2) && error <= S(256) * tolerance);
    if (settled && closed) return result;
    before = error;
    if (closed) continue;
    constraints.find_rows(x, w);
    w.rows.decompose(kind, x.chains, bodies.inertia());
    for (Eigen::Index i = 0; i < w.push.size(); ++i) w.push[i] = -w.rows.error[i];
    w.rows.solve(w.push);
    result.moved += std::sqrt(std::abs(w.push.dot(w.rows.error)));
    w.rows.displace_all(w.push, kind, bodies.inertia(), h > S(0) ? S(1) / h : S(0), x.chains);
  }
  throw NoConvergence("NoConvergence: the position rows of an assembly", static_cast<double>(x.time));
}

}  // namespace detail

}  // namespace dalembert::assembly
