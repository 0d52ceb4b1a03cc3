#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/contact/touching_assembly.hpp>

/// What touches what in a state, for tables, scenes and events:
///   for (const auto& t : contact::touches(problem, state)) …
/// Forces are those of closed contacts at the accelerations that they leave: a contact that is about to stick
/// sticks, one that slides slides. The order is that of the balls, then of what they touch.
namespace dalembert::contact {

/// What a closed contact does.
enum class TouchMode { parts, sticks, slides };

/// A contact; vectors are spatial.
template <class S = double>
struct TouchReport {
  std::size_t body = 0;               ///< that the ball, or the node of a rod, is of
  Eigen::Index node = 0;              ///< its node, of a rod the nearest
  TouchingSurface other{};            ///< what it touches
  Vec<S, 3> point;                    ///< where [m]
  Vec<S, 3> normal;                   ///< from the surface to the ball
  S gap{};                            ///< [m]
  std::array<S, 2> arc_lengths{};     ///< where on the rods, if it is a contact of rods [m]
  Vec<S, 3> force;                    ///< on the ball [N]
  Vec<S, 3> slip;                     ///< velocity of the ball's material along the surface [m/s]
  TouchMode mode = TouchMode::parts;  ///< what it does

  /// Normal force [N].
  [[nodiscard]] S pressure() const { return normal.dot(force); }
};

namespace detail {
/// Those of what was found in a state, with the forces in it.
template <class S>
[[nodiscard, gnu::cold, gnu::noinline]] std::vector<TouchReport<S>> reports(
    const TouchingSurfaces<S>& surfaces, const TouchingWork<S>& found, const assembly::State<S>& x) {
  std::vector<TouchReport<S>> all;
  for (const std::size_t i : found.sorted) {
    const Touch<S>& t = found.touches[i];
    if (!t.closed) continue;
    TouchReport<S> r;
    r.body = t.sides[0].window.body;
    r.node = surfaces.node(t);
    if (t.cell != nullptr) r.arc_lengths = {t.cell->places[0].s, t.cell->places[1].s};
    r.other = surfaces.other(t);
    r.point = t.point;
    r.normal = t.normal();
    r.gap = t.gap;
    r.force = t.impulse;
    const Vec<S, 3> u = t.velocity(surfaces.all_nodes(x, found), x);
    r.slip = u - r.normal.dot(u) * r.normal;
    const S normal = r.pressure(), across = (r.force - normal * r.normal).norm();
    if (normal > S(0))
      r.mode = across < t.friction * normal * (S(1) - S(1e-9)) ? TouchMode::sticks : TouchMode::slides;
    all.push_back(r);
  }
  return all;
}
}  // namespace detail

/// The contacts that are closed. Allocates.
template <class Bodies, class S, class... C>
[[nodiscard]] std::vector<TouchReport<S>> touches(
    const assembly::Assembly<Bodies, WithTouching<S, C...>>& problem, const assembly::State<S>& x) {
  auto rates = problem.make_rates();
  problem.rates(x, rates);
  return detail::reports(problem.surfaces(), rates.touching, x);
}

/// The value of an event, and of plots: the least gap of what is near, or infinity [m].
template <class Bodies, class S, class... C>
[[nodiscard]] S smallest_gap(const assembly::Assembly<Bodies, WithTouching<S, C...>>& problem,
                             const assembly::State<S>& x) {
  auto work = problem.make_work();
  S least = std::numeric_limits<S>::infinity();
  problem.find_touches(x, work);
  for (const auto& t : work.touches) least = std::min(least, t.gap);
  return least;
}

/// The force of everything closed between a body and a surface, on the body [N]; none of a body on itself.
/// Plates and drums are surfaces of their own: what is on one that a body bears is not on that body. The
/// force on them is there by their own names.
template <class Bodies, class S, class... C>
[[nodiscard]] Vec<S, 3> touching_force(const assembly::Assembly<Bodies, WithTouching<S, C...>>& problem,
                                       const assembly::State<S>& x, const TouchingSurface& body,
                                       const TouchingSurface& other = {}) {
  Vec<S, 3> total = Vec<S, 3>::Zero();
  for (const auto& t : touches(problem, x)) {
    const TouchingSurface one{TouchingSurface::Kind::body, t.body};
    if (one.among(body) && t.other.among(other)) total += t.force;
    const bool second = t.other == body || t.other.kind == TouchingSurface::Kind::body;
    if (one.among(other) && t.other.among(body) && second) total -= t.force;
  }
  return total;
}

}  // namespace dalembert::contact
