#pragma once

#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/small_solve.hpp>
#include <dalembert/mechanics/concepts.hpp>
#include <dalembert/mechanics/detail/realization.hpp>

/// Constraints as a limit of friction. The rows s = (φ̇, R) of a system with constraints, its slip, are no
/// longer zero, but are resisted:
///   EL = f − Aᵀ F(s),  A = ∂s/∂ξ                                                                (1)
///   F(s) = ν s/ε                       `LinearFriction`: Rayleigh's, ν symmetric and positive         (2)
///   F(s) = μ s/√(|s|² + ε²)            `RegularisedCoulomb`: dry friction, |F| < μ                (3)
/// What is left is a system without constraints, a policy like any other. As ε → 0 under (2) every motion
/// falls like exp(−σt/ε), σ the eigenvalues of A M⁻¹Aᵀν, onto a slow one with slip s = −ε
/// ν⁻¹λ + O(ε²), λ the reaction of Lagrange and d'Alembert, and over a fixed time the slow motion
/// tends to theirs; mechanics/slow_manifold.hpp says how far it is. The limit is not uniform in time: a
/// friction that realises φ̇ = 0 leaves every surface φ = 0 in the end. Energy is lost at the rate
/// sᵀνs/ε. Radau methods follow the slow motion by steps that know nothing of ε. A start with a slip of
/// its own has to be followed through its transient first, by steps of some ε/σ, or to be put onto the slow
/// motion (`SlowManifold::below`, `on_manifold`). Under (3) the limit is another: Coulomb's law. The
/// constraint is kept only while the reaction that it takes is less than μ, with a slip ε|λ|/√(μ² −
/// λ²); beyond that the system slides, for every ε. An affine row R = Aξ + b resists slip against what
/// moves, a belt or a turntable. A friction that depends on the configuration, ν = L Lᵀ with L(g), is that
/// of the rows LᵀR with ν = 1.
/// Source: Eldering 2016, eqs (16), (27), with F = −ν q̇/ε; Brendelev 1981 and Karapetian 1981 for the
/// limit.
namespace dalembert {

/// (2) over K rows.
template <SingleReal S, int K>
struct LinearFriction {
  Mat<S, K> coefficient;  ///< ν, symmetric and positive definite [N s/m for a slip in m/s and ε in 1]
  S epsilon;              ///< ε > 0 [1]

  /// Throws std::invalid_argument if ν or ε breaks its rule.
  void check() const {
    require(epsilon > 0 && number::isfinite(epsilon), "LinearFriction", "epsilon", epsilon,
            "it must be positive and finite");
    for (int j = 0; j < K; ++j)
      for (int i = 0; i < j; ++i)
        require(coefficient(i, j) == coefficient(j, i), "LinearFriction", "coefficient", coefficient(i, j),
                "it must be symmetric");
    require(detail::all_finite(coefficient) && linalg::is_positive_definite(coefficient), "LinearFriction",
            "coefficient", coefficient(0, 0), "it must be finite and positive definite");
  }
  /// F(s).
  template <class T>
  [[nodiscard]] Vec<T, K> operator()(const Vec<T, K>& slip) const {
    Vec<T, K> force = detail::zeros<T, K>();
    for (int i = 0; i < K; ++i)
      for (int j = 0; j < K; ++j) force[i] += coefficient(i, j) / epsilon * slip[j];
    return force;
  }
};

/// (3) over all rows together, which should have one unit.
template <SingleReal S = double>
struct RegularisedCoulomb {
  S strength;  ///< μ > 0, the largest force [N]
  S epsilon;   ///< ε > 0, the slip at which it has come to 0.7 of that [m/s]

