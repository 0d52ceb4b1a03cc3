#pragma once

#include <array>
#include <string_view>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// A point mass in a vertical plane on a rod without mass, in Cartesian coordinates.
///   q = (x, y) ∈ R²       place of the mass, y upwards, the pivot at the origin      [m]
///   m, l, γ               mass [kg], length of the rod [m], gravity [m/s²]
///   r = |q|, n = q/r      distance from the pivot [m], direction of the rod
///   ℓ = ½m|q̇|² − mγy                                                                  (1)
///   r − l = 0                                                                         (2)
/// The force of the rod on the mass is λn [N]. From (1) and (2) follow, with x = l cos φ and y = l sin φ,
/// and serve as oracles,
///   φ̈ = −(γ/l) cos φ,  λ = mγ sin φ − mlφ̇²                                            (3)
/// The field of (2) ends at the pivot. What becomes of (2) as friction, potential or inertia:
///   friction ṙ/ε      mq̈ = −mγe₂ − (ṙ/ε)n                                             (4)
///   potential         mq̈ = −mγe₂ − ((r − l)/ε)n                                       (5)
///   inertia           (m + 1/ε) r̈ = m r φ̇² − mγ sin φ,  d/dt (m r²φ̇) = −mγ r cos φ    (6)
/// Source: Eldering 2016, section 3, eqs (5)–(8).
namespace dalembert::systems {

/// A plane pendulum with its rod as a constraint; see the head of this file.
template <SingleReal S = double>
class Pendulum {
 public:
  using Group = Rn<S, 2>;  ///< the plane
  /// The row of (2).
  static constexpr std::array<std::string_view, 1> constraint_names = {"length of the rod"};

  /// The pendulum.
  struct Parameters {
    S mass = 1;            ///< m > 0 [kg]
    S length = 1;          ///< l > 0 [m]
    S gravity = S(9.81L);  ///< γ, downwards [m/s²]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit Pendulum(Parameters p) : p_(p) {
    detail::require_positive("Pendulum", "mass", p.mass, "kg");
    detail::require_positive("Pendulum", "length", p.length, "m");
    detail::require_finite("Pendulum", "gravity", p.gravity, "m/s^2");
  }

  /// The pendulum, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Rn<T, 2>& q, const Vec<T, 2>& v) const {
    return p_.mass * ((v[0] * v[0] + v[1] * v[1]) / 2 - p_.gravity * q.coordinates()[1]);
  }

  /// The left side of (2) [m].
  template <class T>
  [[nodiscard]] T position_constraint(const Rn<T, 2>& q) const {
    using std::sqrt;
    const Vec<T, 2>& at = q.coordinates();
    return sqrt(at[0] * at[0] + at[1] * at[1]) - p_.length;
  }

  /// ∂ℓ/∂q̇ [kg m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> momentum(const Vec<T, 2>& v) const {
    return {p_.mass * v[0], p_.mass * v[1]};
  }

  /// ∂²ℓ/∂q̇² [kg].
  [[nodiscard]] Mat<S, 2> mass() const { return dalembert::detail::diagonal(Vec<S, 2>(p_.mass, p_.mass)); }

  /// Throws InvalidState at the pivot, where the rod has no direction.
  void require_valid(const Group& q, const S& t) const {
    if (q.coordinates()[0] == 0 && q.coordinates()[1] == 0)
      throw InvalidState("Pendulum: the mass is in the pivot, where the rod has no direction",
                         number::plain(t));
  }

  /// The place of the mass on a rod at the angle φ above e₁ [rad].
  [[nodiscard]] Group at_angle(S phi) const {
    return Group(Vec<S, 2>(p_.length * number::cos(phi), p_.length * number::sin(phi)));
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
