#pragma once

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/contact/axis_place.hpp>
#include <dalembert/contact/curve_place.hpp>
#include <dalembert/contact/detail/nearest.hpp>
#include <dalembert/contact/detail/two_sides.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/core/number.hpp>

/// A ball of radius R on a rod of radius a. From the point x₁ of the rod's centreline to the centre x₂ of the ball leads κ = x₂ − x₁, n = κ/|κ|:
///   A v = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ = 0      no slip at x₁ + f₁κ, f₁ = a/(a + R), f₂ = R/(a + R)                  (1)
///   |κ| = a + R                                the gap, d|κ|/dt = −n·A v                                          (2)
///   κ·x₁′ = 0                                  where it is                                                        (3)
/// The rod is an elastic one (`CurvePlace`, its averaged centreline) or a rigid one, moving or fixed in space (`AxisPlace`).
///
/// Oracle. On a fixed vertical pole, with M, I of the ball, φ the angle of its centre about the axis and σ = ω·n its spin about the outward normal,
///   φ̇ is constant,   σ̇ = −φ̇ż/R,   (I + MR²) z̈ = IRσφ̇ − MR²g,                                                      (4)
/// whence z̈ + k²(z − z₀) = z̈₀, k = φ̇√(I/(I + MR²)): the ball does not fall, it swings up and down about the height z₀ + z̈₀/k², whatever the
/// radius of the pole. The pole pulls it inwards at M(a + R)φ̇²: such a contact is bilateral.
/// Source of (4): derived from (1) by Newton and Euler; inside a cylinder, Gualtieri et al. 2006.
namespace dalembert::contact {

/// Equations (1) to (3). λ is the force on the rod, spatial [N].
template <class S, class RodPlace = CurvePlace<S>>
struct RollingOnRod {
  using Scalar = S;                                                              ///< the number type
  static constexpr std::string_view name = "RollingOnRod";                       ///< for messages
  static constexpr std::array<std::string_view, 3> row_names = {"x", "y", "z"};  ///< of the rows
  static constexpr std::array<std::string_view, 3> row_units = {"m", "m",
                                                                "m"};  ///< of what they keep at zero
  static constexpr bool turns = false;  ///< n is along the arms: closing the gap turns nothing

  RodPlace on_rod;                ///< where on the rod it is
  assembly::FramePlace<S> place;  ///< the centre of the ball
  S rod_radius{};                 ///< a [m]
  S radius{};                     ///< R [m]
  bool bilateral = false;         ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The two places.
  [[nodiscard]] auto places() const { return std::tuple{on_rod, place}; }
  /// (1) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity(const assembly::Seen<T>& r, const assembly::Seen<T>& x, const T&) const {
    return detail::rolling_velocity(share(), r, x);
  }
  /// The rows of (1).
  [[nodiscard]] assembly::Rows<S, 3, 2> coefficients(const assembly::Seen<S>& r, const assembly::Seen<S>& x,
                                                     const S&) const {
    return detail::rolling_rows(share(), r, x);
  }
  /// Ȧv of (1) [m/s²].
  [[nodiscard]] Vec<S, 3> drift(const assembly::Seen<S>& r, const assembly::Seen<S>& x,
                                const assembly::Passing<S>& of_r, const assembly::Passing<S>& of_x,
                                const S&) const {
    return detail::rolling_drift(share(), r, x, of_r, of_x);
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& r, const assembly::Seen<T>& x, const T&) const {
    const Vec<T, 3> kappa = x.position - r.position;
    return Vec<T, 1>(kappa.norm() - T(rod_radius + radius));
  }
  /// −nᵀ.
  [[nodiscard]] Eigen::Matrix<S, 1, 3> along(const assembly::Seen<S>& r, const assembly::Seen<S>& x) const {
    return -detail::between(r, x).transpose();
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& r, const assembly::Seen<T>& x) const {
    const Vec<T, 3> kappa = x.position - r.position;
    return Vec<T, 1>(kappa.dot(r.tangent));
  }
  /// Throws ParallelRods where the ball is nearest to another place of the rod.
  void check_places(const assembly::Point<S>& r, const assembly::Point<S>& x, S time) const {
    detail::check_nearest(name, on_rod, r, place, x, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 3>& lambda, const assembly::Seen<S>& r, const assembly::Seen<S>& x, S time) const {
    if (!bilateral) check_pushes(S(-lambda.dot(detail::between(r, x))), name, time);
  }
  /// Throws std::invalid_argument for a radius that is not positive and finite.
  void check_parameters() const {
    require(rod_radius > 0 && number::isfinite(rod_radius), name, "radius of the rod", rod_radius,
            "a radius must be positive and finite [m]");
    require(radius > 0 && number::isfinite(radius), name, "radius", radius,
            "a radius must be positive and finite [m]");
  }

 private:
  [[nodiscard]] S share() const noexcept { return rod_radius / (rod_radius + radius); }
};

/// Equations (2) and (3) alone: contact without friction. λ ≥ 0 is the force between the two [N].
template <class S, class RodPlace = CurvePlace<S>>
struct SlidingOnRod {
  using Scalar = S;                                                         ///< the number type
  static constexpr std::string_view name = "SlidingOnRod";                  ///< for messages
  static constexpr std::array<std::string_view, 1> row_names = {"normal"};  ///< of the row
  static constexpr std::array<std::string_view, 1> row_units = {"m"};       ///< of what they keep at zero
  static constexpr bool turns = false;  ///< the centres are pushed apart along n, which turns nothing

