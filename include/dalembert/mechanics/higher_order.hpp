#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/mechanics/detail/higher_equations.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

/// Constraints of order three and more: rows of a system that contain ξ̈ or higher derivatives of the
/// velocity,
///   R(g, ξ, ξ̇, ξ̈, t) = 0                     `jerk_constraint`, order k = 3
///   R(g, ξ, ξ̇, …, ξ^(k−1), t) = 0             `higher_constraint`, order k = `higher_order`
/// beside any rows of orders 0 to 2. With their reactions μ, the equations of motion and the rows of lower
/// order determine
///   ξ̇ = a(g, ξ, μ, t),   M ξ̇ + b = f + R_Vᵀλ + R_Wᵀμ                                       (1)
/// as in mechanics/lagrange_dalembert.hpp. So a row of order 3 does not determine μ, but its rate: μ
/// belongs to the state, as place and velocity do, and its value at the start is as free as an initial
/// acceleration is. Differentiating a along the motion,
///   ξ̈ = Da·(ξ, ξ̇, μ̇, 1),  …,  ξ^(k−1) = D^(k−2) a                                      (2)
///   ∂ξ^(k−1)/∂μ^(k−2) = ∂a/∂μ = M⁻¹R_Wᵀ − M⁻¹R_Vᵀ(A M⁻¹R_Vᵀ)⁻¹A
///     M⁻¹R_Wᵀ  (3)
/// (with the slope of R_V besides, where a principle derives it from rows of order 2 that are not affine in
/// ξ̇), and the rows give μ^(k−2), by Newton's method where they are not affine in ξ^(k−1). The
/// internal coordinates of a state are z = (μ, μ̇, …, μ^(k−3)), one of each for a row; the
/// multipliers of its rates are (λ, μ). All rows that are of order 3 and above are of one order. C_V is
/// either `variational`, whose last rows are then R_W, or derived by `principle::ExtendedChetaev`: R_W =
/// ∂R/∂ξ^(k−1), which must depend on place, velocity and time only.
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, section 4, allow rows of any order; (1)-(3)
/// follow.
namespace dalembert {

/// The problem of a system with rows of order 3 or above; see the head of this file. It is a `Problem` and
/// `ResidualProblem`, which explicit Runge–Kutta and collocation methods step.
template <class System>
  requires detail::has_higher_rows<System>
class LagrangeDAlembert<System> : public detail::StateSpace<System, detail::HigherEquations<System>::m> {
  using Space = detail::StateSpace<System, detail::HigherEquations<System>::m>;
  static_assert(!std::is_final_v<System>, "a system with rows of order 3 and above must not be final");
  static_assert(check_system<System>());
  static_assert(check_principle<System>());
  static_assert(
      detail::is_known<detail::JerkConstraint, System>,
      "this is no MechanicalSystem: jerk_constraint takes other arguments than (g, xi, xidot, xiddot, t)");
  static_assert(
      detail::is_known<detail::HigherConstraint, System>,
      "this is no MechanicalSystem: higher_constraint takes other arguments than (g, rates, t), with rates a "
      "std::array of `higher_order` columns");
  static_assert(
      detail::JerkConstraint<System>::absent || detail::HigherConstraint<System>::absent,
      "rows of order 3 and above must be of one order: jerk_constraint or higher_constraint, not both");
  static_assert(detail::JerkConstraint<System>::absent || detail::higher_order<System> == 3,
                "jerk_constraint is of order 3, and higher_order says otherwise");
  static_assert(detail::higher_order<System> >= 3,
                "higher_order must be 3 or more: rows of lower order have members of their own");
  static_assert(internal_size<System> == 0,
                "a system with rows of order 3 and above cannot have internal coordinates of its own");
  static_assert(SingleReal<ScalarOf<System>>,
                "rows of order 3 and above are not solved for packs of numbers");

  using Equations = detail::HigherEquations<System>;
  using Lower = detail::LowerOrders<System>;
  using LowerState = StateOf<Lower>;
  static_assert(
      Equations::reactions == Equations::lower,
      "beside rows of order 3 and above, `variational` needs a row for each row of C_K: first those of lower "
      "order, then the higher ones");
  static constexpr int n = System::Group::dof, m = Equations::m, h = Equations::h;
  static constexpr int low = Equations::lower, v = low + h;
  static constexpr int held = position_rows<System> + velocity_rows<System>;

 public:
  using typename Space::Configuration;          ///< where the system is: Group, unless it is reduced
  using typename Space::Group;                  ///< the group of motions
  using typename Space::Scalar;                 ///< the number type
  using typename Space::State;                  ///< a state of the problem, with z = (μ, μ̇, …)
  using Rates = dalembert::Rates<Group, v, m>;  ///< with the multipliers (λ, μ)
  /// Left minus right side of (1); of d/dt μ = μ̇ and its like; the rows, of order k and then lower; μ in
  /// the rates and in the state.
  using Residual = Vec<Scalar, n + m + v>;
  static constexpr int order = Equations::k;  ///< k

