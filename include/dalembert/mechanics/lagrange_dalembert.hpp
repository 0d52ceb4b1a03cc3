#pragma once

#include <algorithm>
#include <utility>

#include <dalembert/core/detail/flatten.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/mechanics/detail/constant_parts.hpp>
#include <dalembert/mechanics/detail/projection.hpp>
#include <dalembert/mechanics/detail/solve_checks.hpp>
#include <dalembert/mechanics/detail/state_space.hpp>
#include <dalembert/mechanics/detail/step_rows.hpp>
#include <dalembert/problem/concepts.hpp>

/// The equations of motion of any system policy (mechanics/concepts.hpp), a system being (L, C_K, C_V).
///   EL(g, ξ, ξ̇, z, ż, t) = f + R_Vᵀλ                                                             (1)
///   every row of C_K, differentiated until a rate appears in it: A (ξ̇, ż) + β = 0                   (2)
///   ġ = gξ, or ξg if the system's velocities are those in space                                       (3)
/// λ has a Lagrange multiplier for each row of C_V. (2) is index reduction: (1) and (2) are one saddle-point
/// (KKT) system in (ξ̇, ż, λ); rows of C_K and C_V need not agree. Where rows are not affine in the
/// rates, Newton's method starts from zero rates. Rows of order 3: mechanics/higher_order.hpp. Source:
/// Cendra, Ibort, de León, Martín de Diego 2004, section 4.
namespace dalembert {

/// A `Problem` and `ResidualProblem`: what integrators step. Immutable; copies share nothing.
template <class System>
class LagrangeDAlembert : public detail::StateSpace<System, internal_size<System>> {
  using Space = detail::StateSpace<System, internal_size<System>>;
  static_assert(check_system<System>());
  static_assert(check_principle<System>());
  static_assert(!detail::has_higher_rows<System>, "rows of order > 2 need mechanics/higher_order.hpp");
  static constexpr int n = System::Group::dof;
  static constexpr int m = internal_size<System>;
  static constexpr int k = kinematic_rows<System>;
  static constexpr int v = variational_rows<System>;
  static constexpr int held = position_rows<System> + velocity_rows<System>;
  static_assert(
      k >= m, "LagrangeDAlembert: each of the `internal` coordinates needs a row of C_K that gives its rate");

 public:
  using typename Space::Configuration;          ///< where the system is: Group, unless it is reduced
  using typename Space::Group;                  ///< the group of motions
  using typename Space::Scalar;                 ///< the number type
  using typename Space::State;                  ///< a state of the problem
  using Rates = dalembert::Rates<Group, v, m>;  ///< what the equations of motion answer
  /// Left minus right side of (1), for ξ and then for z, then of (2).
  using Residual = Vec<Scalar, n + m + k>;

  /// The problem of `system`, which is copied.
  explicit LagrangeDAlembert(System system)
      : system_(std::move(system)), mixed_(find_mixed_rows(system_)), constant_(system_) {}

  /// The system, as it was given.
  [[nodiscard]] const System& system() const noexcept { return system_; }

  /// The state at configuration g with velocity ξ at time t [s], on its constraints or not. Throws
  /// std::invalid_argument for numbers not finite and rows of d'Alembert's principle not affine in ξ, which
  /// is judged at this configuration alone: rows that bend elsewhere only are not found.
  [[nodiscard]] State state(const Configuration& g, const typename Group::Tangent& xi, Scalar t = 0) const
      requires(m == 0) {
    return checked({.time = t, .g = g, .xi = xi});
  }
  /// The same with internal coordinates z; NoConvergence if they are to follow from position rows and do not.
  [[nodiscard]] State state(const Configuration& g, const typename Group::Tangent& xi,
                            const Vec<Scalar, m>& z, Scalar t = 0) const requires(m > 0) {
    State made = checked({.time = t, .g = g, .xi = xi, .z = z});
    solve_algebraic(made);
    return made;
  }

  /// Room for rates.
  [[nodiscard]] Rates make_rates() const { return {}; }
  /// Room for a residual.
  [[nodiscard]] Residual make_residual() const { return detail::zeros<Scalar, n + m + k>(); }

