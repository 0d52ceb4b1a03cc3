#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/lie/concepts.hpp>
#include <dalembert/lie/detail/triple.hpp>
#include <dalembert/lie/series.hpp>

namespace dalembert {

/// Rotation of space, R ∈ SO(3), kept as a unit quaternion q = (w, v): w = cos(θ/2), v = sin(θ/2) ×
/// axis. A tangent ω = (ω₁, ω₂, ω₃) is an angular velocity in the body frame [rad, or rad/s]; ω̂
/// is the matrix with ω̂p = ω × p.
///   exp ω = (c₀(x/4), ½c₁(x/4) ω),  x = |ω|²   the exponential map      (1)
///   J_l(ω) = I + c₂(x) ω̂ + c₃(x) ω̂²,   J_l(ω)⁻¹ = I − ½ω̂ + e(x) ω̂²      (2)
/// with the kernels of lie/series.hpp. Sources: Iserles et al. 2000, app. B; Barfoot 2017, sec. 7.1.
template <Real S = double>
class SO3 {
  using Triple = detail::Triple<S>;

 public:
  using Scalar = S;              ///< the number type
  static constexpr int dof = 3;  ///< dimension of the group
  using Tangent = Vec<S, 3>;     ///< coordinates of the algebra
  using Point = Vec<S, 3>;       ///< what the group acts on
  /// The same group over another scalar.
  template <Real T>
  using rebind = SO3<T>;

