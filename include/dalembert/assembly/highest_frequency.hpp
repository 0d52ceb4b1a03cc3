#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/following_places.hpp>
#include <dalembert/assembly/detail/krylov.hpp>
#include <dalembert/assembly/detail/small_motions.hpp>

/// The highest frequency of small motions of any bodies under any constraints, for the stability limits of explicit integrators where no bound is known
/// beforehand: `Assembly::frequency_bound` takes each rod by itself, in no time, and asks for bodies that are all rods or strings; this one sees the
/// constraints too, by which a rigid body swings, and the masses that welds add.
///   ω² = max ‖P M⁻¹K φ‖,  P the projection onto A φ = 0 in the metric M                                            (1)
/// by the Lanczos method, O(N) where each constraint touches few nodes that are near each other along the bodies.
namespace dalembert::assembly {

/// ω of (1) [rad/s], to one part in a thousand, about a state that need not be an equilibrium: then K is that of the loads and of the constraint forces
/// there. Velocities of the state are left aside. Throws what `Assembly::rates` throws, and NoConvergence.
template <class... B, class... C, class S>
[[nodiscard]] S highest_frequency(const Assembly<Kinds<B...>, Kinds<C...>>& problem, const State<S>& x) {
  const detail::SmallMotions<Assembly<Kinds<B...>, Kinds<C...>>> motions(problem, x);
  const auto nodes = static_cast<std::size_t>(motions.nodes), size = static_cast<std::size_t>(motions.size());
  std::vector<S> metric(nodes);
  for (std::size_t i = 0; i < nodes; ++i) metric[i] = motions.mass[static_cast<Eigen::Index>(i)];
  detail::ShiftedEquations<S, S> inertia;  // of M with A
  inertia.decompose(size, static_cast<std::size_t>(motions.rows), motions.inertia());
  detail::FollowingPlaces<S> places(motions);
  std::vector<S> all(size);
  const auto apply = [&](std::vector<S>& q) {
    std::vector<S> y = places.follow(q);
    std::fill(all.begin(), all.end(), S(0));
    for (const auto& e : motions.stiffness)
      if (e.row < motions.nodes && !motions.held(e.row))
        all[static_cast<std::size_t>(e.row)] += e.value * y[static_cast<std::size_t>(e.column)];
    inertia.solve(all);
    for (std::size_t i = 0; i < nodes; ++i) q[i] = metric[i] > S(0) ? all[i] : S(0);
  };
  detail::SymmetricKrylov<S, decltype(apply)> krylov(apply, metric, nodes, S(1e-3));
  const auto found = krylov.find(1, 1, static_cast<double>(x.time));
  return found.empty() ? S(0) : std::sqrt(std::abs(found[0].value));
}

}  // namespace dalembert::assembly
