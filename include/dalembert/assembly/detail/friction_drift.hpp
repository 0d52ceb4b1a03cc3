#pragma once

#include <dalembert/assembly/detail/evaluator.hpp>
#include <dalembert/core/number.hpp>

/// The acceleration of position rows in a state that slips.
namespace dalembert::assembly::detail {

/// The part of φ̈ without accelerations, with the places that slide moving at ṡ: C(Ȧv + ḃ) + Ċ(A v +
/// b).
template <Constraint C>
[[nodiscard]] Vec<ScalarOf<C>, Evaluation<C>::P> error_drift(const Evaluator<C>& evaluator,
                                                             const Evaluation<C>& e,
                                                             const State<ScalarOf<C>>& at) {
  using S = ScalarOf<C>;
  using T1 = Dual<S, 1>;
  using T = Dual<T1, 1>;
  const T1 later = seed<T1>(0);
  const T step = seed<T>(0);
  const auto x = evaluator.template seen<T>([&](auto i) {
    const PointState<T1> from = evaluator.template later<i>(e, later);
    PointState<T> m = moving<T>(from);
    turn(m, Vec<T, 3>(m.W * step));
    m.R += m.V * step;
    return m;
  });
  const Vec<T, Evaluation<C>::P> phi = evaluator.position(x, T(T1(at.time) + later) + step);
  return slopes_of(slopes_of(phi));
}

/// The drift Ȧv + ḃ of rows of which some are friction becomes one by which C u stays zero while u does
/// not: Ċu is in it.
template <Constraint C>
void follow_errors(const Evaluator<C>& evaluator, Evaluation<C>& e, const State<ScalarOf<C>>& at) {
  if constexpr (has_friction<C> && Evaluation<C>::P > 0)
    if (e.friction.mobility > ScalarOf<C>(0))
      e.drift += e.friction.lift * (error_drift(evaluator, e, at) - e.along * e.drift);
}

}  // namespace dalembert::assembly::detail
