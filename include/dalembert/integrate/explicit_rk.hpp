#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/integrate/dense_output.hpp>
#include <dalembert/integrate/detail/last_state.hpp>
#include <dalembert/integrate/tableau.hpp>
#include <dalembert/integrate/tableau_dop853.hpp>

/// Explicit Runge–Kutta methods on a group (Runge–Kutta–Munthe-Kaas), for any `Problem`.
///   u_i = h Σ_{j<i} a_ij k_j,  y_i = y ⊕ u_i,  k_i = (dexp⁻¹_{u_i} ξ_i, ξ̇_i, ż_i, 1)
///   y⁺ = y ⊕ h Σ b_i k_i
///   within the step, y(t + θh) = y ⊕ h Σ b_i(θ) k_i
/// The slopes k_i are those of one ordinary differential equation, that of u in the chart at y, so orders,
/// estimates and interpolants are the classical ones. What is kept, and what is not:
///   the group            to round-off, whatever h is; between the ends of a step too
///   spatial frames       a change of frame commutes with a step, to round-off
///   algebraic internals  solved anew in every stage
///   constraints          rows linear in ξ with constant coefficients, to round-off; others drift by the
///                        order of the method; with `.project = true` all hold to round-off, after steps
///                        and between
///   energy, momenta      not kept: they drift in proportion to time, by the order of the method
///   reversibility        not kept: a step back undoes a step up to its error
/// Source: Munthe-Kaas 1999, algorithm 3; Hairer, Nørsett, Wanner 1993, chapter II.
namespace dalembert {

namespace detail {

/// f(i) for i = First, …, Last − 1: numbers known when compiling, or if not `unrolled` in a loop.
template <bool unrolled, std::size_t First, std::size_t Last, class F>
constexpr void each_stage(F&& f) {
  if constexpr (unrolled) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (f(std::integral_constant<std::size_t, First + I>{}), ...);
    }
    (std::make_index_sequence<Last - First>{});
  } else {
    for (std::size_t i = First; i < Last; ++i) f(i);
  }
}

/// So many copies.
template <std::size_t N, class T>
[[nodiscard]] std::array<T, N> copies(const T& one) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::array<T, N>{((void)I, one)...}; }
  (std::make_index_sequence<N>{});
}

/// What only an interpolant with stages of its own needs.
template <class Tableau, class P, bool HasLateStages>
struct LateStages {
  explicit LateStages(const P&) {}
};
template <class Tableau, class P>
struct LateStages<Tableau, P, true> {
  static constexpr std::size_t count = Tableau::dense_stages - Tableau::stages;
  explicit LateStages(const P& problem)
      : rates(problem.make_rates()), slopes(copies<count>(problem.make_increment())) {}

  typename P::Rates rates;
  std::array<typename P::Increment, count> slopes;
  bool ready = false;  // for the last step
};

}  // namespace detail

/// Workspace of `ExplicitRungeKutta` for the problem P.
template <tableau::Explicit Tableau, Problem P>
class ExplicitRungeKuttaStepper {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// For states of the shape of `state`; `project` as in `ExplicitRungeKutta`.
  ExplicitRungeKuttaStepper(const P& problem, const State& state, bool project)
      : stage_(state),
        rates_(problem.make_rates()),
        offset_(problem.make_increment()),
        slopes_(detail::copies<stages>(offset_)),
        late_(problem),
        begin_(state),
        project_(project) {}

  /// Move `state` on by h [s]; h may be negative. The report's `error` is the maximum norm of the embedded
  /// estimate, in the units of the increments. Whatever the problem throws passes through, and `state` is
  /// then as before.
  [[nodiscard]] StepReport<Scalar> step(const P& problem, State& state, Scalar h) {
    has_step_ = false;
    check_step(problem, state, h, project_);
    if (!holds_rates_of(state)) problem.rates(state, rates_);
    rates_of_stage_ = false;
    offset_.set_zero();
    problem.slope(state, offset_, rates_, slopes_[0]);
    detail::each_stage<unrolled, 1, stages>([&](const auto i) {
      combine(Tableau::template a<Number<Scalar>>[i], i, h);
      problem.retract(state, offset_, stage_);
      problem.solve_algebraic(stage_);
      if (Tableau::first_same_as_last && i + 1 == stages) stage_.time = state.time + h;
      problem.rates(stage_, rates_);
      problem.slope(stage_, offset_, rates_, slopes_[i]);
    });
    if constexpr (!Tableau::first_same_as_last) {
      combine(Tableau::template b<Number<Scalar>>, all, h);
      problem.retract(state, offset_, stage_);
      problem.solve_algebraic(stage_);
    }
    StepReport<Scalar> report;
    if constexpr (!PackReal<Scalar>) {
      report.error = estimate(h);
      if (project_) project(problem, stage_, report);
    }
    stage_.time = state.time + h;
    begin_ = state;
    state = stage_;
    length_ = h;
    rates_of_stage_ = Tableau::first_same_as_last && !project_;
    has_step_ = true;
    was_reset_ = false;
    if constexpr (compares_objects) ended_in_.note(state, h);
    if constexpr (PackReal<Scalar>) ended_at_ = &state;
    if constexpr (has_late_stages) late_.ready = false;
    return report;
  }

