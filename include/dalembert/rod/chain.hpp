#pragma once

#include <cmath>
#include <limits>

#include <dalembert/lie/so3.hpp>
#include <dalembert/rod/columns.hpp>

/// The state of one rod: a chain of frames (Λ, r) with their velocities, stored as a structure of arrays.
namespace dalembert::rod {

/// Frames and velocities of the nodes 0…N of a rod.
///   configuration  columns r (spatial, 3) and the unit quaternion of Λ (w, x, y, z)     [m, 1]
///   velocity       columns ṙ (spatial, 3) and ω = vee(ΛᵀΛ̇) (body, 3)                    [m/s, rad/s]
/// The body twist (γ, ω) of a node, γ = Λᵀṙ, is `twist(k)`: the spatial ṙ is what a loop over nodes adds up.
template <class S>
struct Chain {
  Columns<S, 7> configuration;  ///< r and the quaternion of Λ, a row per node
  Columns<S, 6> velocity;       ///< velocities, a row per node
  Eigen::Index nodes = 0;       ///< N + 1

  Chain() = default;
  /// `count` frames at the origin, at rest.
  explicit Chain(Eigen::Index count)
      : configuration(Columns<S, 7>::Zero(padded_rows<S>(count), 7)),
        velocity(Columns<S, 6>::Zero(padded_rows<S>(count), 6)),
        nodes(count) {
    configuration.col(3).setOnes();
  }

  /// r_k, spatial [m].
  [[nodiscard]] Vec<S, 3> position(Eigen::Index k) const noexcept { return at3<0>(configuration, k); }
  /// Λ_k.
  [[nodiscard]] SO3<S> rotation(Eigen::Index k) const noexcept {
    return SO3<S>::from_unit_quaternion(configuration(k, 3), at3<4>(configuration, k));
  }
  /// ṙ_k, spatial [m/s].
  [[nodiscard]] Vec<S, 3> linear_velocity(Eigen::Index k) const noexcept { return at3<0>(velocity, k); }
  /// ω_k, body [rad/s].
  [[nodiscard]] Vec<S, 3> angular_velocity(Eigen::Index k) const noexcept { return at3<3>(velocity, k); }
  /// Body twist (γ_k, ω_k) [m/s, rad/s].
  [[nodiscard]] Vec<S, 6> twist(Eigen::Index k) const noexcept {
    Vec<S, 6> xi;
    xi << rotation(k).inverse().act(linear_velocity(k)), angular_velocity(k);
    return xi;
  }

  /// Put the frame of node k.
  void set_frame(Eigen::Index k, const SO3<S>& rotation, const Vec<S, 3>& position) noexcept {
    put3<0>(configuration, k, position);
    configuration(k, 3) = rotation.w();
    put3<4>(configuration, k, Vec<S, 3>(rotation.v()));
  }
  /// Put spatial ṙ and body ω of node k.
  void set_velocity(Eigen::Index k, const Vec<S, 3>& linear, const Vec<S, 3>& angular) noexcept {
    put3<0>(velocity, k, linear);
    put3<3>(velocity, k, angular);
  }
  /// Whether every number of every node is finite.
  [[nodiscard]] bool finite() const noexcept {
    return configuration.topRows(nodes).isFinite().all() && velocity.topRows(nodes).isFinite().all();
  }
  /// Whether energies can be numbers: the sum of the squares of all positions and velocities is finite.
  [[nodiscard]] bool squares_are_finite() const noexcept {
    return std::isfinite(configuration.topRows(nodes).square().sum() +
                         velocity.topRows(nodes).square().sum());
  }
  /// Whether every quaternion has norm 1, to the root of the rounding unit.
  [[nodiscard]] bool unit() const noexcept {
    const S tolerance = std::sqrt(std::numeric_limits<S>::epsilon());
    return ((configuration.template rightCols<4>().topRows(nodes).square().rowwise().sum() - S(1)).abs() <=
            tolerance)
        .all();
  }
};

}  // namespace dalembert::rod
