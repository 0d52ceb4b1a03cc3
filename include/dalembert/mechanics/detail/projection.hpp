#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/mechanics/detail/differentiated_constraints.hpp>
#include <dalembert/mechanics/detail/solve_checks.hpp>
#include <dalembert/mechanics/lagrangian.hpp>
#include <dalembert/problem/concepts.hpp>

/// Consistent states: the point on the constraints that is nearest in the metric of kinetic energy.
///   min ½ δᵀM δ   subject to   A δ + c = 0,      M = ∂²ℓ/∂ξ²                              (1)
/// by Newton's iteration, first for δ = (η, δz) on φ = 0, then for δ = δξ on φ̇ = 0 and R = 0.
/// Coordinates without inertia move for free.
namespace dalembert::detail {

/// What restricts velocities: φ̇ of the rows of order 0 and R of those of order 1, but for rows of mixed
/// order, which are zero here.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Vec<S, position_rows<System> + velocity_rows<System>> velocity_violation(
    const System& system, const MixedRows<System>& mixed, const StateOf<System>& at) {
  constexpr int p = position_rows<System>, v = velocity_rows<System>;
  const Vec<S, internal_size<System>> rest = zeros<S, internal_size<System>>();
  Vec<S, p + v> rows = zeros<S, p + v>();
  if constexpr (p > 0) place(rows, 0, 0, positions_along_flow<1>(system, at));
  if constexpr (v > 0) place(rows, p, 0, velocity_constraint<S>(system, at, rest));
  mixed.for_each([&](int row) { rows[row] = 0; });
  return rows;
}

/// Its derivative by ξ.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Mat<S, position_rows<System> + velocity_rows<System>, System::Group::dof>
velocity_violation_jacobian(const System& system, const MixedRows<System>& mixed, const StateOf<System>& at) {
  constexpr int n = System::Group::dof, p = position_rows<System>, v = velocity_rows<System>;
  const Vec<S, internal_size<System>> rest = zeros<S, internal_size<System>>();
  Mat<S, p + v, n> rows;
  if constexpr (p > 0) place(rows, 0, 0, columns<n>(position_jacobian(system, at)));
  if constexpr (v > 0) place(rows, p, 0, columns<n>(velocity_jacobian(system, at, rest)));
  mixed.for_each([&](int row) {
    for (int j = 0; j < n; ++j) rows(row, j) = 0;
  });
  return rows;
}

/// M⁻¹Aᵀ of those rows: the velocities that impulses along them cause. A row that is zero causes none.
/// Where M is singular, (M + s AᵀA)⁻¹Aᵀ with s > 0 of the size of M/A²: for a regular M the same
/// velocities, from impulses of another size. Throws InvalidState where the rows leave a coordinate without
/// inertia free.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Mat<S, System::Group::dof, position_rows<System> + velocity_rows<System>> velocity_response(
    const System& system, const MixedRows<System>& mixed, const StateOf<System>& at) {
  constexpr int n = System::Group::dof, rows = position_rows<System> + velocity_rows<System>;
  EulerLagrangeTerms<S, n, internal_size<System>> dynamics;
  euler_lagrange(system, at, dynamics);
  Mat<S, n> inertia = block_of<n, n>(dynamics.mass, 0, 0);
  Mat<S, n, rows> response = transposed(velocity_violation_jacobian(system, mixed, at));
  linalg::SmallLDLT<S, n> mass;
  if (!mass.compute(inertia)) {
    const Mat<S, n> squares = times(response, transposed(response));
    S square = 0, trace = 0;
    for (int i = 0; i < n; ++i) square += squares(i, i), trace += inertia(i, i);
    if (square > S(0))
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) inertia(i, j) += trace / square * squares(i, j);
    if (!mass.compute(inertia))
      throw InvalidState("LagrangeDAlembert: mass and constraints leave the velocity undetermined",
                         number::plain(at.time));
  }
  mass.solve_lower(response);
  for (int j = 0; j < rows; ++j) {
    Vec<S, n> column = columns<1>(response, j);
    mass.solve_upper(column);
    place(response, 0, j, column);
  }
  return response;
}

/// The rounding of a configuration: of the largest of its numbers.
template <class S, class State>
[[nodiscard]] S rounding_of_configuration(const State& at) {
  S size = largest(at.z);
  (void)at.g.template mapped<S>([&](const S& x) {
    size = std::max(size, S(number::abs(x)));
    return x;
  });
  return S(16) * std::numeric_limits<S>::epsilon() * size;
}

