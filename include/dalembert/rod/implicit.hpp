#pragma once

#include <dalembert/rod/body.hpp>
#include <dalembert/rod/detail/discrete_element.hpp>
#include <dalembert/rod/stiffness.hpp>

/// A rod in implicit steps: its loads by a discrete gradient, and its stiffness.
namespace dalembert::rod {

namespace detail {

/// A node that turns in a step by cay of columns 3 to 5 of `displacement`, in its frame at the beginning.
template <class S>
[[nodiscard]] SteppedNode<S> stepped_node(const Chain<S>& from, const Chain<S>& to,
                                          const Columns<S, 6>& displacement, Eigen::Index k) noexcept {
  const Quaternion<S> q = load_quaternion<S>(from.configuration, k);
  return {q, load_quaternion<S>(to.configuration, k), rotate(q, load3<3, S>(displacement, k))};
}
/// r_{k+1} − r_k.
template <class S>
[[nodiscard]] Triple<S> chord_of(const Chain<S>& chain, Eigen::Index k) noexcept {
  return load3<0, S>(chain.configuration, k + 1) - load3<0, S>(chain.configuration, k);
}

}  // namespace detail

/// `add_stiffness` of a rod alone, whatever is derived from it.
template <class M, class R, class Add, class S = typename M::Scalar>
void add_stiffness_of_rod(const Rod<M, R>& rod, const Chain<S>& chain, Add&& add) {
  add_stiffness(rod, chain, add);
}

/// `Rod::forces` of a rod alone, whatever is derived from it.
template <class M, class R, class S = typename M::Scalar>
bool forces_of_rod(const Rod<M, R>& rod, const Chain<S>& chain, Columns<S, 6>& f) {
  return rod.Rod<M, R>::forces(chain, f);
}

/// Loads between two configurations, of which those of a potential do exactly its work: spatial forces and
/// torques in the frames of the middle. Nodes turn from the one to the other by cay of columns 3 to 5 of
/// `displacement`, in the frames of the beginning. End moments and follower loads are those of the middle.
/// False where an element turns too far.
template <class M, class R, class S = typename M::Scalar>
bool discrete_loads(const Rod<M, R>& rod, const Chain<S>& from, const Chain<S>& middle, const Chain<S>& to,
                    const Columns<S, 6>& displacement, Columns<S, 6>& f) {
  using T = Triple<S>;
  const auto node = [&](Eigen::Index k) { return detail::stepped_node(from, to, displacement, k); };
  const T gravity(rod.parameters().loads.gravity), zero(S(0), S(0), S(0));
  const auto weight = [&](Eigen::Index k) { return (S(1) / rod.inverse_mass(k, 0)) * gravity; };
  const auto put = [&](Eigen::Index k, const T& force, const T& torque) {
    store3<0>(force, f, k);
    store3<3>(detail::rotate_back(detail::load_quaternion<S>(middle.configuration, k), torque), f, k);
  };
  bool sound = true;
  detail::SteppedNode<S> a = node(0);
  T force = weight(0), torque = zero;
  for (Eigen::Index k = 0; k < rod.elements(); ++k) {
    const detail::SteppedNode<S> b = node(k + 1);
    const auto g = detail::discrete_gradient<R>(a, b, detail::chord_of(from, k), detail::chord_of(to, k),
                                                rod.material_at(k), rod.spacing());
    sound = sound && g.sound;
    put(k, force + g.force, torque - g.torque_a);
    force = weight(k + 1) - g.force;
    torque = -g.torque_b;
    a = b;
  }
  put(rod.elements(), force, torque);
  const auto add_end = [&](const EndLoad<S>& load, Eigen::Index k) {
    const detail::NodeForces<S> n = detail::in_frames(load, middle.rotation(k));
    detail::add_forces(n.force, n.torque, f, k);
  };
  add_end(rod.parameters().loads.start, 0);
  add_end(rod.parameters().loads.finish, rod.elements());
  return sound;
}

/// add(k, l, K_kl), the derivatives of −(force, (1 − ½ψ̂)Λᵀt) of node k by `displacement` of node
/// l, where t is the torque in space of `discrete_loads`, Λ the frame at the beginning and ψ the turn;
/// without end moments and follower loads.
template <class M, class R, class Add, class S = typename M::Scalar>
void add_discrete_stiffness(const Rod<M, R>& rod, const Chain<S>& from, const Chain<S>& to,
                            const Columns<S, 6>& displacement, Add&& add) {
  using T = Triple<S>;
  const auto node = [&](Eigen::Index k) { return detail::stepped_node(from, to, displacement, k); };
  detail::SteppedNode<S> nodes[2] = {node(0), node(0)};
  Mat<S, 9> G;
  const auto element = [&](Eigen::Index k) {
    ElementTangent<S> K;
    nodes[0] = nodes[1];
    nodes[1] = node(k + 1);
    const T chord0 = detail::chord_of(from, k), chord1 = detail::chord_of(to, k);
    detail::discrete_tangent<R>(nodes[0], nodes[1], chord0, chord1, rod.material_at(k), rod.spacing(), G);
    const auto g =
        detail::discrete_gradient<R>(nodes[0], nodes[1], chord0, chord1, rod.material_at(k), rod.spacing());
    for (int l = 0; l < 2; ++l)
      for (int j = 0; j < 6; ++j) {  // by number j of node l
        const T e(S(j % 3 == 0), S(j % 3 == 1), S(j % 3 == 2));
        const T by = j < 3 ? S(l == 0 ? -1 : 1) * e : detail::rotate(nodes[l].from, e);
        const int first = j < 3 ? 0 : 3 + 3 * l;
        const auto change = [&](int row) {
          const auto entry = [&](int i) {
            return G(i, first) * by.x + G(i, first + 1) * by.y + G(i, first + 2) * by.z;
          };
          return T(entry(row), entry(row + 1), entry(row + 2));
        };
        const T force = change(0);
        for (int n = 0; n < 2; ++n) {
          const T psi = load3<3, S>(displacement, k + n);
          T torque = detail::rotate_back(nodes[n].from, change(3 + 3 * n));
          torque = torque - S(0.5) * cross(psi, torque);
          if (n == l && j >= 3)
            torque = torque -
                     S(0.5) * cross(e, detail::rotate_back(nodes[n].from, n == 0 ? g.torque_a : g.torque_b));
          const S sign = n == 0 ? S(-1) : S(1);
          const S rows[6] = {sign * force.x, sign * force.y, sign * force.z, torque.x, torque.y, torque.z};
          for (int i = 0; i < 6; ++i) K(6 * n + i, 6 * l + j) = rows[i];
        }
      }
    return K;
  };
  const Mat<S, 6, 6> nothing = Mat<S, 6, 6>::Zero();
  add_elements<S>(rod.elements(), nothing, nothing, element, add);
}

}  // namespace dalembert::rod
