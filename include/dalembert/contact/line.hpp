#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/curve_place.hpp>
#include <dalembert/contact/detail/nearest.hpp>
#include <dalembert/contact/detail/two_sides.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/core/number.hpp>

/// Two rods that touch along a line, as those of a ply do, where two places that seek each other would find no one point. Stations at nodes k of
/// rod 1, each a contact of its own: R₁ = r_k rests on its node, R₂(s) is the averaged centreline of rod 2; κ = R₂ − R₁, n = κ/|κ|:
///   κ·R₂′ = 0                                  where on rod 2 it is                                                (1)
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ = 0      no slip at R₁ + f₁κ, f = a/(a₁ + a₂): rolling                        (2)
///   |κ| = a₁ + a₂                              the gap, d|κ|/dt = −n·A v = n·(V₂ − V₁)                              (3)
/// Without friction (3) is the only row. A kernel of width ℓ pulls a centreline of curvature K inwards, by Kℓ²/6 if it is cubic; here ℓ is
/// the spacing of rod 2 unless one says otherwise.
/// Source: the rolling rows are those of a crossing, Gay-Balmaz & Putkaradze, eqs (4), (6); for why points do not do, Meier, Popp, Wall 2016.
namespace dalembert::contact {

/// Equations (1) to (3) at one node of rod 1. λ is the force on rod 1, spatial [N].
template <class S, Kernel K = CubicSpline>
struct RollingStation {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "RollingStation";                     ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows
  static constexpr std::array<std::string_view, 3> row_units = {"m", "m",
                                                                "m"};  ///< of what they keep at zero
  static constexpr bool turns = false;  ///< n is along the arms: closing the gap turns no node

