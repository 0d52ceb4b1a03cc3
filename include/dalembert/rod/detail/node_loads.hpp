#pragma once

#include <dalembert/rod/columns.hpp>
#include <dalembert/rod/strain.hpp>

/// Loads of elements put on the nodes of a chain, in loops over packs of nodes.
namespace dalembert::rod::detail {

/// Spatial forces [N] and body torques [N m] on nodes in lanes.
template <class L>
struct NodeForces {
  Triple<L> force;
  Triple<L> torque;
};

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

/// v += h M⁻¹ f for a time h [s], in lanes of nodes of one inertia.
template <class L, class S>
struct Kick {
  L linear;           ///< h/m [s/kg]
  Triple<L> angular;  ///< h/J [s/(kg m²)]

  /// Of nodes of this mass [kg] and these moments of inertia [kg m²].
  Kick(S h, S mass, const Vec<S, 3>& rotary) noexcept
      : linear(h / mass), angular{L(h / rotary[0]), L(h / rotary[1]), L(h / rotary[2])} {}

  /// Of the nodes from k on.
  void operator()(const NodeForces<L>& f, Columns<S, 6>& velocity, Eigen::Index k) const noexcept {
    store3<0>(load3<0>(velocity, k) + linear * f.force, velocity, k);
    store3<3>(load3<3>(velocity, k) + scaled(angular, f.torque), velocity, k);
  }
};

/// The velocities of the first and the last node, which a loop over packs changes as if they were inner nodes.
template <class S>
struct EndVelocities {
  Vec<S, 6> start;
  Vec<S, 6> finish;

  EndVelocities() = default;
  /// Those of nodes 0 and n.
  EndVelocities(const Columns<S, 6>& velocity, Eigen::Index n) noexcept {
    for (int i = 0; i < 6; ++i) {
      start[i] = velocity(0, i);
      finish[i] = velocity(n, i);
    }
  }
};

}  // namespace dalembert::rod::detail
