#pragma once

#include <array>
#include <string_view>

#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/systems/detail/rigid_body.hpp>
#include <dalembert/systems/rolling_ball.hpp>

/// A balanced ball of uneven mass that neither slips on the plane nor spins about the vertical, as one
/// covered with rubber. Symbols and ℓ are those of systems/rolling_ball.hpp.
///   v = R(ω₂, −ω₁)                                                                           (1)
///   γ·W = ω₃ = 0                                                                             (2)
/// Under d'Alembert's principle the plane answers with the force (λ₁, λ₂) [N] and the torque λ₃ = τ
/// [N m] about the vertical:
///   J = 𝕀 + MR²                                                                              (3)
///   JẆ = JW × W + τγ,  τ = −γ·J⁻¹(JW × W)/(γ·J⁻¹γ),  γ̇ = γ × W  (for tests)  (4)
/// E = ½ W·JW and |JW × γ|² are constant; so are the horizontal components of AJW in space.
/// Cendra et al. count (1) alone among the variational constraints, hence want ω₃ = 0 without a torque τ.
/// That is consistent for a homogeneous ball (systems/elastic_ball.hpp) and contradicts itself for any other:
/// ω̇₃ = 0 then is one equation too many.
/// Sources: Cendra, Ibort, de León, Martín de Diego 2004, section 2; Ehlers and Koiller 2007 ("rubber
/// rolling").
namespace dalembert::systems {

/// A ball that neither slips nor spins; see the head of this file.
template <SingleReal S = double>
class RubberBall : public RollingBall<S> {
 public:
  using typename RollingBall<S>::Group;       ///< (A, a)
  using typename RollingBall<S>::Tangent;     ///< (W, v)
  using typename RollingBall<S>::Parameters;  ///< mass, radius and inertia tensor
  /// What the rows of (1) and (2) say.
  static constexpr std::array<std::string_view, 3> constraint_names = {"rolling along x", "rolling along y",
                                                                       "no spin about the vertical"};

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit RubberBall(const Parameters& p) : RollingBall<S>(detail::require_ball("RubberBall", p)) {}

  /// The left minus the right side of (1) [m/s], then the left side of (2) [rad/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity_constraint(const Product<SO3<T>, Rn<T, 2>>& g, const Vec<T, 5>& xi) const {
    const Vec<T, 3> omega = g.first().act(Vec<T, 3>(xi.template head<3>()));
    const S radius = this->parameters().radius;
    return {xi[3] - radius * omega[1], xi[4] + radius * omega[0], omega[2]};
  }

  /// The velocity (W, v) of a ball that rolls with the angular velocity W in the body, less its part along
  /// the vertical.
  [[nodiscard]] Tangent rolling(const Group& g, const Vec<S, 3>& W) const {
    const Vec<S, 3> up = this->vertical(g);
    return RollingBall<S>::rolling(g, W - up * up.dot(W));
  }

  /// JW in the body frame [kg m²/s]; in space its horizontal part is constant.
  [[nodiscard]] Vec<S, 3> contact_momentum(const Tangent& xi) const {
    const auto& [mass, radius, inertia] = this->parameters();
    const Vec<S, 3> W = xi.template head<3>();
    return inertia * W + mass * radius * radius * W;
  }
};

}  // namespace dalembert::systems
