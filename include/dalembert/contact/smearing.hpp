#pragma once

#include <dalembert/contact/smear.hpp>

/// Rolling without slip between two smeared sections, as rows on the node velocities. f₁ and f₂ = 1 − f₁ divide the gap: the contact point lies at
/// R₁ + f₁κ, κ = R₂ − R₁ (midpoint for equal radii). Spatial velocities v_k, w_k = Λ_kω_k; rod 1 has weights α_k, rod 2 β_m.
///   spatial:  c = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ,   V = Σ α v, W = Σ α w                                              (1)
///   body:     c = Σ_km α_k β_m Λ_kᵀ [v_k − v_m + (f₁w_k + f₂w_m) × (r_m − r_k)]                                     (2)
/// A multiplier μ acts through the same rows: loads Aᵀμ, so that μ (Σ α Λ μ in the body form) is the force on rod 1.
/// Source: Gay-Balmaz & Putkaradze, eqs (4), (10)–(12), with every term weighted by α_k β_m; (1) preserves the gap exactly.
namespace dalembert::contact {

/// Sums over the velocities of a window: V, V′, W, W′, spatial.
template <class S>
struct SmearedVelocity {
  Vec<S, 3> V;   ///< Σ α v [m/s]
  Vec<S, 3> dV;  ///< Σ α′ v [1/s]
  Vec<S, 3> W;   ///< Σ α w [rad/s]
  Vec<S, 3> dW;  ///< Σ α′ w [rad/(s m)]
};

/// The same sums while they are made, lane by lane.
template <class L>
struct VelocitySums {
  using Sum = Triple<L>;     ///< a spatial vector in lanes
  Sum V{L(0), L(0), L(0)};   ///< Σ α v [m/s]
  Sum dV{L(0), L(0), L(0)};  ///< Σ α′ v [1/s]
  Sum W{L(0), L(0), L(0)};   ///< Σ α w [rad/s]
  Sum dW{L(0), L(0), L(0)};  ///< Σ α′ w [rad/(s m)]

  /// Add the nodes in the lanes from k on.
  template <class S>
  void add(const Weights<L>& b, const rod::Chain<S>& chain, Eigen::Index k) noexcept {
    const Sum v = rod::load3<0, L>(chain.velocity, k);
    const rod::detail::Quaternion<L> q = rod::detail::load_quaternion<L>(chain.configuration, k);
    const Sum w = rod::detail::rotate(q.w, q.v, L(2), rod::load3<3, L>(chain.velocity, k));
    V += b.value * v;
    dV += b.first * v;
    W += b.value * w;
    dW += b.first * w;
  }
  /// The sums over the lanes.
  [[nodiscard]] auto total() const noexcept {
    using S = decltype(rod::lane_sum(V.x));
    return SmearedVelocity<S>{rod::lane_sum(V), rod::lane_sum(dV), rod::lane_sum(W), rod::lane_sum(dW)};
  }
};

/// V, V′, W, W′ at a smeared point.
template <class S, Kernel K>
[[nodiscard, gnu::flatten]] SmearedVelocity<S> smeared_velocity(const Smear<S, K>& smear,
                                                                const SmearedPoint<S>& p,
                                                                const rod::Chain<S>& chain) noexcept {
  VelocitySums<Lane<S>> sums;
  for (int pack = 0; pack < p.packs; ++pack)
    sums.add(smear.weights(p, pack), chain, p.first + pack * lane_width<S>);
  return sums.total();
}

/// The three constraint rows on the (spatial v, body ω) of the nodes in the lanes, as c = α v + Λω × x: a weight and an arm.
template <class L>
struct ArmRows {
  L linear;                         ///< α: the block on the spatial velocity is a multiple of the identity
  Triple<L> arm;                    ///< x, with the weight in it [m]
  rod::detail::Quaternion<L> turn;  ///< Λ

  /// Aᵀμ on the positions.
  [[nodiscard]] Triple<L> force(const Triple<L>& mu) const noexcept { return linear * mu; }
  /// Aᵀμ on the rotations.
  [[nodiscard]] Triple<L> torque(const Triple<L>& mu) const noexcept {
    return rod::detail::rotate_back(turn.w, turn.v, L(2), cross(arm, mu));
  }
};

/// The same rows as two full blocks.
template <class L>
struct FullRows {
  Mat<L, 3, 3> linear;   ///< block on the spatial velocity
  Mat<L, 3, 3> turning;  ///< block on the body angular velocity [m]

  /// Aᵀμ on the positions.
  [[nodiscard]] Triple<L> force(const Triple<L>& mu) const noexcept {
    return detail::transpose_times(linear, mu);
  }
  /// Aᵀμ on the rotations.
  [[nodiscard]] Triple<L> torque(const Triple<L>& mu) const noexcept {
    return detail::transpose_times(turning, mu);
  }
};

/// Equation (1). With the centreline tangency it keeps |κ| exactly.
struct SpatialSmearing {
  /// Whether the tangency pairs single nodes of the two rods, as (2) does.
  static constexpr bool pairwise = false;

