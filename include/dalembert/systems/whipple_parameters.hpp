#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// The measures of a Whipple bicycle, and its equations linearised about straight and upright rolling.
/// Axes: x forwards, y to the right, z down; the origin is where the rear wheel of the upright bicycle
/// touches the ground. With q = (φ, δ), the lean and the steer, both positive to the right, and the forward
/// speed v,
///   M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0                                                       (1)
/// Source: Meijaard, Papadopoulos, Ruina, Schwab 2007, eq. (5.3), the matrices from appendix A, the default
/// measures from table 1.
namespace dalembert::systems {

/// A wheel, thin and symmetric about its axle.
template <SingleReal S = double>
struct WhippleWheel {
  S radius;    ///< > 0 [m]
  S mass;      ///< > 0 [kg]
  S diameter;  ///< moment of inertia about any diameter, > 0 [kg m²]
  S axle;      ///< moment of inertia about the axle, > 0 [kg m²]
};

/// A frame, symmetric about its own plane.
template <SingleReal S = double>
struct WhippleFrame {
  S x;     ///< centre of mass of the upright bicycle, forwards [m]
  S z;     ///< and downwards [m]
  S mass;  ///< > 0 [kg]
  S xx;    ///< moment of inertia about the x-axis through the centre of mass, > 0 [kg m²]
  S yy;    ///< about the y-axis, > 0 [kg m²]
  S zz;    ///< about the z-axis, > 0 [kg m²]
  S xz;    ///< entry of the matrix of inertia, −∫xz dm [kg m²]
};

/// The 25 measures of the bicycle, and gravity. By default it is the bicycle of the benchmark.
template <SingleReal S = double>
struct WhippleParameters {
  S wheelbase = constant<S>(1.02L);  ///< w > 0, between the points of contact [m]
  /// c, from the point where the steer axis meets the ground back to the front point of contact [m].
  S trail = constant<S>(0.08L);
  S tilt = constant<S>(pi / 10);   ///< λ, of the steer axis back from the vertical, |λ| < π/2 [rad]
  S gravity = constant<S>(9.81L);  ///< g ≥ 0 [m/s²]
  WhippleWheel<S> rear{constant<S>(0.3L), 2, constant<S>(0.0603L), constant<S>(0.12L)};   ///< R
  WhippleFrame<S> body{constant<S>(0.3L), constant<S>(-0.9L), 85, constant<S>(9.2L), 11,  //
                       constant<S>(2.8L), constant<S>(2.4L)};  ///< B, the rear frame with its rider
  WhippleFrame<S> fork{constant<S>(0.9L),     constant<S>(-0.7L), 4,
                       constant<S>(0.05892L), constant<S>(0.06L), constant<S>(0.00708L),
                       constant<S>(-0.00756L)};  ///< H, with the handlebar
  WhippleWheel<S> front{constant<S>(0.35L), 3, constant<S>(0.1405L), constant<S>(0.28L)};  ///< F

  /// Throws std::invalid_argument if a measure is not finite or breaks its rule.
  void check() const {
    using std::abs;
    const char* const name = "WhippleBicycle";
    detail::require_positive(name, "wheelbase", wheelbase, "m");
    detail::require_finite(name, "trail", trail, "m");
    require(abs(tilt) < constant<S>(pi / 2), name, "tilt", tilt,
            "the steer axis must be less than a right angle from the vertical [rad]");
    detail::require_not_negative(name, "gravity", gravity, "m/s^2");
    check(rear);
    check(front);
    check(body);
    check(fork);
  }

 private:
  static void check(const WhippleWheel<S>& wheel) {
    detail::require_positive("WhippleBicycle", "wheel radius", wheel.radius, "m");
    detail::require_positive("WhippleBicycle", "wheel mass", wheel.mass, "kg");
    detail::require_positive("WhippleBicycle", "wheel inertia about a diameter", wheel.diameter, "kg m^2");
    detail::require_positive("WhippleBicycle", "wheel inertia about the axle", wheel.axle, "kg m^2");
  }
  static void check(const WhippleFrame<S>& frame) {
    detail::require_finite("WhippleBicycle", "frame centre of mass x", frame.x, "m");
    detail::require_finite("WhippleBicycle", "frame centre of mass z", frame.z, "m");
    detail::require_positive("WhippleBicycle", "frame mass", frame.mass, "kg");
    detail::require_positive("WhippleBicycle", "frame inertia xx", frame.xx, "kg m^2");
    detail::require_positive("WhippleBicycle", "frame inertia yy", frame.yy, "kg m^2");
    detail::require_positive("WhippleBicycle", "frame inertia zz", frame.zz, "kg m^2");
    require(frame.xz * frame.xz < frame.xx * frame.zz, "WhippleBicycle", "frame inertia xz", frame.xz,
            "the matrix of inertia must be positive [kg m^2]");
  }
};

/// The matrices of (1), on (lean, steer).
template <SingleReal S = double>
struct WhippleLinear {
  Mat<S, 2> M;   ///< [kg m²]
  Mat<S, 2> C1;  ///< [kg m]
  Mat<S, 2> K0;  ///< [kg m]
  Mat<S, 2> K2;  ///< [kg]

