#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/core/real.hpp>
#include <dalembert/lie/detail/triple.hpp>

/// The writhe of a polygon, exact: how often a curve crosses itself with its sign, seen from everywhere and
/// averaged,
///   Wr = 1/4π ∮∮ (dr₁ × dr₂)·(r₁ − r₂)/|r₁ − r₂|³ = Σ_{i<j} Ω_ij/2π           (1)
/// Ω_ij is the signed solid angle of the directions from edge i to edge j. They fill a parallelogram in a
/// plane, which is cut into triangles with corners a, b, c as seen from the origin,
///   tan Ω/2 = a·(b × c) / (|a||b||c| + (a·b)|c| + (a·c)|b| + (b·c)|a|)                             (2)
/// An infinite ray is an edge with one corner at infinity: the parallelogram becomes a triangle with its
/// direction as a corner. Edges that share a corner lie in a plane with it and have none. All pairs are
/// looked at, which takes some 100 ns each: N²/2 of them. Sources: Fuller 1971; Klenin and Langowski 2000,
/// method 1a, whose arcsines are the same angles but lose half the digits near a quarter turn; van Oosterom
/// and Strackee 1983 for (2).
namespace dalembert::rod {

namespace detail {

using dalembert::detail::Triple;

/// A direction, and what its vector has to be divided by.
template <class S>
struct Direction {
  Triple<S> unit;
  S inverse;

  explicit Direction(const Triple<S>& vector)
      : unit(vector), inverse(S(1) / number::sqrt(S(dot(vector, vector)))) {
    unit = inverse * unit;
  }
};

/// 1 + a·b + a·c + b·c of equation (2), for units.
template <class S>
[[nodiscard]] S even_part(const Triple<S>& a, const Triple<S>& b, const Triple<S>& c) {
  return S(1) + dot(a, b) + dot(a, c) + dot(b, c);
}

/// The signed solid angle of a triangle of directions.
template <class S>
[[nodiscard]] S triangle_angle(const Triple<S>& a, const Triple<S>& b, const Triple<S>& c) {
  using std::atan2;
  return S(2) * atan2(S(dot(a, cross(b, c))), even_part(a, b, c));
}

/// That of the directions from the edge a → b to the edge c → e. Both triangles have the same volume with
/// the origin, and together less than half the sphere on each side of their plane, so that the angles of two
/// complex numbers add up without a jump.
template <class S>
[[nodiscard]] S edges_angle(const Triple<S>& a, const Triple<S>& b, const Triple<S>& c, const Triple<S>& e) {
  using std::atan2;
  const Triple<S> ca = c - a, cb = c - b;
  const S volume = dot(ca, cross(cb, e - b));
  const Direction<S> p(ca), q(cb), r(e - b), s(e - a);
  const S shared = volume * p.inverse * r.inverse;
  const S odd1 = shared * q.inverse, odd2 = shared * s.inverse;
  const S even1 = even_part(p.unit, q.unit, r.unit), even2 = even_part(p.unit, r.unit, s.unit);
  return S(2) * atan2(S(odd1 * even2 + odd2 * even1), S(even1 * even2 - odd1 * odd2));
}

template <class S>
[[nodiscard]] Triple<S> unit(const Vec<S, 3>& direction, const char* name) {
  const Triple<S> d(direction);
  const S length = number::sqrt(S(dot(d, d)));
  require(length > S(0) && number::isfinite(length), "writhe", name, length,
          "the direction of a ray must be finite and not zero");
  return S(S(1) / length) * d;
}

/// Throws std::invalid_argument unless there are `least` corners, all finite, and every edge has a length.
template <class S>
[[nodiscard, gnu::noinline]] std::vector<Triple<S>> checked_corners(const std::vector<Vec<S, 3>>& corners,
                                                                    std::size_t least, bool closed) {
  require(corners.size() >= least, "writhe", "corners", corners.size(), "there are too few for a curve");
  std::vector<Triple<S>> list;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    list.emplace_back(corners[i]);
    require_entry(dalembert::detail::all_finite(corners[i]), "writhe", "corner", i, corners[i],
                  "a corner must be finite");
  }
  for (std::size_t i = closed ? 0 : 1; i < list.size(); ++i) {
    const Triple<S> edge = list[i] - list[i > 0 ? i - 1 : list.size() - 1];
    require_entry(dot(edge, edge) > S(0), "writhe", "corner", i, corners[i],
                  "it must not be where the one before it is");
  }
  return list;
}

}  // namespace detail

/// The writhe of a closed polygon: its corners [m], the last joined with the first. Not a number where the
/// curve meets itself. Throws std::invalid_argument for fewer than three corners, for one that is not finite
/// and for one that is where its neighbour is.
template <class S>
[[nodiscard, gnu::noinline]] S writhe(const std::vector<Vec<S, 3>>& corners) {
  const auto r = detail::checked_corners(corners, 3, true);
  const std::size_t n = r.size();
  S sum(0);
  for (std::size_t i = 0; i + 2 < n; ++i)
    for (std::size_t j = i + 2; j < n - (i == 0 ? 1 : 0); ++j)
      sum += detail::edges_angle(r[i], r[i + 1], r[j], r[(j + 1) % n]);
  return sum / (S(2) * S(pi));
}

/// The writhe of an open polygon that a ray from infinity leads to and another leads away from, each
/// travelled along its direction. The value is the limit of that of closed curves, closed far away in a
/// plane, if both directions are the same. Throws as the one for closed polygons does, for fewer than two
/// corners, and for directions that are zero or not finite.
template <class S>
[[nodiscard, gnu::noinline]] S writhe(const std::vector<Vec<S, 3>>& corners, const Vec<S, 3>& arriving,
                                      const Vec<S, 3>& leaving) {
  const auto r = detail::checked_corners(corners, 2, false);
  const auto from = detail::unit(arriving, "arriving"), to = detail::unit(leaving, "leaving");
  const auto towards = [&](std::size_t i, std::size_t j) { return detail::Direction<S>(r[j] - r[i]).unit; };
  const std::size_t last = r.size() - 1;
  S sum = detail::triangle_angle(from, towards(0, last), to);
  for (std::size_t i = 0; i < last; ++i) {
    if (i > 0) sum += detail::triangle_angle(from, towards(0, i), towards(0, i + 1));
    if (i + 1 < last) sum += detail::triangle_angle(towards(i, last), towards(i + 1, last), to);
    for (std::size_t j = i + 2; j < last; ++j) sum += detail::edges_angle(r[i], r[i + 1], r[j], r[j + 1]);
  }
  return sum / (S(2) * S(pi));
}

}  // namespace dalembert::rod
