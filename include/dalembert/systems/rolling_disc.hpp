#pragma once

#include <array>
#include <limits>
#include <string_view>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// A disc that rolls on a horizontal plane without slipping and is free to lean and fall: a coin, a hoop.
///   g = (R, x) ∈ SO(3) × R³    frame of the disc, e₃ its axis; place of the centre, the plane is z = 0
///                                                                                                [rad, m]
///   ξ = (ω, v)                  angular velocity in the disc's frame, velocity of the centre in space
///                                                                                            [rad/s, m/s]
///   m, r, 𝕀                  mass [kg], radius [m], inertia about the centre of mass, the centre [kg m²]
///   γ = RᵀE₃, n = √(γ₁² + γ₂²)  the vertical in the disc's frame;
///     n = 0 when the disc lies flat
///   ρ = −(r/n)(γ₁, γ₂, 0)       from the centre to the contact, in the disc's frame [m]
///   ℓ(g, ξ) = ½m|v|² + ½ω·𝕀ω − mGx₃                                                      (1)
///   x₃ − rn = 0                                                                                (2)
///   (v + R(ω × ρ))₁ = (v + R(ω × ρ))₂ = 0                                                      (3)
/// The force of the plane on the disc is λ, in the order of rows: the normal force, then along x₁ and x₂
/// [N]. From (1) to (3) follow, and serve as oracles for tests, Newton's and Euler's laws with γ̇ = γ ×
/// ω,
///   𝕀ω̇ = 𝕀ω × ω + mρ × (Rᵀv̇ + Gγ),  Rᵀv̇ = ρ̇ × ω + ρ × ω̇ + ω × (ρ × ω),
///     force m(v̇ + GE₃)  (4)
/// and for 𝕀 = diag(A, A, C), in yaw q₁, lean q₂ from upright, and spin q₃, with K = C + mr²,
///   a = q̇₂,  b = q̇₃ + q̇₁ sin q₂,  c = q̇₁ cos q₂
///   (A + mr²)ȧ = (Kb − Aq̇₁ sin q₂)c + mGr sin q₂,  Kḃ = −mr²ac,
///     Aċ = a(Aq̇₁ sin q₂ − Cb)  (5)
/// so that the disc turns steadily at constant lean if q̇₁((K − A)q̇₁ sin q₂ + Kq̇₃) + mGr tan
/// q₂ = 0      (6) Where it holds: n > √ε, ε the round-off, and x₃ ≥ 0; elsewhere `FlatDisc` is
/// thrown. As n vanishes the contact ρ is nowhere, and below √ε the rates, which divide by n², have no
/// digit left. γ does not tell whether a disc has passed through the plane: beyond the flat position it is
/// that of a disc that leans on its other side. The centre does, for it goes on downwards until a projection
/// onto (2) lifts it.
/// Source: Neimark and Fufaev 1972; O'Reilly 1996; (6) for a thin disc, Kane and Levinson 1985.
namespace dalembert::systems {

/// A disc that has fallen flat, or through the plane.
struct FlatDisc : InvalidState {
  using InvalidState::InvalidState;
};

/// A disc that rolls on a plane; see the head of this file.
template <SingleReal S = double>
class RollingDisc {
 public:
  using Group = Product<SO3<S>, Rn<S, 3>>;  ///< the configuration space
  /// The rows of (2) and (3).
  static constexpr std::array<std::string_view, 3> constraint_names = {"height of the centre", "slip along x",
                                                                       "slip along y"};

  /// The disc and gravity. The inertia is that of a thin uniform disc unless it is given.
  struct Parameters {
    S mass = 1;    ///< m > 0 [kg]
    S radius = 1;  ///< r > 0 [m]
    /// 𝕀 in the disc's frame, symmetric and positive definite [kg m²].
    Mat<S, 3> inertia = Vec<S, 3>(1, 1, 2).asDiagonal() * (mass * radius * radius / 4);
    S gravity = S(9.81L);  ///< G, downwards [m/s²]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit RollingDisc(Parameters p) : p_(p) {
    detail::require_positive("RollingDisc", "mass", p.mass, "kg");
    detail::require_positive("RollingDisc", "radius", p.radius, "m");
    detail::require_positive_definite("RollingDisc", p.inertia);
    detail::require_finite("RollingDisc", "gravity", p.gravity, "m/s^2");
    detail::require_finite("RollingDisc", "weight", p.mass * p.gravity, "N");
  }

