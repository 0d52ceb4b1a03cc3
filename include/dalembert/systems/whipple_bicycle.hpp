#pragma once

#include <array>
#include <limits>
#include <string_view>

#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se3.hpp>
#include <dalembert/systems/detail/wheel_carrier.hpp>
#include <dalembert/systems/whipple_parameters.hpp>

/// Whipple's bicycle, for any lean and steer: a rear frame with its rider, a fork that turns about a tilted
/// axis, and two thin wheels that roll on a level ground without slip.
///   e₁, e₂, e₃   forwards, right, down, in the rear frame and, unsteered, in the fork;
///     e₃ of space is down
///   g = (R, p), (δ, θ_R, θ_F)   rear frame at the rear hub [m], in space with the ground z = 0; steer;
///     turns of the wheels
///                        about e₂ relative to frame and fork, which are negative for a roll forwards [rad]
///   ξ = (v, ω, δ̇, θ̇_R, θ̇_F)     body velocity of the rear frame, and rates [m/s, rad/s]
///   k = (sin λ, 0, cos λ)   steer axis, through Q = (w + c, 0, r_R) from the rear hub;
///     A = exp(δ k̂) turns the fork
///   γ = Rᵀe₃, Aᵀγ                downwards, as seen from the rear frame and from the fork
/// The fork moves with V = Aᵀ(v + ω × Q) at Q and W = Aᵀω + δ̇k. With the constant inertias ½⟨·,
/// 𝕄·⟩ of frame and rear wheel, and of fork and front wheel, their masses m and first moments s,
///   ℓ = ½⟨(v, ω, θ̇_R), 𝕄_r(v, ω, θ̇_R)⟩ + ½⟨(V, W, θ̇_F), 𝕄_f(V, W, θ̇_F)⟩ +
///       g[(m_r + m_f)p_z + γ·(s_r + m_f Q) + Aᵀγ·s_f]                                            (1)
/// A wheel of radius r whose plane is across e₂ is lowest at its hub + r d, d = (γ₁, 0, γ₃)/n, n =
/// √(γ₁² + γ₃²), with γ as seen from its own frame. Its height, and the velocity of its lowest
/// point along t = e₂ × d and along γ × t, level and to the right:
///   −(hub_z + r n) = 0                                                                               (2)
///   V·t + r(W₂ + θ̇) = 0,   (γ × t)·(V + r W × d) = 0
///     V, W velocity of the hub and of its frame  (3)
/// The six multipliers are the forces of the ground on the two wheels, up, forwards and to the right [N].
/// Oracles for tests: the linear equations of systems/whipple_parameters.hpp; an upright bicycle that rolls
/// at any constant speed is in equilibrium. Energy is conserved.
/// Sources: Whipple 1899; Meijaard, Papadopoulos, Ruina, Schwab 2007; Basu-Mandal, Chatterjee, Papadopoulos
/// 2007.
namespace dalembert::systems {

/// The bicycle; see the head of this file.
template <SingleReal S = double>
class WhippleBicycle {
  template <class T>
  using Triple = detail::Triple<T>;
  template <class T>
  using Motion = detail::CarrierMotion<T>;
  template <class T>
  using Configuration = Product<SE3<T>, Rn<T, 3>>;

 public:
  using Group = Product<SE3<S>, Rn<S, 3>>;  ///< the configuration space
  using Parameters = WhippleParameters<S>;  ///< the measures
  /// The rows of (2), then of (3).
  static constexpr std::array<std::string_view, 6> constraint_names = {
      "height of the rear wheel",      "height of the front wheel",  "rear wheel slips forwards",
      "rear wheel slips to the right", "front wheel slips forwards", "front wheel slips to the right"};

  /// What of its velocity a rolling bicycle is free to choose.
  struct Rolling {
    S speed = 0;       ///< −r_R θ̇_R [m/s]
    S lean_rate = 0;   ///< [rad/s]
    S steer_rate = 0;  ///< δ̇ [rad/s]
  };

