#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <dalembert/contact/detail/cell_contact.hpp>
#include <dalembert/contact/detail/centreline.hpp>

/// The contact of a cell of rod 1 with a stretch of rod 2, or with a ball. With κ = R₂(s₂) −
/// R₁(s₁), n = κ/|κ|, c and ℓ_c the centre and the length of the cell:
///   g = min |κ| + ½κ_c(s₁ − c)² − a₁ − a₂                                          (1)
/// with s₁ in the cell, s₂ on rod 2 near its start,
///   F₁ = −n·R₁′ + κ_c(s₁ − c) = 0 inside the cell,  F₂ = n·R₂′ = 0 inside rod 2     (2)
///   H₁₁ = |PR₁′|²/|κ| − n·R₁″ + κ_c,  H₁₂ = −PR₁′·PR₂′/|κ|,
///   H₂₂ = |PR₂′|²/|κ| + n·R₂″,  P = 1 − nnᵀ                                    (3)
/// At an end of the cell or of a rod s is held there, where the distance still falls beyond it. Either way
///   ġ = n·(V₂ − V₁),   ṡ from H ṡ = −∂F/∂t, 0 where s is held                          (4)
/// but for ½κ̇_c(s₁ − c)², which is left out: below 2e-3 ℓ_c times the rate of w, and 0 where w is
/// 0 or 1. The crown κ_c makes the minimum unique where rods are parallel, and fades where they cross:
///   κ_c = w w₂·10⁻²/ℓ_c,  K_r = H₁₁ − H₁₂²/H₂₂                          (5)
/// with w a quintic of K_rℓ_c from 1 at 0.03 to 0 at 0.10, and w₂ one of H₂₂|κ|/|R₂′|² from 1
/// at 0.20 to 0 at 0.05 (where rod 2 winds about the cell its foot may be anywhere),
/// at the centre of the cell and its foot on rod 2, which for this goes on behind its ends, where H₁₂
/// fades from half a kernel width on to 0 at a whole one. Signs: side 0 is rod 1, N = −n, and with f₁ =
/// a₁/(a₁ + a₂), arms y₁ = f₁κ, y₂ = −f₂κ (of a ball Λp − f₂κ),
///   u = V₁ + W₁ × y₁ − V₂ − W₂ × y₂,   u̇ = β where the nodes keep their velocities  (6)
namespace dalembert::contact::detail {

/// Newton's method for (1).
template <class S>
class CellMinimum {
 public:
  using Index = Eigen::Index;
  using T = Triple<S>;

  /// Of a cell of a rod with a rod or a ball; all of these must outlast it.
  CellMinimum(const Centreline<S>& one, const rod::Chain<S>& chain1, const Centreline<S>& two,
              const rod::Chain<S>& chain2, CellContact<S>& contact) noexcept
      : one_(one), two_(two), chain1_(chain1), chain2_(chain2), c_(contact) {
    whole_ = c_.cell == whole_rod;
    length_ = whole_ ? one.spacing() : one.cell_length();
    range1_ = whole_ ? std::array{S(0), one.length()}
                     : std::array{one.cell_begin(c_.cell), one.cell_begin(c_.cell + 1)};
    range2_ = {S(0), two.length()};
  }

  /// Put where it is, from a start; one that was found before goes on from its foot as well.
  void find(S s1, S s2) noexcept {
    const bool round = two_.is_ball() || whole_, had_crown = c_.crown > S(0);
    const bool goes_on = had_crown && c_.converged;
    s1 = std::clamp(s1, range1_[0], range1_[1]);
    s2 = std::clamp(s2, range2_[0], range2_[1]);
    c_.crown = S(0);
    c_.centre = whole_ ? s1 : one_.cell_centre(c_.cell);
    if (round || !had_crown) {
      one_.put(chain1_, s1, c_.places[0]);
      two_.put(chain2_, s2, c_.places[1]);
      evaluate();
    }
    if (!round && (had_crown || !surely_crosses())) {
      c_.foot = find_foot(goes_on ? c_.foot : s2);
      c_.crown = find_crown(c_.foot);
      if (c_.crown > S(0) && !goes_on) s1 = c_.centre, s2 = std::clamp(c_.foot, range2_[0], range2_[1]);
      move(s1, s2);
    }
    iterate();
    finish();
  }

