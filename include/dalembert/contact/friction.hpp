#pragma once

#include <dalembert/assembly/constraint.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Rayleigh dissipation in place of rolling, for a contact of an assembly. With the rows u = A v + b of the
/// contact, its slip, and the rows C of it that keep bodies apart,
///   C u = 0                        they stay in touch                                                    (1)
///   T u = −ε T λ                T = 1 − Cᵀ(C Cᵀ)⁻¹C, Rayleigh's friction, ε > 0 [m/(N s)] (2)
/// Energy is lost at the rate ε |T λ|² = |T u|²/ε. As ε → 0 every slip falls like exp(−σt/ε), σ
/// the eigenvalues of T A M⁻¹Aᵀ T, onto u = −ελ, λ that of rolling, and the motion tends to rolling
/// over a fixed time. `Verlet` needs no shorter step for a small ε. Source: Eldering 2016, eqs (16), (27),
/// for the rows of contacts; mechanics/friction.hpp has the same for small systems.
namespace dalembert::contact {

/// The contact C with friction instead of rolling.
template <assembly::Constraint C>
struct Frictional : C {
  using Scalar = assembly::detail::ScalarOf<C>;  ///< the number type

  Scalar epsilon{};  ///< ε [m/(N s)]

  /// ε.
  [[nodiscard]] Scalar mobility() const noexcept { return epsilon; }
  /// Throws std::invalid_argument for ε that is not positive and finite, and what the contact throws.
  void check_parameters() const {
    assembly::detail::check_parameters_of<C>(*this);
    require(epsilon > 0 && number::isfinite(epsilon), assembly::detail::name_of<C>(), "epsilon", epsilon,
            "the slip per force must be positive and finite [m/(N s)]");
  }
};

/// `contact` with friction of ε [m/(N s)] in place of rolling. Assemblies refuse an ε that is not positive
/// and finite.
template <assembly::Constraint C>
[[nodiscard]] Frictional<C> with_friction(const C& contact, assembly::detail::ScalarOf<C> epsilon) {
  return {contact, epsilon};
}

}  // namespace dalembert::contact
