#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/integrate/method.hpp>

/// The symmetric family for nonholonomic systems, for any `StepAccelerationProblem`. One step of length h
/// from (q₀, ξ₀) to (q₁, ξ₁), with the mean velocity ξ̄ = ½(ξ₀ + ξ₁), and M, F and the
/// directions R_V of reactions taken in (q½, ξ̄):
///   M(q½)(ξ₁ − ξ₀)/h = F(q½, ξ̄) + R_V(q½)ᵀλ                                             (1)
///                         q½             q₁             velocity rows hold in
///   Leapfrog              q₀ ⊕ ½h ξ₀     q½ ⊕ ½h ξ₁     (q½, ξ̄)                       (2)
///   McLachlanPerlmutter   q₀ ⊕ ½h ξ₀     q½ ⊕ ½h ξ₁     (q₁, ξ₁)                     (3)
///   EnergyPreserving      q₀ ⊕ ½h ξ̄      q₀ ⊕ h ξ̄   (q½, ξ̄), and (1) with + αM ξ̄  (4)
/// All have order 2 and are their own adjoints, and the group is kept to round-off. Without rows (2) and (3)
/// are the method of Störmer and Verlet.
///   (2) takes one solve where M is constant and F depends on places only. Rows do not hold at nodes: what
///       they are worth changes sign from step to step, and where they depend on the place it may grow until
///       the motion is another one, at constant energy. Rows with constant coefficients hold.
///   (3) keeps the rows at nodes to round-off. Symmetric from states that obey the rows; others are led
///       onto them.
///   (4) finds α such that the energy changes by h times the power of reactions, friction and loads in (q½,
///   ξ̄), to round-off; |hα| ≤ ½, which is too little only where ξ̄ almost vanishes while M varies or
///     ℓ
///       depends on time. Rows as for (2).
/// Energy under (2) and (3), and its parts under (4), stay in a band on reversible systems, in which chaos
/// makes them wander; elsewhere they may drift, or grow exponentially. What is implicit is solved by
/// iteration from ξ₁ = ξ₀ until ξ₁ changes no more, for steps so short that h|∂F/∂ξ| and
/// h|∂A/∂q||ξ| are well below 1.
/// Source: McLachlan and Perlmutter 2006, eq. (4.18) for (3), and for (2); Celledoni, Farré Puiggalí,
/// Høiseth, Martín de Diego 2019 for (4), with the α of Gonzalez 1996; Modin and Verdier 2020 for what is
/// kept.
namespace dalembert {

/// What a rule of the symmetric family works with. A rule is a struct with the constant `composes`, and
///   advance(problem, from, h, work)  which leaves the state at the end of the step in `work.next`,
///     but for its
///   time
template <StepAccelerationProblem P>
class SymmetricWork {
 public:
  using Scalar = typename P::Scalar;                                         ///< the number type
  using State = typename P::State;                                           ///< a state of the problem
  using Velocity = std::remove_cvref_t<decltype(std::declval<State>().xi)>;  ///< a column of numbers

  State middle;             ///< (q½, ξ̄)
  State next;               ///< (q₁, ξ₁)
  typename P::Rates rates;  ///< of the last step

  /// For states of the shape of `state`.
  SymmetricWork(const P& problem, const State& state)
      : middle(state), next(state), rates(problem.make_rates()), offset_(problem.make_increment()) {}

  /// `to` becomes `from` moved with `velocity` for `span` [s], and has that velocity.
  void drift(const P& problem, const State& from, const Velocity& velocity, Scalar span, State& to) {
    // It may be that of `to`. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const Velocity carried = velocity;
    offset_.set_zero();
    offset_.eta = span * carried;
    offset_.time = span;
    problem.retract(from, offset_, to);
    problem.solve_algebraic(to);
    to.xi = carried;
  }

  /// What an iteration knows besides the change of ξ₁, as velocities.
  struct Outlook {
    Scalar pending{};  ///< a change that the next iteration will make
    Scalar noise{};    ///< by how much rounding may move ξ₁
  };

