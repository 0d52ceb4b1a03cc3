#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/mechanics/detail/realization.hpp>

/// Constraints as a limit of a stiff potential or of a large inertia. What is left is a system without
/// constraints, a policy like any other:
///   with_potential   ℓ − |φ|²/(2ε)     rows φ = 0 of order 0                                     (1)
///   with_inertia     ℓ + |s|²/(2ε)     rows s = (φ̇, R), of order 0 and 1                          (2)
/// Energy is conserved where that of ℓ is; its last part is |φ|²/(2ε), or |s|²/(2ε) where the rows are
/// linear in ξ. As ε → 0, (1) tends to the constrained motion if it starts with φ = O(ε) and φ̇ =
/// O(√ε); it oscillates about it with frequencies like 1/√ε, and stays near φ = 0 for all times that
/// energy allows: that is φ² ≤ 2εE. (2) tends to the constrained motion where the rows are holonomic,
/// but over a fixed time only, since nothing holds φ where it is; where R = 0 is not integrable its limits
/// are the vakonomic motions, not those of d'Alembert's principle, and which one depends on the slip at the
/// start to first order in ε.
/// Source: Eldering 2016, eqs (6), (8); Rubin and Ungar 1957 and Takens 1980 for (1), Kozlov 1983 for (2).
namespace dalembert {

/// A system with (1) in place of its constraints; see the head of this file.
template <MechanicalSystem System>
class StiffPotential : public detail::Realization<StiffPotential<System>, System>,
                       public detail::PassedMomentum<StiffPotential<System>, System>,
                       public detail::PassedMass<StiffPotential<System>, System>,
                       public detail::PassedForce<StiffPotential<System>, System> {
  static_assert(
      0 < position_rows<System> && kinematic_rows<System> == position_rows<System> &&
          internal_size<System> == 0,
      "StiffPotential: a potential keeps positions, so the system needs rows of order 0, no others, and "
      "no internal coordinates");
  static constexpr int n = System::Group::dof, k = position_rows<System>;

 public:
  using Scalar = ScalarOf<System>;  ///< the number type

  /// Throws std::invalid_argument unless ε is positive and finite.
  StiffPotential(const System& system, Scalar epsilon)
      : detail::Realization<StiffPotential, System>(system), epsilon_(epsilon) {
    require(epsilon > 0 && number::isfinite(epsilon), "StiffPotential", "epsilon", epsilon,
            "it must be positive and finite");
  }

  /// ε, as it was given.
  [[nodiscard]] Scalar epsilon() const noexcept { return epsilon_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const ConfigurationOf<System, T>& g, const Vec<T, n>& xi, const T& t) const {
    const detail::Point<System, T> at{.g = g, .time = t, .xi = xi};
    T value = detail::call<detail::Lagrangian, System>(this->constrained(), g, t, xi, at.z);
    const Vec<T, k> phi = position_constraint<T>(this->constrained(), at);
    for (int i = 0; i < k; ++i) value -= phi[i] * phi[i] / (2 * epsilon_);
    return value;
  }

 private:
  Scalar epsilon_;
};

/// A system with (2) in place of its constraints; see the head of this file.
template <MechanicalSystem System>
class LargeInertia : public detail::Realization<LargeInertia<System>, System>,
                     public detail::PassedForce<LargeInertia<System>, System> {
  static_assert(
      detail::only_slips<System>,
      "LargeInertia: the system needs rows of order 0 or 1, none of order 2, and no internal coordinates");
  static constexpr int n = System::Group::dof, k = detail::slip_rows<System>;

 public:
  using Scalar = ScalarOf<System>;  ///< the number type

  /// Throws std::invalid_argument unless ε is positive and finite.
  LargeInertia(const System& system, Scalar epsilon)
      : detail::Realization<LargeInertia, System>(system), epsilon_(epsilon) {
    require(epsilon > 0 && number::isfinite(epsilon), "LargeInertia", "epsilon", epsilon,
            "it must be positive and finite");
  }

  /// ε, as it was given.
  [[nodiscard]] Scalar epsilon() const noexcept { return epsilon_; }

  /// (2) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const ConfigurationOf<System, T>& g, const Vec<T, n>& xi, const T& t) const {
    const detail::Point<System, T> at{.g = g, .time = t, .xi = xi};
    T value = detail::call<detail::Lagrangian, System>(this->constrained(), g, t, xi, at.z);
    const Vec<T, k> s = detail::slip<T>(this->constrained(), at);
    for (int i = 0; i < k; ++i) value += s[i] * s[i] / (2 * epsilon_);
    return value;
  }

  /// s = (φ̇, R) in a state, in units of the rows.
  [[nodiscard]] Vec<Scalar, k> slip(const StateOf<System>& at) const {
    return detail::slip<Scalar>(this->constrained(), at);
  }

 private:
  Scalar epsilon_;
};

/// `system` with a stiff potential |φ|²/(2ε) in place of its holonomic constraints. Throws
/// std::invalid_argument unless ε > 0.
template <MechanicalSystem System>
[[nodiscard]] StiffPotential<System> with_potential(const System& system,
                                                    std::type_identity_t<ScalarOf<System>> epsilon) {
  return {system, epsilon};
}
/// `system` with a large inertia |s|²/(2ε) in place of its constraints. Throws std::invalid_argument unless
/// ε > 0.
template <MechanicalSystem System>
[[nodiscard]] LargeInertia<System> with_inertia(const System& system,
                                                std::type_identity_t<ScalarOf<System>> epsilon) {
  return {system, epsilon};
}

}  // namespace dalembert
