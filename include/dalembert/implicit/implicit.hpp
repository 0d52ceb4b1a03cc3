#pragma once

#include <memory>
#include <tuple>
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
struct ImplicitLists<std::tuple<std::vector<First>, std::vector<Rest>...>, std::tuple<std::vector<C>...>> {
  using S = typename First::Scalar;
  using Bodies = std::tuple<std::vector<First>, std::vector<Rest>...>;
  using Constraints = std::tuple<std::vector<C>...>;

  Bodies bodies;
  Constraints constraints;
  KindsOf<ImplicitBodies<S>, ImplicitOfBody<First>, ImplicitOfBody<Rest>...> body_kinds{
      std::get<std::vector<First>>(bodies), std::get<std::vector<Rest>>(bodies)...};
  KindsOf<ImplicitKind<S>, ImplicitOfConstraint<C>...> constraint_kinds{
      std::get<std::vector<C>>(constraints)...};
};

/// Of a problem, which has these lists.
template <class Problem, class Lists>
class ImplicitSystem : public ImplicitEquations<typename Lists::S> {
 public:
  ImplicitSystem(const Problem& problem, std::unique_ptr<Lists> lists)
      : ImplicitEquations<typename Lists::S>(lists->body_kinds.view(), lists->constraint_kinds.view()),
        lists_(std::move(lists)),
        room_(problem.make_workspace()) {}

  /// Onto the rows, along reactions, of which that is a part.
  void project(const Problem& problem, typename Problem::State& state) {
    if (this->is_constrained()) (void)problem.project(state, room_, true);
  }

 private:
  std::unique_ptr<Lists> lists_;  // they stay where they are when this is moved
  typename Problem::Workspace room_;
};

}  // namespace detail

/// Room to solve an implicit step of an assembly; see problem/implicit.hpp.
template <class... B, class... C>
[[nodiscard]] auto implicit_equations(const Assembly<Kinds<B...>, Kinds<C...>>& problem,
                                      const State<typename Assembly<Kinds<B...>, Kinds<C...>>::Scalar>& at) {
  problem.check_state(at);
  using Lists = detail::ImplicitLists<Kinds<B...>, Kinds<C...>>;
  return detail::ImplicitSystem<Assembly<Kinds<B...>, Kinds<C...>>, Lists>(
      problem, std::unique_ptr<Lists>(new Lists{problem.bodies(), problem.constraints()}));
}

}  // namespace dalembert::assembly
