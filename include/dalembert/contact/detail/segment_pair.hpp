#pragma once

#include <algorithm>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/real.hpp>

/// The least distance of two straight segments.
namespace dalembert::contact::detail {

/// The closest points r + u d, q + v e of two segments, 0 ≤ u, v ≤ 1. Segments of no length are points.
template <class S>
struct SegmentPair {
  S u{}, v{}, square{};  // square of the distance

  SegmentPair() = default;
  SegmentPair(const Vec<S, 3>& r, const Vec<S, 3>& d, const Vec<S, 3>& q, const Vec<S, 3>& e) {
    using dalembert::detail::inner;
    Vec<S, 3> w = dalembert::detail::difference(r, q);
    const S dd = inner(d, d), ee = inner(e, e), de = inner(d, e), dw = inner(d, w), ew = inner(e, w);
    const auto unit = [](S x) { return std::clamp(x, S(0), S(1)); };
    const S det = dd * ee - de * de;
    u = det > S(0) ? unit((de * ew - dw * ee) / det) : ee > S(0) || !(dd > S(0)) ? S(0) : unit(-dw / dd);
    v = ee > S(0) ? (de * u + ew) / ee : S(0);
    if (!(v >= S(0) && v <= S(1))) {
      v = unit(v);
      u = dd > S(0) ? unit((de * v - dw) / dd) : S(0);
    }
    dalembert::detail::add_scaled(w, u, d);
    dalembert::detail::add_scaled(w, S(-v), e);
    square = inner(w, w);
  }
};

}  // namespace dalembert::contact::detail
