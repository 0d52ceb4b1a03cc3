#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/lie/concepts.hpp>
#include <dalembert/lie/series.hpp>

namespace dalembert {

namespace detail {

/// What a turn by θ in the plane needs: cos θ, sin θ, sin θ/θ and (1 − cos θ)/θ.
template <Real S>
struct Turn {
  S cosine, sine, sinc, cosc;

  explicit Turn(const S& theta) noexcept {
    if constexpr (!PackReal<Value<S>>) {
      if (value_of(theta) > 3 || value_of(theta) < -3) {  // the square of a large angle would cost digits
        using std::cos, std::sin;
        cosine = cos(theta);
        sine = sin(theta);
        sinc = sine / theta;
        cosc = (S(1) - cosine) / theta;
        return;
      }
    }
    const S half = constant<S>(0.5L) * theta, y = half * half;
    const S c = lie_series::stumpff<0>(y), s = lie_series::stumpff<1>(y);
    const S h = half * s;
    sinc = c * s;
    cosc = h * s;
    cosine = c * c - h * h;
    sine = S(2) * c * h;
  }
};

}  // namespace detail

/// Rotation of the plane, kept as the unit complex number cos θ + i sin θ. A tangent is (ω), an angular
/// velocity [rad, or rad/s], and the group is commutative. For packs, |θ| beyond a turn costs as many digits
/// as |θ| has.
template <Real S = double>
class SO2 {
 public:
  using Scalar = S;              ///< the number type
  static constexpr int dof = 1;  ///< dimension of the group
  using Tangent = Vec<S, 1>;     ///< coordinates of the algebra
  using Point = Vec<S, 2>;       ///< what the group acts on
  /// The same group over another scalar.
  template <Real T>
  using rebind = SO2<T>;

  /// The identity.
  SO2() noexcept : cosine_(1), sine_(0) {}
  /// The identity.
  [[nodiscard]] static SO2 identity() noexcept { return {}; }
  /// The rotation by θ [rad].
  [[nodiscard]] static SO2 from_angle(const S& theta) noexcept {
    const detail::Turn<S> turn(theta);
    return {turn.cosine, turn.sine};
  }
  /// The rotation that turns e₁ into the direction of (c, s). Throws std::invalid_argument if that is zero.
  [[nodiscard]] static SO2 from_direction(const S& c, const S& s) {
    using std::sqrt;
    const S norm = sqrt(S(c * c + s * s));
    if constexpr (PlainReal<S>)
      require(norm != 0, "SO2", "norm of the direction", norm, "it must not be zero");
    const S scale = S(1) / norm;
    return {S(scale * c), S(scale * s)};
  }
  /// The rotation of cosine c and sine s, c² + s² = 1, taken bit for bit.
  [[nodiscard]] static SO2 from_unit_complex(const S& c, const S& s) noexcept { return {c, s}; }

  /// cos θ.
  [[nodiscard]] const S& cosine() const noexcept { return cosine_; }
  /// sin θ.
  [[nodiscard]] const S& sine() const noexcept { return sine_; }
  /// θ in (−π, π].
  [[nodiscard]] S angle() const noexcept {
    using std::atan2;
    const S square = sine_ * sine_;
    if (all_lanes(value_of(square) <= Value<S>(0.25)) && all_lanes(value_of(cosine_) > Value<S>(0)))
      return sine_ * lie_series::asinc(square);
    return atan2(sine_, cosine_);
  }
  /// The 2×2 matrix.
  [[nodiscard]] Mat<S, 2> matrix() const noexcept {
    Mat<S, 2> R;
    R << cosine_, S(-sine_), sine_, cosine_;
    return R;
  }

