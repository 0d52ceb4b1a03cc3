#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/real.hpp>

/// Three scalars to compute with inside the kernels of groups. An Eigen vector is an array, which compilers
/// keep in memory between two operations; three members stay in registers.
namespace dalembert::detail {

/// (x, y, z).
template <class S>
struct Triple {
  S x, y, z;

  Triple() = default;
  Triple(const S& a, const S& b, const S& c) noexcept : x(a), y(b), z(c) {}
  /// The components of a vector, or of three consecutive ones of it.
  template <class D>
  explicit Triple(const Eigen::DenseBase<D>& v) noexcept
      : x(v.derived().coeff(0)), y(v.derived().coeff(1)), z(v.derived().coeff(2)) {}
  /// The same in other numbers.
  template <class T>
  explicit Triple(const Triple<T>& a) noexcept : x(S(a.x)), y(S(a.y)), z(S(a.z)) {}
  /// Component I.
  template <int I>
  [[nodiscard]] S& at() noexcept {
    if constexpr (I == 0)
      return x;
    else if constexpr (I == 1)
      return y;
    else
      return z;
  }
  /// The same as a column.
  [[nodiscard]] operator Vec<S, 3>() const noexcept { return {x, y, z}; }

  [[nodiscard]] friend Triple operator+(const Triple& a, const Triple& b) noexcept {
    return {S(a.x + b.x), S(a.y + b.y), S(a.z + b.z)};
  }
  [[nodiscard]] friend Triple operator-(const Triple& a, const Triple& b) noexcept {
    return {S(a.x - b.x), S(a.y - b.y), S(a.z - b.z)};
  }
  [[nodiscard]] friend Triple operator-(const Triple& a) noexcept { return {S(-a.x), S(-a.y), S(-a.z)}; }
  [[nodiscard]] friend Triple operator*(const S& s, const Triple& a) noexcept {
    return {S(s * a.x), S(s * a.y), S(s * a.z)};
  }
  [[nodiscard]] friend Triple operator/(const Triple& a, const S& s) noexcept {
    return {S(a.x / s), S(a.y / s), S(a.z / s)};
  }
};
/// Of a vector.
template <class D>
Triple(const Eigen::DenseBase<D>&) -> Triple<typename D::Scalar>;

/// a ← a + b.
template <class S>
void operator+=(Triple<S>& a, const Triple<S>& b) noexcept {
  a = a + b;
}

/// Write the components, one after the other.
template <class S>
void write(const Triple<S>& a, S* to) noexcept {
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

/// Component by component.
template <class S>
[[nodiscard]] Triple<S> scaled(const Triple<S>& by, const Triple<S>& a) noexcept {
  return {S(by.x * a.x), S(by.y * a.y), S(by.z * a.z)};
}

/// a · b.
template <class S>
[[nodiscard]] S dot(const Triple<S>& a, const Triple<S>& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// |a|.
template <class S>
[[nodiscard]] S norm(const Triple<S>& a) noexcept {
  using std::sqrt;
  return sqrt(S(dot(a, a)));
}

/// a × b.
template <class S>
[[nodiscard]] Triple<S> cross(const Triple<S>& a, const Triple<S>& b) noexcept {
  return {S(a.y * b.z - a.z * b.y), S(a.z * b.x - a.x * b.z), S(a.x * b.y - a.y * b.x)};
}

/// a + b × c.
template <class S>
[[nodiscard]] Triple<S> plus_cross(const Vec<S, 3>& a, const Vec<S, 3>& b, const Vec<S, 3>& c) noexcept {
  return Triple<S>(a) + cross(Triple<S>(b), Triple<S>(c));
}

}  // namespace dalembert::detail
