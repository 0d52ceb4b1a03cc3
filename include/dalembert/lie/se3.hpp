#pragma once

#include <dalembert/lie/so3.hpp>

namespace dalembert {

/// The special Euclidean group SE(3), rigid motions of space g = (R, p): a frame with origin p [m] turned by
/// R. A twist ξ = (γ, ω) is the velocity of the origin, first, and the angular velocity, both in the body
/// frame [m, rad, or per second]; a momentum μ = (f, m) is a force and a moment in that order.
///   exp(γ, ω) = (exp ω, J_l(ω)γ)                                                                    (1)
///   J_l(γ, ω) = [J(ω) Q; 0 J(ω)],  Q = d/ds J(ω + sγ) at s = 0                                     (2)
///   J(ω) = I + bω̂ + cω̂²  ⇒  Q = bγ̂ + c(ω̂γ̂ + γ̂ω̂) + 2(ω·γ)(b′ω̂ + c′ω̂²)  (3)
/// with J the Jacobian of SO(3), b and c its kernels and ′ their derivatives by x = |ω|². The inverse
/// obeys (2) and (3) with the kernels of J⁻¹. (2) holds because SE(3) is SO(3) over the dual numbers ω +
/// εγ, ε² = 0; it is the Q of Barfoot 2017, eq. (7.86), in fewer terms.
template <Real S = double>
class SE3 {
  using Triple = detail::Triple<S>;

 public:
  using Scalar = S;              ///< the number type
  static constexpr int dof = 6;  ///< dimension of the group
  using Tangent = Vec<S, 6>;     ///< coordinates of the algebra
  using Point = Vec<S, 3>;       ///< what the group acts on
  /// The same group over another scalar.
  template <Real T>
  using rebind = SE3<T>;

  /// The identity.
  SE3() noexcept : p_(S(0), S(0), S(0)) {}
  /// The frame at p [m] turned by R.
  SE3(const SO3<S>& R, const Vec<S, 3>& p) noexcept : R_(R), p_(p) {}
  /// The identity.
  [[nodiscard]] static SE3 identity() noexcept { return {}; }

  /// The turn of the frame.
  [[nodiscard]] const SO3<S>& rotation() const noexcept { return R_; }
  /// The origin of the frame [m].
  [[nodiscard]] const Vec<S, 3>& translation() const noexcept { return p_; }
  /// The 4×4 matrix [R p; 0 1].
  [[nodiscard]] Mat<S, 4> matrix() const noexcept {
    Mat<S, 4> m = Mat<S, 4>::Identity();
    m.template topLeftCorner<3, 3>() = R_.matrix();
    m.template topRightCorner<3, 1>() = p_;
    return m;
  }

  /// This motion after h.
  [[nodiscard]] SE3 operator*(const SE3& h) const noexcept { return {R_ * h.R_, R_.act(h.p_, p_)}; }
  /// The motion back.
  [[nodiscard]] SE3 inverse() const noexcept {
    const SO3<S> back = R_.inverse();
    return {back, -Triple(back.act(p_))};
  }
  /// The place in space of the point with body coordinates p [m].
  [[nodiscard]] Point act(const Point& p) const noexcept { return R_.act(p, p_); }
  /// The same motion with its rotation normalised.
  [[nodiscard]] SE3 normalised() const noexcept { return {R_.normalised(), p_}; }
  /// The same motion over T.
  template <Real T>
  [[nodiscard]] SE3<T> cast() const noexcept {
    return {R_.template cast<T>(), detail::convert_all<T>(p_)};
  }
  /// The element over T whose numbers are f of these, taken in a fixed order.
  template <Real T, class F>
  [[nodiscard]] SE3<T> mapped(F&& f) const {
    const auto R = R_.template mapped<T>(f);
    return {R, detail::map_all<T>(p_, f)};
  }

  /// Eq. (1).
  [[nodiscard]] static SE3 exp(const Tangent& xi) noexcept {
    const Triple gamma = linear(xi), omega = angular(xi);
    const S x = dot(omega, omega), quarter = constant<S>(0.25L) * x;
    const S half =
        constant<S>(0.5L) * lie_series::stumpff<1>(quarter);  // sin(θ/2)/θ, and c₂(x) is twice its square
    const Triple v = half * omega;
    return {SO3<S>::from_unit_quaternion(lie_series::stumpff<0>(quarter), v),
            gamma + S(S(2) * half) * cross(v, gamma) +
                lie_series::stumpff<3>(x) * cross(omega, cross(omega, gamma))};
  }
  /// exp ξ but for terms of third order: the same first and second derivatives at ξ = 0, without a series.
  [[nodiscard]] static SE3 exp_to_second_order(const Tangent& xi) noexcept {
    const Triple gamma = linear(xi), omega = angular(xi);
    return {SO3<S>::exp_to_second_order(omega), gamma + cross(constant<S>(0.5L) * omega, gamma)};
  }
  /// The ξ of the smallest angle with exp ξ = this.
  [[nodiscard]] Tangent log() const noexcept {
    const Vec<S, 3> omega = R_.log();
    return join(Triple(SO3<S>::left_jacobian_inverse(omega, p_)), Triple(omega));
  }