  /// Call `update`, which makes a new `next.xi` from the last one and returns an `Outlook`, until `next.xi`
  /// stays where it is but for rounding, or has not after 50 times.
  template <class Update>
  [[nodiscard]] StepReport<Scalar> iterate(Update&& update) {
    constexpr int most_iterations = 50, patience = 5;
    const Scalar epsilon = std::numeric_limits<Scalar>::epsilon();
    Scalar least = std::numeric_limits<Scalar>::infinity();
    StepReport<Scalar> report{.converged = false};
    for (int idle = 0; !report.converged && report.iterations < most_iterations;) {
      const Velocity before = next.xi;
      const Outlook outlook = update();
      const Scalar change = std::max(size(next.xi - before), outlook.pending), scale = size(next.xi);
      ++report.iterations;
      idle = change < least ? 0 : idle + 1;
      least = std::min(least, change);
      // Places far from the origin round more coarsely than velocities: there it is patience that tells.
      const bool small = change < outlook.noise + Scalar(1e4) * epsilon * scale,
                 small_enough = change * change < epsilon * scale * scale;
      // A velocity that is only rounding may go to zero for ever, by a factor in each iteration.
      const bool nothing = change <= epsilon * epsilon * scale;
      report.converged = nothing || (idle > 0 && small) || (idle >= patience && small_enough);
    }
    return report;
  }

 private:
  template <class Column>
  [[nodiscard]] Scalar size(const Column& velocity) {
    offset_.set_zero();
    offset_.eta = velocity;
    return offset_.norm();
  }

  typename P::Increment offset_;
};

/// (2).
struct Leapfrog {
  /// Off the rows a step is no small change: what they are worth changes sign.
  static constexpr bool composes = false;

  /// See `SymmetricWork`.
  template <StepAccelerationProblem P>
  [[nodiscard]] static StepReport<typename P::Scalar> advance(const P& problem, const typename P::State& from,
                                                              typename P::Scalar h, SymmetricWork<P>& work) {
    using S = typename P::Scalar;
    StepReport<S> report{.iterations = 1};
    work.drift(problem, from, from.xi, h / 2, work.middle);
    const auto update = [&] {
      problem.step_acceleration(work.middle, work.middle, from.xi, h / 2, work.rates);
      work.next.xi = from.xi + h * work.rates.xidot;
      return typename SymmetricWork<P>::Outlook{};
    };
    if constexpr (P::step_acceleration_is_explicit) {
      update();
    } else {
      work.next.xi = from.xi;
      report = work.iterate([&] {
        work.middle.xi = (from.xi + work.next.xi) / 2;
        return update();
      });
    }
    work.drift(problem, work.middle, work.next.xi, h / 2, work.next);
    return report;
  }
};

/// (3).
struct McLachlanPerlmutter {
  static constexpr bool composes = true;  ///< compositions reach the order that their weights promise

  /// See `SymmetricWork`.
  template <StepAccelerationProblem P>
  [[nodiscard]] static StepReport<typename P::Scalar> advance(const P& problem, const typename P::State& from,
                                                              typename P::Scalar h, SymmetricWork<P>& work) {
    using S = typename P::Scalar;
    work.drift(problem, from, from.xi, h / 2, work.middle);
    work.next.xi = from.xi;
    const StepReport<S> report = work.iterate([&] {
      work.middle.xi = (from.xi + work.next.xi) / 2;
      work.drift(problem, work.middle, work.next.xi, h / 2, work.next);
      problem.step_acceleration(work.middle, work.next, from.xi, h, work.rates);
      work.next.xi = from.xi + h * work.rates.xidot;
      return typename SymmetricWork<P>::Outlook{};
    });
    work.drift(problem, work.middle, work.next.xi, h / 2, work.next);
    return report;
  }
};

/// (4).
struct EnergyPreserving {
  /// Off the rows a step is no small change: what they are worth changes sign.
  static constexpr bool composes = false;

  /// See `SymmetricWork`.
  template <StepAccelerationProblem P>
  [[nodiscard]] static StepReport<typename P::Scalar> advance(const P& problem, const typename P::State& from,
                                                              typename P::Scalar h, SymmetricWork<P>& work) {
    using S = typename P::Scalar;
    using Velocity = typename SymmetricWork<P>::Velocity;
    const S start = problem.energy(from);
    S alpha = 0;
    work.next.xi = from.xi;
    return work.iterate([&] {
      const Velocity mean = (from.xi + work.next.xi) / 2;
      work.drift(problem, from, mean, h / 2, work.middle);
      // The rows are to hold for the velocity with the correction, whether they are linear or affine.
      problem.step_acceleration(work.middle, work.middle, from.xi + (h / 2 * alpha) * mean, h / 2,
                                work.rates);
      const Velocity end = from.xi + h * (work.rates.xidot + alpha * mean);
      work.middle.xi = (from.xi + end) / 2;
      work.drift(problem, from, work.middle.xi, h, work.next);
      work.next.xi = end;
      return correct(problem, start, h, work, alpha);
    });
  }

