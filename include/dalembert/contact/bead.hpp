#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/across.hpp>
#include <dalembert/contact/curve_marker.hpp>
#include <dalembert/contact/detail/nearest.hpp>

/// A bead that slides along a rod without friction: a marker of a body is held on the averaged centreline
/// R(s).
///   E·(R(s) − x) = 0,   E·(V − ẋ) = 0      E: two unit vectors across the tangent R′           (1)
///   (R(s) − x)·R′ = 0                       where it is                                             (2)
/// λ is the force of the body on the rod along these two vectors [N].
namespace dalembert::contact {

/// See the head of this file.
template <class S = double, Kernel K = CubicSpline>
struct Bead {
  using Scalar = S;                                                                       ///< the number type
  static constexpr std::string_view name = "Bead";                                        ///< for messages
  static constexpr std::array<std::string_view, 2> row_names = {"across 1", "across 2"};  ///< of the rows

  CurveMarker<S, K> on_rod;  ///< where on the rod it is
  FrameMarker<S> marker;     ///< what slides

  /// The two markers.
  [[nodiscard]] auto markers() const { return std::tie(on_rod, marker); }

  /// The second part of (1) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const FrameState<T>& r, const FrameState<T>& x,
                                              const T&) const {
    return across(r.tangent, Vec<T, 3>(r.velocity - x.velocity));
  }
  /// The first part of (1) [m].
  template <class T>
  [[nodiscard]] Vec<T, 2> position_constraint(const FrameState<T>& r, const FrameState<T>& x,
                                              const T&) const {
    return across(r.tangent, Vec<T, 3>(r.position - x.position));
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const FrameState<T>& r, const FrameState<T>& x) const {
    const Vec<T, 3> apart = r.position - x.position;
    return Vec<T, 1>(apart.dot(r.tangent));
  }
  /// Throws ParallelRods where the marker is nearest to another marker of the rod.
  void check_markers(const Point<S>& r, const Point<S>& x, S time) const {
    detail::check_nearest(name, on_rod, r, marker, x, time);
  }
};

}  // namespace dalembert::contact
