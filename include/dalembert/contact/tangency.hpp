#pragma once

#include <algorithm>

#include <dalembert/contact/averaging.hpp>

/// Tangency: two equations F(s₁, s₂) = 0 that say where on each rod the contact is, with their Jacobian J
/// = ∂F/∂s and their rate ∂F/∂t at frozen s, so that J ṡ + ∂F/∂t = 0.
///   centreline   κ·R₁′ = κ·R₂′ = 0                                               (1)
///   a tangent field t_k:   κ·T₁ = κ·T₂ = 0,  T = Σ α t                            (2)
///   or pairwise  Σ α_k β_m (r_m − r_k)·t_k = Σ α_k β_m (r_m − r_k)·t_m = 0        (3)
/// with t = Λ e₃ (the material axis), the chord (r_{k+1} − r_k)/h of the element, or the centred
/// difference. (1) is the κ·Γ tangency on the averaged centreline; it makes the gap stationary in s.
/// Source: Gay-Balmaz & Putkaradze, eqs (8), (9) and their discrete forms.
namespace dalembert::contact {

/// F and J.
template <class S = double>
struct Tangency {
  Vec<S, 2> value;        ///< F [m]
  Mat<S, 2, 2> jacobian;  ///< ∂F/∂s [1]
};

namespace detail {
/// Averages of tangents over a window, and for a pairwise averaging of their products with positions and
/// velocities.
template <class S>
struct TangentSums {
  Vec<S, 3> T, dT, T_rate;  // Σ α t, Σ α′ t, Σ α ṫ
  S P{}, dP{}, P_rate{};    // Σ α r·t, Σ α′ r·t, Σ α (v·t + r·ṫ)
};

/// F and J of (2).
template <class S>
[[nodiscard]] Tangency<S> tangency_of_averages(const AveragedPoint<S>& p1, const AveragedPoint<S>& p2,
                                               const TangentSums<S>& a, const TangentSums<S>& b) noexcept {
  const Vec<S, 3> kappa = p2.R - p1.R;
  Tangency<S> t;
  t.value << kappa.dot(a.T), kappa.dot(b.T);
  t.jacobian << kappa.dot(a.dT) - p1.dR.dot(a.T), p2.dR.dot(a.T), -p1.dR.dot(b.T),
      kappa.dot(b.dT) + p2.dR.dot(b.T);
  return t;
}
/// ∂F/∂t of it.
template <class S, Kernel K>
[[nodiscard]] Vec<S, 2> rate_of_averages(const AveragedRod<S, K>& one, const AveragedRod<S, K>& two,
                                         const TangentSums<S>& a, const TangentSums<S>& b) noexcept {
  const Vec<S, 3> kappa = two.point.R - one.point.R, moved = two.motion.V - one.motion.V;
  return {moved.dot(a.T) + kappa.dot(a.T_rate), moved.dot(b.T) + kappa.dot(b.T_rate)};
}
}  // namespace detail

/// Equation (1).
struct CentrelineTangency {
  /// ∂|κ|/∂s vanishes at a solution.
  static constexpr bool gap_stationary = true;

  /// F and J.
  template <class Averaging, class S, Kernel K>
  [[nodiscard]] static Tangency<S> evaluate(const KernelAverage<S, K>&, const KernelAverage<S, K>&,
                                            const AveragedPoint<S>& p1, const AveragedPoint<S>& p2,
                                            const Chain<S>&, const Chain<S>&) noexcept {
    return detail::tangency_of_averages<S>(p1, p2, {p1.dR, p1.ddR, {}}, {p2.dR, p2.ddR, {}});
  }

