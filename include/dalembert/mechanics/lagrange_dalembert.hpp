#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <dalembert/core/errors.hpp>
#include <dalembert/integrate/concepts.hpp>
#include <dalembert/mechanics/bordered.hpp>
#include <dalembert/mechanics/constraint.hpp>
#include <dalembert/mechanics/lagrangian.hpp>
#include <dalembert/mechanics/state.hpp>

/// The equations of motion of any system policy (mechanics/concepts.hpp) under the Lagrange–d'Alembert principle.
///   EL(g, ξ, ξ̇, t) = f + R_Vᵀλ                                                                       (1)
///   every row of C_K, differentiated until ξ̇ appears: A ξ̇ + β = 0                                     (2)
///   ġ = gξ                                                                                            (3)
/// (1) and (2) are one linear system in (ξ̇, λ). Reactions do the work λᵀR_Vξ, which is zero where C_V = C_K is linear.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, theorem 6.1 (left case).
namespace dalembert {

/// A `Problem` and `ResidualProblem`: what integrators step. Immutable; copies share nothing.
template <class System>
class LagrangeDAlembert {
  static_assert(check_system<System>());
  static constexpr int n = System::Group::dof;
  static constexpr int k = kinematic_rows<System>;
  static constexpr int v = variational_rows<System>;
  static_assert(internal_size<System> == 0,
                "LagrangeDAlembert needs inertia for every coordinate: `internal` must be 0");

 public:
  using Group = typename System::Group;           ///< the configuration space
  using Scalar = typename Group::Scalar;          ///< the number type
  using State = dalembert::State<Group>;          ///< a state of the problem
  using Increment = dalembert::Increment<Group>;  ///< an element of the linear space of stages
  using Rates = dalembert::Rates<Group, v>;       ///< what the equations of motion answer
  /// Left minus right side of (1), then of (2).
  using Residual = Vec<Scalar, n + k>;

  /// The problem of `system`, which is copied.
  explicit LagrangeDAlembert(System system) : system_(std::move(system)) {}

  /// The system, as it was given.
  [[nodiscard]] const System& system() const noexcept { return system_; }

  /// The state at configuration g with body velocity ξ at time t [s]; it need not satisfy the constraints, see `project`.
  /// Throws std::invalid_argument if a number is not finite, or if a constraint under d'Alembert's principle is not
  /// affine in the velocity.
  [[nodiscard]] State state(const Group& g, const typename Group::Tangent& xi, Scalar t = 0) const {
    State made{.time = t, .g = g, .xi = xi};
    require(made.is_finite(), "LagrangeDAlembert", "state", "not finite",
            "time, configuration and velocity must be finite");
    if constexpr (std::is_same_v<PrincipleOf<System>, principle::DAlembert>) require_affine(made);
    return made;
  }

  /// Room for rates.
  [[nodiscard]] Rates make_rates() const { return {}; }
  /// A zero increment.
  [[nodiscard]] Increment make_increment() const { return {}; }
  /// Room for a residual.
  [[nodiscard]] Residual make_residual() const { return Residual::Zero(); }

  /// ξ̇ and λ from (1) and (2). Throws IncompatibleConstraints, naming the rows, if rows contradict each other, and InvalidState
  /// if mass and constraints leave ξ̇ open or the state is not finite. Rows that follow from others are counted in the
  /// report, and λ is then the one of least norm.
  void rates(const State& at, Rates& out) const {
    BorderedSystem<Scalar, n, k, v> equations;
    assemble(at, equations);
    BorderedSolution<Scalar, n, k, v> solution;
    solve(equations, solution);
    check(solution, at.time);
    out.xidot = solution.x;
    out.lambda = solution.lambda;
    out.report.redundant = solution.redundant;
  }

  /// How much (1) and (2) are violated by `given`.
  void residual(const State& at, const Rates& given, Residual& out) const {
    BorderedSystem<Scalar, n, k, v> equations;
    assemble(at, equations);
    out.template head<n>() =
        equations.mass * given.xidot - equations.force - equations.variational.transpose() * given.lambda;
    out.template tail<k>() = equations.constraint * given.xidot + equations.drift;
  }

