#pragma once

#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/detail/kinds_of.hpp>
#include <dalembert/implicit/detail/implicit_equations.hpp>

/// Implicit steps of assemblies: what `ImplicitMidpoint`, `DiscreteGradient` and `GeneralizedAlpha` ask for.
/// Bodies say their stiffness (rod/implicit.hpp for rods); constraints may be all but those on strings.
namespace dalembert::assembly {

namespace detail {

/// Bodies and constraints of the kinds of two tuples of lists, which an implicit step steps.
template <class Bodies, class Constraints>
struct ImplicitLists;

template <Body First, Body... Rest, Constraint... C>
struct ImplicitLists<Kinds<First, Rest...>, Kinds<C...>> {
  using S = typename First::Scalar;

  template <class Problem>
  explicit ImplicitLists(const Problem& problem)
      : bodies(problem.bodies()), constraints(problem.constraints()) {}

  Kinds<First, Rest...> bodies;
  Kinds<C...> constraints;
  KindsOf<ImplicitBodies<S>, ImplicitOfBody<First>, ImplicitOfBody<Rest>...> body_kinds{bodies};
  KindsOf<ImplicitKind<S>, ImplicitOfConstraint<C>...> constraint_kinds{constraints};
};

/// Of a problem, which has these lists.
template <class Problem, class Lists>
class ImplicitSystem : public ImplicitEquations<typename Lists::S> {
 public:
  /// `lists` are one.
  ImplicitSystem(const Problem& problem, std::vector<Lists> lists)
      : ImplicitEquations<typename Lists::S>(lists[0].body_kinds.view(), lists[0].constraint_kinds.view()),
        lists_(std::move(lists)),
        room_(problem.make_workspace()) {}
  ImplicitSystem(ImplicitSystem&&) noexcept = default;
  ImplicitSystem& operator=(ImplicitSystem&&) noexcept = default;

  /// Onto the rows, along reactions, of which that is a part.
  void project(const Problem& problem, typename Problem::State& state) {
    if (this->is_constrained()) (void)problem.project(state, room_, assembly::Along::reactions);
  }

 private:
  std::vector<Lists> lists_;  // they stay where they are when this is moved
  typename Problem::Workspace room_;
};

}  // namespace detail

/// Room to solve an implicit step of an assembly; see problem/implicit.hpp.
template <class... B, class... C, class S>
[[nodiscard]] auto implicit_equations(const Assembly<Kinds<B...>, Kinds<C...>>& problem, const State<S>& at) {
  problem.check_state(at);
  using Lists = detail::ImplicitLists<Kinds<B...>, Kinds<C...>>;
  return detail::ImplicitSystem(problem, std::vector<Lists>(&problem, &problem + 1));
}

}  // namespace dalembert::assembly