  /// ∂F/∂t at frozen s.
  template <class Averaging, class S, Kernel K>
  [[nodiscard]] static Vec<S, 2> rate(const AveragedRod<S, K>& one, const AveragedRod<S, K>& two) noexcept {
    return detail::rate_of_averages<S>(one, two, {one.point.dR, {}, one.motion.dV},
                                       {two.point.dR, {}, two.motion.dV});
  }
};

namespace detail {
/// A tangent and its rate, spatial.
template <class L>
struct Tangent {
  Triple<L> value;
  Triple<L> rate;
};

/// Chords from `before` nodes back to the next node, with their rates, lane by lane: near an end they go as
/// far as the rod does and are lengthened in proportion. Lanes beyond the rod are zero.
template <class S>
[[nodiscard]] Tangent<Lane<S>> chords(const Chain<S>& chain, Eigen::Index k, Eigen::Index before) noexcept {
  using L = Lane<S>;
  S value[3][lane_width<S>] = {}, slope[3][lane_width<S>] = {};
  for (int lane = 0; lane < lane_width<S> && k + lane < chain.nodes; ++lane) {
    const Eigen::Index last = std::min(k + lane + 1, chain.nodes - 1);
    const Eigen::Index first = std::max(std::min(k + lane - before, last - 1), Eigen::Index(0));
    const S longer = S(before + 1) / S(last - first);
    const Vec<S, 3> chord = longer * (chain.position(last) - chain.position(first));
    const Vec<S, 3> rate = longer * (chain.linear_velocity(last) - chain.linear_velocity(first));
    for (int i = 0; i < 3; ++i) {
      value[i][lane] = chord[i];
      slope[i][lane] = rate[i];
    }
  }
  const auto lanes = [](const auto& x) {
    return Triple<L>(rod::load<S, L>(x[0]), rod::load<S, L>(x[1]), rod::load<S, L>(x[2]));
  };
  return {lanes(value), lanes(slope)};
}
}  // namespace detail

/// t = Λ e₃.
struct MaterialAxis {
  /// Tangents and their rates at the nodes in the lanes from k on.
  template <class S>
  [[nodiscard]] static detail::Tangent<Lane<S>> at(const Chain<S>& chain, Eigen::Index k) noexcept {
    using L = Lane<S>;
    const Triple<L> t = detail::turned<L>(chain, k, detail::unit<L>(2));
    return {t, cross(detail::spin<L>(chain, k), t)};
  }
};

/// t_k = r_{k+1} − r_{k−Before}; near an end the chord of its element, lengthened in proportion.
template <int Before>
struct Chord {
  /// Tangents and their rates at the nodes in the lanes from k on.
  template <class S>
  [[nodiscard]] static detail::Tangent<Lane<S>> at(const Chain<S>& chain, Eigen::Index k) noexcept {
    using L = Lane<S>;
    if (k < Before || k + lane_width<S> >= chain.nodes) return detail::chords(chain, k, Before);
    return {rod::load3<0, L>(chain.configuration, k + 1) - rod::load3<0, L>(chain.configuration, k - Before),
            rod::load3<0, L>(chain.velocity, k + 1) - rod::load3<0, L>(chain.velocity, k - Before)};
  }
};
/// t_k = r_{k+1} − r_k; the last node has the chord of the last element.
using ElementChord = Chord<0>;
/// t_k = r_{k+1} − r_{k−1}; an end node has twice the chord of its element.
using CentredChord = Chord<1>;

/// Equations (2) and (3) for a tangent field; (3) with a pairwise averaging.
template <class Field>
struct FieldTangency {
  static constexpr bool gap_stationary = false;  ///< whether ∂|κ|/∂s vanishes at a solution

  /// F and J.
  template <class Averaging, class S, Kernel K>
  [[nodiscard]] static Tangency<S> evaluate(const KernelAverage<S, K>& average1,
                                            const KernelAverage<S, K>& average2, const AveragedPoint<S>& p1,
                                            const AveragedPoint<S>& p2, const Chain<S>& chain1,
                                            const Chain<S>& chain2) noexcept {
    const Sums<S> a = sums(average1, p1, chain1), b = sums(average2, p2, chain2);
    if constexpr (Averaging::pairwise) {
      Tangency<S> t;
      t.value << p2.R.dot(a.T) - a.P, b.P - p1.R.dot(b.T);
      t.jacobian << p2.R.dot(a.dT) - a.dP, p2.dR.dot(a.T), -p1.dR.dot(b.T), b.dP - p1.R.dot(b.dT);
      return t;
    } else {
      return detail::tangency_of_averages<S>(p1, p2, a, b);
    }
  }

  /// ∂F/∂t at frozen s.
  template <class Averaging, class S, Kernel K>
  [[nodiscard]] static Vec<S, 2> rate(const AveragedRod<S, K>& one, const AveragedRod<S, K>& two) noexcept {
    const Sums<S> a = sums(one.average, one.point, one.chain), b = sums(two.average, two.point, two.chain);
    if constexpr (Averaging::pairwise) {
      return {two.motion.V.dot(a.T) + two.point.R.dot(a.T_rate) - a.P_rate,
              b.P_rate - one.motion.V.dot(b.T) - one.point.R.dot(b.T_rate)};
    } else {
      return detail::rate_of_averages<S>(one, two, a, b);
    }
  }

 private:
  template <class S>
  using Sums = detail::TangentSums<S>;

  template <class S, Kernel K>
  [[nodiscard]] static Sums<S> sums(const KernelAverage<S, K>& average, const AveragedPoint<S>& p,
                                    const Chain<S>& chain) noexcept {
    using L = Lane<S>;
    Triple<L> T{}, dT{}, T_rate{}, P{};
    average.each_pack(p, [&](Eigen::Index k, const Weights<L>& a) {
      const detail::Tangent<L> t = Field::template at<S>(chain, k);
      const Triple<L> r = rod::load3<0, L>(chain.configuration, k);
      const Triple<L> v = rod::load3<0, L>(chain.velocity, k);
      const L rt = dot(r, t.value);
      T += a.value * t.value;
      dT += a.first * t.value;
      T_rate += a.value * t.rate;
      P += Triple<L>{a.value * rt, a.first * rt, a.value * (dot(v, t.value) + dot(r, t.rate))};
    });
    const Vec<S, 3> q = rod::lane_sum(P);
    return {rod::lane_sum(T), rod::lane_sum(dT), rod::lane_sum(T_rate), q[0], q[1], q[2]};
  }
};

/// The κ·E₃ tangency.
using MaterialTangency = FieldTangency<MaterialAxis>;
/// The κ·Γ tangency with the strain of the element that starts at the node.
using ElementTangency = FieldTangency<ElementChord>;
/// The κ·Γ tangency with the centred difference.
using CentredTangency = FieldTangency<CentredChord>;

}  // namespace dalembert::contact
