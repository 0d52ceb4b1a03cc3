#pragma once

#include <algorithm>

#include <dalembert/contact/lanes.hpp>
#include <dalembert/core/real.hpp>

/// Pieces of straight lines, and spheres about them, by which most of what is apart is told at once.
namespace dalembert::contact::detail {

/// A sphere around a piece of a line.
template <class S>
struct PieceSphere {
  Triple<S> middle{0, 0, 0};  ///< [m]
  S half{};                   ///< its radius [m]
};
/// A piece of a straight line, in the sphere about its middle.
template <class S>
struct StraightPiece : PieceSphere<S> {
  Vec<S, 3> from, step;  ///< its begin, and from there to its end [m]
  S per_square{};        ///< 1/|step|², 0 for a point [1/m²]
};
/// Whether no points of two spheres are within this distance.
template <class S>
[[nodiscard]] bool are_apart(const PieceSphere<S>& a, const PieceSphere<S>& b, S most) noexcept {
  const Triple<S> d = b.middle - a.middle;
  const S reach = a.half + b.half + most;
  return !(dot(d, d) < reach * reach);
}
/// The square of the distance of a point from a piece [m²].
template <class S>
[[nodiscard]] S square_to(const StraightPiece<S>& piece, const Triple<S>& point) noexcept {
  const Triple<S> d = point - piece.middle, step(piece.step);
  const S along = std::clamp(dot(d, step) * piece.per_square, S(-0.5), S(0.5));
  const Triple<S> nearest = d - along * step;
  return dot(nearest, nearest);
}
/// Whether no points of a sphere and of a piece are.
template <class S>
[[nodiscard]] bool are_apart(const PieceSphere<S>& a, const StraightPiece<S>& b, S most) noexcept {
  const S reach = a.half + most;
  return !(square_to(b, a.middle) < reach * reach);
}

}  // namespace dalembert::contact::detail
