#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <dalembert/assembly/handle.hpp>
#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/detail/triple.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/rod/chain.hpp>

/// Markers: what a constraint touches. A marker is a frame fixed to a node of a body, a frame fixed in space,
/// or (contact/curve_marker.hpp) a point of a rod, averaged over its nodes, that moves along it, or
/// (string/grid_contact.hpp) one of a string. Rows of constraints are functions of what is seen there.
namespace dalembert::assembly {

using rod::Chain;

/// What a constraint sees of a marker; vectors are spatial.
template <class T>
struct FrameState {
  Vec<T, 3> position;  ///< [m]
  Vec<T, 3> tangent;   ///< along a rod, of the position by the arc length of a marker there; else zero [1]
  SO3<T> rotation;     ///< of the frame; the identity for a marker that moves along a rod
  Vec<T, 3> velocity;  ///< of the material there [m/s]
  Vec<T, 3> angular_velocity;  ///< angular velocity of the material there [rad/s]

  /// The velocity of the material at `arm` [m] from there [m/s].
  [[nodiscard]] Vec<T, 3> velocity_at(const Vec<T, 3>& arm) const {
    return dalembert::detail::plus_cross(velocity, angular_velocity, arm);
  }
};

/// How what is seen of a marker changes while its nodes keep their velocities (spatial ṙ, body ω).
template <class S = double>
struct FrameRates {
  Vec<S, 3> position;          ///< rate of the position [m/s]
  Vec<S, 3> velocity;          ///< rate of the velocity of the material there [m/s²]
  Vec<S, 3> angular_velocity;  ///< rate of the angular velocity of the material there [rad/s²]
};

/// A change of what is seen of a marker at one time.
template <class S = double>
struct FrameChange {
  Vec<S, 3> position;  ///< of the position
  Vec<S, 3> tangent;   ///< of the tangent
};

/// Where a marker is and how the nodes move that bear it: averages over the nodes with the weights α of the
/// marker, spatial.
template <class S = double>
struct Point {
  S s{};                              ///< arc length of a marker that moves along a rod [m]
  Vec<S, 3> R = Vec<S, 3>::Zero();    ///< Σ α r [m]
  Vec<S, 3> dR = Vec<S, 3>::Zero();   ///< Σ α′ r [1]
  Vec<S, 3> ddR = Vec<S, 3>::Zero();  ///< Σ α″ r [1/m]
  SO3<S> rotation;                    ///< Λ, of a marker at a node
  Vec<S, 3> V = Vec<S, 3>::Zero();    ///< Σ α v [m/s]
  Vec<S, 3> dV = Vec<S, 3>::Zero();   ///< Σ α′ v [1/s]
  Vec<S, 3> W = Vec<S, 3>::Zero();    ///< Σ α Λω [rad/s]
  Vec<S, 3> dW = Vec<S, 3>::Zero();   ///< Σ α′ Λω [rad/(s m)]
};

/// The same in numbers that carry derivatives: what a marker is seen from.
template <class T>
struct PointState {
  Vec<T, 3> R;      ///< [m]
  Vec<T, 3> dR;     ///< [1]
  SO3<T> rotation;  ///< Λ
  Vec<T, 3> V;      ///< [m/s]
  Vec<T, 3> W;      ///< [rad/s]
};

/// The nodes of a body that bear a marker, and where their weights lie in the array of all weights.
struct Window {
  std::size_t body = 0;      ///< number of the body
  Eigen::Index first = 0;    ///< first node
  Eigen::Index count = 0;    ///< number of nodes; 0 for a marker in space
  Eigen::Index weights = 0;  ///< where its weights begin; they are padded by zeros to full packs
  Eigen::Index room =
      0;              ///< numbers there, with the padding; their slopes may come after them (`keeps_slopes`)
  bool line = false;  ///< they are nodes of a string
  Eigen::Index around =
      0;  ///< nodes of a closed string, on which a window may pass the last and go on at the first; else 0
};

/// A frame fixed to a node of a body, or in space.
template <class S = double>
struct FrameMarker {
  static constexpr bool slides = false;   ///< no internal coordinate
  static constexpr bool one_node = true;  ///< of weight 1
  /// Number of the body for a frame that is fixed in space.
  static constexpr std::size_t space = std::numeric_limits<std::size_t>::max();

  std::size_t body = space;              ///< number of the body
  Eigen::Index node = 0;                 ///< number of the node
  Vec<S, 3> offset = Vec<S, 3>::Zero();  ///< origin of the frame in that of the node, or in space [m]
  SO3<S> rotation = SO3<S>::identity();  ///< the frame in that of the node, or in space
  BodySetId set = 0;                     ///< the bodies that it is of, if it was made of a handle

  /// A frame fixed in space.
  [[nodiscard]] static FrameMarker in_space(const Vec<S, 3>& position,
                                            const SO3<S>& rotation = SO3<S>::identity()) {
    return {space, 0, position, rotation};
  }

  /// Whether a body bears it.
  [[nodiscard]] bool on_body() const noexcept { return body != space; }

