#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// Two springs joined by a transmission whose ratio a pendulum drives, without being driven itself. Ratio and
/// potential are not even, so that no reversibility hides what an integrator does to the energy.
///   g = (x, z, θ) ∈ R³,  ξ = ġ; without units
///   f(θ) = f₀ + f₁ cos θ + f₂ sin 2θ + f₃ cos(3θ + δ),  V(θ) = V₁ cos θ + V₂ sin 2θ
///   ℓ(g, ξ) = ½(ẋ² + ż² + θ̇²) − ½x² − z² − V(θ)                                   (1)
///   ẋ + f(θ)ż = 0                                                                              (2)
/// The reaction is λ(1, f, 0). From (1) and (2) follow, and serve as oracles for tests,
///   λ = (x + 2fz − f′θ̇ż)/(1 + f²),  ẍ = λ − x,  z̈ = fλ − 2z,  θ̈ = −V′(θ)     (3)
///   E_p = ½(ẋ² + ż² + x² + 2z²) and E_d = ½θ̇² + V(θ) are constant, each by itself          (4)
/// Source: Modin and Verdier 2020.
namespace dalembert::systems {

/// A transmission that a pendulum drives; see the head of this file.
template <Real S = double>
class PendulumDriver {
 public:
  using Group = Rn<S, 3>;  ///< the configuration space

  /// The coefficients of f and V.
  struct Parameters {
    S ratio_mean = S(0.5L);        ///< f₀
    S ratio_cosine = 1;            ///< f₁, of cos θ
    S ratio_sine = S(0.7L);        ///< f₂, of sin 2θ
    S ratio_third = S(0.5L);       ///< f₃, of cos(3θ + δ)
    S ratio_phase = 1;             ///< δ [rad]
    S potential_cosine = S(0.8L);  ///< V₁, of cos θ
    S potential_sine = S(0.3L);    ///< V₂, of sin 2θ
  };

  /// Throws std::invalid_argument if a coefficient is not finite.
  explicit PendulumDriver(Parameters p = {}) : p_(p) {
    const auto finite = [](const char* name, S value) {
      detail::require_finite("PendulumDriver", name, value, "1");
    };
    finite("ratio_mean", p.ratio_mean);
    finite("ratio_cosine", p.ratio_cosine);
    finite("ratio_sine", p.ratio_sine);
    finite("ratio_third", p.ratio_third);
    finite("ratio_phase", p.ratio_phase);
    finite("potential_cosine", p.potential_cosine);
    finite("potential_sine", p.potential_sine);
  }

  /// The coefficients, as they were given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// f(θ).
  template <class T>
  [[nodiscard]] T ratio(const T& theta) const {
    using std::cos, std::sin;
    return p_.ratio_mean + p_.ratio_cosine * cos(theta) + p_.ratio_sine * sin(2 * theta) +
           p_.ratio_third * cos(3 * theta + p_.ratio_phase);
  }
  /// V(θ).
  template <class T>
  [[nodiscard]] T potential(const T& theta) const {
    using std::cos, std::sin;
    return p_.potential_cosine * cos(theta) + p_.potential_sine * sin(2 * theta);
  }

  /// E_p of (4), constant in every motion.
  [[nodiscard]] S driven_energy(const Rn<S, 3>& g, const Vec<S, 3>& v) const {
    const Vec<S, 3>& q = g.coordinates();
    return (v[0] * v[0] + v[1] * v[1] + q[0] * q[0] + 2 * q[1] * q[1]) / 2;
  }
  /// E_d of (4), constant in every motion.
  [[nodiscard]] S driver_energy(const Rn<S, 3>& g, const Vec<S, 3>& v) const {
    return v[2] * v[2] / 2 + potential(g.coordinates()[2]);
  }

  /// (1).
  template <class T>
  [[nodiscard]] T lagrangian(const Rn<T, 3>& g, const Vec<T, 3>& v) const {
    const Vec<T, 3>& q = g.coordinates();
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - q[0] * q[0]) / 2 - q[1] * q[1] - potential(q[2]);
  }

  /// The left side of (2).
  template <class T>
  [[nodiscard]] T velocity_constraint(const Rn<T, 3>& g, const Vec<T, 3>& v) const {
    return v[0] + ratio(g.coordinates()[2]) * v[1];
  }

  /// ∂ℓ/∂ξ = ξ.
  template <class T>
  [[nodiscard]] Vec<T, 3> momentum(const Vec<T, 3>& v) const {
    return v;
  }

  /// ∂²ℓ/∂ξ², the unit matrix.
  [[nodiscard]] Mat<S, 3> mass() const { return Mat<S, 3>::Identity(); }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
