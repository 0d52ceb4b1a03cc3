#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/detail/evaluator.hpp>

/// Members of the evaluator of constraints that are out of its class, and what is asked of it besides.
namespace dalembert::assembly::detail {

template <Constraint C>
auto Evaluator<C>::tangency(const Evaluation<C>& e, const State<S>& at) const
    -> std::pair<Vec<S, Z>, Mat<S, Z>> {
  const Points& points = e.points;
  std::pair<Vec<S, Z>, Mat<S, Z>> result;
  if constexpr (by_nodes<C>) {
    result = c_.tangency(sight(e, at));
  } else if constexpr (Traits::Has::tangency_change) {
    const auto x = now(points);
    each([&](auto i) {
      if constexpr (MarkerOf<C, i>::slides) {
        constexpr int column = slide_of<i>();
        std::array<FrameChange<S>, N> moved;
        moved.fill({Vec<S, 3>(S(0), S(0), S(0)), Vec<S, 3>(S(0), S(0), S(0))});
        moved[i] = std::get<i>(places_).slid(points[i]);
        const Vec<S, Z> change = changing(x, moved);
        for (int j = 0; j < Z; ++j) result.second(j, column) = change[j];
      }
    });
    result.first = tangency(x);
  } else {
    using T = Dual<S, Z>;
    const auto x = seen<T>([&](auto i) {
      PointState<T> m = at_rest<T>(points[i]);
      if constexpr (MarkerOf<C, i>::slides) slide_along(m, points[i], seed<T>(slide_of<i>()));
      return m;
    });
    const auto f = tangency(x);
    for (int i = 0; i < Z; ++i) {
      result.first[i] = f[i].value();
      for (int j = 0; j < Z; ++j) result.second(i, j) = f[i].derivative(j);
    }
  }
  return result;
}

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
