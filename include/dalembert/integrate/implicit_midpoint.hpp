#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/integrate/check.hpp>
#include <dalembert/integrate/detail/implicit_step.hpp>
#include <dalembert/integrate/detail/last_state.hpp>
#include <dalembert/integrate/method.hpp>

/// The implicit midpoint rule on the group, and the discrete gradient method, for any `ImplicitProblem`. One
/// step of length h, with v̄ = ½(v₀ + v₁):
///   q₁ = q₀ ∘ h v̄,   M (v₁ − v₀) = h (f̄ + Aᵀλ)                                        (1)
///   positions hold in q₁; the other velocity rows hold for v̄ in the middle                           (2)
/// `ImplicitMidpoint` takes the loads f̄ in the middle, and puts v₁ onto the velocity rows in q₁.
/// `DiscreteGradient` takes loads that do exactly the work of the potential, and reactions that do none, so
/// that energy changes by the work of the other loads alone; its velocity rows hold in the mean of two nodes:
/// slip at the nodes of time is O(h²). Both are of second order. Where nothing acts from outside, linear and
/// angular momentum of bodies by themselves, or held to each other at their nodes by spherical joints and
/// welds, are conserved to round-off; with other joints `ImplicitMidpoint` conserves the linear one, and the
/// rest drifts by O(h²). Steps are bounded by accuracy and by Newton's method, not by the highest frequency.
/// The local error of positions is h³/12 times the rate of the acceleration, which the mean accelerations of
/// this step and the last one give:
///   e = h²/6 |ā_n − ā_{n−1}| h/(h + h′),   ā = (v₁ − v₀)/h                               (3)
/// and of the first step that and the acceleration at its beginning, with h′ = 0. Sources: Simo, Tarnow &
/// Wong 1992, Comput. Methods Appl. Mech. Eng. 100, 63; Gonzalez 1996, J. Nonlinear Sci. 6, 449.
namespace dalembert {

/// Workspace of `ImplicitMidpoint` and `DiscreteGradient` for the problem P.
template <ImplicitProblem P>
class MidpointStepper {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// For states of the shape of `state`.
  MidpointStepper(const P& problem, const State& state, LoadsAt loads, const NewtonOptions& newton)
      : equations_(implicit_equations(problem, state)),
        newton_(newton),
        next_(state),
        rates_(problem.make_rates()) {
    for (Past& p : past_) p.acceleration = equations_.make_columns();
    step_.loads = loads;
    step_.constant_velocity = step_.constant_acceleration = velocity_ = equations_.make_columns();
    step_.constant_velocity.set_zero();
  }

  /// Move `state` on by h [s], h > 0, in shorter steps where Newton's method does not find it, down to h/16.
  /// Whatever the problem throws passes through, as NoConvergence does, and `state` is then as before.
  [[nodiscard]] StepReport<Scalar> step(const P& problem, State& state, Scalar h) {
    check_step(problem, state, h, step_.loads == LoadsAt::middle);
    if (!last_.is(state)) equations_.forget();
    last_.forget();
    StepReport<Scalar> report;
    const bool follows = recall(problem, state);
    advance(problem, state, h, next_, 0, report);
    estimate(state, h, follows, report);
    std::swap(state, next_);
    last_.note(state, h);
    return report;
  }

  /// How far the last step went, the largest number of a node [m, rad].
  [[nodiscard]] Scalar displacement() const noexcept { return moved_; }

  /// Forget the multipliers and the matrix kept from the last step.
  void reset() noexcept { last_.forget(); }

  /// The state before the last step that succeeded.
  [[nodiscard]] const State& previous() const noexcept { return next_; }

  /// The multipliers of the last step, where its loads are taken.
  [[nodiscard]] const auto& multipliers() noexcept { return equations_.multipliers(); }

 private:
  using Equations = decltype(implicit_equations(std::declval<const P&>(), std::declval<const State&>()));

  static constexpr std::size_t halvings = 4;

  /// The mean acceleration of a step, its length and where it ended.
  struct Past {
    typename Equations::Columns acceleration{};
    Scalar length{}, end{};
    bool known = false;
  };

  /// Put what is known of the step that ended in `state` first: a step may be taken again from where another
  /// one began. Answers whether there was such a step; if not, the acceleration there stands for it.
  bool recall(const P& problem, const State& state) {
    const auto ended_here = [&](const Past& p) {
      using std::abs;
      return p.known && abs(p.end - state.time) <= Scalar(1e-6) * p.length;
    };
    if (!ended_here(past_[0]) && ended_here(past_[1])) std::swap(past_[0], past_[1]);
    if (ended_here(past_[0])) return true;
    problem.rates(state, rates_);
    past_[0].acceleration = rates_.xidot;
    return false;
  }
  /// Equation (3).
  void estimate(const State& from, Scalar h, bool follows, StepReport<Scalar>& report) {
    std::swap(past_[0], past_[1]);
    Past &now = past_[0], &last = past_[1];
    equations_.get_velocity(next_, now.acceleration);
    equations_.get_velocity(from, velocity_);
    now.acceleration.add_scaled(Scalar(-1), velocity_);
    velocity_ = now.acceleration;
    now.acceleration.set_zero();
    now.acceleration.add_scaled(Scalar(1) / h, velocity_);
    const Scalar before = follows ? last.length : Scalar(0);
    now.length = h;
    now.end = from.time + h;
    now.known = true;
    velocity_ = now.acceleration;
    velocity_.add_scaled(Scalar(-1), last.acceleration);
    report.error = h * h * h / (Scalar(6) * (h + before)) * velocity_.norm();
    moved_ = equations_.displacement().norm();
  }

