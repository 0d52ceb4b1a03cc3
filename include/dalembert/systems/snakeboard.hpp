#pragma once

#include <array>
#include <string_view>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/product.hpp>
#include <dalembert/lie/rn.hpp>
#include <dalembert/lie/se2.hpp>
#include <dalembert/systems/detail/parameters.hpp>

/// The snakeboard: a board on two pairs of wheels that are steered by equal and opposite angles, with a rotor
/// on top. It gains speed when the rotor is swung while the wheels are turned, without pushing off.
///   g = (frame, ψ, φ) ∈ SE(2) × R²  frame at the middle of the board, e₁ ahead;
///     angles of the rotor and of
///                                   the front wheels against the board, −φ for the back ones     [m, rad]
///   ξ = (u, v, ω, ψ̇, φ̇)       velocity of the middle in that frame, rates of the angles [m/s, rad/s]
///   m, l                            mass [kg], distance from the middle to a pair of wheels [m]
///   J, J_r, J_w                     moments of inertia of board, rotor and one pair of wheels [kg m²]
///   J₀ = J + 2J_w                   of all that does not turn with the rotor [kg m²]
///   ℓ(ξ) = ½m(u² + v²) + ½J₀ω² + ½J_r(ω + ψ̇)² + J_wφ̇²                               (1)
///   (v + lω) cos φ − u sin φ = 0,  (v − lω) cos φ + u sin φ = 0                                (2)
/// The wheels push on the board by λ₁ in front and λ₂ at the back, along their axles [N]; torques
/// τ_ψ, τ_φ [N m] may act on rotor and wheels. With D = λ₁ − λ₂, while cos φ ≠ 0, from (1) and
/// (2) follow, and serve as oracles for tests,
///   v = 0,  lω cos φ = u sin φ,  (λ₁ + λ₂) cos φ = muω
///   D (l² cos²φ/J₀ + sin²φ/m) = φ̇(lω sin φ + u cos φ) + l cos φ τ_ψ/J₀
///   u̇ = −(D/m) sin φ,  ω̇ = (Dl cos φ − τ_ψ)/J₀,  ψ̈ = τ_ψ/J_r − ω̇,
///     φ̈ = τ_φ/(2J_w)  (3)
/// With (u, ω) = s(l cos φ, sin φ), constant without torques are
///   s²(ml² cos²φ + J₀ sin²φ),  ω + ψ̇,  φ̇                                                  (4)
/// and for J₀ + J_r = ml² the nonholonomic momentum p = mlu cos φ + ∂ℓ/∂ω sin φ obeys
///   ṗ = J_rψ̇φ̇ cos φ                                                                            (5)
/// Source: Lewis, Ostrowski, Murray and Burdick 1994; Bloch, Krishnaprasad, Marsden and Murray 1996.
namespace dalembert::systems {

/// No torques on a snakeboard's rotor and wheels.
struct NoTorques {
  /// Zero, whatever the shape (ψ, φ), its rates and the time are [N m].
  template <class T>
  [[nodiscard]] Vec<T, 2> operator()(const Vec<T, 2>&, const Vec<T, 2>&, const T&) const {
    return Vec<T, 2>::Zero();
  }
};

/// A snakeboard; see the head of this file. `Torques` gives (τ_ψ, τ_φ) [N m] as a template
/// torques(Vec<T, 2> shape, Vec<T, 2> rates, T t) of (ψ, φ), (ψ̇, φ̇) and the time.
template <SingleReal S = double, class Torques = NoTorques>
class Snakeboard {
 public:
  using Group = Product<SE2<S>, Rn<S, 2>>;  ///< the configuration space
  /// The rows of (2).
  static constexpr std::array<std::string_view, 2> constraint_names = {"front wheel aside",
                                                                       "back wheel aside"};

  /// The board.
  struct Parameters {
    S mass = 1;           ///< m > 0, of everything [kg]
    S half_length = 1;    ///< l > 0 [m]
    S board = S(0.5L);    ///< J ≥ 0 [kg m²]
    S rotor = S(0.4L);    ///< J_r > 0 [kg m²]
    S wheels = S(0.05L);  ///< J_w > 0, of each pair [kg m²]
  };

