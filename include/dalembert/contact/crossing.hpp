#pragma once

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/contact/curve_place.hpp>
#include <dalembert/contact/detail/nearest.hpp>
#include <dalembert/contact/detail/pushes.hpp>
#include <dalembert/contact/detail/two_sides.hpp>
#include <dalembert/core/number.hpp>

/// Two rods that cross and roll on each other, as a constraint of an assembly. R₁, R₂ are the averaged centrelines, κ = R₂ − R₁, n = κ/|κ|:
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ = 0      no slip at R₁ + f₁κ, f = a/(a₁ + a₂)                                (1)
///   |κ| = a₁ + a₂                              the gap, d|κ|/dt = −n·A v                                          (2)
///   κ·R₁′ = κ·R₂′ = 0                          where it is                                                        (3)
/// The second may be a rigid rod or cylinder, fixed or moving (`AxisPlace`), with R₂ on its axis. Both may be one rod, which touches itself: its
/// places are then at least half a circle of its own radius apart, |s₁ − s₂| |R′| ≥ πa, nearer than which no rod of radius a can touch itself.
/// Source: Gay-Balmaz & Putkaradze, eqs (4), (6), (9)–(12), with the corrected weights.
namespace dalembert::contact {

/// See the head of this file. λ is the force on rod 1, spatial [N].
template <class S, Kernel K = CubicSpline, class Second = CurvePlace<S, K>>
struct Crossing {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "Crossing";                           ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows
  static constexpr std::array<std::string_view, 3> row_units = {"m", "m",
                                                                "m"};  ///< of what they keep at zero

  CurvePlace<S, K> first;               ///< where rod 1 touches
  Second second;                        ///< where rod 2 touches
  S radius1{};                          ///< a₁ [m]
  S radius2{};                          ///< a₂ [m]
  static constexpr bool turns = false;  ///< n is along the arms: closing the gap turns no node
  bool bilateral = false;            ///< a contact that pulls is allowed; otherwise it throws ContactOpened
  bool integrate_positions = false;  ///< s₁, s₂ follow ṡ instead of being solved from (3) in each state

  /// Whether its positions follow their rates.
  [[nodiscard]] bool integrated() const noexcept { return integrate_positions; }
  /// The two places.
  [[nodiscard]] auto places() const { return std::tie(first, second); }

  /// (1) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    return detail::rolling_velocity(share(), a, b);
  }
  /// The rows of (1).
  [[nodiscard]] assembly::Rows<S, 3, 2> coefficients(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                                     const S&) const {
    return detail::rolling_rows(share(), a, b);
  }
  /// Ȧv of (1) [m/s²].
  [[nodiscard]] Vec<S, 3> drift(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                const assembly::Passing<S>& of_a, const assembly::Passing<S>& of_b,
                                const S&) const {
    return detail::rolling_drift(share(), a, b, of_a, of_b);
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& a, const assembly::Seen<T>& b, const T&) const {
    const Vec<T, 3> kappa = b.position - a.position;
    return Vec<T, 1>(kappa.norm() - T(radius1 + radius2));
  }
  /// −nᵀ.
  [[nodiscard]] Eigen::Matrix<S, 1, 3> along(const assembly::Seen<S>& a, const assembly::Seen<S>& b) const {
    return -detail::between(a, b).transpose();
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 2> tangency(const assembly::Seen<T>& a, const assembly::Seen<T>& b) const {
    const Vec<T, 3> kappa = b.position - a.position;
    return {kappa.dot(a.tangent), kappa.dot(b.tangent)};
  }
  /// Its change.
  [[nodiscard]] Vec<S, 2> tangency_change(const assembly::Seen<S>& a, const assembly::Seen<S>& b,
                                          const assembly::Moved<S>& of_a,
                                          const assembly::Moved<S>& of_b) const {
    const Triple<S> kappa = Triple<S>(b.position) - Triple<S>(a.position);
    const Triple<S> moved = Triple<S>(of_b.position) - Triple<S>(of_a.position);
    return {dot(moved, Triple<S>(a.tangent)) + dot(kappa, Triple<S>(of_a.tangent)),
            dot(moved, Triple<S>(b.tangent)) + dot(kappa, Triple<S>(of_b.tangent))};
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for two radii of one rod.
  void check_parameters() const { detail::check_radii(name, radius1, radius2, first.body == second.body); }
  /// Throws ParallelRods where the distance is no minimum over s₁ and s₂, as that from a rod that curves about the other;
  /// SelfContactTooNear for places of one rod that are too near to each other.
  void check_places(const assembly::Point<S>& a, const assembly::Point<S>& b, S time) const {
    detail::check_nearest_on_rods(name, first, a, second, b, radius1, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 3>& lambda, const assembly::Seen<S>& a, const assembly::Seen<S>& b, S time) const {
    const S normal = -lambda.dot(detail::between(a, b));
    if (!bilateral) check_pushes(normal, "crossing", time);
  }

 private:
  [[nodiscard]] S share() const noexcept { return radius1 / (radius1 + radius2); }
};

}  // namespace dalembert::contact