  /// A step of h from one state to another, or two of half of it.
  void advance(const P& problem, const State& from, Scalar h, State& to, std::size_t depth,
               StepReport<Scalar>& report) {
    try {
      solve(from, h, report);
      return finish(problem, h, to);
    } catch (const InvalidState&) {  // it may be a correction that went too far
      equations_.forget();
      if (solved_ || depth == halvings) throw;
    }
    halfway_.reserve(halvings);
    while (halfway_.size() <= depth) halfway_.push_back(from);
    advance(problem, from, h / 2, halfway_[depth], depth + 1, report);
    advance(problem, halfway_[depth], h / 2, to, depth + 1, report);
  }
  void solve(const State& from, Scalar h, StepReport<Scalar>& report) {
    solved_ = false;
    if (step_.length != h) equations_.forget_factors();
    step_.length = h;
    step_.velocity = Scalar(1) / h;
    step_.acceleration = Scalar(2) / (h * h);
    equations_.get_velocity(from, velocity_);
    step_.constant_acceleration.set_zero();
    step_.constant_acceleration.add_scaled(Scalar(-2) / h, velocity_);
    equations_.displacement().set_zero();
    equations_.displacement().add_scaled(h, velocity_);
    equations_.start(from, step_);
    report.iterations = std::max(report.iterations, detail::solve_step(equations_, newton_, h, from.time));
    solved_ = true;
  }
  void finish(const P& problem, Scalar h, State& to) {
    equations_.check();
    step_.constant_acceleration.set_zero();  // room for −v₀
    step_.constant_acceleration.add_scaled(Scalar(-1), velocity_);
    equations_.finish(Scalar(2) / h, step_.constant_acceleration, to);
    if (step_.loads == LoadsAt::middle) equations_.project(problem, to);
  }

  Equations equations_;
  NewtonOptions newton_;
  State next_;
  std::vector<State> halfway_{};  // of steps that are halved, which stay where they are
  ImplicitStep<typename Equations::Columns, Scalar> step_{};
  typename Equations::Columns velocity_{};
  detail::LastState<State> last_{};
  bool solved_ = false;
  std::array<Past, 2> past_{};  // the last two steps
  typename P::Rates rates_;
  Scalar moved_{};
};

/// The implicit midpoint rule; see the head of this file.
struct ImplicitMidpoint {
  static constexpr int order = 2;           ///< order of convergence
  static constexpr bool symmetric = false;  ///< it is its own adjoint without constraints, not with them
  static constexpr int error_order = 3;     ///< the estimate shrinks like h to this power

  /// Where Newton's method begins, and its matrix: a run that goes on from a state is the uninterrupted one
  /// to `newton.tolerance`.
  static constexpr bool keeps_memory = true;

  NewtonOptions newton{};  ///< how its equations are solved

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P>
  [[nodiscard]] auto stepper(const P& problem, const typename P::State& state) const {
    static_assert(ImplicitProblem<P>,
                  "this is no ImplicitProblem (problem/implicit.hpp): implicit_equations(problem, "
                  "state) is missing; that of assemblies is in implicit/implicit.hpp");
    newton.check();
    return MidpointStepper<P>(problem, state, LoadsAt::middle, newton);
  }
};

/// The discrete gradient method; see the head of this file.
struct DiscreteGradient {
  static constexpr int order = 2;          ///< order of convergence
  static constexpr bool symmetric = true;  ///< whether the adjoint method is the method itself
  static constexpr int error_order = 3;    ///< the estimate shrinks like h to this power
  /// Velocity rows hold in the mean of two nodes: off them a step is no small change.
  static constexpr bool composes = false;

  /// Where Newton's method begins, and its matrix: a run that goes on from a state is the uninterrupted one
  /// to `newton.tolerance`.
  static constexpr bool keeps_memory = true;

  NewtonOptions newton{.tolerance = 0};  ///< how its equations are solved: to round-off

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P>
  [[nodiscard]] auto stepper(const P& problem, const typename P::State& state) const {
    static_assert(ImplicitProblem<P>,
                  "this is no ImplicitProblem (problem/implicit.hpp): implicit_equations(problem, "
                  "state) is missing; that of assemblies is in implicit/implicit.hpp");
    newton.check();
    return MidpointStepper<P>(problem, state, LoadsAt::between, newton);
  }
};

}  // namespace dalembert
