#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// The nonholonomic particle: a free particle whose velocity obeys a row that no function of place gives.
///   g = (x, y, z) ∈ R³ [m],  ξ = (ẋ, ẏ, ż) [m/s],  m mass [kg]; y counts in units of 1 m in the row
///   ℓ(ξ) = ½m(ẋ² + ẏ² + ż²)                                                                  (1)
///   ż − yẋ = 0                                                                                 (2)
/// The reaction is λ(−y, 0, 1) [N]. From (1) and (2) follow, and serve as oracles for tests,
///   ẍ = −yẋẏ/(1 + y²),  ÿ = 0,  z̈ = ẋẏ/(1 + y²),  λ = mẋẏ/(1 + y²)                (3)
///   ẏ = w and C = ẋ√(1 + y²) are constant,  y = y₀ + wt,
///   x = x₀ + (C/w)(asinh y − asinh y₀),  z = z₀ + (C/w)(√(1 + y²) − √(1 + y₀²))        (4)
/// The momentum along x is not conserved, although nothing depends on x.
/// Source: Rosenberg 1977; Bates and Śniatycki 1993, sec. 5.
namespace dalembert::systems {

/// A particle under ż = yẋ; see the head of this file.
template <Real S = double>
class NonholonomicParticle {
 public:
  using Group = Rn<S, 3>;  ///< the configuration space

  /// The particle.
  struct Parameters {
    S mass = 1;  ///< m > 0 [kg]
  };

  /// What (4) gives.
  struct Motion {
    Vec<S, 3> place = Vec<S, 3>::Zero();     ///< (x, y, z) [m]
    Vec<S, 3> velocity = Vec<S, 3>::Zero();  ///< (ẋ, ẏ, ż) [m/s]
  };

  /// Throws std::invalid_argument if the mass is not positive and finite.
  explicit NonholonomicParticle(Parameters p = {}) : p_(p) {
    detail::require_positive("NonholonomicParticle", "mass", p.mass, "kg");
  }

  /// The particle, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 3>& v) const {
    return p_.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2;
  }

  /// The left side of (2) [m/s].
  template <class T>
  [[nodiscard]] T velocity_constraint(const Rn<T, 3>& q, const Vec<T, 3>& v) const {
    return v[2] - q.coordinates()[1] * v[0];
  }

  /// ∂ℓ/∂ξ = mξ [kg m/s].
  template <class T>
  [[nodiscard]] Vec<T, 3> momentum(const Vec<T, 3>& v) const {
    return {p_.mass * v[0], p_.mass * v[1], p_.mass * v[2]};
  }

  /// ∂²ℓ/∂ξ² [kg].
  [[nodiscard]] Mat<S, 3> mass() const { return Vec<S, 3>::Constant(p_.mass).asDiagonal(); }

  /// (4) at time t [s] after `start`, which obeys (2), for any sign of t and also where w = 0.
  [[nodiscard]] Motion exact(const Motion& start, S t) const {
    using std::asinh, std::sqrt;
    const S y0 = start.place[1], w = start.velocity[1], y = y0 + w * t;
    const S s0 = sqrt(1 + y0 * y0), s = sqrt(1 + y * y);
    const S constant = start.velocity[0] * s0;
    // asinh y − asinh y₀ = asinh(wtq), so that neither difference of (4) cancels where w is small.
    const S q = (1 + s0 * s - y0 * y) / (s0 + s), change = w * t * q;
    const S ratio = change == 0 ? S(1 - change * change / 6) : S(asinh(change) / change);
    const S xdot = constant / s;
    return {
        {start.place[0] + constant * t * q * ratio, y, start.place[2] + constant * t * (y + y0) / (s + s0)},
        {xdot, w, y * xdot}};
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
