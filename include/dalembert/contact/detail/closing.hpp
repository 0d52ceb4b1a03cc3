#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <dalembert/contact/state.hpp>

/// How a rolling contact closes its gap: Newton's method on its two positions and a push along the normal, about placed
/// points.
namespace dalembert::contact::detail {

/// As far as a smeared point is expanded, in kernel widths.
template <class S>
inline constexpr S near = S(1e-5);

/// An impulse-like push along the normal, how far s slid meanwhile at most (in kernel widths), and whether
/// the smeared points, which are moved along, are exact after it.
template <class S>
struct Correction {
  S push{};
  S slid{};
  bool converged = false;
};

/// Smeared points after a small step in s.
template <class S>
void advance(ContactState<S>& c, const Vec<S, 2>& step) noexcept {
  for (std::size_t i = 0; i < 2; ++i) c.point[i].advance(step[static_cast<Eigen::Index>(i)]);
}

/// The Newton step of the tangency for F and J⁻¹, no longer than `limit` [m].
template <class S>
[[nodiscard]] Vec<S, 2> tangency_step(const Vec<S, 2>& value, const Mat<S, 2, 2>& inverse_slope,
                                      S limit) noexcept {
  const Vec<S, 2> step = minus(times(inverse_slope, value));
  const S longest = largest(step);
  if (longest <= limit) return step;
  return {step[0] * (limit / longest), step[1] * (limit / longest)};
}

/// Newton on (s₁, s₂, push) with the slopes of the placed points c, which are expanded about where they are, so that one pass
/// over the nodes serves. The tangency of the centrelines, with the inverse slope `slide`, is taken where the push will have
/// them; other tangencies look at the nodes themselves and slide once, by `offset`.
template <class TangencyRule, class Rows, class S>
[[nodiscard]] Correction<S> close_gap(const std::array<Rows, 2>& rows, ContactState<S>& c, S target,
                                      const Mat<S, 2, 2>& slide, Vec<S, 2> offset, S narrowest) {
  constexpr bool expands = TangencyRule::gap_stationary;
  constexpr int limit = expands ? 10 : 1;
  const S width = rows[0].smear().kernel_width();
  const S tolerance = S(512) * std::numeric_limits<S>::epsilon() * target;
  const S compliance = rows[0].compliance(c.point[0]) + rows[1].compliance(c.point[1]);
  const S stiffness = S(1) / compliance;
  const Vec<S, 2> turn(target * rows[0].turn(c.point[0]), target * -rows[1].turn(c.point[1]));
  const Triple<S> normal(c.normal);
  S push{}, excess{}, last{};
  for (int i = 0; i < limit; ++i) {
    const auto [R1, dR1] = rows[0].moved(c.point[0], offset[0], push * normal);
    const auto [R2, dR2] = rows[1].moved(c.point[1], offset[1], -push * normal);
    const Vec<S, 3> gap = difference(R2, R1);
    excess = length(gap) - target;
    push += stiffness * excess;
    if constexpr (expands) {
      Vec<S, 2> value = TangencyRule::value(gap, dR1, dR2);
      for (int j = 0; j < 2; ++j) value[j] += (stiffness * excess) * turn[j];
      const Vec<S, 2> step = tangency_step(value, slide, narrowest);
      for (int j = 0; j < 2; ++j) offset[j] += step[j];
      last = largest(step) / width;
    }
    if (std::abs(excess) <= tolerance && last <= near<S> * near<S>) break;
  }
  advance(c, offset);
  rows[0].push(c.point[0], push * normal);
  rows[1].push(c.point[1], -push * normal);
  const S slid = largest(offset) / width;
  const S left = std::abs(excess) + std::abs(push) * compliance * slid * slid;
  return {push, slid, left <= tolerance && last <= near<S> * near<S>};
}

}  // namespace dalembert::contact::detail
