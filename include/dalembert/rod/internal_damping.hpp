#pragma once

#include <cstddef>
#include <type_traits>

#include <dalembert/assembly/with_load.hpp>
#include <dalembert/core/autodiff.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/strain.hpp>

/// Internal, Kelvin–Voigt damping of a rod, as a load for `assembly::WithLoad`: the stress is raised by the
/// rate of strain,
///   n ← n + diag(d₁, d₂, d₃) Γ̇,  m ← m + diag(d₄, d₅, d₆) Ω̇                        (1)
/// It takes no momentum, and no energy from a rigid motion. It dissipates Σ h ε̇·diag(d)ε̇, ε = (Γ,
/// Ω), which `power` tells as dissipation. Where d = ηC for the stiffness C, a small motion of angular
/// frequency ω has
///   q̈ + ηω²q̇ + ω²q = 0                             its amplitude falls at the rate ηω²/2  (2)
/// so that fast waves are damped most. `verlet` needs steps with h²ω² + 4hηω² < 4 for the highest ω,
/// which the bound of frequencies knows: for ηω > 1 damping alone limits the step, and an implicit
/// integrator does better. Rates of strain are derivatives of the strains along the velocities of the nodes,
/// by automatic differentiation in lanes.
/// Source: Antman 1996; for rods Linn, Lang & Tuganov 2013, Mech. Sci. 4, 79, eq. (4).
namespace dalembert::rod {

namespace detail {

/// An element with the derivatives along a motion, in which a quaternion q = (w, v) changes by ½ q (0, Σ).
template <class L>
[[nodiscard]] inline ElementPose<Dual<L, 1>> moving(const ElementPose<L>& e,
                                                    const ElementMotion<L>& m) noexcept {
  const L half(0.5);
  const auto scalar = [&](const L& w, const Vec<L, 3>& v, const Triple<L>& turn) {
    return Dual<L, 1>(w, Vec<L, 1>(L(-(half * dot(Triple<L>(v), turn)))));
  };
  const auto vector = [&](const L& w, const Vec<L, 3>& v, const Triple<L>& turn) {
    return seeded(v, Vec<L, 3>(half * (w * turn + cross(Triple<L>(v), turn))));
  };
  return {scalar(e.w0, e.v0, m.turn0), vector(e.w0, e.v0, m.turn0), scalar(e.w1, e.v1, m.turn1),
          vector(e.w1, e.v1, m.turn1), seeded(e.chord, Vec<L, 3>(m.chord))};
}

/// How the elements in the lanes from k on move.
template <class L, class S>
[[nodiscard]] inline ElementMotion<L> motion_of(const Chain<S>& at, Eigen::Index k) noexcept {
  return {load3<3, L>(at.velocity, k), load3<3, L>(at.velocity, k + 1),
          load3<0, L>(at.velocity, k + 1) - load3<0, L>(at.velocity, k)};
}

/// (Γ̇, Ω̇) [1/s, 1/(m s)]; out of line, being asked for in several places.
template <class Rule, class L, class S>
[[nodiscard, gnu::noinline]] Strain<L> strain_rate(const ElementPose<L>& pose, const ElementMotion<L>& motion,
                                                   S h) noexcept {
  const Strain<Dual<L, 1>> e = Rule::strain(moving(pose, motion), h);
  Strain<L> rate;
  for (int i = 0; i < 3; ++i) {
    rate.stretch[i] = e.stretch[i].derivative(0);
    rate.curvature[i] = e.curvature[i].derivative(0);
  }
  return rate;
}

/// A stress that does not ask for strains.
template <class L>
struct GivenStress {
  Stress<L> given;
  [[nodiscard]] Stress<L> stress(const Vec<L, 3>&, const Vec<L, 3>&) const noexcept { return given; }
};

}  // namespace detail

/// Equation (1).
template <class S = double>
class KelvinVoigt {
 public:
  /// d [N s, N m² s]; throws std::invalid_argument unless every entry is finite and not negative.
  explicit KelvinVoigt(const Vec<S, 6>& viscosity) : d_(viscosity) {
    for (int i = 0; i < 6; ++i)
      require_entry(number::isfinite(d_[i]) && d_[i] >= S(0), "KelvinVoigt", "viscosity",
                    static_cast<std::size_t>(i), d_[i], "it must be finite and not negative [N s, N m^2 s]");
  }
  /// d = ηC for a diagonal stiffness C [N, N m²] and a time η [s], equation (2).
  [[nodiscard]] static KelvinVoigt proportional(const Vec<S, 6>& stiffness, const S& time) {
    Vec<S, 6> d;
    for (int i = 0; i < 6; ++i) d[i] = time * stiffness[i];
    return KelvinVoigt(d);
  }

  /// d [N s, N m² s].
  [[nodiscard]] const Vec<S, 6>& viscosity() const noexcept { return d_; }

