#pragma once

#include <type_traits>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/linalg/detail/cone_search.hpp>

/// Cone problems: the impulses P of contacts with Coulomb's law, and of rows that hold, by what velocities u
/// they leave behind.
///   u = b + G P,   G symmetric, positive semidefinite                                                (1)
///   rows that hold   u = 0                                                                           (2)
///   contacts    0 ≤ P_n ⟂ u_n ≥ 0,  |P_t| ≤ μ P_n,  u_t ≠ 0 ⇒ P_t = −μ P_n u_t/|u_t|  (3)
/// With μ = 0 contacts have no friction; with μ = ∞ they stick while they are pressed, and where nothing
/// presses them and yet nothing lets them part, they jam: the limit of (3), P_n = u_n = 0 and P_t against
/// u_t. A contact that is to part at −e times the normal velocity u_n⁻ that it had has e u_n⁻ added to
/// its b_n. In (3) friction does not lift: de Saxcé's form is K_μ* ∋ u + μ|u_t|n ⟂ P ∈ K_μ, and a
/// solution is judged by its natural map,
///   r = |P − proj_K(P − ρ(u + μ|u_t|n))|,   ρ = 1/max G                                           (4)
/// Solved by Newton's method on the semismooth equations of Alart and Curnier, of many contacts from a few
/// projected gradients (linalg/detail/projected_gradients.hpp); begun anew from sweeps of a block
/// Gauss–Seidel method with exact blocks, and from solutions for smaller coefficients, where it does not
/// converge; then along the path of all smaller coefficients (linalg/detail/cone_path.hpp), which leads to a
/// solution wherever G is regular. With strong friction there may be several solutions; one is found.
/// Sources: Alart and Curnier 1991, Comput. Methods Appl. Mech. Eng. 92, 353; de Saxcé and Feng 1998, Math.
/// Comput. Model. 28, 225; Acary, Brémond and Huber 2018, in: Advanced Topics in Nonsmooth Dynamics, 375.
namespace dalembert::linalg {

/// Solves a cone problem from impulses `start`, or from none. Throws std::invalid_argument for a problem that
/// means nothing; one that is not solved is told by `converged`.
template <class S>
[[nodiscard]] ConeSolution<S> solve_cone_problem(
    const ConeProblem<S>& problem, const ConeOptions<S>& options = {},
    const std::type_identity_t<Vec<S, Eigen::Dynamic>>& start = {}) {
  problem.check();
  require(start.size() == 0 || start.size() == problem.size(), "solve_cone_problem", "size of start",
          start.size(), "it must have one number a row of the problem, or none");
  detail::ConeBlocks<S> blocks;
  blocks.take(problem);
  typename detail::ConeBlocks<S>::Column from;
  if (start.size() == 0)
    from.set_zero(blocks.size());
  else
    blocks.to_blocks(start, from);
  detail::ConeSearch<S> search;
  ConeSolution<S> found = search(blocks, options, from);
  from = found.P;
  blocks.to_dense(from, found.P);
  return found;
}

}  // namespace dalembert::linalg
