#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/assembly/detail/constraint_work.hpp>
#include <dalembert/assembly/detail/products.hpp>
#include <dalembert/assembly/detail/segments.hpp>
#include <dalembert/assembly/detail/tangency.hpp>

/// What constraints of one kind say in a state, and what is asked of them outside the solution for
/// multipliers. `first` is the slot of the first of a list, `e` its evaluations.
namespace dalembert::assembly::detail {

/// Whether what a constraint says is small enough for one piece of code: it has coefficients, or rows by
/// nodes, and no derivatives of its own functions.
template <class K>
inline constexpr bool is_small = by_nodes<K> || ConstraintTraits<K>::Has::coefficients;

/// The part of φ̈ without accelerations, with the places that slide moving at ṡ: C(Ȧv + ḃ) + Ċ(A v +
/// b).
template <Constraint C, class S = ScalarOf<C>>
[[nodiscard]] Vec<S, Evaluation<C>::P> error_drift(const Evaluator<C>& evaluator, const Evaluation<C>& e,
                                                   const State<S>& at) {
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
  return slopes_of(slopes_of(evaluator.position(x, T(T1(at.time) + later) + step)));
}

/// The drift Ȧv + ḃ of rows of which some are friction becomes one by which C u stays zero while u does
/// not: Ċu is in it.
template <Constraint C, class S = ScalarOf<C>>
void follow_errors(const Evaluator<C>& evaluator, Evaluation<C>& e, const State<S>& at) {
  if constexpr (has_friction<C> && Evaluation<C>::P > 0)
    if (e.friction.mobility > S(0))
      e.drift += e.friction.lift * (error_drift(evaluator, e, at) - e.along * e.drift);
}
/// ż and Ȧv + ḃ of one constraint at the places found, and the weights of its nodes.
template <class K, class S>
void find_rates(const K& c, const State<S>& x, const S* weights, Evaluation<K>& e) {
  const Evaluator<K> evaluator(c);
  find_velocities(evaluator, x, e, weights);
  if constexpr (ConstraintTraits<K>::internal_count > 0) e.zdot = rate_of_places(evaluator, e, x);
  evaluator.find_drift(e, x);
  follow_errors(evaluator, e, x);
}
/// Solve the tangencies for the internal coordinates of `x`, of all constraints or but for those that
/// follow their rates. Throws NoConvergence.
template <class K, class S>
void solve_tangencies(const std::vector<K>& list, const Slot& first, State<S>& x, bool all) {
  if constexpr (ConstraintTraits<K>::internal_count > 0)
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Slot slot = slot_of<K>(first, i, i);
      const Evaluator<K> evaluator(list[i]);
      Evaluation<K> e;
      if constexpr (ConstraintTraits<K>::Has::tangency) {
        if (all || !follows_rates(list[i])) {
          solve_tangency(evaluator, slot.number, x, slot.z, e, static_cast<S*>(nullptr), S(0));
          continue;
        }
      }
      find_points(evaluator, x, slot.z, e, static_cast<S*>(nullptr));  // are there such places?
    }
}
/// The internal coordinates of constraint `number` after h; see `ConstraintList::slide`.
template <class K, class S>
void slide(const K& c, const Slot& first, std::size_t number, const State<S>& at,
           const Vec<S, Eigen::Dynamic>& zdot, S h, State<S>& x, bool in_middle) {
  constexpr int Z = Evaluation<K>::Z;
  if constexpr (Z > 0) {
    const int z = slot_of<K>(first, number, 0).z;
    Vec<S, Z> rate = take<Z>(zdot, z);
    if (in_middle && follows_rates(c)) {
      const Evaluator<K> evaluator(c);
      Evaluation<K> e;
      find_middle(evaluator, at, h, x, z, e);
      find_slopes(evaluator, x, e);
      rate = rate_of_places(evaluator, e, x);
    }
    for (int j = 0; j < Z; ++j) x.z[z + j] = at.z[z + j] + h * rate[j];
  }
}

}  // namespace dalembert::assembly::detail
