#pragma once

#include <array>
#include <string_view>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/so3.hpp>
#include <dalembert/systems/detail/rigid_body.hpp>

/// The rattleback, or celt: an ellipsoid that rolls without slipping on a horizontal plane, with its
/// principal axes of inertia turned against those of its surface about the vertical. Spun one way it goes on;
/// spun the other way it begins to rattle, stops, and turns back.
///   A ∈ SO(3), c ∈ R³    attitude of the body, place of its centre of mass; the plane is z = 0   [1, m]
///   W, ċ               angular velocity in the body, velocity of the centre of mass in space   [rad/s, m/s]
///   M, 𝕀, g      mass [kg], inertia tensor in the body about the centre of mass [kg m²], gravity [m/s²]
///   B = diag(b₁, b₂, b₃)    semi-axes of the ellipsoid [m], along the axes of the body
///   h                      height of the centre of the ellipsoid over that of mass, along the third axis [m]
///   γ = Aᵀe₃, q = √(γ·B²γ)  upward vertical in the body;
///     height of the centre of the ellipsoid over the plane [1, m]
///   r = he₃ − B²γ/q         from the centre of mass to the contact, in the body [m]                (1)
///   ℓ = ½ W·𝕀W + ½M|ċ|² − Mg c₃                                                            (2)
///   c₃ + γ·r = 0            the ellipsoid touches the plane                                          (3)
///   ċ + A(W × r) = 0        its lowest point is at rest; the vertical component follows from (3)      (4)
/// The force of the plane on the body is (λ₂, λ₃, λ₁) in space [N]: λ₁ of (3) is the load, the
/// others belong to (4). As an oracle for tests, with F = M(v̇ + W × v + gγ), v = r × W, of 𝕀Ẇ + W
/// × 𝕀W = r × F:
///   [𝕀 + M(|r|² − rrᵀ)] Ẇ = 𝕀W × W + M r × (ṙ × W + W × (r × W) + gγ)               (5)
///   γ̇ = γ × W,  ṙ = −B²γ̇/q + B²γ (γ·B²γ̇)/q³                                        (6)
/// The contact is two-sided: λ₁ > 0 is for the caller to watch.
/// Sources: Walker 1896; Kane and Levinson 1982; Bondi 1986.
namespace dalembert::systems {

/// An ellipsoid on a plane; see the head of this file.
template <SingleReal S = double>
class Rattleback {
 public:
  using Group = Product<SO3<S>, Rn<S, 3>>;  ///< (A, c)
  using Tangent = typename Group::Tangent;  ///< (W, ċ)
  /// What the rows of (3) and (4) say.
  static constexpr std::array<std::string_view, 3> constraint_names = {"contact with the plane",
                                                                       "rolling along x", "rolling along y"};

  /// The tensor of inertia with `principal` moments about axes turned by `angle` [rad] about the third axis
  /// of the body.
  [[nodiscard]] static Mat<S, 3> turned_inertia(const Vec<S, 3>& principal, S angle) {
    const Mat<S, 3> turn = SO3<S>::exp(Vec<S, 3>(0, 0, angle)).matrix();
    return turn * principal.asDiagonal() * turn.transpose();
  }

  /// The body; by default that of Kane and Levinson 1982, for 1 kg: its inertia is turned by 0.82° against
  /// its surface.
  struct Parameters {
    S mass = 1;                                        ///< M > 0 [kg]
    Vec<S, 3> semi_axes{S(0.2L), S(0.03L), S(0.02L)};  ///< b₁, b₂, b₃ > 0 [m]
    S offset = S(0.01L);                               ///< h, |h| < b₃ [m]
    Mat<S, 3> inertia{{S(2e-4L), S(-2e-5L), 0},        //
                      {S(-2e-5L), S(1.6e-3L), 0},      //
                      {0, 0, S(1.7e-3L)}};             ///< 𝕀 in the body about the centre of mass [kg m²]
    S gravity = S(9.81L);                              ///< g ≥ 0 [m/s²]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit Rattleback(const Parameters& p) : p_(p) {
    using std::abs;
    constexpr const char* name = "Rattleback";
    detail::require_positive(name, "mass", p.mass, "kg");
    for (int i = 0; i < 3; ++i) detail::require_positive(name, "semi-axis", p.semi_axes[i], "m");
    require(abs(p.offset) < p.semi_axes[2], name, "offset", p.offset,
            "the centre of mass must be inside the ellipsoid [m]");
    detail::require_inertia(name, p.inertia);
    detail::require_not_negative(name, "gravity", p.gravity, "m/s^2");
    for (int i = 0; i < 3; ++i)
      detail::require_positive(name, "square of a semi-axis", p.semi_axes[i] * p.semi_axes[i], "m^2");
    detail::require_finite(name, "weight", p.mass * p.gravity, "N");
  }

