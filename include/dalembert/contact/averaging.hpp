#pragma once

#include <array>
#include <cstddef>

#include <dalembert/contact/kernel_average.hpp>

/// Rolling without slip between two averaged sections, as rows on the node velocities. f₁ and f₂ = 1 −
/// f₁ divide the gap: the contact point lies at R₁ + f₁κ, κ = R₂ − R₁ (midpoint for equal
/// radii). Spatial velocities v_k, w_k = Λ_kω_k; rod 1 has weights α_k, rod 2 β_m.
///   spatial:  c = V₁ − V₂ + (f₁W₁ + f₂W₂) × κ,   V = Σ α v, W = Σ α w                (1)
///   body:     c = Σ_km α_k β_m Λ_kᵀ [v_k − v_m + (f₁w_k + f₂w_m) × (r_m − r_k)]           (2)
/// A multiplier μ acts through the same rows: loads Aᵀμ, so that μ (Σ α Λ μ in the body form) is the
/// force on rod 1.
/// Source: Gay-Balmaz & Putkaradze, eqs (4), (10)–(12), with every term weighted by α_k β_m; (1)
/// preserves the gap exactly.
namespace dalembert::contact {

/// Sums over the velocities of a window: V, V′, W, W′, spatial.
template <class S = double>
struct AveragedVelocity {
  Vec<S, 3> V;   ///< Σ α v [m/s]
  Vec<S, 3> dV;  ///< Σ α′ v [1/s]
  Vec<S, 3> W;   ///< Σ α w [rad/s]
  Vec<S, 3> dW;  ///< Σ α′ w [rad/(s m)]
};

/// V, V′, W, W′ at an averaged point.
template <class S, Kernel K>
[[nodiscard, gnu::flatten]] AveragedVelocity<S> averaged_velocity(const KernelAverage<S, K>& average,
                                                                  const AveragedPoint<S>& p,
                                                                  const Chain<S>& chain) noexcept {
  using L = Lane<S>;
  Triple<L> V{}, dV{}, W{}, dW{};
  average.each_pack(p, [&](Eigen::Index k, const Weights<L>& b) {
    const Triple<L> v = rod::load3<0, L>(chain.velocity, k), w = detail::spin<L>(chain, k);
    V += b.value * v;
    dV += b.first * v;
    W += b.value * w;
    dW += b.first * w;
  });
  return {rod::lane_sum(V), rod::lane_sum(dV), rod::lane_sum(W), rod::lane_sum(dW)};
}

/// One of the two rods at its averaged point.
template <class S, Kernel K>
struct AveragedRod {
  const KernelAverage<S, K>& average;  ///< the average over its nodes
  AveragedPoint<S> point;              ///< its window and equation (2) of contact/kernel_average.hpp
  const Chain<S>& chain;               ///< its nodes
  const Point<S>& motion;              ///< V, V′, W, W′, for drifts and rates
};

/// A row on one node, linear·v + angular·w, spatial.
template <class S = double>
struct NodeRow {
  Triple<S> linear;   ///< on its velocity
  Triple<S> angular;  ///< on its spin [m]
};

/// Equation (1). With the centreline tangency it keeps |κ| exactly.
struct SpatialAveraging {
  /// Whether the tangency pairs single nodes of the two rods, as (2) does.
  static constexpr bool pairwise = false;

  /// What the rows of all nodes share.
  template <class S>
  struct Frame {
    Vec<S, 3> kappa;  ///< κ = R₂ − R₁ [m]
    Vec<S, 2> share;  ///< f₁, f₂
  };

  /// What the rows share at these averaged points.
  template <class S, Kernel K>
  [[nodiscard]] static Frame<S> frame(const AveragedRod<S, K>& one, const AveragedRod<S, K>& two,
                                      S share1) noexcept {
    return {difference(two.point.R, one.point.R), {share1, S(1) - share1}};
  }

  /// Row i on node k, of this weight, of rod `Side` (0 or 1).
  template <int Side, class S>
  [[nodiscard]] static NodeRow<S> row(const Frame<S>& f, int i, S weight, const Chain<S>&,
                                      Eigen::Index) noexcept {
    const Triple<S> unit = detail::unit<S>(i);
    return {S(Side == 0 ? weight : -weight) * unit,
            S(f.share[Side] * weight) * cross(Triple<S>(f.kappa), unit)};
  }

  /// The force on rod 1 of a multiplier, spatial [N].
  template <class S>
  [[nodiscard]] static Vec<S, 3> force(const Frame<S>&, const Vec<S, 3>& mu) noexcept {
    return mu;
  }

  /// Ȧv: what the rows' own motion adds to dc/dt, with the contact positions moving at `rate` [m/s].
  template <class S, Kernel K>
  [[nodiscard]] static Vec<S, 3> convective(const Frame<S>& f, const AveragedRod<S, K>& one,
                                            const AveragedRod<S, K>& two, const Vec<S, 2>& rate) noexcept {
    const Point<S>&u1 = one.motion, &u2 = two.motion;
    const Triple<S> W1(u1.W), W2(u2.W), dW1(u1.dW), dW2(u2.dW), dV1(u1.dV), dV2(u2.dV);
    const Triple<S> spin = f.share[0] * W1 + f.share[1] * W2;
    const Triple<S> kappa_rate =
        Triple<S>(u2.V) - Triple<S>(u1.V) + rate[1] * Triple<S>(u2.dR) - rate[0] * Triple<S>(u1.dR);
    const Triple<S> spin_rate = S(rate[0] * f.share[0]) * dW1 + S(rate[1] * f.share[1]) * dW2;
    return rate[0] * dV1 - rate[1] * dV2 + cross(spin_rate, Triple<S>(f.kappa)) + cross(spin, kappa_rate);
  }
};

/// Equation (2).
struct BodyAveraging {
  static constexpr bool pairwise = true;  ///< whether the tangency pairs single nodes of the two rods

