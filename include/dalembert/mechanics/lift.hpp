#pragma once

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/concepts.hpp>

/// Arguments with derivatives, for functions on a group: what is differentiated, and in which directions.
namespace dalembert::detail {

/// The internal coordinates of a system that has none.
template <class T>
[[nodiscard]] Vec<T, 0> no_internal() {
  return {};
}

/// g exp(η) at η = 0, with η as N independent variables.
template <int N, LieGroup G, class D = Dual<typename G::Scalar, N>>
[[nodiscard]] auto displaced(const G& g) {
  using Lifted = typename G::template rebind<D>;
  const Vec<typename G::Scalar, N> zero = Vec<typename G::Scalar, N>::Zero();
  return Lifted(g.template cast<D>() * Lifted::exp(seeded(zero)));
}

/// g exp(s ξ), with ξ a constant.
template <class D, LieGroup G>
[[nodiscard]] auto moved(const G& g, const typename G::Tangent& xi, const D& s) {
  using Lifted = typename G::template rebind<D>;
  Vec<D, G::dof> step;
  for (int i = 0; i < G::dof; ++i) step[i] = s * D(xi[i]);
  return Lifted(g.template cast<D>() * Lifted::exp(step));
}

}  // namespace dalembert::detail
