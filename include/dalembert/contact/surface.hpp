#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/detail/normal_force.hpp>

/// A ball, or a section of a rod, on a surface that is fixed in space or moves along itself at u, as a
/// constraint of an assembly. With the centre x, of radius a, the unit normal N of the surface, which points
/// to x, and the distance d(x) from it,
///   A v = V + W × (−aN) = u      no slip                                                                (1)
///   d(x) = a                     the gap, which changes at N·A v                                        (2)
///   N·R′ = 0                     where a rod touches it at one moving place                             (3)
/// λ is the force on the body, λ_n = N·λ ≥ 0. A rod that lies on the surface, or is wrapped on it, has a
/// contact at each of its nodes, without (3), whose systems are apart. Without friction (2) is the only row.
/// What moves otherwise is a body of its own: `AxisPlace`, contact/ball_on_rod.hpp. Surfaces: `Plane`, and
/// `Roller`, a cylinder or sphere (contact/plane.hpp, contact/cylinder.hpp).
namespace dalembert::contact {

/// Equations (1) to (3) at a place of the type Place, a frame at a node or a place that moves along a rod.
template <class S, class Place, class Surface>
struct RollingOnSurface {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = Surface::rolling_name;                ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows
  static constexpr std::array<std::string_view, 3> row_units = {"m", "m",
                                                                "m"};  ///< of what they keep at zero
  static constexpr bool turns = false;  ///< N is along the arm: closing the gap turns nothing

  Place place;             ///< the centre of the ball or section
  S radius{};              ///< a [m]
  Surface surface{};       ///< what it rolls on
  bool bilateral = false;  ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The place.
  [[nodiscard]] auto places() const { return std::tie(place); }
  /// (1) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity(const assembly::Seen<T>& x, const T&) const {
    const Vec<T, 3> arm = T(-radius) * surface.normal_at(x.position);
    return x.velocity + x.spin.cross(arm) - surface.driven().template cast<T>();
  }
  /// The rows of (1).
  [[nodiscard]] assembly::Rows<S, 3, 1> coefficients(const assembly::Seen<S>& x, const S&) const {
    const Vec<S, 3> n = surface.normal_at(x.position), u = surface.driven();
    assembly::Rows<S, 3, 1> rows;
    for (int i = 0; i < 3; ++i) {
      const int next = (i + 1) % 3, last = (i + 2) % 3;
      rows.linear[0](i, i) = S(1);
      rows.linear[0](i, next) = rows.linear[0](i, last) = rows.angular[0](i, i) = S(0);
      rows.angular[0](i, next) = -radius * n[last];  // (W × (−aN))ᵢ
      rows.angular[0](i, last) = radius * n[next];
      rows.known[i] = -u[i];
    }
    return rows;
  }
  /// Ȧv of (1) [m/s²].
  [[nodiscard]] Vec<S, 3> drift(const assembly::Seen<S>& x, const assembly::Passing<S>& of_x,
                                const S&) const {
    if constexpr (Surface::flat && !Place::slides)
      return of_x.velocity;  // the arm rests, and so does the spin
    const Vec<S, 3> n = surface.normal_at(x.position),
                    turned = surface.normal_rate(x.position, of_x.position);
    return of_x.velocity - radius * (of_x.spin.cross(n) + x.spin.cross(turned));
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& x, const T&) const {
    return Vec<T, 1>(surface.distance_to(x.position, radius));
  }
  /// Nᵀ.
  [[nodiscard]] Eigen::Matrix<S, 1, 3> along(const assembly::Seen<S>& x) const {
    return surface.normal_at(x.position).transpose();
  }
  /// (3), times the distance from the axis of a roller.
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& x) const requires(Place::slides) {
    return surface.tangency(x);
  }
  /// Throws ParallelRods where the rod is nearest elsewhere.
  void check_places(const assembly::Point<S>& x, S time) const {
    if constexpr (Place::slides) surface.check_nearest(name, x, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 3>& lambda, const assembly::Seen<S>& x, S time) const {
    if (!bilateral) check_normal_force(lambda.dot(surface.normal_at(x.position)), name, time);
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for what is no surface.
  void check_parameters() const { surface.check(name, radius); }
};

/// Equation (2) alone, with (3) at a place that moves along a rod: contact without friction. λ ≥ 0 is the
/// force along N [N].
template <class S, class Place, class Surface>
struct SlidingOnSurface {
  using Scalar = S;                                                         ///< the number type
  static constexpr std::string_view name = Surface::sliding_name;           ///< for messages
  static constexpr std::array<std::string_view, 1> row_names = {"normal"};  ///< of the row
  static constexpr std::array<std::string_view, 1> row_units = {"m"};       ///< of what it keeps at zero
  static constexpr bool turns = false;  ///< N points from the centre: closing the gap turns nothing

  Place place;             ///< the centre of the ball or section
  S radius{};              ///< a [m]
  Surface surface{};       ///< what it slides on
  bool bilateral = false;  ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The place.
  [[nodiscard]] auto places() const { return std::tie(place); }
  /// The rate of d, N·V [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity(const assembly::Seen<T>& x, const T&) const {
    return Vec<T, 1>(surface.normal_at(x.position).dot(x.velocity));
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& x, const T&) const {
    return Vec<T, 1>(surface.distance_to(x.position, radius));
  }
  /// (3), times the distance from the axis of a roller.
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& x) const requires(Place::slides) {
    return surface.tangency(x);
  }
  /// Throws ParallelRods where the rod is nearest elsewhere.
  void check_places(const assembly::Point<S>& x, S time) const {
    if constexpr (Place::slides) surface.check_nearest(name, x, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 1>& lambda, const assembly::Seen<S>&, S time) const {
    if (!bilateral) check_normal_force(lambda[0], name, time);
  }
  /// Throws std::invalid_argument as `RollingOnSurface` does.
  void check_parameters() const { surface.check(name, radius); }
};

}  // namespace dalembert::contact
