#pragma once

#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/rod/chain.hpp>
#include <dalembert/rod/straight.hpp>

/// A rod that is laid along given points.
namespace dalembert::rod {

/// A chain at rest with a node at each point [m]: e₃ of a node lies along the mean direction of the segments
/// that meet there, and frames are carried along in parallel, by the smallest rotation from node to node, so
/// that they do not twist. `normal` is the side of e₁ at the first node, as `Straight` has it. Throws
/// std::invalid_argument for fewer than two points, points that are not finite, one that is the one before,
/// and segments that turn back.
template <class S>
[[nodiscard]] Chain<S> laid_along(const std::vector<Vec<S, 3>>& points,
                                  const Vec<S, 3>& normal = Vec<S, 3>::Zero()) {
  using V = Vec<S, 3>;
  const std::size_t n = points.size();
  require(n >= 2, "laid_along", "points", n, "a rod has at least two nodes");
  Chain<S> chain(static_cast<Eigen::Index>(n));
  SO3<S> frame = SO3<S>::identity();
  V before = V::Zero();
  for (std::size_t k = 0; k < n; ++k) {
    V along = V::Zero();
    for (const std::size_t first : {k > 0 ? k - 1 : k, k}) {  // the segments that meet here
      if (first + 1 >= n || (first == k && k > 0 && k + 1 == n)) continue;
      const V segment = points[first + 1] - points[first];
      const S length = segment.norm();
      require_entry(length > S(0) && number::isfinite(length), "laid_along", "length of segment", first,
                    length, "points must be finite and apart [m]");
      along += segment / length;
    }
    const S size = along.norm();
    require_entry(size > S(1e-6), "laid_along", "turn at point", k, "half a turn",
                  "a rod must not turn back");
    along /= size;
    if (k == 0) {
      frame = Straight<S>{.direction = along, .normal = normal}.frame();
    } else {
      const V axis = before.cross(along);
      const S w = S(1) + before.dot(along);
      require_entry(w > S(1e-6), "laid_along", "turn at point", k, "half a turn", "a rod must not turn back");
      frame = SO3<S>::from_quaternion(w, axis) * frame;
    }
    chain.set_frame(static_cast<Eigen::Index>(k), frame, points[k]);
    before = along;
  }
  return chain;
}

}  // namespace dalembert::rod