  /// The bicycle of the benchmark.
  WhippleBicycle() : WhippleBicycle(Parameters{}) {}
  /// Throws std::invalid_argument if a measure is not finite or breaks its rule.
  explicit WhippleBicycle(const Parameters& p)
      : p_(p),
        rear_(p.body, {p.body.x, 0, p.body.z + p.rear.radius}, p.rear, Vec<S, 3>::Zero()),
        front_(p.fork, {p.fork.x - p.wheelbase - p.trail, 0, p.fork.z}, p.front,
               {-p.trail, 0, -p.front.radius}),
        axis_(number::sin(p.tilt), 0, number::cos(p.tilt)),
        pivot_(p.wheelbase + p.trail, 0, p.rear.radius) {
    p.check();
    for (const detail::Carrier<S>* c : {&rear_, &front_})
      require(c->finite(), "WhippleBicycle", "inertia of a frame with its wheel", "not finite",
              "masses and lengths must leave it finite [kg m^2]");
    const Vec<S, 3> moment = rear_.moment + front_.mass * pivot_ + front_.moment;
    detail::require_finite("WhippleBicycle", "weight", p.gravity * (rear_.mass + front_.mass), "N");
    detail::require_finite("WhippleBicycle", "moment of the weight", p.gravity * moment.cwiseAbs().sum(),
                           "N m");
  }

  /// The measures, as they were given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Product<SE3<T>, Rn<T, 3>>& g, const Vec<T, 9>& xi) const {
    const Steer<T> steer(*this, g.second().coordinates()[0]);
    const Motion<T> rear = rear_motion(xi), front = front_motion(steer, xi);
    const T twice =
        pairing(detail::momentum(rear_, rear), rear) + pairing(detail::momentum(front_, front), front);
    const Triple<T> down = downwards(g);
    const Vec<S, 3> first_moment = rear_.moment + front_.mass * pivot_;
    const T moment = (rear_.mass + front_.mass) * g.first().translation()[2] +
                     dot(down, detail::lift<T>(first_moment)) +
                     dot(steer.back(down), detail::lift<T>(front_.moment));
    return twice / 2 + p_.gravity * moment;
  }

  /// (2) [m]: the heights of the wheels above the ground.
  template <class T>
  [[nodiscard]] Vec<T, 2> position_constraint(const Product<SE3<T>, Rn<T, 3>>& g) const {
    return heights<T>(g.first().translation()[2], downwards(g), g.second().coordinates()[0]);
  }

