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
