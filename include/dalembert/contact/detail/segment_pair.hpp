#pragma once

#include <algorithm>

#include <dalembert/core/real.hpp>

/// The least distance of two straight segments.
namespace dalembert::contact::detail {

/// The closest points r + u d, q + v e of two segments, 0 ≤ u, v ≤ 1. Segments of no length are points.
template <class S>
struct SegmentPair {
  S u{}, v{}, square{};  // square of the distance

  SegmentPair(const Vec<S, 3>& r, const Vec<S, 3>& d, const Vec<S, 3>& q, const Vec<S, 3>& e) {
    const Vec<S, 3> w = r - q;
    const S dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), dw = d.dot(w), ew = e.dot(w);
    const auto unit = [](S x) { return std::clamp(x, S(0), S(1)); };
    const S det = dd * ee - de * de;
    u = det > S(0) ? unit((de * ew - dw * ee) / det) : ee > S(0) || !(dd > S(0)) ? S(0) : unit(-dw / dd);
    v = ee > S(0) ? (de * u + ew) / ee : S(0);
    if (!(v >= S(0) && v <= S(1))) {
      v = unit(v);
      u = dd > S(0) ? unit((de * v - dw) / dd) : S(0);
    }
    square = (w + u * d - v * e).squaredNorm();
  }
};

}  // namespace dalembert::contact::detail
