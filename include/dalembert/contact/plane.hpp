#pragma once

#include <algorithm>
#include <limits>
#include <string_view>

#include <dalembert/contact/curve_marker.hpp>
#include <dalembert/contact/surface.hpp>
#include <dalembert/core/number.hpp>

/// A ball, a section of a rod at one of its nodes, or a rod at one place that moves along it, on a plane:
/// the contact of surface.hpp with the distance N·(x − p) from the plane through p. A plane may move along
/// itself at u.
/// Source: Goldstein 1980, section 1-3 (the rolling disc); Vankerschaver 2006 (rods that roll on a plane).
namespace dalembert::contact {

/// A plane that may move along itself.
template <class S = double>
struct Plane {
  static constexpr std::string_view rolling_name = "RollingOnPlane";  ///< of what rolls on it
  static constexpr std::string_view sliding_name = "SlidingOnPlane";  ///< of what slides on it
  static constexpr bool flat = true;                                  ///< its normal is the same everywhere

  Vec<S, 3> point = Vec<S, 3>::Zero();     ///< p [m]
  Vec<S, 3> normal = Vec<S, 3>::UnitZ();   ///< N, a unit vector
  Vec<S, 3> velocity = Vec<S, 3>::Zero();  ///< u [m/s]

  /// N.
  template <class T>
  [[nodiscard]] Vec<T, 3> normal_at(const Vec<T, 3>&) const {
    return normal.template cast<T>();
  }
  /// Its rate where the marker of it moves.
  [[nodiscard]] Vec<S, 3> normal_rate(const Vec<S, 3>&, const Vec<S, 3>&) const { return Vec<S, 3>::Zero(); }
  /// u.
  [[nodiscard]] const Vec<S, 3>& driven() const { return velocity; }
  /// How far what has this radius at x is from it [m].
  template <class T>
  [[nodiscard]] T distance_to(const Vec<T, 3>& x, S radius) const {
    T height(-radius);
    for (int i = 0; i < 3; ++i) height += normal[i] * (x[i] - point[i]);
    return height;
  }
  /// N·R′.
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const FrameState<T>& x) const {
    return Vec<T, 1>(normal.template cast<T>().dot(x.tangent));
  }
  /// N·R″, the second derivative of the height along the rod.
  [[nodiscard]] S second_derivative(const Point<S>& x) const { return normal.dot(x.ddR); }

  /// Throws std::invalid_argument for numbers that are not finite, a normal that is not of length 1, and a
  /// velocity that is not along it.
  void check(std::string_view what) const {
    using dalembert::detail::all_finite;
    require(all_finite(point) && all_finite(velocity), what, "plane", "not finite", "it must be somewhere");
    const S length = normal.norm();
    require(number::abs(length - S(1)) < S(1e-6), what, "length of the normal", length,
            "a normal is a unit vector");
    const S rounding = std::max(S(1e-12), S(16) * std::numeric_limits<S>::epsilon());
    require(number::abs(velocity.dot(normal)) <= rounding * velocity.norm(), what,
            "velocity of the plane along its normal", velocity.dot(normal),
            "the plane must move along itself [m/s]");
  }
};

/// Rolling on a plane: equations (1) and (2) of surface.hpp, with (3) at a marker that moves along a rod.
template <class S = double, class Marker = FrameMarker<S>>
using RollingOnPlane = RollingOnSurface<S, Marker, Plane<S>>;

/// The same without friction, equation (2).
template <class S = double, class Marker = FrameMarker<S>>
using SlidingOnPlane = SlidingOnSurface<S, Marker, Plane<S>>;

}  // namespace dalembert::contact
