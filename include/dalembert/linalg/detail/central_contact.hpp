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
  const auto held = [&](const L& gamma, const Pair& t) {  // (G_t + γ)⁻¹ t
    const L p = G.first + gamma, q = G.second + gamma, inverse = L(1) / (p * q - G.cross * G.cross);
    return Pair{(q * t.x - G.cross * t.y) * inverse, (p * t.y - G.cross * t.x) * inverse};
  };
  const auto size_of = [](const Pair& t) { return L(sqrt(L(t.x * t.x + t.y * t.y))); };
  L most = select(n > none, L(mu * n), L(std::numeric_limits<S>::infinity()));
  Pair left{-b.first, -b.second}, t = held(none, left), old{none, none};
  L size = size_of(t);
  if (any_lane(size > most)) {
    const auto slips = size > most;
    const L part = select(slips, select(before1 * before1 + before2 * before2 > none, L(0.5), L(1)), L(1));
    if (any_lane(part < L(1))) {
      most = most * part;
      old = {select(part < L(1), L(-most * before1), none), select(part < L(1), L(-most * before2), none)};
      left = {left.x - (G.first * old.x + G.cross * old.y), left.y - (G.cross * old.x + G.second * old.y)};
      t = held(none, left);
      size = size_of(t);
    }
    const auto bound = size > most;
    // where there is hardly any friction it is against b_t, and γ beyond all numbers
    const L hardly = L(S(1e-20)) * size, sought = select(most > hardly, most, hardly);
    // from below the root, for |P_t| ≥ |b_t|/(γ + the larger eigenvalue of G_t)
    const L apart = G.first - G.second, sum = G.first + G.second,
            largest = L(0.5) * (sum + sqrt(L(apart * apart + L(4) * G.cross * G.cross)));
    const L least = size_of(left) / sought - largest;
    L gamma = select(bound, select(least > none, least, none), none);
    t = held(gamma, left);
    size = size_of(t);
    const S fine = S(0.5) * std::sqrt(std::numeric_limits<S>::epsilon());
    for (int i = 0; i < 60; ++i) {
      const Pair d = held(gamma, t);
      const L slope = (t.x * d.x + t.y * d.y) / (size * size * size);
      const L way = (L(1) / sought - L(1) / size) / slope;
      if (!any_lane(way > none)) break;
      gamma = gamma + select(way > none, way, none);
      t = held(gamma, left);
      size = size_of(t);
      if (!any_lane(way > L(fine) * (gamma + sum))) break;  // what is left is the square of this
    }
    t = {select(bound, L(most * t.x / size), t.x), select(bound, L(most * t.y / size), t.y)};
  }
  const auto pressed = n > none;
  return {n, select(pressed, L(old.x + t.x), none), select(pressed, L(old.y + t.y), none)};
}

}  // namespace dalembert::linalg::detail
