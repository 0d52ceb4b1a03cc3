#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/core/detail/cmath.hpp>

/// By how much an average pulls a curved centreline inwards, and what that is worth in the gap of a contact.
/// Of a curve r(s),
///   R = Σ α_k r(s_k) = r + ½μ₂ r″ + O(ℓ⁴),  μ₂ = Σ α_k (s_k − s)²                    (1)
/// for kernels whose first moment is zero, as that of splines is. μ₂ is ℓ²/3 for the cubic spline,
/// ℓ²/2 for the quintic one, and 0 for the corrected one: a rod of curvature K is averaged to Kℓ²/6 or
/// Kℓ²/4 inside of itself. A constraint that keeps the gap of averaged centrelines to round-off keeps the
/// rods themselves that much farther apart, where they bend around each other.
namespace dalembert::contact {

/// The centreline itself at s, spatial [m]: the cubic through the four nearest nodes. `chain` must have at
/// least four, `spacing` is the rest length of an element [m].
template <class S>
[[nodiscard]] Vec<S, 3> node_curve(const Chain<S>& chain, std::type_identity_t<S> spacing,
                                   std::type_identity_t<S> s) {
  const S at = s / spacing;
  const auto first =
      std::clamp<Eigen::Index>(static_cast<Eigen::Index>(std::floor(at)) - 1, 0, chain.nodes - 4);
  const S x = at - S(first);  // the nodes are at 0, 1, 2, 3
  const std::array<S, 4> weight{(S(1) - x) * (x - S(2)) * (x - S(3)) / S(6),
                                x * (x - S(2)) * (x - S(3)) / S(2), x * (x - S(1)) * (S(3) - x) / S(2),
                                x * (x - S(1)) * (x - S(2)) / S(6)};
  Triple<S> r(S(0), S(0), S(0));
  for (Eigen::Index k = 0; k < 4; ++k)
    r = r + weight[static_cast<std::size_t>(k)] * Triple<S>(chain.position(first + k));
  return r;
}

/// The gap bias of two rods at arc lengths s₁, s₂: how much farther apart the curves through their nodes
/// are than their averaged centrelines [m]. Positive where they bend around each other. Throws ContactAtEnd,
/// NotFinite.
template <class S, Kernel K>
[[nodiscard]] S gap_bias(const KernelAverage<S, K>& average1, const Chain<S>& chain1,
                         std::type_identity_t<S> s1, const KernelAverage<S, K>& average2,
                         const Chain<S>& chain2, std::type_identity_t<S> s2) {
  const Triple<S> kappa =
      Triple<S>(average2.at(chain2, s2, 0, 2).R) - Triple<S>(average1.at(chain1, s1, 0, 1).R);
  const Triple<S> apart = Triple<S>(node_curve(chain2, average2.spacing(), s2)) -
                          Triple<S>(node_curve(chain1, average1.spacing(), s1));
  return norm(apart) - norm(kappa);
}

/// The same of a contact in an assembly, at its internal coordinates s.
template <class C, class S = assembly::detail::ScalarOf<C>>
[[nodiscard]] S gap_bias(const C& contact, const std::vector<Chain<S>>& chains,
                         const std::type_identity_t<Vec<S, 2>>& s) {
  return gap_bias(contact.first.average, chains[contact.first.body], s[0], contact.second.average,
                  chains[contact.second.body], s[1]);
}

}  // namespace dalembert::contact
