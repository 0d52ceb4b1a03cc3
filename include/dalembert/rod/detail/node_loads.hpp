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

/// A load on an end with this frame.
template <class S>
[[nodiscard]] NodeForces<S> in_frames(const EndLoad<S>& load, const SO3<S>& frame) noexcept {
  return {Triple<S>(load.force) + Triple<S>(frame.act(load.follower_force)),
          Triple<S>(load.follower_moment) + Triple<S>(frame.inverse().act(load.moment))};
}

/// Each node from k on gets the loads of the element after it, those of the element before it, and its weight.
template <class L, class S>
NodeForces<L> put_loads(const ElementLoads<L>& loads, const ElementLoads<L>& before, const Triple<L>& weight,
                        Columns<S, 6>& f, Eigen::Index k) noexcept {
  const auto before_node = [](const Vec<L, 3>& previous, const Vec<L, 3>& own) {
    return Triple<L>(previous_nodes(previous[0], own[0]), previous_nodes(previous[1], own[1]),
                     previous_nodes(previous[2], own[2]));
  };
  const NodeForces<L> all{Triple<L>(loads.force) - before_node(before.force, loads.force) + weight,
                          Triple<L>(loads.torque0) + before_node(before.torque1, loads.torque1)};
  store3<0>(all.force, f, k);
  store3<3>(all.torque, f, k);
  return all;
}

/// h M⁻¹ f for a time h [s], in lanes of nodes of one inertia.
template <class L, class S>
class UniformKick {
 public:
  /// Of nodes of this mass [kg] and these moments of inertia [kg m²].
  UniformKick(S h, S mass, const Vec<S, 3>& rotary) noexcept
      : linear_(h / mass), angular_{L(h / rotary[0]), L(h / rotary[1]), L(h / rotary[2])} {}

  /// h/m [s/kg] and h/J [s/(kg m²)] of the nodes from k on.
  [[nodiscard]] L linear(Eigen::Index) const noexcept { return linear_; }
  [[nodiscard]] Triple<L> angular(Eigen::Index) const noexcept { return angular_; }

 private:
  L linear_;
  Triple<L> angular_;
};

/// The same in lanes of nodes of any inertia, 1/m and 1/J_i in columns.
template <class L, class S>
class VaryingKick {
 public:
  /// Columns as long as `rows`, one after the other.
  VaryingKick(S h, const S* inverse, Eigen::Index rows) noexcept : h_(h), inverse_(inverse), rows_(rows) {}

  [[nodiscard]] L linear(Eigen::Index k) const noexcept { return L(h_) * load<S, L>(inverse_ + k); }
  [[nodiscard]] Triple<L> angular(Eigen::Index k) const noexcept {
    const S* const p = inverse_ + k;
    return L(h_) * Triple<L>(load<S, L>(p + rows_), load<S, L>(p + 2 * rows_), load<S, L>(p + 3 * rows_));
  }

 private:
  S h_;
  const S* inverse_;
  Eigen::Index rows_;
};

/// v += h M⁻¹ f of the nodes from k on.
template <class Kick, class L, class S>
inline void kick_nodes(const Kick& kick, const NodeForces<L>& f, Columns<S, 6>& velocity,
                       Eigen::Index k) noexcept {
  store3<0>(load3<0>(velocity, k) + kick.linear(k) * f.force, velocity, k);
  store3<3>(load3<3>(velocity, k) + scaled(kick.angular(k), f.torque), velocity, k);
}

/// ṙ and ω of node k.
template <class S>
[[nodiscard]] Vec<S, 6> velocity_of(const Chain<S>& chain, Eigen::Index k) noexcept {
  Vec<S, 6> v;
  for (int i = 0; i < 6; ++i) v[i] = chain.velocity(k, i);
  return v;
}

