#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <type_traits>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>
#include <dalembert/rod/strain.hpp>

/// Strains, stress resultants and energies of a rod at any arc length.
/// Elements have them in their middles, s_k = (k + ½)h; between two middles they are interpolated linearly,
/// beyond the first and the last they go on in the same way, all with errors of second order in h:
///   x(s) = x_k + (s − s_k)/h (x_(k+1) − x_k),   s_k the last middle before s with one after it (1)
/// for x = Γ, Ω and, in space, the resultants Λn and Λm, which obey the balances
///   (Λn)′ + f = 0,  (Λm)′ + r′ × Λn + l = 0      f, l: loads per length less rates of momenta  (2)
/// so that in a rod at rest, whose loads are dead and evenly spread, Λn is exact, up to both ends. Where a
/// load acts at a point in between, a contact or a joint, resultants jump, and (1) spreads the jump over an
/// element.
namespace dalembert::rod {

/// A body whose elements have strains and stresses.
template <class B>
concept StrainedBody = requires(const B& body, const Chain<typename B::Scalar>& chain, Eigen::Index k) {
  { body.spacing() } -> std::convertible_to<typename B::Scalar>;
  { body.strain(chain, k).stretch } -> std::convertible_to<Vec<typename B::Scalar, 3>>;
  { body.strain(chain, k).curvature } -> std::convertible_to<Vec<typename B::Scalar, 3>>;
  { body.stress(chain, k).force } -> std::convertible_to<Vec<typename B::Scalar, 3>>;
  { body.stress(chain, k).moment } -> std::convertible_to<Vec<typename B::Scalar, 3>>;
};

/// What is known of one section of a rod.
template <class S = double>
struct SectionState {
  S s{};               ///< arc length of the unloaded rod [m]
  Vec<S, 3> position;  ///< r, on the chord between two nodes, spatial [m]
  SO3<S> frame;        ///< Λ, on the shortest way between those of two nodes
  Strain<S> strain;    ///< Γ, Ω along and about e₁, e₂, e₃ [1, 1/m]
  Stress<S> stress;    ///< n, m likewise: `force` and `moment` in the frame [N, N m]
  Vec<S, 3> force;     ///< Λn, spatial: what the part beyond s does to the part before it [N]
  Vec<S, 3> moment;    ///< Λm, likewise [N m]
  S energy{};          ///< W(Γ, Ω), elastic energy per unit length [J/m]
};

namespace detail {

/// The stored energy of the material of element k [J/m].
template <class B, class S>
  requires(
      requires(const B& body, Eigen::Index k) { body.material_at(k); } ||
      requires(const B& body) { body.material(); })
[[nodiscard]] S stored_energy(const B& body, Eigen::Index k, const Strain<S>& e) {
  if constexpr (requires { body.material_at(k); })
    return body.material_at(k).energy(e.stretch, e.curvature);
  else
    return body.material().energy(e.stretch, e.curvature);
}

/// The frame in which an element has its strains and stresses.
template <class B, class S>
[[nodiscard]] SO3<S> frame_of_strains(const B&, const Chain<S>& chain, Eigen::Index k) {
  if constexpr (requires { requires std::same_as<typename B::Strains, ForwardStrain>; })
    return chain.rotation(k);
  else
    return middle_frame(chain, k);
}

}  // namespace detail

/// Stress resultants of element k in space, [Λn, Λm] [N, N m]: what the part of the rod beyond its middle
/// does to the part before it.
template <StrainedBody B, class S = typename B::Scalar>
[[nodiscard]] Stress<S> stress_in_space(const B& body, const Chain<S>& chain, Eigen::Index k) {
  const Stress<S> stress = body.stress(chain, k);
  const SO3<S> frame = detail::frame_of_strains(body, chain, k);
  return {frame.act(stress.force), frame.act(stress.moment)};
}

/// Elastic energy per unit length of element k, W(Γ, Ω) [J/m].
template <StrainedBody B, class S = typename B::Scalar>
[[nodiscard]] S energy_density(const B& body, const Chain<S>& chain, Eigen::Index k) {
  return detail::stored_energy(body, k, Strain<S>(body.strain(chain, k)));
}

/// The section at the arc length s of the unloaded rod [m], equation (1). Throws std::invalid_argument for an
/// s that is not on the rod, and for a chain of other nodes.
template <StrainedBody B, class S = typename B::Scalar>
[[nodiscard]] SectionState<S> section_at(const B& body, const Chain<S>& chain,
                                         const std::type_identity_t<S>& s) {
  const Eigen::Index elements = body.nodes() - 1;
  require(chain.nodes == elements + 1 && elements >= 2, "section_at", "nodes of the chain", chain.nodes,
          "a chain must have the nodes of its body, at least three");
  const S h = body.spacing(), length = h * S(elements);
  require(s >= S(0) && s <= length * (S(1) + S(8) * std::numeric_limits<S>::epsilon()), "section_at", "s", s,
          message({"it must lie on the rod, in [0, ", number::plain(length), "] m"}));
  const auto first_of = [&](const S& at, Eigen::Index last) {
    return std::clamp(static_cast<Eigen::Index>(number::floor(at)), Eigen::Index(0), last);
  };
  SectionState<S> section;
  section.s = s;

  const Eigen::Index node = first_of(S(s / h), elements - 1);
  const S along = s / h - S(node);
  const SO3<S> turn = chain.rotation(node).inverse() * chain.rotation(node + 1);
  section.frame = chain.rotation(node) * SO3<S>::exp(Vec<S, 3>(along * turn.log()));
  section.position = (S(1) - along) * chain.position(node) + along * chain.position(node + 1);

  const Eigen::Index k = first_of(S(s / h - S(0.5)), elements - 2);
  const S x = s / h - S(0.5) - S(k);
  const Strain<S> strain(body.strain(chain, k)), next(body.strain(chain, k + 1));
  const Stress<S> before = stress_in_space(body, chain, k), after = stress_in_space(body, chain, k + 1);
  const auto between = [&](const Vec<S, 3>& a, const Vec<S, 3>& b) { return Vec<S, 3>(a + x * (b - a)); };
  section.strain = {between(strain.stretch, next.stretch), between(strain.curvature, next.curvature)};
  section.force = between(before.force, after.force);
  section.moment = between(before.moment, after.moment);
  const SO3<S> back = section.frame.inverse();
  section.stress = {back.act(section.force), back.act(section.moment)};
  section.energy = (S(1) - x) * detail::stored_energy(body, k, section.strain) +
                   x * detail::stored_energy(body, k + 1, section.strain);
  return section;
}

}  // namespace dalembert::rod
