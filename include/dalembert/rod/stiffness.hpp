#pragma once

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/detail/tangent.hpp>

/// The tangent stiffness of a rod as a body of an assembly, for its statics.
namespace dalembert::rod {

namespace detail {

/// What the load at an end adds to the stiffness of its node, whose rotation is Λ: a force Λf turns by
/// Λ(Σ × f), a torque Λᵀm by (Λᵀm) × Σ.
template <class S>
[[nodiscard]] Mat<S, 6, 6> end_stiffness(const EndLoad<S>& load, const SO3<S>& rotation) {
  Mat<S, 6, 6> K;
  dalembert::detail::set_zero(K);
  const Triple<S> follower(load.follower_force), torque(rotation.inverse().act(load.moment));
  for (int j = 0; j < 3; ++j) {
    const Triple<S> unit(S(j == 0), S(j == 1), S(j == 2));
    const Vec<S, 3> of_force = rotation.act(cross(follower, unit));
    const Vec<S, 3> of_torque = cross(torque, unit);
    for (int i = 0; i < 3; ++i) {
      K(i, 3 + j) = of_force[i];
      K(3 + i, 3 + j) = -of_torque[i];
    }
  }
  return K;
}

}  // namespace detail

/// add(k, l, −∂f_k/∂(δr_l, Σ_l)) for all nodes k, l that share an element, f the loads of
/// `Rod::forces` with those at its ends; see rod/detail/tangent.hpp. Held degrees are treated like free ones.
template <class M, class R, class Add>
void add_stiffness(const Rod<M, R>& rod, const Chain<typename M::Scalar>& chain, Add&& add) {
  using S = typename M::Scalar;
  const Loads<S>& loads = rod.parameters().loads;
  add_elements<S>(
      rod.elements(), detail::end_stiffness(loads.start, chain.rotation(0)),
      detail::end_stiffness(loads.finish, chain.rotation(rod.elements())),
      [&](Eigen::Index k) {
        return element_tangent<R>(rod.pose(chain, k), rod.material_at(k), rod.spacing());
      },
      add);
}

}  // namespace dalembert::rod
