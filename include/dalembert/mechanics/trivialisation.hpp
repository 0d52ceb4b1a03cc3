#pragma once

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/concepts.hpp>

/// How a velocity in the Lie algebra moves a configuration, and what follows from it for variations:
///            Left, ξ = g⁻¹ġ (body frame)      Right, ξ = ġg⁻¹ (space frame)
///   move     g exp(η)                         exp(η) g
///   δξ       η̇ + [ξ, η]                       η̇ − [ξ, η]
///   EL       ṗ − ad*_ξ p − ∂_gℓ               ṗ + ad*_ξ p − ∂_gℓ
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, section 6; the sign of the right column as in
/// Marsden, Ratiu 1999, ch. 13.
namespace dalembert::trivialisation {

/// ξ = g⁻¹ġ: everything in the body's frame. The default.
struct Left {
  /// g exp(η).
  template <LieGroup G>
  [[nodiscard]] static G moved(const G& g, const typename G::Tangent& eta) {
    return g * G::exp(eta);
  }
  /// The same for an η whose value is zero and whose first and second derivatives matter.
  template <LieGroup G>
  [[nodiscard]] static G displaced(const G& g, const typename G::Tangent& eta) {
    return g * detail::exp_near_identity<G>(eta);
  }
  /// The shortest η with g exp(η) = h.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent difference(const G& g, const G& h) {
    return (g.inverse() * h).log();
  }
  /// η̇ of g exp(η(t)) that moves with ξ.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent stage_velocity(const typename G::Tangent& eta,
                                                          const typename G::Tangent& xi) {
    return G::right_jacobian_inverse(eta, xi);
  }
  /// −ad*_ξ p.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent turning(const typename G::Tangent& xi,
                                                   const typename G::Tangent& p) {
    return detail::opposite(typename G::Tangent(G::coad(xi, p)));
  }
};

/// ξ = ġg⁻¹: everything in the frame of space.
struct Right {
  /// exp(η) g.
  template <LieGroup G>
  [[nodiscard]] static G moved(const G& g, const typename G::Tangent& eta) {
    return G::exp(eta) * g;
  }
  /// The same for an η whose value is zero and whose first and second derivatives matter.
  template <LieGroup G>
  [[nodiscard]] static G displaced(const G& g, const typename G::Tangent& eta) {
    return detail::exp_near_identity<G>(eta) * g;
  }
  /// The shortest η with exp(η) g = h.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent difference(const G& g, const G& h) {
    return (h * g.inverse()).log();
  }
  /// η̇ of exp(η(t)) g that moves with ξ.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent stage_velocity(const typename G::Tangent& eta,
                                                          const typename G::Tangent& xi) {
    return G::left_jacobian_inverse(eta, xi);
  }
  /// ad*_ξ p.
  template <LieGroup G>
  [[nodiscard]] static typename G::Tangent turning(const typename G::Tangent& xi,
                                                   const typename G::Tangent& p) {
    return G::coad(xi, p);
  }
};

}  // namespace dalembert::trivialisation