  /// This rotation after h.
  [[nodiscard]] SO2 operator*(const SO2& h) const noexcept {
    return {S(cosine_ * h.cosine_ - sine_ * h.sine_), S(sine_ * h.cosine_ + cosine_ * h.sine_)};
  }
  /// The rotation back.
  [[nodiscard]] SO2 inverse() const noexcept { return {cosine_, S(-sine_)}; }
  /// The vector with body components p, in the plane.
  [[nodiscard]] Point act(const Point& p) const noexcept {
    return {S(cosine_ * p[0] - sine_ * p[1]), S(sine_ * p[0] + cosine_ * p[1])};
  }
  /// One Newton step towards c² + s² = 1, which squares the deviation.
  [[nodiscard]] SO2 normalised() const noexcept {
    const S scale = constant<S>(0.5L) * (S(3) - (cosine_ * cosine_ + sine_ * sine_));
    return {S(scale * cosine_), S(scale * sine_)};
  }
  /// The same rotation over T.
  template <Real T>
  [[nodiscard]] SO2<T> cast() const noexcept {
    return SO2<T>::from_unit_complex(convert<T>(cosine_), convert<T>(sine_));
  }
  /// The element over T whose numbers are f of these, taken in a fixed order.
  template <Real T, class F>
  [[nodiscard]] SO2<T> mapped(F&& f) const {
    const T c = f(cosine_);
    return SO2<T>::from_unit_complex(c, f(sine_));
  }

  /// The rotation by ω.
  [[nodiscard]] static SO2 exp(const Tangent& omega) noexcept { return from_angle(omega[0]); }
  /// exp ω but for terms of third order: the same first and second derivatives at ω = 0, without a series.
  [[nodiscard]] static SO2 exp_to_second_order(const Tangent& omega) noexcept {
    return {S(1 - omega[0] * omega[0] / 2), omega[0]};
  }
  /// (θ), θ in (−π, π].
  [[nodiscard]] Tangent log() const noexcept { return Tangent(angle()); }

  /// The 1×1 unit matrix.
  [[nodiscard]] Mat<S, 1> Ad() const noexcept { return Mat<S, 1>(S(1)); }
  /// η.
  [[nodiscard]] Tangent Ad(const Tangent& eta) const noexcept { return eta; }
  /// The 1×1 zero matrix.
  [[nodiscard]] static Mat<S, 1> ad(const Tangent&) noexcept { return Mat<S, 1>(S(0)); }
  /// Zero.
  [[nodiscard]] static Tangent ad(const Tangent&, const Tangent&) noexcept { return Tangent(S(0)); }
  /// Zero: ⟨ad*_ω μ, η⟩ = ⟨μ, ad_ω η⟩.
  [[nodiscard]] static Tangent coad(const Tangent&, const Tangent&) noexcept { return Tangent(S(0)); }

  /// The 1×1 unit matrix, like the other three Jacobians.
  [[nodiscard]] static Mat<S, 1> left_jacobian(const Tangent&) noexcept { return Mat<S, 1>(S(1)); }
  /// The 1×1 unit matrix.
  [[nodiscard]] static Mat<S, 1> right_jacobian(const Tangent&) noexcept { return Mat<S, 1>(S(1)); }
  /// The 1×1 unit matrix.
  [[nodiscard]] static Mat<S, 1> left_jacobian_inverse(const Tangent&) noexcept { return Mat<S, 1>(S(1)); }
  /// The 1×1 unit matrix.
  [[nodiscard]] static Mat<S, 1> right_jacobian_inverse(const Tangent&) noexcept { return Mat<S, 1>(S(1)); }
  /// η, like the other three.
  [[nodiscard]] static Tangent left_jacobian(const Tangent&, const Tangent& eta) noexcept { return eta; }
  /// η.
  [[nodiscard]] static Tangent right_jacobian(const Tangent&, const Tangent& eta) noexcept { return eta; }
  /// η.
  [[nodiscard]] static Tangent left_jacobian_inverse(const Tangent&, const Tangent& eta) noexcept {
    return eta;
  }
  /// η.
  [[nodiscard]] static Tangent right_jacobian_inverse(const Tangent&, const Tangent& eta) noexcept {
    return eta;
  }

  /// Whether cosine and sine are the same, bit for bit.
  [[nodiscard]] friend bool operator==(const SO2&, const SO2&) = default;

 private:
  SO2(const S& c, const S& s) noexcept : cosine_(c), sine_(s) {}

  S cosine_, sine_;
};

using SO2f = SO2<float>;   ///< SO(2) over float
using SO2d = SO2<double>;  ///< SO(2) over double

}  // namespace dalembert
