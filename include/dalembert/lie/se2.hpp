#pragma once

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/lie/so2.hpp>

namespace dalembert {

/// Rigid motion of the plane, g = (R, p): a frame with origin p [m] turned by θ. A twist ξ = (u, v, ω) is the velocity of
/// the origin in the body frame and the angular velocity [m, m, rad, or per second]. With i the turn by a right angle,
///   exp ξ = (exp ω, V(u, v)),  V = (sin ω/ω) I + ((1 − cos ω)/ω) i                                              (1)
///   ad_ξ = [ωi  −i(u, v); 0  0],   ad_ξ³ = −ω² ad_ξ                                                               (2)
///   J_l(ξ) = I + c₂(ω²) ad_ξ + c₃(ω²) ad_ξ²,   J_l(ξ)⁻¹ = I − ½ ad_ξ + e(ω²) ad_ξ²                               (3)
/// with the kernels of lie/series.hpp; (3) follows from the series of J_l and (2). Source: Chirikjian 2011, sec. 10.6.
template <Real S = double>
class SE2 {
 public:
  using Scalar = S;              ///< the number type
  static constexpr int dof = 3;  ///< dimension of the group
  using Tangent = Vec<S, 3>;     ///< coordinates of the algebra
  using Point = Vec<S, 2>;       ///< what the group acts on
  /// The same group over another scalar.
  template <Real T>
  using rebind = SE2<T>;

  /// The identity.
  SE2() noexcept : p_(S(0), S(0)) {}
  /// The frame at p [m] turned by R.
  SE2(const SO2<S>& R, const Vec<S, 2>& p) noexcept : R_(R), p_(p) {}
  /// The frame at (x, y) [m] turned by θ [rad].
  SE2(const S& x, const S& y, const S& theta) noexcept : R_(SO2<S>::from_angle(theta)), p_(x, y) {}
  /// The identity.
  [[nodiscard]] static SE2 identity() noexcept { return {}; }

  /// The turn of the frame.
  [[nodiscard]] const SO2<S>& rotation() const noexcept { return R_; }
  /// The origin of the frame [m].
  [[nodiscard]] const Vec<S, 2>& translation() const noexcept { return p_; }
  /// θ in (−π, π].
  [[nodiscard]] S angle() const noexcept { return R_.angle(); }
  /// The 3×3 matrix [R p; 0 1].
  [[nodiscard]] Mat<S, 3> matrix() const noexcept {
    return detail::matrix_of<S>(R_.cosine(), S(-R_.sine()), p_[0], R_.sine(), R_.cosine(), p_[1], S(0), S(0),
                                S(1));
  }

  /// This motion after h.
  [[nodiscard]] SE2 operator*(const SE2& h) const noexcept {
    return {R_ * h.R_, detail::sum(p_, R_.act(h.p_))};
  }
  /// The motion back.
  [[nodiscard]] SE2 inverse() const noexcept {
    const SO2<S> back = R_.inverse();
    const Vec<S, 2> p = back.act(p_);
    return {back, Vec<S, 2>(S(-p[0]), S(-p[1]))};
  }
  /// The place in the plane of the point with body coordinates p [m].
  [[nodiscard]] Point act(const Point& p) const noexcept { return detail::sum(p_, R_.act(p)); }
  /// The same motion with its rotation normalised.
  [[nodiscard]] SE2 normalised() const noexcept { return {R_.normalised(), p_}; }
  /// The same motion over T.
  template <Real T>
  [[nodiscard]] SE2<T> cast() const noexcept {
    return {R_.template cast<T>(), detail::convert_all<T>(p_)};
  }
  /// The element over T whose numbers are f of these, taken in a fixed order.
  template <Real T, class F>
  [[nodiscard]] SE2<T> mapped(F&& f) const {
    const auto R = R_.template mapped<T>(f);
    return {R, detail::map_all<T>(p_, f)};
  }

  /// Eq. (1).
  [[nodiscard]] static SE2 exp(const Tangent& xi) noexcept {
    const detail::Turn<S> turn(xi[2]);
    return {SO2<S>::from_unit_complex(turn.cosine, turn.sine),
            Vec<S, 2>(S(turn.sinc * xi[0] - turn.cosc * xi[1]), S(turn.cosc * xi[0] + turn.sinc * xi[1]))};
  }
  /// exp ξ but for terms of third order: the same first and second derivatives at ξ = 0, without a series.
  [[nodiscard]] static SE2 exp_to_second_order(const Tangent& xi) noexcept {
    const S half = xi[2] / 2;
    return {SO2<S>::exp_to_second_order(Vec<S, 1>(xi[2])),
            Vec<S, 2>(S(xi[0] - half * xi[1]), S(xi[1] + half * xi[0]))};
  }
  /// The ξ with exp ξ = this and ω in (−π, π].
  [[nodiscard]] Tangent log() const noexcept {
    const S theta = R_.angle(), half = constant<S>(0.5L) * theta, x = theta * theta;
    const S a = S(1) - x * lie_series::cot_remainder(x);  // (θ/2)cot(θ/2)
    return {S(a * p_[0] + half * p_[1]), S(a * p_[1] - half * p_[0]), theta};
  }

