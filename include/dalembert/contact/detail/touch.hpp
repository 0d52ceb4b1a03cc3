#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include <dalembert/assembly/inertia.hpp>
#include <dalembert/assembly/rows.hpp>
#include <dalembert/assembly/state.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// One contact of a ball with a surface, and what impulses there do to the nodes that bear them. With the
/// weights α of the nodes k of a side, their velocities v and Λω, and the arm y from their average,
///   V = Σ α v,   W = Σ α Λω,   u = V + W × y − (that of the other side)                         (1)
/// An impulse P on the first side is αP and the torque αΛᵀ(y × P) on its nodes.
namespace dalembert::contact::detail {

template <class S>
struct CellContact;

/// One of several nodes of a side.
template <class S>
struct TouchNode {
  S weight{};      ///< α
  Mat<S, 3> axes;  ///< Λ
};

/// A side of a contact: a node, several one after the other, or nothing where the surface is in space.
template <class S>
struct TouchSide {
  std::size_t body = 0;
  Eigen::Index node = 0;                   ///< the first
  std::size_t all = none;                  ///< its number among those of all bodies
  std::size_t count = 1;                   ///< how many
  TouchNode<S>* window = nullptr;          ///< of several; room that the workspace has
  Vec<S, 3> arm = Vec<S, 3>::Zero();       ///< from their average to the point of contact [m]
  Mat<S, 3> axes = Mat<S, 3>::Identity();  ///< Λ of one node

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] bool there() const noexcept { return all != none; }
  /// α of a node of the body; 0 for others.
  [[nodiscard]] S weight_of(Eigen::Index k) const noexcept {
    const Eigen::Index i = k - node;
    if (i < 0 || i >= static_cast<Eigen::Index>(count)) return S(0);
    return window == nullptr ? S(1) : window[i].weight;
  }
  /// f(node, α, Λ) for each.
  template <class F>
  void each_node(const F& f) const {
    if (window == nullptr) return f(node, S(1), axes);
    for (std::size_t k = 0; k < count; ++k)
      f(node + static_cast<Eigen::Index>(k), window[k].weight, window[k].axes);
  }
};

/// A ball, number `ball`, at a surface: 0 ≤ other is one of space or of a body, other < 0 ball −1 −
/// other. Or the contact of a cell of a rod.
template <class S>
struct Touch {
  using V = Vec<S, 3>;
  using M = Mat<S, 3>;
  using T = dalembert::detail::Triple<S>;

  std::size_t ball = 0;
  std::ptrdiff_t other = 0;
  CellContact<S>* cell = nullptr;
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
  S pushed{};                  ///< displacement so far [kg m]
  S push_now{};                ///< displacement at once [kg m]
  V change = V::Zero();        ///< of the velocity by the impulses of a cluster
  std::size_t cluster = 0;     ///< of those that share nodes
  bool held = false;           ///< whether constraints hold nodes of it
  bool jumps = false;          ///< whether its gap jumps where positions are put right

  [[nodiscard]] V normal() const { return frame.row(0).transpose(); }
  /// Its normal impulse.
  [[nodiscard]] S pressure() const { return normal().dot(impulse); }

