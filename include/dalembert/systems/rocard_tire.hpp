#pragma once

#include <array>
#include <string_view>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/systems/detail/rolling_tire.hpp>

/// Rocard's tyre: a wheel whose tyre twists until the drift of its patch gives the force that bends the path.
/// The third constraint is one on accelerations, and C_V is not C_K: the tyre takes energy out.
///   g ∈ SE(2) × R   frame at the wheel's lowest point x, e₁ = e along the wheel, e₂ = N; ψ
///     [m, m, rad; rad]
///   ξ = (u, v, ω, Ω)   velocity of x in that frame, θ̇, ψ̇; the wheel has the radius 1 m
///     [m/s, m/s, rad/s, rad/s]
///   ε                       angle of drift, from the patch to the wheel; it has no inertia        [rad]
///   I, J, M, K   moments of inertia about axle and vertical [kg m²], mass [kg],
///     stiffness in twist [N m/rad]
///   a                       Rocard's constant: the force of the ground along N is ±a sin ε        [N]
///   s = sign Ω
///   ℓ = ½IΩ² + ½Jω² + ½M(u² + v²) − ½Kε²                                                 (1)
///   u = Ω cos ε,  v = −Ω sin ε                                                               (2)
///   M(v̇ + ωu) = sa sin ε,  by (2)  −Ω̇ tan ε + Ω(ω − ε̇) = s(a/M) tan ε                  (3)
///   δx = δψ e,  δθ = δε                                                                      (4)
/// From these follow, and serve as oracles for tests,
///   Ω̇ = −sa sin²ε/D,  ω̇ = −Kε/J,  D = I cos ε + M                                          (5)
///   ε̇ = ω − (a/M)(sin ε/|Ω|)(I + M cos ε)/D                                                  (6)
///   Ė = −(a/D)((I + M)|Ω| sin²ε + Kε sin ε (I + M cos ε)/(M|Ω|)) ≤ 0 for |ε| < π/2         (7)
///     = −(MΩ² + K) ε(ω − ε̇) + O(ε⁴)                                                        (8)
///   ε̈ + (a/(M|V|)) ε̇ + (K/J) ε = 0        small motions about straight rolling, Ω = V         (9)
/// Rates exist for Ω ≠ 0 and D ≠ 0; elsewhere the problem throws InvalidState.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, eqs (18)-(25), with (8) for the energy, which they
/// give modulo ε².
namespace dalembert::systems {

/// A rolling wheel on Rocard's tyre; see the head of this file.
template <SingleReal S = double>
class RocardTire : public detail::RollingTire<S> {
 public:
  /// What the rows of (2) and (3) say.
  static constexpr std::array<std::string_view, 3> constraint_names = {
      "rolling along the wheel", "drift across the wheel", "Rocard's law of drift"};

  /// Wheel and tyre.
  struct Parameters {
    S axle = 1;       ///< I > 0, about the axle [kg m²]
    S yaw = 1;        ///< J > 0, about the vertical [kg m²]
    S mass = 1;       ///< M > 0 [kg]
    S stiffness = 1;  ///< K ≥ 0, in twist [N m/rad]
    S cornering = 1;  ///< a ≥ 0, force across the wheel per sin ε [N]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit RocardTire(const Parameters& p)
      : detail::RollingTire<S>("RocardTire", {p.axle, p.yaw, p.mass, p.stiffness}), p_(p) {
    detail::require_not_negative("RocardTire", "cornering", p.cornering, "N");
  }

  /// Wheel and tyre, as they were given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const Vec<T, 4>& xi, const Vec<T, 1>& epsilon) const {
    return this->slip(xi, epsilon);
  }

  /// (3) with u and v̇ by (2), times M cos ε, so that it holds for every ε [N].
  template <class T>
  [[nodiscard]] T acceleration_constraint(const Vec<T, 4>& xi, const Vec<T, 4>& xidot,
                                          const Vec<T, 1>& epsilon, const Vec<T, 1>& epsilon_rate) const {
    using std::cos, std::sin;
    const T c = cos(epsilon[0]), s = sin(epsilon[0]);
    const T bending = xi[2] - epsilon_rate[0];
    const T across = xi[3] * c * bending - xidot[3] * s;
    const T ahead = p_.cornering, force = select(xi[3] < 0, -ahead, ahead);
    return p_.mass * across - force * s;
  }

  /// The coefficients of (9) at the speed V = `psidot` ≠ 0 [rad/s], the highest first.
  [[nodiscard]] std::array<S, 3> characteristic(S psidot) const {
    using std::abs;
    return {1, p_.cornering / (p_.mass * abs(psidot)), p_.stiffness / p_.yaw};
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
