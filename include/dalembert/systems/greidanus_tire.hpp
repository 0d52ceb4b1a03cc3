#pragma once

#include <array>
#include <string_view>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/systems/detail/rolling_tire.hpp>
#include <dalembert/systems/greidanus_limit.hpp>

/// Greidanus's tyre: the tyre of a wheel of radius 1 m twists by ε and gives way sideways by q; both bend
/// the patch's path.
///   g ∈ SE(2) × R²   frame at the middle y of the wheel, e₁ = e along it, e₂ = N; ψ, q
///     [m, m, rad; rad, m]
///   x = y + qN              the patch on the ground
///   ξ = (u, v, ω, Ω, w)     velocity of y in that frame, θ̇, ψ̇, q̇    [m/s, m/s, rad/s, rad/s, m/s]
///   ε                       angle of drift, from the patch to the wheel; it has no inertia        [rad]
///   I, J, M                 moments of inertia about axle and vertical [kg m²], mass [kg]
///   k_q, k_ε                stiffness sideways [N/m], in twist [N m/rad]
///   a, b                    curvature of the patch's path per q [1/m²], per ε [1/(m rad)]
///   c = aq + bε             that curvature                                                    [1/m]
///   ℓ = ½IΩ² + ½Jω² + ½M(u² + v²) − ½k_q q² − ½k_ε ε²                               (1)
///   u = Ω cos ε + qω,  v = −Ω sin ε − w                                                      (2)
///   ω − ε̇ = Ωc                                                                              (3)
///   δy = δψ e − δq N + q δθ e,  δθ = δε                                                      (4)
/// From these follow, and serve as oracles for tests,
///   Ω̇ = M(q k_ε ε/J − 2wω − Ω²c sin ε)/(I + M cos ε + IMq²/J),
///     ω̇ = (qIΩ̇ − k_ε ε)/J  (5)
///   ẇ = Ω²c cos ε + qω² − Ω̇ sin ε − k_q q/M,  ε̇ = ω − Ωc                           (6)
///   Ė = Ω(IΩ̇(1 − cos ε) − k_q q sin ε − k_ε ε c) = −Ω((k_q + a k_ε)qε + b k_ε ε²) +
///     …  (7)
///   JMλ⁴ + JMVbλ³ + (J(k_q − MV²a) + Mk_ε)λ² + JVbk_q λ + k_ε(k_q − MV²a) = 0            (8)
/// for small motions e^{λt} about straight rolling at Ω = V, which for a, b > 0 is stable for V > 0 if and
/// only if k_q > MaV², k_ε > JaV² and Mk_ε > Jk_q, of which the second follows from the other two. (7)
/// has either sign: nothing damps q, and for large k_q its oscillations grow at the rate MabV³/(2k_q). The
/// law (3) is meant for Ω > 0; rates exist for |ε| < π/2 at any Ω, also 0. For k_q → ∞ see
/// systems/greidanus_limit.hpp.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, eqs (36)-(44), where q is ξ, and α, β stand for
/// both a, b and k_q, k_ε.
namespace dalembert::systems {

/// A rolling wheel on Greidanus's tyre; see the head of this file.
template <SingleReal S = double>
class GreidanusTire {
 public:
  using Group = Product<SE2<S>, Rn<S, 2>>;  ///< (y, θ; ψ, q)
  using Tangent = typename Group::Tangent;  ///< (u, v, ω, Ω, w)
  static constexpr int internal = 1;        ///< ε
  /// What the rows of (2) and (3) say.
  static constexpr std::array<std::string_view, 3> constraint_names = {
      "rolling along the wheel", "drift across the wheel", "curvature of the patch's path"};

  /// Wheel and tyre.
  struct Parameters {
    S axle = 1;                 ///< I > 0, about the axle [kg m²]
    S yaw = 1;                  ///< J > 0, about the vertical [kg m²]
    S mass = 1;                 ///< M > 0 [kg]
    S lateral_curvature = 1;    ///< a, of the patch's path per deflection [1/m²]
    S drift_curvature = 1;      ///< b, of the patch's path per angle of drift [1/(m rad)]
    S lateral_stiffness = 1;    ///< k_q ≥ 0, sideways [N/m]
    S torsional_stiffness = 1;  ///< k_ε ≥ 0, in twist [N m/rad]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit GreidanusTire(const Parameters& p) : p_(p) {
    constexpr const char* name = "GreidanusTire";
    detail::require_positive(name, "axle", p.axle, "kg m^2");
    detail::require_positive(name, "yaw", p.yaw, "kg m^2");
    detail::require_positive(name, "mass", p.mass, "kg");
    detail::require_finite(name, "lateral_curvature", p.lateral_curvature, "1/m^2");
    detail::require_finite(name, "drift_curvature", p.drift_curvature, "1/(m rad)");
    detail::require_not_negative(name, "lateral_stiffness", p.lateral_stiffness, "N/m");
    detail::require_not_negative(name, "torsional_stiffness", p.torsional_stiffness, "N m/rad");
  }