  /// What is held where a contact is.
  [[nodiscard]] static bool outside(S s, const std::array<S, 2>& range, S slope) noexcept {
    return (s <= range[0] && slope > S(0)) || (s >= range[1] && slope < S(0));
  }

 private:
  /// Whether rod 2 winds about the place on rod 1.
  [[nodiscard]] bool is_flat2() const noexcept { return !(h22_ > S(1e-3) * straight2_); }
  /// K_r, at the places. Where the distance does not curve up along the second, steps go as if that were
  /// straight.
  [[nodiscard]] S reduced_curvature() const noexcept { return h11_ - h12_ * h12_ * per_steep2_; }
  /// The inverse of a curvature along the first, or of what a step goes by where it does not curve up.
  [[nodiscard]] S per_steep1(S curvature) const noexcept {
    return S(1) / std::max(number::abs(curvature), S(1e-7) / length_);
  }

  /// A quintic from 1 at t = 0 to 0 at 1.
  [[nodiscard]] static S fall(S t) noexcept {
    t = std::clamp(t, S(0), S(1));
    return S(1) - t * t * t * (S(10) - S(15) * t + S(6) * t * t);
  }
  /// κ_c of (5), at the centre and its foot.
  [[nodiscard]] S find_crown(S foot) const noexcept {
    const S behind = std::max(-foot, foot - two_.length()) / two_.kernel_width();
    const S curvature = h11_ - fall(S(2) * behind - S(1)) * h12_ * h12_ * per_steep2_;
    const S winds = fall((h22_ / straight2_ - S(0.05)) / S(0.15));
    return fall((curvature * length_ - S(0.03)) / S(0.07)) * (S(1) - winds) * S(1e-2) / length_;
  }

  /// Equations (2), (3) at the places.
  void evaluate() noexcept {
    const CentrelinePoint<S>&p = c_.places[0], &q = c_.places[1];
    kappa_ = apart(p, q);
    distance_ = norm(kappa_);
    const S inverse = S(1) / std::max(distance_, std::numeric_limits<S>::min());
    n_ = inverse * kappa_;
    const S along1 = dot(n_, p.dR), along2 = dot(n_, q.dR), off = p.s - c_.centre;
    f1_ = c_.crown * off - along1;
    f2_ = along2;
    straight2_ = dot(q.dR, q.dR) * inverse;
    h11_ = (dot(p.dR, p.dR) - along1 * along1) * inverse - dot(n_, p.ddR) + c_.crown;
    h12_ = (along1 * along2 - dot(p.dR, q.dR)) * inverse;
    h22_ = straight2_ - along2 * along2 * inverse + dot(n_, q.ddR);
    per_steep2_ = S(1) / std::max(is_flat2() ? straight2_ : h22_, std::numeric_limits<S>::min());
    value_ = distance_ + S(0.5) * c_.crown * off * off;
  }

  /// Whether a step, of a last one, is the last: it no longer halves, or is rounding.
  [[nodiscard]] bool is_last(S step, S before) const noexcept {
    return step <= S(1e-13) * length_ || (step <= S(1e-9) * length_ && step > S(0.5) * before);
  }

