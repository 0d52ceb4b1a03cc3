#pragma once

#include <dalembert/assembly/node_body.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// A rigid body: a chain of one node at its centre of mass, the frame along its principal axes. Its motion:
/// assembly/node_body.hpp.
namespace dalembert::assembly {

/// A rigid body under gravity and a constant force and torque; see the head of this file.
template <class S = double>
class RigidBody : public NodeBody<RigidBody<S>, S> {
 public:
  /// What makes a rigid body.
  struct Parameters {
    S mass{};  ///< [kg]
    /// principal moments of inertia about the centre of mass [kg m²]
    Vec<S, 3> inertia = Vec<S, 3>::Zero();
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
  /// [kg].
  [[nodiscard]] S mass(Eigen::Index = 0) const noexcept { return p_.mass; }
  /// Principal moments about the centre of mass [kg m²].
  [[nodiscard]] const Vec<S, 3>& inertia(Eigen::Index = 0) const noexcept { return p_.inertia; }
  /// ν [1/s].
  [[nodiscard]] S damping() const noexcept { return p_.damping; }

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
  /// −(m g + f)·r [J].
  [[nodiscard]] S potential(const Chain<S>& chain) const noexcept {
    S energy(0);
    for (int i = 0; i < 3; ++i) energy -= (p_.mass * p_.gravity[i] + p_.force[i]) * chain.configuration(0, i);
    return energy;
  }

 private:
  Parameters p_;
};

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