  /// A of d/dt (q, q̇) = A (q, q̇) at the speed v [m/s] under gravity g [m/s²]; its eigenvalues are those
  /// of the bicycle.
  [[nodiscard]] Mat<S, 4> rates(S v, S g) const {
    Mat<S, 2> inverse;
    inverse << M(1, 1), -M(0, 1), -M(1, 0), M(0, 0);
    inverse /= M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
    Mat<S, 4> a = Mat<S, 4>::Zero();
    a.template topRightCorner<2, 2>().setIdentity();
    a.template bottomLeftCorner<2, 2>() = -inverse * (g * K0 + v * v * K2);
    a.template bottomRightCorner<2, 2>() = -inverse * (v * C1);
    return a;
  }
};

/// Appendix A of the source. Throws std::invalid_argument if a measure is not finite or breaks its rule.
template <SingleReal S>
[[nodiscard]] WhippleLinear<S> linearised(const WhippleParameters<S>& p) {
  using std::cos, std::sin;
  p.check();
  const auto &R = p.rear, &F = p.front;
  const auto &B = p.body, &H = p.fork;
  const S w = p.wheelbase, c = p.trail, s = sin(p.tilt), k = cos(p.tilt);
  // the whole bicycle, and its inertia about the rear point of contact
  const S mx = B.x * B.mass + H.x * H.mass + w * F.mass;
  const S mz = -R.radius * R.mass + B.z * B.mass + H.z * H.mass - F.radius * F.mass;
  const S xx = R.diameter + B.xx + H.xx + F.diameter + R.mass * R.radius * R.radius + B.mass * B.z * B.z +
               H.mass * H.z * H.z + F.mass * F.radius * F.radius;
  const S xz = B.xz + H.xz - B.mass * B.x * B.z - H.mass * H.x * H.z + F.mass * w * F.radius;
  const S zz =
      R.diameter + B.zz + H.zz + F.diameter + B.mass * B.x * B.x + H.mass * H.x * H.x + F.mass * w * w;
  // the front assembly, fork and wheel, and its inertia about its own centre of mass
  const S front = H.mass + F.mass;
  const S x = (H.x * H.mass + w * F.mass) / front, z = (H.z * H.mass - F.radius * F.mass) / front;
  const S hx = H.x - x, hz = H.z - z, fx = w - x, fz = -F.radius - z;
  const S axx = H.xx + F.diameter + H.mass * hz * hz + F.mass * fz * fz;
  const S axz = H.xz - H.mass * hx * hz - F.mass * fx * fz;
  const S azz = H.zz + F.diameter + H.mass * hx * hx + F.mass * fx * fx;
  const S u = (x - w - c) * k - z * s;  // its centre of mass ahead of the steer axis
  // inertia for turning about the steer axis: with itself, with leaning and with yawing
  const S steer = front * u * u + axx * s * s + 2 * axz * s * k + azz * k * k;
  const S steer_lean = -front * u * z + axx * s + axz * k;
  const S steer_yaw = front * u * x + axz * s + azz * k;
  const S mu = c / w * k;
  const S spin_front = F.axle / F.radius, spin = R.axle / R.radius + spin_front;  // gyrostatic coefficients
  const S moment = front * u + mu * mx;
  WhippleLinear<S> out;
  out.M << xx, steer_lean + mu * xz, steer_lean + mu * xz, steer + 2 * mu * steer_yaw + mu * mu * zz;
  out.K0 << mz, -moment, -moment, -moment * s;
  out.K2 << 0, (spin - mz) / w * k, 0, (moment + spin_front * s) / w * k;
  out.C1 << 0, mu * spin + spin_front * k + xz / w * k - mu * mz,  //
      -(mu * spin + spin_front * k), steer_yaw / w * k + mu * (moment + zz / w * k);
  return out;
}

}  // namespace dalembert::systems
