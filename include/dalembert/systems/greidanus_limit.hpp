#pragma once

#include <array>
#include <string_view>

#include <dalembert/systems/detail/rolling_tire.hpp>

/// Greidanus's tyre without lateral give, the limit of systems/greidanus_tire.hpp for k_q → ∞ at fixed a
/// and b. Its motions are limits of those that start with q near MΩ²bε/k_q, with an error O(1/k_q).
///   g ∈ SE(2) × R   frame at the wheel's lowest point x, e₁ = e along the wheel, e₂ = N; ψ
///     [m, m, rad; rad]
///   ξ = (u, v, ω, Ω)   velocity of x in that frame, θ̇, ψ̇; the wheel has the radius 1 m
///     [m/s, m/s, rad/s, rad/s]
///   ε                       angle of drift, from the patch to the wheel; it has no inertia        [rad]
///   I, J, M, K   moments of inertia about axle and vertical [kg m²], mass [kg],
///     stiffness in twist k_ε [N m/rad]
///   b                       curvature of the patch's path per ε                              [1/(m rad)]
///   ℓ = ½IΩ² + ½Jω² + ½M(u² + v²) − ½Kε²                                                 (1)
///   u = Ω cos ε,  v = −Ω sin ε                                                               (2)
///   ω − ε̇ = Ωbε                                                                             (3)
///   δx = δψ e,  δθ = δε                                                                      (4)
/// From these follow, and serve as oracles for tests,
///   Ω̇ = −MΩ²bε sin ε/(I + M cos ε),  ω̇ = −Kε/J,  ε̇ = ω − Ωbε                     (5)
///   Ė = −(MΩ² + K) ε(ω − ε̇) + O(ε⁴), a loss for Ω > 0 only                               (6)
/// (3) is not Rocard's law: there the curvature is (a/M)ε/Ω². Source: limit of Cendra, Ibort, de León,
/// Martín de Diego 2004, eqs (36)-(44).
namespace dalembert::systems {

/// A rolling wheel on a tyre that only twists; see the head of this file.
template <SingleReal S = double>
class GreidanusLimit : public detail::RollingTire<S> {
 public:
  /// What the rows of (2) and (3) say.
  static constexpr std::array<std::string_view, 3> constraint_names = {
      "rolling along the wheel", "drift across the wheel", "curvature of the patch's path"};

  /// Wheel and tyre.
  struct Parameters {
    S axle = 1;       ///< I > 0, about the axle [kg m²]
    S yaw = 1;        ///< J > 0, about the vertical [kg m²]
    S mass = 1;       ///< M > 0 [kg]
    S stiffness = 1;  ///< K = k_ε ≥ 0, in twist [N m/rad]
    S curvature = 1;  ///< b, per angle of drift [1/(m rad)]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit GreidanusLimit(const Parameters& p)
      : detail::RollingTire<S>("GreidanusLimit", {p.axle, p.yaw, p.mass, p.stiffness}), p_(p) {
    detail::require_finite("GreidanusLimit", "curvature", p.curvature, "1/(m rad)");
  }

  /// Wheel and tyre, as they were given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (2) [m/s], then (3) [rad/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity_constraint(const Vec<T, 4>& xi, const Vec<T, 1>& epsilon,
                                              const Vec<T, 1>& epsilon_rate) const {
    const Vec<T, 2> slip = this->slip(xi, epsilon);
    const T bend = p_.curvature * epsilon[0];
    return {slip[0], slip[1], xi[2] - epsilon_rate[0] - xi[3] * bend};
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
