#pragma once

#include <dalembert/lie/se2.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// A rigid body in the plane that slides on one knife edge, whatever else acts on it.
///   g ∈ SE(2)               frame at the blade, e₁ along it           [m, m, rad]
///   ξ = g⁻¹ġ = (u, v, ω)    velocity of the blade in that frame       [m/s, m/s, rad/s]
///   m, I, a                 mass [kg], moment of inertia about its centre [kg m²], which is at a e₁ [m]
///   K = I + ma²             moment of inertia about the blade                                  [kg m²]
///   ½m(u² + (v + aω)²) + ½Iω²   its kinetic energy                                             (1)
///   v = 0                                                                                      (2)
namespace dalembert::systems::detail {

/// What systems with such a body share; see the head of this file.
template <Real S>
class BladedBody {
 public:
  using Group = SE2<S>;  ///< the configuration space

  /// For a class of that name. Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  BladedBody(const char* class_name, S mass, S inertia, S offset)
      : mass_(mass), inertia_(inertia), offset_(offset), about_blade_(inertia + mass * offset * offset) {
    require_positive(class_name, "mass", mass, "kg");
    require_positive(class_name, "inertia", inertia, "kg m^2");
    require_finite(class_name, "offset", offset, "m");
    require_finite(class_name, "inertia about the blade", about_blade_, "kg m^2");
  }

  /// K = I + ma² [kg m²].
  [[nodiscard]] S inertia_about_blade() const noexcept { return about_blade_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 3>& xi) const {
    const T across = xi[1] + offset_ * xi[2];
    return (mass_ * (xi[0] * xi[0] + across * across) + inertia_ * xi[2] * xi[2]) / 2;
  }

  /// The left side of (2) [m/s].
  template <class T>
  [[nodiscard]] T velocity_constraint(const Vec<T, 3>& xi) const {
    return xi[1];
  }

  /// ∂ℓ/∂ξ = (mu, m(v + aω), mav + Kω) [kg m/s, kg m/s, kg m²/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> momentum(const Vec<T, 3>& xi) const {
    const S m = mass_, ma = mass_ * offset_;
    return {m * xi[0], m * xi[1] + ma * xi[2], ma * xi[1] + about_blade_ * xi[2]};
  }

  /// ∂²ℓ/∂ξ² [kg, kg m, kg m²].
  [[nodiscard]] Mat<S, 3> mass() const {
    const S m = mass_, ma = mass_ * offset_;
    Mat<S, 3> matrix;
    matrix << m, 0, 0, 0, m, ma, 0, ma, about_blade_;
    return matrix;
  }

 private:
  S mass_, inertia_, offset_, about_blade_;
};

}  // namespace dalembert::systems::detail
