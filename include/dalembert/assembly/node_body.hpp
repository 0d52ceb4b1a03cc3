#pragma once

#include <dalembert/assembly/body.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// What bodies have in common whose nodes move by their own inertia and by forces alone: rigid bodies, and
/// bodies of one's own, which say their masses, forces and energy and get the rest here. The frame of a node
/// lies at its centre of mass, along its principal axes.
///   m r̈ = f − ν m ṙ,   J ω̇ + ω × Jω = τ − ν Jω                                         (1)
/// Free motion is exact for J₁ = J₂ and otherwise split symmetrically into that of a body with J₁ =
/// J₂ and a rotation about the first axis.
namespace dalembert::assembly {

/// Equation (1) for the body `Own`, which derives from this class and says
///   nodes()              how many nodes it has
///   mass(k)              positive [kg]; infinite for a node that no force moves, whose energy does not
///                        count
///   inertia(k)           J₁, J₂, J₃, positive and finite [kg m²]; if it has none, nodes are points,
///                        which do not turn
///   forces(chain, f)     spatial forces [N] and body torques [N m] of each node into the rows of f; false
///                        where they mean nothing
///   potential(chain)     the energy whose forces they are [J]; none if it says none
///   damping()            ν [1/s]; 0 if it says none
/// An assembly refuses other masses and moments, by std::invalid_argument that names body, node and value.
/// A body that has stiffness too, for statics and implicit steps, says it as `StaticBody` asks.
template <class Own, class S = double>
class NodeBody {
 public:
  using Scalar = S;  ///< the number type

  /// Equation (1); false where an acceleration is not finite.
  bool accelerations(const Chain<S>& chain, const Columns<S, 6>& f, S, Columns<S, 6>& a) const noexcept {
    const S damping = damping_rate(*this);
    for (Eigen::Index k = 0; k < own().nodes(); ++k) {
      for (int i = 0; i < 3; ++i) {
        a(k, i) = f(k, i) / own().mass(k) - damping * chain.velocity(k, i);
        if constexpr (turns()) {
          const auto& j = own().inertia(k);
          const Vec<S, 3> w = chain.angular_velocity(k);
          const int next = (i + 1) % 3, last = (i + 2) % 3;
          a(k, 3 + i) = (f(k, 3 + i) - (j[last] - j[next]) * w[next] * w[last]) / j[i] - damping * w[i];
        } else {
          a(k, 3 + i) = S(0);
        }
      }
    }
    return number::isfinite(S(a.sum()));
  }

  /// v += h M⁻¹ f.
  void kick(Chain<S>& chain, const Columns<S, 6>& f, S h) const noexcept {
    for (Eigen::Index k = 0; k < own().nodes(); ++k)
      for (int i = 0; i < 6; ++i) chain.velocity(k, i) += kicked(f, k, i, h);
  }

  /// A kick by `loads` for a time `kick` [s], then free motion for h [s].
  void kick_drift(const Chain<S>& from, const Columns<S, 6>& loads, S kick, S, S h, Chain<S>& to) const;

  /// No node is held.
  friend void hold(const NodeBody&, Chain<S>&, S) noexcept {}

  /// Mass and principal moments.
  [[nodiscard]] friend NodeInertia<S> node_inertia(const NodeBody& body, Eigen::Index k) noexcept {
    NodeInertia<S> inertia;
    for (int i = 0; i < 3; ++i) {
      inertia.inverse[i] = S(1) / body.own().mass(k);
      if constexpr (turns()) {
        inertia.inverse[3 + i] = S(1) / body.own().inertia(k)[i];
        inertia.rotary[i] = body.own().inertia(k)[i];
      }
    }
    return inertia;
  }

  /// ν [1/s].
  [[nodiscard]] friend S damping_rate(const NodeBody& body) noexcept {
    if constexpr (requires { body.own().damping(); }) return body.own().damping();
    return S(0);
  }

  /// No motion is prescribed.
  [[nodiscard]] friend bool has_prescribed_motion(const NodeBody&) noexcept { return false; }

  /// Σ ½ m v² + ½ ω·Jω [J].
  [[nodiscard]] friend S kinetic_energy(const NodeBody& body, const Chain<S>& chain) noexcept {
    S twice(0);
    for (Eigen::Index k = 0; k < body.own().nodes(); ++k) {
      const S own = body.own().mass(k), mass = number::isfinite(own) ? own : S(0);
      for (int i = 0; i < 3; ++i) {
        const S v = chain.velocity(k, i), w = chain.velocity(k, 3 + i);
        if constexpr (turns())
          twice += mass * v * v + body.own().inertia(k)[i] * w * w;
        else
          twice += mass * v * v;
      }
    }
    return twice / S(2);
  }

  /// What the body says [J].
  [[nodiscard]] friend S potential_energy(const NodeBody& body, const Chain<S>& chain) noexcept {
    if constexpr (requires { body.own().potential(chain); }) return body.own().potential(chain);
    return S(0);
  }

  /// None: its forces are those of its energy [W].
  [[nodiscard]] friend S load_power(const NodeBody&, const Chain<S>&, const Columns<S, 6>&,
                                    const Columns<S, 6>&) noexcept {
    return S(0);
  }

  /// Whether nodes turn.
  [[nodiscard]] static constexpr bool turns() noexcept {
    return requires(const Own& own) { own.inertia(Eigen::Index(0)); };
  }
  /// As what derives from it.
  [[nodiscard]] const Own& own() const noexcept { return static_cast<const Own&>(*this); }

 private:
  /// h M⁻¹ f of number i of node k.
  [[nodiscard]] S kicked(const Columns<S, 6>& f, Eigen::Index k, int i, S h) const noexcept {
    if (i < 3) return h * f(k, i) / own().mass(k);
    if constexpr (turns()) return h * f(k, i) / own().inertia(k)[i - 3];
    return S(0);
  }
};

template <class Own, class S>
void NodeBody<Own, S>::kick_drift(const Chain<S>& from, const Columns<S, 6>& loads, S kick, S, S h,
                                  Chain<S>& to) const {
  const S damp = rod::detail::damping_factor(damping_rate(*this), h);
  for (Eigen::Index k = 0; k < own().nodes(); ++k) {
    rod::detail::FreeNode<S> n = rod::detail::load_node<S>(from, k);
    const auto by = [&](int i) { return kicked(loads, k, i, kick); };
    n.velocity += {by(0), by(1), by(2)};
    n.omega += {by(3), by(4), by(5)};
    if constexpr (turns())
      rod::detail::move_freely(n, own().inertia(k), h, damp);
    else
      rod::detail::move_freely(
          n, [](auto&, auto&, Eigen::Index) {}, k, h, damp);
    rod::detail::store_node(n, to, k);
  }
}

}  // namespace dalembert::assembly
