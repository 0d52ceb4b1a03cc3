#pragma once

#include <cstddef>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/statics/detail/static_system.hpp>

/// Static equilibrium of any bodies under any constraints:
///   f(q) + A_VᵀCᵀ m = 0,  φ(q) = 0                     on the free degrees                          (1)
/// for all q and one multiplier m per position row φ, C A_K = ∂φ/∂q. Velocity rows that belong to no
/// position row do not act: a rolling contact is without friction here. Newton's method with the bodies' own
/// tangent stiffness and the geometric stiffness −∂(A_VᵀCᵀm)/∂q of the constraints, by automatic
/// differentiation, or by differences where rows are said by nodes or reactions act along other rows; places
/// that move along rods are solved for along with the nodes. The equations are sparse, and so is their LU
/// decomposition: the cost is O(N) where each constraint touches few nodes that are near each other along the
/// bodies. A load path adapts itself. Bodies say their stiffness by add_stiffness (assembly/body.hpp); that
/// of rods is in rod/stiffness.hpp. An equilibrium need not be stable. A motion along which nothing changes,
/// as a ball's on a plane, stays where it is; of rows that follow from each other, as those of hinges in a
/// loop, the multipliers are the least.
namespace dalembert::assembly {

/// What was found.
template <class S = double>
struct StaticEquilibrium {
  Vec<S, Eigen::Dynamic> multipliers;  ///< m, one per position row, in the order of the constraints [N, N m]
  Vec<S, Eigen::Dynamic> lambda;       ///< the same as multipliers of all rows, as those of `Assembly::rates`
  S energy{};                          ///< potential energy of all bodies [J]
  StaticResult<S> search;  ///< iterations, load steps and the residual, relative to the largest load
};

/// A path to an equilibrium: `path(factor, bodies, constraints, state)` puts loads, parameters, frames of
/// held nodes, or the time, at a factor in (0, 1]. Between two load steps a held node must turn by less than
/// half a turn.
template <class P, class Bodies, class Constraints, class S>
concept AssemblyPath = requires(P& path, S factor, Bodies& bodies, Constraints& constraints, State<S>& x) {
  path(factor, bodies, constraints, x);
};

namespace detail {

template <class Bodies, class S>
[[nodiscard, gnu::cold, gnu::noinline]] StaticEquilibrium<S> found(const StaticEquations<S>& system,
                                                                   const Bodies& bodies, const State<S>& x,
                                                                   const StaticResult<S>& search) {
  StaticEquilibrium<S> result{system.multipliers(), system.reactions(), S(0), search};
  each_of(bodies, [&](const auto& body, std::size_t i) { result.energy += potential_energy(body, x[i]); });
  return result;
}

}  // namespace detail

/// Bring `x` into static equilibrium along a path. Throws NoConvergence, with bodies and the state as they
/// are at the last equilibrium found and a text that names the bodies that nothing holds;
/// IncompatibleConstraints, likewise, naming a position row that no motion closes further;
/// std::invalid_argument for a state that does not fit, and what constraints throw that do not hold in the
/// end, as a contact that would have to pull (ContactOpened). Velocities stay.
template <class... B, class... C, class S, AssemblyPath<Kinds<B...>, Kinds<C...>, S> Path>
[[gnu::cold, gnu::noinline]] StaticEquilibrium<S> static_equilibrium(Kinds<B...>& bodies,
                                                                     Kinds<C...>& constraints, State<S>& x,
                                                                     Path&& path,
                                                                     const StaticOptions<S>& options = {}) {
  detail::StaticSystem<Kinds<B...>, Kinds<C...>> system(bodies, constraints, x);
  const auto search = system.search(options, [&](auto factor) { path(S(factor), bodies, constraints, x); });
  return detail::found(system, bodies, x, search);
}

/// The same for an assembly as it is: what is missing to an equilibrium at the start is given as a load, and
/// taken away along the path.
template <class... B, class... C, class S>
[[gnu::cold, gnu::noinline]] StaticEquilibrium<S> static_equilibrium(
    const Assembly<Kinds<B...>, Kinds<C...>>& problem, State<S>& x, const StaticOptions<S>& options = {}) {
  detail::StaticSystem<Kinds<B...>, Kinds<C...>> system(problem.bodies(), problem.constraints(), x);
  system.take_missing();
  const auto search = system.search(options, [&](auto factor) { system.missing(1 - factor); });
  return detail::found(system, problem.bodies(), x, search);
}

}  // namespace dalembert::assembly
