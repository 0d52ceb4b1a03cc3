#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <dalembert/integrate/method.hpp>
#include <dalembert/integrate/tableau.hpp>

/// Explicit Runge–Kutta methods on a group (Runge–Kutta–Munthe-Kaas), for any `Problem`.
///   u_i = h Σ_{j<i} a_ij k_j,   y_i = y ⊕ u_i,   k_i = (dexp⁻¹_{u_i} ξ_i, ξ̇_i, ż_i, 1),   y⁺ = y ⊕ h Σ b_i k_i
/// The group is kept to round-off whatever h is; constraints are kept only to the order of the method, or to
/// round-off with `.project = true`. Source: Munthe-Kaas 1999, algorithm 3.
namespace dalembert {

namespace detail {

/// Call f(integral_constant 0), …, f(integral_constant N−1).
template <int N, class F>
constexpr void for_each_stage(F&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }
  (std::make_index_sequence<static_cast<std::size_t>(N)>{});
}

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
        slopes_(make_slopes(problem, std::make_index_sequence<stages>{})),
        project_(project) {}

  /// Move `state` on by h [s]; h may be negative. The report's `error` is the maximum norm of the embedded estimate, in the
  /// units of the increments. Whatever the problem throws passes through, and `state` is then as before.
  [[nodiscard]] StepReport<Scalar> step(const P& problem, State& state, Scalar h) {
    if (!holds_rates_of(state)) problem.rates(state, rates_);
    rates_of_stage_ = false;
    offset_.set_zero();
    problem.slope(state, offset_, rates_, slopes_[0]);
    detail::for_each_stage<Tableau::stages - 1>([&](auto index) {
      constexpr std::size_t i = index + 1;
      combine<i>(Tableau::template a<Scalar>[i], h);
      problem.retract(state, offset_, stage_);
      problem.complete(stage_);
      if constexpr (Tableau::first_same_as_last && i + 1 == stages) stage_.time = state.time + h;
      problem.rates(stage_, rates_);
      problem.slope(stage_, offset_, rates_, slopes_[i]);
    });
    if constexpr (!Tableau::first_same_as_last) {
      combine<stages>(Tableau::template b<Scalar>, h);
      problem.retract(state, offset_, stage_);
      problem.complete(stage_);
    }
    StepReport<Scalar> report;
    if constexpr (tableau::Embedded<Tableau>) {
      combine<stages>(Tableau::template error<Scalar>, h);
      report.error = offset_.norm();
    }
    if (project_) {
      const auto projection = problem.project(stage_);
      report.converged = projection.converged;
      report.iterations = projection.iterations;
    }
    stage_.time = state.time + h;
    state = stage_;
    rates_of_stage_ = Tableau::first_same_as_last && !project_;
    return report;
  }

  /// Forget the rates kept from the end of the last step.
  void reset() noexcept { rates_of_stage_ = false; }

 private:
  static constexpr auto stages = static_cast<std::size_t>(Tableau::stages);
  using Slopes = std::array<typename P::Increment, stages>;

  template <std::size_t... I>
  static Slopes make_slopes(const P& problem, std::index_sequence<I...>) {
    return {((void)I, problem.make_increment())...};
  }

  /// offset = h Σ_{j<Count} weights_j k_j; weights that are zero cost nothing.
  template <std::size_t Count, class Weights>
  void combine(const Weights& weights, Scalar h) {
    offset_.set_zero();
    detail::for_each_stage<static_cast<int>(Count)>([&](auto j) {
      if (weights[j] != Scalar(0)) offset_.add_scaled(h * weights[j], slopes_[j]);
    });
  }

  /// Whether `rates_` belongs to `state`; a state that was changed since the last step is noticed where states compare.
  bool holds_rates_of(const State& state) const {
    if constexpr (Tableau::first_same_as_last && std::equality_comparable<State>) {
      return rates_of_stage_ && state == stage_;
    } else {
      return rates_of_stage_ && state.time == stage_.time;
    }
  }

  State stage_;
  typename P::Rates rates_;
  typename P::Increment offset_;
  Slopes slopes_;
  bool project_;
  bool rates_of_stage_ = false;
};

/// A method described by its tableau.
template <tableau::Explicit Tableau>
struct ExplicitRungeKutta {
  bool project = false;  ///< project onto the constraints after each step, in the kinetic-energy metric

  static constexpr int order = Tableau::order;  ///< order of convergence
  static constexpr bool symmetric = false;      ///< whether the adjoint method is the method itself
  /// The embedded estimate shrinks like h to this power; 0 without one.
  static constexpr int error_order = [] {
    if constexpr (tableau::Embedded<Tableau>) return Tableau::embedded_order + 1;
    return 0;
  }();

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P, class State>
  [[nodiscard]] auto stepper(const P& problem, const State& state) const {
    check_problem<P>();
    if constexpr (Problem<P>) return ExplicitRungeKuttaStepper<Tableau, P>(problem, state, project);
  }
};

/// The classical method of order 4.
using RungeKutta4 = ExplicitRungeKutta<tableau::RungeKutta4>;
/// Order 5 with error estimate; the default where a tolerance is given.
using DormandPrince54 = ExplicitRungeKutta<tableau::DormandPrince54>;

}  // namespace dalembert
