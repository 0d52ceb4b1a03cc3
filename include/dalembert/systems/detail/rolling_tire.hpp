#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// A wheel of radius 1 m that stays upright and rolls on the plane, its tyre twisted by the angle ε: the
/// patch on the ground is turned back by ε against the wheel and moves where it points. What such tyres
/// share, whatever drives ε.
///   g ∈ SE(2) × R   frame at the wheel's lowest point x, e₁ = e along the wheel, e₂ = N; ψ
///     [m, m, rad; rad]
///   ξ = (u, v, ω, Ω)        velocity of x in that frame, θ̇, ψ̇              [m/s, m/s, rad/s, rad/s]
///   ε                       from the patch to the wheel, anticlockwise                [rad]
///   I, J, M, K   moments of inertia about axle and vertical [kg m²], mass [kg],
///     stiffness in twist [N m/rad]
///   ℓ = ½IΩ² + ½Jω² + ½M(u² + v²) − ½Kε²                                              (1)
///   u = Ω cos ε,  v = −Ω sin ε                                                        (2)
///   δx = δψ e,  δθ = δε                                                               (3)
/// (3) says what the reactions are: a force along e at the rim, one along N, and a twisting moment.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, eqs (18), (19), (21)-(23).
namespace dalembert::systems::detail {

/// (1)-(3); see the head of this file.
template <SingleReal S = double>
class RollingTire {
 public:
  using Group = Product<SE2<S>, Rn<S, 1>>;  ///< (x, θ; ψ)
  using Tangent = typename Group::Tangent;  ///< (u, v, ω, Ω)
  static constexpr int internal = 1;        ///< ε

  /// What (1) contains.
  struct Wheel {
    S axle;       ///< I > 0 [kg m²]
    S yaw;        ///< J > 0 [kg m²]
    S mass;       ///< M > 0 [kg]
    S stiffness;  ///< K ≥ 0 [N m/rad]
  };

  /// For a class of that name. Throws std::invalid_argument if a number is not finite or breaks its rule.
  RollingTire(const char* class_name, const Wheel& wheel) : wheel_(wheel) {
    require_positive(class_name, "axle", wheel.axle, "kg m^2");
    require_positive(class_name, "yaw", wheel.yaw, "kg m^2");
    require_positive(class_name, "mass", wheel.mass, "kg");
    require_not_negative(class_name, "stiffness", wheel.stiffness, "N m/rad");
  }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 4>& xi, const Vec<T, 1>& epsilon) const {
    const T rotation = wheel_.axle * xi[3] * xi[3] + wheel_.yaw * xi[2] * xi[2];
    const T translation = wheel_.mass * (xi[0] * xi[0] + xi[1] * xi[1]);
    const T twist = wheel_.stiffness * epsilon[0] * epsilon[0];
    return (rotation + translation - twist) / 2;
  }

  /// ∂ℓ/∂ξ = (Mu, Mv, Jω, IΩ) [kg m/s, kg m/s, kg m²/s, kg m²/s].
  template <class T>
  [[nodiscard]] Vec<T, 4> momentum(const Vec<T, 4>& xi) const {
    return {wheel_.mass * xi[0], wheel_.mass * xi[1], wheel_.yaw * xi[2], wheel_.axle * xi[3]};
  }

  /// ∂²ℓ/∂ξ² = diag(M, M, J, I) [kg, kg m²].
  [[nodiscard]] Mat<S, 4> mass() const {
    return Vec<S, 4>(wheel_.mass, wheel_.mass, wheel_.yaw, wheel_.axle).asDiagonal();
  }

  /// (3) on (δx in the frame, δθ, δψ; δε); the multipliers are the forces along e and N [N] and the
  /// moment [N m].
  [[nodiscard]] Mat<S, 3, 5> variational() const {
    Mat<S, 3, 5> rows;
    rows << 1, 0, 0, -1, 0,  //
        0, 1, 0, 0, 0,       //
        0, 0, 1, 0, -1;
    return rows;
  }

  /// The left minus the right sides of (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> slip(const Vec<T, 4>& xi, const Vec<T, 1>& epsilon) const {
    using std::cos, std::sin;
    const T c = cos(epsilon[0]), s = sin(epsilon[0]);
    return {xi[0] - xi[3] * c, xi[1] + xi[3] * s};
  }

  /// The velocity (u, v, ω, Ω) that obeys (2), from ψ̇ and θ̇ [rad/s] and ε [rad].
  [[nodiscard]] Tangent rolling(S psidot, S thetadot, S epsilon) const {
    using std::cos, std::sin;
    return {psidot * cos(epsilon), -psidot * sin(epsilon), thetadot, psidot};
  }

 private:
  Wheel wheel_;
};

}  // namespace dalembert::systems::detail