  /// What the rows of all nodes share.
  template <class S>
  struct Frame {
    Vec<S, 3> kappa;  ///< κ = R₂ − R₁ [m]
    Vec<S, 2> share;  ///< f₁, f₂
  };

  /// What the rows share at these smeared points.
  template <class S, Kernel K>
  [[nodiscard]] static Frame<S> frame(const Smear<S, K>&, const SmearedPoint<S>& p1,
                                      const SmearedPoint<S>& p2, const rod::Chain<S>&, S share1) noexcept {
    return {Triple<S>(p2.R) - Triple<S>(p1.R), {share1, S(1) - share1}};
  }

  /// Rows on the nodes in the lanes of rod `Side` (0 or 1) from k on.
  template <int Side, class S, class L>
  [[nodiscard]] static ArmRows<L> rows(const Frame<S>& f, const L& weight, const rod::Chain<S>& chain,
                                       Eigen::Index k) noexcept {
    const L w = L(f.share[Side]) * weight;
    return {Side == 0 ? weight : L(-weight),
            {w * L(f.kappa[0]), w * L(f.kappa[1]), w * L(f.kappa[2])},
            rod::detail::load_quaternion<L>(chain.configuration, k)};
  }

  /// The force on rod 1 of a multiplier, spatial [N].
  template <class S>
  [[nodiscard]] static Vec<S, 3> force(const Frame<S>&, const Vec<S, 3>& mu) noexcept {
    return mu;
  }

  /// Ȧv: what the rows' own motion adds to dc/dt, with the contact positions moving at `rate` [m/s].
  template <class S, Kernel K>
  [[nodiscard]] static Vec<S, 3> convective(const Frame<S>& f, const Smear<S, K>&, const Smear<S, K>&,
                                            const SmearedPoint<S>& p1, const SmearedPoint<S>& p2,
                                            const rod::Chain<S>&, const rod::Chain<S>&,
                                            const SmearedVelocity<S>& u1, const SmearedVelocity<S>& u2,
                                            const Vec<S, 2>& rate) noexcept {
    const Triple<S> W1(u1.W), W2(u2.W), dW1(u1.dW), dW2(u2.dW), dV1(u1.dV), dV2(u2.dV);
    const Triple<S> spin = f.share[0] * W1 + f.share[1] * W2;
    const Triple<S> kappa_rate =
        Triple<S>(u2.V) - Triple<S>(u1.V) + rate[1] * Triple<S>(p2.dR) - rate[0] * Triple<S>(p1.dR);
    const Triple<S> spin_rate = S(rate[0] * f.share[0]) * dW1 + S(rate[1] * f.share[1]) * dW2;
    return rate[0] * dV1 - rate[1] * dV2 + cross(spin_rate, Triple<S>(f.kappa)) + cross(spin, kappa_rate);
  }
};

/// Equation (2).
struct BodySmearing {
  static constexpr bool pairwise = true;  ///< whether the tangency pairs single nodes of the two rods

  /// What the rows of all nodes share.
  template <class S>
  struct Frame {
    Mat<S, 3, 3> mean;    ///< Σ α_k Λ_kᵀ
    Mat<S, 3, 3> moment;  ///< Σ α_k Λ_kᵀ r̂_k
    Vec<S, 3> R2;         ///< R₂ [m]
    Vec<S, 2> share;      ///< f₁, f₂
  };

  /// What the rows share at these smeared points.
  template <class S, Kernel K>
  [[nodiscard]] static Frame<S> frame(const Smear<S, K>& smear1, const SmearedPoint<S>& p1,
                                      const SmearedPoint<S>& p2, const rod::Chain<S>& chain1,
                                      S share1) noexcept {
    using L = Lane<S>;
    Mat<L, 3, 3> mean = detail::broadcast<L>(Mat<S, 3, 3>(Mat<S, 3, 3>::Zero()));
    Mat<L, 3, 3> moment = mean;
    for (int pack = 0; pack < p1.packs; ++pack) {
      const Eigen::Index k = p1.first + pack * lane_width<S>;
      const L alpha = smear1.weights(p1, pack).value;
      const Mat<L, 3, 3> lambda =
          detail::rotation_matrix(rod::detail::load_quaternion<L>(chain1.configuration, k));
      // (Λᵀ r̂)ᵀ = −r̂ Λ: columns of Λ crossed with r
      mean += alpha * lambda.transpose();
      moment += alpha * detail::columns_cross(lambda, rod::load3<0, L>(chain1.configuration, k)).transpose();
    }
    return {rod::lane_sum(mean), rod::lane_sum(moment), p2.R, {share1, S(1) - share1}};
  }

