#pragma once

#include <utility>

#include <dalembert/rod/body.hpp>
#include <dalembert/rod/detail/tangent.hpp>

/// The tangent stiffness of a rod as a body of an assembly, for its statics.
namespace dalembert::rod {

/// add(k, l, −∂f_k/∂(δr_l, Σ_l)) for all nodes k, l that share an element, f the loads of `Rod::forces`; see rod/detail/tangent.hpp. Held degrees
/// are treated like free ones. Allocates.
template <class M, class R, class Add>
void add_stiffness(const Rod<M, R>& rod, const Chain<typename M::Scalar>& chain, Add&& add) {
  BlockTridiagonal<typename M::Scalar> stiffness(rod.nodes());
  assemble_tangent(rod, chain, stiffness);
  for (Eigen::Index k = 0; k < rod.nodes(); ++k) {
    add(k, k, stiffness.diagonal(k));
    if (k + 1 == rod.nodes()) break;
    add(k, k + 1, stiffness.upper(k));
    add(k + 1, k, stiffness.lower(k));
  }
}

}  // namespace dalembert::rod
