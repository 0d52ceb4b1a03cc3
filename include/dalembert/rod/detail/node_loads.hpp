#pragma once

#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/detail/free_motion.hpp>
#include <dalembert/rod/element_material.hpp>
#include <dalembert/rod/load.hpp>
#include <dalembert/rod/strain.hpp>

/// Loads of elements put on the nodes of a chain, in loops over packs of nodes.
namespace dalembert::rod::detail {

/// Spatial forces [N] and body torques [N m] on nodes in lanes.
template <class L>
struct NodeForces {
  Triple<L> force;
  Triple<L> torque;
};

/// Add them to those of the nodes from k on.
template <class L, class S>
inline void add_forces(const Triple<L>& force, const Triple<L>& torque, Columns<S, 6>& f,
                       Eigen::Index k) noexcept {
  store3<0>(load3<0, L>(f, k) + force, f, k);
  store3<3>(load3<3, L>(f, k) + torque, f, k);
}

/// A load on a node with this frame.
template <class S>
[[nodiscard, gnu::always_inline]] inline NodeForces<S> in_frames(const EndLoad<S>& load,
                                                                 const SO3<S>& frame) noexcept {
  return {Triple<S>(load.force) + Triple<S>(frame.act(load.follower_force)),
          Triple<S>(load.follower_moment) + Triple<S>(frame.inverse().act(load.moment))};
}

/// Minus its derivatives by (δr, Σ) of the node, times a weight: a force ΛF turns by Λ(Σ × F), a torque
/// ΛᵀM by (ΛᵀM) × Σ.
template <class S>
[[nodiscard]] Mat<S, 6, 6> stiffness_of(const EndLoad<S>& load, const SO3<S>& frame, const S& weight = S(1)) {
  const Vec<S, 3>& force = load.follower_force;
  const Vec<S, 3> torque = frame.inverse().act(load.moment);
  Mat<S, 6, 6> k;
  dalembert::detail::set_zero(k);
#pragma GCC unroll 1
  for (int j = 0; j < 3; ++j) {
    const int next = (j + 1) % 3, last = (j + 2) % 3;
    Vec<S, 3> turned = dalembert::detail::zeros<S, 3>();  // F × e_j
    turned[next] = force[last];
    turned[last] = -force[next];
    turned = frame.act(turned);
    for (int i = 0; i < 3; ++i) k(i, 3 + j) = weight * turned[i];
    k(3 + next, 3 + j) = -(weight * torque[last]);
    k(3 + last, 3 + j) = weight * torque[next];
  }
  return k;
}

/// Its power but for that of the dead force.
template <class S>
[[nodiscard]] S power_of(const EndLoad<S>& load, const SO3<S>& frame, const Vec<S, 3>& v,
                         const Vec<S, 3>& omega) {
  using dalembert::detail::inner;
  return inner(v, frame.act(load.follower_force)) + inner(omega, load.follower_moment) +
         inner(frame.act(omega), load.moment);
}

/// Each node from k on gets the loads of the element after it, those of the element before it, and its
/// weight.
template <class L, class S>
NodeForces<L> put_loads(const ElementLoads<L>& loads, const ElementLoads<L>& before, const Triple<L>& weight,
                        Columns<S, 6>& f, Eigen::Index k) noexcept {
  const auto before_node = [](const Vec<L, 3>& previous, const Vec<L, 3>& own) {
    return Triple<L>(previous_nodes(previous[0], own[0]), previous_nodes(previous[1], own[1]),
                     previous_nodes(previous[2], own[2]));
  };
  NodeForces<L> all{Triple<L>(loads.force) - before_node(before.force, loads.force) + weight,
                    Triple<L>(loads.torque0) + before_node(before.torque1, loads.torque1)};
  store3<0>(all.force, f, k);
  store3<3>(all.torque, f, k);
  return all;
}

/// h/m [s/kg] and h/J [s/(kg m²)] of nodes in lanes, for a kick of h [s].
template <class L>
struct KickFactors {
  L linear;
  Triple<L> angular;
};

/// v += h M⁻¹ f of the nodes from k on, whose factors are kick(k).
template <class Kick, class L, class S>
inline void kick_nodes(const Kick& kick, const NodeForces<L>& f, Columns<S, 6>& velocity,
                       Eigen::Index k) noexcept {
  const KickFactors<L>& by = kick(k);
  add_forces(by.linear * f.force, scaled(by.angular, f.torque), velocity, k);
}

/// ṙ and ω of node k.
template <class S>
[[nodiscard]] Vec<S, 6> velocity_of(const Chain<S>& chain, Eigen::Index k) noexcept {
  Vec<S, 6> v;
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) v[i] = chain.velocity(k, i);
  return v;
}

/// The velocities of the first and the last node, which a loop over packs changes as if they were inner
/// nodes.
template <class S>
struct EndVelocities {
  Vec<S, 6> start;
  Vec<S, 6> finish;