  /// The slope of the motion in the coordinates η of a stage at g exp(η): (J_r⁻¹(η) ξ, ξ̇, 1).
  void slope(const State& at, const Increment& offset, const Rates& given, Increment& out) const {
    out.eta = Group::right_jacobian_inverse(offset.eta, at.xi);
    out.xi = given.xidot;
    out.time = 1;
  }

  /// state = at ⊕ offset.
  void retract(const State& at, const Increment& offset, State& state) const {
    state.g = (at.g * Group::exp(offset.eta)).normalised();
    state.xi = at.xi + offset.xi;
    state.time = at.time + offset.time;
  }

  /// Nothing to complete: every coordinate has inertia.
  void complete(State&) const noexcept {}

  /// Onto φ = 0, then onto φ̇ = 0 and R = 0, by the least change in the metric of kinetic energy.
  Projection<Scalar> project(State& state) const {
    Projection<Scalar> done;
    if constexpr (0 < position_rows<System>) {
      done = newton<position_rows<System>>(
          [&](auto& equations) {
            equations.drift = position_constraint<Scalar>(system_, state.g, state.time);
            equations.constraint = position_jacobian(system_, state.g, state.time);
          },
          [&](const auto& step) { state.g = (state.g * Group::exp(step)).normalised(); }, state);
    }
    if constexpr (k > 0) {
      const Projection<Scalar> velocities = newton<k>(
          [&](auto& equations) {
            equations.drift = constraint_velocity(system_, state.g, state.xi, state.time);
            equations.constraint = constraint_jacobian(system_, state.g, state.xi, state.time);
          },
          [&](const auto& step) { state.xi += step; }, state);
      done.moved = std::max(done.moved, velocities.moved);
      done.converged = done.converged && velocities.converged;
    }
    return done;
  }

  /// ⟨∂ℓ/∂ξ, ξ⟩ − ℓ [J].
  [[nodiscard]] Scalar energy(const State& at) const {
    return dalembert::energy(system_, at.g, at.xi, at.time);
  }
  /// ℓ(g, ξ, t) − ℓ(g, 0, t) [J]: the kinetic energy where ℓ is a quadratic form in ξ minus a potential.
  [[nodiscard]] Scalar kinetic_energy(const State& at) const {
    return dalembert::kinetic_energy(system_, at.g, at.xi, at.time);
  }
  /// max |φ| and max |(φ̇, R)|.
  [[nodiscard]] Violation<Scalar> constraint(const State& at) const {
    Violation<Scalar> violation;
    if constexpr (0 < position_rows<System>) {
      violation.position = position_constraint<Scalar>(system_, at.g, at.time).cwiseAbs().maxCoeff();
    }
    if constexpr (k > 0) {
      violation.velocity = constraint_velocity(system_, at.g, at.xi, at.time).cwiseAbs().maxCoeff();
    }
    return violation;
  }
  /// λᵀR_Vξ; under `load` the power of `force` and −∂ℓ/∂t.
  [[nodiscard]] Powers<Scalar> power(const State& at, const Rates& given) const {
    Powers<Scalar> power;
    if constexpr (v > 0) {
      const auto kinematic = constraint_jacobian(system_, at.g, at.xi, at.time);
      power.constraint =
          given.lambda.dot(variational_jacobian(system_, at.g, at.xi, at.time, kinematic) * at.xi);
    }
    power.load = force(at).dot(at.xi) - lagrangian_time_derivative(system_, at.g, at.xi, at.time);
    return power;
  }

 private:
  /// A solve is trusted if what remains is below this, relative to its largest term.
  static inline const Scalar trusted = std::sqrt(std::numeric_limits<Scalar>::epsilon());

  [[nodiscard]] Vec<Scalar, n> force(const State& at) const {
    if constexpr (detail::taken<detail::Force, System>.callable) {
      return detail::call(detail::Force<System>{system_}, at.g, at.xi, at.z, at.time);
    } else {
      return Vec<Scalar, n>::Zero();
    }
  }

