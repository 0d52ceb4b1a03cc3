#pragma once

#include <array>
#include <cstddef>

#include <dalembert/assembly/loaded.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/detail/free_motion.hpp>
#include <dalembert/rod/frequency.hpp>
#include <dalembert/rod/strain.hpp>

/// Internal damping of a rod, as a load for `assembly::Loaded`: the stress is raised by the rate of strain (Kelvin and Voigt),
///   n ← n + diag(d₁, d₂, d₃) Γ̇,  m ← m + diag(d₄, d₅, d₆) Ω̇                                                        (1)
/// It takes no momentum, and no energy from a rigid motion. It dissipates Σ h ε̇·diag(d)ε̇, ε = (Γ, Ω), which `power` tells as dissipation. Where d = ηC
/// for the stiffness C, a small motion of angular frequency ω has
///   q̈ + ηω²q̇ + ω²q = 0                                   its amplitude falls at the rate ηω²/2                     (2)
/// so that fast waves are damped most. `verlet` needs steps with h²ω² + 4hηω² < 4 for the highest ω, which the bound of frequencies
/// knows: for ηω > 1 damping alone limits the step, and an implicit integrator does better.
/// Rates of strain are derivatives of the strains along the velocities of the nodes, by automatic differentiation in lanes.
/// Source: Antman 1996; for rods Linn, Lang & Tuganov 2013, Mech. Sci. 4, 79, eq. (4).
namespace dalembert::rod {

namespace detail {

/// The change of a quaternion (w, v) that turns at ω in its own frame: ½ q (0, ω).
template <class L>
[[nodiscard]] inline Quaternion<L> turning(const L& w, const Triple<L>& v, const Triple<L>& omega) noexcept {
  const L half(0.5);
  return {-(half * dot(v, omega)), half * (w * omega + cross(v, omega))};
}

/// x and its rate, as a number with one derivative.
template <class L>
[[nodiscard]] inline Dual<L, 1> with_rate(const L& x, const L& rate) noexcept {
  return Dual<L, 1>(x, Vec<L, 1>(rate));
}

/// The frames of an element, and how they move.
template <class L>
struct MovingPose {
  ElementPose<L> pose;
  Triple<L> omega0, omega1;  // body
  Triple<L> chord_rate;      // spatial

