#pragma once

#include <functional>
#include <vector>

#include <dalembert/assembly/state.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/lie/se3.hpp>

/// All bodies moved as one, and the symmetries that this makes: those of bodies that nothing in space holds
/// or pulls at.
namespace dalembert::assembly {

/// The state whose positions are g r, frames R Λ and velocities R ṙ for g = (R, p); body angular velocities
/// and internal coordinates are the same. Throws std::invalid_argument for strings, which move along one
/// direction.
template <class S>
[[nodiscard]] State<S> moved(const State<S>& at, const SE3<S>& g) {
  require(at.lines.empty(), "moved", "strings", at.lines.size(), "a string moves along one direction alone");
  State<S> out = at;
  for (Chain<S>& chain : out.chains)
    for (Eigen::Index k = 0; k < chain.nodes; ++k) {
      const auto node = chain.node(k);
      chain.set_frame(k, g.rotation() * node.rotation, g.act(node.position));
      chain.set_velocity(k, g.rotation().act(node.velocity), node.angular_velocity);
    }
  return out;
}

/// A one-parameter group of symmetries of states, as `analysis::Symmetry`.
template <class S = double>
using StateSymmetry = std::function<State<S>(const State<S>&, const S&)>;

/// The shift along an axis of space, by so many metres. Throws std::invalid_argument unless 0 ≤ axis < 3.
template <class S = double>
[[nodiscard]] StateSymmetry<S> shift_along(int axis) {
  require(0 <= axis && axis < 3, "shift_along", "axis", axis, "it must be 0, 1 or 2");
  return [axis](const State<S>& at, const S& s) {
    return moved(at, SE3<S>(SO3<S>::identity(), Vec<S, 3>(s * Vec<S, 3>::Unit(axis))));
  };
}
/// The turn about an axis of space through `point` [m], by so many radians. Throws the same.
template <class S = double>
[[nodiscard]] StateSymmetry<S> turn_about(int axis, const Vec<S, 3>& point = Vec<S, 3>::Zero()) {
  require(0 <= axis && axis < 3, "turn_about", "axis", axis, "it must be 0, 1 or 2");
  return [axis, point](const State<S>& at, const S& s) {
    const SO3<S> turn = SO3<S>::exp(Vec<S, 3>(s * Vec<S, 3>::Unit(axis)));
    return moved(at, SE3<S>(turn, Vec<S, 3>(point - turn.act(point))));
  };
}
/// The three shifts, then the three turns: the symmetries of bodies that are free.
template <class S = double>
[[nodiscard]] std::vector<StateSymmetry<S>> rigid_motions(const Vec<S, 3>& point = Vec<S, 3>::Zero()) {
  return {shift_along<S>(0),       shift_along<S>(1),       shift_along<S>(2),
          turn_about<S>(0, point), turn_about<S>(1, point), turn_about<S>(2, point)};
}

}  // namespace dalembert::assembly