  /// The state at the fraction θ of the last step that succeeded, 0 ≤ θ ≤ 1, whatever became of its
  /// state since. With `.project = true` it is interpolated as it was before projection and then projected
  /// like the end of the step, so that constraints hold in between and both ends are met to round-off. The
  /// first call after a step of `DormandPrince853` evaluates the rates four times, one of which the next step
  /// need not repeat; the other methods evaluate none.
  /// Throws std::invalid_argument if there is no such step or θ lies outside. What the problem throws passes
  /// through, and `out` is then any state.
  [[nodiscard]] StepReport<Scalar> interpolate(const P& problem, Scalar theta,
                                               State& out) requires(tableau::Dense<Tableau>) {
    require(has_step_, "ExplicitRungeKutta", "last step", "none", "there must be a step to interpolate");
    require(theta >= 0 && theta <= 1, "ExplicitRungeKutta", "theta", theta,
            "the fraction of a step must lie in [0, 1]");
    if constexpr (has_late_stages) evaluate_late_stages(problem, out);
    const auto weights = Tableau::template dense_weights<Scalar>(theta);
    offset_.set_zero();
    detail::each_stage<unrolled, 0, Tableau::dense_stages>(
        [&](const auto j) { offset_.add_scaled(length_ * weights[j], slope(j)); });
    problem.retract(begin_, offset_, out);
    problem.solve_algebraic(out);
    StepReport<Scalar> report;
    if (project_) project(problem, out, report);
    out.time = begin_.time + theta * length_;
    return report;
  }

  /// Forget the rates kept from the end of the last step.
  void reset() noexcept {
    rates_of_stage_ = false;
    was_reset_ = true;
  }

  /// The state before the last step that succeeded.
  [[nodiscard]] const State& previous() const noexcept { return begin_; }

  /// The maximum norm of the increment of the last step that succeeded, in the units of the increments: how
  /// far it went.
  [[nodiscard]] Scalar displacement() {
    combine(Tableau::template b<Scalar>, all, length_);
    return offset_.norm();
  }

 private:
  static constexpr auto stages = static_cast<std::size_t>(Tableau::stages);
  static constexpr std::integral_constant<std::size_t, stages> all{};
  /// Increments of a fixed size: those of few numbers, whose stages are no loop.
  static constexpr bool unrolled = std::is_trivially_destructible_v<typename P::Increment>;
  static constexpr bool has_late_stages = [] {
    if constexpr (tableau::Dense<Tableau>) return Tableau::dense_stages > Tableau::stages;
    return false;
  }();
  static constexpr bool compares_objects = [] {
    if constexpr (PackReal<Scalar>) return false;
    if constexpr (!PackReal<Scalar>) return !std::equality_comparable<State>;
  }();
  struct NoState {};
  using EndedIn = std::conditional_t<compares_objects, detail::LastState<State>, NoState>;
  using Slopes = std::array<typename P::Increment, stages>;

  /// offset = h Σ_{j<count} weights_j k_j; weights that are zero cost nothing.
  template <class Weights, class Count>
  void combine(const Weights& weights, Count count, Scalar h) {
    const auto add = [&](const auto j) {
      if (weights[j] != 0) offset_.add_scaled(h * Scalar(weights[j]), slopes_[j]);
    };
    offset_.set_zero();
    if constexpr (unrolled)
      detail::each_stage<true, 0, Count::value>(add);
    else
      for (std::size_t j = 0; j < count; ++j) add(j);
  }

  /// The error estimate of a step of length h; 0 without one.
  Scalar estimate([[maybe_unused]] Scalar h) {
    using std::sqrt;
    if constexpr (!tableau::Embedded<Tableau>) return 0;
    if constexpr (tableau::Embedded<Tableau>) combine(Tableau::template error<Scalar>, all, h);
    const Scalar fine = offset_.norm();
    if constexpr (tableau::TwiceEmbedded<Tableau>) {
      combine(Tableau::template coarse_error<Scalar>, all, h);
      const Scalar ratio = offset_.norm() / fine;
      return fine == 0 ? fine : fine / sqrt(1 + Scalar(0.01) * ratio * ratio);
    }
    return fine;
  }