/// Newton's iteration for (1) with `Unknowns` unknowns and `Rows` rows: `linearise` gives rows and values,
/// `apply` takes a step. It ends where steps are as small as velocities tell, or as `rounding()`.
template <int Unknowns, int Rows, class System, class Linearise, class Apply, class Rounding,
          class S = ScalarOf<System>>
[[nodiscard]] Projection<S> project_onto(const System& system, StateOf<System>& state, Linearise&& linearise,
                                         Apply&& apply, Rounding&& rounding) {
  using std::isfinite, std::pow, std::sqrt;
  constexpr int n = System::Group::dof;
  const S enough = pow(std::numeric_limits<S>::epsilon(), S(0.75));
  constexpr int most_iterations = 20;
  EulerLagrangeTerms<S, n, internal_size<System>> dynamics;
  SaddlePoint<S, Unknowns, Rows, Rows> equations;
  SaddlePointSolution<S, Unknowns, Rows, Rows> solution;
  Projection<S> done{.moved = 0, .iterations = 0, .converged = false};
  while (!done.converged && done.iterations < most_iterations) {
    euler_lagrange(system, state, dynamics);
    set_zero(equations.mass);
    place(equations.mass, 0, 0, block_of<n, n>(dynamics.mass, 0, 0));
    set_zero(equations.force);
    linearise(equations.constraint, equations.drift);
    equations.variational = equations.constraint;
    solve<(Unknowns > n)>(equations, solution);
    ++done.iterations;
    const S size = largest(solution.x);
    if (!(largest(solution.residual) <= trusted<S>) || !isfinite(size)) return done;
    apply(solution.x);
    done.moved += number::sqrt(value_of(
        std::max(inner(solution.x, times(equations.mass, solution.x)), S(0))));  // not-a-number stays
    done.converged = size <= enough * (1 + largest(state.xi)) || size <= rounding();
  }
  return done;
}

/// Onto φ = 0.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Projection<S> project_positions(const System& system, StateOf<System>& state) {
  constexpr int n = System::Group::dof, m = internal_size<System>;
  return project_onto<n + m, position_rows<System>>(
      system, state,
      [&](auto& rows, auto& values) {
        values = position_constraint<S>(system, state);
        rows = position_jacobian(system, state);
      },
      [&](const Vec<S, n + m>& step) {
        const typename System::Group::Tangent eta = part<n>(step);
        state.g = moved_by<TrivialisationOf<System>>(state.g, eta).normalised();
        state.z = sum(state.z, part<m>(step, n));
      },
      [&] { return rounding_of_configuration<S>(state); });
}

/// Onto φ̇ = 0 and R = 0.
template <MechanicalSystem System, class S = ScalarOf<System>>
[[nodiscard]] Projection<S> project_velocities(const System& system, const MixedRows<System>& mixed,
                                               StateOf<System>& state) {
  constexpr int n = System::Group::dof;
  return project_onto<n, position_rows<System> + velocity_rows<System>>(
      system, state,
      [&](auto& rows, auto& values) {
        values = velocity_violation(system, mixed, state);
        rows = velocity_violation_jacobian(system, mixed, state);
      },
      [&](const Vec<S, n>& step) { state.xi = sum(state.xi, step); }, [] { return S(0); });
}

/// z from the rows φ(g, z, t) = 0 at a fixed g, where they are as many as z, by Newton's iteration from the
/// z that is there. Throws NoConvergence, with `state` as it was.
template <MechanicalSystem System, class S = ScalarOf<System>>
void solve_internal(const System& system, StateOf<System>& state) {
  using std::pow;
  constexpr int m = internal_size<System>;
  const S enough = pow(std::numeric_limits<S>::epsilon(), S(0.75));
  constexpr int most_iterations = 30;
  StateOf<System> trial = state;
  for (int i = 0; i < most_iterations; ++i) {
    const Mat<S, m> slope = columns<m>(position_jacobian(system, trial), System::Group::dof);
    Vec<S, m> step = position_constraint<S>(system, trial), row_sizes, column_sizes = Vec<S, m>::Ones();
    for (int r = 0; r < m; ++r) row_sizes[r] = slope.row(r).squaredNorm();
    if (!linalg::solve_square<S, m>(slope, row_sizes, column_sizes, step)) break;
    trial.z = difference(trial.z, step);
    if (!(largest(step) > enough * (1 + largest(trial.z)))) {
      if (!all_finite(trial.z)) break;
      state.z = trial.z;
      return;
    }
  }
  throw NoConvergence("LagrangeDAlembert: position_constraint gives no internal coordinates",
                      number::plain(state.time));
}

}  // namespace dalembert::detail
