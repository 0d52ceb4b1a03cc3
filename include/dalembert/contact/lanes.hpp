#pragma once

#include <concepts>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/rod/detail/free_motion.hpp>

/// The lanes in which a contact goes over the nodes of its window, and the small vector algebra in them.
namespace dalembert::contact {

using dalembert::detail::difference, dalembert::detail::inner, dalembert::detail::largest,
    dalembert::detail::length, dalembert::detail::Triple;

/// What a loop over the few nodes of a window computes with: at most four at a time, for windows are short.
template <class S>
using Lane = rod::WindowPack<S>;
/// Nodes per pass of such a loop.
template <class S>
inline constexpr int lane_width = static_cast<int>(rod::width_of<Lane<S>>);

namespace detail {

/// The rotation matrices of unit quaternions.
template <class L>
[[nodiscard]] inline Mat<L, 3, 3> rotation_matrix(const rod::detail::Quaternion<L>& q) noexcept {
  const L two(2);
  const L x = two * q.v.x;
  const L y = two * q.v.y;
  const L z = two * q.v.z;
  const L xx = x * q.v.x, yy = y * q.v.y, zz = z * q.v.z;
  const L xy = x * q.v.y, xz = x * q.v.z, yz = y * q.v.z;
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
[[nodiscard]] inline Triple<L> broadcast(const Vec<S, 3>& x) noexcept {
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
[[nodiscard]] inline Mat<L, 3, 3> columns_cross(const Mat<L, 3, 3>& m, const Triple<L>& x) noexcept {
  Mat<L, 3, 3> r;
  for (int j = 0; j < 3; ++j) {
    r(0, j) = m(1, j) * x.z - m(2, j) * x.y;
    r(1, j) = m(2, j) * x.x - m(0, j) * x.z;
    r(2, j) = m(0, j) * x.y - m(1, j) * x.x;
  }
  return r;
}

/// m x, written out.
template <class L>
[[nodiscard]] inline Triple<L> times(const Mat<L, 3, 3>& m, const Triple<L>& a) noexcept {
  return {m(0, 0) * a.x + m(0, 1) * a.y + m(0, 2) * a.z, m(1, 0) * a.x + m(1, 1) * a.y + m(1, 2) * a.z,
          m(2, 0) * a.x + m(2, 1) * a.y + m(2, 2) * a.z};
}
/// mᵀ x, written out.
template <class L>
[[nodiscard]] inline Triple<L> transpose_times(const Mat<L, 3, 3>& m, const Triple<L>& a) noexcept {
  return {m(0, 0) * a.x + m(1, 0) * a.y + m(2, 0) * a.z, m(0, 1) * a.x + m(1, 1) * a.y + m(2, 1) * a.z,
          m(0, 2) * a.x + m(1, 2) * a.y + m(2, 2) * a.z};
}

/// The matrix with these entries, row by row.
template <class S>
[[nodiscard]] inline Mat<S, 2, 2> square(const S& a, const S& b, const S& c, const S& d) noexcept {
  Mat<S, 2, 2> m;
  m(0, 0) = a;
  m(0, 1) = b;
  m(1, 0) = c;
  m(1, 1) = d;
  return m;
}

}  // namespace detail

}  // namespace dalembert::contact
