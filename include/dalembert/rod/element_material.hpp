#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <dalembert/rod/material.hpp>

/// What the elements of a rod are made of: one material throughout, or one that varies from element to
/// element.
namespace dalembert::rod {

/// A material that varies along a rod: `at<L>(k)` is that of element k, or of the elements k, k + 1, … in
/// the lanes of L, which is a `Material` where L is the number type. A loop over packs asks beyond the last
/// element too: lanes there may have any material, but must have one. What `at` gives may refer to the
/// material, which must outlive it.
template <class M>
concept VaryingMaterial = requires(const M& material, Eigen::Index k) {
  typename M::Scalar;
  { material.elements() } -> std::convertible_to<Eigen::Index>;
  requires Material<std::remove_cvref_t<decltype(material.template at<typename M::Scalar>(k))>>;
};

/// What a rod can be made of.
template <class M>
concept RodMaterial = Material<M> || VaryingMaterial<M>;

/// The material of element k, or of the elements in the lanes of L from k on: the material itself where it is
/// uniform.
template <class L, RodMaterial M>
[[nodiscard]] inline decltype(auto) material_at(const M& material, [[maybe_unused]] Eigen::Index k) noexcept {
  if constexpr (VaryingMaterial<M>) {
    return material.template at<L>(k);
  } else {
    return (material);
  }
}

/// The material of a single element of a rod that is made of M.
template <RodMaterial M>
using ElementMaterial =
    std::remove_cvref_t<decltype(material_at<typename M::Scalar>(std::declval<const M&>(), Eigen::Index{}))>;

}  // namespace dalembert::rod
