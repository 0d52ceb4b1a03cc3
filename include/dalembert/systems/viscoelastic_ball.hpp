#pragma once

#include <complex>
#include <concepts>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/systems/ball_on_moving_plane.hpp>

/// A homogeneous ball of a viscoelastic material that rolls without slipping on a horizontal plane, at rest
/// or moving: its material is pressed together ahead of the contact and relaxes too late behind it, which is
/// a torque against rolling.
///   A ∈ SO(3), a ∈ R²       attitude of the ball, its contact point                   [1, m]
///   ω, ȧ                    angular velocity in space, Ȧ = ω̂A, velocity of the centre [rad/s, m/s]
///   M, R, I, g              mass [kg], radius [m], moment of inertia [kg m²], gravity [m/s²]
///   v(a, t)                 velocity of the plane [m/s], zero on a plane at rest
///   μ                       rolling friction [s]: the torque is μ|ω| times the weight times the radius
///   ℓ = ½I|ω|² + ½M|ȧ|²                                                               (1)
///   ȧ − v(a, t) = R(ω₂, −ω₁) =: W                                                     (2)
///   torque −μ M g R (ω₁, ω₂, 0)                                                        (3)
/// The rows are those of a ball without friction, (3) is a `force`: its power −μ M g |W|²/R is
/// dissipation in the energy monitor, beside the power λ·v of the plane. Spin about the vertical is not
/// resisted. With D = I + MR² and 1/T = μMgR/D,
///   D Ẇ = −MR² dv/dt − μMgR W,  ω̇₃ = 0,  λ = Mä                oracle for tests        (4)
/// On a plane at rest
///   ȧ = ȧ₀ exp(−t/T), along a straight path of the length |ȧ₀|T                        (5)
/// and on a turntable, v = Ω e₃ × (a − c), with z = a − c as a complex number and σ = I/D
///   z̈ + (1/T − iσΩ) ż − (iΩ/T) z = 0                                                   (6)
/// For a small friction its roots are nearly iσΩ + (1 − σ)/(σT) and −1/(σT): circles grow into
/// spirals, whose middle drifts to that of the table. Source: Brilliantov and Pöschel 1998, for (3) and what
/// μ is in terms of viscosities; (4) to (6) by hand.
namespace dalembert::systems {

/// A ball with rolling friction on a plane that moves with the velocity `Flow`; see the head of this file.
template <SingleReal S = double, PlanarFlow<S> Flow = PlaneAtRest<S>>
class ViscoelasticBall : private BallOnMovingPlane<S, Flow> {
  using Ball = BallOnMovingPlane<S, Flow>;

 public:
  using Group = typename Ball::Group;                    ///< (A, a)
  using Tangent = typename Ball::Tangent;                ///< (ω, ȧ), in space
  using Trivialisation = typename Ball::Trivialisation;  ///< ξ = ġg⁻¹
  using Motion = typename Ball::Motion;                  ///< where the contact point is and how it moves
  using Ball::constraint_names;

  /// The ball; by default a solid one of 1 kg and 1 m without friction.
  struct Parameters {
    S mass = 1;            ///< M > 0 [kg]
    S radius = 1;          ///< R > 0 [m]
    S inertia = S(0.4L);   ///< I > 0 about the centre [kg m²]
    S friction = 0;        ///< μ ≥ 0 [s]
    S gravity = S(9.81L);  ///< g ≥ 0 [m/s²]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit ViscoelasticBall(const Parameters& p, Flow plane = {})
      : Ball("ViscoelasticBall", {.mass = p.mass, .radius = p.radius, .inertia = p.inertia},
             std::move(plane)),
        p_(p) {
    detail::require_not_negative("ViscoelasticBall", "friction", p.friction, "s");
    detail::require_not_negative("ViscoelasticBall", "gravity", p.gravity, "m/s^2");
    detail::require_finite("ViscoelasticBall", "torque of friction at 1 rad/s", torque(), "N m");
  }

  /// The ball, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }
  using Ball::flow;
  using Ball::lagrangian;
  using Ball::mass;
  using Ball::momentum;
  using Ball::plane_velocity;
  using Ball::rolling;
  using Ball::share;
  using Ball::velocity_constraint;

  /// (3), dual to (ω, ȧ) [N m, N].
  template <class T>
  [[nodiscard]] Vec<T, 5> force(const Vec<T, 5>& xi) const {
    Vec<T, 5> f;
    f << -torque() * xi[0], -torque() * xi[1], T(0), T(0), T(0);
    return f;
  }

  /// What rolling friction takes in a state, the power of (3) [W].
  template <class State>
  [[nodiscard]] S dissipation(const State& at) const {
    return -torque() * (at.xi[0] * at.xi[0] + at.xi[1] * at.xi[1]);
  }

  /// 1/T = μMgR/(I + MR²) [1/s].
  [[nodiscard]] S damping_rate() const { return torque() / (p_.inertia + p_.mass * p_.radius * p_.radius); }

  /// (5) at time t [s] after `start`, for any sign of t.
  [[nodiscard]] Motion exact(const Motion& start, S t) const requires std::same_as<Flow, PlaneAtRest<S>> {
    using std::exp, std::expm1;
    const S rate = damping_rate();
    const S x = rate * t;  // where it is 0 its derivatives need not be
    const S time = x == 0 ? t * (1 - x / 2 + x * x / 6) : -expm1(-x) / rate;
    return {start.position + time * start.velocity, exp(-x) * start.velocity};
  }
  /// (6) at time t [s] after `start`, for any sign of t.
  [[nodiscard]] Motion exact(const Motion& start, S t) const
      requires(std::same_as<Flow, Turntable<S>>&& PlainReal<S>) {
    using Complex = std::complex<S>;
    const S rate = damping_rate(), table = this->flow().rate;
    const Vec<S, 2> from = start.position - this->flow().centre;
    const Complex z(from[0], from[1]), velocity(start.velocity[0], start.velocity[1]);
    const Complex half(rate / 2, -this->share() * table / 2), product(0, -table * rate);
    // Roots −half ± apart. Where they are close their exponentials would cancel, and where they are not,
    // cosh and sinh might overflow.
    const Complex apart = std::sqrt(half * half - product);
    const Complex first = std::exp((apart - half) * t), second = std::exp((-apart - half) * t);
    const Complex cosine = (first + second) / S(2);
    const Complex sine = std::abs(apart * t) > 1 ? (first - second) / (S(2) * apart)
                         : apart == Complex(0)   ? t * std::exp(-half * t)
                                                 : std::exp(-half * t) * std::sinh(apart * t) / apart;
    const Complex place = cosine * z + sine * (velocity + half * z);
    const Complex moving = cosine * velocity - sine * (half * velocity + product * z);
    return {this->flow().centre + Vec<S, 2>(place.real(), place.imag()), {moving.real(), moving.imag()}};
  }

 private:
  /// μMgR, the torque of friction at 1 rad/s [N m s].
  [[nodiscard]] S torque() const { return p_.friction * p_.mass * p_.gravity * p_.radius; }

  Parameters p_;
};

}  // namespace dalembert::systems
