#pragma once

#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/mechanics/trivialisation.hpp>
#include <dalembert/systems/detail/rigid_body.hpp>

/// A homogeneous ball, described by its velocity in space: its inertia is the same in every frame.
///   A ∈ SO(3), a ∈ R²       attitude of the ball, its contact point                   [1, m]
///   ω, v = ȧ                angular velocity in space, Ȧ = ω̂A, velocity of the centre [rad/s, m/s]
///   M, R, I                 mass [kg], radius [m], moment of inertia about the centre [kg m²]
///   ℓ = ½I|ω|² + ½M|v|²                                                               (1)
///   v = R(ω₂, −ω₁)          rolling on a plane at rest                                (2)
namespace dalembert::systems::detail {

/// What balls of this kind share; see the head of this file.
template <SingleReal S = double>
class HomogeneousBall {
 public:
  using Group = Product<SO3<S>, Rn<S, 2>>;       ///< (A, a)
  using Tangent = typename Group::Tangent;       ///< (ω, v), in space
  using Trivialisation = trivialisation::Right;  ///< ξ = ġg⁻¹

  /// The ball; by default a solid one of 1 kg and 1 m.
  struct Parameters {
    S mass = 1;           ///< M > 0 [kg]
    S radius = 1;         ///< R > 0 [m]
    S inertia = S(0.4L);  ///< I > 0 about the centre [kg m²]
  };

  /// For a class of that name. Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  HomogeneousBall(const char* class_name, const Parameters& p) : p_(require_ball(class_name, p)) {}

  /// The ball, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 5>& xi) const {
    const T turning = xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2];
    const T moving = xi[3] * xi[3] + xi[4] * xi[4];
    return (p_.inertia * turning + p_.mass * moving) / 2;
  }

  /// ∂ℓ/∂ξ = (Iω, Mv) [kg m²/s, kg m/s].
  template <class T>
  [[nodiscard]] Vec<T, 5> momentum(const Vec<T, 5>& xi) const {
    const S inertia = p_.inertia, m = p_.mass;
    Vec<T, 5> p;
    p << inertia * xi[0], inertia * xi[1], inertia * xi[2], m * xi[3], m * xi[4];
    return p;
  }

  /// ∂²ℓ/∂ξ² = diag(I, I, I, M, M) [kg m², kg].
  [[nodiscard]] Mat<S, 5> mass() const {
    return Group::blocks(p_.inertia * Mat<S, 3>::Identity(), p_.mass * Mat<S, 2>::Identity());
  }

  /// (2) as rows on (ω, v) [m].
  [[nodiscard]] Mat<S, 2, 5> rolling_rows() const {
    Mat<S, 2, 5> rows;
    rows << 0, -p_.radius, 0, 1, 0,  //
        p_.radius, 0, 0, 0, 1;
    return rows;
  }

  /// v − R(ω₂, −ω₁), how fast the ball slips on a plane at rest [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> slip(const Vec<T, 5>& xi) const {
    return {xi[3] - p_.radius * xi[1], xi[4] + p_.radius * xi[0]};
  }

  /// The velocity (ω, v) of a ball that rolls on a plane at rest with the angular velocity ω.
  [[nodiscard]] Tangent rolling(const Vec<S, 3>& omega) const {
    return Group::join(omega, p_.radius * Vec<S, 2>(omega[1], -omega[0]));
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems::detail