  /// Throws the system's InvalidState where its model does not hold, if it says that; packs are not asked.
  void require_valid([[maybe_unused]] const State& at) const {
    if constexpr (detail::says_where_valid<System> && !PackReal<Scalar>) system_.require_valid(at.g, at.time);
  }

  /// ξ̇, ż and λ from (1) and (2), λ of least norm. Throws IncompatibleConstraints, naming rows that
  /// contradict each other, InvalidState if mass and constraints leave a rate open, the state is not finite
  /// or the model does not hold there, and NoConvergence if Newton's method fails.
  void rates(const State& at, Rates& out) const {
    require_valid(at);
    detail::flattened<(n + m + k <= 8)>([&] { find_rates(at, out); });
  }

  /// Whether `step_acceleration` depends on no velocity but `from`.
  static constexpr bool step_acceleration_is_explicit = detail::step_acceleration_is_explicit<System>;
  /// ξ̇ and λ with (1) in `middle` and the rows of `end`, linearised, for from + span ξ̇; throws so.
  void step_acceleration(const State& middle, const State& end, const typename Group::Tangent& from,
                         Scalar span, Rates& out) const requires(detail::has_step_acceleration<System>) {
    detail::flattened<(n + k <= 8)>([&] {
      Equations equations;
      assemble_dynamics(middle, equations);
      detail::add_step_rows(system_, middle, end, from, span, equations);
      SaddlePointSolution<Scalar, n + m, k, v> solution;
      solve_equations<false>(equations, solution, [&] {
        set_size(middle, equations);
        detail::add_step_size(from, span, equations);
      });
      detail::check_solution<System>(solution, middle.time);
      out = {.xidot = solution.x, .lambda = solution.lambda, .report = {solution.redundant}};
    });
  }

  /// How much (1) and (2) are violated by `given`.
  void residual(const State& at, const Rates& given, Residual& out) const {
    Equations equations;
    assemble_dynamics(at, equations);
    set_mass(equations);
    detail::add_rows(system_, mixed_, at, given.xidot, given.zdot, equations);
    const Vec<Scalar, n + m> rate = detail::stacked(given.xidot, given.zdot);
    const Vec<Scalar, n + m> forces =
        detail::sum(equations.force, detail::transpose_times(equations.variational, given.lambda));
    out = detail::stacked(detail::difference(detail::times(equations.mass, rate), forces),
                          detail::sum(detail::times(equations.constraint, rate), equations.drift));
  }

  /// Solve rows φ(g, z, t) = 0 for z, if as many and each has z. Throws NoConvergence if that fails.
  void solve_algebraic([[maybe_unused]] State& state) const {
    if constexpr (detail::position_may_mix<System> && position_rows<System> == m) {
      const auto& mixed = mixed_.position;
      if (std::find(mixed.begin(), mixed.end(), false) == mixed.end()) detail::solve_internal(system_, state);
    }
  }

  /// Onto φ = 0, then onto φ̇ = 0 and R = 0, by the least change in the metric of kinetic energy. Throws
  /// InvalidState where the model does not hold, NotFinite where numbers do not hold the result.
  Projection<Scalar> project(State& state) const {
    require_valid(state);
    Projection<Scalar> done;
    if constexpr (0 < position_rows<System>) done = detail::project_positions(system_, state);
    if constexpr (held > 0) {
      const Projection<Scalar> velocities = detail::project_velocities(system_, mixed_, state);
      done.moved = std::max(done.moved, velocities.moved);
      done.converged = done.converged && velocities.converged;
    }
    done.moved = detail::finite(done.moved, "the change by a projection", state.time);
    if constexpr (SingleReal<Scalar>) {  // without rows of order 0, only the velocity moved
      if (done.converged && !((0 < position_rows<System>) ? state.is_finite() : detail::all_finite(state.xi)))
        throw NotFinite("NotFinite: a state projected by LagrangeDAlembert is not finite",
                        number::plain(state.time));
    }
    return done;
  }

  static constexpr int held_rows = held;       ///< rows that restrict positions and velocities
  using VelocityResidual = Vec<Scalar, held>;  ///< a number for each of them

