#pragma once

#include <utility>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/line.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/systems/detail/round_rods.hpp>

/// Two equal rods wound around each other, a ply: both centrelines are helices at the radius a of the rods
/// about one axis, half a turn apart, clamped at their ends, and touch along a line. Per rest length frames
/// turn at w about the axis and rise by p:
///   wa = (1 + ε) sin α,  p = (1 + ε) cos α               α: angle with the axis, 1 + ε: stretch    (1)
/// Sections stand at a tilt ψ to the axis. Along e₁ outwards, e₂, and e₃ across the section,
///   Γ = (0, wa cos ψ − p sin ψ, wa sin ψ + p cos ψ),  Ω = (0, −w sin ψ, 0)                    (2)
/// without twist, and the force n = Λ C (Γ − E₃) and moment m = Λ C Ω obey, in components outwards,
/// around and along the axis,
///   −w m_φ + wa n_z − p n_φ = 0,                         balance of moments, which gives ψ        (3)
///   q = w n_φ                                           balance of forces: pressure per length, n_r = 0 (4)
/// of frictionless contact. For a thin rod q = κ(T − τM + Bτ²). Points of the centrelines opposite to
/// each other are nearest only as long as wa < p, so that α < π/4: D² = 2a²(1 + cos θ) + (p/w)²θ² of
/// points that are θ beside opposition has the slope 2((p/w)² − a²)θ there. A steeper ply would be
/// inside itself. The equilibrium need not be stable: a ply that is not stretched buckles.
namespace dalembert::systems {

/// What makes a ply.
template <class S = double>
struct PlyParameters {
  int elements = 120;       ///< of each rod
  S turns = S(3);           ///< about the axis
  S angle = S(pi / 6);      ///< α, less than π/4 [rad]
  S stretch = S(1.2);       ///< 1 + ε
  S radius = S(0.005);      ///< a [m]
  S young = S(1e6);         ///< Young's modulus [Pa]
  S poisson = S(0.49);      ///< Poisson's ratio
  S density = S(1100);      ///< [kg/m³]
  S shear_factor = S(0.9);  ///< shear correction factor
  S damping = S(0);         ///< rate ν of the rods' damping [1/s]

  /// Throws std::invalid_argument naming the quantity that is out of its range.
  void check() const {
    const auto need = [](bool holds, const char* quantity, S value, const char* rule) {
      require(holds, "PlyParameters", quantity, value, rule);
    };
    rod::require_elements<S>("PlyParameters", elements);
    need(detail::positive(turns), "turns", turns, "it must be positive and finite");
    need(angle > 0 && angle < S(pi / 4), "angle", angle,
         "it must be positive and less than pi/4, where the rods are no longer nearest to each other across "
         "the axis [rad]");
    need(detail::positive(stretch), "stretch", stretch, "it must be positive and finite");
    need(detail::finite(damping) && damping >= 0, "damping", damping,
         "it must be finite and not negative [1/s]");
    need(elements >= S(8) * turns, "elements", S(elements), "each turn needs eight or more");
    (void)section();
  }
  /// The section of both rods. Throws std::invalid_argument.
  [[nodiscard]] rod::CircularSection<S> section() const { return detail::round_section(*this); }
  /// w of (1) [rad/m].
  [[nodiscard]] S rate() const noexcept { return stretch * std::sin(angle) / radius; }
  /// p of (1).
  [[nodiscard]] S rise() const noexcept { return stretch * std::cos(angle); }
  /// Of each rod without load [m].
  [[nodiscard]] S length() const noexcept { return S(2 * pi) * turns / rate(); }
};

/// The ply's equilibrium in closed form, equations (2) to (4).
template <class S = double>
struct PlyEquilibrium {
  S tilt{};      ///< ψ [rad]
  S pressure{};  ///< q, per rest length [N/m]
  S tension{};   ///< n_z of each rod [N]
  S torque{};    ///< moment of each rod about the axis, m_z + a n_φ [N m]
};

/// Solves (3) by bisection, and takes the rest from it. Throws std::invalid_argument for parameters out of
/// their range, and for a stretch so large that no tilt between 0 and α does it: such a rod would shear
/// over.
template <class S>
[[nodiscard]] PlyEquilibrium<S> ply_equilibrium(const PlyParameters<S>& p) {
  p.check();
  const auto stiffness = p.section().stiffness_diagonal();
  const S w = p.rate(), rise = p.rise(), a = p.radius;
  PlyEquilibrium<S> found;
  const auto moment = [&](S psi) {
    const S s = std::sin(psi), c = std::cos(psi);
    const S n2 = stiffness[1] * (w * a * c - rise * s), n3 = stiffness[2] * (w * a * s + rise * c - S(1));
    const S m2 = -stiffness[4] * w * s;
    const S around = c * n2 + s * n3, along = c * n3 - s * n2;
    found = {psi, w * around, along, a * around - s * m2};
    return -w * c * m2 + w * a * along - rise * around;
  };
  S low(0), high = p.angle;
  require(moment(low) < 0, "PlyParameters", "stretch", p.stretch,
          "it is too large for this material: no tilt of the sections balances the moments");
  for (;;) {
    const S middle = (low + high) / S(2);
    const S m = moment(middle);
    if (middle == low || middle == high || m == S(0)) return found;
    (m < 0 ? low : high) = middle;
  }
}

/// The two rods of a ply, clamped, in the shape of the closed form, and the stations at which rod 2 touches
/// the nodes of rod 1.
template <class Station>
struct Ply {
  using S = typename Station::Scalar;   ///< the number type
  using Rod = rod::ElasticRod<S>;       ///< both rods
  PlyParameters<S> parameters;          ///< what it was made from
  std::vector<Rod> rods;                ///< two
  std::vector<rod::Chain<S>> chains;    ///< equation (2), at rest
  contact::Stations<Station> stations;  ///< of the nodes that the kernel leaves between the ends
  Eigen::Index from = 0;                ///< the first of them

