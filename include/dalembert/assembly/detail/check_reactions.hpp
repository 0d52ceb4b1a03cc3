#pragma once

#include <type_traits>

#include <dalembert/assembly/detail/evaluator.hpp>

namespace dalembert::assembly::detail {

/// Throws what a constraint throws that is no longer valid with these multipliers.
template <Constraint C, class S = ScalarOf<C>>
void check_reactions(const C& c, const State<S>& x, const Evaluation<C>& e,
                     const std::type_identity_t<Vec<S, Evaluation<C>::R>>& lambda) {
  if constexpr (ConstraintTraits<C>::Has::check) {
    const Evaluator<C> evaluator(c);
    if constexpr (by_nodes<C>)
      c.check(lambda, evaluator.sight(e, x));
    else
      with_seen([&](const auto&... seen) { c.check(lambda, seen..., x.time); }, evaluator.now(e.points));
  }
}

}  // namespace dalembert::assembly::detail