  void project(const P& problem, State& state, StepReport<Scalar>& report) const {
    const auto projection = problem.project(state);
    report.converged = projection.converged;
    report.iterations = projection.iterations;
  }

  /// k_i, be it of the step or of the interpolant.
  const typename P::Increment& slope(std::size_t i) const {
    if constexpr (has_late_stages)
      if (i >= stages) return late_.slopes[i - stages];
    return slopes_[i];
  }

  /// The slopes at the end of the step and in the stages of the interpolant, unless they are there; `room` is
  /// overwritten.
  void evaluate_late_stages(const P& problem, State& room) {
    if (late_.ready) return;
    combine(Tableau::template b<Scalar>, all, length_);
    if (project_) {  // the step ends before projection
      problem.retract(begin_, offset_, room);
      problem.solve_algebraic(room);
      problem.rates(room, late_.rates);
      problem.slope(room, offset_, late_.rates, late_.slopes[0]);
    } else {
      problem.rates(stage_, rates_);
      rates_of_stage_ = !was_reset_;  // the next step begins with them
      problem.slope(stage_, offset_, rates_, late_.slopes[0]);
    }
    for (std::size_t i = 1; i < late_.slopes.size(); ++i) {
      const auto& weights = Tableau::template late_a<Scalar>[i - 1];
      offset_.set_zero();
      for (std::size_t j = 0; j < stages + i; ++j)
        if (weights[j] != Scalar(0)) offset_.add_scaled(length_ * weights[j], slope(j));
      problem.retract(begin_, offset_, room);
      problem.solve_algebraic(room);
      problem.rates(room, late_.rates);
      problem.slope(room, offset_, late_.rates, late_.slopes[i]);
    }
    late_.ready = true;
  }

  /// Whether `rates_` belongs to `state`. A state that was changed since the last step is noticed where
  /// states compare, another state everywhere; packs go by where it lies.
  bool holds_rates_of(const State& state) const {
    if constexpr (PackReal<Scalar>) {
      return rates_of_stage_ && &state == ended_at_;
    } else if constexpr (compares_objects) {
      return rates_of_stage_ && state.time == stage_.time && ended_in_.is(state);
    } else {
      return rates_of_stage_ && state == stage_;
    }
  }

  State stage_;
  typename P::Rates rates_;
  typename P::Increment offset_;
  Slopes slopes_;
  [[no_unique_address]] detail::LateStages<Tableau, P, has_late_stages> late_;
  State begin_;
  [[no_unique_address]] EndedIn ended_in_{};
  const State* ended_at_ = nullptr;
  Scalar length_{};
  bool project_;
  bool rates_of_stage_ = false;
  bool has_step_ = false;
  bool was_reset_ = false;
};

/// A method described by its tableau.
template <tableau::Explicit Tableau>
struct ExplicitRungeKutta {
  bool project = false;  ///< project onto the constraints after each step, in the kinetic-energy metric

  static constexpr int order = Tableau::order;  ///< order of convergence
  static constexpr bool symmetric = false;      ///< whether the adjoint method is the method itself
  /// The error estimate shrinks like h to this power; 0 without one.
  static constexpr int error_order = tableau::error_power<Tableau>;
  /// Order of the interpolant, whose error in one step is like h to the power `dense_order` + 1; 0 without
  /// one.
  static constexpr int dense_order = [] {
    if constexpr (tableau::Dense<Tableau>) return Tableau::dense_order;
    return 0;
  }();

  /// The longest step times the angular frequency of an undamped oscillation that does not grow.
  [[nodiscard]] static double stability_limit() { return tableau::imaginary_limit<Tableau>(); }

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P, class State>
  [[nodiscard]] auto stepper(const P& problem, const State& state) const {
    check_problem<P>();
    if constexpr (Problem<P>) {
      check_state(problem, state);
      return ExplicitRungeKuttaStepper<Tableau, P>(problem, state, project);
    }
  }
};

/// The classical method of order 4.
using RungeKutta4 = ExplicitRungeKutta<tableau::RungeKutta4>;
/// Order 5 with error estimate; the default where a tolerance is given.
using DormandPrince54 = ExplicitRungeKutta<tableau::DormandPrince54>;
/// Order 8 with error estimate; the cheapest for smooth motions at tolerances below about 1e-7.
using DormandPrince853 = ExplicitRungeKutta<tableau::DormandPrince853>;

}  // namespace dalembert