  /// The disc, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// ρ [m] in the disc's frame, at the attitude R. Not-a-number when the disc lies flat.
  template <class T>
  [[nodiscard]] Vec<T, 3> to_contact(const SO3<T>& R) const {
    using std::sqrt;
    const Vec<T, 3> up = vertical(R);
    const T scale = -p_.radius / sqrt(up[0] * up[0] + up[1] * up[1]);
    return {scale * up[0], scale * up[1], 0};
  }

  /// The rotation with yaw q₁, lean q₂ and spin q₃ [rad] of (5). At 0 the disc is upright and rolls
  /// along x₁ for q̇₃ > 0; q₂ > 0 leans it towards −x₂.
  [[nodiscard]] static SO3<S> attitude(S yaw, S lean, S spin) {
    const S quarter = static_cast<S>(pi) / 2;
    return SO3<S>::exp({0, 0, yaw}) * SO3<S>::exp({lean, 0, 0}) * SO3<S>::exp({0, spin, 0}) *
           SO3<S>::exp({-quarter, 0, 0});
  }
  /// The angular velocity in the disc's frame that belongs to `attitude` and its rates [rad/s].
  [[nodiscard]] static Vec<S, 3> angular_velocity(S lean, S spin, S yaw_rate, S lean_rate, S spin_rate) {
    using std::cos, std::sin;
    const Vec<S, 3> leaning(lean_rate, spin_rate + yaw_rate * sin(lean), yaw_rate * cos(lean));
    return (SO3<S>::exp({0, spin, 0}) * SO3<S>::exp({-static_cast<S>(pi) / 2, 0, 0})).inverse().act(leaning);
  }
  /// The spin rate q̇₃ [rad/s] at which (6) holds with the given lean and yaw rate, which is not 0. Throws
  /// std::invalid_argument unless 𝕀 = diag(A, A, C).
  [[nodiscard]] S steady_spin(S lean, S yaw_rate) const {
    using std::sin, std::tan;
    const S transverse = p_.inertia(0, 0), k = p_.inertia(2, 2) + p_.mass * p_.radius * p_.radius;
    const Mat<S, 3> round = Vec<S, 3>(transverse, transverse, p_.inertia(2, 2)).asDiagonal();
    require(number::is_zero(Mat<S, 3>(p_.inertia - round)), "RollingDisc", "inertia", p_.inertia,
            "a steady turn in closed form needs diag(A, A, C)");
    const S weight = p_.mass * p_.gravity * p_.radius;
    return -(weight * tan(lean) / yaw_rate + (k - transverse) * yaw_rate * sin(lean)) / k;
  }

  /// The configuration with attitude R whose contact is at (x₁, x₂) [m].
  [[nodiscard]] Group standing(const SO3<S>& R, const Vec<S, 2>& contact) const {
    const Vec<S, 3> centre = -R.act(to_contact(R));
    return {R, Rn<S, 3>(Vec<S, 3>(contact[0] + centre[0], contact[1] + centre[1], centre[2]))};
  }
  /// The velocity (ω, v) that keeps (2) and (3) with this angular velocity [rad/s] in the disc's frame.
  [[nodiscard]] Vec<S, 6> rolling(const SO3<S>& R, const Vec<S, 3>& omega) const {
    Vec<S, 6> xi;
    xi.template head<3>() = omega;
    xi.template tail<3>() = R.act(dalembert::detail::cross(to_contact(R), omega));
    return xi;
  }
  /// The same motion on a plane that is turned about the vertical by `angle` [rad]: a symmetry, like shifts
  /// of the plane.
  template <class State>
  [[nodiscard]] static State on_turned_plane(State at, S angle) {
    const SO3<S> turn = SO3<S>::exp({0, 0, angle});
    at.g = {turn * at.g.first(), Rn<S, 3>(turn.act(at.g.second().coordinates()))};
    at.xi.template tail<3>() = turn.act(Vec<S, 3>(at.xi.template tail<3>()));
    return at;
  }
  /// The same motion of a disc that is turned about its axle by `angle` [rad]: a symmetry if 𝕀 = diag(A,
  /// A, C).
  template <class State>
  [[nodiscard]] static State turned_about_axle(State at, S angle) {
    const SO3<S> turn = SO3<S>::exp({0, 0, angle});
    at.g = {at.g.first() * turn, at.g.second()};
    at.xi.template head<3>() = turn.inverse().act(Vec<S, 3>(at.xi.template head<3>()));
    return at;
  }