  [[nodiscard]] static EndVelocities of(const Chain<S>& chain) noexcept {
    return {velocity_of(chain, 0), velocity_of(chain, chain.nodes - 1)};
  }
};

/// Where a loop over packs of elements has come to.
template <class S>
struct LoadSweep {
  using L = NodePack<S>;

  ElementLoads<L> before{dalembert::detail::zeros<L, 3>(), dalembert::detail::zeros<L, 3>(),
                         dalembert::detail::zeros<L, 3>()};  // of the elements in the last pack
  L least{S(1)};                                             // of their half turns
};

/// Elements k, k + 1, … one per lane.
template <class S, class L = NodePack<S>>
[[nodiscard]] inline ElementPose<L> poses(const Chain<S>& chain, Eigen::Index k) noexcept {
  const Quaternion<L> q0 = load_quaternion<L>(chain.configuration, k);
  const Quaternion<L> q1 = load_quaternion<L>(chain.configuration, k + 1);
  return {q0.w, q0.v, q1.w, q1.v, load3<0>(chain.configuration, k + 1) - load3<0>(chain.configuration, k)};
}

/// Loads on the nodes in packs from `begin` to `end`, and a kick of these velocities, if there are some; the
/// packs before them came first. Compiled by itself, so that loads are the same to the last bit whoever asks
/// for them. The elements of the chain are those that `R` says.
template <class R, class S, class Weight, class Kick>
[[gnu::noinline, gnu::flatten]] void sweep_loads(const R& rod, const Chain<S>& chain, const Weight& weights,
                                                 const Kick& kicks, Columns<S, 6>& f, Columns<S, 6>* velocity,
                                                 Eigen::Index begin, Eigen::Index end,
                                                 LoadSweep<S>& sweep) noexcept {
  using L = NodePack<S>;
  using Strains = typename R::Strains;
  constexpr Eigen::Index width = lane_width<S>;
  const Eigen::Index n = rod.elements();
  const S h = rod.spacing();
  const Weight weight = weights;  // copies stand in registers
  const Kick kick = kicks;
  ElementLoads<L> before = sweep.before;
  L least = sweep.least;
  Eigen::Index k = begin;
  const auto put = [&](auto partial) {
    ElementLoads<L> loads{dalembert::detail::zeros<L, 3>(), dalembert::detail::zeros<L, 3>(),
                          dalembert::detail::zeros<L, 3>(), least};
    if (width > 1 || k < n) {  // no element comes after the last node
      ElementPose<L> e = poses(chain, k);
      [[maybe_unused]] const auto inside = lane_index<L>(k) < L(S(n));
      if constexpr (partial) {  // lanes beyond the last element have no chord and no rotation, and no loads
        e.w1 = select(inside, e.w1, e.w0);
        for (int i = 0; i < 3; ++i) {
          e.v1[i] = select(inside, e.v1[i], e.v0[i]);
          e.chord[i] = select(inside, e.chord[i], L(h));
        }
      }
      loads = Strains::loads(e, material_at<L>(rod.material(), k), h);
      if constexpr (partial) {
        for (Vec<L, 3>* x : {&loads.force, &loads.torque0, &loads.torque1})
          for (int i = 0; i < 3; ++i) (*x)[i] = select(inside, (*x)[i], L(S(0)));
        loads.half_turn = select(inside, loads.half_turn, least);
      }
    }
    const auto sum = put_loads(loads, before, weight(k), f, k);
    if (velocity) kick_nodes(kick, sum, *velocity, k);
    before = loads;
    least = select(loads.half_turn < least, loads.half_turn, least);  // a NaN shows elsewhere
  };
  for (; k < end && (width == 1 || k + width <= n); k += width) put(std::false_type{});
  if constexpr (width > 1)
    for (; k < end; k += width) put(std::true_type{});
  sweep.before = before;
  sweep.least = least;
}

/// A kick by `loads`, then free motion for h [s] with this damping, of the nodes in packs from `begin` to
/// `end`.
template <class S, class Kick, class Turn>
[[gnu::noinline, gnu::flatten]] void sweep_motion(const Chain<S>& from, const Columns<S, 6>& loads,
                                                  const Kick& kicks, const Turn& turns, S h, S damp,
                                                  Chain<S>& to, Eigen::Index begin,
                                                  Eigen::Index end) noexcept {
  using L = NodePack<S>;
  // Copies, which no store to a node may change. NOLINTBEGIN(performance-unnecessary-copy-initialization)
  const Kick kick = kicks;
  const Turn turn = turns;
  // NOLINTEND(performance-unnecessary-copy-initialization)
  for (Eigen::Index k = begin; k < end; k += lane_width<S>) {
    FreeNode<L> n = load_node<L>(from, k);
    const KickFactors<L>& by = kick(k);
    n.velocity += by.linear * load3<0>(loads, k);
    n.omega += scaled(by.angular, load3<3>(loads, k));
    move_freely(n, turn, k, h, damp);
    store_node(n, to, k);
  }
}

}  // namespace dalembert::rod::detail