  /// φ̇ and R, zero in a state that obeys them, and for rows of mixed order.
  [[nodiscard]] VelocityResidual velocity_residual(const State& at) const requires(held > 0) {
    return detail::velocity_violation(system_, mixed_, at);
  }
  /// ξ̇ += M⁻¹Aᵀμ, A = ∂velocity_residual/∂ξ. Where coordinates lack inertia, M stands for M + s
  /// AᵀA here and in `delassus`. Both throw InvalidState if that is singular too.
  void add_impulse_response(const State& at, const VelocityResidual& mu, Rates& r) const requires(held > 0) {
    detail::add_scaled(r.xidot, Scalar(1), detail::times(detail::velocity_response(system_, mixed_, at), mu));
  }
  /// A M⁻¹Aᵀ, which is singular where rows depend on each other or are of mixed order.
  [[nodiscard]] Mat<Scalar, held> delassus(const State& at) const requires(held > 0) {
    return detail::times(detail::velocity_violation_jacobian(system_, mixed_, at),
                         detail::velocity_response(system_, mixed_, at));
  }

  /// ⟨∂ℓ/∂ξ, ξ⟩ − ℓ [J]. Throws InvalidState if numbers cannot hold it, as do those below.
  [[nodiscard]] Scalar energy(const State& at) const {
    return detail::finite(dalembert::energy(system_, at), "the energy", at.time);
  }
  /// ℓ(g, ξ, z, t) − ℓ(g, 0, z, t) [J], for ℓ a quadratic form in ξ minus a potential.
  [[nodiscard]] Scalar kinetic_energy(const State& at) const {
    return detail::finite(dalembert::kinetic_energy(system_, at), "the kinetic energy", at.time);
  }
  /// max |φ| and max |(φ̇, R)| over the rows that restrict positions and velocities.
  [[nodiscard]] Violation<Scalar> constraint(const State& at) const {
    Violation<Scalar> violation;
    if constexpr (0 < position_rows<System>)
      violation.position = detail::largest(position_constraint<Scalar>(system_, at));
    if constexpr (held > 0)
      violation.velocity = detail::largest(detail::velocity_violation(system_, mixed_, at));
    (void)detail::finite(violation.position + violation.velocity, "the violation of constraints", at.time);
    return violation;
  }
  /// λᵀR_V(ξ, ż), and what `power_of_forces` says of `force`.
  [[nodiscard]] Powers<Scalar> power(const State& at, const Rates& given) const {
    const Vec<Scalar, n + m> velocity = detail::stacked(at.xi, given.zdot);
    Powers<Scalar> power = power_of_forces(system_, at, detail::inner(force(at), velocity));
    if constexpr (v > 0) {
      Equations equations;
      detail::add_rows(system_, mixed_, at, given.xidot, given.zdot, equations);
      power.constraint = detail::inner(given.lambda, detail::times(equations.variational, velocity));
    }
    (void)detail::finite(power.constraint + power.dissipation + power.load, "the power", at.time);
    return power;
  }

 private:
  using Equations = SaddlePoint<Scalar, n + m, k, v>;
  static constexpr int most_iterations = 30;
  static constexpr bool constant_mass = detail::has_constant_mass<System>;
  static constexpr bool same_rows = detail::same_rows<System>;
  /// Whether rows are linearised at given rates.
  static constexpr bool has_rate_rows = acceleration_rows<System> > 0 || detail::velocity_may_mix<System>;

