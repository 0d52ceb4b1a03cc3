#pragma once

#include <dalembert/assembly/marker.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// The lanes in which a contact goes over the nodes of its window, the small vector algebra in them, and the
/// names by which contacts know what a constraint sees.
namespace dalembert::contact {

using assembly::FrameChange, assembly::FrameMarker, assembly::FrameRates, assembly::FrameState,
    assembly::Point, rod::Chain;
using dalembert::detail::difference, dalembert::detail::inner, dalembert::detail::largest,
    dalembert::detail::length, dalembert::detail::Triple;

/// What a loop over the few nodes of a window computes with: at most four at a time, for windows are short.
template <class S = double>
using Lane = rod::WindowPack<S>;
/// Nodes per pass of such a loop.
template <class S>
inline constexpr int lane_width = static_cast<int>(rod::width_of<Lane<S>>);

namespace detail {

/// The unit vector along axis i.
template <class L>
[[nodiscard]] inline Triple<L> unit(int i) noexcept {
  return {L(i == 0 ? 1 : 0), L(i == 1 ? 1 : 0), L(i == 2 ? 1 : 0)};
}

/// Λ x of the nodes in the lanes from k on.
template <class L, class S>
[[nodiscard]] inline Triple<L> turned(const Chain<S>& chain, Eigen::Index k, const Triple<L>& x) noexcept {
  return rotate(rod::detail::load_quaternion<L>(chain.configuration, k), x);
}
/// Λᵀx of them.
template <class L, class S>
[[nodiscard]] inline Triple<L> turned_back(const Chain<S>& chain, Eigen::Index k,
                                           const Triple<L>& x) noexcept {
  return rotate_back(rod::detail::load_quaternion<L>(chain.configuration, k), x);
}
/// Their spins Λω, spatial [rad/s].
template <class L, class S>
[[nodiscard]] inline Triple<L> spin(const Chain<S>& chain, Eigen::Index k) noexcept {
  return turned<L>(chain, k, rod::load3<3, L>(chain.velocity, k));
}

}  // namespace detail

}  // namespace dalembert::contact
