#pragma once

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/rn.hpp>

/// The chaotic nonholonomic oscillator of n = 2k + 1 dimensions: coupled oscillators under one row, a test
/// for how well an integrator conserves the energy of a nonintegrable system in the long run.
///   g = (x, y₁…y_k, z₁…z_k) ∈ Rⁿ,  ξ = ġ; without units, k ≥ 2
///   ℓ(g, ξ) = ½(ẋ² + |ẏ|² + |ż|²) − V
///   V = ½(x² + |y|² + |z|² + Σ yᵢ²zᵢ² + z₁²z₂²)  (1)
///   ẋ + Σ yᵢżᵢ = 0                                                                             (2)
/// The reaction is λ(1, 0, y). From (1) and (2) follow, and serve as an oracle for tests, with F =
/// −∂V/∂g,
///   λ = −(F_x + Σ (yᵢF_zᵢ + ẏᵢżᵢ))/(1 + |y|²),
///   ẍ = F_x + λ,  ÿ = F_y,  z̈ = F_z + λy  (3)
/// The energy is constant.
/// Source: McLachlan and Perlmutter 2006, sec. 6; Modin and Verdier 2020.
namespace dalembert::systems {

/// The chaotic oscillator with k = `pairs` pairs (yᵢ, zᵢ); see the head of this file.
template <Real S = double, int pairs = 3>
  requires(pairs >= 2)
class ChaoticOscillator {
 public:
  static constexpr int n = 2 * pairs + 1;  ///< number of coordinates
  using Group = Rn<S, n>;                  ///< the configuration space

  /// V(g), the potential energy.
  template <class T>
  [[nodiscard]] T potential(const Rn<T, n>& q) const {
    const Vec<T, n>& x = q.coordinates();
    const T product = x[1 + pairs] * x[2 + pairs];
    T twice = x[0] * x[0] + product * product;
    for (int i = 1; i <= pairs; ++i) {
      const T y = x[i] * x[i], z = x[i + pairs] * x[i + pairs];
      twice += y + z + y * z;
    }
    return twice / 2;
  }

  /// (1).
  template <class T>
  [[nodiscard]] T lagrangian(const Rn<T, n>& q, const Vec<T, n>& v) const {
    T twice = v[0] * v[0];
    for (int i = 1; i < n; ++i) twice += v[i] * v[i];
    return twice / 2 - potential(q);
  }

  /// The left side of (2).
  template <class T>
  [[nodiscard]] T velocity_constraint(const Rn<T, n>& q, const Vec<T, n>& v) const {
    T row = v[0];
    for (int i = 1; i <= pairs; ++i) row += q.coordinates()[i] * v[i + pairs];
    return row;
  }

  /// ∂ℓ/∂ξ = ξ.
  template <class T>
  [[nodiscard]] Vec<T, n> momentum(const Vec<T, n>& v) const {
    return v;
  }

  /// ∂²ℓ/∂ξ², the unit matrix.
  [[nodiscard]] Mat<S, n> mass() const { return dalembert::detail::identity<S, n>(); }
};

}  // namespace dalembert::systems