  /// Whether the crown is 0 for sure, by bounds of |R″|, so that the foot of the centre need not be known.
  /// With T = R₁′·(κ × R₂′), which does not change along straight rods,
  ///   K_r ≥ T²/(|κ|³|R₂′|²) − |R₁″| − 1.4|R₂″||R₁′|²/|R₂′|²  there.
  [[nodiscard]] bool surely_crosses() const noexcept {
    const T &t1 = c_.places[0].dR, &t2 = c_.places[1].dR;
    const auto [bend1, bend2] = c_.bends;
    const S way1 = number::abs(c_.centre - c_.places[0].s), long1 = norm(t1), long2 = norm(t2);
    const S off1 = S(0.5) * bend1 * way1 * way1;  // of the centre from the tangent
    const T from = kappa_ - S(c_.centre - c_.places[0].s) * t1;
    const S far = norm(from) + off1;  // no less than from the centre to its foot
    const S way2 = S(2) * (number::abs(dot(from, t2)) + off1 * long2) / (long2 * long2);
    if (!(bend2 * (far + S(4) * long2 * way2) <= S(0.25) * long2 * long2)) return false;
    const S s2 = c_.places[1].s, beyond = two_.kernel_width();
    if (s2 - way2 < -beyond || s2 + way2 > two_.length() + beyond) return false;
    const S turned1 = bend1 * way1, turned2 = bend2 * way2, most2 = long2 + turned2;
    const S least = number::abs(dot(t1, cross(kappa_, t2))) - turned1 * far * most2 -
                    long1 * (long2 * (off1 + S(0.5) * bend2 * way2 * way2) + far * turned2);
    const S ratio = (long1 + turned1) / (long2 - turned2);
    const S curvature =
        least * least / (far * far * far * most2 * most2) - bend1 - S(1.4) * bend2 * ratio * ratio;
    return least > S(0) && curvature * length_ > S(0.101);
  }

  /// The point of rod 2 nearest to the centre of the cell, from a start.
  [[nodiscard]] S find_foot(S s2) noexcept {
    const S beyond = two_.kernel_width();
    const std::array<S, 2> range{-beyond, two_.length() + beyond};
    one_.put(chain1_, c_.centre, c_.places[0]);
    two_.put(chain2_, s2, c_.places[1]);
    evaluate();
    S before = std::numeric_limits<S>::max();
    for (int i = 0; i < 30; ++i) {
      // of |κ|²/2: of |κ| steps go astray from farther off than the rods are apart
      const T &dR = c_.places[1].dR, &ddR = c_.places[1].ddR;
      const S slope = dot(kappa_, dR), straight = dot(dR, dR), steep = straight + dot(kappa_, ddR);
      S step = steep > S(1e-3) * straight ? std::clamp(-slope / steep, -beyond, beyond)
                                          : downhill(slope, steep, straight);
      step = std::clamp(s2 + step, range[0], range[1]) - s2;
      if (is_last(number::abs(step), before)) break;
      before = number::abs(step);
      go([&](S part) { move(c_.centre, s2 + part * step); }, distance_);
      s2 = c_.places[1].s;
    }
    return s2;
  }

  /// A step along rod 2 by a slope and a curvature that is next to nothing beside that of the distance from a
  /// straight rod, or negative.
  [[nodiscard]] S downhill(S slope, S curvature, S straight) const noexcept {
    const S most = S(0.25) * two_.kernel_width();
    return std::clamp(-slope / std::max(curvature, S(1e-5) * straight), -most, most);
  }
  /// Take a step, or so small a part of it that `value` does not grow.
  template <class Move>
  void go(const Move& move_by, const S& value) noexcept {
    const S most = value + S(256) * std::numeric_limits<S>::epsilon() * (distance_ + length_);
    S part(1);
    for (int halving = 0;; ++halving, part *= S(0.5)) {
      move_by(part);
      if (value <= most || halving == 8) return;
    }
  }
  /// A step from the places that stays in the ranges.
  [[nodiscard]] std::array<S, 2> step() const noexcept {
    const S s1 = c_.places[0].s, s2 = c_.places[1].s;
    const std::array<S, 2> room1{range1_[0] - s1, range1_[1] - s1}, room2{range2_[0] - s2, range2_[1] - s2};
    const S longest = two_.kernel_width(), longest1 = whole_ ? one_.kernel_width() : length_;
    const auto within = [](S x, const std::array<S, 2>& room, S most) {
      return std::clamp(std::clamp(x, -most, most), room[0], room[1]);
    };
    if (two_.is_ball() || outside(s2, range2_, f2_))
      return {within(-f1_ * per_steep1(h11_), room1, longest1), S(0)};
    if (is_flat2())  // rod 2 winds about the place on rod 1: downhill, wherever the next minimum is
      return {within(-f1_ * per_steep1(h11_), room1, longest1),
              within(downhill(f2_, h22_, straight2_), room2, longest)};
    const S slope = f1_ - h12_ * f2_ * per_steep2_;
    const S d1 = within(-slope * per_steep1(reduced_curvature()), room1, longest1);
    const S asked = -(f2_ + h12_ * d1) * per_steep2_, d2 = within(asked, room2, longest);
    if (d2 == asked) return {d1, d2};
    return {within(-(f1_ + h12_ * d2) * per_steep1(h11_), room1, longest1), d2};
  }

