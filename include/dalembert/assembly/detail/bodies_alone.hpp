#pragma once

#include <dalembert/assembly/detail/constraint_list.hpp>
#include <dalembert/assembly/report.hpp>

/// The solution of an assembly's equations where there are no constraints: there is nothing to solve, and nothing of the solver is compiled.
namespace dalembert::assembly::detail {

template <class S, class Bodies, class Constraints>
class Solution;

/// Of bodies alone.
template <class S, class Bodies>
class Solution<S, Bodies, ConstraintList<S>> {
 public:
  using Constraints = ConstraintList<S>;
  using Workspace = typename Constraints::Workspace;

  Solution(const Bodies&, const Constraints&, std::size_t, Workspace&) noexcept {}
  template <class... T>
  void find(const T&...) {}
  template <class... T>
  SolveReport solve_multipliers(const T&...) {
    return {};
  }
  template <class... T>
  Projection<S> stop(const T&...) {
    return {};
  }
  template <class... T>
  Projection<S> stop_and_react(const T&...) {
    return {};
  }
  template <class... T>
  Projection<S> close(const T&...) {
    return {};
  }
};

}  // namespace dalembert::assembly::detail
