#pragma once

#include <type_traits>

#include <dalembert/assembly/detail/products.hpp>

/// What rows of which some are friction add to the products of a constraint's rows; nothing for a constraint without friction.
namespace dalembert::assembly::detail {

/// The part of u = A v + b that is zero where the constraint holds, friction or not.
template <Constraint C, class S = typename C::Scalar>
[[nodiscard]] Vec<S, Evaluation<C>::R> exact_velocities(const Evaluation<C>& e, const Nodes<S>& n) {
  const Vec<S, Evaluation<C>::R> u = Products<C>::velocities(e, n);
  if constexpr (has_friction<C>) return u - e.friction.rubbing(u);
  return u;
}

/// What the rows leave for given accelerations and multipliers: A a + Ȧv + ḃ, or of friction u + ελ.
template <Constraint C, class S = typename C::Scalar>
[[nodiscard]] Vec<S, Evaluation<C>::R> missing(
    const Evaluation<C>& e, const Nodes<S>& n, const NodeNumbers<S>& a,
    [[maybe_unused]] const std::type_identity_t<Vec<S, Evaluation<C>::R>>& lambda) {
  const Vec<S, Evaluation<C>::R> rate = Products<C>::accelerations(e, n, a);
  if constexpr (has_friction<C>) return e.friction.left(rate, Products<C>::velocities(e, n), lambda);
  return rate;
}

/// Add the powers of its forces for multipliers: of what drives it, which is a load, of friction, and of the rest [W].
template <Constraint C, class S = typename C::Scalar>
void add_powers(const Evaluation<C>& e, const Nodes<S>& n,
                const std::type_identity_t<Vec<S, Evaluation<C>::R>>& lambda, Powers<S>& p) {
  const S driven = -e.known.dot(lambda);
  S rubbed(0);
  if constexpr (has_friction<C>) rubbed = e.friction.rubbing(Products<C>::velocities(e, n)).dot(lambda);
  p.constraint += Products<C>::reaction_velocities(e, n).dot(lambda) - driven - rubbed;
  p.dissipation += rubbed;
  p.load += driven;
}

/// μ with the friction that is a load already.
template <Constraint C, class V = Vec<typename C::Scalar, Evaluation<C>::R>>
[[nodiscard]] V with_friction(const Evaluation<C>& e, const std::type_identity_t<V>& mu) {
  if constexpr (has_friction<C>) return mu + e.friction.load;
  return mu;
}

/// What the unknowns of the system are multiplied by, and its right side.
template <Constraint C, class V = Vec<typename C::Scalar, Evaluation<C>::R>>
[[nodiscard]] V shaped(const Evaluation<C>& e, const std::type_identity_t<V>& x) {
  if constexpr (has_friction<C>) return e.friction.shape * x;
  return x;
}

/// The solution −(A M⁻¹A_Vᵀ)⁻¹u of its own rows, if that was found.
template <Constraint C, class V = Vec<typename C::Scalar, Evaluation<C>::R>>
[[nodiscard]] V solve_alone(const Evaluation<C>& e, const std::type_identity_t<V>& u) {
  return shaped(e, Products<C>::solve_alone(e, shaped(e, u)));
}

}  // namespace dalembert::assembly::detail
