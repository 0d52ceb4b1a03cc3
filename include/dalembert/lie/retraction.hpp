#pragma once

#include <dalembert/lie/cayley.hpp>
#include <dalembert/lie/concepts.hpp>

/// Retractions: local coordinates of a group around an element, which integrators step in. A retraction is a map τ from
/// twists to the group with τ(0) = 1, Dτ(0) = 1 and τ(−ξ) = τ(ξ)⁻¹, and with it come the tangents
///   body     τ(ξ + δ) = τ(ξ) τ(Tδ) + O(δ²)      T = τ⁻¹Dτ, left-trivialised                                  (1)
///   spatial  τ(ξ + δ) = τ(Tδ) τ(ξ) + O(δ²)      T = Dτ τ⁻¹, right-trivialised                                (2)
/// If g(t) = g₀ τ(ξ(t)) moves with body velocity ν, then ξ̇ = T⁻¹ν with the T of (1).
/// Source: Kobilarov, Crane, Desbrun 2009, sec. 4.
namespace dalembert {

namespace detail {

/// What both policies share, given τ and its tangents: `Self` has map, inverse_map, and the four tangents.
template <class Self>
struct RetractionBase {
  /// g τ(ξ), normalised, so that rounding does not pile up over many steps.
  template <LieGroup G>
  [[nodiscard]] static G retract(const G& g, const typename G::Tangent& xi) noexcept {
    return (g * Self::template map<G>(xi)).normalised();
  }
  /// The ξ with retract(g, ξ) = h.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent local(const G& g, const G& h) noexcept {
    return Self::template inverse_map<G>(g.inverse() * h);
  }
};

}  // namespace detail

/// τ = exp. Exact on one-parameter subgroups; T of (1) is the right Jacobian, T of (2) the left one.
struct Exponential : detail::RetractionBase<Exponential> {
  /// exp ξ.
  template <LieGroup G>
  [[nodiscard]] static G map(const typename G::Tangent& xi) noexcept {
    return G::exp(xi);
  }
  /// log g.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent inverse_map(const G& g) noexcept {
    return g.log();
  }
  /// T of (1), dof × dof.
  template <LieGroup G>
  [[nodiscard]] static Mat<typename G::Scalar, G::dof> body_tangent(const typename G::Tangent& xi) noexcept {
    return G::right_jacobian(xi);
  }
  /// The inverse of T of (1), angles below 2π.
  template <LieGroup G>
  [[nodiscard]] static Mat<typename G::Scalar, G::dof> body_tangent_inverse(
      const typename G::Tangent& xi) noexcept {
    return G::right_jacobian_inverse(xi);
  }
  /// T of (2), dof × dof.
  template <LieGroup G>
  [[nodiscard]] static Mat<typename G::Scalar, G::dof> spatial_tangent(
      const typename G::Tangent& xi) noexcept {
    return G::left_jacobian(xi);
  }
  /// The inverse of T of (2), angles below 2π.
  template <LieGroup G>
  [[nodiscard]] static Mat<typename G::Scalar, G::dof> spatial_tangent_inverse(
      const typename G::Tangent& xi) noexcept {
    return G::left_jacobian_inverse(xi);
  }
  /// T⁻¹η with T of (1), without the matrix.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent body_tangent_inverse(const typename G::Tangent& xi,
                                                                const typename G::Tangent& eta) noexcept {
    return G::right_jacobian_inverse(xi, eta);
  }
};

/// τ = cay, the Cayley transform of lie/cayley.hpp: rational, no trigonometric function anywhere, never half a turn.
struct Cayley : detail::RetractionBase<Cayley> {
  /// cay ξ.
  template <LieGroup G>
  [[nodiscard]] static G map(const typename G::Tangent& xi) noexcept {
    return CayleyOf<G>::map(xi);
  }
  /// The ξ with cay ξ = g, for a rotation of less than half a turn.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent inverse_map(const G& g) noexcept {
    return CayleyOf<G>::inverse_map(g);
  }
  /// T of (1), dof × dof: that of (2) at −ξ.
  template <LieGroup G>
  [[nodiscard]] static Mat<typename G::Scalar, G::dof> body_tangent(const typename G::Tangent& xi) noexcept {
    return CayleyOf<G>::spatial_tangent(-xi);
  }
  /// The inverse of T of (1), for any ξ.
  template <LieGroup G>
  [[nodiscard]] static Mat<typename G::Scalar, G::dof> body_tangent_inverse(
      const typename G::Tangent& xi) noexcept {
    return CayleyOf<G>::spatial_tangent_inverse(-xi);
  }
  /// T of (2), dof × dof.
  template <LieGroup G>
  [[nodiscard]] static Mat<typename G::Scalar, G::dof> spatial_tangent(
      const typename G::Tangent& xi) noexcept {
    return CayleyOf<G>::spatial_tangent(xi);
  }
  /// The inverse of T of (2), for any ξ.
  template <LieGroup G>
  [[nodiscard]] static Mat<typename G::Scalar, G::dof> spatial_tangent_inverse(
      const typename G::Tangent& xi) noexcept {
    return CayleyOf<G>::spatial_tangent_inverse(xi);
  }
  /// T⁻¹η with T of (1).
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent body_tangent_inverse(const typename G::Tangent& xi,
                                                                const typename G::Tangent& eta) noexcept {
    return body_tangent_inverse<G>(xi) * eta;
  }
};

/// A policy R that is a retraction of the group G.
template <class R, class G>
concept RetractionOf = LieGroup<G> && requires(const G& g, const typename G::Tangent& xi) {
  { R::template map<G>(xi) } -> std::same_as<G>;
  { R::template inverse_map<G>(g) } -> std::same_as<typename G::Tangent>;
  { R::template retract<G>(g, xi) } -> std::same_as<G>;
  { R::template local<G>(g, g) } -> std::same_as<typename G::Tangent>;
  { R::template body_tangent<G>(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { R::template body_tangent_inverse<G>(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { R::template spatial_tangent<G>(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { R::template spatial_tangent_inverse<G>(xi) } -> std::same_as<Mat<typename G::Scalar, G::dof>>;
  { R::template body_tangent_inverse<G>(xi, xi) } -> std::same_as<typename G::Tangent>;
};

}  // namespace dalembert
