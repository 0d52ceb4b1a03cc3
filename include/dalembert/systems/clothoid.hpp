#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// A particle in the plane whose path's curvature must grow evenly along it, by a constraint of order three:
/// it runs on Euler's spiral, the clothoid, as a road does between a straight line and a bend.
///   g = (x, y) ∈ R² [m],  ξ = (ẋ, ẏ) [m/s],  v = |ξ|,  n = (−ẏ, ẋ)/v, to the left of the path
///   m, c                    mass [kg], growth of the curvature per length of path [1/m²]
///   κ = (ẋÿ − ẏẍ)/v³        curvature of the path, positive to the left [1/m]
///   ℓ(ξ) = ½m|ξ|²                                                                              (1)
///   κ̇ − c v = 0                                                                                (2)
///   mξ̇ = μn                 the reaction is a force across the path, μ [N]                      (3)
/// (2) contains ξ̈, so μ is a coordinate of the state, see mechanics/higher_order.hpp. From (1) to (3)
/// follow, and serve as oracles for tests, with s = vt and the heading θ,
///   v constant,  κ = κ₀ + cs,  μ = mv²κ,  μ̇ = mcv³                                            (4)
///   θ = θ₀ + κ₀s + ½cs²,  (x, y) = (x₀, y₀) + ∫(cos θ, sin θ) ds, Fresnel's integrals   (5)
/// A particle at rest has no path: the equations do not hold there.
/// Source: (1) to (5) by hand; the spiral is Euler's (1744).
namespace dalembert::systems {

/// A particle on Euler's spiral; see the head of this file.
template <SingleReal S = double>
class Clothoid {
 public:
  using Group = Rn<S, 2>;  ///< the plane
  /// What (2) says.
  static constexpr std::array<std::string_view, 1> constraint_names = {"even growth of the curvature"};

  /// The particle and its path.
  struct Parameters {
    S mass = 1;  ///< m > 0 [kg]
    S rate = 1;  ///< c, of either sign [1/m²]
  };

  /// What (4) and (5) give.
  struct Motion {
    Vec<S, 2> place = Vec<S, 2>::Zero();     ///< (x, y) [m]
    Vec<S, 2> velocity = Vec<S, 2>::Zero();  ///< (ẋ, ẏ) [m/s]
    S curvature{};                           ///< κ [1/m]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit Clothoid(Parameters p = {}) : p_(p) {
    detail::require_positive("Clothoid", "mass", p.mass, "kg");
    detail::require_finite("Clothoid", "rate", p.rate, "1/m^2");
  }

  /// The particle and its path, as they were given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 2>& v) const {
    return p_.mass * (v[0] * v[0] + v[1] * v[1]) / 2;
  }

  /// The left side of (2) [1/(m s)].
  template <class T>
  [[nodiscard]] T jerk_constraint(const Vec<T, 2>& v, const Vec<T, 2>& a, const Vec<T, 2>& jerk) const {
    using std::sqrt;
    const T square = v[0] * v[0] + v[1] * v[1], speed = sqrt(square), cube = speed * square;
    const T turning = v[0] * a[1] - v[1] * a[0], along = v[0] * a[0] + v[1] * a[1];
    return (v[0] * jerk[1] - v[1] * jerk[0]) / cube - 3 * turning * along / (cube * square) - p_.rate * speed;
  }

  /// n, along which (3) acts.
  template <class T>
  [[nodiscard]] Mat<T, 1, 2> variational(const Vec<T, 2>& v) const {
    using std::sqrt;
    const T speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    return {-v[1] / speed, v[0] / speed};
  }

  /// ∂ℓ/∂ξ = mξ [kg m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> momentum(const Vec<T, 2>& v) const {
    return {p_.mass * v[0], p_.mass * v[1]};
  }

  /// ∂²ℓ/∂ξ² [kg].
  [[nodiscard]] Mat<S, 2> mass() const { return Vec<S, 2>::Constant(p_.mass).asDiagonal(); }

  /// μ [N], as a state holds it, on a path with the curvature κ [1/m].
  [[nodiscard]] Vec<S, 1> reaction(const Vec<S, 2>& v, S curvature) const {
    return Vec<S, 1>(p_.mass * v.squaredNorm() * curvature);
  }
  /// κ [1/m] under the reaction μ [N].
  [[nodiscard]] S curvature(const Vec<S, 2>& v, const Vec<S, 1>& reaction) const {
    return reaction[0] / (p_.mass * v.squaredNorm());
  }

  /// (4) and (5) at time t [s] after `start`, for any sign of t, to round-off: the integral is taken by Gauss
  /// and Legendre's rule with six points, in pieces on which the heading turns by no more than half a radian.
  [[nodiscard]] Motion exact(const Motion& start, S t) const {
    using std::abs, std::atan2, std::ceil, std::cos, std::max, std::sin;
    constexpr std::array<S, 3> node = {S(0.238619186083196908630501721680711935L),
                                       S(0.661209386466264513661399595019905347L),
                                       S(0.932469514203152027812301554493994609L)};
    constexpr std::array<S, 3> weight = {S(0.467913934572691047389870343989550995L),
                                         S(0.360761573048138607569833513837716112L),
                                         S(0.171324492379170345040296142172732894L)};
    const S speed = start.velocity.norm(), s = speed * t, end = start.curvature + p_.rate * s;
    const S heading = atan2(start.velocity[1], start.velocity[0]);
    const auto turned = [&](S x) { return x * (start.curvature + p_.rate * x / 2); };
    const S pieces = ceil(max(S(1), 2 * abs(s) * max(abs(start.curvature), abs(end))));
    const S half = s / (2 * pieces);
    Vec<S, 2> sum = Vec<S, 2>::Zero();
    for (S piece = 0; piece < pieces; ++piece)
      for (std::size_t i = 0; i < node.size(); ++i)
        for (const S side : {S(-1), S(1)}) {
          const S theta = heading + turned(half * (2 * piece + 1 + side * node[i]));
          sum += weight[i] * Vec<S, 2>(cos(theta), sin(theta));
        }
    const S theta = heading + turned(s);
    return {start.place + half * sum, speed * Vec<S, 2>(cos(theta), sin(theta)), end};
  }

 private:
  Parameters p_;
};

}  // namespace dalembert::systems
