#pragma once

#include <utility>
#include <vector>

#include <dalembert/contact/places.hpp>
#include <dalembert/contact/rolling_contact.hpp>

/// The rolling contacts of rods that were put in place by hand: one for each place at which two of them
/// touch.
namespace dalembert::contact {

/// What was found of rods that touch: what an `Assembly` and its first state are made from.
template <class S = double, Kernel K = CubicSpline>
struct FoundCrossings {
  std::vector<RollingContact<S, K>> crossings;  ///< one for each place
  Vec<S, Eigen::Dynamic> z;                     ///< s₁ and s₂ of each [m]
  std::vector<NearPlace<S>> places;             ///< the same places, with distances and angles
};

/// A rolling contact wherever surfaces are closer than `options.tolerance`: body i of the assembly is
/// rods[i], with the radius radii[i] [m] and a kernel of width ℓ [m]. Throws BodiesOverlap where two
/// overlap by more than the tolerance, ParallelRods where rods touch along a line and their pair is not left
/// out, ContactAtEnd where they touch at an end, std::invalid_argument for chains or radii that do not fit
/// the rods.
template <class R, Kernel K = CubicSpline>
[[nodiscard]] FoundCrossings<typename R::Scalar, K> find_crossings(
    const std::vector<R>& rods, const std::vector<Chain<typename R::Scalar>>& chains,
    const std::vector<typename R::Scalar>& radii, typename R::Scalar kernel_width,
    const PlaceOptions<typename R::Scalar>& options, K kernel = {}, typename R::Scalar time = 0) {
  using S = typename R::Scalar;
  require(radii.size() == rods.size(), "find_crossings", "radii", radii.size(),
          message({"there are ", rods.size(), " rods"}));
  std::vector<Tube<S, K>> tubes;
  for (std::size_t i = 0; i < rods.size(); ++i)
    tubes.push_back(Tube<S, K>::of_rod(i, rods[i], radii[i], kernel_width, kernel));
  PlaceSearch<S, K> search(std::move(tubes), options);
  FoundCrossings<S, K> found;
  found.places = search(chains, time);
  found.z.resize(static_cast<Eigen::Index>(2 * found.places.size()));
  Eigen::Index at = 0;
  for (const NearPlace<S>& place : found.places) {
    if (place.gap() < -options.tolerance) place.throw_overlap(time);
    const auto on = [&](std::size_t body) {
      return CurveMarker<S, K>(body, rods[body], kernel_width, kernel);
    };
    found.crossings.push_back({on(place.body1), on(place.body2), radii[place.body1], radii[place.body2]});
    found.z[at++] = place.s1;
    found.z[at++] = place.s2;
  }
  return found;
}

}  // namespace dalembert::contact
