#pragma once

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/assembly/detail/kinds_of.hpp>
#include <dalembert/implicit/detail/implicit_equations.hpp>

/// The equations of an implicit step of an assembly, whose bodies and constraints are lists of several kinds.
namespace dalembert::assembly::detail {

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

}  // namespace dalembert::assembly::detail