  /// The body, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// γ = Aᵀe₃.
  template <class T>
  [[nodiscard]] static Vec<T, 3> vertical(const Product<SO3<T>, Rn<T, 3>>& g) {
    return g.first().inverse().act(Vec<T, 3>(0, 0, 1));
  }

  /// r of (1), a function of γ [m].
  template <class T>
  [[nodiscard]] Vec<T, 3> contact(const Vec<T, 3>& gamma) const {
    const Vec<T, 3> squared = detail::times(ellipsoid(), gamma);
    const T scale = -1 / height(gamma);
    return {scale * squared[0], scale * squared[1], p_.offset + scale * squared[2]};
  }

  /// (2) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Product<SO3<T>, Rn<T, 3>>& g, const Vec<T, 6>& xi) const {
    const Vec<T, 3> W = xi.template head<3>(), velocity = xi.template tail<3>();
    const T turning = detail::dot(W, detail::times(p_.inertia, W));
    const T moving = p_.mass * detail::dot(velocity, velocity);
    return (turning + moving) / 2 - p_.mass * p_.gravity * g.second().coordinates()[2];
  }

  /// The left side of (3) [m].
  template <class T>
  [[nodiscard]] T position_constraint(const Product<SO3<T>, Rn<T, 3>>& g) const {
    const Vec<T, 3> gamma = vertical(g);
    return g.second().coordinates()[2] + p_.offset * gamma[2] - height(gamma);
  }

  /// The horizontal components of (4) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const Product<SO3<T>, Rn<T, 3>>& g, const Vec<T, 6>& xi) const {
    const Vec<T, 3> W = xi.template head<3>();
    const Vec<T, 3> turning = g.first().act(SO3<T>::ad(W, contact(vertical(g))));
    return {xi[3] + turning[0], xi[4] + turning[1]};
  }

  /// ∂ℓ/∂ξ = (𝕀W, Mċ) [kg m²/s, kg m/s].
  template <class T>
  [[nodiscard]] Vec<T, 6> momentum(const Vec<T, 6>& xi) const {
    const Vec<T, 3> turning = detail::times(p_.inertia, Vec<T, 3>(xi.template head<3>()));
    Vec<T, 6> p;
    p << turning[0], turning[1], turning[2], p_.mass * xi[3], p_.mass * xi[4], p_.mass * xi[5];
    return p;
  }

  /// ∂²ℓ/∂ξ² = diag(𝕀, M, M, M) [kg m², kg].
  [[nodiscard]] Mat<S, 6> mass() const { return Group::blocks(p_.inertia, p_.mass * Mat<S, 3>::Identity()); }

  /// The configuration with this attitude that touches the plane, its centre of mass over (x, y) [m].
  [[nodiscard]] Group touching(const SO3<S>& attitude, S x = 0, S y = 0) const {
    const Vec<S, 3> gamma = attitude.inverse().act(Vec<S, 3>::UnitZ());
    return {attitude, Rn<S, 3>(Vec<S, 3>(x, y, -gamma.dot(contact(gamma))))};
  }

  /// The velocity (W, ċ) of a body that rolls with the angular velocity W in the body.
  [[nodiscard]] Tangent rolling(const Group& g, const Vec<S, 3>& W) const {
    return Group::join(W, g.first().act(SO3<S>::ad(contact(vertical(g)), W)));
  }

 private:
  /// B² [m²].
  [[nodiscard]] Mat<S, 3> ellipsoid() const { return p_.semi_axes.cwiseAbs2().asDiagonal(); }

  /// q [m].
  template <class T>
  [[nodiscard]] T height(const Vec<T, 3>& gamma) const {
    using std::sqrt;
    return sqrt(detail::dot(gamma, detail::times(ellipsoid(), gamma)));
  }

  Parameters p_;
};

}  // namespace dalembert::systems
