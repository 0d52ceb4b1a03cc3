#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <dalembert/contact/detail/cell.hpp>
#include <dalembert/contact/detail/centreline.hpp>

/// How fast the contact of a cell moves, opens and turns.
namespace dalembert::contact::detail {

/// V, V′, W, W′ at a point of a centreline, spatial.
template <class S>
struct CentrelineMotion {
  Triple<S> V{0, 0, 0}, dV{0, 0, 0}, W{0, 0, 0}, dW{0, 0, 0};

  [[gnu::flatten]] CentrelineMotion(const CentrelinePoint<S>& p, const rod::Chain<S>& chain,
                                    bool ball) noexcept {
    using L = Lane<S>;
    const Triple<L> zero{L(S(0)), L(S(0)), L(S(0))};
    Triple<L> v0 = zero, v1 = zero, w0 = zero, w1 = zero;
    for (int i = 0; i < p.count; i += lane_width<S>) {
      const L weight = rod::load<S, L>(&p.weight[static_cast<std::size_t>(i)]);
      const L slope = rod::load<S, L>(&p.slope[static_cast<std::size_t>(i)]);
      const Triple<L> v = rod::load3<0, L>(chain.velocity, p.first + i), w = spin<L>(chain, p.first + i);
      v0 += weight * v;
      v1 += slope * v;
      w0 += weight * w;
      w1 += slope * w;
    }
    V = Triple<S>(rod::lane_sum(v0));
    dV = Triple<S>(rod::lane_sum(v1));
    W = Triple<S>(rod::lane_sum(w0));
    dW = Triple<S>(rod::lane_sum(w1));
    if (ball) V += cross(W, p.from_node);
  }
};

/// Equations (4), (6) of cell.hpp, after `find_cell_contact`, with ṡ no faster than `fastest` [m/s]: of
/// rods nearly side by side it grows without bound, and does not say where the places will be.
template <class S>
[[gnu::noinline]] void find_cell_rates(const Centreline<S>& one, const rod::Chain<S>& chain1,
                                       const Centreline<S>& two, const rod::Chain<S>& chain2,
                                       CellContact<S>& c,
                                       S fastest = std::numeric_limits<S>::max()) noexcept {
  using T = Triple<S>;
  const CentrelinePoint<S>&p = c.places[0], &q = c.places[1];
  const CentrelineMotion<S> a(p, chain1, false), b(q, chain2, two.is_ball());
  const T n = -T(c.normal), relative = b.V - a.V;
  const S share = one.radius / (one.radius + two.radius), per = S(1) / c.distance;
  const T turning = per * (relative - dot(n, relative) * n);
  const S f1 = -dot(turning, p.dR) - dot(n, a.dV), f2 = dot(turning, q.dR) + dot(n, b.dV);
  const auto [h11, h12, h22] = c.hessian;
  S& s1 = c.rates[0] = S(0);
  S& s2 = c.rates[1] = S(0);
  if (c.held[1]) {
    if (!c.held[0] && h11 > S(0)) s1 = -f1 / h11;
  } else if (h22 > S(0)) {
    const S reduced = h11 - h12 * h12 / h22;
    if (!c.held[0] && reduced > S(0)) s1 = -(f1 - h12 * f2 / h22) / reduced;
    s2 = -(f2 + h12 * s1) / h22;
  }
  const S faster = std::max(number::abs(s1), number::abs(s2)) / fastest;
  if (faster > S(1)) s1 /= faster, s2 /= faster;
  const T kappa_rate = relative + s2 * q.dR - s1 * p.dR;
  c.normal_rate = per * (dot(n, kappa_rate) * n - kappa_rate);
  const T centre = two.is_ball() ? cross(b.W, q.from_node) : T(0, 0, 0);
  const T y1(c.arms[0]), y2 = T(c.arms[1]) - (two.is_ball() ? q.from_node : T(0, 0, 0));
  const T y1_rate = share * kappa_rate, y2_rate = centre - (S(1) - share) * kappa_rate;
  c.speed = norm(relative);
  c.velocity = a.V + cross(a.W, y1) - b.V - cross(b.W, y2);
  c.bias = s1 * a.dV + cross(S(s1) * a.dW, y1) + cross(a.W, y1_rate) -
           (s2 * b.dV + cross(S(s2) * b.dW, y2) + cross(b.W, y2_rate));
}

}  // namespace dalembert::contact::detail
