#pragma once

#include <string_view>

#include <dalembert/contact/curve_marker.hpp>
#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/contact/surface.hpp>
#include <dalembert/core/number.hpp>

/// Contact with a cylinder or sphere of radius b that is fixed in space: the contact of surface.hpp. With c a
/// point of the axis, e its direction, and x the centre of the section or ball of radius a,
///   d = (1 − eeᵀ)(x − c)  (sphere: d = x − c),   N = d/|d|
///   A v = V + W × (−aN) = 0      no slip                                                              (1)
///   |d| = a + b                  the gap, which changes at N·A v                                        (2)
///   d·R′ = 0                     where a rod touches it at one moving marker                          (3)
/// A cylinder or sphere that moves is a body of its own: `AxisMarker`, contact/ball_on_rod.hpp.
namespace dalembert::contact {

/// A cylinder, or a sphere, that is fixed in space.
template <class S = double>
struct Cylinder {
  static constexpr std::string_view rolling_name = "RollingOnCylinder";  ///< of what rolls on it
  static constexpr std::string_view sliding_name = "SlidingOnCylinder";  ///< of what slides on it
  static constexpr bool flat = false;  ///< its normal is not the same everywhere

  S radius{};                            ///< b [m]
  Vec<S, 3> centre = Vec<S, 3>::Zero();  ///< c [m]
  Vec<S, 3> axis = Vec<S, 3>::Zero();    ///< e, a unit vector; zero for a sphere

  /// d.
  template <class T>
  [[nodiscard]] Vec<T, 3> distance(const Vec<T, 3>& x) const {
    Vec<T, 3> d;
    T along(0);
    for (int i = 0; i < 3; ++i) {
      d[i] = x[i] - centre[i];
      along += axis[i] * d[i];
    }
    for (int i = 0; i < 3; ++i) d[i] -= along * axis[i];
    return d;
  }

  /// N.
  template <class T>
  [[nodiscard]] Vec<T, 3> normal_at(const Vec<T, 3>& x) const {
    const Vec<T, 3> d = distance(x);
    const T factor = T(S(1)) / d.norm();
    return factor * d;
  }
  /// Its rate where the marker of it moves at v.
  [[nodiscard]] Vec<S, 3> normal_rate(const Vec<S, 3>& x, const Vec<S, 3>& v) const {
    const Vec<S, 3> d = distance(x), moved = v - axis.dot(v) * axis;
    const S length = d.norm();
    const Vec<S, 3> n = d / length;
    return (moved - n.dot(moved) * n) / length;
  }
  /// It is at rest [m/s].
  [[nodiscard]] Vec<S, 3> driven() const { return Vec<S, 3>::Zero(); }
  /// How far what has the radius a at x is from it, (2) [m].
  template <class T>
  [[nodiscard]] T distance_to(const Vec<T, 3>& x, S a) const {
    return distance(x).norm() - (a + radius);
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const FrameState<T>& x) const {
    return Vec<T, 1>(distance(x.position).dot(x.tangent));
  }

  /// |(1 − eeᵀ)R′|² + d·R″, that of ½|d|² along the rod.
  [[nodiscard]] S second_derivative(const Point<S>& x) const {
    const Vec<S, 3> across = x.dR - axis.dot(x.dR) * axis;
    return across.squaredNorm() + distance(x.R).dot(x.ddR);
  }

  /// Throws std::invalid_argument for a radius that is not positive and finite, a centre that is not finite,
  /// and an axis that is neither zero nor of length 1.
  void check(std::string_view what) const {
    using dalembert::detail::all_finite;
    detail::check_radius(what, "radius of the cylinder", radius);
    require(all_finite(centre), what, "centre of the cylinder", "not finite", "it must be somewhere [m]");
    const S length = axis.norm();
    require(length == S(0) || number::abs(length - S(1)) < S(1e-6), what, "length of the axis", length,
            "an axis is a unit vector, or zero for a sphere");
  }
};

/// Rolling on it, at a frame at a node or, with (3), at a marker that moves along a rod.
template <class S = double, class Marker = CurveMarker<S>>
using RollingOnCylinder = RollingOnSurface<S, Marker, Cylinder<S>>;

/// The same without friction, equation (2). λ ≥ 0 is the force along N [N].
template <class S = double, class Marker = CurveMarker<S>>
using SlidingOnCylinder = SlidingOnSurface<S, Marker, Cylinder<S>>;

}  // namespace dalembert::contact
