#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <utility>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/systems/detail/homogeneous_ball.hpp>

/// A homogeneous ball that rolls without slipping on a horizontal plane whose points move with a given
/// velocity: a turntable, a sheet that is sheared or stretched, a tray that is shaken.
///   A ∈ SO(3), a ∈ R²       attitude of the ball, its contact point                   [1, m]
///   ω, ȧ                    angular velocity in space, Ȧ = ω̂A, velocity of the centre [rad/s, m/s]
///   M, R, I                 mass [kg], radius [m], moment of inertia about the centre [kg m²]
///   v(a, t)                 velocity of the plane [m/s]
///   ℓ = ½I|ω|² + ½M|ȧ|²                                                               (1)
///   ȧ − v(a, t) = R(ω₂, −ω₁)                                                          (2)
/// Rows are affine: v stands in C_K, and not in C_V, where δa = R(α₂, −α₁). The force of the plane
/// on the ball is λ [N]. With W = R(ω₂, −ω₁) and σ = I/(I + MR²),
///   (I + MR²) Ẇ = −MR² dv/dt,  ω̇₃ = 0,  λ = Mä,  Ė = λ·v           oracle for tests   (3)
///   ȧ = C + σ v(a, t),  C constant                                                    (4)
/// so the motion follows from a differential equation in the plane. On a turntable, v = Ω e₃ × (a − c),
/// the ball runs on circles at the rate k = σΩ:
///   a = a₀ + (ȧ₀ sin kt + e₃ × ȧ₀ (1 − cos kt))/k                                      (5)
/// Source: Cendra, Ibort, de León, Martín de Diego 2004, eqs (55)-(61), for R = 1; (4) and (5) follow.
namespace dalembert::systems {

/// The plane is at rest.
template <SingleReal S = double>
struct PlaneAtRest {
  /// v = 0 [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> operator()(const Vec<T, 2>&) const {
    return {T(0), T(0)};
  }
};

/// The plane turns at the rate Ω about the point c.
template <SingleReal S = double>
struct Turntable {
  S rate = 1;                            ///< Ω [rad/s]
  Vec<S, 2> centre = Vec<S, 2>::Zero();  ///< c [m]

  /// v = Ω e₃ × (a − c) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> operator()(const Vec<T, 2>& a) const {
    return {-rate * (a[1] - centre[1]), rate * (a[0] - centre[0])};
  }
};

/// The plane is sheared: its lines along x move along themselves.
template <SingleReal S = double>
struct Shear {
  S rate = 1;  ///< of shear [1/s]

  /// v = (rate · y, 0) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> operator()(const Vec<T, 2>& a) const {
    return {rate * a[1], 0};
  }
};

/// The plane is stretched along x and shortened along y as much.
template <SingleReal S = double>
struct StagnationFlow {
  S rate = 1;  ///< of strain [1/s]

  /// v = rate · (x, −y) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> operator()(const Vec<T, 2>& a) const {
    return {rate * a[0], -rate * a[1]};
  }
};

/// The plane is a tray that is shaken along a line.
template <SingleReal S = double>
struct ShakenTray {
  Vec<S, 2> amplitude{S(0.1L), 0};  ///< of its displacement [m]
  S frequency = 1;                  ///< ν, of its displacement amplitude · sin νt [rad/s]

  /// v = amplitude · ν cos νt [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> operator()(const Vec<T, 2>&, const T& t) const {
    using std::cos;
    const T speed = frequency * cos(frequency * t);
    return {amplitude[0] * speed, amplitude[1] * speed};
  }
};

namespace detail {

template <class Flow, class T>
concept SteadyFlowOver = requires(const Flow& flow, const Vec<T, 2>& a) {
  { flow(a) } -> std::same_as<Vec<T, 2>>;
};
template <class Flow, class T>
concept ChangingFlowOver = requires(const Flow& flow, const Vec<T, 2>& a, const T& t) {
  { flow(a, t) } -> std::same_as<Vec<T, 2>>;
};
template <class Flow, class T>
concept FlowOver = SteadyFlowOver<Flow, T> || ChangingFlowOver<Flow, T>;

}  // namespace detail

/// The velocity of a plane [m/s] as a function v(a) or v(a, t) of place [m] and time [s], a template over
/// their scalar.
template <class Flow, class S>
concept PlanarFlow = std::copyable<Flow> && detail::FlowOver<Flow, S> && detail::FlowOver<Flow, Dual<S, 1>>;

