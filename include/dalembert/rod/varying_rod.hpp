#pragma once

#include <type_traits>
#include <vector>

#include <dalembert/rod/rod.hpp>
#include <dalembert/rod/varying.hpp>

/// Rods made from a section and a rest shape that are functions of s.
namespace dalembert::rod {

/// A section known by its 6×6 stiffness [N, N m²] and its inertia per unit length.
template <class S = double>
struct GeneralSection {
  Mat<S, 6, 6> matrix = Mat<S, 6, 6>::Identity();  ///< on (Γ, Ω)
  SectionInertia<S> per_length{};                  ///< on (γ, ω)

  /// The stiffness [N, N m²].
  [[nodiscard]] const Mat<S, 6, 6>& stiffness() const noexcept { return matrix; }
  /// The inertia per unit length.
  [[nodiscard]] const SectionInertia<S>& inertia() const noexcept { return per_length; }
};

/// A linear elastic rod whose section and rest shape vary, with diagonal stiffness.
template <class S = double>
using VaryingRod = Rod<VaryingElastic<S>, MidpointStrain>;
/// The same with a full stiffness.
template <class S = double>
using VaryingCoupledRod = Rod<VaryingCoupled<S>, MidpointStrain>;

/// The rod R, a `VaryingRod` or a `VaryingCoupledRod`, with these parameters, whose section is `section(s)`
/// and whose rest strains are `rest(s)`, both taken at the middles of its elements. A section has `inertia()`
/// and, for a `VaryingRod`, `stiffness_diagonal()`, else `stiffness()`, a 6×6 matrix. Throws what `Rod`
/// does; where a section or a material throws std::invalid_argument, the message names the element and its s.
template <class R, class SectionOf, class RestOf>
  requires VaryingMaterial<typename R::Material>
[[nodiscard]] R varying(typename R::Parameters p, const SectionOf& section, const RestOf& rest) {
  using S = typename R::Scalar;
  require_elements<S>("varying", p.elements);
  using Stiffness = typename R::Material::Stiffness;
  std::vector<Stiffness> stiffness;
  std::vector<RestStrain<S>> rests;
  p.inertias.clear();
  for (int k = 0; k < p.elements; ++k)
    detail::check_element("varying", k, p.elements, [&] {
      const S s = (S(k) + S(1) / S(2)) * (p.length / S(p.elements));
      const auto& own = section(s);
      if constexpr (std::is_same_v<Stiffness, Vec<S, 6>>)
        stiffness.push_back(own.stiffness_diagonal());
      else
        stiffness.push_back(own.stiffness());
      p.inertias.push_back(own.inertia());
      rests.push_back(rest(s));
    });
  return R(typename R::Material(stiffness, rests), p);
}
/// The same of a rod that rests straight.
template <class R, class SectionOf>
  requires VaryingMaterial<typename R::Material>
[[nodiscard]] R varying(const typename R::Parameters& p, const SectionOf& section) {
  using S = typename R::Scalar;
  return varying<R>(p, section, [](const S&) { return RestStrain<S>{}; });
}

/// The shape in which no element of a rod has strains but its rest strains, at rest, with node 0 at `origin`
/// [m] and its frame there `frame`.
template <class M, class Strains, class S = typename M::Scalar>
[[nodiscard]] Chain<S> rest_shape(const Rod<M, Strains>& rod, const std::type_identity_t<Vec<S, 3>>& origin,
                                  const std::type_identity_t<SO3<S>>& frame) {
  const S h = rod.spacing();
  constexpr bool forward = std::is_same_v<Strains, ForwardStrain>;
  static_assert(forward || std::is_same_v<Strains, MidpointStrain>, "a rule of the library");
  Chain<S> chain(rod.nodes());
  SO3<S> turn = frame;
  Triple<S> at(origin);
  for (Eigen::Index k = 0;; ++k) {
    chain.set_frame(k, turn, at);
    if (k == rod.elements()) return chain;
    const RestStrain<S> rest = rod.material_at(k).rest();
    const SO3<S> by = SO3<S>::exp(Vec<S, 3>((h / S(2)) * rest.curvature)), middle = turn * by;
    at += Triple<S>((forward ? turn : middle).act(Vec<S, 3>(h * rest.stretch)));
    turn = middle * by;
  }
}

}  // namespace dalembert::rod