  /// Wheel and tyre, as they were given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Product<SE2<T>, Rn<T, 2>>& g, const Vec<T, 5>& xi,
                             const Vec<T, 1>& epsilon) const {
    const T& q = g.second().coordinates()[1];
    const T rotation = p_.axle * xi[3] * xi[3] + p_.yaw * xi[2] * xi[2];
    const T translation = p_.mass * (xi[0] * xi[0] + xi[1] * xi[1]);
    const T potential = p_.lateral_stiffness * q * q + p_.torsional_stiffness * epsilon[0] * epsilon[0];
    return (rotation + translation - potential) / 2;
  }

  /// (2) [m/s], then (3) [rad/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> velocity_constraint(const Product<SE2<T>, Rn<T, 2>>& g, const Vec<T, 5>& xi,
                                              const Vec<T, 1>& epsilon, const Vec<T, 1>& epsilon_rate) const {
    using std::cos, std::sin;
    const T& q = g.second().coordinates()[1];
    const T c = cos(epsilon[0]), s = sin(epsilon[0]);
    const T curvature = p_.lateral_curvature * q + p_.drift_curvature * epsilon[0];
    return {xi[0] - xi[3] * c - q * xi[2], xi[1] + xi[3] * s + xi[4],
            xi[2] - epsilon_rate[0] - xi[3] * curvature};
  }

  /// (4) on (δy in the frame, δθ, δψ, δq; δε); the multipliers are the forces along e and N [N] and
  /// the moment [N m].
  template <class T>
  [[nodiscard]] Mat<T, 3, 6> variational(const Product<SE2<T>, Rn<T, 2>>& g) const {
    Mat<T, 3, 6> rows = Mat<T, 3, 6>::Zero();
    rows(0, 0) = 1;
    rows(0, 2) = -g.second().coordinates()[1];
    rows(0, 3) = -1;
    rows(1, 1) = 1;
    rows(1, 4) = 1;
    rows(2, 2) = 1;
    rows(2, 5) = -1;
    return rows;
  }

  /// ∂ℓ/∂ξ = (Mu, Mv, Jω, IΩ, 0) [kg m/s, kg m/s, kg m²/s, kg m²/s, kg m/s].
  template <class T>
  [[nodiscard]] Vec<T, 5> momentum(const Vec<T, 5>& xi) const {
    Vec<T, 5> p;
    p << p_.mass * xi[0], p_.mass * xi[1], p_.yaw * xi[2], p_.axle * xi[3], 0;
    return p;
  }

  /// ∂²ℓ/∂ξ² = diag(M, M, J, I, 0) [kg, kg m²].
  [[nodiscard]] Mat<S, 5> mass() const {
    Vec<S, 5> diagonal;
    diagonal << p_.mass, p_.mass, p_.yaw, p_.axle, 0;
    return diagonal.asDiagonal();
  }

  /// The velocity (u, v, ω, Ω, w) that obeys (2), from ψ̇, θ̇ [rad/s], q̇ [m/s], q [m] and ε [rad].
  [[nodiscard]] Tangent rolling(S psidot, S thetadot, S qdot, S q, S epsilon) const {
    using std::cos, std::sin;
    Tangent xi;
    xi << psidot * cos(epsilon) + q * thetadot, -psidot * sin(epsilon) - qdot, thetadot, psidot, qdot;
    return xi;
  }

  /// The coefficients of (8) at the speed V = `psidot` [rad/s], divided by the first, the highest first.
  [[nodiscard]] std::array<S, 5> characteristic(S psidot) const {
    const S jm = p_.yaw * p_.mass, lateral = p_.lateral_stiffness, torsional = p_.torsional_stiffness;
    const S slack = lateral - p_.mass * psidot * psidot * p_.lateral_curvature;
    return {1, psidot * p_.drift_curvature, (p_.yaw * slack + p_.mass * torsional) / jm,
            psidot * p_.drift_curvature * lateral / p_.mass, torsional * slack / jm};
  }

  /// The tyre for k_q → ∞.
  [[nodiscard]] GreidanusLimit<S> limit() const {
    return GreidanusLimit<S>{{.axle = p_.axle,
                              .yaw = p_.yaw,
                              .mass = p_.mass,
                              .stiffness = p_.torsional_stiffness,
                              .curvature = p_.drift_curvature}};
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
