#pragma once

#include <dalembert/contact/crossing.hpp>
#include <dalembert/core/number.hpp>

/// Two rods that cross and slide on each other without friction, as a constraint of an assembly: the gap alone of a `Crossing`. With κ = R₂ − R₁:
///   A v = n·(V₂ − V₁) = d|κ|/dt,  n = κ/|κ|                                                                       (1)
///   |κ| = a₁ + a₂,  κ·R₁′ = κ·R₂′ = 0                                                                              (2)
namespace dalembert::contact {

/// See the head of this file. λ ≥ 0 is the force by which the rods press on each other [N].
template <class S, Kernel K = CubicSpline>
struct SlidingCrossing {
  using Scalar = S;                                                      ///< the number type
  static constexpr std::string_view name = "SlidingCrossing";            ///< for messages
  static constexpr std::array<std::string_view, 1> row_names = {"gap"};  ///< of the row
  static constexpr std::array<std::string_view, 1> row_units = {"m"};    ///< of what they keep at zero

  CurvePlace<S, K> first;               ///< where rod 1 touches
  CurvePlace<S, K> second;              ///< where rod 2 touches
  S radius1{};                          ///< a₁ [m]
  S radius2{};                          ///< a₂ [m]
  static constexpr bool turns = false;  ///< n is along the arms: closing the gap turns no node
  bool bilateral = false;  ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The same two places without friction.
  [[nodiscard]] static SlidingCrossing of(const Crossing<S, K>& c) {
    return {c.first, c.second, c.radius1, c.radius2, c.bilateral};
  }

  /// The two places.
  [[nodiscard]] auto places() const { return std::tuple{first, second}; }

  /// (1) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    const Vec<T, 3> kappa = b.position - a.position;
    const Vec<T, 3> apart = b.velocity - a.velocity;
    return Vec<T, 1>(kappa.dot(apart) / kappa.norm());
  }
  /// The first of (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    const Vec<T, 3> kappa = b.position - a.position;
    return Vec<T, 1>(kappa.norm() - T(radius1 + radius2));
  }
  /// The others [m].
  template <class T>
  [[nodiscard]] Vec<T, 2> tangency(const assembly::Seen<T>& a, const assembly::Seen<T>& b) const {
    const Vec<T, 3> kappa = b.position - a.position;
    return {kappa.dot(a.tangent), kappa.dot(b.tangent)};
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for two radii of one rod.
  void check_parameters() const { detail::check_radii(name, radius1, radius2, first.body == second.body); }
  /// Throws ParallelRods and SelfContactTooNear as `Crossing` does.
  void check_places(const assembly::Point<S>& a, const assembly::Point<S>& b, S time) const {
    detail::check_nearest_on_rods(name, first, a, second, b, radius1, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 1>& lambda, const assembly::Seen<S>&, const assembly::Seen<S>&, S time) const {
    if (!bilateral) check_pushes(lambda[0], "sliding crossing", time);
  }
};

}  // namespace dalembert::contact
