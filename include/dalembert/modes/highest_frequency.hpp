#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/linalg/krylov.hpp>
#include <dalembert/modes/detail/place_sensitivity.hpp>
#include <dalembert/modes/detail/small_motions.hpp>

/// The highest frequency of small motions of any bodies under any constraints, for the stability limits of
/// explicit integrators where no bound is known beforehand: `Assembly::frequency_bound` takes each rod by
/// itself, in no time, and asks for bodies that are all rods or strings; this one sees the constraints too,
/// by which a rigid body swings, and the masses that welds add.
///   Ω = γ + √(γ² + ω²),  ω² = max ‖P M⁻¹K φ‖,  γ = max ‖P M⁻¹D φ‖             (1)
/// with the projection P onto A φ = 0 in the metric M, by the Lanczos method, O(N) where each constraint
/// touches few nodes that are near each other along the bodies. K and D are those of the bodies and of all
/// loads at the time of the state, D without the damping ν of bodies, which `Verlet` steps exactly. Where
/// loads damp nothing Ω = ω is a frequency. `Verlet` is stable for steps below 2/Ω, and for no longer ones
/// where one motion is both the fastest and the most damped.
namespace dalembert::assembly {

namespace detail {

/// Ω of these matrices; see `highest_frequency`.
template <class S>
[[nodiscard]] S highest_frequency_of(const MotionMatrices<S>& motions) {
  const auto nodes = static_cast<std::size_t>(motions.nodes), size = static_cast<std::size_t>(motions.size());
  const std::vector<S> metric(motions.mass.begin(), motions.mass.end());
  linalg::SparseEquations<S, S> inertia;  // of M with A
  inertia.decompose(size, static_cast<std::size_t>(motions.rows), motions.inertia());
  std::vector<S> all(size);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto solve = [&](std::vector<S>& q) {
    inertia.solve(all);
    for (std::size_t i = 0; i < nodes; ++i) q[i] = metric[i] > S(0) ? all[i] : S(0);
  };
  PlaceSensitivity<S> places(motions);
  const auto stiffness = [&](std::vector<S>& q) {
    std::vector<S> y = places.follow(q);
    std::fill(all.begin(), all.end(), S(0));
    for (const auto& e : motions.stiffness)
      if (e.row < motions.nodes && !motions.held(e.row)) all[at(e.row)] += e.value * y[at(e.column)];
    solve(q);
  };
  const auto damping = [&](std::vector<S>& q) {  // P M⁻¹DᵀP M⁻¹D, as D need not be symmetric
    for (const bool transposed : {false, true}) {
      std::fill(all.begin(), all.end(), S(0));
      for (const auto& e : motions.load_damping)
        all[at(transposed ? e.column : e.row)] += e.value * q[at(transposed ? e.row : e.column)];
      solve(q);
    }
  };
  const auto largest = [&](const auto& apply) {
    linalg::Krylov<S, S> krylov(apply, metric, nodes, S(1e-3), static_cast<double>(motions.x.time));
    const auto found = krylov.find(1, 1);
    return found.empty() ? S(0) : std::sqrt(std::abs(found[0].value));
  };
  const S omega = largest(stiffness);
  if (motions.load_damping.empty()) return omega;
  const S gamma = largest(damping);
  return gamma + std::sqrt(gamma * gamma + omega * omega);
}

}  // namespace detail

/// Ω of (1) [rad/s], to one part in a thousand, about a state that need not be an equilibrium: then K is
/// that of the loads and of the constraint forces there. Velocities of the state are left aside. Throws what
/// `Assembly::rates` throws, std::invalid_argument for a load whose forces jump there, and NoConvergence.
template <class... B, class... C, class S>
[[nodiscard]] S highest_frequency(const Assembly<Kinds<B...>, Kinds<C...>>& problem, const State<S>& x) {
  return detail::highest_frequency_of<S>(detail::small_motions(problem, x));
}

}  // namespace dalembert::assembly