  /// The problem of `system`, which is copied.
  explicit LagrangeDAlembert(System system) : lower_(Lower(std::move(system))) {}

  /// The system, as it was given.
  [[nodiscard]] const System& system() const noexcept { return lower_.system(); }

  /// The state at configuration g with velocity ξ and reactions z = (μ, μ̇, …) at time t [s]; it need
  /// not satisfy the rows of lower order, see `project`. Throws std::invalid_argument if a number is not
  /// finite, or if under ExtendedChetaev R_W depends on accelerations.
  [[nodiscard]] State state(const Configuration& g, const typename Group::Tangent& xi,
                            const Vec<Scalar, m>& z, Scalar t = 0) const {
    State made{.time = t, .g = g, .xi = xi, .z = z};
    require(made.is_finite(), "LagrangeDAlembert", "state", "not finite",
            "time, configuration, velocity and reactions must be finite");
    if constexpr (detail::derives_variational<System>) require_reactions_along_states(made);
    return made;
  }

  /// The state `at` with other reactions: those under which the rates ξ̇, …, ξ^(k−2) are as near as
  /// can be, in the metric of kinetic energy, to the ones given, in this order. Throws like `rates`, and
  /// NoConvergence.
  [[nodiscard]] State with_rates(
      State at, const std::array<typename Group::Tangent, static_cast<std::size_t>(order - 2)>& given) const {
    const LowerState here = lower(at);
    for (int level = 0; level < order - 2; ++level)
      Equations::fit_reactions(lower_system(), here, level, given[static_cast<std::size_t>(level)], at.z);
    return at;
  }

  /// Room for rates.
  [[nodiscard]] Rates make_rates() const { return {}; }
  /// Room for a residual.
  [[nodiscard]] Residual make_residual() const { return detail::zeros<Scalar, n + m + v>(); }

  /// Throws the system's own InvalidState where its model does not hold; nothing if the system does not say.
  void require_valid(const State& at) const { lower_.require_valid(lower(at)); }

  /// ξ̇, ż and (λ, μ). Throws IncompatibleConstraints, naming the rows, if rows contradict each other or
  /// no reaction makes them hold; InvalidState if M is not positive, rows of lower order follow from each
  /// other, the state is not finite or the model does not hold there; NoConvergence if Newton's method fails.
  void rates(const State& at, Rates& out) const {
    require_valid(at);
    Vec<Scalar, h> highest;
    typename Equations::Course course;
    Equations::find_course(lower_system(), lower(at), at.z, course);
    out.report = Equations::solve_higher(lower_system(), lower(at), course, highest);
    out.xidot = course.rates[1];
    for (int i = 0; i < m; ++i) out.zdot[i] = i + h < m ? at.z[i + h] : highest[i + h - m];
    for (int i = 0; i < v; ++i) out.lambda[i] = i < low ? course.lambda[i] : at.z[i - low];
  }

  /// How much (1), the rows and the meaning of z are violated by `given`.
  void residual(const State& at, const Rates& given, Residual& out) const {
    typename Equations::Course course;
    const LowerState here = lower(at);
    Equations::find_course(lower_system(), here, at.z, course);
    detail::add_scaled<Scalar, n>(course.rates[order - 1], 1,
                                  detail::times(course.gain, detail::part<h>(given.zdot, m - h)));
    const Vec<Scalar, h> higher = detail::linearised_higher_rows(lower_system(), here, course.rates).value;
    auto& equations = course.equations;
    Equations::add_dynamics(lower_system(), here, equations);
    Equations::add_lower_rows(lower_system(), here, given.xidot, equations);
    const Vec<Scalar, n> forces = detail::sum(equations.force, reactions(here, equations, given.lambda));
    const Vec<Scalar, n> dynamics = detail::difference(detail::times(equations.mass, given.xidot), forces);
    const Vec<Scalar, low> rows =
        detail::sum(detail::times(equations.constraint, given.xidot), equations.drift);
    for (int i = 0; i < n; ++i) out[i] = dynamics[i];
    for (int i = 0; i < m; ++i) out[n + i] = i + h < m ? given.zdot[i] - at.z[i + h] : higher[i + h - m];
    for (int i = 0; i < v; ++i) out[n + m + i] = i < low ? rows[i] : given.lambda[i] - at.z[i - low];
  }

  /// Nothing: every internal coordinate has a rate.
  void solve_algebraic(State&) const {}

  /// Place and velocity onto the rows of orders 0 and 1, by the least change in the metric of kinetic energy;
  /// μ stays. Throws like the problem of a system without higher rows.
  Projection<Scalar> project(State& state) const {
    LowerState moved = lower(state);
    const Projection<Scalar> done = lower_.project(moved);
    state.g = moved.g;
    state.xi = moved.xi;
    return done;
  }