  /// What the rows of all nodes share.
  template <class S>
  struct Frame {
    Mat<S, 3, 3> axes;     ///< Σ α_k Λ_k
    Mat<S, 3, 3> moments;  ///< Σ α_k r̂_k Λ_k [m]
    Vec<S, 3> R2;          ///< R₂ [m]
    Vec<S, 2> share;       ///< f₁, f₂
  };

  /// What the rows share at these averaged points.
  template <class S, Kernel K>
  [[nodiscard]] static Frame<S> frame(const AveragedRod<S, K>& one, const AveragedRod<S, K>& two,
                                      S share1) noexcept {
    using L = Lane<S>;
    std::array<Triple<L>, 3> axes{}, moments{};
    one.average.each_pack(one.point, [&](Eigen::Index k, const Weights<L>& a) {
      const Triple<L> r = rod::load3<0, L>(one.chain.configuration, k);
      for (std::size_t i = 0; i < 3; ++i) {
        const Triple<L> axis =
            a.value * detail::turned<L>(one.chain, k, detail::unit<L>(static_cast<int>(i)));
        axes[i] += axis;
        moments[i] += cross(r, axis);
      }
    });
    Frame<S> f;
    for (std::size_t i = 0; i < 3; ++i) {
      f.axes.col(static_cast<Eigen::Index>(i)) = rod::lane_sum(axes[i]);
      f.moments.col(static_cast<Eigen::Index>(i)) = rod::lane_sum(moments[i]);
    }
    f.R2 = two.point.R;
    f.share = {share1, S(1) - share1};
    return f;
  }

  /// Row i on node k, of this weight, of rod `Side` (0 or 1).
  template <int Side, class S>
  [[nodiscard]] static NodeRow<S> row(const Frame<S>& f, int i, S weight, const Chain<S>& chain,
                                      Eigen::Index k) noexcept {
    const Triple<S> r = rod::load3<0, S>(chain.configuration, k);
    const S turning = f.share[Side] * weight;
    if constexpr (Side == 0) {
      const Triple<S> axis = detail::turned<S>(chain, k, detail::unit<S>(i));
      return {weight * axis, turning * cross(Triple<S>(f.R2) - r, axis)};
    } else {
      const Triple<S> axis(f.axes.col(i)), moment(f.moments.col(i));
      return {-weight * axis, turning * (cross(r, axis) - moment)};
    }
  }

  /// The force on rod 1 of a multiplier, spatial [N].
  template <class S>
  [[nodiscard]] static Vec<S, 3> force(const Frame<S>& f, const Vec<S, 3>& mu) noexcept {
    return f.axes * mu;
  }

  /// Ȧv: what the rows' own motion adds to dc/dt, with the contact positions moving at `rate` [m/s].
  template <class S, Kernel K>
  [[nodiscard]] static Vec<S, 3> convective(const Frame<S>& f, const AveragedRod<S, K>& one,
                                            const AveragedRod<S, K>& two, const Vec<S, 2>& rate) noexcept {
    using L = Lane<S>;
    // Σ β w × r, Σ β′ w × r, Σ β w × v over rod 2
    Triple<L> h0{}, h1{}, hv{};
    two.average.each_pack(two.point, [&](Eigen::Index first, const Weights<L>& b) {
      const Node<L> m = node<S>(two.chain, first);
      h0 += b.value * cross(m.w, m.r);
      h1 += b.first * cross(m.w, m.r);
      hv += b.value * cross(m.w, m.v);
    });
    const auto all = [](const Vec<S, 3>& x) { return Triple<L>(L(x[0]), L(x[1]), L(x[2])); };
    const Triple<L> H = all(rod::lane_sum(h0)), dH = all(rod::lane_sum(h1)), Hv = all(rod::lane_sum(hv));
    const Triple<L> V2 = all(two.motion.V), dV2 = all(two.motion.dV), W2 = all(two.motion.W),
                    dW2 = all(two.motion.dW), R2 = all(two.point.R), dR2 = all(two.point.dR);
    const L f1(f.share[0]), f2(f.share[1]);
    Triple<L> total{};
    one.average.each_pack(one.point, [&](Eigen::Index first, const Weights<L>& a) {
      const Node<L> k = node<S>(one.chain, first);
      // u = Σ β_m [v_k − v_m + (f₁w_k + f₂w_m) × (r_m − r_k)]
      const Triple<L> u = k.v - V2 + f1 * cross(k.w, R2 - k.r) + f2 * (H - cross(W2, k.r));
      const Triple<L> moved = f1 * cross(k.w, V2 - k.v) + f2 * (Hv - cross(W2, k.v)) - cross(k.w, u);
      const Triple<L> slid = f1 * cross(k.w, dR2) - dV2 + f2 * (dH - cross(dW2, k.r));
      total += detail::turned_back<L>(one.chain, first,
                                      a.value * (moved + L(rate[1]) * slid) + (a.first * L(rate[0])) * u);
    });
    return rod::lane_sum(total);
  }

 private:
  template <class L>
  struct Node {
    Triple<L> r, v, w;
  };
  template <class S>
  [[nodiscard]] static Node<Lane<S>> node(const Chain<S>& chain, Eigen::Index k) noexcept {
    using L = Lane<S>;
    return {rod::load3<0, L>(chain.configuration, k), rod::load3<0, L>(chain.velocity, k),
            detail::spin<L>(chain, k)};
  }
};

}  // namespace dalembert::contact