/// A ball on a plane that moves with the velocity `Flow`; see the head of this file.
template <SingleReal S = double, PlanarFlow<S> Flow = Turntable<S>>
class BallOnMovingPlane : public detail::HomogeneousBall<S> {
 public:
  using Ball = detail::HomogeneousBall<S>;       ///< the ball by itself
  using Group = typename Ball::Group;            ///< (A, a)
  using Tangent = typename Ball::Tangent;        ///< (ω, ȧ), in space
  using Parameters = typename Ball::Parameters;  ///< mass, radius and inertia
  /// What the rows of (2) say.
  static constexpr std::array<std::string_view, 2> constraint_names = {"rolling along x", "rolling along y"};

  /// Where the contact point is and how it moves.
  struct Motion {
    Vec<S, 2> position = Vec<S, 2>::Zero();  ///< a [m]
    Vec<S, 2> velocity = Vec<S, 2>::Zero();  ///< ȧ [m/s]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit BallOnMovingPlane(const Parameters& p, Flow flow = {})
      : BallOnMovingPlane("BallOnMovingPlane", p, std::move(flow)) {}

  /// The plane, as it was given.
  [[nodiscard]] const Flow& flow() const noexcept { return flow_; }

  /// σ = I/(I + MR²).
  [[nodiscard]] S share() const noexcept {
    const Parameters& p = this->parameters();
    return p.inertia / (p.inertia + p.mass * p.radius * p.radius);
  }

  /// v(a, t) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> plane_velocity(const Vec<T, 2>& a, const T& t) const {
    if constexpr (std::invocable<const Flow&, const Vec<T, 2>&, const T&>)
      return flow_(a, t);
    else
      return flow_(a);
  }

  /// The left minus the right side of (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const Product<SO3<T>, Rn<T, 2>>& g, const Vec<T, 5>& xi,
                                              const T& t) const {
    const Vec<T, 2> v = plane_velocity<T>(g.second().coordinates(), t), slip = this->slip(xi);
    return {slip[0] - v[0], slip[1] - v[1]};
  }

  /// The velocity (ω, ȧ) of a ball whose centre moves with ȧ and which spins with ω₃ [m/s, rad/s].
  [[nodiscard]] Tangent rolling(const Vec<S, 2>& a, const Vec<S, 2>& velocity, S spin, S t = 0) const {
    const Vec<S, 2> w = (velocity - plane_velocity<S>(a, t)) / this->parameters().radius;
    return Group::join(Vec<S, 3>(-w[1], w[0], spin), velocity);
  }

  /// C = ȧ − σ v(a, t) of (4) [m/s].
  [[nodiscard]] Vec<S, 2> first_integral(const Vec<S, 2>& a, const Vec<S, 2>& velocity, S t = 0) const {
    return velocity - share() * plane_velocity<S>(a, t);
  }

  /// k = σΩ, the rate at which a ball on a turntable runs on its circle [rad/s].
  [[nodiscard]] S circle_rate() const requires std::same_as<Flow, Turntable<S>> {
    return share() * flow_.rate;
  }

  /// (5) at time t [s] after `start`, for any sign of Ω and t; a straight line for Ω = 0.
  [[nodiscard]] Motion exact(const Motion& start, S t) const requires std::same_as<Flow, Turntable<S>> {
    using std::cos, std::sin;
    const S k = circle_rate(), half = k * t / 2;
    const Vec<S, 2> v = start.velocity, across(-v[1], v[0]);
    // (sin kt, 1 − cos kt)/k = (cos ½kt, sin ½kt) · sin(½kt)/(½k), without cancellation.
    const S chord = half == 0 ? t * (1 - half * half / 6) : t * (sin(half) / half);
    return {start.position + chord * (cos(half) * v + sin(half) * across),
            cos(2 * half) * v + sin(2 * half) * across};
  }

 protected:
  /// For a class of that name.
  BallOnMovingPlane(const char* class_name, const Parameters& p, Flow flow)
      : Ball(class_name, p), flow_(std::move(flow)) {
    const Vec<S, 2> at_origin = plane_velocity<S>(Vec<S, 2>::Zero(), 0);
    require(at_origin.allFinite(), class_name, "velocity of the plane at the origin", at_origin.transpose(),
            "it must be finite [m/s]");
  }

 private:
  Flow flow_;
};

}  // namespace dalembert::systems
