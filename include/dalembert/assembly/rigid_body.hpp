#pragma once

#include <cmath>
#include <limits>

#include <dalembert/assembly/body.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// A rigid body: a chain of one node at its centre of mass, the frame along its principal axes.
///   m r̈ = f,   J ω̇ + ω × Jω = τ                                                                        (1)
/// Free motion is exact for J₁ = J₂ and otherwise split symmetrically into that of a body with J₁ =
/// J₂ and a rotation about the first axis.
namespace dalembert::assembly {

/// A rigid body under gravity and a constant force and torque; see the head of this file.
template <class S = double>
class RigidBody {
 public:
  using Scalar = S;  ///< the number type

  /// What makes a rigid body.
  struct Parameters {
    S mass{};                               ///< [kg]
    Vec<S, 3> inertia = Vec<S, 3>::Zero();  ///< principal moments of inertia about the centre of mass [kg m²]
    Vec<S, 3> gravity = Vec<S, 3>::Zero();  ///< spatial acceleration of free fall [m/s²]
    Vec<S, 3> force = Vec<S, 3>::Zero();    ///< constant spatial force at the centre of mass [N]
    Vec<S, 3> torque = Vec<S, 3>::Zero();   ///< constant body torque [N m]; it does work as a load
    S damping{};                            ///< ν [1/s]: force −ν m v, torque −ν J ω
  };

  /// Throws std::invalid_argument for a mass or inertia that is not positive and finite or that no body can
  /// have, negative damping, and loads that are not finite.
  explicit RigidBody(Parameters p) : p_(p) {
    const auto positive = [](const char* name, S x) {
      require(x > 0 && number::isfinite(x) && number::isfinite(S(1) / x), "RigidBody", name, x,
              "it must be positive and finite, and so must its inverse");
    };
    positive("mass", p.mass);
    for (int i = 0; i < 3; ++i) positive("inertia", p.inertia[i]);
    for (int i = 0; i < 3; ++i)
      require(p.inertia[i] <= (p.inertia[(i + 1) % 3] + p.inertia[(i + 2) % 3]) * (S(1) + S(1e-6)),
              "RigidBody", "inertia", p.inertia[i],
              "no principal moment may exceed the sum of the others [kg m^2]");
    require(p.damping >= 0 && number::isfinite(p.damping), "RigidBody", "damping", p.damping,
            "a damping rate must be finite and not negative [1/s]");
    using dalembert::detail::all_finite;
    require(all_finite(p.gravity) && all_finite(p.force) && all_finite(p.torque), "RigidBody", "loads",
            "not finite", "gravity, force and torque must be finite");
  }

  /// What it was made from.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }
  /// One.
  [[nodiscard]] Eigen::Index nodes() const noexcept { return 1; }

  /// A chain at rest with its centre of mass at `position` [m].
  [[nodiscard]] Chain<S> at(const Vec<S, 3>& position, const SO3<S>& rotation = SO3<S>::identity()) const {
    Chain<S> chain(1);
    chain.set_frame(0, rotation, position);
    return chain;
  }

  /// Gravity, force and torque.
  bool forces(const Chain<S>&, Columns<S, 6>& f) const noexcept {
    for (int i = 0; i < 3; ++i) {
      f(0, i) = p_.mass * p_.gravity[i] + p_.force[i];
      f(0, 3 + i) = p_.torque[i];
    }
    return true;
  }

  /// Equation (1) with damping; false where an acceleration is not finite.
  bool accelerations(const Chain<S>& chain, const Columns<S, 6>& f, S, Columns<S, 6>& a) const noexcept {
    const Vec<S, 3> w = chain.angular_velocity(0);
    const Vec<S, 3>& j = p_.inertia;
    for (int i = 0; i < 3; ++i) {
      const int next = (i + 1) % 3, last = (i + 2) % 3;
      a(0, i) = f(0, i) / p_.mass - p_.damping * chain.velocity(0, i);
      a(0, 3 + i) = (f(0, 3 + i) - (j[last] - j[next]) * w[next] * w[last]) / j[i] - p_.damping * w[i];
    }
    return number::isfinite(S(a.sum()));
  }

  /// v += h M⁻¹ f.
  void kick(Chain<S>& chain, const Columns<S, 6>& f, S h) const noexcept {
    for (int i = 0; i < 6; ++i) chain.velocity(0, i) += h * f(0, i) / (i < 3 ? p_.mass : p_.inertia[i - 3]);
  }

  /// A kick by `loads` for a time `kick` [s], then free motion for h [s].
  void kick_drift(const Chain<S>& from, const Columns<S, 6>& loads, S kick, S, S h, Chain<S>& to) const {
    const S damp = rod::detail::damping_factor(p_.damping, h);
    rod::detail::FreeNode<S> n = rod::detail::load_node<S>(from, 0);
    const auto by = [&](int i) { return S(kick * loads(0, i) / (i < 3 ? p_.mass : p_.inertia[i - 3])); };
    n.velocity += {by(0), by(1), by(2)};
    n.omega += {by(3), by(4), by(5)};
    rod::detail::move_freely(n, p_.inertia, h, damp);
    rod::detail::store_node(n, to, 0);
  }

 private:
  Parameters p_;
};

/// A rigid body holds nothing.
template <class S>
void hold(const RigidBody<S>&, Chain<S>&, S) noexcept {}

/// Mass and principal moments.
template <class S>
[[nodiscard]] NodeInertia<S> node_inertia(const RigidBody<S>& body, Eigen::Index) noexcept {
  NodeInertia<S> inertia;
  for (int i = 0; i < 3; ++i) {
    inertia.inverse[i] = S(1) / body.parameters().mass;
    inertia.inverse[3 + i] = S(1) / body.parameters().inertia[i];
    inertia.rotary[i] = body.parameters().inertia[i];
  }
  return inertia;
}

/// ν [1/s].
template <class S>
[[nodiscard]] S damping_rate(const RigidBody<S>& body) noexcept {
  return body.parameters().damping;
}

/// Nothing leads it.
template <class S>
[[nodiscard]] bool moves_by_itself(const RigidBody<S>&) noexcept {
  return false;
}

/// ½ m v² + ½ ω·Jω [J].
template <class S>
[[nodiscard]] S kinetic_energy(const RigidBody<S>& body, const Chain<S>& chain) noexcept {
  S twice(0);
  for (int i = 0; i < 3; ++i) {
    const S v = chain.velocity(0, i), w = chain.velocity(0, 3 + i);
    twice += body.parameters().mass * v * v + body.parameters().inertia[i] * w * w;
  }
  return twice / S(2);
}

/// −(m g + f)·r [J].
template <class S>
[[nodiscard]] S potential_energy(const RigidBody<S>& body, const Chain<S>& chain) noexcept {
  const auto& p = body.parameters();
  S energy(0);
  for (int i = 0; i < 3; ++i) energy -= (p.mass * p.gravity[i] + p.force[i]) * chain.configuration(0, i);
  return energy;
}

/// The power of the torque [W].
template <class S>
[[nodiscard]] S load_power(const RigidBody<S>& body, const Chain<S>& chain, const Columns<S, 6>&,
                           const Columns<S, 6>&) noexcept {
  S power(0);
  for (int i = 0; i < 3; ++i) power += body.parameters().torque[i] * chain.velocity(0, 3 + i);
  return power;
}

/// Its loads do not change with its place: the force in space and the torque in the body are constant.
template <class S, class Add>
void add_stiffness(const RigidBody<S>&, const Chain<S>&, Add&&) noexcept {}

}  // namespace dalembert::assembly
