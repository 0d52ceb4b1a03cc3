#pragma once

#include <concepts>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/mechanics/detail/members.hpp>
#include <dalembert/mechanics/reduction.hpp>

/// The states of problems that are made from a system, and how increments move them.
namespace dalembert::detail {

/// Of a system, with `m` internal coordinates in a state.
template <class System, int m>
class StateSpace {
  static constexpr int n = System::Group::dof;

 public:
  using Group = typename System::Group;                     ///< the group of motions
  using Configuration = ConfigurationOf<System>;            ///< where it is: Group, unless it is reduced
  using Scalar = typename Group::Scalar;                    ///< the number type
  using State = dalembert::State<Group, m, Configuration>;  ///< a state of the problem
  using Increment = dalembert::Increment<Group, m>;         ///< an element of the linear space of stages

  /// A zero increment.
  [[nodiscard]] Increment make_increment() const { return {}; }
  /// The slope of the motion in the coordinates η of a stage at g exp(η): (J_r⁻¹(η) ξ, ξ̇, ż, 1).
  template <class Rates>
  void slope(const State& at, const Increment& offset, const Rates& given, Increment& out) const {
    out.eta = TrivialisationOf<System>::template stage_velocity<Group>(offset.eta, at.xi);
    out.xi = given.xidot;
    out.z = given.zdot;
    out.time = 1;
  }
  /// state = at ⊕ offset.
  void retract(const State& at, const Increment& offset, State& state) const {
    state.g = moved_by<TrivialisationOf<System>>(at.g, offset.eta).normalised();
    for (int i = 0; i < n; ++i) state.xi[i] = at.xi[i] + offset.xi[i];
    for (int i = 0; i < m; ++i) state.z[i] = at.z[i] + offset.z[i];
    state.time = at.time + offset.time;
  }
  /// The increment that takes `from` to `to`.
  [[nodiscard]] Increment difference(const State& from, const State& to) const
      requires(std::same_as<Group, Configuration>) {
    return {.eta = TrivialisationOf<System>::difference(from.g, to.g),
            .xi = detail::difference(to.xi, from.xi),
            .z = detail::difference(to.z, from.z),
            .time = to.time - from.time};
  }
};

}  // namespace dalembert::detail
