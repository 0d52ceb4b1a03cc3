#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/detail/nearest.hpp>
#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/contact/lanes.hpp>

/// A ball, or a section of a rod, on a surface that is fixed in space or moves along itself at u, as a
/// constraint of an assembly. With the centre x, of radius a, the unit normal N of the surface, which points
/// to x, and the distance d(x) from it,
///   A v = V + W × (−aN) = u      no slip                                                              (1)
///   d(x) = a                     the gap, which changes at N·A v                                        (2)
///   N·R′ = 0                     where a rod touches it at one moving marker                          (3)
/// λ is the force on the body, λ_n = N·λ ≥ 0. A rod that lies on the surface, or is wrapped on it, has
/// a contact at each of its nodes, without (3), whose systems are apart. Without friction (2) is the only
/// row. What moves otherwise is a body of its own: `AxisMarker`, contact/ball_on_rod.hpp. Surfaces: `Plane`,
/// and `Cylinder`, a cylinder or sphere (contact/plane.hpp, contact/cylinder.hpp).
namespace dalembert::contact {

/// Equations (1) to (3) if it rolls, without friction (2) and (3) alone, at a marker of the type Marker, a
/// frame at a node or a marker that moves along a rod.
template <class S, class Marker, class Surface, bool rolls>
struct SurfaceContact {
  using Scalar = S;                           ///< the number type
  static constexpr int rows = rolls ? 3 : 1;  ///< of (1) or (2)
  static constexpr std::string_view name =
      rolls ? Surface::rolling_name : Surface::sliding_name;  ///< for messages
  /// Of the rows.
  static constexpr auto row_names = [] {
    if constexpr (rolls) return std::array<std::string_view, 3>{"x", "y", "z"};
    if constexpr (!rolls) return std::array<std::string_view, 1>{"normal"};
  }();
  static constexpr bool turns = false;  ///< N is along the arm: closing the gap turns nothing

  Marker marker;           ///< the centre of the ball or section
  S radius{};              ///< a [m]
  Surface surface{};       ///< what it touches
  bool bilateral = false;  ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// It.
  [[nodiscard]] auto markers() const { return std::tie(marker); }
  /// (1), or the rate of d, N·V [m/s].
  template <class T>
  [[nodiscard]] Vec<T, rows> velocity_constraint(const FrameState<T>& x, const T&) const {
    const Vec<T, 3> n = surface.normal_at(x.position);
    if constexpr (rolls)
      return x.velocity - T(radius) * x.angular_velocity.cross(n) - surface.driven().template cast<T>();
    else
      return Vec<T, 1>(n.dot(x.velocity));
  }
  /// The rows of it.
  [[nodiscard]] assembly::Rows<S, rows, 1> coefficients(const FrameState<S>& x, const S&) const {
    const Vec<S, 3> n = surface.normal_at(x.position), u = surface.driven();
    assembly::Rows<S, rows, 1> out;
    for (int i = 0; i < rows; ++i) out.known[i] = rolls ? -u[i] : S(0);
    for (int i = 0; i < 3; ++i) {
      if constexpr (rolls) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        out.linear[0](i, i) = S(1);
        out.linear[0](i, next) = out.linear[0](i, last) = out.angular[0](i, i) = S(0);
        out.angular[0](i, next) = -radius * n[last];  // (W × (−aN))ᵢ
        out.angular[0](i, last) = radius * n[next];
      } else {
        out.linear[0](0, i) = n[i];
        out.angular[0](0, i) = S(0);
      }
    }
    return out;
  }
  /// Ȧv [m/s²].
  [[nodiscard]] Vec<S, rows> acceleration_bias(const FrameState<S>& x, const FrameRates<S>& of_x,
                                               const S&) const {
    if constexpr (rolls && Surface::flat && !Marker::slides)
      return of_x.velocity;  // the arm rests, and so does the spin
    const Vec<S, 3> n = surface.normal_at(x.position),
                    turned = surface.normal_rate(x.position, of_x.position);
    if constexpr (rolls)
      return of_x.velocity - radius * (of_x.angular_velocity.cross(n) + x.angular_velocity.cross(turned));
    if constexpr (!rolls) return Vec<S, 1>(n.dot(of_x.velocity) + turned.dot(x.velocity));
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position_constraint(const FrameState<T>& x, const T&) const {
    return Vec<T, 1>(surface.distance_to(x.position, radius));
  }
  /// What makes the rate of (2) of the rows: Nᵀ of (1).
  [[nodiscard]] Eigen::Matrix<S, 1, rows> along(const FrameState<S>& x) const {
    if constexpr (rolls) return surface.normal_at(x.position).transpose();
    if constexpr (!rolls) return Eigen::Matrix<S, 1, 1>(S(1));
  }
  /// (3), times the distance from the axis of a cylinder.
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const FrameState<T>& x) const requires(Marker::slides) {
    return surface.tangency(x);
  }
  /// Throws ParallelRods where the distance is no minimum along the rod.
  void check_markers(const Point<S>& x, S time) const {
    if constexpr (Marker::slides)
      if (!(surface.second_derivative(x) > S(0))) [[unlikely]]
        detail::throw_not_nearest(name, time, "s = ", x.s);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, rows>& lambda, const FrameState<S>& x, S time) const {
    if (!bilateral) detail::check_normal_force(along(x).dot(lambda), name, time);
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for what is no surface.
  void check_parameters() const {
    detail::check_radius(name, "radius", radius);
    surface.check(name);
  }
};

/// Equations (1) to (3): rolling.
template <class S, class Marker, class Surface>
using RollingOnSurface = SurfaceContact<S, Marker, Surface, true>;

/// Equation (2) alone, with (3) at a marker that moves along a rod: contact without friction. λ ≥ 0 is the
/// force along N [N].
template <class S, class Marker, class Surface>
using SlidingOnSurface = SurfaceContact<S, Marker, Surface, false>;

}  // namespace dalembert::contact
