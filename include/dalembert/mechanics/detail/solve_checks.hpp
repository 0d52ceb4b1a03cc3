#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/detail/saddle_point.hpp>

/// What a solve for the rates is worth: whether Newton's iteration is at its end, and what is wrong with a
/// system that is not regular.
namespace dalembert::detail {

/// A solve is trusted if what remains is below this, relative to its largest term.
template <class S>
inline const S trusted = std::sqrt(std::numeric_limits<S>::epsilon());

/// Whether new rates are the earlier ones but for rounding.
template <class S, int N, int M>
[[nodiscard]] bool stays(const Vec<S, N + M>& rate, const Vec<S, N>& xidot, const Vec<S, M>& zdot) {
  return largest(difference(rate, stacked(xidot, zdot))) <=
         1000 * std::numeric_limits<S>::epsilon() * largest(rate);
}

/// The size of the terms in row `row` of `equations` at these rates.
template <class S, int N, int M, int K, int V>
[[nodiscard]] S row_size(const SaddlePoint<S, N + M, K, V>& equations, int row, const Vec<S, N>& xidot,
                         const Vec<S, M>& zdot) {
  using std::abs, std::sqrt;
  S length = 0;
  for (int i = 0; i < N; ++i)
    if (equations.mass(i, i) > 0)
      length += equations.constraint(row, i) * equations.constraint(row, i) / equations.mass(i, i);
  S size = std::max(abs(equations.drift[row]), S(number::sqrt(value_of(S(length * equations.square_size)))));
  for (int i = 0; i < N; ++i) size = std::max(size, abs(equations.constraint(row, i) * xidot[i]));
  for (int i = 0; i < M; ++i) size = std::max(size, abs(equations.constraint(row, N + i) * zdot[i]));
  return size;
}

/// Whether the rows that contain rates hold at the rates found by their linearisation in `equations`.
template <class System, class Equations, class S = ScalarOf<System>>
[[nodiscard]] bool rates_hold(const System& system, const MixedRows<System>& mixed, const StateOf<System>& at,
                              const Equations& equations, const Vec<S, System::Group::dof>& xidot,
                              const Vec<S, internal_size<System>>& zdot) {
  const auto holds = [&](int row, S value) {
    using std::abs;
    return abs(value) <= 1000 * std::numeric_limits<S>::epsilon() * row_size(equations, row, xidot, zdot);
  };
  constexpr int p = position_rows<System>;
  bool all = true;
  if constexpr (velocity_may_mix<System>) {
    const auto rows = velocity_constraint<S>(system, at, zdot);
    for (int i = 0; i < velocity_rows<System>; ++i)
      all = all && (!mixed.velocity[static_cast<std::size_t>(i)] || holds(p + i, rows[i]));
  }
  if constexpr (0 < acceleration_rows<System>) {
    const auto rows = acceleration_constraint<S>(system, at, xidot, zdot);
    for (int i = 0; i < acceleration_rows<System>; ++i)
      all = all && holds(p + velocity_rows<System> + i, rows[i]);
  }
  return all;
}

/// Throws what is wrong with a solution that is not regular, if something is, at time `at`.
template <class System, class S, int N, int K, int V>
[[gnu::noinline]] void throw_singular(const SaddlePointSolution<S, N, K, V>& solution, double at) {
  std::string rows;
  for (int i = 0; i < K; ++i)
    if (solution.residual[i] > trusted<S>) rows += (rows.empty() ? "" : ", ") + constraint_name<System>(i);
  if (!rows.empty())
    throw IncompatibleConstraints(
        message({"LagrangeDAlembert: constraint rows contradict each other (", rows, ")"}), at);
  if (!all_finite(solution.x) || !all_finite(solution.lambda))
    throw InvalidState("LagrangeDAlembert: the state is not finite", at);
  if (!solution.determined)
    throw InvalidState("LagrangeDAlembert: mass and constraints leave the acceleration undetermined", at);
  if (solution.dynamic_residual > trusted<S>)
    throw InvalidState("LagrangeDAlembert: no acceleration and reactions balance the forces", at);
}

/// Throws IncompatibleConstraints or InvalidState unless the solution at time `at` [s] can be used. Lanes of
/// a pack that cannot be used are not-a-number instead, so that they do not stop the others.
template <class System, class S, int N, int K, int V>
void check_solution([[maybe_unused]] const SaddlePointSolution<S, N, K, V>& solution, [[maybe_unused]] S at) {
  if constexpr (!PackReal<S>) {
    if (solution.regular && all_finite(solution.x) && all_finite(solution.lambda)) return;
    throw_singular<System>(solution, number::plain(at));
  }
}

/// x, which belongs to the state at time `at` [s]. Throws NotFinite naming the quantity unless x is finite;
/// lanes of a pack pass.
template <class S>
[[nodiscard]] S finite(const S& x, [[maybe_unused]] const char* quantity, [[maybe_unused]] const S& at) {
  if constexpr (SingleReal<S>) {
    if (!number::isfinite(x)) [[unlikely]]
      throw_not_finite(quantity, number::plain(x), number::plain(at));
  }
  return x;
}

}  // namespace dalembert::detail
