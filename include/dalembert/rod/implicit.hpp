#pragma once

#include <vector>

#include <dalembert/rod/body.hpp>
#include <dalembert/rod/detail/discrete_element.hpp>
#include <dalembert/rod/stiffness.hpp>

/// A rod in implicit steps: its loads by a discrete gradient, and its stiffness without allocations.
namespace dalembert::rod {

/// Room for the stiffness of a rod.
template <class S>
struct ImplicitRoom {
  BlockTridiagonal<S> stiffness;  ///< of its nodes
  std::vector<Stress<S>> stress;  ///< s̄ of each element
};

/// Room for this rod.
template <class M, class R>
[[nodiscard]] ImplicitRoom<typename M::Scalar> implicit_room(const Rod<M, R>& rod) {
  return {BlockTridiagonal<typename M::Scalar>(rod.nodes()),
          std::vector<Stress<typename M::Scalar>>(static_cast<std::size_t>(rod.elements()))};
}

namespace detail {

template <class S, class Add>
void tell_blocks(const BlockTridiagonal<S>& stiffness, Add&& add) {
  for (Eigen::Index k = 0; k < stiffness.blocks(); ++k) {
    add(k, k, stiffness.diagonal(k));
    if (k + 1 == stiffness.blocks()) break;
    add(k, k + 1, stiffness.upper(k));
    add(k + 1, k, stiffness.lower(k));
  }
}

/// The material that has this stress and this tangent at this strain, and stresses linear in the strain.
template <class S>
struct OsculatingMaterial {
  using Scalar = S;
  Strain<S> at;
  Stress<S> stress_there;
  Mat<S, 6, 6> stiffness;

  [[nodiscard]] Stress<S> stress(const Vec<S, 3>& stretch, const Vec<S, 3>& curvature) const {
    Stress<S> s = stress_there;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const S e = stretch[j] - at.stretch[j], k = curvature[j] - at.curvature[j];
        s.force[i] += stiffness(i, j) * e + stiffness(i, 3 + j) * k;
        s.moment[i] += stiffness(3 + i, j) * e + stiffness(3 + i, 3 + j) * k;
      }
    return s;
  }
  [[nodiscard]] S energy(const Vec<S, 3>& stretch, const Vec<S, 3>& curvature) const {
    const Stress<S> s = stress(stretch, curvature);
    S w(0);
    for (int i = 0; i < 3; ++i)
      w += S(0.5) * ((s.force[i] + stress_there.force[i]) * (stretch[i] - at.stretch[i]) +
                     (s.moment[i] + stress_there.moment[i]) * (curvature[i] - at.curvature[i]));
    return w;
  }
  [[nodiscard]] const Mat<S, 6, 6>& tangent(const Vec<S, 3>&, const Vec<S, 3>&) const noexcept {
    return stiffness;
  }
  [[nodiscard]] RestStrain<S> rest() const { return {at.stretch, at.curvature}; }
};

}  // namespace detail

/// The tangent stiffness as `add_stiffness` without room tells it.
template <class M, class R, class Add>
void add_stiffness(const Rod<M, R>& rod, const Chain<typename M::Scalar>& chain,
                   ImplicitRoom<typename M::Scalar>& room, Add&& add) {
  assemble_tangent(rod, chain, room.stiffness);
  detail::tell_blocks(room.stiffness, add);
}

/// `Rod::forces` of a rod alone, whatever is derived from it.
template <class M, class R>
bool forces_of_rod(const Rod<M, R>& rod, const Chain<typename M::Scalar>& chain,
                   Columns<typename M::Scalar, 6>& f) {
  return rod.Rod<M, R>::forces(chain, f);
}

