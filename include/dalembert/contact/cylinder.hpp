#pragma once

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/curve_place.hpp>
#include <dalembert/contact/detail/nearest.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/core/number.hpp>

/// Contact with a cylinder or sphere of radius b that is fixed in space. With c a point of the axis, e its direction, and x the centre of the
/// section or ball of radius a,
///   d = (1 − eeᵀ)(x − c)  (sphere: d = x − c),   N = d/|d|
///   A v = V + W × (−aN) = 0      no slip                                                                            (1)
///   |d| = a + b                  the gap, which changes at N·A v                                                    (2)
///   d·R′ = 0                     where a rod touches it at one moving place                                         (3)
/// A rod that is wrapped on the cylinder has contacts at its nodes, without (3). λ is the force on the body, λ_n = N·λ ≥ 0. Without friction (2)
/// is the only row. A cylinder or sphere that moves is a body of its own: `AxisPlace`, contact/ball_on_rod.hpp.
namespace dalembert::contact {

/// A cylinder, or a sphere, that is fixed in space.
template <class S>
struct Roller {
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

  /// (2) of a section or ball of radius a [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> gap(const assembly::Seen<T>& x, S a) const {
    return Vec<T, 1>(distance(x.position).norm() - (a + radius));
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& x) const {
    return Vec<T, 1>(distance(x.position).dot(x.tangent));
  }

  /// Throws ParallelRods where |d| is no minimum along the rod: unless |(1 − eeᵀ)R′|² + d·R″ > 0.
  void check_nearest(std::string_view what, const assembly::Point<S>& x, S time) const {
    const Vec<S, 3> d = distance(x.R), across = x.dR - axis.dot(x.dR) * axis;
    if (!(across.squaredNorm() + d.dot(x.ddR) > S(0))) [[unlikely]]
      detail::throw_not_nearest(what, x.s, time);
  }

  /// Throws std::invalid_argument for radii that are not positive, b and that of what touches it, numbers that are not finite, and an axis that is
  /// neither zero nor of length 1.
  void check(std::string_view what, S a) const {
    using dalembert::detail::all_finite;
    require(a > 0 && number::isfinite(a), what, "radius", a, "a radius must be positive and finite [m]");
    require(radius > 0 && number::isfinite(radius), what, "radius of the roller", radius,
            "a radius must be positive and finite [m]");
    require(all_finite(centre), what, "centre of the roller", "not finite", "it must be somewhere [m]");
    const S length = axis.norm();
    require(length == S(0) || number::abs(length - S(1)) < S(1e-6), what, "length of the axis", length,
            "an axis is a unit vector, or zero for a sphere");
  }
};

/// Equations (1) and (2) at a place of the type Place: a frame at a node, or, with (3), a place that moves along a rod.
template <class S, class Place = CurvePlace<S>>
struct RollingOnRoller {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "RollingOnRoller";                    ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows
  static constexpr std::array<std::string_view, 3> row_units = {"m", "m",
                                                                "m"};  ///< of what they keep at zero
  static constexpr bool turns = false;  ///< N is along the arm: closing the gap turns nothing

  Place place;             ///< the centre of the section or ball
  S radius{};              ///< a [m]
  Roller<S> roller{};      ///< what it rolls on
  bool bilateral = false;  ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The place.
  [[nodiscard]] auto places() const { return std::tie(place); }
  /// (1) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity(const assembly::Seen<T>& x, const T&) const {
    const Vec<T, 3> d = roller.distance(x.position);
    const T factor = -radius / d.norm();
    const Vec<T, 3> arm = factor * d;
    return x.velocity + x.spin.cross(arm);
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& x, const T&) const {
    return roller.gap(x, radius);
  }
  /// Nᵀ.
  [[nodiscard]] Eigen::Matrix<S, 1, 3> along(const assembly::Seen<S>& x) const {
    return normal(x).transpose();
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& x) const requires(Place::slides) {
    return roller.tangency(x);
  }
  /// Throws ParallelRods where the rod is nearest elsewhere.
  void check_places(const assembly::Point<S>& x, S time) const {
    if constexpr (Place::slides) roller.check_nearest(name, x, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 3>& lambda, const assembly::Seen<S>& x, S time) const {
    if (!bilateral) check_pushes(lambda.dot(normal(x)), name, time);
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for what is no roller.
  void check_parameters() const { roller.check(name, radius); }

 private:
  [[nodiscard]] Vec<S, 3> normal(const assembly::Seen<S>& x) const {
    const Vec<S, 3> d = roller.distance(x.position);
    return d / d.norm();
  }
};

/// Equation (2) alone, with (3) at a place that moves along a rod: contact without friction. λ ≥ 0 is the force along N [N].
template <class S, class Place = CurvePlace<S>>
struct SlidingOnRoller {
  using Scalar = S;                                                         ///< the number type
  static constexpr std::string_view name = "SlidingOnRoller";               ///< for messages
  static constexpr std::array<std::string_view, 1> row_names = {"normal"};  ///< of the row
  static constexpr std::array<std::string_view, 1> row_units = {"m"};       ///< of what they keep at zero
  static constexpr bool turns = false;  ///< N points from the centre: closing the gap turns nothing

  Place place;             ///< the centre of the section or ball
  S radius{};              ///< a [m]
  Roller<S> roller{};      ///< what it slides on
  bool bilateral = false;  ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The place.
  [[nodiscard]] auto places() const { return std::tie(place); }
  /// d|d|/dt = N·V [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity(const assembly::Seen<T>& x, const T&) const {
    const Vec<T, 3> d = roller.distance(x.position);
    return Vec<T, 1>(d.dot(x.velocity) / d.norm());
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& x, const T&) const {
    return roller.gap(x, radius);
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& x) const requires(Place::slides) {
    return roller.tangency(x);
  }
  /// Throws ParallelRods where the rod is nearest elsewhere.
  void check_places(const assembly::Point<S>& x, S time) const {
    if constexpr (Place::slides) roller.check_nearest(name, x, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 1>& lambda, const assembly::Seen<S>&, S time) const {
    if (!bilateral) check_pushes(lambda[0], name, time);
  }
  /// Throws std::invalid_argument as `RollingOnRoller` does.
  void check_parameters() const { roller.check(name, radius); }
};

/// With a place that moves along a rod.
template <class S, class Place>
RollingOnRoller(Place, S, Roller<S>) -> RollingOnRoller<S, Place>;
/// The same without friction.
template <class S, class Place>
SlidingOnRoller(Place, S, Roller<S>) -> SlidingOnRoller<S, Place>;

}  // namespace dalembert::contact