  void find_rates(const State& at, Rates& out) const {
    Equations equations;
    assemble_dynamics(at, equations);
    if constexpr (detail::rows_take_velocity_alone<System>) {
      if (constant_.affine && constant_.solve.regular()) {
        constant_.solve.solve(equations.force, out.xidot, out.lambda);
        out.report = {};
        if (detail::is_usable(out.xidot) && detail::is_usable(out.lambda)) return;
      }
    }
    if constexpr (has_rate_rows) {
      set_mass(equations);
      set_size(at, equations);
    }
    SaddlePointSolution<Scalar, n + m, k, v> solution;
    Vec<Scalar, n> xidot = detail::zeros<Scalar, n>();
    Vec<Scalar, m> zdot = detail::zeros<Scalar, m>();
    int iterations = 0;
    const auto solve_at_rates = [&] {
      detail::add_rows(system_, mixed_, at, xidot, zdot, equations);
      solve_equations<same_rows>(equations, solution, [&] { set_size(at, equations); });
      detail::check_solution<System>(solution, at.time);
      ++iterations;
    };
    solve_at_rates();
    if constexpr (has_rate_rows) {
      // Affine rows are solved at once; otherwise the reactions still act along rows at earlier rates.
      for (bool last = false;;) {
        // Rows whose terms cancel may never meet their rounding: enough that the rates stay.
        const bool settled = iterations > 1 && detail::stays<Scalar, n, m>(solution.x, xidot, zdot);
        xidot = detail::part<n>(solution.x);
        zdot = detail::part<m>(solution.x, n);
        if (last || settled) break;
        last = detail::rates_hold(system_, mixed_, at, equations, xidot, zdot);
        if (last && iterations == 1) break;
        if (iterations == most_iterations)
          throw NoConvergence("LagrangeDAlembert: Newton's method for the rates does not converge",
                              number::plain(at.time));
        solve_at_rates();
      }
    } else {
      xidot = detail::part<n>(solution.x);
      zdot = detail::part<m>(solution.x, n);
    }
    out.xidot = xidot;
    out.zdot = zdot;
    out.lambda = solution.lambda;
    out.report = {.redundant_rows = solution.redundant, .iterations = iterations};
  }

  [[nodiscard]] State checked(const State& made) const {
    require(made.is_finite(), "LagrangeDAlembert", "state", "not finite",
            "time, configuration and velocity must be finite");
    if constexpr (std::same_as<PrincipleOf<System>, principle::DAlembert>)
      detail::require_affine(system_, made);
    return made;
  }

  [[nodiscard]] Vec<Scalar, n + m> force(const State& at) const {
    Vec<Scalar, n + m> force = detail::zeros<Scalar, n + m>();
    if constexpr (detail::has<detail::Force, System>)
      detail::place<Scalar, n + m, 1, detail::rows_of<detail::Force, System>, 1>(
          force, 0, 0, detail::call<detail::Force, System>(system_, at.g, at.time, at.xi, at.z));
    return force;
  }

  /// Bias and force; the mass too unless it is constant.
  void assemble_dynamics(const State& at, Equations& out) const {
    const Vec<Scalar, n + m> bias = euler_lagrange_bias(system_, at, constant_mass ? nullptr : &out.mass);
    if constexpr (detail::has<detail::Force, System>) {
      out.force = detail::difference(force(at), bias);
    } else {
      for (int i = 0; i < n + m; ++i) out.force[i] = -bias[i];
    }
  }
  /// The mass if it is constant, which a solve by the fast path does without.
  void set_mass([[maybe_unused]] Equations& out) const {
    if constexpr (constant_mass) out.mass = constant_.mass.matrix();
  }
  void set_size(const State& at, Equations& out) const {
    if constexpr (k > 0 && !PackReal<Scalar>) {
      using std::abs;
      const Scalar fastest = detail::largest(at.xi);
      Scalar twice_energy = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) twice_energy += at.xi[i] * out.mass(i, j) * at.xi[j];
      out.square_size = fastest * fastest * abs(twice_energy);
    }
  }

  /// Solve by the fast path, or by the one that reveals the rank, for which `set_sizes` gives sizes.
  template <bool same, class F>
  void solve_equations(Equations& equations, SaddlePointSolution<Scalar, n + m, k, v>& solution,
                       const F& set_sizes) const {
    bool regular = false;
    if constexpr (constant_mass && k == v)
      regular =
          constant_.mass.positive() && detail::solve_by_schur<same>(constant_.mass, equations, solution);
    else
      regular = solve_regular<(m > 0), same>(equations, solution);
    if (regular) {
      solution.set_regular();
    } else if constexpr (!PackReal<Scalar>) {
      if constexpr (same) equations.variational = equations.constraint;
      set_mass(equations);
      set_sizes();
      detail::solve_by_qr(equations, solution);
    }
  }

  System system_;
  [[no_unique_address]] MixedRows<System> mixed_;
  [[no_unique_address]] detail::ConstantParts<System> constant_;
};

}  // namespace dalembert
