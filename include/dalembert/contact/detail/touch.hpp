#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// One contact of a ball with a surface, and what impulses there do to the nodes that bear them.
namespace dalembert::contact::detail {

/// A side of a contact: a node, or nothing where the surface is in space.
template <class S>
struct TouchSide {
  std::size_t body = 0;
  Eigen::Index node = 0;
  std::size_t all = none;                  ///< number of the node among those of all bodies
  Vec<S, 3> arm = Vec<S, 3>::Zero();       ///< from the node to the point of contact [m]
  Mat<S, 3> axes = Mat<S, 3>::Identity();  ///< Λ of the node

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] bool there() const noexcept { return all != none; }
};

/// A ball, number `ball`, at a surface: 0 ≤ other is one of space or of a body, other < 0 ball −1 − other.
template <class S>
struct Touch {
  using V = Vec<S, 3>;
  using M = Mat<S, 3>;

  std::size_t ball = 0;
  std::ptrdiff_t other = 0;
  S friction{}, restitution{}, radius{};

  // In the configuration that was looked at last:
  std::array<TouchSide<S>, 2> sides{};
  M frame = M::Zero();        ///< rows: the normal, from the surface to the ball, and two tangents
  V surface = V::Zero();      ///< velocity of a surface in space at the contact [m/s]
  V normal_rate = V::Zero();  ///< Ṅ [1/s]
  V bias = V::Zero();         ///< rate of the velocity while the nodes keep theirs [m/s²]
  V point = V::Zero();        ///< the contact [m]
  S gap{};                    ///< [m]
  S sizes{};                  ///< of the lengths that made the gap [m]

  // Of the step:
  V impulse = V::Zero();     ///< on the ball so far, spatial [N s]; a force where forces are asked [N]
  V at_impulse = V::Zero();  ///< the normal for which it was found
  S gap_before{}, opening_before{}, acceleration{};  ///< g, u_n and u̇_n at the beginning
  bool was_closed = false, closed = false, active = false;
  V u_before = V::Zero(), kicked = V::Zero(), before = V::Zero();  ///< see TouchingStep; in the frame
  V slip_before = V::Zero();   ///< direction of the slip at the beginning, where it slips
  M own_response = M::Zero();  ///< G of what is alone, where it was found last
  S opening{};                 ///< e u_n⁻ where it closes
  S push_impulse{};            ///< that put positions right
  S pushed{};                  ///< displacement without velocity so far [kg m]
  std::size_t cluster = 0;     ///< of those that share nodes

  [[nodiscard]] V normal() const { return frame.row(0).transpose(); }
  /// Its normal impulse.
  [[nodiscard]] S pressure() const { return normal().dot(impulse); }