  /// (3) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 4> velocity_constraint(const Product<SE3<T>, Rn<T, 3>>& g, const Vec<T, 9>& xi) const {
    const Steer<T> steer(*this, g.second().coordinates()[0]);
    const Triple<T> down = downwards(g);
    const detail::LowestPoint<T> rear(down), front(steer.back(down));
    const Triple<T> rear_slip = detail::slip(rear_, rear_motion(xi), rear);
    const Triple<T> front_slip = detail::slip(front_, front_motion(steer, xi), front);
    Vec<T, 4> rows;
    rows << dot(rear_slip, rear.forwards()), dot(rear_slip, rear.right()), dot(front_slip, front.forwards()),
        dot(front_slip, front.right());
    return rows;
  }

  /// ∂ℓ/∂ξ [kg m/s, kg m²/s].
  template <class T>
  [[nodiscard]] Vec<T, 9> momentum(const Product<SE3<T>, Rn<T, 3>>& g, const Vec<T, 9>& xi) const {
    return momentum_at(Steer<T>(*this, g.second().coordinates()[0]), xi);
  }

  /// ∂²ℓ/∂ξ² [kg, kg m, kg m²].
  template <class T>
  [[nodiscard]] Mat<T, 9> mass(const Product<SE3<T>, Rn<T, 3>>& g) const {
    const Steer<T> steer(*this, g.second().coordinates()[0]);
    Mat<T, 9> matrix;
    for (int j = 0; j < 9; ++j) {
      Vec<T, 9> unit = Vec<T, 9>::Zero();
      unit[j] = 1;
      matrix.col(j) = momentum_at(steer, unit);
    }
    return matrix;
  }

  /// The bicycle on the ground with this lean φ and steer δ [rad], |φ| < π/2, both positive to the right,
  /// heading along e₁ of space and with its rear hub above the origin. Throws std::invalid_argument for
  /// angles not finite, and if the front wheel cannot reach the ground.
  [[nodiscard]] Group on_ground(S lean, S steer) const {
    using std::abs, std::cos, std::pow, std::sin;
    using D = Dual<S, 1>;
    detail::require_finite("WhippleBicycle", "lean", lean, "rad");
    detail::require_finite("WhippleBicycle", "steer", steer, "rad");
    const S height = p_.rear.radius * cos(lean);
    const S enough =
        pow(std::numeric_limits<S>::epsilon(), constant<S>(0.6L));  // the next step is far below rounding
    S pitch = 0;
    bool found = false;
    for (int i = 0; i < 50 && !found; ++i) {
      const D angle = D::variable(pitch, 0);
      const Triple<D> down{-cos(lean) * sin(angle), sin(lean), cos(lean) * cos(angle)};
      const D front = heights<D>(-height, down, steer)[1];
      const S step = front.value() / front.derivative(0);
      pitch -= step;
      found = abs(step) < enough;
    }
    require(found && cos(lean) > 0 && abs(pitch) < constant<S>(pi / 2), "WhippleBicycle", "lean", lean,
            "at this lean and steer the wheels must both reach the ground [rad]");
    const SO3<S> leaned = SO3<S>::exp({lean, 0, 0}), pitched = SO3<S>::exp({0, pitch, 0});
    return {SE3<S>(leaned * pitched, {0, 0, -height}), Rn<S, 3>(Vec<S, 3>(steer, 0, 0))};
  }

  /// The velocity ξ of a bicycle at g, on the ground, that rolls like this.
  [[nodiscard]] Vec<S, 9> rolling(const Group& g, const Rolling& free) const {
    const Triple<S> down = downwards(g), axle(0, 1, 0);
    const Steer<S> steer(*this, g.second().coordinates()[0]);
    const detail::LowestPoint<S> rear(down), front(steer.back(down));
    const auto velocity = [&](const Triple<S>& omega, S steer_rate, S rear_rate) {
      const Triple<S> v = -(rear_.radius * cross(omega + rear_rate * axle, rear.d));
      Vec<S, 9> xi;
      xi << v.x, v.y, v.z, omega.x, omega.y, omega.z, steer_rate, rear_rate, 0;
      return xi;
    };
    const auto slip = [&](const Vec<S, 9>& xi) {
      return detail::slip(front_, front_motion(steer, xi), front);
    };
    // Yaw and pitch keep the front wheel from slipping aside and from leaving the ground; its spin does the
    // rest.
    const Vec<S, 9> start =
        velocity(free.lean_rate * rear.forwards(), free.steer_rate, -free.speed / rear_.radius);
    const Vec<S, 9> yaw = velocity(down, 0, 0), pitch = velocity(axle, 0, 0);
    const auto sideways = [&](const Vec<S, 9>& xi) { return dot(slip(xi), front.right()); };
    const auto downward = [&](const Vec<S, 9>& xi) { return dot(slip(xi), front.gamma); };
    const S a = sideways(yaw), b = sideways(pitch), c = downward(yaw), d = downward(pitch);
    const S s = sideways(start), h = downward(start), determinant = a * d - b * c;
    Vec<S, 9> xi = start + yaw * ((b * h - d * s) / determinant) + pitch * ((c * s - a * h) / determinant);
    xi[8] = -dot(slip(xi), front.forwards()) / front_.radius;
    return xi;
  }

  /// φ, the lean of the rear frame to the right [rad].
  [[nodiscard]] S lean(const Group& g) const {
    using std::atan2;
    const Triple<S> down = downwards(g);
    return atan2(down.y, detail::LowestPoint<S>(down).n);
  }
  /// φ̇ = ω·t [rad/s].
  [[nodiscard]] S lean_rate(const Group& g, const Vec<S, 9>& xi) const {
    return dot(detail::LowestPoint<S>(downwards(g)).forwards(), Triple<S>(xi[3], xi[4], xi[5]));
  }

 private:
  /// The turn of the fork by δ about k.
  template <class T>
  struct Steer {
    Triple<T> axis, pivot;
    T cosine, sine;

    Steer(const WhippleBicycle& bicycle, const T& delta)
        : axis(detail::lift<T>(bicycle.axis_)),
          pivot(detail::lift<T>(bicycle.pivot_)),
          cosine(cosine_of(delta)),
          sine(sine_of(delta)) {}
    static T cosine_of(const T& x) {
      using std::cos;
      return cos(x);
    }
    static T sine_of(const T& x) {
      using std::sin;
      return sin(x);
    }
    [[nodiscard]] Triple<T> turn(const Triple<T>& x, const T& s) const {
      return cosine * x + s * cross(axis, x) + (1 - cosine) * dot(axis, x) * axis;
    }
    /// A x.
    [[nodiscard]] Triple<T> out(const Triple<T>& x) const { return turn(x, sine); }
    /// Aᵀ x.
    [[nodiscard]] Triple<T> back(const Triple<T>& x) const { return turn(x, -sine); }
  };

  template <class T>
  [[nodiscard]] static Triple<T> downwards(const Configuration<T>& g) {
    return Triple<T>(g.first().rotation().inverse().act(Vec<T, 3>(0, 0, 1)));
  }
  template <class T>
  [[nodiscard]] static T pairing(const Motion<T>& a, const Motion<T>& b) {
    return dot(a.linear, b.linear) + dot(a.angular, b.angular) + a.wheel * b.wheel;
  }
  template <class T>
  [[nodiscard]] static Motion<T> rear_motion(const Vec<T, 9>& xi) {
    return {{xi[0], xi[1], xi[2]}, {xi[3], xi[4], xi[5]}, xi[7]};
  }
  /// (V, W, θ̇_F).
  template <class T>
  [[nodiscard]] static Motion<T> front_motion(const Steer<T>& steer, const Vec<T, 9>& xi) {
    const Triple<T> v{xi[0], xi[1], xi[2]}, omega{xi[3], xi[4], xi[5]};
    return {steer.back(v + cross(omega, steer.pivot)), steer.back(omega) + xi[6] * steer.axis, xi[8]};
  }
  /// The transpose of `front_motion` on the momentum of the fork.
  template <class T>
  [[nodiscard]] Vec<T, 9> momentum_at(const Steer<T>& steer, const Vec<T, 9>& xi) const {
    const Motion<T> rear = detail::momentum(rear_, rear_motion(xi));
    const Motion<T> front = detail::momentum(front_, front_motion(steer, xi));
    const Triple<T> force = steer.out(front.linear);
    const Triple<T> linear = rear.linear + force;
    const Triple<T> angular = rear.angular + steer.out(front.angular) + cross(steer.pivot, force);
    Vec<T, 9> p;
    p << linear.x, linear.y, linear.z, angular.x, angular.y, angular.z, dot(steer.axis, front.angular),
        rear.wheel, front.wheel;
    return p;
  }
  /// (2), where `down` is γ and z is that of the rear hub.
  template <class T>
  [[nodiscard]] Vec<T, 2> heights(const T& z, const Triple<T>& down, const T& delta) const {
    const Triple<T> front = Steer<T>(*this, delta).back(down);
    const T hub = z + dot(down, detail::lift<T>(pivot_)) + dot(front, detail::lift<T>(front_.hub));
    return {-z - rear_.radius * detail::LowestPoint<T>(down).n,
            -hub - front_.radius * detail::LowestPoint<T>(front).n};
  }

  Parameters p_;
  detail::Carrier<S> rear_, front_;
  Vec<S, 3> axis_, pivot_;
};

}  // namespace dalembert::systems
