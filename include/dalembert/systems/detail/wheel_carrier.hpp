#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/detail/triple.hpp>
#include <dalembert/systems/whipple_parameters.hpp>

/// A frame that carries a wheel, of which a bicycle has two: inertia, and the wheel's lowest point.
namespace dalembert::systems::detail {

using dalembert::detail::cross;
using dalembert::detail::dot;
using dalembert::detail::Triple;

/// A frame with a wheel on it, both symmetric about their own plane, which moves with the twist (V, W) of its
/// origin while the wheel turns at the rate θ̇ about e₂.
template <class S>
struct Carrier {
  S mass = 0;                             ///< of frame and wheel [kg]
  Vec<S, 3> moment = Vec<S, 3>::Zero();   ///< Σ m r [kg m]
  Mat<S, 3> inertia = Mat<S, 3>::Zero();  ///< about the origin [kg m²]
  S spin = 0;                             ///< of the wheel about its axle [kg m²]
  Vec<S, 3> hub;                          ///< of the wheel [m]
  S radius = 0;                           ///< of the wheel [m]

  /// Frame and wheel, with their centres at these places from the origin.
  Carrier(const WhippleFrame<S>& frame, const Vec<S, 3>& centre, const WhippleWheel<S>& wheel,
          const Vec<S, 3>& hub_in)
      : spin(wheel.axle), hub(hub_in), radius(wheel.radius) {
    Mat<S, 3> own;
    own << frame.xx, 0, frame.xz, 0, frame.yy, 0, frame.xz, 0, frame.zz;
    add(frame.mass, centre, own);
    own << wheel.diameter, 0, 0, 0, wheel.axle, 0, 0, 0, wheel.diameter;
    add(wheel.mass, hub, own);
  }
  /// Whether mass and inertia are finite, and their products with lengths.
  [[nodiscard]] bool finite() const {
    return number::isfinite(mass) && moment.allFinite() && inertia.allFinite();
  }
  void add(S m, const Vec<S, 3>& at, const Mat<S, 3>& own) {
    mass += m;
    moment += m * at;
    inertia += own + m * (at.dot(at) * Mat<S, 3>::Identity() - at * at.transpose());
  }
};

/// Three numbers as a Triple of T.
template <class T, class S>
[[nodiscard]] Triple<T> lift(const Vec<S, 3>& x) {
  return {x[0], x[1], x[2]};
}

/// The motion of a carrier, or what is dual to it.
template <class T>
struct CarrierMotion {
  Triple<T> linear, angular;
  T wheel;
};

/// Its momentum, which is dual to (V, W, θ̇).
template <class T, class S>
[[nodiscard]] CarrierMotion<T> momentum(const Carrier<S>& c, const CarrierMotion<T>& of) {
  const Triple<T> moment = lift<T>(c.moment), &w = of.angular;
  const auto row = [&](int i) {
    return c.inertia(i, 0) * w.x + c.inertia(i, 1) * w.y + c.inertia(i, 2) * w.z;
  };
  Triple<T> angular = cross(moment, of.linear) + Triple<T>(row(0), row(1), row(2));
  angular.y += c.spin * of.wheel;
  return {c.mass * of.linear + cross(w, moment), angular, c.spin * (w.y + of.wheel)};
}

/// Where a wheel is lowest.
template <class T>
struct LowestPoint {
  T n;              ///< cosine of the wheel's lean
  Triple<T> d;      ///< from the hub to the lowest point, of length 1
  Triple<T> gamma;  ///< downwards

  /// Of any wheel across e₂; all as seen from the wheel's frame.
  explicit LowestPoint(const Triple<T>& down) : n(level(down)), d(down.x / n, 0, down.z / n), gamma(down) {}
  /// t, level and forwards.
  [[nodiscard]] Triple<T> forwards() const { return {d.z, 0, -d.x}; }
  /// γ × t, level and to the right.
  [[nodiscard]] Triple<T> right() const { return {-gamma.y * d.x, n, -gamma.y * d.z}; }

 private:
  static T level(const Triple<T>& down) {
    using std::sqrt;
    return sqrt(down.x * down.x + down.z * down.z);
  }
};

/// Velocity of the lowest point of a carrier's wheel.
template <class T, class S>
[[nodiscard]] Triple<T> slip(const Carrier<S>& c, const CarrierMotion<T>& motion,
                             const LowestPoint<T>& lowest) {
  Triple<T> turn = motion.angular;
  const Triple<T> hub = motion.linear + cross(turn, lift<T>(c.hub));
  turn.y += motion.wheel;
  return hub + c.radius * cross(turn, lowest.d);
}

}  // namespace dalembert::systems::detail