  /// The adjoint representation as the 6×6 matrix [R p̂R; 0 R].
  [[nodiscard]] Mat<S, 6> Ad() const noexcept {
    const Mat<S, 3> R = R_.matrix();
    return blocks(R, SO3<S>::hat(p_) * R);
  }
  /// Ad_g η.
  [[nodiscard]] Tangent Ad(const Tangent& eta) const noexcept {
    const Triple turned(R_.act(angular(eta)));
    return join(Triple(R_.act(linear(eta))) + cross(Triple(p_), turned), turned);
  }
  /// The 6×6 matrix [ω̂ γ̂; 0 ω̂].
  [[nodiscard]] static Mat<S, 6> ad(const Tangent& xi) noexcept {
    return blocks(SO3<S>::hat(xi.template tail<3>()), SO3<S>::hat(xi.template head<3>()));
  }
  /// ad_ξ η = [ξ, η].
  [[nodiscard]] static Tangent ad(const Tangent& xi, const Tangent& eta) noexcept {
    const Triple omega = angular(xi), turn = angular(eta);
    return join(cross(omega, linear(eta)) + cross(linear(xi), turn), cross(omega, turn));
  }
  /// ad*_ξ (f, m) = (f × ω, f × γ + m × ω): ⟨ad*_ξ μ, η⟩ = ⟨μ, ad_ξ η⟩.
  [[nodiscard]] static Tangent coad(const Tangent& xi, const Tangent& mu) noexcept {
    const Triple omega = angular(xi), force = linear(mu);
    return join(cross(force, omega), cross(force, linear(xi)) + cross(angular(mu), omega));
  }

  /// J_l(ξ) of (2).
  [[nodiscard]] static Mat<S, 6> left_jacobian(const Tangent& xi) noexcept {
    return Polynomial::jacobian(xi, S(1)).matrix();
  }
  /// J_r(ξ) = J_l(−ξ).
  [[nodiscard]] static Mat<S, 6> right_jacobian(const Tangent& xi) noexcept {
    return Polynomial::jacobian(xi, S(-1)).matrix();
  }
  /// J_l(ξ)⁻¹, |ω| < 2π.
  [[nodiscard]] static Mat<S, 6> left_jacobian_inverse(const Tangent& xi) noexcept {
    return Polynomial::inverse(xi, S(1)).matrix();
  }
  /// J_r(ξ)⁻¹ = J_l(−ξ)⁻¹, |ω| < 2π.
  [[nodiscard]] static Mat<S, 6> right_jacobian_inverse(const Tangent& xi) noexcept {
    return Polynomial::inverse(xi, S(-1)).matrix();
  }
  /// J_l(ξ)η.
  [[nodiscard]] static Tangent left_jacobian(const Tangent& xi, const Tangent& eta) noexcept {
    return Polynomial::jacobian(xi, S(1)).applied(eta);
  }
  /// J_r(ξ)η.
  [[nodiscard]] static Tangent right_jacobian(const Tangent& xi, const Tangent& eta) noexcept {
    return Polynomial::jacobian(xi, S(-1)).applied(eta);
  }
  /// J_l(ξ)⁻¹η, |ω| < 2π.
  [[nodiscard]] static Tangent left_jacobian_inverse(const Tangent& xi, const Tangent& eta) noexcept {
    return Polynomial::inverse(xi, S(1)).applied(eta);
  }
  /// J_r(ξ)⁻¹η, |ω| < 2π.
  [[nodiscard]] static Tangent right_jacobian_inverse(const Tangent& xi, const Tangent& eta) noexcept {
    return Polynomial::inverse(xi, S(-1)).applied(eta);
  }

  /// Whether all numbers are the same, bit for bit.
  [[nodiscard]] friend bool operator==(const SE3& a, const SE3& b) {
    return a.R_ == b.R_ && detail::same(a.p_, b.p_);
  }