  /// Velocity of the ball's material at the contact, seen from the surface [m/s].
  [[nodiscard]] V velocity(const assembly::State<S>& x) const { return moved(x) - surface; }
  /// The same, seen from space where the surface is there: what these velocities of nodes make of it.
  [[nodiscard]] V moved(const assembly::State<S>& x) const {
    V u = V::Zero();
    for (std::size_t s = 0; s < 2; ++s) {
      if (!sides[s].there()) continue;
      const auto& chain = x.chains[sides[s].body];
      V v = V::Zero(), w = V::Zero();
      sides[s].each_node([&](Eigen::Index k, S alpha, const M& axes) {
        v += alpha * chain.linear_velocity(k);
        w += alpha * (axes * chain.angular_velocity(k));
      });
      u += rate(s, v, w);
    }
    return u;
  }
  /// What V and W of a side are to it: velocities, or their rates and changes.
  [[nodiscard]] V rate(std::size_t s, const V& linear, const V& turning) const {
    const V a = linear + turning.cross(sides[s].arm);
    return s == 0 ? a : V(-a);
  }
  /// The changes of the velocities of side s by a spatial impulse on the ball: f(node, α, Λ, linear,
  /// angular).
  template <class F>
  void respond(std::size_t s, const V& impulse_on_ball, const assembly::Inertias<S>& inertia,
               const F& f) const {
    const V force = s == 0 ? impulse_on_ball : V(-impulse_on_ball), couple = sides[s].arm.cross(force);
    const auto& inverse = inertia[sides[s].body].inverse;
    sides[s].each_node([&](Eigen::Index k, S alpha, const M& axes) {
      V linear = alpha * force, angular = alpha * (axes.transpose() * couple);
      for (int i = 0; i < 3; ++i) {
        linear[i] *= inverse(k, i);
        angular[i] *= inverse(k, 3 + i);
      }
      f(k, alpha, axes, linear, angular);
    });
  }
  /// Change the velocities of its nodes by an impulse.
  void kick(assembly::State<S>& x, const V& impulse_on_ball, const assembly::Inertias<S>& inertia) const {
    for (std::size_t s = 0; s < 2; ++s)
      if (sides[s].there())
        respond(s, impulse_on_ball, inertia, [&](Eigen::Index k, S, const M&, const V& v, const V& w) {
          auto& velocity = x.chains[sides[s].body].velocity;
          for (int i = 0; i < 3; ++i) {
            velocity(k, i) += v[i];
            velocity(k, 3 + i) += w[i];
          }
        });
  }
  /// Displace its nodes likewise.
  void displace(assembly::State<S>& x, const V& impulse_on_ball, const assembly::Inertias<S>& inertia) const {
    for (std::size_t s = 0; s < 2; ++s)
      if (sides[s].there())
        respond(s, impulse_on_ball, inertia, [&](Eigen::Index k, S, const M&, const V& r, const V& turn) {
          rod::move_node(x.chains[sides[s].body], k, r, turn);
        });
  }
  /// Add a spatial force on the ball to the loads on its nodes.
  void add_force(assembly::NodeNumbers<S>& loads, const V& force_on_ball) const {
    for (std::size_t s = 0; s < 2; ++s) {
      if (!sides[s].there()) continue;
      const V force = s == 0 ? force_on_ball : V(-force_on_ball), couple = sides[s].arm.cross(force);
      auto& mine = loads.chains[sides[s].body];
      sides[s].each_node([&](Eigen::Index k, S alpha, const M& axes) {
        const V torque = axes.transpose() * couple;
        for (int i = 0; i < 3; ++i) {
          mine(k, i) += alpha * force[i];
          mine(k, 3 + i) += alpha * torque[i];
        }
      });
    }
  }
  /// A unit force along row j of the frame, and its couple at side s, spatial.
  [[nodiscard]] assembly::detail::Averages<S> unit(std::size_t s, int j) const {
    const T n{frame(j, 0), frame(j, 1), frame(j, 2)};
    return {n, cross(T(sides[s].arm), n)};
  }
  /// What impulses at `by` do to the velocity here: a block of the Delassus operator, in the two frames.
  [[nodiscard]] M response(const Touch& by, const assembly::Inertias<S>& inertia) const {
    M G = M::Zero();
    for (std::size_t s = 0; s < 2; ++s)
      for (std::size_t t = 0; t < 2; ++t) {
        if (!sides[s].there() || !by.sides[t].there() || sides[s].body != by.sides[t].body) continue;
        const auto& inverse = inertia[sides[s].body].inverse;
        assembly::detail::Compliance<S> shared;
        sides[s].each_node([&](Eigen::Index k, S alpha, const M& axes) {
          const S both = alpha * by.sides[t].weight_of(k);
          if (both == S(0)) return;
          const T x{axes(0, 0), axes(1, 0), axes(2, 0)}, y{axes(0, 1), axes(1, 1), axes(2, 1)};
          assembly::detail::add_compliance(x, y, both * rod::load3<0, S>(inverse, k),
                                           both * rod::load3<3, S>(inverse, k), shared);
        });
        const S sign(s == t ? 1 : -1);
        for (int j = 0; j < 3; ++j) {
          const assembly::detail::Averages<S> done = shared * by.unit(t, j);
          for (int i = 0; i < 3; ++i) G(i, j) += sign * dot(unit(s, i), done);
        }
      }
    return G;
  }
  /// What a normal impulse does to the opening.
  [[nodiscard]] S normal_response(const assembly::Inertias<S>& inertia) const {
    if (sides[0].window != nullptr || sides[1].window != nullptr) return response(*this, inertia)(0, 0);
    S G(0);
    const V n = normal();
    for (std::size_t s = 0; s < 2; ++s)
      if (sides[s].there())
        respond(s, n, inertia, [&](Eigen::Index, S, const M& axes, const V& v, const V& w) {
          G += n.dot(rate(s, v, V(axes * w)));
        });
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
  /// As it is where a step begins, for the gap there.
  void begin_step() {
    closed = was_closed = gap <= tolerance();
    gap_before = gap;
    impulse = V::Zero();
    at_impulse = normal();
  }
  /// The overlap at the beginning, but for rounding, which would add up from step to step.
  [[nodiscard]] S kept_overlap() const {
    return gap_before < -S(16) * std::numeric_limits<S>::epsilon() * sizes ? gap_before : S(0);
  }
  /// How large a gap is none.
  [[nodiscard]] S tolerance() const { return S(256) * std::numeric_limits<S>::epsilon() * (sizes + radius); }
};

/// A ball, and what it may meet: a surface, or −1 − number of another ball.
template <class S>
struct TouchCandidate {
  std::size_t ball;
  std::ptrdiff_t other;
  S way;              ///< as far as others may move them in a step [m]
  bool near = false;  ///< what was found out
};

}  // namespace dalembert::contact::detail