  /// (Γ̇, Ω̇) [1/s, 1/(m s)].
  template <class Rule, class S>
  [[nodiscard]] Strain<L> strain_rate(S h) const noexcept {
    const Quaternion<L> q0 = turning(pose.w0, Triple<L>(pose.v0), omega0);
    const Quaternion<L> q1 = turning(pose.w1, Triple<L>(pose.v1), omega1);
    const Vec<L, 3> v0 = q0.v, v1 = q1.v, chord = chord_rate;
    ElementPose<Dual<L, 1>> moving;
    moving.w0 = with_rate(pose.w0, q0.w);
    moving.w1 = with_rate(pose.w1, q1.w);
    for (int i = 0; i < 3; ++i) {
      moving.v0[i] = with_rate(pose.v0[i], v0[i]);
      moving.v1[i] = with_rate(pose.v1[i], v1[i]);
      moving.chord[i] = with_rate(pose.chord[i], chord[i]);
    }
    const Strain<Dual<L, 1>> e = Rule::strain(moving, h);
    Strain<L> rate;
    for (int i = 0; i < 3; ++i) {
      rate.stretch[i] = e.stretch[i].derivative(0);
      rate.curvature[i] = e.curvature[i].derivative(0);
    }
    return rate;
  }
};

/// The elements in the lanes from k on.
template <class L, class S>
[[nodiscard]] inline MovingPose<L> moving_pose(const Chain<S>& at, Eigen::Index k) noexcept {
  const Quaternion<L> q0 = load_quaternion<L>(at.configuration, k),
                      q1 = load_quaternion<L>(at.configuration, k + 1);
  return {{q0.w, q0.v, q1.w, q1.v, load3<0, L>(at.configuration, k + 1) - load3<0, L>(at.configuration, k)},
          load3<3, L>(at.velocity, k),
          load3<3, L>(at.velocity, k + 1),
          load3<0, L>(at.velocity, k + 1) - load3<0, L>(at.velocity, k)};
}

/// An element with the derivatives by number j of (δr₀, Σ₀, δr₁, Σ₁) at fixed numbers of the velocities.
template <class S>
[[nodiscard]] MovingPose<Dual<S, 1>> displaced(const MovingPose<S>& e, int j) {
  const auto unit = [&](int first) { return Triple<S>(S(j == first), S(j == first + 1), S(j == first + 2)); };
  const Quaternion<S> q0 = turning(e.pose.w0, Triple<S>(e.pose.v0), unit(3)),
                      q1 = turning(e.pose.w1, Triple<S>(e.pose.v1), unit(9));
  const Triple<S> chord = unit(6) - unit(0);
  const auto with = [](const Triple<S>& x, const Triple<S>& rate) {
    return Triple<Dual<S, 1>>(with_rate(x.x, rate.x), with_rate(x.y, rate.y), with_rate(x.z, rate.z));
  };
  const Triple<S> still(S(0), S(0), S(0));
  return {{with_rate(e.pose.w0, q0.w), with(Triple<S>(e.pose.v0), q0.v), with_rate(e.pose.w1, q1.w),
           with(Triple<S>(e.pose.v1), q1.v), with(Triple<S>(e.pose.chord), chord)},
          with(e.omega0, still),
          with(e.omega1, still),
          with(e.chord_rate, still)};
}

/// A stress that does not ask for strains.
template <class L>
struct GivenStress {
  Stress<L> given;
  [[nodiscard]] Stress<L> stress(const Vec<L, 3>&, const Vec<L, 3>&) const noexcept { return given; }
};

}  // namespace detail

/// Equation (1).
template <class S>
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
      const detail::MovingPose<L> e = detail::moving_pose<L>(at, k);
      const ElementLoads<L> loads = R::Strains::loads(
          e.pose, detail::GivenStress<L>{stress(e.template strain_rate<typename R::Strains>(h))}, h);
      const auto inside = lane_index<L>(k) < last;
      const auto kept = [&](const Vec<L, 3>& x) {
        return Triple<L>(select(inside, x[0], zero), select(inside, x[1], zero), select(inside, x[2], zero));
      };
      const Triple<L> force = kept(loads.force);
      store3<0>(load3<0>(f, k) + force, f, k);
      store3<3>(load3<3>(f, k) + kept(loads.torque0), f, k);
      store3<0>(load3<0>(f, k + 1) - force, f, k + 1);
      store3<3>(load3<3>(f, k + 1) + kept(loads.torque1), f, k + 1);
    }
  }
  /// −Σ h ε̇·diag(d)ε̇ [W].
  template <class R>
  [[nodiscard]] S dissipation(const R& rod, const Chain<S>& at, S) const noexcept {
    const S h = rod.spacing();
    S sum(0);
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      const Strain<S> rate = detail::moving_pose<S>(at, k).template strain_rate<typename R::Strains>(h);
      sum -= h * product(rate, rate);
    }
    return sum;
  }
  /// add(k, l, −∂f_k/∂(ṙ_l, ω_l)) for all nodes k, l that share an element: h Bᵀ diag(d) B where ε̇ = B (ṙ, ω), symmetric [N s/m, N s; N s, N m s].
  template <class R, class Add>
  void add_damping(const R& rod, const Chain<S>& at, S, Add&& add) const {
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      const Square all = element_damping(rod, at, k, [](Eigen::Index, int) { return S(1); });
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 2; ++b) {
          Mat<S, 6, 6> block;
          for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
              block(static_cast<int>(i), static_cast<int>(j)) = all[6 * a + i][6 * b + j];
          add(k + static_cast<Eigen::Index>(a), k + static_cast<Eigen::Index>(b), block);
        }
    }
  }
  /// add(k, l, −∂f_k/∂(δr_l, Σ_l)) for all nodes k, l that share an element, at fixed numbers (ṙ, ω) of the
  /// velocities: with those of the frames, the directions change in which (1) pulls and in which strains are
  /// seen. Zero at rest.
  template <class R, class Add>
  void add_stiffness(const R& rod, const Chain<S>& at, S, Add&& add) const {
    using D = Dual<S, 1>;
    const S h = rod.spacing();
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      const detail::MovingPose<S> e = detail::moving_pose<S>(at, k);
      Mat<S, 6, 6> blocks[2][2];
      for (int j = 0; j < 12; ++j) {
        const detail::MovingPose<D> moved = detail::displaced(e, j);
        const ElementLoads<D> f = R::Strains::loads(
            moved.pose, detail::GivenStress<D>{stress(moved.template strain_rate<typename R::Strains>(h))},
            h);
        for (int i = 0; i < 3; ++i) {
          const S force = f.force[i].derivative(0);
          blocks[0][j / 6](i, j % 6) = -force;
          blocks[1][j / 6](i, j % 6) = force;
          blocks[0][j / 6](3 + i, j % 6) = -f.torque0[i].derivative(0);
          blocks[1][j / 6](3 + i, j % 6) = -f.torque1[i].derivative(0);
        }
      }
      for (Eigen::Index a = 0; a < 2; ++a)
        for (Eigen::Index b = 0; b < 2; ++b) add(k + a, k + b, blocks[a][b]);
    }
  }
  /// γ + √(γ² + ω²) for the bound ω without it and the highest rate γ of a damping of elements: steps below 2 over it are those of the head of
  /// this file [rad/s].
  template <class R>
  [[nodiscard]] S frequency_bound(const R& rod, const Chain<S>& at, S omega) const {
    const S gamma = highest_rate(rod, at);
    return gamma + number::sqrt(gamma * gamma + omega * omega);
  }

 private:
  template <class L>
  [[nodiscard]] Stress<L> stress(const Strain<L>& rate) const noexcept {
    Stress<L> s;
    for (int i = 0; i < 3; ++i) {
      s.force[i] = L(d_[i]) * rate.stretch[i];
      s.moment[i] = L(d_[3 + i]) * rate.curvature[i];
    }
    return s;
  }

  using Square = std::array<std::array<S, 12>, 12>;
  /// h ε̇ᵢ·diag(d)ε̇ⱼ of element k for velocities speed(node, i) of each number i of its two nodes.
  template <class R, class Speed>
  [[nodiscard]] Square element_damping(const R& rod, const Chain<S>& at, Eigen::Index k,
                                       const Speed& speed) const {
    std::array<Strain<S>, 12> rates;
    detail::MovingPose<S> e = detail::moving_pose<S>(at, k);
    for (std::size_t j = 0; j < 12; ++j) {
      const int i = static_cast<int>(j % 6);
      const S size = speed(j < 6 ? k : k + 1, i);
      const auto along = [&](int axis) { return i % 3 == axis ? size : S(0); };
      const Triple<S> zero(S(0), S(0), S(0)), unit(along(0), along(1), along(2));
      e.chord_rate = i >= 3 ? zero : j < 6 ? -unit : unit;
      e.omega0 = i >= 3 && j < 6 ? unit : zero;
      e.omega1 = i >= 3 && j >= 6 ? unit : zero;
      rates[j] = e.template strain_rate<typename R::Strains>(rod.spacing());
    }
    Square all;
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t j = 0; j < 12; ++j) all[i][j] = rod.spacing() * product(rates[i], rates[j]);
    return all;
  }
  /// ε̇₁·diag(d)ε̇₂.
  [[nodiscard]] S product(const Strain<S>& a, const Strain<S>& b) const {
    S sum(0);
    for (int i = 0; i < 3; ++i)
      sum += d_[i] * a.stretch[i] * b.stretch[i] + d_[3 + i] * a.curvature[i] * b.curvature[i];
    return sum;
  }

  /// A bound on the largest eigenvalue of the damping against the inertia: that of one element by itself, as in rod/frequency.hpp [1/s].
  template <class R>
  [[nodiscard]] S highest_rate(const R& rod, const Chain<S>& at) const {
    S largest(0);
    for (Eigen::Index k = 0; k < rod.elements(); ++k) {
      const S bound = detail::eigenvalue_bound(element_damping(rod, at, k, [&](Eigen::Index node, int i) {
        const bool is_end = node == 0 || node == rod.elements();
        return number::sqrt(rod.inverse_mass(node, i) * (is_end ? S(1) : S(2)));
      }));
      if (!(bound <= largest)) largest = bound;  // a NaN stays
    }
    return largest;
  }

  Vec<S, 6> d_;
};

}  // namespace dalembert::rod