/// Loads between two configurations, of which those of a potential do exactly its work: spatial forces and torques in the frames of the middle.
/// Nodes turn from the one to the other by cay of columns 3 to 5 of `displacement`, in the frames of the beginning. End moments and follower loads are those of
/// the middle. False where an element turns too far.
template <class M, class R>
bool discrete_loads(const Rod<M, R>& rod, const Chain<typename M::Scalar>& from,
                    const Chain<typename M::Scalar>& middle, const Chain<typename M::Scalar>& to,
                    const Columns<typename M::Scalar, 6>& displacement,
                    ImplicitRoom<typename M::Scalar>& room, Columns<typename M::Scalar, 6>& f) {
  using S = typename M::Scalar;
  using T = Triple<S>;
  const auto node = [&](Eigen::Index k) {
    const auto q = detail::load_quaternion<S>(from.configuration, k);
    return detail::SteppedNode<S>{q, detail::load_quaternion<S>(to.configuration, k),
                                  detail::to_space(q, load3<3, S>(displacement, k))};
  };
  const T gravity(rod.parameters().loads.gravity), zero(S(0), S(0), S(0));
  const auto weight = [&](Eigen::Index k) { return (S(1) / rod.inverse_mass(k, 0)) * gravity; };
  const auto put = [&](Eigen::Index k, const T& force, const T& torque) {
    store3<0>(force, f, k);
    store3<3>(detail::to_body(detail::load_quaternion<S>(middle.configuration, k), torque), f, k);
  };
  bool sound = true;
  detail::SteppedNode<S> a = node(0);
  T force = weight(0), torque = zero;
  for (Eigen::Index k = 0; k < rod.elements(); ++k) {
    const detail::SteppedNode<S> b = node(k + 1);
    const auto chord = [k](const Chain<S>& c) {
      return load3<0, S>(c.configuration, k + 1) - load3<0, S>(c.configuration, k);
    };
    const auto g = detail::discrete_gradient<R>(a, b, chord(from), chord(to), rod.material(), rod.spacing());
    sound = sound && g.sound;
    room.stress[static_cast<std::size_t>(k)] = g.stress;
    put(k, force + g.force, torque - g.torque_a);
    force = weight(k + 1) - g.force;
    torque = -g.torque_b;
    a = b;
  }
  put(rod.elements(), force, torque);
  const auto add_end = [&](const EndLoad<S>& load, Eigen::Index k) {
    const SO3<S> frame = middle.rotation(k);
    const T follower(frame.act(load.follower_force)), moment(frame.inverse().act(load.moment));
    store3<0>(load3<0, S>(f, k) + T(load.force) + follower, f, k);
    store3<3>(load3<3, S>(f, k) + T(load.follower_moment) + moment, f, k);
  };
  add_end(rod.parameters().loads.start, 0);
  add_end(rod.parameters().loads.finish, rod.elements());
  return sound;
}

/// The tangent of the last `discrete_loads` by twice the displacements from the beginning, but for terms that vanish with the step: that of the middle,
/// under the mean stresses of both ends.
template <class M, class R, class Add>
void add_discrete_stiffness(const Rod<M, R>& rod, const Chain<typename M::Scalar>& middle,
                            ImplicitRoom<typename M::Scalar>& room, Add&& add) {
  using S = typename M::Scalar;
  auto& K = room.stiffness;
  K.set_zero();
  for (Eigen::Index k = 0; k < rod.elements(); ++k) {
    const ElementPose<S> pose = Rod<M, R>::pose(middle, k);
    const Strain<S> e = R::strain(pose, rod.spacing());
    const detail::OsculatingMaterial<S> material{e, room.stress[static_cast<std::size_t>(k)],
                                                 material_tangent(rod.material(), e.stretch, e.curvature)};
    const ElementTangent<S> T = element_tangent<R>(pose, material, rod.spacing());
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) {
        K.diagonal(k)(i, j) += T(i, j);
        K.upper(k)(i, j) = T(i, 6 + j);
        K.lower(k)(i, j) = T(6 + i, j);
        K.diagonal(k + 1)(i, j) += T(6 + i, 6 + j);
      }
  }
  detail::tell_blocks(K, add);
}

}  // namespace dalembert::rod
