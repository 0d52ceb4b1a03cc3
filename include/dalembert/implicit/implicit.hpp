#pragma once

#include <memory>
#include <utility>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/implicit/detail/implicit_system.hpp>

/// Implicit steps of assemblies: what `ImplicitMidpoint`, `DiscreteGradient` and `GeneralizedAlpha` ask for.
/// Bodies say their stiffness (rod/implicit.hpp for rods); constraints may be all but those on strings.
namespace dalembert::assembly {

/// Room to solve an implicit step of an assembly; see problem/implicit.hpp.
template <class... B, class... C>
[[nodiscard]] auto implicit_equations(const Assembly<Kinds<B...>, Kinds<C...>>& problem,
                                      const State<typename Assembly<Kinds<B...>, Kinds<C...>>::Scalar>& at) {
  problem.check_state(at);
  using Lists = detail::ImplicitLists<Kinds<B...>, Kinds<C...>>;
  return detail::ImplicitSystem<Assembly<Kinds<B...>, Kinds<C...>>, Lists>(
      problem, std::unique_ptr<Lists>(new Lists{problem.body_lists(), problem.constraint_lists()}));
}

}  // namespace dalembert::assembly