  assembly::FramePlace<S> node;  ///< the node of rod 1
  CurvePlace<S, K> curve;        ///< where rod 2 touches
  S radius1{};                   ///< a₁ [m]
  S radius2{};                   ///< a₂ [m]
  bool bilateral = false;        ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The two places.
  [[nodiscard]] auto places() const { return std::tie(node, curve); }
  /// (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    return detail::rolling_velocity(share(), a, b);
  }
  /// The rows of (2).
  [[nodiscard]] assembly::Rows<S, 3, 2> coefficients(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                                     const S&) const {
    return detail::rolling_rows(share(), a, b);
  }
  /// Ȧv of (2) [m/s²].
  [[nodiscard]] Vec<S, 3> drift(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                const assembly::Passing<S>& of_a, const assembly::Passing<S>& of_b,
                                const S&) const {
    return detail::rolling_drift(share(), a, b, of_a, of_b);
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    const Vec<T, 3> kappa = b.position - a.position;
    return Vec<T, 1>(kappa.norm() - T(radius1 + radius2));
  }
  /// −nᵀ.
  [[nodiscard]] Eigen::Matrix<S, 1, 3> along(const assembly::Seen<S>& a, const assembly::Seen<S>& b) const {
    const Vec<S, 3> n = detail::between(a, b);
    return {-n[0], -n[1], -n[2]};
  }
  /// (1) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& a, const assembly::Seen<T>& b) const {
    const Vec<T, 3> kappa = b.position - a.position;
    return Vec<T, 1>(kappa.dot(b.tangent));
  }
  /// Its change.
  [[nodiscard]] Vec<S, 1> tangency_change(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                          const assembly::Moved<S>& of_a,
                                          const assembly::Moved<S>& of_b) const {
    const Vec<S, 3> kappa = b.position - a.position, moved = of_b.position - of_a.position;
    return Vec<S, 1>(moved.dot(b.tangent) + kappa.dot(of_b.tangent));
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for two radii of one rod.
  void check_parameters() const { detail::check_radii(name, radius1, radius2, node.body == curve.body); }
  /// Throws ParallelRods where rod 2 is nearest elsewhere; SelfContactTooNear for places of one rod that are too
  /// near to each other.
  void check_places(const assembly::Point<S>& a, const assembly::Point<S>& b, S time) const {
    detail::check_nearest_on_rods(name, node, a, curve, b, radius1, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 3>& lambda, const assembly::Seen<S>& a, const assembly::Seen<S>& b, S time) const {
    if (!bilateral) check_pushes(S(-lambda.dot(detail::between(a, b))), name, time);
  }

 private:
  [[nodiscard]] S share() const noexcept { return radius1 / (radius1 + radius2); }
};

/// Equations (1) and (3) at one node of rod 1: contact without friction. λ is the normal force, ≥ 0 where it pushes [N].
template <class S, Kernel K = CubicSpline>
struct SlidingStation {
  using Scalar = S;                                                         ///< the number type
  static constexpr std::string_view name = "SlidingStation";                ///< for messages
  static constexpr std::array<std::string_view, 1> row_names = {"normal"};  ///< of the row
  static constexpr std::array<std::string_view, 1> row_units = {"m"};       ///< of what they keep at zero
  static constexpr bool turns = false;                                      ///< spins do not enter

  assembly::FramePlace<S> node;  ///< the node of rod 1
  CurvePlace<S, K> curve;        ///< where rod 2 touches
  S radius1{};                   ///< a₁ [m]
  S radius2{};                   ///< a₂ [m]
  bool bilateral = false;        ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The two places.
  [[nodiscard]] auto places() const { return std::tie(node, curve); }
  /// d|κ|/dt of (3) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    const Vec<T, 3> kappa = b.position - a.position, apart = b.velocity - a.velocity;
    return Vec<T, 1>(kappa.dot(apart) / kappa.norm());
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T& t) const {
    return rolling().position(a, b, t);
  }
  /// (1) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& a, const assembly::Seen<T>& b) const {
    return rolling().tangency(a, b);
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for two radii of one rod.
  void check_parameters() const { detail::check_radii(name, radius1, radius2, node.body == curve.body); }
  /// Throws ParallelRods where rod 2 is nearest elsewhere; SelfContactTooNear for places of one rod that are too
  /// near to each other.
  void check_places(const assembly::Point<S>& a, const assembly::Point<S>& b, S time) const {
    detail::check_nearest_on_rods(name, node, a, curve, b, radius1, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 1>& lambda, const assembly::Seen<S>&, const assembly::Seen<S>&, S time) const {
    if (!bilateral) check_pushes(lambda[0], name, time);
  }

 private:
  [[nodiscard]] RollingStation<S, K> rolling() const { return {node, curve, radius1, radius2, bilateral}; }
};

/// A line of contact between two rods of an assembly: which nodes of rod 1 touch rod 2.
template <class S>
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

/// A `RollingStation` or `SlidingStation` at each node of `line`, for chains that lie about where they shall. Throws std::invalid_argument for rods
/// and nodes that are not there.
template <template <class, class> class Station, class R, class S = typename R::Scalar, class K = CubicSpline>
[[nodiscard]] Stations<Station<S, K>> stations(const ContactLine<S>& line, const R& second,
                                               const std::vector<rod::Chain<S>>& chains, K kernel = {}) {
  constexpr std::string_view what = "ContactLine";
  for (const std::size_t body : {line.first, line.second})
    require(body < chains.size(), what, "rod", body, message({"there are ", chains.size(), " bodies"}));
  const rod::Chain<S>&one = chains[line.first], &other = chains[line.second];
  require(line.from >= 0 && line.from <= line.to && line.to < one.nodes, what, "nodes",
          message({line.from, " to ", line.to}), message({"rod 1 has ", one.nodes, " nodes, from 0"}));
  const CurvePlace<S, K> curve(line.second, second,
                               line.kernel_width > 0 ? line.kernel_width : second.spacing(), kernel);
  curve.check(chains, std::string(what));
  Stations<Station<S, K>> result;
  result.nearest.resize(line.to - line.from + 1);
  for (Eigen::Index k = line.from; k <= line.to; ++k) {
    const Vec<S, 3> here = one.position(k);
    Eigen::Index best = 0;
    S least = std::numeric_limits<S>::infinity();
    for (Eigen::Index j = 0; j < other.nodes; ++j) {
      const Vec<S, 3> apart = other.position(j) - here;
      if (apart.squaredNorm() < least) {
        least = apart.squaredNorm();
        best = j;
      }
    }
    result.nearest[k - line.from] = S(best) * second.spacing();
    result.constraints.push_back(
        {assembly::FramePlace<S>{line.first, k}, curve, line.radius1, line.radius2, line.bilateral});
  }
  return result;
}

}  // namespace dalembert::contact
