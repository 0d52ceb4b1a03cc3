#pragma once

#include <concepts>

#include <dalembert/problem/concepts.hpp>

/// The seam between implicit steps of second order and what they step. A step from (q₀, v₀) by h has the
/// unknown Δ, a displacement of every node:
///   q₁ = q₀ ∘ Δ,  v = v_Δ Δ + v_c,  a = a_Δ Δ + a_c
///   M a + (gyroscopic terms of v) = f + A_Vᵀλ,  rows of velocities hold for v, rows of positions in q₁   (1)
/// and is done by Newton's method, whose matrix is a_Δ ∂/∂a + v_Δ ∂/∂v + ∂/∂q of (1). A method
/// says v and a; a problem solves.
namespace dalembert {

/// Where the loads f and the rows of (1) are taken.
enum class LoadsAt {
  middle,  ///< halfway between q₀ and q₁; what turns does so by Cayley's transform, so that momenta are kept
  end,     ///< in q₁
  between,  ///< rows in the middle, loads that do exactly the work of their potential from q₀ to q₁
};

/// What (1) is in a step; `Columns` has numbers for each node.
template <class Columns, class S>
struct ImplicitStep {
  S length{};                       ///< h [s]
  LoadsAt loads = LoadsAt::middle;  ///< where loads and rows are taken
  S velocity{};                     ///< v_Δ [1/s]
  S acceleration{};                 ///< a_Δ [1/s²]
  Columns constant_velocity{};      ///< v_c
  Columns constant_acceleration{};  ///< a_c
};

/// A problem whose implicit steps can be solved: `implicit_equations(problem, at)`, a function beside it,
/// makes room for (1). Nothing allocates after that, but where constraints pass on to other nodes.
template <class P>
concept ImplicitProblem = Problem<P> &&
    requires(const P& problem, const typename P::State& at, typename P::State& state, typename P::Scalar h) {
  typename decltype(implicit_equations(problem, at))::Columns;
  requires requires(
      decltype(implicit_equations(problem, at))& e,
      const ImplicitStep<typename decltype(implicit_equations(problem, at))::Columns, typename P::Scalar>&
          step) {
    { e.make_columns() } -> std::same_as<typename decltype(implicit_equations(problem, at))::Columns>;
    e.get_velocity(at, e.displacement());              // its velocities, as columns
    e.displacement();                                  // Δ, a guess at first
    e.start(at, step);                                 // both must last until the end of the step
    e.find_residual();                                 // of (1), and where all is
    { e.has_factors() } -> std::convertible_to<bool>;  // of a matrix, of this step or another
    { e.factor() } -> std::convertible_to<bool>;       // the matrix; false where it is singular
    e.forget_factors();                                // they are of steps of another length
    e.forget();                                        // multipliers too: what comes is another motion
    {
      e.correct(h)
      } -> std::convertible_to<typename P::Scalar>;  // Δ, λ; by which part of Δ, in the kinetic metric,
                                                     // which a rounding may not hold above this number
    e.check();                                       // throws where a constraint does not hold
    e.finish(h, e.displacement(), state);            // q₁, and velocities: factor, what to add
    e.project(problem, state);                       // onto the rows
  };
};

}  // namespace dalembert
