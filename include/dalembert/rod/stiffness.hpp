#pragma once

#include <utility>

#include <dalembert/rod/body.hpp>
#include <dalembert/rod/detail/tangent.hpp>

/// The tangent stiffness of a rod as a body of an assembly, for its statics.
namespace dalembert::rod {

/// add(k, l, −∂f_k/∂(δr_l, Σ_l)) for all nodes k, l that share an element, f the loads of `Rod::forces`; see
/// rod/detail/tangent.hpp. Held degrees are treated like free ones. Allocates.
template <class M, class R, class Add>
void add_stiffness(const Rod<M, R>& rod, const Chain<typename M::Scalar>& chain, Add&& add) {
  BlockTridiagonal<typename M::Scalar> stiffness(rod.nodes());
  assemble_tangent(rod, chain, stiffness);
  stiffness.each_block(add);
}

}  // namespace dalembert::rod