  /// The problem of their motion, and of their statics.
  [[nodiscard]] assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<Station>> problem() const {
    return assembly::Assembly{assembly::bodies(rods), assembly::constraints(stations.constraints)};
  }
  /// Mean pressure over the middle third of the rods, from the normal force of each station [N per m of rest
  /// length].
  [[nodiscard]] S pressure(const Vec<S, Eigen::Dynamic>& normal_forces) const {
    S sum(0);
    int count = 0;
    for (Eigen::Index i = 0; i < normal_forces.size(); ++i) {
      const Eigen::Index thirds = 3 * (from + i);
      if (thirds < parameters.elements || thirds > 2 * parameters.elements) continue;
      sum += normal_forces[i];
      ++count;
    }
    return sum / (S(count) * rods[0].spacing());
  }
};

/// The rods of a ply with stations of a kind and a kernel on rod 2, as wide as its spacing; they may pull.
/// Throws std::invalid_argument.
template <template <class, class> class Station = contact::SlidingStation, class S,
          class K = contact::CubicSpline>
[[nodiscard]] Ply<Station<S, K>> ply(const PlyParameters<S>& p, K kernel = {}) {
  const PlyEquilibrium<S> shape = ply_equilibrium(p);
  const rod::ElasticRod<S> one = detail::clamped_rod(p, p.length(), p.damping);
  Ply<Station<S, K>> result{p, {one, one}, {}, {}, K::reach + 1};
  const S w = p.rate();
  for (const S side : {S(0), S(pi)}) {
    rod::Chain<S> chain(one.nodes());
    for (Eigen::Index k = 0; k < one.nodes(); ++k) {
      const S s = S(k) * one.spacing(), around = w * s + side;
      // e₁ outwards, tilted about it, and turned back about e₃ as it goes on: no twist
      const SO3<S> frame = SO3<S>::exp({S(0), S(0), around}) * SO3<S>::exp({-shape.tilt, S(0), S(0)}) *
                           SO3<S>::exp({S(0), S(0), -w * std::cos(shape.tilt) * s});
      chain.set_frame(k, frame, {p.radius * std::cos(around), p.radius * std::sin(around), p.rise() * s});
    }
    result.chains.push_back(std::move(chain));
  }
  const contact::ContactLine<S> line{.radius1 = p.radius,
                                     .radius2 = p.radius,
                                     .from = result.from,
                                     .to = p.elements - result.from,
                                     .bilateral = true};
  result.stations = contact::stations<Station>(line, result.rods[1], result.chains, kernel);
  return result;
}

}  // namespace dalembert::systems
