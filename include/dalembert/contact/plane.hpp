#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/detail/pushes.hpp>
#include <dalembert/core/number.hpp>

/// A ball, or the section of a rod at one of its nodes, on a plane. With the unit normal N of the plane, which points to the body, and the
/// radius a the contact point is x − aN:
///   A v = V + W × (−aN) = u      no slip on a plane that moves along itself at u                                    (1)
///   N·(x − p) = a                the distance from the plane through p, which changes at N·A v                      (2)
/// λ is the force on the body, λ_n = N·λ ≥ 0. A rod that lies on the plane has one such contact at each of its nodes, whose systems are apart.
/// Without friction (2) is the only row.
/// Source: Goldstein 1980, section 1-3 (the rolling disc); Vankerschaver 2006 (rods that roll on a plane).
namespace dalembert::contact {

/// A plane that may move along itself.
template <class S>
struct Plane {
  Vec<S, 3> point = Vec<S, 3>::Zero();     ///< p [m]
  Vec<S, 3> normal = Vec<S, 3>::UnitZ();   ///< N, a unit vector
  Vec<S, 3> velocity = Vec<S, 3>::Zero();  ///< u [m/s]

  /// Throws std::invalid_argument for numbers that are not finite and a normal that is not of length 1.
  void check(std::string_view what) const {
    using dalembert::detail::all_finite;
    require(all_finite(point) && all_finite(velocity), what, "plane", "not finite", "it must be somewhere");
    const S length = normal.norm();
    require(number::abs(length - S(1)) < S(1e-6), what, "length of the normal", length,
            "a normal is a unit vector");
  }
};

/// Equations (1) and (2).
template <class S>
struct RollingOnPlane {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "RollingOnPlane";                     ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows
  static constexpr std::array<std::string_view, 3> row_units = {"m", "m",
                                                                "m"};  ///< of what they keep at zero
  static constexpr bool turns = false;  ///< N is along the arm: closing the gap turns nothing

  assembly::FramePlace<S> place;  ///< the centre of the ball or section
  S radius{};                     ///< a [m]
  Plane<S> plane{};               ///< what it rolls on
  bool bilateral = false;         ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The place.
  [[nodiscard]] auto places() const { return std::tie(place); }
  /// (1) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity(const assembly::Seen<T>& x, const T&) const {
    const Vec<T, 3> arm = (S(-radius) * plane.normal).template cast<T>();
    return x.velocity + x.spin.cross(arm) - plane.velocity.template cast<T>();
  }
  /// The rows of (1).
  [[nodiscard]] assembly::Rows<S, 3, 1> coefficients(const assembly::Seen<S>&, const S&) const {
    assembly::Rows<S, 3, 1> rows;
    for (int i = 0; i < 3; ++i) {
      const int next = (i + 1) % 3, last = (i + 2) % 3;
      rows.linear[0](i, i) = S(1);
      rows.linear[0](i, next) = rows.linear[0](i, last) = rows.angular[0](i, i) = S(0);
      rows.angular[0](i, next) = -radius * plane.normal[last];  // (W × (−aN))ᵢ
      rows.angular[0](i, last) = radius * plane.normal[next];
      rows.known[i] = -plane.velocity[i];
    }
    return rows;
  }
  /// Ȧv of (1) [m/s²].
  [[nodiscard]] Vec<S, 3> drift(const assembly::Seen<S>&, const assembly::Passing<S>& of_x, const S&) const {
    return of_x.velocity;  // the arm rests, and so does the spin
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& x, const T&) const {
    T height(-radius);
    for (int i = 0; i < 3; ++i) height += plane.normal[i] * (x.position[i] - plane.point[i]);
    return Vec<T, 1>(height);
  }
  /// Nᵀ.
  [[nodiscard]] Eigen::Matrix<S, 1, 3> along(const assembly::Seen<S>&) const {
    return plane.normal.transpose();
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 3>& lambda, const assembly::Seen<S>&, S time) const {
    if (!bilateral) check_pushes(lambda.dot(plane.normal), name, time);
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite, and for what is no plane.
  void check_parameters() const {
    require(radius > 0 && number::isfinite(radius), name, "radius", radius,
            "a radius must be positive and finite [m]");
    plane.check(name);
    const S rounding = std::max(S(1e-12), S(16) * std::numeric_limits<S>::epsilon());
    require(number::abs(plane.velocity.dot(plane.normal)) <= rounding * plane.velocity.norm(), name,
            "velocity of the plane along its normal", plane.velocity.dot(plane.normal),
            "the plane must move along itself [m/s]");
  }
};

/// Equation (2) alone: contact without friction.
template <class S>
struct SlidingOnPlane {
  using Scalar = S;                                                         ///< the number type
  static constexpr std::string_view name = "SlidingOnPlane";                ///< for messages
  static constexpr std::array<std::string_view, 1> row_names = {"normal"};  ///< of the row
  static constexpr std::array<std::string_view, 1> row_units = {"m"};       ///< of what they keep at zero

  assembly::FramePlace<S> place;  ///< the centre of the ball or section
  S radius{};                     ///< a [m]
  Plane<S> plane{};               ///< what it slides on
  bool bilateral = false;         ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The place.
  [[nodiscard]] auto places() const { return std::tie(place); }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& x, const T& t) const {
    return RollingOnPlane<S>{place, radius, plane}.position(x, t);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 1>& lambda, const assembly::Seen<S>&, S time) const {
    if (!bilateral) check_pushes(lambda[0], name, time);
  }
  /// Throws std::invalid_argument as `RollingOnPlane` does.
  void check_parameters() const { RollingOnPlane<S>{place, radius, plane}.check_parameters(); }
};

}  // namespace dalembert::contact
