#pragma once

#include <array>
#include <string_view>

#include <dalembert/systems/detail/homogeneous_ball.hpp>

/// A homogeneous elastic ball on a horizontal plane: it rolls on a spot, not on a point, and does not spin on it. There are two
/// ways to say so, both with reactions that come from rolling alone: C_V is not C_K.
///   A ∈ SO(3), a ∈ R²       attitude of the ball, its contact point                [1, m]
///   ω, v = ȧ                angular velocity in space, Ȧ = ω̂A, velocity of the centre [rad/s, m/s]
///   M, R, I                 mass [kg], radius [m], moment of inertia about the centre [kg m²]
///   ℓ = ½I|ω|² + ½M|v|²                                                            (1)
///   v = R(ω₂, −ω₁)                                                                 (2)
///   ω₃ = 0                                                  `ElasticBall`          (3)
///   ω₁ω̇₂ − ω₂ω̇₁ = ω₃(ω₁² + ω₂²)                             `CurvatureElasticBall` (4)
///   δa = R(α₂, −α₁), α = δA A⁻¹ otherwise free              C_V                   (5)
/// (4) says that the spin is the rate at which the path turns, ω₃ = |v|/r with the signed radius r of its curvature. Of (1), (2)
/// and (5) alone follow ω̇ = 0 and λ = 0, the force of the plane [N]; (4) then leaves ω₃(ω₁² + ω₂²) = 0, which is (3) but for
/// a ball that spins in place, ω₁ = ω₂ = 0. Both count a row more than unknowns.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, eqs (1)-(7), (13)-(17); (4) is their (7), where section 6 prints the
/// opposite sign, and Iω̇₃ = 0 stands for their (15), (I + M)ω̇₃ = 0.
namespace dalembert::systems {

/// The elastic ball with (3) for its spin: three rows in C_K, two in C_V.
template <SingleReal S = double>
class ElasticBall : public detail::HomogeneousBall<S> {
 public:
  using Parameters = typename detail::HomogeneousBall<S>::Parameters;  ///< mass, radius and inertia
  /// What the rows of (2) and (3) say.
  static constexpr std::array<std::string_view, 3> constraint_names = {"rolling along x", "rolling along y",
                                                                       "no spin about the vertical"};

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit ElasticBall(const Parameters& p) : detail::HomogeneousBall<S>("ElasticBall", p) {}

  /// The left minus the right side of (2) [m/s], then the left side of (3) [rad/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity_constraint(const Vec<T, 5>& xi) const {
    const Vec<T, 2> slip = this->slip(xi);
    return {slip[0], slip[1], xi[2]};
  }

  /// (5) on (α, δa) [m].
  [[nodiscard]] Mat<S, 2, 5> variational() const { return this->rolling_rows(); }
};

/// The elastic ball with the constraint (4) of second order for its spin.
template <SingleReal S = double>
class CurvatureElasticBall : public detail::HomogeneousBall<S> {
 public:
  using Parameters = typename detail::HomogeneousBall<S>::Parameters;  ///< mass, radius and inertia
  /// What the rows of (2) and (4) say.
  static constexpr std::array<std::string_view, 3> constraint_names = {"rolling along x", "rolling along y",
                                                                       "spin with the curvature of the path"};

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit CurvatureElasticBall(const Parameters& p)
      : detail::HomogeneousBall<S>("CurvatureElasticBall", p) {}

  /// The left minus the right side of (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const Vec<T, 5>& xi) const {
    return this->slip(xi);
  }

  /// The left minus the right side of (4) [rad²/s³].
  template <class T>
  [[nodiscard]] T acceleration_constraint(const Vec<T, 5>& xi, const Vec<T, 5>& xidot) const {
    const T turning = xi[0] * xidot[1] - xi[1] * xidot[0];
    const T squared = xi[0] * xi[0] + xi[1] * xi[1];
    return turning - xi[2] * squared;
  }

  /// (5) on (α, δa) [m].
  [[nodiscard]] Mat<S, 2, 5> variational() const { return this->rolling_rows(); }
};

}  // namespace dalembert::systems
