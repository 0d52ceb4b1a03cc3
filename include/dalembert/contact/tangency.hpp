#pragma once

#include <algorithm>

#include <dalembert/contact/smearing.hpp>

/// Tangency: two equations F(s₁, s₂) = 0 that say where on each rod the contact is, with their Jacobian J = ∂F/∂s and their rate ∂F/∂t at frozen s, so
/// that J ṡ + ∂F/∂t = 0.
///   centreline   κ·R₁′ = κ·R₂′ = 0                                               (1)
///   a tangent field t_k:   κ·T₁ = κ·T₂ = 0,  T = Σ α t                            (2)
///   or pairwise  Σ α_k β_m (r_m − r_k)·t_k = Σ α_k β_m (r_m − r_k)·t_m = 0        (3)
/// with t = Λ e₃ (the material axis), the chord (r_{k+1} − r_k)/h of the element, or the centred difference. (1) is the κ·Γ tangency on the
/// smeared centreline; it makes the gap stationary in s.
/// Source: Gay-Balmaz & Putkaradze, eqs (8), (9) and their discrete forms.
namespace dalembert::contact {

/// F and J.
template <class S>
struct Tangency {
  Vec<S, 2> value;        ///< F [m]
  Mat<S, 2, 2> jacobian;  ///< ∂F/∂s [1]
};

/// Equation (1).
struct CentrelineTangency {
  /// ∂|κ|/∂s vanishes at a solution.
  static constexpr bool gap_stationary = true;

  /// F for κ, R₁′ and R₂′.
  template <class S>
  [[nodiscard]] static Vec<S, 2> value(const Vec<S, 3>& kappa, const Vec<S, 3>& dR1,
                                       const Vec<S, 3>& dR2) noexcept {
    return {inner(kappa, dR1), inner(kappa, dR2)};
  }

  /// F and J.
  template <class Smearing, class S, Kernel K>
  [[nodiscard]] static Tangency<S> evaluate(const Smear<S, K>&, const Smear<S, K>&, const SmearedPoint<S>& p1,
                                            const SmearedPoint<S>& p2, const rod::Chain<S>&,
                                            const rod::Chain<S>&) noexcept {
    const Vec<S, 3> kappa = difference(p2.R, p1.R);
    const S slopes = inner(p1.dR, p2.dR);
    return {value(kappa, p1.dR, p2.dR),
            detail::square<S>(inner(kappa, p1.ddR) - inner(p1.dR, p1.dR), slopes,  //
                              -slopes, inner(kappa, p2.ddR) + inner(p2.dR, p2.dR))};
  }

  /// ∂F/∂t at frozen s.
  template <class Smearing, class S, Kernel K>
  [[nodiscard]] static Vec<S, 2> rate(const Smear<S, K>&, const Smear<S, K>&, const SmearedPoint<S>& p1,
                                      const SmearedPoint<S>& p2, const rod::Chain<S>&, const rod::Chain<S>&,
                                      const SmearedVelocity<S>& u1, const SmearedVelocity<S>& u2) noexcept {
    const Vec<S, 3> kappa = difference(p2.R, p1.R);
    const Vec<S, 3> moved = difference(u2.V, u1.V);
    return {inner(moved, p1.dR) + inner(kappa, u1.dV), inner(moved, p2.dR) + inner(kappa, u2.dV)};
  }
};

namespace detail {
/// A tangent and its rate, spatial.
template <class L>
struct Tangent {
  Triple<L> value;
  Triple<L> rate;
};

/// Chords from `before` nodes back to `after` nodes on, with their rates, lane by lane: near an end they go as far as the rod does and are
/// lengthened in proportion. Lanes beyond the rod are zero.
template <class S>
[[nodiscard]] Tangent<Lane<S>> chords(const rod::Chain<S>& chain, Eigen::Index k, Eigen::Index before,
                                      Eigen::Index after) noexcept {
  using L = Lane<S>;
  const auto put = [](L& lanes, [[maybe_unused]] int i, S x) {
    if constexpr (requires { L::width; })
      lanes.set(i, x);
    else
      lanes = x;
  };
  Vec<L, 3> value{L(S(0)), L(S(0)), L(S(0))}, slope = value;
  for (int lane = 0; lane < lane_width<S> && k + lane < chain.nodes; ++lane) {
    const Eigen::Index last = std::min(k + lane + after, chain.nodes - 1);
    const Eigen::Index first = std::max(std::min(k + lane - before, last - 1), Eigen::Index(0));
    const S longer = S(before + after) / S(last - first);
    const Vec<S, 3> chord = longer * (chain.position(last) - chain.position(first));
    const Vec<S, 3> rate = longer * (chain.linear_velocity(last) - chain.linear_velocity(first));
    for (int i = 0; i < 3; ++i) {
      put(value[i], lane, chord[i]);
      put(slope[i], lane, rate[i]);
    }
  }
  return {Triple<L>(value), Triple<L>(slope)};
}
}  // namespace detail

/// t = Λ e₃.
struct MaterialAxis {
  /// Tangents and their rates at the nodes in the lanes from k on.
  template <class S>
  [[nodiscard]] static detail::Tangent<Lane<S>> at(const rod::Chain<S>& chain, Eigen::Index k) noexcept {
    using L = Lane<S>;
    const Mat<L, 3, 3> lambda =
        detail::rotation_matrix(rod::detail::load_quaternion<L>(chain.configuration, k));
    const Triple<L> t(lambda(0, 2), lambda(1, 2), lambda(2, 2));
    return {t, cross(detail::times(lambda, rod::load3<3, L>(chain.velocity, k)), t)};
  }
};

/// t_k = r_{k+1} − r_k; the last node has the chord of the last element.
struct ElementChord {
  /// Tangents and their rates at the nodes in the lanes from k on.
  template <class S>
  [[nodiscard]] static detail::Tangent<Lane<S>> at(const rod::Chain<S>& chain, Eigen::Index k) noexcept {
    using L = Lane<S>;
    if (k + lane_width<S> >= chain.nodes) return detail::chords(chain, k, 0, 1);
    return {rod::load3<0, L>(chain.configuration, k + 1) - rod::load3<0, L>(chain.configuration, k),
            rod::load3<0, L>(chain.velocity, k + 1) - rod::load3<0, L>(chain.velocity, k)};
  }
};

/// t_k = r_{k+1} − r_{k−1}; an end node has twice the chord of its element.
struct CentredChord {
  /// Tangents and their rates at the nodes in the lanes from k on.
  template <class S>
  [[nodiscard]] static detail::Tangent<Lane<S>> at(const rod::Chain<S>& chain, Eigen::Index k) noexcept {
    using L = Lane<S>;
    if (k == 0 || k + lane_width<S> >= chain.nodes) return detail::chords(chain, k, 1, 1);
    return {rod::load3<0, L>(chain.configuration, k + 1) - rod::load3<0, L>(chain.configuration, k - 1),
            rod::load3<0, L>(chain.velocity, k + 1) - rod::load3<0, L>(chain.velocity, k - 1)};
  }
};

/// Equations (2) and (3) for a tangent field; (3) with a pairwise smearing.
template <class Field>
struct FieldTangency {
  static constexpr bool gap_stationary = false;  ///< whether ∂|κ|/∂s vanishes at a solution

