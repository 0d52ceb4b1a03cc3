#pragma once

#include <concepts>
#include <cstddef>

#include <dalembert/core/real.hpp>

/// What a configuration space has to be. Everything is left-trivialised: a velocity is ξ = g⁻¹ġ, seen in the body
/// frame, and a Jacobian without further words acts on such velocities.
namespace dalembert {

/// A Lie group of dimension `dof` with elements g, h, twists ξ, η and momenta μ as columns of `dof` scalars:
///   G::identity(), g * h, g.inverse(), g.act(p)
///   G::exp(ξ), g.log()                exp(log g) = g; log gives the twist with the smallest angle
///   g.Ad(), g.Ad(η)                   Ad_g η = d/ds g exp(sη) g⁻¹, as a matrix and applied
///   G::ad(ξ), G::ad(ξ, η)             ad_ξ η = [ξ, η] = d/ds Ad_{exp(sξ)} η
///   G::coad(ξ, μ)                     ad*_ξ μ = ad_ξᵀ μ, that is ⟨ad*_ξ μ, η⟩ = ⟨μ, ad_ξ η⟩; free motion: μ̇ = ad*_ξ μ
///   G::left_jacobian(ξ)               J_l: exp(ξ + δ) = exp(J_l δ) exp(ξ) + O(δ²)
///   G::right_jacobian(ξ)              J_r: exp(ξ + δ) = exp(ξ) exp(J_r δ) + O(δ²), so J_r(ξ) = J_l(−ξ), J_l = Ad_{exp ξ} J_r
///   G::left_jacobian_inverse(ξ), G::right_jacobian_inverse(ξ)   for angles below 2π
///   G::left_jacobian(ξ, η) and so on  the same four applied to η, without the matrix
///   g.normalised()                    g with the rounding of long products taken out
///   g.cast<S>(), G::rebind<S>         the same group over another scalar; derivatives of a cast are zero
/// and, if it likes, for speed:
///   G::exp_to_second_order(ξ)         exp ξ but for terms of third order in ξ
template <class G>
concept LieGroup = std::copyable<G> &&
    requires(const G& g, const typename G::Tangent& xi, const typename G::Point& p) {
  requires Real<typename G::Scalar>;
  requires(G::dof >= 0);
  requires std::same_as<typename G::Tangent, Vec<typename G::Scalar, G::dof>>;
  { G::identity() } -> std::same_as<G>;
  { (g * g) } -> std::same_as<G>;
  { g.inverse() } -> std::same_as<G>;
  { g.act(p) } -> std::same_as<typename G::Point>;
  { G::exp(xi) } -> std::same_as<G>;
  { g.log() } -> std::same_as<typename G::Tangent>;
  { g.Ad() } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { g.Ad(xi) } -> std::same_as<typename G::Tangent>;
  { G::ad(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { G::ad(xi, xi) } -> std::same_as<typename G::Tangent>;
  { G::coad(xi, xi) } -> std::same_as<typename G::Tangent>;
  { G::left_jacobian(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { G::right_jacobian(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { G::left_jacobian_inverse(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { G::right_jacobian_inverse(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { G::left_jacobian(xi, xi) } -> std::same_as<typename G::Tangent>;
  { G::right_jacobian(xi, xi) } -> std::same_as<typename G::Tangent>;
  { G::left_jacobian_inverse(xi, xi) } -> std::same_as<typename G::Tangent>;
  { G::right_jacobian_inverse(xi, xi) } -> std::same_as<typename G::Tangent>;
  { g.normalised() } -> std::same_as<G>;
  { g.template cast<typename G::Scalar>() } -> std::same_as<G>;
  requires std::same_as<typename G::template rebind<typename G::Scalar>, G>;
};

namespace detail {

/// exp ξ for a ξ whose value is zero and whose first and second derivatives matter.
template <LieGroup G>
[[nodiscard]] G exp_near_identity(const typename G::Tangent& xi) {
  if constexpr (requires { G::exp_to_second_order(xi); })
    return G::exp_to_second_order(xi);
  else
    return G::exp(xi);
}

}  // namespace detail

}  // namespace dalembert
