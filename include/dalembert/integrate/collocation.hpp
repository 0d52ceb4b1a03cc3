#pragma once

#include <limits>

#include <dalembert/core/errors.hpp>
#include <dalembert/integrate/detail/collocation_stages.hpp>
#include <dalembert/integrate/detail/last_state.hpp>

/// Collocation methods on a group, for any `Problem`: implicit, of any order, for long runs that are to
/// conserve what the motion conserves, and (Radau) for stiff ones. In the chart u of y ⊕ u, with slopes k_i
/// = (dexp⁻¹_{u_i} ξ_i, ξ̇_i, ż_i, 1),
///   u_i = h Σ a_ij k_j,   k_i the slope at y ⊕ u_i,   y⁺ = y ⊕ h Σ b_j k_j                       (1)
///   ξ̇_i = rates + M⁻¹Aᵀμ_i,   with μ_i such that φ̇ = R = 0 at s points of the polynomial of (1)  (2)
/// The last of these points is the end of the step. Gauss methods take the others from Lobatto's rule, which
/// makes them symmetric, with the order 2s of the method; Radau methods take their own nodes, and are then
/// those of index 2.
/// Preserves: the group; velocity constraints at the nodes to round-off (`ProjectableProblem`s; others are
/// projected after the step, and position rows are always); Gauss: quadratic integrals of unconstrained
/// motions, reversibility, energy without drift where the motion is reversible or integrable.
/// Does not preserve: energy exactly; symmetry where a projection had to act.
/// (1) is solved by fixed-point iteration, and where that is slow by Newton's method with one matrix a step
/// (`SmallProblem`s only). Nothing is carried from step to step, so a run can be taken up anywhere, bit for
/// bit; only `compensated` runs carry rounding.
/// Source: Munthe-Kaas 1999; Jay 2009 for constraints at Lobatto's points; Hairer, McLachlan, Razakarivony
/// 2008 for round-off.
namespace dalembert {

/// What a `Collocation` is to do besides stepping.
struct CollocationOptions {
  bool constrain =
      true;  ///< hold constraints at the nodes; otherwise they drift with the order of the method
  bool compensated =
      false;  ///< carry the rounding of a step over to the next one (Kahan), for very long runs
};

/// Workspace of `Collocation` for the problem P.
template <collocation::Family F, Problem P>
class CollocationStepper {
  static_assert(!PackReal<typename P::Scalar>,
                "collocation iterates until each state has converged: it steps no packs of numbers");

 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// For states of the shape of `state`.
  CollocationStepper(const P& problem, const State& state, const CollocationOptions& options)
      : options_(options),
        stages_(problem, state),
        before_(state),
        after_(state),
        carry_(problem.make_increment()) {}

  /// Move `state` on by h [s]; h may be negative. The report's `error` is |h| times the defect of the
  /// polynomial at the start of the step, in the units of the increments: cautious, being of order s + 1;
  /// `iterations` counts sweeps over the stages. Whatever the problem throws passes through, and `state` is
  /// then as before.
  [[nodiscard]] StepReport<Scalar> step(const P& problem, State& state, Scalar h) {
    has_step_ = false;
    check_step(problem, state, h, options_.constrain);
    stages_.begin(problem, state, h);
    StepReport<Scalar> report = stages_.solve(problem, state, options_.constrain);
    finish(problem, state, h, report);
    before_ = state;
    state = after_;
    if (options_.compensated) carry_of_.note(state, h);
    has_step_ = true;
    return report;
  }

  /// The collocation polynomial at the fraction `theta` of the last step, 0 ≤ θ ≤ 1: an error like
  /// h^(s+1) inside the step. Throws std::invalid_argument if there is no last step.
  [[nodiscard]] StepReport<Scalar> interpolate(const P& problem, Scalar theta, State& out) {
    require(has_step_, "Collocation", "last step", "none", "there must be a step to interpolate");
    if (theta == Scalar(1)) {
      out = after_;
    } else {
      stages_.at(problem, before_, theta, out);
      out.time = before_.time + theta * (after_.time - before_.time);
    }
    return {};
  }

  /// The state before the last step that succeeded.
  [[nodiscard]] const State& previous() const noexcept { return before_; }

  /// Forget what is carried over, and the last step.
  void reset() noexcept {
    carry_of_.forget();
    has_step_ = false;
  }

 private:
  /// after = state ⊕ h Σ b_j k_j, on the constraints.
  void finish(const P& problem, const State& state, Scalar h, StepReport<Scalar>& report) {
    typename P::Increment& offset = stages_.total();
    if (options_.compensated && carry_of_.is(state)) offset.add_scaled(Scalar(1), carry_);
    problem.retract(state, offset, after_);
    problem.solve_algebraic(after_);
    after_.time = state.time + h;
    if constexpr (CoordinateProblem<P>) {
      if (options_.compensated) {
        carry_ = offset;
        carry_.add_scaled(Scalar(-1), problem.difference(state, after_));
        carry_.time = 0;
      }
    }
    if (!options_.constrain) return;
    if constexpr (ProjectableProblem<P>) {  // rows of order 1 hold already
      const auto violation = problem.constraint(after_);
      if (violation.position <= 4 * std::numeric_limits<Scalar>::epsilon() &&
          violation.velocity <= 16 * stages_.rounding())
        return;
    }
    const auto projection = problem.project(after_);
    report.converged = report.converged && projection.converged;
    after_.time = state.time + h;
  }

  CollocationOptions options_;
  detail::CollocationStages<F, P> stages_;
  State before_;
  State after_;
  typename P::Increment carry_;
  detail::LastState<State> carry_of_{};
  bool has_step_ = false;
};

/// A collocation method of the family F, `collocation::Gauss<s>` or `collocation::Radau<s>`.
template <collocation::Family F>
struct Collocation {
  CollocationOptions options{};  ///< what it is to do besides stepping

  static constexpr int order = F::order;           ///< order of convergence
  static constexpr bool symmetric = F::symmetric;  ///< whether the adjoint method is the method itself
  /// Whether compositions gain order where there are velocity rows.
  static constexpr bool composes = F::symmetric;
  static constexpr int error_order = F::stages + 1;  ///< the estimate shrinks like h to this power
  static constexpr int dense_order = F::stages;      ///< order of interpolated states

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P, class State>
  [[nodiscard]] auto stepper(const P& problem, const State& state) const {
    check_problem<P>();
    if constexpr (!Problem<P>) {
    } else if constexpr (DualReal<typename P::Scalar>) {
      static_assert(!DualReal<typename P::Scalar>,
                    "collocation iterates until values have converged, which says nothing of derivatives: "
                    "numbers that carry them take an explicit Runge-Kutta method");
    } else {
      require(!options.compensated || CoordinateProblem<P>, "Collocation", "compensated", true,
              "the problem must be a CoordinateProblem (problem/concepts.hpp)");
      check_state(problem, state);
      return CollocationStepper<F, P>(problem, state, options);
    }
  }
};

/// Gauss with s stages, order 2s.
template <int Stages>
using Gauss = Collocation<collocation::Gauss<Stages>>;
/// Radau IIA with s stages, order 2s − 1.
template <int Stages>
using Radau = Collocation<collocation::Radau<Stages>>;

}  // namespace dalembert