  void assemble(const State& at, BorderedSystem<Scalar, n, k, v>& out) const {
    EulerLagrangeTerms<Scalar, n> dynamics;
    euler_lagrange(system_, at.g, at.xi, at.time, dynamics);
    out.mass = dynamics.mass;
    out.force = force(at) - dynamics.bias;
    if constexpr (k > 0 || v > 0) {
      out.constraint = constraint_jacobian(system_, at.g, at.xi, at.time);
      out.drift = constraint_drift(system_, at.g, at.xi, at.time);
      out.variational = variational_jacobian(system_, at.g, at.xi, at.time, out.constraint);
    }
  }

  void check(const BorderedSolution<Scalar, n, k, v>& solution, Scalar time) const {
    const double at = static_cast<double>(time);
    std::string rows;
    for (int i = 0; i < k; ++i) {
      if (solution.residual[i] > trusted) rows += (rows.empty() ? "" : ", ") + constraint_name<System>(i);
    }
    if (!rows.empty())
      throw IncompatibleConstraints("LagrangeDAlembert: constraint rows contradict each other (" + rows + ")",
                                    at);
    if (!solution.x.allFinite() || !solution.lambda.allFinite())
      throw InvalidState("LagrangeDAlembert: the state is not finite", at);
    if (!solution.determined) {
      throw InvalidState("LagrangeDAlembert: mass and constraints leave the acceleration undetermined", at);
    }
    if (solution.dynamic_residual > trusted) {
      throw InvalidState("LagrangeDAlembert: no acceleration and reactions balance the forces", at);
    }
  }

  /// Newton's iteration onto `Rows` constraints: `linearise` gives rows and values, `apply` takes a step of least norm.
  template <int Rows, class Linearise, class Apply>
  Projection<Scalar> newton(Linearise&& linearise, Apply&& apply, const State& state) const {
    using std::sqrt, std::pow;
    const Scalar enough = pow(std::numeric_limits<Scalar>::epsilon(), Scalar(0.75));
    constexpr int most_iterations = 20;
    EulerLagrangeTerms<Scalar, n> dynamics;
    BorderedSystem<Scalar, n, Rows, Rows> equations;
    BorderedSolution<Scalar, n, Rows, Rows> solution;
    Projection<Scalar> done{.moved = 0, .iterations = 0, .converged = false};
    while (!done.converged && done.iterations < most_iterations) {
      euler_lagrange(system_, state.g, state.xi, state.time, dynamics);
      equations.mass = dynamics.mass;
      equations.force.setZero();
      linearise(equations);
      equations.variational = equations.constraint;
      solve(equations, solution);
      ++done.iterations;
      const Scalar size = solution.x.cwiseAbs().maxCoeff();
      if (!(solution.residual.maxCoeff() <= trusted) || !solution.x.allFinite()) return done;
      apply(solution.x);
      done.moved += sqrt(std::max(Scalar(0), solution.x.dot(equations.mass * solution.x)));
      done.converged = size <= enough * (1 + state.xi.cwiseAbs().maxCoeff());
    }
    return done;
  }

  /// Throws std::invalid_argument unless the velocity rows are affine in ξ, as far as two points can tell.
  void require_affine(const State& at) const {
    if constexpr (0 < velocity_rows<System>) {
      typename Group::Tangent other = at.xi;
      for (int i = 0; i < n; ++i) other[i] += Scalar(1) / Scalar(i + 1);
      const auto rows = velocity_jacobian(system_, at.g, other, at.time);
      const typename Group::Tangent rest = Group::Tangent::Zero();
      const auto at_rest = velocity_constraint<Scalar>(system_, at.g, rest, at.time);
      const auto linear = (rows * other).eval();
      const auto change = (velocity_constraint<Scalar>(system_, at.g, other, at.time) - at_rest).eval();
      const auto slope_change = (rows - velocity_jacobian(system_, at.g, rest, at.time)).eval();
      const Scalar slack = trusted * (1 + rows.cwiseAbs().maxCoeff()) * (1 + other.cwiseAbs().maxCoeff());
      const bool affine =
          (change - linear).cwiseAbs().maxCoeff() <= slack && slope_change.cwiseAbs().maxCoeff() <= slack;
      require(affine, "LagrangeDAlembert", "velocity_constraint", "not affine in the velocity",
              "d'Alembert's principle needs that; give the system `using Principle = principle::Chetaev` or "
              "its own `variational`");
    }
  }

  System system_;
};

}  // namespace dalembert
