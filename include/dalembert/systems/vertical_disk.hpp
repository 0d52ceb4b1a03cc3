#pragma once

#include <array>
#include <string_view>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// A vertical disk that rolls on a plane without slipping and does not fall: a coin, a unicycle's wheel.
///   g = (frame, θ) ∈ SE(2) × R  frame under the centre, e₁ ahead, turned by the heading φ;
///     angle rolled
///                                                                                 [m, m, rad, rad]
///   ξ = (u, v, ω, Ω)   velocity of the centre in that frame, ω = φ̇, Ω = θ̇ [m/s, m/s, rad/s,
///     rad/s]
///   m, R                        mass [kg], radius [m]
///   I, J                        moments of inertia about the axle and about a diameter [kg m²]
///   ℓ(ξ) = ½m(u² + v²) + ½Jω² + ½IΩ²                                                         (1)
///   u − RΩ = 0,  v = 0                                                                         (2)
/// The force of the plane on the disk is λ₁e₁ + λ₂e₂ [N]. From (1) and (2) follow, as oracles for
/// tests,
///   ξ̇ = 0,  λ₁ = 0,  λ₂ = muω                                                                  (3)
/// so that every motion is g(t) = g₀ exp(tξ): for ω ≠ 0 on a circle of radius ρ = RΩ/ω,
///   x = x₀ + ρ(sin φ − sin φ₀),  y = y₀ − ρ(cos φ − cos φ₀),
///     force mRωΩ(−sin φ, cos φ)  (4)
/// Source: Bloch 2003, sec. 1.4.
namespace dalembert::systems {

/// A vertical rolling disk; see the head of this file.
template <Real S = double>
class VerticalDisk {
 public:
  using Group = Product<SE2<S>, Rn<S, 1>>;  ///< the configuration space
  /// The rows of (2).
  static constexpr std::array<std::string_view, 2> constraint_names = {"slip ahead", "slip aside"};

  /// The disk; the moments of inertia are those of a uniform one unless they are given.
  struct Parameters {
    S mass = 1;                                 ///< m > 0 [kg]
    S radius = 1;                               ///< R > 0 [m]
    S axial = mass * radius * radius / 2;       ///< I > 0, about the axle [kg m²]
    S transverse = mass * radius * radius / 4;  ///< J > 0, about a diameter [kg m²]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit VerticalDisk(Parameters p) : p_(p) {
    detail::require_positive("VerticalDisk", "mass", p.mass, "kg");
    detail::require_positive("VerticalDisk", "radius", p.radius, "m");
    detail::require_positive("VerticalDisk", "axial", p.axial, "kg m^2");
    detail::require_positive("VerticalDisk", "transverse", p.transverse, "kg m^2");
  }

  /// The disk, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// The velocity that keeps (2): turning at the rate ω and rolling at the rate Ω [rad/s].
  [[nodiscard]] Vec<S, 4> rolling(S omega, S roll) const { return {p_.radius * roll, 0, omega, roll}; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 4>& xi) const {
    const T moving = p_.mass * (xi[0] * xi[0] + xi[1] * xi[1]);
    return (moving + p_.transverse * xi[2] * xi[2] + p_.axial * xi[3] * xi[3]) / 2;
  }

  /// The left sides of (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const Vec<T, 4>& xi) const {
    return {xi[0] - p_.radius * xi[3], xi[1]};
  }

  /// ∂ℓ/∂ξ = (mu, mv, Jω, IΩ) [kg m/s, kg m/s, kg m²/s, kg m²/s].
  template <class T>
  [[nodiscard]] Vec<T, 4> momentum(const Vec<T, 4>& xi) const {
    return {p_.mass * xi[0], p_.mass * xi[1], p_.transverse * xi[2], p_.axial * xi[3]};
  }

  /// ∂²ℓ/∂ξ² [kg, kg m²].
  [[nodiscard]] Mat<S, 4> mass() const {
    return Vec<S, 4>(p_.mass, p_.mass, p_.transverse, p_.axial).asDiagonal();
  }

  /// Where the disk is at time t [s] after g, ξ = `rolling(ω, Ω)`, for any sign of t and also where ω =
  /// 0.
  [[nodiscard]] Group exact(const Group& g, const Vec<S, 4>& xi, S t) const { return g * Group::exp(t * xi); }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