  /// The 3×3 matrix [R  −ip; 0 1].
  [[nodiscard]] Mat<S, 3> Ad() const noexcept {
    return detail::matrix_of<S>(R_.cosine(), S(-R_.sine()), p_[1], R_.sine(), R_.cosine(), S(-p_[0]), S(0),
                                S(0), S(1));
  }
  /// Ad_g η.
  [[nodiscard]] Tangent Ad(const Tangent& eta) const noexcept {
    const Vec<S, 2> turned = R_.act(Vec<S, 2>(eta[0], eta[1]));
    return {S(turned[0] + p_[1] * eta[2]), S(turned[1] - p_[0] * eta[2]), eta[2]};
  }
  /// ad_ξ of (2).
  [[nodiscard]] static Mat<S, 3> ad(const Tangent& xi) noexcept {
    return detail::matrix_of<S>(S(0), S(-xi[2]), xi[1], xi[2], S(0), S(-xi[0]), S(0), S(0), S(0));
  }
  /// ad_ξ η = [ξ, η].
  [[nodiscard]] static Tangent ad(const Tangent& xi, const Tangent& eta) noexcept {
    return {S(xi[1] * eta[2] - xi[2] * eta[1]), S(xi[2] * eta[0] - xi[0] * eta[2]), S(0)};
  }
  /// ad*_ξ μ: ⟨ad*_ξ μ, η⟩ = ⟨μ, ad_ξ η⟩.
  [[nodiscard]] static Tangent coad(const Tangent& xi, const Tangent& mu) noexcept {
    return {S(xi[2] * mu[1]), S(-xi[2] * mu[0]), S(xi[1] * mu[0] - xi[0] * mu[1])};
  }

  /// J_l(ξ) of (3).
  [[nodiscard]] static Mat<S, 3> left_jacobian(const Tangent& xi) noexcept {
    const S x = xi[2] * xi[2];
    return matrix(lie_series::stumpff<2>(x), lie_series::stumpff<3>(x), xi);
  }
  /// J_r(ξ) = J_l(−ξ).
  [[nodiscard]] static Mat<S, 3> right_jacobian(const Tangent& xi) noexcept {
    const S x = xi[2] * xi[2];
    return matrix(S(-lie_series::stumpff<2>(x)), lie_series::stumpff<3>(x), xi);
  }
  /// J_l(ξ)⁻¹ of (3), |ω| < 2π.
  [[nodiscard]] static Mat<S, 3> left_jacobian_inverse(const Tangent& xi) noexcept {
    return matrix(S(-0.5), lie_series::cot_remainder(S(xi[2] * xi[2])), xi);
  }
  /// J_r(ξ)⁻¹ = J_l(−ξ)⁻¹, |ω| < 2π.
  [[nodiscard]] static Mat<S, 3> right_jacobian_inverse(const Tangent& xi) noexcept {
    return matrix(constant<S>(0.5L), lie_series::cot_remainder(S(xi[2] * xi[2])), xi);
  }
  /// J_l(ξ)η.
  [[nodiscard]] static Tangent left_jacobian(const Tangent& xi, const Tangent& eta) noexcept {
    return detail::times(left_jacobian(xi), eta);
  }
  /// J_r(ξ)η.
  [[nodiscard]] static Tangent right_jacobian(const Tangent& xi, const Tangent& eta) noexcept {
    return detail::times(right_jacobian(xi), eta);
  }
  /// J_l(ξ)⁻¹η, |ω| < 2π.
  [[nodiscard]] static Tangent left_jacobian_inverse(const Tangent& xi, const Tangent& eta) noexcept {
    return detail::times(left_jacobian_inverse(xi), eta);
  }
  /// J_r(ξ)⁻¹η, |ω| < 2π.
  [[nodiscard]] static Tangent right_jacobian_inverse(const Tangent& xi, const Tangent& eta) noexcept {
    return detail::times(right_jacobian_inverse(xi), eta);
  }

  /// Whether all numbers are the same, bit for bit.
  [[nodiscard]] friend bool operator==(const SE2& a, const SE2& b) {
    return a.R_ == b.R_ && detail::same(a.p_, b.p_);
  }

 private:
  /// I + b ad_ξ + c ad_ξ².
  [[nodiscard]] static Mat<S, 3> matrix(const S& b, const S& c, const Tangent& xi) noexcept {
    const S turn = b * xi[2], t = c * xi[2], a = S(1) - t * xi[2];
    return detail::matrix_of<S>(a, S(-turn), S(b * xi[1] + t * xi[0]), turn, a, S(t * xi[1] - b * xi[0]),
                                S(0), S(0), S(1));
  }

  SO2<S> R_;
  Vec<S, 2> p_;
};

using SE2f = SE2<float>;   ///< SE(2) over float
using SE2d = SE2<double>;  ///< SE(2) over double

}  // namespace dalembert
