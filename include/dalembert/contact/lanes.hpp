#pragma once

#include <algorithm>
#include <concepts>

#include <dalembert/rod/free_motion.hpp>

/// The lanes in which a contact goes over the nodes of its window, and the small vector algebra in them.
namespace dalembert::contact {

namespace detail {
template <class S>
struct LaneOf {
  using type = S;
  static constexpr int width = 1;
};
template <std::floating_point S>
  requires(rod::lane_width<S> > 1)
struct LaneOf<S> {
  static constexpr int width = std::min(4, rod::lane_width<S>);
  using type = Pack<S, width>;
};
}  // namespace detail

/// What a loop over the few nodes of a window computes with: at most four at a time, for windows are short.
template <class S>
using Lane = typename detail::LaneOf<S>::type;
/// Nodes per pass of such a loop.
template <class S>
inline constexpr int lane_width = detail::LaneOf<S>::width;

namespace detail {

/// The rotation matrices of unit quaternions.
template <class L>
[[nodiscard]] inline Mat<L, 3, 3> rotation_matrix(const rod::detail::Quaternion<L>& q) noexcept {
  const L two(2);
  const L x = two * q.v[0];
  const L y = two * q.v[1];
  const L z = two * q.v[2];
  const L xx = x * q.v[0], yy = y * q.v[1], zz = z * q.v[2];
  const L xy = x * q.v[1], xz = x * q.v[2], yz = y * q.v[2];
  const L wx = x * q.w, wy = y * q.w, wz = z * q.w;
  const L one(1);
  Mat<L, 3, 3> m;
  m(0, 0) = one - yy - zz;
  m(0, 1) = xy - wz;
  m(0, 2) = xz + wy;
  m(1, 0) = xy + wz;
  m(1, 1) = one - xx - zz;
  m(1, 2) = yz - wx;
  m(2, 0) = xz - wy;
  m(2, 1) = yz + wx;
  m(2, 2) = one - xx - yy;
  return m;
}

/// Lanes of a spatial vector.
template <class L, class S>
[[nodiscard]] inline Vec<L, 3> broadcast(const Vec<S, 3>& x) noexcept {
  return {L(x[0]), L(x[1]), L(x[2])};
}

/// Lanes of a matrix.
template <class L, class S>
[[nodiscard]] inline Mat<L, 3, 3> broadcast(const Mat<S, 3, 3>& x) noexcept {
  Mat<L, 3, 3> m;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) m(i, j) = L(x(i, j));
  return m;
}

/// −x̂ M: each column c of M becomes c × x.
template <class L>
[[nodiscard]] inline Mat<L, 3, 3> columns_cross(const Mat<L, 3, 3>& m, const Vec<L, 3>& x) noexcept {
  Mat<L, 3, 3> r;
  for (int j = 0; j < 3; ++j) {
    r(0, j) = m(1, j) * x[2] - m(2, j) * x[1];
    r(1, j) = m(2, j) * x[0] - m(0, j) * x[2];
    r(2, j) = m(0, j) * x[1] - m(1, j) * x[0];
  }
  return r;
}

/// m x, written out.
template <class L>
[[nodiscard]] inline Vec<L, 3> times(const Mat<L, 3, 3>& m, const Vec<L, 3>& x) noexcept {
  return {m(0, 0) * x[0] + m(0, 1) * x[1] + m(0, 2) * x[2], m(1, 0) * x[0] + m(1, 1) * x[1] + m(1, 2) * x[2],
          m(2, 0) * x[0] + m(2, 1) * x[1] + m(2, 2) * x[2]};
}
/// mᵀ x, written out.
template <class L>
[[nodiscard]] inline Vec<L, 3> transpose_times(const Mat<L, 3, 3>& m, const Vec<L, 3>& x) noexcept {
  return {m(0, 0) * x[0] + m(1, 0) * x[1] + m(2, 0) * x[2], m(0, 1) * x[0] + m(1, 1) * x[1] + m(2, 1) * x[2],
          m(0, 2) * x[0] + m(1, 2) * x[1] + m(2, 2) * x[2]};
}

/// The symmetric matrix with these entries: (0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2).
template <class S>
[[nodiscard]] inline Mat<S, 3, 3> symmetric(const Vec<S, 6>& x) noexcept {
  Mat<S, 3, 3> m;
  m << x[0], x[1], x[3], x[1], x[2], x[4], x[3], x[4], x[5];
  return m;
}

/// M⁻¹ of a symmetric M, by cofactors.
template <class S>
[[nodiscard]] inline Mat<S, 3, 3> symmetric_inverse(const Mat<S, 3, 3>& m) noexcept {
  const S a = m(0, 0), b = m(1, 1), c = m(2, 2);
  const S d = m(1, 2), e = m(0, 2), f = m(0, 1);
  const S aa = b * c - d * d, bb = c * a - e * e, cc = a * b - f * f;
  const S dd = e * f - a * d, ee = f * d - b * e, ff = d * e - c * f;
  const S scale = S(1) / (a * aa + f * ff + e * ee);
  Mat<S, 3, 3> inverse;
  inverse << scale * aa, scale * ff, scale * ee, scale * ff, scale * bb, scale * dd, scale * ee, scale * dd,
      scale * cc;
  return inverse;
}

}  // namespace detail

}  // namespace dalembert::contact