  /// Rows on the nodes in the lanes of rod `Side` (0 or 1) from k on.
  template <int Side, class S, class L>
  [[nodiscard]] static FullRows<L> rows(const Frame<S>& f, const L& weight, const rod::Chain<S>& chain,
                                        Eigen::Index k) noexcept {
    const Triple<L> r = rod::load3<0, L>(chain.configuration, k);
    const Mat<L, 3, 3> lambda =
        detail::rotation_matrix(rod::detail::load_quaternion<L>(chain.configuration, k));
    if constexpr (Side == 0) {
      const Triple<L> arm = (L(f.share[0]) * weight) * (detail::broadcast<L>(f.R2) - r);
      const Mat<L, 3, 3> turned = detail::columns_cross(lambda, arm);
      return {weight * lambda.transpose(), lambda.transpose() * turned};
    } else {
      const Mat<L, 3, 3> mean = detail::broadcast<L>(f.mean);
      const Mat<L, 3, 3> turned =
          mean * detail::columns_cross(lambda, r) + detail::broadcast<L>(f.moment) * lambda;
      return {L(-weight) * mean, (L(f.share[1]) * weight) * turned};
    }
  }

  /// The force on rod 1 of a multiplier, spatial [N].
  template <class S>
  [[nodiscard]] static Vec<S, 3> force(const Frame<S>& f, const Vec<S, 3>& mu) noexcept {
    return f.mean.transpose() * mu;
  }

  /// Ȧv: what the rows' own motion adds to dc/dt, with the contact positions moving at `rate` [m/s].
  template <class S, Kernel K>
  [[nodiscard]] static Vec<S, 3> convective(const Frame<S>& f, const Smear<S, K>& smear1,
                                            const Smear<S, K>& smear2, const SmearedPoint<S>& p1,
                                            const SmearedPoint<S>& p2, const rod::Chain<S>& chain1,
                                            const rod::Chain<S>& chain2, const SmearedVelocity<S>& u1,
                                            const SmearedVelocity<S>& u2, const Vec<S, 2>& rate) noexcept {
    using L = Lane<S>;
    // Σ β w × r, Σ β′ w × r, Σ β w × v over rod 2
    const Triple<L> zero{L(S(0)), L(S(0)), L(S(0))};
    Triple<L> h0 = zero;
    Triple<L> h1 = zero;
    Triple<L> hv = zero;
    for (int pack = 0; pack < p2.packs; ++pack) {
      const Node<L> m = node<S>(chain2, p2.first + pack * lane_width<S>);
      const Weights<L> b = smear2.weights(p2, pack);
      h0 += b.value * cross(m.w, m.r);
      h1 += b.first * cross(m.w, m.r);
      hv += b.value * cross(m.w, m.v);
    }
    const Triple<L> H = detail::broadcast<L>(rod::lane_sum(h0));
    const Triple<L> dH = detail::broadcast<L>(rod::lane_sum(h1));
    const Triple<L> Hv = detail::broadcast<L>(rod::lane_sum(hv));
    const Triple<L> V2 = detail::broadcast<L>(u2.V);
    const Triple<L> dV2 = detail::broadcast<L>(u2.dV);
    const Triple<L> W2 = detail::broadcast<L>(u2.W);
    const Triple<L> dW2 = detail::broadcast<L>(u2.dW);
    const Triple<L> R2 = detail::broadcast<L>(p2.R);
    const Triple<L> dR2 = detail::broadcast<L>(p2.dR);
    const L f1(f.share[0]);
    const L f2(f.share[1]);
    Triple<L> total = zero;
    for (int pack = 0; pack < p1.packs; ++pack) {
      const Node<L> k = node<S>(chain1, p1.first + pack * lane_width<S>);
      const Weights<L> a = smear1.weights(p1, pack);
      // u = Σ β_m [v_k − v_m + (f₁w_k + f₂w_m) × (r_m − r_k)]
      const Triple<L> u = k.v - V2 + f1 * cross(k.w, R2 - k.r) + f2 * (H - cross(W2, k.r));
      const Triple<L> moved = f1 * cross(k.w, V2 - k.v) + f2 * (Hv - cross(W2, k.v)) - cross(k.w, u);
      const Triple<L> slid = f1 * cross(k.w, dR2) - dV2 + f2 * (dH - cross(dW2, k.r));
      const Triple<L> sum = a.value * (moved + L(rate[1]) * slid) + (a.first * L(rate[0])) * u;
      total += detail::transpose_times(k.lambda, sum);
    }
    (void)u1;
    return rod::lane_sum(total);
  }

 private:
  template <class L>
  struct Node {
    Triple<L> r, v, w;
    Mat<L, 3, 3> lambda;
  };
  template <class S>
  [[nodiscard]] static Node<Lane<S>> node(const rod::Chain<S>& chain, Eigen::Index k) noexcept {
    using L = Lane<S>;
    Node<L> n;
    n.r = rod::load3<0, L>(chain.configuration, k);
    n.v = rod::load3<0, L>(chain.velocity, k);
    n.lambda = detail::rotation_matrix(rod::detail::load_quaternion<L>(chain.configuration, k));
    n.w = detail::times(n.lambda, rod::load3<3, L>(chain.velocity, k));
    return n;
  }
};

}  // namespace dalembert::contact