  /// Velocity of the ball's material at the contact, seen from the surface [m/s].
  [[nodiscard]] V velocity(const assembly::State<S>& x) const {
    V u = -surface;
    for (std::size_t s = 0; s < 2; ++s)
      if (sides[s].there()) {
        const auto& chain = x.chains[sides[s].body];
        const V w = sides[s].axes * chain.angular_velocity(sides[s].node);
        const V v = chain.linear_velocity(sides[s].node) + w.cross(sides[s].arm);
        u += s == 0 ? v : V(-v);
      }
    return u;
  }
  /// Rate of the velocity for these numbers of the nodes: accelerations, or changes of velocities.
  [[nodiscard]] V rate(std::size_t s, const V& linear, const V& angular) const {
    const V turning = sides[s].axes * angular, a = linear + turning.cross(sides[s].arm);
    return s == 0 ? a : V(-a);
  }
  /// The body torque of a spatial force at the contact.
  [[nodiscard]] V torque(std::size_t s, const V& force) const {
    return sides[s].axes.transpose() * sides[s].arm.cross(force);
  }
  /// The changes of the velocities of side s by a spatial impulse on the ball: f(linear, angular).
  template <class F>
  void respond(std::size_t s, const V& impulse_on_ball, const assembly::Inertias<S>& inertia,
               const F& f) const {
    const V force = s == 0 ? impulse_on_ball : V(-impulse_on_ball);
    V linear = force, angular = torque(s, force);
    const auto& inverse = inertia[sides[s].body].inverse;
    for (int i = 0; i < 3; ++i) {
      linear[i] *= inverse(sides[s].node, i);
      angular[i] *= inverse(sides[s].node, 3 + i);
    }
    f(linear, angular);
  }
  /// Change the velocities of its nodes by an impulse.
  void kick(assembly::State<S>& x, const V& impulse_on_ball, const assembly::Inertias<S>& inertia) const {
    for (std::size_t s = 0; s < 2; ++s)
      if (sides[s].there())
        respond(s, impulse_on_ball, inertia, [&](const V& v, const V& w) {
          auto& velocity = x.chains[sides[s].body].velocity;
          for (int i = 0; i < 3; ++i) {
            velocity(sides[s].node, i) += v[i];
            velocity(sides[s].node, 3 + i) += w[i];
          }
        });
  }
  /// Displace its nodes likewise.
  void displace(assembly::State<S>& x, const V& impulse_on_ball, const assembly::Inertias<S>& inertia) const {
    for (std::size_t s = 0; s < 2; ++s)
      if (sides[s].there())
        respond(s, impulse_on_ball, inertia, [&](const V& r, const V& turn) {
          rod::move_node(x.chains[sides[s].body], sides[s].node, r, turn);
        });
  }
  /// The torques of unit forces along the rows of the frame on side s, columns in the frame of the node.
  [[nodiscard]] M torques(std::size_t s) const {
    M out;
    for (int j = 0; j < 3; ++j) out.col(j) = torque(s, V(frame.row(j).transpose()));
    return out;
  }
  /// Whether impulses at the other do something here.
  [[nodiscard]] bool shares_with(const Touch& by) const noexcept {
    for (const auto& mine : sides)
      for (const auto& theirs : by.sides)
        if (mine.there() && mine.all == theirs.all) return true;
    return false;
  }
  /// What impulses at `by` do to the velocity here: a block of the Delassus operator, in the two frames.
  [[nodiscard]] M response(const Touch& by, const assembly::Inertias<S>& inertia) const {
    M G = M::Zero();
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t t = 0; t < 2; ++t) {
        if (!sides[s].there() || sides[s].all != by.sides[t].all) continue;
        const auto& inverse = inertia[sides[s].body].inverse;
        const Eigen::Index k = sides[s].node;
        const M mine = torques(s), theirs = &by == this && s == t ? mine : by.torques(t);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            S sum(0);
            for (int l = 0; l < 3; ++l)
              sum += inverse(k, l) * frame(i, l) * by.frame(j, l) +
                     inverse(k, 3 + l) * mine(l, i) * theirs(l, j);
            G(i, j) += s == t ? sum : S(-sum);
          }
      }
    return G;
  }
  /// What a normal impulse does to the opening.
  [[nodiscard]] S normal_response(const assembly::Inertias<S>& inertia) const {
    S G(0);
    const V n = normal();
    for (std::size_t s = 0; s < 2; ++s)
      if (sides[s].there())
        respond(s, n, inertia, [&](const V& v, const V& w) { G += n.dot(rate(s, v, w)); });
    return G;
  }
  /// The impulse so far in the frame of the present configuration: turned with the normal.
  [[nodiscard]] V carried_impulse() const {
    const V n = normal();
    if (at_impulse == n) return frame * impulse;
    const V axis = at_impulse.cross(n);
    const S cosine = at_impulse.dot(n);
    // Rodrigues' formula for the smallest rotation between the normals
    const V turned = cosine * impulse + axis.cross(impulse) + axis * (axis.dot(impulse) / (S(1) + cosine));
    return frame * turned;
  }
  /// Keep an impulse, given in the present frame.
  void keep(const V& in_frame) {
    impulse = frame.transpose() * in_frame;
    at_impulse = normal();
  }
  /// How large a gap is none.
  [[nodiscard]] S tolerance() const { return S(256) * std::numeric_limits<S>::epsilon() * (sizes + radius); }
};

}  // namespace dalembert::contact::detail
