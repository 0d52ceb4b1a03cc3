#pragma once

/// @file
/// What the kernels and groups of lie/ are measured against: long double, from textbook series and closed forms.

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <dalembert/core/real.hpp>

namespace reference {

using Long = long double;
using dalembert::Mat;
using dalembert::pi;
using dalembert::Vec;

/// Angles from 1e-14 to π − 1e-6: even in the logarithm, even below π, and crowded where polynomials end.
inline std::vector<double> angles(int count = 2000) {
  std::vector<double> all;
  const double top = static_cast<double>(pi) - 1e-6;
  for (int i = 0; i <= count; ++i) {
    const double s = static_cast<double>(i) / count;
    all.push_back(1e-14 * std::pow(top / 1e-14, s));
    all.push_back(top * s);
  }
  for (const double edge :
       {0.5, 1.0, 1.5, 2.0 * std::asin(0.25), 2.0 * std::asin(0.5), 3.0, std::sqrt(10.0)}) {
    for (int i = -20; i <= 20; ++i) {
      const double angle = edge * (1 + 1e-15 * i);
      if (angle < top) all.push_back(angle);
    }
  }
  return all;
}

/// cos√x and sin√x/√x, with the rounding of the root made up for to first order.
inline Long cosine(Long x) {
  const Long r = std::sqrt(x);
  return x == 0 ? 1 : std::cos(r) - std::fma(-r, r, x) / (2 * r) * std::sin(r);
}
inline Long sinc(Long x) {
  const Long r = std::sqrt(x);
  return x == 0 ? 1 : (std::sin(r) + std::fma(-r, r, x) / (2 * r) * std::cos(r)) / r;
}

/// Σ (−x)ⁿ/(2n+k)!, smallest terms first.
inline Long stumpff(int k, Long x) {
  if (k == 0) return cosine(x);
  if (k == 1) return sinc(x);
  std::array<Long, 40> terms{};
  Long term = 1;
  for (int i = 2; i <= k; ++i) term /= i;
  for (std::size_t n = 0; n < terms.size(); ++n) {
    terms[n] = term;
    const Long m = static_cast<Long>(2 * n) + k;
    term *= -x / ((m + 1) * (m + 2));
  }
  Long sum = 0;
  for (std::size_t n = terms.size(); n-- > 0;) sum += terms[n];
  return sum;
}

/// ζ(2n).
inline Long zeta(int n) {
  if (n == 1) return pi * pi / 6;
  if (n == 2) return pi * pi * pi * pi / 90;
  if (n == 3) return pi * pi * pi * pi * pi * pi / 945;
  Long sum = 0;
  for (int k = 400; k > 0; --k) sum += std::pow(static_cast<Long>(k), static_cast<Long>(-2 * n));
  return sum;
}

/// Derivative `order` of (1 − (√x/2)cot(√x/2))/x = Σ 2ζ(2n) x^{n−1}/(4π²)ⁿ, x ≤ 10; all terms are positive.
inline Long cot_remainder(Long x, int order = 0) {
  static const auto c = [] {
    std::array<Long, 60> a{};
    for (int n = 1; n <= 60; ++n) {
      a[static_cast<std::size_t>(n - 1)] = 2 * zeta(n) / std::pow(4 * pi * pi, static_cast<Long>(n));
    }
    return a;
  }();
  Long sum = 0;
  for (std::size_t n = c.size(); n-- > static_cast<std::size_t>(order);) {
    Long factor = c[n];
    for (int i = 0; i < order; ++i) factor *= static_cast<Long>(n) - i;
    sum = sum * x + factor;
  }
  return sum;
}

/// The m-th remainder of asin√σ/√σ = Σ aₙσⁿ, from its series below 0.8 and the closed form above.
inline Long asinc(Long sigma, int m = 0) {
  static const auto a = [] {
    std::array<Long, 300> table{};
    Long b = 1;
    for (std::size_t n = 0; n < table.size(); ++n) {
      const auto k = static_cast<Long>(n);
      table[n] = b / (2 * k + 1);
      b *= (2 * k + 1) / (2 * k + 2);
    }
    return table;
  }();
  const auto first = static_cast<std::size_t>(m);
  if (sigma <= 0.8L) {
    Long sum = 0;
    for (std::size_t n = a.size(); n-- > first;) sum = sum * sigma + a[n];
    return sum;
  }
  const Long root = std::sqrt(sigma);
  Long value = (pi / 2 - std::asin(std::sqrt(1 - sigma))) / root;
  for (std::size_t n = 0; n < first; ++n) value = (value - a[n]) / sigma;
  return value;
}

/// Σ Mⁿ/(n+shift)!: exp for shift 0, the left Jacobian of ad for shift 1.
template <int N>
Mat<Long, N> series(const Mat<Long, N>& m, int shift) {
  Mat<Long, N> sum = Mat<Long, N>::Zero(), power = Mat<Long, N>::Identity();
  Long factorial = 1;
  for (int n = 0; n < 60; ++n) {
    sum += power / factorial;
    power = power * m;
    factorial *= n + 1 + shift;
  }
  return sum;
}

inline Mat<Long, 3> hat(const Vec<Long, 3>& w) {
  Mat<Long, 3> m;
  m << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return m;
}

/// The matrix of an element of se(3), and ad of it.
inline Mat<Long, 4> algebra(const Vec<Long, 6>& xi) {
  Mat<Long, 4> m = Mat<Long, 4>::Zero();
  m.topLeftCorner<3, 3>() = hat(xi.tail<3>());
  m.topRightCorner<3, 1>() = xi.head<3>();
  return m;
}
inline Mat<Long, 6> adjoint(const Vec<Long, 6>& xi) {
  Mat<Long, 6> m = Mat<Long, 6>::Zero();
  m.topLeftCorner<3, 3>() = m.bottomRightCorner<3, 3>() = hat(xi.tail<3>());
  m.topRightCorner<3, 3>() = hat(xi.head<3>());
  return m;
}
/// The same in the plane, on (u, v, ω).
inline Mat<Long, 3> algebra2(const Vec<Long, 3>& xi) {
  Mat<Long, 3> m;
  m << 0, -xi[2], xi[0], xi[2], 0, xi[1], 0, 0, 0;
  return m;
}
inline Mat<Long, 3> adjoint2(const Vec<Long, 3>& xi) {
  Mat<Long, 3> m;
  m << 0, -xi[2], xi[1], xi[2], 0, -xi[0], 0, 0, 0;
  return m;
}

/// log of a quaternion of any length.
inline Vec<Long, 3> log(Long w, const Vec<Long, 3>& v) {
  const Long n = v.norm();
  if (n == 0) return Vec<Long, 3>::Zero();
  const Long sign = w < 0 ? -1 : 1;
  return (2 * sign * std::atan2(n, sign * w) / n) * v;
}

/// |given − expected|/|expected| in the Frobenius norm, in units of the ε of double.
template <class A, class B>
double error(const Eigen::MatrixBase<A>& given, const Eigen::MatrixBase<B>& expected) {
  return static_cast<double>((given.template cast<Long>() - expected).norm() / expected.norm()) /
         std::numeric_limits<double>::epsilon();
}

}  // namespace reference