/// The velocities of the first and the last node, which a loop over packs changes as if they were inner nodes.
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

  ElementLoads<L> before = none();  // of the elements in the last pack
  L least{S(1)};                    // of their half turns

  [[nodiscard]] static ElementLoads<L> none() noexcept {
    const Vec<L, 3> zero{L(S(0)), L(S(0)), L(S(0))};
    return {zero, zero, zero};
  }
};

/// Elements k, k + 1, … one per lane.
template <class S, class L = NodePack<S>>
[[nodiscard]] inline ElementPose<L> poses(const Chain<S>& chain, Eigen::Index k) noexcept {
  const Quaternion<L> q0 = load_quaternion<L>(chain.configuration, k);
  const Quaternion<L> q1 = load_quaternion<L>(chain.configuration, k + 1);
  return {q0.w, q0.v, q1.w, q1.v, load3<0>(chain.configuration, k + 1) - load3<0>(chain.configuration, k)};
}

/// Loads on the nodes in packs from `begin` to `end`, and a kick of these velocities, if there are some; the packs before them came first. Compiled by
/// itself, so that loads are the same to the last bit whoever asks for them. The elements of the chain are those that `R` says.
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
  for (; k < end && k + width <= n; k += width) {
    const ElementLoads<L> loads = Strains::loads(poses(chain, k), material_at<L>(rod.material(), k), h);
    const auto sum = put_loads(loads, before, weight(k), f, k);
    if (velocity) kick_nodes(kick, sum, *velocity, k);
    before = loads;
    least = select(before.half_turn < least, before.half_turn, least);  // a NaN shows elsewhere
  }
  // in the last packs some lanes lie beyond the last element: let them have no chord and no rotation, and no loads
  for (; k < end; k += width) {
    ElementPose<L> e = poses(chain, k);
    const auto inside = lane_index<L>(k) < L(S(n));
    e.w1 = select(inside, e.w1, e.w0);
    for (int i = 0; i < 3; ++i) {
      e.v1[i] = select(inside, e.v1[i], e.v0[i]);
      e.chord[i] = select(inside, e.chord[i], L(h));
    }
    ElementLoads<L> loads = Strains::loads(e, material_at<L>(rod.material(), k), h);
    for (Vec<L, 3>* x : {&loads.force, &loads.torque0, &loads.torque1})
      for (int i = 0; i < 3; ++i) (*x)[i] = select(inside, (*x)[i], L(S(0)));
    const auto sum = put_loads(loads, before, weight(k), f, k);
    if (velocity) kick_nodes(kick, sum, *velocity, k);
    before = loads;
    least = select(inside, select(loads.half_turn < least, loads.half_turn, least), least);
  }
  sweep.before = before;
  sweep.least = least;
}

/// A kick by `loads`, then free motion for h [s] with this damping, of the nodes in packs from `begin` to `end`.
template <class S, class Kick, class Turn>
[[gnu::noinline, gnu::flatten]] void sweep_motion(const Chain<S>& from, const Columns<S, 6>& loads,
                                                  const Kick& kicks, const Turn& turns, S h, S damp,
                                                  Chain<S>& to, Eigen::Index begin,
                                                  Eigen::Index end) noexcept {
  using L = NodePack<S>;
  const Kick kick = kicks;
  const Turn turn = turns;
  for (Eigen::Index k = begin; k < end; k += lane_width<S>) {
    FreeNode<L> n{load3<0>(from.configuration, k), load_quaternion<L>(from.configuration, k),
                  load3<0>(from.velocity, k) + kick.linear(k) * load3<0>(loads, k),
                  load3<3>(from.velocity, k) + scaled(kick.angular(k), load3<3>(loads, k))};
    move_freely(n, turn, k, h, damp);
    store3<0>(n.position, to.configuration, k);
    store_quaternion(n.rotation, to.configuration, k);
    store3<0>(n.velocity, to.velocity, k);
    store3<3>(n.omega, to.velocity, k);
  }
}

}  // namespace dalembert::rod::detail