  /// Throws std::invalid_argument if μ or ε breaks its rule.
  void check() const {
    require(strength > 0 && number::isfinite(strength), "RegularisedCoulomb", "strength", strength,
            "it must be positive and finite");
    require(epsilon > 0 && number::isfinite(epsilon), "RegularisedCoulomb", "epsilon", epsilon,
            "it must be positive and finite");
  }
  /// F(s).
  template <class T, int K>
  [[nodiscard]] Vec<T, K> operator()(const Vec<T, K>& slip) const {
    using std::sqrt;
    T square = T(epsilon * epsilon);
    for (int i = 0; i < K; ++i) square += slip[i] * slip[i];
    const T factor = strength / sqrt(square);
    Vec<T, K> force;
    for (int i = 0; i < K; ++i) force[i] = factor * slip[i];
    return force;
  }
};

/// A system whose constraints are friction: a system policy without constraints; see the head of this file.
/// `Friction` gives the force F(s) as a template over the scalar of s, and has check().
template <MechanicalSystem System, class Friction>
class Frictional : public detail::Realization<Frictional<System, Friction>, System>,
                   public detail::PassedMomentum<Frictional<System, Friction>, System>,
                   public detail::PassedMass<Frictional<System, Friction>, System> {
  static_assert(
      detail::only_slips<System>,
      "Frictional: the system needs rows of order 0 or 1, none of order 2, and no internal coordinates");
  static_assert(
      detail::derives_variational<System>,
      "Frictional: friction acts along the rows of C_K, so the system can have no `variational` of its own");
  static constexpr int n = System::Group::dof, k = detail::slip_rows<System>;

 public:
  using Scalar = ScalarOf<System>;  ///< the number type

  /// Throws std::invalid_argument if the friction breaks its rules.
  Frictional(const System& system, Friction friction)
      : detail::Realization<Frictional, System>(system), friction_(std::move(friction)) {
    friction_.check();
  }

  /// F(s), as it was given.
  [[nodiscard]] const Friction& friction() const noexcept { return friction_; }

  /// The system's own ℓ [J].
  template <class... A>
  [[nodiscard]] auto lagrangian(const A&... a) const
      -> decltype(std::declval<const System&>().lagrangian(a...)) {
    return this->constrained().lagrangian(a...);
  }

  /// The system's own force and friction's, −AᵀF(s).
  template <class T>
  [[nodiscard]] Vec<T, n> force(const ConfigurationOf<System, T>& g, const Vec<T, n>& xi, const T& t) const {
    const detail::Point<System, T> at{.g = g, .time = t, .xi = xi};
    const auto rows = detail::slip_with_slopes<T>(this->constrained(), at);
    Vec<T, k> s;
    for (int i = 0; i < k; ++i) s[i] = rows[i].value();
    const Vec<T, k> resisted = friction_(s);
    Vec<T, n> total = detail::zeros<T, n>();
    if constexpr (detail::has<detail::Force, System>)
      total = detail::call<detail::Force, System>(this->constrained(), g, t, xi, at.z);
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < n; ++j) total[j] -= rows[i].derivative(j) * resisted[i];
    return total;
  }

  /// s = (φ̇, R) in a state, in units of the rows.
  [[nodiscard]] Vec<Scalar, k> slip(const StateOf<System>& at) const {
    return detail::slip<Scalar>(this->constrained(), at);
  }
  /// −⟨F(s), s⟩ ≤ 0, the rate at which slip takes energy out, with what the system's own friction
  /// takes [W].
  [[nodiscard]] Scalar dissipation(const StateOf<System>& at) const {
    const Vec<Scalar, k> s = slip(at);
    Scalar own(0);
    if constexpr (detail::dissipates<System>) own = this->constrained().dissipation(at);
    return own - detail::inner(friction_(s), s);
  }

 private:
  Friction friction_;
};

/// `system` with the friction F(s) of any policy in place of its constraints.
template <MechanicalSystem System, class Friction>
[[nodiscard]] Frictional<System, Friction> with_friction(const System& system, const Friction& friction) {
  return {system, friction};
}
/// `system` with Rayleigh's friction ν/ε in place of its constraints. Throws std::invalid_argument unless
/// ν is symmetric and positive definite, and ε > 0.
template <MechanicalSystem System>
[[nodiscard]] auto with_friction(const System& system,
                                 const Mat<ScalarOf<System>, detail::slip_rows<System>>& rayleigh,
                                 std::type_identity_t<ScalarOf<System>> epsilon) {
  using Friction = LinearFriction<ScalarOf<System>, detail::slip_rows<System>>;
  return Frictional<System, Friction>(system, Friction{.coefficient = rayleigh, .epsilon = epsilon});
}
/// The same with the same ν in every row.
template <MechanicalSystem System>
[[nodiscard]] auto with_friction(const System& system, std::type_identity_t<ScalarOf<System>> rayleigh,
                                 std::type_identity_t<ScalarOf<System>> epsilon) {
  using S = ScalarOf<System>;
  constexpr int k = detail::slip_rows<System>;
  Vec<S, k> all;
  for (int i = 0; i < k; ++i) all[i] = rayleigh;
  return with_friction(system, detail::diagonal(all), epsilon);
}

}  // namespace dalembert