  RodPlace on_rod;                ///< where on the rod it is
  assembly::FramePlace<S> place;  ///< the centre of the ball
  S rod_radius{};                 ///< a [m]
  S radius{};                     ///< R [m]
  bool bilateral = false;         ///< a contact that pulls is allowed; otherwise it throws ContactOpened

  /// The two places.
  [[nodiscard]] auto places() const { return std::tuple{on_rod, place}; }
  /// d|κ|/dt, with (3) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 1> velocity(const assembly::Seen<T>& r, const assembly::Seen<T>& x, const T&) const {
    const Vec<T, 3> kappa = x.position - r.position, apart = x.velocity - r.velocity;
    return Vec<T, 1>(kappa.dot(apart) / kappa.norm());
  }
  /// The row of it.
  [[nodiscard]] assembly::Rows<S, 1, 2> coefficients(const assembly::Seen<S>& r, const assembly::Seen<S>& x,
                                                     const S&) const {
    const Vec<S, 3> n = detail::between(r, x);
    assembly::Rows<S, 1, 2> rows;
    for (int i = 0; i < 3; ++i) {
      rows.linear[0](0, i) = -n[i];
      rows.linear[1](0, i) = n[i];
      rows.angular[0](0, i) = rows.angular[1](0, i) = S(0);
    }
    rows.known[0] = S(0);
    return rows;
  }
  /// Ȧv = (κ̇·u − (n·κ̇)(n·u))/|κ| + n·u̇ with u = V₂ − V₁ [m/s²].
  [[nodiscard]] Vec<S, 1> drift(const assembly::Seen<S>& r, const assembly::Seen<S>& x,
                                const assembly::Passing<S>& of_r, const assembly::Passing<S>& of_x,
                                const S&) const {
    const Vec<S, 3> kappa = x.position - r.position, apart = x.velocity - r.velocity;
    const Vec<S, 3> moved = of_x.position - of_r.position, faster = of_x.velocity - of_r.velocity;
    const S length = kappa.norm();
    const Vec<S, 3> n = kappa / length;
    return Vec<S, 1>((moved.dot(apart) - n.dot(moved) * n.dot(apart)) / length + n.dot(faster));
  }
  /// (2) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> position(const assembly::Seen<T>& r, const assembly::Seen<T>& x, const T&) const {
    const Vec<T, 3> kappa = x.position - r.position;
    return Vec<T, 1>(kappa.norm() - T(rod_radius + radius));
  }
  /// (3) [m].
  template <class T>
  [[nodiscard]] Vec<T, 1> tangency(const assembly::Seen<T>& r, const assembly::Seen<T>& x) const {
    const Vec<T, 3> kappa = x.position - r.position;
    return Vec<T, 1>(kappa.dot(r.tangent));
  }
  /// Throws ParallelRods where the ball is nearest to another place of the rod.
  void check_places(const assembly::Point<S>& r, const assembly::Point<S>& x, S time) const {
    detail::check_nearest(name, on_rod, r, place, x, time);
  }
  /// Throws ContactOpened for a force that pulls.
  void check(const Vec<S, 1>& lambda, const assembly::Seen<S>&, const assembly::Seen<S>&, S time) const {
    if (!bilateral) check_pushes(lambda[0], name, time);
  }
  /// Throws std::invalid_argument as `RollingOnRod` does.
  void check_parameters() const {
    RollingOnRod<S, RodPlace>{on_rod, place, rod_radius, radius}.check_parameters();
  }
};

/// On a rod of any kind.
template <class RodPlace, class S>
RollingOnRod(RodPlace, assembly::FramePlace<S>, S, S) -> RollingOnRod<S, RodPlace>;
/// The same for a contact that may pull.
template <class RodPlace, class S>
RollingOnRod(RodPlace, assembly::FramePlace<S>, S, S, bool) -> RollingOnRod<S, RodPlace>;
/// On a rod of any kind.
template <class RodPlace, class S>
SlidingOnRod(RodPlace, assembly::FramePlace<S>, S, S) -> SlidingOnRod<S, RodPlace>;
/// The same for a contact that may pull.
template <class RodPlace, class S>
SlidingOnRod(RodPlace, assembly::FramePlace<S>, S, S, bool) -> SlidingOnRod<S, RodPlace>;

}  // namespace dalembert::contact
