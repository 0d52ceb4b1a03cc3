#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/contact/tube.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/lie/detail/triple.hpp>

/// Where two averaged centrelines come closest, from a guess: step 3 of contact/places.hpp.
namespace dalembert::contact::detail {

/// The place at which D = ½|κ|² has a minimum, from a guess, by Newton's method, by at most an element at
/// a time; where D is not convex its Gauss–Newton slope takes over. `place` is where it ends.
template <class S, Kernel K>
[[nodiscard, gnu::noinline]] Approach find_least_distance(const rod::Chain<S>& a, const rod::Chain<S>& b,
                                                          const Tube<S, K>& tube1, const Tube<S, K>& tube2,
                                                          NearPlace<S>& place, double time) {
  constexpr S parallel = S(4e-4);  // of the squared sine of the angle
  const auto keep = [](S s, const Tube<S, K>& tube) { return std::clamp(s, tube.range[0], tube.range[1]); };
  S& s1 = place.s1;
  S& s2 = place.s2;
  s1 = keep(s1, tube1), s2 = keep(s2, tube2);
  for (int iteration = 0; iteration < 50; ++iteration) {
    const auto x = tube1.average->at(a, s1, time, static_cast<int>(tube1.body) + 1);
    const auto y = tube2.average->at(b, s2, time, static_cast<int>(tube2.body) + 1);
    using Triple = dalembert::detail::Triple<S>;
    const Triple kappa = Triple(y.R) - Triple(x.R), dx(x.dR), dy(y.dR);
    const S g1 = -dot(kappa, dx), g2 = dot(kappa, dy);
    const S aa = dot(dx, dx), bb = dot(dy, dy), ab = -dot(dx, dy);
    S h11 = aa - dot(kappa, Triple(x.ddR)), h22 = bb + dot(kappa, Triple(y.ddR));
    place.distance = norm(kappa);
    place.angle = std::atan2(norm(cross(dx, dy)), number::abs(ab));
    if (aa * bb - ab * ab <= parallel * aa * bb) return Approach::parallel;
    const bool convex = h11 > S(0) && h11 * h22 - ab * ab > S(1e-3) * aa * bb;
    if (!convex) h11 = aa, h22 = bb;
    const S det = h11 * h22 - ab * ab;
    S d1 = (ab * g2 - h22 * g1) / det, d2 = (ab * g1 - h11 * g2) / det;
    const S longest = std::max(number::abs(d1) / tube1.spacing, number::abs(d2) / tube2.spacing);
    if (longest > S(1)) d1 /= longest, d2 /= longest;
    const S to1 = keep(s1 + d1, tube1), to2 = keep(s2 + d2, tube2);
    const S moved = std::max(number::abs(to1 - s1) / tube1.spacing, number::abs(to2 - s2) / tube2.spacing);
    const bool blocked = to1 != s1 + d1 || to2 != s2 + d2;
    s1 = to1, s2 = to2;
    // the rounding of positions and arc lengths is worth so many elements
    const S size = std::max(std::max(number::abs(x.R[0]), number::abs(x.R[1])), number::abs(x.R[2]));
    const S rounding = S(std::max(a.nodes, b.nodes)) + size / std::min(tube1.spacing, tube2.spacing);
    if (moved <= S(64) * std::numeric_limits<S>::epsilon() * rounding) {
      if (blocked) return Approach::at_end;
      return convex ? Approach::crossing : Approach::parallel;
    }
  }
  return Approach::parallel;
}

}  // namespace dalembert::contact::detail
