#pragma once

#include <array>
#include <string_view>

#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/systems/detail/rigid_body.hpp>

/// A rigid ball that rolls without slipping on a horizontal plane: a homogeneous one, or Chaplygin's, whose mass is spread
/// unevenly about a centre of mass in the centre.
///   A ∈ SO(3), a ∈ R²       attitude of the ball, its contact point                          [1, m]
///   W, v = ȧ                angular velocity in the body, velocity of the centre             [rad/s, m/s]
///   ω = AW, γ = Aᵀe₃        angular velocity in space, the upward vertical in the body
///   M, R, 𝕀                 mass [kg], radius [m], inertia tensor in the body about the centre [kg m²]
///   ℓ = ½ W·𝕀W + ½M|v|²                                                                      (1)
///   v = R(ω₂, −ω₁)                                                                           (2)
/// The force of the plane on the ball is (λ₁, λ₂) [N]. With D = MR² and K, the angular momentum about the contact point,
///   K = 𝕀W + D(W − γ(γ·W))                                                                   (3)
///   K̇ = K × W, γ̇ = γ × W                                                                     (4)
///   [𝕀 + D(1 − γγᵀ)] Ẇ = K × W + D(γ·W)(γ × W),  λ = Mv̇         oracle for tests             (5)
/// so that E = ½ W·K, |K|², K·γ and, in space, AK are constant. For 𝕀 = I·1 that is ω = constant.
/// Sources: Cendra, Ibort, de León, Martín de Diego 2004, eqs (1), (13), (14); Chaplygin 1903 (balanced, dynamically
/// non-symmetric ball).
namespace dalembert::systems {

/// A rigid ball on a plane; see the head of this file.
template <SingleReal S = double>
class RollingBall {
 public:
  using Group = Product<SO3<S>, Rn<S, 2>>;  ///< (A, a)
  using Tangent = typename Group::Tangent;  ///< (W, v)
  /// What the rows of (2) say.
  static constexpr std::array<std::string_view, 2> constraint_names = {"rolling along x", "rolling along y"};

  /// The ball; by default a solid one of 1 kg and 1 m.
  struct Parameters {
    S mass = 1;                                           ///< M > 0 [kg]
    S radius = 1;                                         ///< R > 0 [m]
    Mat<S, 3> inertia = S(0.4L) * Mat<S, 3>::Identity();  ///< 𝕀 in the body about the centre [kg m²]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit RollingBall(const Parameters& p) : p_(detail::require_ball("RollingBall", p)) {}

  /// The ball, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 5>& xi) const {
    const Vec<T, 3> W = xi.template head<3>();
    const T turning = detail::dot(W, detail::times(p_.inertia, W));
    return (turning + p_.mass * (xi[3] * xi[3] + xi[4] * xi[4])) / 2;
  }

  /// The left minus the right side of (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const Product<SO3<T>, Rn<T, 2>>& g, const Vec<T, 5>& xi) const {
    const Vec<T, 3> omega = g.first().act(Vec<T, 3>(xi.template head<3>()));
    return {xi[3] - p_.radius * omega[1], xi[4] + p_.radius * omega[0]};
  }

  /// ∂ℓ/∂ξ = (𝕀W, Mv) [kg m²/s, kg m/s].
  template <class T>
  [[nodiscard]] Vec<T, 5> momentum(const Vec<T, 5>& xi) const {
    const Vec<T, 3> turning = detail::times(p_.inertia, Vec<T, 3>(xi.template head<3>()));
    Vec<T, 5> p;
    p << turning[0], turning[1], turning[2], p_.mass * xi[3], p_.mass * xi[4];
    return p;
  }

  /// ∂²ℓ/∂ξ² = diag(𝕀, M, M) [kg m², kg].
  [[nodiscard]] Mat<S, 5> mass() const { return Group::blocks(p_.inertia, p_.mass * Mat<S, 2>::Identity()); }

  /// The velocity (W, v) of a ball that rolls with the angular velocity W in the body.
  [[nodiscard]] Tangent rolling(const Group& g, const Vec<S, 3>& W) const {
    const Vec<S, 3> omega = g.first().act(W);
    return Group::join(W, p_.radius * Vec<S, 2>(omega[1], -omega[0]));
  }

  /// γ = Aᵀe₃, the upward vertical in the body.
  [[nodiscard]] static Vec<S, 3> vertical(const Group& g) {
    return g.first().inverse().act(Vec<S, 3>::UnitZ());
  }

  /// K of (3) in the body frame [kg m²/s]; `g.first().act` takes it to space, where it is constant.
  [[nodiscard]] Vec<S, 3> contact_momentum(const Group& g, const Tangent& xi) const {
    const Vec<S, 3> W = xi.template head<3>(), up = vertical(g);
    return p_.inertia * W + p_.mass * p_.radius * p_.radius * (W - up * up.dot(W));
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