  /// The identity.
  SO3() noexcept : w_(1), v_(S(0), S(0), S(0)) {}
  /// The identity.
  [[nodiscard]] static SO3 identity() noexcept { return {}; }
  /// The rotation of the quaternion (w, v), not zero, which is normalised. Throws std::invalid_argument if it
  /// is zero.
  [[nodiscard]] static SO3 from_quaternion(const S& w, const Vec<S, 3>& v) {
    using std::sqrt;
    const S norm = sqrt(S(w * w + v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    if constexpr (PlainReal<S>)
      require(norm != 0, "SO3", "norm of the quaternion", norm, "it must not be zero");
    const S scale = S(1) / norm;
    return {S(scale * w), Vec<S, 3>(scale * v[0], scale * v[1], scale * v[2])};
  }
  /// The rotation of the quaternion (w, v), which is of norm 1 and taken bit for bit.
  [[nodiscard]] static SO3 from_unit_quaternion(const S& w, const Vec<S, 3>& v) noexcept { return {w, v}; }
  /// The rotation of a 3×3 matrix. Throws std::invalid_argument if it is farther than 10⁻³ from a proper
  /// rotation.
  [[nodiscard]] static SO3 from_matrix(const Mat<S, 3>& R);

  /// cos(θ/2); q and −q are one rotation, so its sign has no meaning.
  [[nodiscard]] const S& w() const noexcept { return w_; }
  /// sin(θ/2) × axis.
  [[nodiscard]] const Vec<S, 3>& v() const noexcept { return v_; }
  /// The 3×3 matrix R.
  [[nodiscard]] Mat<S, 3> matrix() const noexcept {
    const Triple v(v_), d = S(2) * v, wd = w_ * d;
    const S xx = d.x * v.x, yy = d.y * v.y, zz = d.z * v.z;
    const S xy = d.x * v.y, xz = d.x * v.z, yz = d.y * v.z;
    return detail::matrix_of<S>(S(S(1) - (yy + zz)), S(xy - wd.z), S(xz + wd.y),  //
                                S(xy + wd.z), S(S(1) - (xx + zz)), S(yz - wd.x),  //
                                S(xz - wd.y), S(yz + wd.x), S(S(1) - (xx + yy)));
  }

  /// This rotation after h.
  [[nodiscard]] SO3 operator*(const SO3& h) const noexcept {
    const Triple a(v_), b(h.v_);
    return {S(w_ * h.w_ - dot(a, b)), w_ * b + h.w_ * a + cross(a, b)};
  }
  /// The rotation back.
  [[nodiscard]] SO3 inverse() const noexcept { return {w_, -Triple(v_)}; }
  /// Rp: the vector with body components p, in space.
  [[nodiscard]] Point act(const Point& p) const noexcept { return turned(Triple(p)); }
  /// origin + Rp: the point with coordinates p in the frame at `origin` turned by R.
  [[nodiscard]] Point act(const Point& p, const Point& origin) const noexcept {
    return Triple(origin) + turned(Triple(p));
  }
  /// One Newton step towards |q| = 1, which squares the deviation: enough after any product, and free of
  /// roots.
  [[nodiscard]] SO3 normalised() const noexcept {
    const S scale = constant<S>(0.5L) * (S(3) - (w_ * w_ + detail::inner(v_, v_)));
    return {S(scale * w_), scale * Triple(v_)};
  }
  /// The same rotation over T.
  template <Real T>
  [[nodiscard]] SO3<T> cast() const noexcept {
    return SO3<T>::from_unit_quaternion(convert<T>(w_), detail::convert_all<T>(v_));
  }
  /// The element over T whose numbers are f of these, taken in a fixed order.
  template <Real T, class F>
  [[nodiscard]] SO3<T> mapped(F&& f) const {
    const T w = f(w_);
    return SO3<T>::from_unit_quaternion(w, detail::map_all<T>(v_, f));
  }

  /// The rotation by the angle |ω| about ω, eq. (1).
  [[nodiscard]] static SO3 exp(const Tangent& omega) noexcept {
    const S x = constant<S>(0.25L) * detail::inner(omega, omega);
    return {lie_series::stumpff<0>(x), S(constant<S>(0.5L) * lie_series::stumpff<1>(x)) * Triple(omega)};
  }
  /// exp ω but for terms of third order: the same first and second derivatives at ω = 0, without a series.
  [[nodiscard]] static SO3 exp_to_second_order(const Tangent& omega) noexcept {
    const Triple half = S(constant<S>(0.5L)) * Triple(omega);
    return {S(1 - dot(half, half) / 2), half};
  }
  /// The ω of the smallest angle with exp ω = this; at half a turn one of the two. A quaternion ±q gives
  /// one ω.
  [[nodiscard]] Tangent log() const noexcept;

  /// R, which is also Ad_R.
  [[nodiscard]] Mat<S, 3> Ad() const noexcept { return matrix(); }
  /// Rω.
  [[nodiscard]] Tangent Ad(const Tangent& omega) const noexcept { return act(omega); }
  /// ω̂, which is also ad_ω.
  [[nodiscard]] static Mat<S, 3> hat(const Tangent& omega) noexcept {
    return combine(S(0), S(1), S(0), omega);
  }
  /// The ω of an antisymmetric matrix ω̂.
  [[nodiscard]] static Tangent vee(const Mat<S, 3>& m) noexcept { return {m(2, 1), m(0, 2), m(1, 0)}; }
  /// ω̂.
  [[nodiscard]] static Mat<S, 3> ad(const Tangent& omega) noexcept { return hat(omega); }
  /// ω × η.
  [[nodiscard]] static Tangent ad(const Tangent& omega, const Tangent& eta) noexcept {
    return cross(Triple(omega), Triple(eta));
  }
  /// ad*_ω μ = μ × ω: ⟨ad*_ω μ, η⟩ = ⟨μ, ad_ω η⟩.
  [[nodiscard]] static Tangent coad(const Tangent& omega, const Tangent& mu) noexcept {
    return cross(Triple(mu), Triple(omega));
  }

  /// J_l(ω) of (2).
  [[nodiscard]] static Mat<S, 3> left_jacobian(const Tangent& omega) noexcept {
    return Polynomial::jacobian(omega, S(1)).matrix(omega);
  }
  /// J_l(ω)η.
  [[nodiscard]] static Tangent left_jacobian(const Tangent& omega, const Tangent& eta) noexcept {
    return Polynomial::jacobian(omega, S(1)).applied(omega, eta);
  }
  /// J_r(ω) = J_l(−ω) = J_l(ω)ᵀ.
  [[nodiscard]] static Mat<S, 3> right_jacobian(const Tangent& omega) noexcept {
    return Polynomial::jacobian(omega, S(-1)).matrix(omega);
  }
  /// J_r(ω)η.
  [[nodiscard]] static Tangent right_jacobian(const Tangent& omega, const Tangent& eta) noexcept {
    return Polynomial::jacobian(omega, S(-1)).applied(omega, eta);
  }
  /// J_l(ω)⁻¹ of (2), |ω| < 2π.
  [[nodiscard]] static Mat<S, 3> left_jacobian_inverse(const Tangent& omega) noexcept {
    return Polynomial::inverse(omega, S(1)).matrix(omega);
  }
  /// J_l(ω)⁻¹η, |ω| < 2π.
  [[nodiscard]] static Tangent left_jacobian_inverse(const Tangent& omega, const Tangent& eta) noexcept {
    return Polynomial::inverse(omega, S(1)).applied(omega, eta);
  }
  /// J_r(ω)⁻¹ = J_l(−ω)⁻¹, |ω| < 2π.
  [[nodiscard]] static Mat<S, 3> right_jacobian_inverse(const Tangent& omega) noexcept {
    return Polynomial::inverse(omega, S(-1)).matrix(omega);
  }
  /// J_r(ω)⁻¹η, |ω| < 2π.
  [[nodiscard]] static Tangent right_jacobian_inverse(const Tangent& omega, const Tangent& eta) noexcept {
    return Polynomial::inverse(omega, S(-1)).applied(omega, eta);
  }

  /// Whether the quaternions are the same, bit for bit; use (g.inverse() * h).log() for a distance.
  [[nodiscard]] friend bool operator==(const SO3& a, const SO3& b) {
    return a.w_ == b.w_ && detail::same(a.v_, b.v_);
  }

 private:
  SO3(const S& w, const Vec<S, 3>& v) noexcept : w_(w), v_(v) {}

  /// Rp.
  [[nodiscard]] Triple turned(const Triple& p) const noexcept {
    const Triple v(v_), half = cross(v, p);
    return p + S(2) * (w_ * half + cross(v, half));
  }

  /// aI + bω̂ + cωωᵀ.
  [[nodiscard]] static Mat<S, 3> combine(const S& a, const S& b, const S& c, const Tangent& omega) noexcept {
    const Triple o(omega), s = b * o, t = c * o;
    const S xy = t.x * o.y, xz = t.x * o.z, yz = t.y * o.z;
    return detail::matrix_of<S>(S(a + t.x * o.x), S(xy - s.z), S(xz + s.y),  //
                                S(xy + s.z), S(a + t.y * o.y), S(yz - s.x),  //
                                S(xz - s.y), S(yz + s.x), S(a + t.z * o.z));
  }

  /// I + bω̂ + cω̂², x = |ω|².
  struct Polynomial {
    S x, b, c;

    [[nodiscard]] static Polynomial jacobian(const Tangent& omega, const S& sign) noexcept {
      const S x = detail::inner(omega, omega);
      return {x, S(sign * lie_series::stumpff<2>(x)), lie_series::stumpff<3>(x)};
    }
    [[nodiscard]] static Polynomial inverse(const Tangent& omega, const S& sign) noexcept {
      const S x = detail::inner(omega, omega);
      return {x, S(constant<S>(-0.5L) * sign), lie_series::cot_remainder(x)};
    }
    [[nodiscard]] Mat<S, 3> matrix(const Tangent& omega) const noexcept {
      return combine(S(S(1) - c * x), b, c, omega);
    }
    [[nodiscard]] Tangent applied(const Tangent& omega, const Tangent& eta) const noexcept {
      const Triple o(omega), v(eta), turn = cross(o, v);
      return v + b * turn + c * cross(o, turn);
    }
  };

  S w_;
  Vec<S, 3> v_;
};

template <Real S>
auto SO3<S>::log() const noexcept -> Tangent {
  using std::sqrt;
  const S sign = select(value_of(w_) < Value<S>(0), S(-1), S(1));
  const S sigma = detail::inner(v_, v_);
  if (all_lanes(value_of(sigma) <= Value<S>(0.25)))
    return S(S(2) * sign * lie_series::asinc(sigma)) * detail::Triple<S>(v_);
  // Beyond 60° asin(θ/4) is well-conditioned, beyond 120° θ/2 = π/2 − asin w is; A is asked within [0,
  // ¼] in both cases.
  const S w = sign * w_;
  const auto middle = value_of(w) >= Value<S>(0.5);
  const S A = lie_series::asinc(select(middle, S(constant<S>(0.5L) * (S(1) - w)), S(w * w)));
  const S angle = select(middle, S(S(4) * A), S(constant<S>(pi) - S(2) * w * A));
  const S length = sqrt(select(middle, S(S(2) * (S(1) + w)), sigma));
  return S(sign * angle / length) * detail::Triple<S>(v_);
}

template <Real S>
SO3<S> SO3<S>::from_matrix(const Mat<S, 3>& R) {
  if constexpr (PackReal<S>) {
    SO3 q;
    for (int lane = 0; lane < S::width; ++lane) {
      Mat<Number<S>, 3> Ri;
      for (Eigen::Index i = 0; i < 9; ++i) Ri.coeffRef(i) = R.coeff(i)[lane];
      const SO3<Number<S>> qi = SO3<Number<S>>::from_matrix(Ri);
      q.w_.set(lane, qi.w());
      for (int i = 0; i < 3; ++i) q.v_[i].set(lane, qi.v()[i]);
    }
    return q;
  } else {
    using std::sqrt;
    const auto off = value_of(S((R.transpose() * R - Mat<S, 3>::Identity()).squaredNorm()));
    require(off < Value<S>(1e-6), "SO3", "|RᵀR − I|²", off, "a rotation matrix is orthogonal");
    require(value_of(S(dot(detail::Triple<S>(R.col(0)),
                           cross(detail::Triple<S>(R.col(1)), detail::Triple<S>(R.col(2)))))) > Value<S>(0),
            "SO3", "sign of det R", -1, "a rotation matrix keeps handedness");
    // Shepperd 1978: the largest of 4w² and 4vᵢ² is at least 1, and the others follow from it without
    // cancellation.
    const S trace = R.trace();
    int i = 0;
    if (R(1, 1) > R(0, 0)) i = 1;
    if (R(2, 2) > R(i, i)) i = 2;
    if (trace > R(i, i)) return from_quaternion(S(S(1) + trace), vee(Mat<S, 3>(R - R.transpose())));
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Vec<S, 3> v;
    v[i] = S(1) + R(i, i) - R(j, j) - R(k, k);
    v[j] = R(j, i) + R(i, j);
    v[k] = R(k, i) + R(i, k);
    return from_quaternion(S(R(k, j) - R(j, k)), v);
  }
}

using SO3f = SO3<float>;   ///< SO(3) over float
using SO3d = SO3<double>;  ///< SO(3) over double

}  // namespace dalembert