  /// Throws std::invalid_argument if a parameter is not finite or breaks its rule.
  explicit Snakeboard(Parameters p, Torques torques = {}) : p_(p), torques_(std::move(torques)) {
    detail::require_positive("Snakeboard", "mass", p.mass, "kg");
    detail::require_positive("Snakeboard", "half_length", p.half_length, "m");
    detail::require_not_negative("Snakeboard", "board", p.board, "kg m^2");
    detail::require_positive("Snakeboard", "rotor", p.rotor, "kg m^2");
    detail::require_positive("Snakeboard", "wheels", p.wheels, "kg m^2");
    detail::require_finite("Snakeboard", "inertia without the rotor", inertia_without_rotor(), "kg m^2");
  }

  /// The board, as it was given.
  [[nodiscard]] const Parameters& parameters() const noexcept { return p_; }
  /// What drives it, as it was given.
  [[nodiscard]] const Torques& torques() const noexcept { return torques_; }
  /// J₀ = J + 2J_w, of all that does not turn with the rotor [kg m²].
  [[nodiscard]] S inertia_without_rotor() const noexcept { return p_.board + 2 * p_.wheels; }

  /// The velocity that keeps (2): s [rad/s] of (4), and ψ̇, φ̇ [rad/s], at the steering angle φ [rad].
  [[nodiscard]] Vec<S, 5> gliding(S phi, S s, S rotor_rate, S steering_rate) const {
    using std::cos, std::sin;
    Vec<S, 5> xi;
    xi << s * p_.half_length * cos(phi), 0, s * sin(phi), rotor_rate, steering_rate;
    return xi;
  }
  /// The s of (4) at the steering angle φ, from s₀ at φ₀, without torques [rad/s].
  [[nodiscard]] S exact(S phi0, S s0, S phi) const {
    using std::sqrt;
    return s0 * sqrt(glide_inertia(phi0) / glide_inertia(phi));
  }

  /// (1) [J].
  template <class T>
  [[nodiscard]] T lagrangian(const Vec<T, 5>& xi) const {
    const T moving = p_.mass * (xi[0] * xi[0] + xi[1] * xi[1]), spin = xi[2] + xi[3];
    const T turning = inertia_without_rotor() * xi[2] * xi[2] + p_.rotor * spin * spin;
    return (moving + turning) / 2 + p_.wheels * xi[4] * xi[4];
  }

  /// The left sides of (2) [m/s].
  template <class T>
  [[nodiscard]] Vec<T, 2> velocity_constraint(const Product<SE2<T>, Rn<T, 2>>& g, const Vec<T, 5>& xi) const {
    using std::cos, std::sin;
    const T phi = g.second().coordinates()[1], c = cos(phi), s = sin(phi), turn = p_.half_length * xi[2];
    return {(xi[1] + turn) * c - xi[0] * s, (xi[1] - turn) * c + xi[0] * s};
  }

  /// (0, 0, 0, τ_ψ, τ_φ).
  template <class T>
  [[nodiscard]] Vec<T, 5> force(const Product<SE2<T>, Rn<T, 2>>& g, const Vec<T, 5>& xi, const T& t) const {
    const Vec<T, 2> torque = torques_(g.second().coordinates(), Vec<T, 2>(xi[3], xi[4]), t);
    Vec<T, 5> all;
    all << 0, 0, 0, torque[0], torque[1];
    return all;
  }

  /// ∂ℓ/∂ξ [kg m/s, kg m/s, kg m²/s…].
  template <class T>
  [[nodiscard]] Vec<T, 5> momentum(const Vec<T, 5>& xi) const {
    const T rotor = p_.rotor * (xi[2] + xi[3]);
    Vec<T, 5> p;
    p << p_.mass * xi[0], p_.mass * xi[1], inertia_without_rotor() * xi[2] + rotor, rotor,
        2 * p_.wheels * xi[4];
    return p;
  }

  /// ∂²ℓ/∂ξ² [kg, kg m²].
  [[nodiscard]] Mat<S, 5> mass() const {
    Mat<S, 5> matrix = Mat<S, 5>::Zero();
    matrix.diagonal() << p_.mass, p_.mass, inertia_without_rotor() + p_.rotor, p_.rotor, 2 * p_.wheels;
    matrix(2, 3) = matrix(3, 2) = p_.rotor;
    return matrix;
  }

 private:
  /// ml² cos²φ + J₀ sin²φ [kg m²].
  [[nodiscard]] S glide_inertia(S phi) const {
    using std::cos, std::sin;
    const S along = p_.half_length * cos(phi), turn = sin(phi);
    return p_.mass * along * along + inertia_without_rotor() * turn * turn;
  }

  Parameters p_;
  Torques torques_;
};

}  // namespace dalembert::systems
