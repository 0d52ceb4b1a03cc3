#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/contact/pair.hpp>

/// Two rods that touch along a line, as those of a ply do, where two places that seek each other would find
/// no one point. Stations at nodes k of rod 1, each a contact of its own: R₁ = r_k rests on its node,
/// R₂(s) is the averaged centreline of rod 2; κ = R₂ − R₁, n = κ/|κ|:
///   κ·R₂′ = 0                                  where on rod 2 it is                                    (1)
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ = 0      no slip at R₁ + f₁κ, f = a/(a₁ + a₂): rolling            (2)
///   |κ| = a₁ + a₂                              the gap, d|κ|/dt = −n·A v = n·(V₂ − V₁)                  (3)
/// Without friction (3) is the only row. A kernel of width ℓ pulls a centreline of curvature K inwards, by
/// Kℓ²/6 if it is cubic; here ℓ is the spacing of rod 2 unless one says otherwise.
/// Source: the rolling rows are those of a crossing, Gay-Balmaz & Putkaradze, eqs (4), (6); for why
/// points do not do, Meier, Popp, Wall 2016.
namespace dalembert::contact {

/// Equations (1) to (3) at one node of rod 1: the node, the place on rod 2, a₁ and a₂. λ is the force on
/// rod 1, spatial [N].
template <class S = double, Kernel K = CubicSpline>
using RollingStation = Rolling<S, assembly::FrameMarker<S>, CurveMarker<S, K>>;

/// Equations (1) and (3) at one node of rod 1: contact without friction. λ is the normal force, ≥ 0 where
/// it pushes [N].
template <class S = double, Kernel K = CubicSpline>
using SlidingStation = Sliding<S, assembly::FrameMarker<S>, CurveMarker<S, K>>;

/// A line of contact between two rods of an assembly: which nodes of rod 1 touch rod 2.
template <class S = double>
struct ContactLine {
  std::size_t first = 0;   ///< number of rod 1 in the assembly
  std::size_t second = 1;  ///< number of rod 2
  S radius1{};             ///< a₁ [m]
  S radius2{};             ///< a₂ [m]
  Eigen::Index from = 0;   ///< the first node of rod 1 that touches
  Eigen::Index to = 0;     ///< the last
  S kernel_width{};        ///< ℓ on rod 2 [m]; its spacing if it is not given
  bool bilateral = false;  ///< contacts that pull are allowed
};

/// The stations of a line, and the positions on rod 2 to start from.
template <class Station>
struct Stations {
  std::vector<Station> constraints;                       ///< one for each node, in their order
  Vec<typename Station::Scalar, Eigen::Dynamic> nearest;  ///< s of the node of rod 2 that is nearest [m]
};

/// A `RollingStation` or `SlidingStation` at each node of `line`, for chains that lie about where they
/// shall. Throws std::invalid_argument for rods and nodes that are not there.
template <template <class, class> class Station, class R, class S = typename R::Scalar, class K = CubicSpline>
[[nodiscard]] Stations<Station<S, K>> stations(const ContactLine<S>& line, const R& second,
                                               const std::vector<rod::Chain<S>>& chains, K kernel = {}) {
  constexpr std::string_view what = "ContactLine";
  for (const std::size_t body : {line.first, line.second})
    require(body < chains.size(), what, "rod", body, message({"there are ", chains.size(), " bodies"}));
  const rod::Chain<S>&one = chains[line.first], &other = chains[line.second];
  require(line.from >= 0 && line.from <= line.to && line.to < one.nodes, what, "nodes",
          message({line.from, " to ", line.to}), message({"rod 1 has ", one.nodes, " nodes, from 0"}));
  const CurveMarker<S, K> curve(line.second, second,
                                line.kernel_width > 0 ? line.kernel_width : second.spacing(), kernel);
  curve.check(chains, std::string(what));
  const auto positions = other.configuration.topRows(other.nodes).template leftCols<3>();
  Stations<Station<S, K>> result;
  result.nearest.resize(line.to - line.from + 1);
  for (Eigen::Index k = line.from; k <= line.to; ++k) {
    const Vec<S, 3> here = one.position(k);
    Eigen::Index best = 0;
    (positions.rowwise() - here.transpose().array()).square().rowwise().sum().minCoeff(&best);
    result.nearest[k - line.from] = S(best) * second.spacing();
    result.constraints.push_back(
        {assembly::FrameMarker<S>{line.first, k}, curve, line.radius1, line.radius2, line.bilateral});
  }
  return result;
}

}  // namespace dalembert::contact