  /// Adds the forces and torques of (1) [N, N m].
  template <class R>
  void add(const R& rod, const Chain<S>& at, S, Columns<S, 6>& f) const noexcept {
    using L = NodePack<S>;
    const S h = rod.spacing();
    const L last = L(S(rod.elements())), zero = L(S(0));
    for (Eigen::Index k = 0; k < rod.elements(); k += lane_width<S>) {
      const ElementLoads<L> loads =
          damping_loads<typename R::Strains>(detail::poses(at, k), detail::motion_of<L>(at, k), h);
      const auto inside = lane_index<L>(k) < last;
      const auto kept = [&](const Vec<L, 3>& x) {
        return Triple<L>(select(inside, x[0], zero), select(inside, x[1], zero), select(inside, x[2], zero));
      };
      const Triple<L> force = kept(loads.force);
      detail::add_forces(force, kept(loads.torque0), f, k);
      detail::add_forces(-force, kept(loads.torque1), f, k + 1);
    }
  }
  /// −Σ h ε̇·diag(d)ε̇ [W].
  template <class R>
  [[nodiscard]] S dissipation(const R& rod, const Chain<S>& at, S) const noexcept {
    const S h = rod.spacing();
    S sum(0);
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      const Strain<S> rate =
          detail::strain_rate<typename R::Strains>(R::pose(at, k), detail::motion_of<S>(at, k), h);
      sum -= h * product(rate, rate);
    }
    return sum;
  }
  /// add(k, l, −∂f_k/∂(ṙ_l, ω_l)) for all nodes k, l that share an element: h Bᵀ diag(d) B where
  /// ε̇ = B (ṙ, ω), symmetric [N s/m, N s; N s, N m s].
  template <class R, class Add>
  void add_damping(const R& rod, const Chain<S>& at, S, Add&& add) const {
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      add_blocks(element_damping(rod, at, k, [](Eigen::Index, int) { return S(1); }), k, add);
    }
  }
  /// add(k, l, −∂f_k/∂(δr_l, Σ_l)) for all nodes k, l that share an element, at fixed numbers (ṙ,
  /// ω) of the velocities: with those of the frames, the directions change in which (1) pulls and in which
  /// strains are seen. Zero at rest. Without the derivatives that numbers carry: they are for matrices of
  /// Newton's method.
  template <class R, class Add>
  void add_stiffness(const R& rod, const Chain<S>& at, S, Add&& add) const {
    using T = number::Plain<S>;
    using D = Dual<T, 1>;
    const auto fixed = [](const Triple<S>& x) {
      return Triple<D>(D(value_of(x.x)), D(value_of(x.y)), D(value_of(x.z)));
    };
    const KelvinVoigt<T> law(dalembert::detail::convert_all<T>(d_));
    const T h = value_of(rod.spacing());
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      const detail::ElementMotion<S> motion = detail::motion_of<S>(at, k);
      const ElementPose<T> pose = cast<T>(R::pose(at, k));
      Mat<S, 12> all;
      for (int j = 0; j < 12; ++j) {
        const auto change = detail::gradient(law.template damping_loads<typename R::Strains>(
            detail::moving(pose, detail::unit_motion<T>(j)),
            detail::ElementMotion<D>{fixed(motion.turn0), fixed(motion.turn1), fixed(motion.chord)}, h));
        for (int i = 0; i < 12; ++i) all(i, j) = S(change[i].derivative(0));
      }
      add_blocks(all, k, add);
    }
  }
  /// γ + √(γ² + ω²) for the bound ω without it and the highest rate γ of a damping of elements:
  /// steps below 2 over it are those of the head of this file [rad/s].
  template <class R>
  [[nodiscard]] S frequency_bound(const R& rod, const Chain<S>& at, S omega) const {
    S gamma(0);  // a bound on what one element by itself has, as in rod/frequency.hpp [1/s]
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      const S bound = detail::eigenvalue_bound(element_damping(rod, at, k, [&](Eigen::Index node, int i) {
        const bool is_end = node == 0 || node == rod.elements();
        return number::sqrt(rod.inverse_mass(node, i) * (is_end ? S(1) : S(2)));
      }));
      number::keep_larger(gamma, bound);
    }
    return gamma + number::sqrt(gamma * gamma + omega * omega);
  }

 private:
  template <class T>
  friend class KelvinVoigt;

  /// Minus the gradient by the stress (1) alone.
  template <class Rule, class L>
  [[nodiscard]] ElementLoads<L> damping_loads(const ElementPose<L>& pose,
                                              const detail::ElementMotion<L>& motion, S h) const noexcept {
    const Strain<L> rate = detail::strain_rate<Rule>(pose, motion, h);
    Stress<L> s;
    for (int i = 0; i < 3; ++i) {
      s.force[i] = L(d_[i]) * rate.stretch[i];
      s.moment[i] = L(d_[3 + i]) * rate.curvature[i];
    }
    return Rule::loads(pose, detail::GivenStress<L>{s}, h);
  }

  /// add(k + a, k + b, block) of both nodes of element k.
  template <class Add>
  static void add_blocks(const Mat<S, 12>& all, Eigen::Index k, const Add& add) {
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) add(k + a, k + b, dalembert::detail::block_of<6, 6>(all, 6 * a, 6 * b));
  }
  /// h ε̇ᵢ·diag(d)ε̇ⱼ of element k for velocities speed(node, i) of each number i of its two nodes.
  template <class R, class Speed>
  [[nodiscard]] Mat<S, 12> element_damping(const R& rod, const Chain<S>& at, Eigen::Index k,
                                           const Speed& speed) const {
    Strain<S> rates[12];
    S speeds[12];
    for (int j = 0; j < 12; ++j) {
      rates[j] =
          detail::strain_rate<typename R::Strains>(R::pose(at, k), detail::unit_motion<S>(j), rod.spacing());
      speeds[j] = speed(k + j / 6, j % 6);
    }
    Mat<S, 12> all;
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        all(i, j) = rod.spacing() * speeds[i] * speeds[j] * product(rates[i], rates[j]);
    return all;
  }
  /// ε̇₁·diag(d)ε̇₂.
  [[nodiscard]] S product(const Strain<S>& a, const Strain<S>& b) const {
    S sum(0);
    for (int i = 0; i < 3; ++i)
      sum += d_[i] * a.stretch[i] * b.stretch[i] + d_[3 + i] * a.curvature[i] * b.curvature[i];
    return sum;
  }

  Vec<S, 6> d_;
};

}  // namespace dalembert::rod
