#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <dalembert/integrate/method.hpp>

/// Compositions of a symmetric method Φ of order 2: one step of length h is Φ(γ₁h), then Φ(γ₂h) and
/// so on, with weights that read the same from both ends. Its order is 4 if Σγ = 1 and Σγ³ = 0, and 6 if
/// two more sums vanish, provided that Φ is smooth and close to the identity for short steps. A method that
/// keeps velocity rows in the mean of two nodes is not: what is composed of it stays of order 2 where the
/// rows' coefficients depend on the place. Some weights are negative: a problem must be one that can run
/// backwards. Source: Yoshida 1990; Hairer, Lubich and Wanner 2006, section V.3.2.
namespace dalembert {

namespace composition {

/// The weights of a composition.
template <class S, int Stages>
using Weights = std::array<S, static_cast<std::size_t>(Stages)>;

/// γ = 1/(4 − ∛4) and, in the middle, 1 − 4γ: order 4 with a longest stage of 0.66 h, where three
/// stages would need 1.7 h. Source: Suzuki 1990.
template <class S>
inline constexpr Weights<S, 5> order4 = [] {
  const S outer = S(0.41449077179437573714235406286076495L);
  return Weights<S, 5>{outer, outer, 1 - 4 * outer, outer, outer};
}();

/// Order 6 in nine stages, the longest of 0.8 h. Source: Kahan and Li 1997.
template <class S>
inline constexpr Weights<S, 9> order6 = {
    S(0.39216144400731413927925056L),  S(0.33259913678935943859974864L), S(-0.70624617255763935980996482L),
    S(0.08221359629355080023149045L),  S(0.79854399093482996339895035L), S(0.08221359629355080023149045L),
    S(-0.70624617255763935980996482L), S(0.33259913678935943859974864L), S(0.39216144400731413927925056L)};

}  // namespace composition

/// Workspace of `Composition` for the problem P, given the one of the method that is composed.
template <int Target, class Inner, Problem P>
class CompositionStepper {
 public:
  using Scalar = typename P::Scalar;  ///< the number type
  using State = typename P::State;    ///< a state of the problem

  /// For states of the shape of `state`.
  CompositionStepper(Inner inner, const State& state) : inner_(std::move(inner)), next_(state) {}

  /// Move `state` on by h [s]; h may be negative if the composed method's may. Iterations are the most that a
  /// stage took. Whatever the problem throws passes through, and `state` is then as before.
  [[nodiscard]] StepReport<Scalar> step(const P& problem, State& state, Scalar h) {
    if (interrupted_) forget_last_step(inner_);
    interrupted_ = true;
    next_ = state;
    StepReport<Scalar> report;
    for (const Scalar weight : weights) {
      const StepReport<Scalar> stage = inner_.step(problem, next_, weight * h);
      report.converged = report.converged && stage.converged;
      report.iterations = std::max(report.iterations, stage.iterations);
    }
    next_.time = state.time + h;
    std::swap(state, next_);
    interrupted_ = false;
    return report;
  }

  /// Forget what the composed method kept from its last step.
  void reset() { forget_last_step(inner_); }

  /// The state before the last step that succeeded.
  [[nodiscard]] const State& previous() const noexcept { return next_; }

 private:
  static constexpr auto weights = [] {
    if constexpr (Target == 4) return composition::order4<Scalar>;
    if constexpr (Target == 6) return composition::order6<Scalar>;
  }();

  Inner inner_;
  State next_;
  bool interrupted_ = false;
};

/// `Method` composed to the order `Target`, 4 or 6; see the head of this file.
template <class Method, int Target>
struct Composition {
  static_assert(Target == 4 || Target == 6, "Composition: there are weights for the orders 4 and 6");
  static_assert(SymmetricMethod<Method> && Method::order == 2,
                "Composition: the method that is composed must be symmetric and of order 2");
  static_assert(
      requires { Method::composes; },
      "Composition: the method that is composed must say by the constant `composes` whether compositions "
      "of it gain order where there are velocity rows");

  Method method{};  ///< what is composed

  /// Whether the order is gained where there are velocity rows.
  static constexpr bool composes = [] {
    if constexpr (requires { Method::composes; }) return static_cast<bool>(Method::composes);
    return false;
  }();
  static constexpr int order =
      composes ? Target : Method::order;   ///< order of convergence where there are velocity rows
  static constexpr bool symmetric = true;  ///< whether the adjoint method is the method itself
  static constexpr int error_order = 0;    ///< power of h in the error estimate, 0 without one

  /// The workspace for `problem` and states of the shape of `state`.
  template <class P, class State>
  [[nodiscard]] auto stepper(const P& problem, const State& state) const {
    check_problem<P>();
    if constexpr (MethodFor<Method, P>) {
      auto inner = method.stepper(problem, state);
      return CompositionStepper<Target, decltype(inner), P>(std::move(inner), state);
    }
  }
};

}  // namespace dalembert
