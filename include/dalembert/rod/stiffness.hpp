#pragma once

#include <concepts>

#include <dalembert/rod/body.hpp>
#include <dalembert/rod/detail/tangent.hpp>

/// The tangent stiffness of a rod as a body of an assembly, for its statics.
namespace dalembert::rod {

/// add(k, l, −∂f_k/∂(δr_l, Σ_l)) for all nodes k, l that share an element, f the loads of
/// `Rod::forces` with those at its ends; see rod/detail/tangent.hpp. Held degrees are treated like free ones.
template <class M, class R, class Add, class S = typename M::Scalar>
void add_stiffness(const Rod<M, R>& rod, const Chain<S>& chain, Add&& add) {
  const Loads<S>& loads = rod.parameters().loads;
  add_elements<S>(
      rod.elements(), detail::stiffness_of(loads.start, chain.rotation(0)),
      detail::stiffness_of(loads.finish, chain.rotation(rod.elements())),
      [&](Eigen::Index k) {
        return element_tangent<R>(rod.pose(chain, k), rod.material_at(k), rod.spacing());
      },
      add);
}

/// The same blocks without the derivatives that numbers carry, as Newton's method wants them. Of a rod alone:
/// what is derived from it may have other loads.
template <class B, class Add, DualReal S = typename B::Scalar, class R = typename B::Strains>
  requires(std::same_as<B, Rod<typename B::Material, R>>)
void add_stiffness_values(const B& rod, const Chain<S>& chain, Add&& add) {
  using T = number::Plain<S>;
  const auto at_node = [&](const EndLoad<S>& load, Eigen::Index k) {
    return detail::stiffness_of(load.template cast<T>(), chain.rotation(k).template cast<T>());
  };
  const Loads<S>& loads = rod.parameters().loads;
  add_elements<T>(
      rod.elements(), at_node(loads.start, 0), at_node(loads.finish, rod.elements()),
      [&](Eigen::Index k) {
        return element_tangent<R>(cast<T>(rod.pose(chain, k)), rod.material_at(k), value_of(rod.spacing()));
      },
      add);
}

}  // namespace dalembert::rod