  static constexpr int held_rows = held;       ///< rows that restrict positions and velocities
  using VelocityResidual = Vec<Scalar, held>;  ///< a number for each of them
  /// φ̇ and R of these rows.
  [[nodiscard]] VelocityResidual velocity_residual(const State& at) const requires(held > 0) {
    return lower_.velocity_residual(lower(at));
  }
  /// ξ̇ += M⁻¹Aᵀμ, A = ∂velocity_residual/∂ξ.
  void add_impulse_response(const State& at, const VelocityResidual& mu, Rates& rates) const
      requires(held > 0) {
    typename LagrangeDAlembert<Lower>::Rates change;
    lower_.add_impulse_response(lower(at), mu, change);
    rates.xidot = detail::sum(rates.xidot, change.xidot);
  }
  /// A M⁻¹Aᵀ, which is singular where rows depend on each other.
  [[nodiscard]] Mat<Scalar, held> delassus(const State& at) const requires(held > 0) {
    return lower_.delassus(lower(at));
  }

  /// ⟨∂ℓ/∂ξ, ξ⟩ − ℓ [J]. Throws InvalidState if it is beyond what numbers can hold, as do
  /// those below.
  [[nodiscard]] Scalar energy(const State& at) const { return lower_.energy(lower(at)); }
  /// ℓ(g, ξ, t) − ℓ(g, 0, t) [J].
  [[nodiscard]] Scalar kinetic_energy(const State& at) const { return lower_.kinetic_energy(lower(at)); }
  /// max |φ| and max |(φ̇, R)| over the rows of orders 0 and 1; the others hold by construction.
  [[nodiscard]] Violation<Scalar> constraint(const State& at) const { return lower_.constraint(lower(at)); }
  /// The power of all reactions, λᵀR_V ξ + μᵀR_W ξ, and what `power_of_forces` says of `force`.
  [[nodiscard]] Powers<Scalar> power(const State& at, const Rates& given) const {
    const LowerState here = lower(at);
    typename Equations::template Equations<Scalar> equations;
    Equations::add_lower_rows(lower_system(), here, given.xidot, equations);
    Scalar of_forces(0);
    if constexpr (detail::has<detail::Force, Lower>) {
      const Vec<Scalar, n> force =
          detail::call<detail::Force, Lower>(lower_system(), here.g, here.time, here.xi, here.z);
      of_forces = detail::inner(force, at.xi);
    }
    Powers<Scalar> power = power_of_forces(lower_system(), here, of_forces);
    power.constraint = detail::inner(reactions(here, equations, given.lambda), at.xi);
    (void)detail::finite(power.constraint + power.dissipation + power.load, "the power", at.time);
    return power;
  }

 private:
  [[nodiscard]] const Lower& lower_system() const noexcept { return lower_.system(); }
  [[nodiscard]] static LowerState lower(const State& at) { return {.time = at.time, .g = at.g, .xi = at.xi}; }

  /// R_Vᵀλ + R_Wᵀμ.
  [[nodiscard]] Vec<Scalar, n> reactions(const LowerState& at,
                                         const typename Equations::template Equations<Scalar>& equations,
                                         const Vec<Scalar, v>& lambda) const {
    return detail::sum(detail::transpose_times(equations.variational, detail::part<low>(lambda)),
                       detail::transpose_times(Equations::higher_variational(lower_system(), at),
                                               detail::part<h>(lambda, low)));
  }

  /// Throws std::invalid_argument if ∂R/∂ξ^(k−1) is another where the rates are.
  void require_reactions_along_states(const State& made) const {
    detail::RatesUpTo<Lower, Scalar> rates;
    rates[0] = made.xi;
    for (std::size_t i = 1; i < rates.size(); ++i)
      for (int j = 0; j < n; ++j) rates[i][j] = Scalar(1) / Scalar(1 + static_cast<int>(i) + j);
    const LowerState at = lower(made);
    const Mat<Scalar, h, n> here = Equations::higher_variational(lower_system(), at),
                            there = detail::linearised_higher_rows(lower_system(), at, rates).jacobian;
    Scalar most = 0;
    for (int i = 0; i < h; ++i)
      for (int j = 0; j < n; ++j) most = std::max(most, number::abs(there(i, j) - here(i, j)));
    require(most <= std::sqrt(std::numeric_limits<Scalar>::epsilon()) * (1 + detail::largest(here)),
            "LagrangeDAlembert", "rows of order 3 and above", "not affine in the highest rate",
            "ExtendedChetaev needs coefficients of place, velocity and time; give the system its own "
            "`variational`");
  }

  LagrangeDAlembert<Lower> lower_;
};

}  // namespace dalembert
