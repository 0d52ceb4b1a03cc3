#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <tuple>

#include <dalembert/contact/detail/radius.hpp>
#include <dalembert/contact/kernel_average.hpp>

/// Bodies as their surfaces: what a search for places where they touch has to know of rods and balls, and
/// what it finds.
namespace dalembert::contact {

/// What the search has to know of a rod, or of a ball.
template <class S = double, Kernel K = CubicSpline>
struct Tube {
  std::size_t body = 0;                             ///< number of the body
  S radius{};                                       ///< a [m]
  S spacing{};                                      ///< rest length of an element [m]; 0 for a ball
  Eigen::Index nodes = 1;                           ///< nodes of the body
  std::optional<KernelAverage<S, K>> average = {};  ///< how its centreline is averaged; a ball has none
  std::array<S, 2> range{};                         ///< arc lengths whose windows lie on the rod [m]

  /// Rod number `body`, with a kernel of width ℓ [m]. Throws std::invalid_argument as `KernelAverage` does,
  /// and for a radius that is not positive and finite.
  template <class R>
  [[nodiscard]] static Tube of_rod(std::size_t body, const R& rod, S radius, S kernel_width, K kernel = {}) {
    detail::check_radius("Tube", "radius", radius);
    Tube t{body, radius, rod.spacing(), rod.nodes(),
           KernelAverage<S, K>(kernel, kernel_width, rod.spacing(), rod.nodes())};
    // a window must not leave the rod by a rounding of s
    const S half = S(K::reach) * t.average->kernel_width(), length = S(rod.nodes() - 1) * rod.spacing();
    const S margin = S(8) * std::numeric_limits<S>::epsilon() * length;
    t.range = {half + margin, length - half - margin};
    return t;
  }
  /// Ball number `body`, about its one node. Throws std::invalid_argument for a radius that is not positive
  /// and finite.
  [[nodiscard]] static Tube ball(std::size_t body, S radius) {
    detail::check_radius("Tube", "radius", radius);
    return {body, radius};
  }
};

/// How two rods are near each other: they cross there; they lie along each other; or a kernel would reach an
/// end. A ball and whatever it meets count as crossing.
enum class Approach { crossing, parallel, at_end };

/// Where two bodies are near each other.
template <class S = double>
struct NearPlace {
  std::size_t body1 = 0;  ///< the body with the lower number
  S s1{};                 ///< arc length of its unloaded rod [m]; 0 on a ball
  std::size_t body2 = 0;  ///< the other body; the same where a rod meets itself, and then s₁ < s₂
  S s2{};                 ///< likewise
  /// Of the averaged centrelines [m]; of the nodes' chords where it is no crossing, or of a ball.
  S distance{};
  S angle{};                               ///< between the tangents, in [0, π/2]; π/2 for a ball [rad]
  S touching{};                            ///< a₁ + a₂: the distance at which they touch [m]
  Approach approach = Approach::crossing;  ///< how

  /// How far the surfaces are apart, negative where they overlap [m].
  [[nodiscard]] S gap() const noexcept { return distance - touching; }
  /// Lists are in the order of bodies and arc lengths.
  [[nodiscard]] auto order() const noexcept { return std::tie(body1, body2, s1, s2); }
  /// Throws BodiesOverlap, which tells how far they are inside each other.
  [[noreturn, gnu::cold, gnu::noinline]] void throw_overlap(S time) const {
    throw BodiesOverlap(body1, number::plain(s1), body2, number::plain(s2), number::plain(-gap()),
                        number::plain(time));
  }
};

}  // namespace dalembert::contact