  /// Whether its velocity takes a part of the node's angular velocity.
  [[nodiscard]] bool beside_node() const noexcept { return !number::is_zero(offset); }
  /// From the node to its origin, spatial [m].
  [[nodiscard]] Vec<S, 3> arm(const Point<S>& p) const { return p.rotation.act(offset); }
  /// The largest length that its position is a sum of, beside those of nodes [m].
  [[nodiscard]] S extent(const Point<S>&) const {
    return number::abs(offset[0]) + number::abs(offset[1]) + number::abs(offset[2]);
  }
  /// Number of nodes that bear it.
  [[nodiscard]] Eigen::Index count() const noexcept { return on_body() ? 1 : 0; }
  /// Throws std::invalid_argument for a body or node that is not there; `what` names the constraint.
  void check(const std::vector<Chain<S>>& chains, const std::string& what) const {
    using dalembert::detail::all_finite;
    require(all_finite(offset), what, "offset of a marker", "not finite", "a marker must be somewhere [m]");
    if (!on_body()) return;
    require(body < chains.size(), what, "body of a marker", body,
            message({"there are ", chains.size(), " bodies"}));
    require(node >= 0 && node < chains[body].nodes, what, "node of a marker", node,
            message({"body ", body, " has ", chains[body].nodes, " nodes"}));
  }
  /// Where the node is; its weight is 1.
  void find(const std::vector<Chain<S>>& chains, S, S, Point<S>& p, Window& window, S*) const {
    if (!on_body()) return;
    window.body = body;
    window.first = node;
    p.R = chains[body].position(node);
    p.rotation = chains[body].rotation(node);
  }
  /// How the node moves.
  void find_velocity(const std::vector<Chain<S>>& chains, Point<S>& p) const {
    if (!on_body()) return;
    p.V = chains[body].linear_velocity(node);
    p.W = p.rotation.act(chains[body].angular_velocity(node));
  }

  /// The rate of what is seen of it at this time.
  [[nodiscard]] FrameChange<S> moved(const Point<S>& p) const {
    return {dalembert::detail::plus_cross(p.V, p.W, arm(p)), dalembert::detail::zeros<S, 3>()};
  }
  /// How what is seen of it changes while its node keeps its velocities.
  [[nodiscard]] FrameRates<S> passing(const Point<S>& p, S = {}) const {
    using dalembert::detail::Triple;
    const Triple<S> w(p.W), turning = cross(w, Triple<S>(arm(p)));
    return {Triple<S>(p.V) + turning, cross(w, turning), dalembert::detail::zeros<S, 3>()};
  }
  /// What is seen of it.
  template <class T>
  [[nodiscard]] FrameState<T> seen(const PointState<T>& x) const {
    using namespace dalembert::detail;
    const Vec<T, 3> arm = x.rotation.act(convert_all<T>(offset));
    return {sum(x.R, arm), zeros<T, 3>(), x.rotation * rotation.template cast<T>(), plus_cross(x.V, x.W, arm),
            x.W};
  }
};

/// A frame that is fixed to node k of a body, with its origin [m] and its axes in the frame there. The third
/// axis of a node of a rod lies along the rod; the rotation SO3<>::exp({0, pi / 2, 0}) takes that of a marker
/// to the first.
template <class B, class S = typename B::Scalar>
[[nodiscard]] FrameMarker<S> node(const Handle<B>& body, Eigen::Index k,
                                  const std::type_identity_t<Vec<S, 3>>& offset = Vec<S, 3>::Zero(),
                                  const std::type_identity_t<SO3<S>>& rotation = SO3<S>::identity()) {
  static_assert(!Handle<B>::on_line, "the nodes of a string have no frames");
  return {body.number, k, offset, rotation, body.set};
}
/// The same of the first node of a rod.
template <class B, class S = typename B::Scalar>
[[nodiscard]] FrameMarker<S> root(const Handle<B>& rod,
                                  const std::type_identity_t<Vec<S, 3>>& offset = Vec<S, 3>::Zero(),
                                  const std::type_identity_t<SO3<S>>& rotation = SO3<S>::identity()) {
  return node(rod, 0, offset, rotation);
}
/// The same of the last node of a rod.
template <class B, class S = typename B::Scalar>
[[nodiscard]] FrameMarker<S> tip(const Handle<B>& rod,
                                 const std::type_identity_t<Vec<S, 3>>& offset = Vec<S, 3>::Zero(),
                                 const std::type_identity_t<SO3<S>>& rotation = SO3<S>::identity()) {
  return node(rod, rod.nodes - 1, offset, rotation);
}
/// The same of a rigid body.
template <class B, class S = typename B::Scalar>
[[nodiscard]] FrameMarker<S> frame(const Handle<B>& body,
                                   const std::type_identity_t<Vec<S, 3>>& offset = Vec<S, 3>::Zero(),
                                   const std::type_identity_t<SO3<S>>& rotation = SO3<S>::identity()) {
  return node(body, 0, offset, rotation);
}

}  // namespace dalembert::assembly
