#pragma once

#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/real.hpp>

/// Coulomb's law where normal impulses do not make a contact slip, nor others make it part, for one contact
/// or for one in each lane of a pack.
namespace dalembert::linalg::detail {

/// An impulse or a velocity: its normal component, and those along two tangents.
template <class L>
struct AtContact {
  L normal, first, second;

  friend AtContact operator+(const AtContact& a, const AtContact& b) noexcept {
    return {a.normal + b.normal, a.first + b.first, a.second + b.second};
  }
  friend AtContact operator-(const AtContact& a, const AtContact& b) noexcept {
    return {a.normal - b.normal, a.first - b.first, a.second - b.second};
  }
};
/// G of such a contact: G_nn, and the symmetric G_t.
template <class L>
struct CentralResponse {
  L normal, first, second, cross;

  /// G P.
  [[nodiscard]] AtContact<L> operator*(const AtContact<L>& P) const noexcept {
    return {normal * P.normal, first * P.first + cross * P.second, cross * P.first + second * P.second};
  }
};

/// The impulse, normal and two tangents, that leaves b + G P by Coulomb's law for μ: exact. Where the
/// contact slips (G_t + γ)P_t = −b_t with |P_t| = μP_n, γ by Newton's method on 1/|P_t|, nearly linear
/// in γ. Half of the friction may be against a slip from before, with the direction (before1, before2) or
/// none: then it is the mean over a step in which the slip turns.
template <class L>
[[nodiscard]] AtContact<L> central_impulse(const CentralResponse<L>& G, const AtContact<L>& b, const L& mu,
                                           const L& before1, const L& before2) {
  using S = Number<L>;
  using std::sqrt;
  struct Pair {
    L x, y;
  };
  const L none(0), n = select(b.normal < none, L(-b.normal / G.normal), none);
  if (!any_lane(n * mu > none)) return {n, none, none};
  const L pressed = select(n > none, L(1), none), sum = G.first + G.second;
  const auto along_held = [&](const L& gamma, const Pair& t) {  // (G_t + γ)⁻¹ t, but for its size
    return Pair{(G.second + gamma) * t.x - G.cross * t.y, (G.first + gamma) * t.y - G.cross * t.x};
  };
  const auto held = [&](const L& gamma, const Pair& t) {
    const L inverse = L(1) / ((G.first + gamma) * (G.second + gamma) - G.cross * G.cross);
    const Pair along = along_held(gamma, t);
    return Pair{along.x * inverse, along.y * inverse};
  };
  const auto turned = [&](const Pair& t) {  // G_t t
    return Pair{G.first * t.x + G.cross * t.y, G.cross * t.x + G.second * t.y};
  };
  const auto times = [](const Pair& s, const Pair& r) { return L(s.x * r.x + s.y * r.y); };
  const auto size_of = [&](const Pair& t) { return L(sqrt(times(t, t))); };
  L most = select(n > none, L(mu * n), L(std::numeric_limits<S>::infinity()));
  L size = none;  // of what would hold it
  Pair left{-b.first, -b.second}, t{none, none}, old{none, none};
  // Where P_t would be larger than μP_n; most slips are seen by |G_t⁻¹ t| ≥ |t|/(trace of G_t)
  const auto where_it_slips = [&] {
    const L bound = most * sum, enough = bound * bound, has = times(left, left);
    const L seen = select(enough < has, select(enough > L(S(1e-24)) * has, L(1), none), none);
    if (!any_lane(pressed > seen)) return pressed;
    t = held(none, left);
    size = size_of(t);
    return select(size > most, L(1), none);
  };
  L slips = where_it_slips();
  if (any_lane(slips > none)) {
    const auto turns = slips * (before1 * before1 + before2 * before2) > none;
    if (any_lane(turns)) {
      most = select(turns, L(L(0.5) * most), most);
      old = {select(turns, L(-most * before1), none), select(turns, L(-most * before2), none)};
      const Pair done = turned(old);
      left = {left.x - done.x, left.y - done.y};
      slips = where_it_slips();
    }
    const auto bound = slips > none;
    // where there is hardly any friction it is against b_t, and γ beyond all numbers
    const L hardly = L(S(1e-20)) * size, sought = select(most > hardly, most, hardly);
    // from below the root, for |P_t| ≥ |b_t|/(γ + λ) with the mean λ = b_t·G_t b_t/|b_t|²
    const L least = size_of(left) / sought - times(left, turned(left)) / times(left, left);
    L gamma = select(bound, select(least > none, least, none), none);
    // γ is off by the square of sum/γ, the direction of P_t by the third power
    const S little = std::cbrt(S(0.25) * std::numeric_limits<S>::epsilon());
    if (any_lane(L(slips * sum) > L(little) * gamma)) {
      t = held(gamma, left);
      size = size_of(t);
      const S fine = S(0.5) * std::sqrt(std::numeric_limits<S>::epsilon());
      for (int i = 0; i < 60; ++i) {
        const L way = (size / sought - L(1)) * (size * size / times(t, held(gamma, t)));
        if (!any_lane(way > none)) break;
        gamma = gamma + select(way > none, way, none);
        t = held(gamma, left);
        size = size_of(t);
        if (!any_lane(way > L(fine) * (gamma + sum))) break;  // what is left is the square of this
      }
    } else {
      const Pair along = along_held(gamma, left);
      t = {select(bound, along.x, t.x), select(bound, along.y, t.y)};
      size = size_of(t);
    }
    const L part = select(bound, L(most / size), L(1));
    t = {part * t.x, part * t.y};
  }
  return {n, select(pressed > none, L(old.x + t.x), none), select(pressed > none, L(old.y + t.y), none)};
}

}  // namespace dalembert::linalg::detail
