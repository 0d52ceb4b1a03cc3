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
  return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
    return detail::ImplicitSystem<Assembly<Kinds<B...>, Kinds<C...>>, Lists>(
        problem, std::unique_ptr<Lists>(
                     new Lists{{problem.template bodies<I>()...}, {problem.template constraints<J>()...}}));
  }
  (std::index_sequence_for<B...>{}, std::index_sequence_for<C...>{});
}

}  // namespace dalembert::assembly