 private:
  /// A step of Newton's method for α.
  template <class P, class S = typename P::Scalar>
  static typename SymmetricWork<P>::Outlook correct(const P& problem, S start, S h, SymmetricWork<P>& work,
                                                    S& alpha) {
    using std::abs;
    const auto power = problem.power(work.middle, work.rates);
    const S end = problem.energy(work.next), moving = problem.energy(work.middle);
    const auto mean = work.middle.xi;
    work.middle.xi = S(0) * mean;
    // ξ̄·Mξ̄, whatever else ℓ contains
    const S twice_kinetic = 2 * (moving - problem.energy(work.middle));
    work.middle.xi = mean;
    const S energies = abs(start) + abs(end) + abs(moving);
    const S rounding = std::numeric_limits<S>::epsilon() * energies;
    const S defect = end - start - h * (power.constraint + power.dissipation + power.load);
    // Where a motion turns round, a correction along ξ̄ cannot mend what is rounding.
    const bool slow = twice_kinetic < S(1e-6) * energies;
    if (!(twice_kinetic > 0) || (slow && abs(defect) <= 4 * rounding)) return {};
    const S most = S(0.5) / abs(h), fastest = mean.cwiseAbs().maxCoeff();
    const S wanted =
        alpha - defect / (h * twice_kinetic);  // what is cut off stays pending: the energy is not met
    const S before = std::exchange(alpha, std::clamp(wanted, -most, most));
    return {.pending = abs(h * (wanted - before)) * fastest,
            .noise = 16 * rounding / twice_kinetic * fastest};
  }
};

/// Workspace of `Symmetric` for the problem P.
template <class Rule, StepAccelerationProblem P>
class SymmetricStepper {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// For states of the shape of `state`.
  SymmetricStepper(const P& problem, const State& state) : work_(problem, state) {}

  /// Move `state` on by h [s], not 0; h may be negative. Whatever the problem throws passes through, and
  /// `state` is then as before.
  [[nodiscard]] StepReport<Scalar> step(const P& problem, State& state, Scalar h) {
    check_step(problem, state, h, true);
    const StepReport<Scalar> report = Rule::advance(problem, state, h, work_);
    work_.next.time = state.time + h;
    std::swap(state, work_.next);
    return report;
  }

  /// Nothing is kept from step to step: a run that is stopped and started again repeats itself bit for bit.
  void reset() noexcept {}

  /// The acceleration of the last step and the multipliers of its reactions.
  [[nodiscard]] const typename P::Rates& rates() const noexcept { return work_.rates; }

  /// The state before the last step that succeeded.
  [[nodiscard]] const State& previous() const noexcept { return work_.next; }

 private:
  SymmetricWork<P> work_;
};

/// A method of the symmetric family; see the head of this file.
template <class Rule>
struct Symmetric {
  static constexpr int order = 2;          ///< order of convergence
  static constexpr bool symmetric = true;  ///< whether the adjoint method is the method itself
  static constexpr int error_order = 0;    ///< power of h in the error estimate, 0 without one
  /// Whether compositions gain order where there are velocity rows.
  static constexpr bool composes = Rule::composes;

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P, class State>
  [[nodiscard]] auto stepper(const P& problem, const State& state) const {
    check_impulse_problem<P>();
    if constexpr (!StepAccelerationProblem<P>) {
    } else if constexpr (DualReal<typename P::Scalar>) {
      static_assert(
          !DualReal<typename P::Scalar>,
          "symmetric methods iterate until values have converged, which says nothing of derivatives: "
          "numbers that carry them take an explicit Runge-Kutta method");
    } else {
      return SymmetricStepper<Rule, P>(problem, state);
    }
  }
};

/// Cheapest, for reversible systems and those without rows.
using NonholonomicLeapfrog = Symmetric<Leapfrog>;
/// The default of the family: rows at nodes.
using NonholonomicMcLachlanPerlmutter = Symmetric<McLachlanPerlmutter>;
/// Energy to round-off.
using NonholonomicEnergyPreserving = Symmetric<EnergyPreserving>;

}  // namespace dalembert