  /// F and J.
  template <class Smearing, class S, Kernel K>
  [[nodiscard]] static Tangency<S> evaluate(const Smear<S, K>& smear1, const Smear<S, K>& smear2,
                                            const SmearedPoint<S>& p1, const SmearedPoint<S>& p2,
                                            const rod::Chain<S>& chain1,
                                            const rod::Chain<S>& chain2) noexcept {
    const Sums<S> a = sums(smear1, p1, chain1);
    const Sums<S> b = sums(smear2, p2, chain2);
    Tangency<S> t;
    if constexpr (Smearing::pairwise) {
      t.value << p2.R.dot(a.T) - a.P, b.P - p1.R.dot(b.T);
      t.jacobian << p2.R.dot(a.dT) - a.dP, p2.dR.dot(a.T), -p1.dR.dot(b.T), b.dP - p1.R.dot(b.dT);
    } else {
      const Vec<S, 3> kappa = p2.R - p1.R;
      t.value << kappa.dot(a.T), kappa.dot(b.T);
      t.jacobian << kappa.dot(a.dT) - p1.dR.dot(a.T), p2.dR.dot(a.T), -p1.dR.dot(b.T),
          kappa.dot(b.dT) + p2.dR.dot(b.T);
    }
    return t;
  }

  /// ∂F/∂t at frozen s.
  template <class Smearing, class S, Kernel K>
  [[nodiscard]] static Vec<S, 2> rate(const Smear<S, K>& smear1, const Smear<S, K>& smear2,
                                      const SmearedPoint<S>& p1, const SmearedPoint<S>& p2,
                                      const rod::Chain<S>& chain1, const rod::Chain<S>& chain2,
                                      const SmearedVelocity<S>& u1, const SmearedVelocity<S>& u2) noexcept {
    const Sums<S> a = sums(smear1, p1, chain1);
    const Sums<S> b = sums(smear2, p2, chain2);
    if constexpr (Smearing::pairwise) {
      return {u2.V.dot(a.T) + p2.R.dot(a.T_rate) - a.P_rate, b.P_rate - u1.V.dot(b.T) - p1.R.dot(b.T_rate)};
    } else {
      const Vec<S, 3> kappa = p2.R - p1.R;
      const Vec<S, 3> moved = u2.V - u1.V;
      return {moved.dot(a.T) + kappa.dot(a.T_rate), moved.dot(b.T) + kappa.dot(b.T_rate)};
    }
  }

 private:
  template <class S>
  struct Sums {
    Vec<S, 3> T, dT, T_rate;  // Σ α t, Σ α′ t, Σ α ṫ
    S P{}, dP{}, P_rate{};    // Σ α r·t, Σ α′ r·t, Σ α (v·t + r·ṫ)
  };

  template <class S, Kernel K>
  [[nodiscard]] static Sums<S> sums(const Smear<S, K>& smear, const SmearedPoint<S>& p,
                                    const rod::Chain<S>& chain) noexcept {
    using L = Lane<S>;
    const Triple<L> zero{L(S(0)), L(S(0)), L(S(0))};
    Triple<L> T = zero;
    Triple<L> dT = zero;
    Triple<L> T_rate = zero;
    Triple<L> P = zero;
    for (int pack = 0; pack < p.packs; ++pack) {
      const Eigen::Index k = p.first + pack * lane_width<S>;
      const Weights<L> a = smear.weights(p, pack);
      const detail::Tangent<L> t = Field::template at<S>(chain, k);
      const Triple<L> r = rod::load3<0, L>(chain.configuration, k);
      const Triple<L> v = rod::load3<0, L>(chain.velocity, k);
      const L rt = dot(r, t.value);
      T += a.value * t.value;
      dT += a.first * t.value;
      T_rate += a.value * t.rate;
      P += Triple<L>{a.value * rt, a.first * rt, a.value * (dot(v, t.value) + dot(r, t.rate))};
    }
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