  void iterate() noexcept {
    S before = std::numeric_limits<S>::max();
    c_.converged = false;
    for (int i = 0; i < 50; ++i) {
      const auto [d1, d2] = step();
      const S moved = std::max(number::abs(d1), number::abs(d2));
      if (is_last(moved, before)) {
        c_.converged = true;
        return;
      }
      before = moved;
      const S s1 = c_.places[0].s, s2 = c_.places[1].s;
      go(
          [&, d1 = d1, d2 = d2](S part) {
            move(std::clamp(s1 + part * d1, range1_[0], range1_[1]),
                 std::clamp(s2 + part * d2, range2_[0], range2_[1]));
          },
          value_);
    }
  }
  void move(S s1, S s2) noexcept {
    if (s1 != c_.places[0].s) one_.put(chain1_, s1, c_.places[0]);
    if (s2 != c_.places[1].s) two_.put(chain2_, s2, c_.places[1]);
    evaluate();
  }

  /// The contact at the places.
  void finish() noexcept {
    CentrelinePoint<S>&p = c_.places[0], &q = c_.places[1];
    const S least = S(1e-9) * length_;
    c_.held[1] = two_.is_ball() || (outside(q.s, range2_, f2_) && number::abs(f2_) * per_steep2_ > least);
    const S slope = c_.held[1] ? f1_ : f1_ - h12_ * f2_ * per_steep2_;
    const S curvature = c_.held[1] ? h11_ : reduced_curvature();
    c_.held[0] = outside(p.s, range1_, slope) && number::abs(slope) * per_steep1(curvature) > least;
    c_.shared = c_.held[0] && p.s > S(0) && p.s < one_.length();
    const S both = one_.radius + two_.radius, share = one_.radius / both;
    c_.hessian = {h11_, h12_, h22_};
    c_.distance = distance_;
    c_.gap = value_ - both;
    const T R1 = p.R();
    const auto size = [](const T& x) { return number::abs(x.x) + number::abs(x.y) + number::abs(x.z); };
    c_.sizes = both + size(p.node) + size(p.from_node) + size(q.node) + size(q.from_node);
    c_.normal = -n_;
    c_.point = R1 + share * kappa_;
    c_.arms[0] = share * kappa_;
    c_.arms[1] = (two_.is_ball() ? q.from_node : T(0, 0, 0)) - (S(1) - share) * kappa_;
  }

  const Centreline<S>&one_, &two_;
  const rod::Chain<S>&chain1_, &chain2_;
  CellContact<S>& c_;
  bool whole_ = false;
  S length_{};
  std::array<S, 2> range1_{}, range2_{};
  T kappa_{0, 0, 0}, n_{0, 0, 0};
  S distance_{}, value_{}, f1_{}, f2_{}, h11_{}, h12_{}, h22_{}, per_steep2_{}, straight2_{};
};

/// Where the contact is, from a start on both.
template <class S>
[[gnu::noinline]] void find_cell_contact(const Centreline<S>& one, const rod::Chain<S>& chain1,
                                         const Centreline<S>& two, const rod::Chain<S>& chain2, S s1, S s2,
                                         CellContact<S>& contact) noexcept {
  CellMinimum<S>(one, chain1, two, chain2, contact).find(s1, s2);
}

}  // namespace dalembert::contact::detail
