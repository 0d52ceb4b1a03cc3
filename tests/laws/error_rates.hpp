#pragma once

/// @file
/// How the position rows of an assembly change, as its constraints say it, for the laws of problems.

#include <utility>

#include <dalembert/assembly/assembly.hpp>

#include "laws/problem_laws.hpp"

namespace test {

template <class Bodies, class... C>
struct ErrorRates<dalembert::assembly::Assembly<Bodies, dalembert::assembly::Kinds<C...>>> {
  using P = dalembert::assembly::Assembly<Bodies, dalembert::assembly::Kinds<C...>>;

  /// C (A v + b) of every constraint; C is 1 where each row has a position.
  static Numbers of(const P& problem, const typename P::State& x) {
    Numbers all;
    const auto u = problem.row_velocities(x);
    int row = 0, z = 0;
    [[maybe_unused]] const auto kind = [&]<class K>(const std::vector<K>& list) {
      namespace inner = dalembert::assembly::detail;
      using Traits = dalembert::assembly::ConstraintTraits<K>;
      for (const K& c : list) {
        const inner::Evaluator<K> evaluator(c);
        inner::Evaluation<K> e;
        inner::find_points(evaluator, x, z, e, static_cast<typename P::Scalar*>(nullptr));
        evaluator.find_error(e, x.time);
        if constexpr (Traits::positions > 0)
          for (int i = 0; i < Traits::positions; ++i) {
            Number rate = 0;
            for (int r = 0; r < Traits::rows; ++r) rate += Number(e.along(i, r)) * Number(u[row + r]);
            all.push_back(rate);
          }
        row += Traits::rows;
        z += Traits::internal_count;
      }
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (kind(problem.template constraints<I>()), ...); }
    (std::index_sequence_for<C...>{});
    return all;
  }
};

}  // namespace test