  /// Where the disc touches the plane [m].
  [[nodiscard]] Vec<S, 2> contact(const Group& g) const {
    return (g.second().coordinates() + g.first().act(to_contact(g.first()))).template head<2>();
  }

  /// Throws `FlatDisc` at the time t [s] unless the disc stands on its rim: n > √ε, and the centre is not
  /// below the plane.
  void require_valid(const Group& g, S t) const {
    const Vec<S, 3> up = vertical(g.first());
    const bool flat = up[0] * up[0] + up[1] * up[1] <= std::numeric_limits<S>::epsilon();
    if (flat || g.second().coordinates()[2] < 0)
      throw FlatDisc("RollingDisc: the disc has fallen flat", number::plain(t));
  }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Product<SO3<T>, Rn<T, 3>>& g, const Vec<T, 6>& xi) const {
    const Vec<T, 6> p = momentum(xi);
    T twice = p[0] * xi[0];
    for (int i = 1; i < 6; ++i) twice += p[i] * xi[i];
    return twice / 2 - p_.mass * p_.gravity * g.second().coordinates()[2];
  }

  /// The left side of (2) [m].
  template <class T>
  [[nodiscard]] T position_constraint(const Product<SO3<T>, Rn<T, 3>>& g) const {
    using std::sqrt;
    const Vec<T, 3> up = vertical(g.first());
    return g.second().coordinates()[2] - p_.radius * sqrt(up[0] * up[0] + up[1] * up[1]);
  }

  /// The left sides of (3) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const Product<SO3<T>, Rn<T, 3>>& g, const Vec<T, 6>& xi) const {
    const Vec<T, 3> omega(xi[0], xi[1], xi[2]);
    const Vec<T, 3> slip = g.first().act(dalembert::detail::cross(omega, to_contact(g.first())));
    return {xi[3] + slip[0], xi[4] + slip[1]};
  }

  /// ∂ℓ/∂ξ = (𝕀ω, mv) [kg m²/s, kg m/s].
  template <class T>
  [[nodiscard]] Vec<T, 6> momentum(const Vec<T, 6>& xi) const {
    Vec<T, 6> p;
    for (int i = 0; i < 3; ++i) {
      p[i] = p_.inertia(i, 0) * xi[0] + p_.inertia(i, 1) * xi[1] + p_.inertia(i, 2) * xi[2];
      p[3 + i] = p_.mass * xi[3 + i];
    }
    return p;
  }

  /// ∂²ℓ/∂ξ² = diag(𝕀, m) [kg m², kg].
  [[nodiscard]] Mat<S, 6> mass() const {
    Mat<S, 6> matrix = Mat<S, 6>::Identity() * p_.mass;
    matrix.template topLeftCorner<3, 3>() = p_.inertia;
    return matrix;
  }

 private:
  /// γ.
  template <class T>
  [[nodiscard]] static Vec<T, 3> vertical(const SO3<T>& R) {
    return R.inverse().act(Vec<T, 3>(0, 0, 1));
  }

  Parameters p_;
};

}  // namespace dalembert::systems