 private:
  [[nodiscard]] static Triple linear(const Tangent& xi) noexcept { return {xi[0], xi[1], xi[2]}; }
  [[nodiscard]] static Triple angular(const Tangent& xi) noexcept { return {xi[3], xi[4], xi[5]}; }
  [[nodiscard]] static Tangent join(const Triple& a, const Triple& b) noexcept {
    Tangent xi;
    xi << a.x, a.y, a.z, b.x, b.y, b.z;
    return xi;
  }
  /// [D U; 0 D].
  [[nodiscard]] static Mat<S, 6> blocks(const Mat<S, 3>& D, const Mat<S, 3>& U) noexcept {
    Mat<S, 6> m;
    m.template topLeftCorner<3, 3>() = D;
    m.template topRightCorner<3, 3>() = U;
    m.template bottomLeftCorner<3, 3>().setZero();
    m.template bottomRightCorner<3, 3>() = D;
    return m;
  }

  /// The matrix (2) of kernels b, c with derivatives b′, c′; Q = ŝ + tωᵀ + ωtᵀ − 2(t·ω)I with
  /// s = bγ + 2(ω·γ)b′ω and t = cγ + (ω·γ)c′ω, which is (3) with ω̂γ̂ + γ̂ω̂ = γωᵀ
  /// + ωγᵀ − 2(ω·γ)I.
  struct Polynomial {
    Triple omega;
    S b, c, d;
    Triple s, t;

    Polynomial(const Tangent& xi, const S& b_in, const S& c_in, const S& db, const S& dc) noexcept
        : omega(angular(xi)),
          b(b_in),
          c(c_in),
          d(dot(omega, linear(xi))),
          s(b * linear(xi) + S(S(2) * d * db) * omega),
          t(c * linear(xi) + S(d * dc) * omega) {}
    [[nodiscard]] static Polynomial jacobian(const Tangent& xi, const S& sign) noexcept {
      const S x = xi.template tail<3>().squaredNorm();
      const S c2 = lie_series::stumpff<2>(x), c3 = lie_series::stumpff<3>(x);
      const S c4 = lie_series::stumpff<4>(x), c5 = lie_series::stumpff<5>(x);
      return {xi, S(sign * c2), c3, S(sign * (c4 - constant<S>(0.5L) * c3)),
              S(constant<S>(0.5L) * (S(3) * c5 - c4))};
    }
    [[nodiscard]] static Polynomial inverse(const Tangent& xi, const S& sign) noexcept {
      const S x = xi.template tail<3>().squaredNorm();
      return {xi, S(S(-0.5) * sign), lie_series::cot_remainder(x), S(0),
              lie_series::cot_remainder_derivative(x)};
    }
    [[nodiscard]] Mat<S, 6> matrix() const noexcept {
      Mat<S, 6> m;
      const Triple skew = b * omega,
                   half = S(constant<S>(0.5L) * c) * omega;  // D is the same form as Q, plus I
      put<0, 0>(m, S(1), skew, half);
      put<3, 3>(m, S(1), skew, half);
      put<0, 3>(m, S(0), s, t);
      m.template bottomLeftCorner<3, 3>().setZero();
      return m;
    }
    /// Write aI + ŝ + uωᵀ + ωuᵀ − 2(u·ω)I at (Row, Column).
    template <int Row, int Column>
    void put(Mat<S, 6>& m, const S& a, const Triple& skew, const Triple& u) const noexcept {
      const S xx = u.x * omega.x, yy = u.y * omega.y, zz = u.z * omega.z;
      const S xy = u.x * omega.y + u.y * omega.x, xz = u.x * omega.z + u.z * omega.x,
              yz = u.y * omega.z + u.z * omega.y;
      m(Row, Column) = a - S(2) * (yy + zz);
      m(Row + 1, Column) = xy + skew.z;
      m(Row + 2, Column) = xz - skew.y;
      m(Row, Column + 1) = xy - skew.z;
      m(Row + 1, Column + 1) = a - S(2) * (xx + zz);
      m(Row + 2, Column + 1) = yz + skew.x;
      m(Row, Column + 2) = xz + skew.y;
      m(Row + 1, Column + 2) = yz - skew.x;
      m(Row + 2, Column + 2) = a - S(2) * (xx + yy);
    }
    [[nodiscard]] Tangent applied(const Tangent& eta) const noexcept {
      const Triple v = linear(eta), w = angular(eta), turned_v = cross(omega, v), turned_w = cross(omega, w);
      const Triple Qw = cross(s, w) + dot(omega, w) * t + dot(t, w) * omega - S(S(2) * dot(t, omega)) * w;
      return join(v + b * turned_v + c * cross(omega, turned_v) + Qw,
                  w + b * turned_w + c * cross(omega, turned_w));
    }
  };

  SO3<S> R_;
  Vec<S, 3> p_;
};

using SE3f = SE3<float>;   ///< SE(3) over float
using SE3d = SE3<double>;  ///< SE(3) over double

}  // namespace dalembert
