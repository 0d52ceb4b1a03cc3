#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/pack_functions.hpp>

/// The standard library's functions of one number for dual numbers, found by their arguments as those of
/// plain numbers are by `using std::sin`. Where a function has no derivative, its derivative is that of one
/// side, or infinite or not-a-number if it grows beyond bounds.
namespace dalembert {

namespace detail {
inline constexpr long double ln2 = 0.693147180559945309417232121458176568L;
inline constexpr long double ln10 = 2.30258509299404568401799145468436421L;
inline constexpr long double two_by_root_pi = 1.12837916709551257389615890312154517L;
}  // namespace detail

/// √x, x > 0 for its derivative.
template <class T, int N>
[[nodiscard]] Dual<T, N> sqrt(const Dual<T, N>& x) {
  using std::sqrt;
  const T root = sqrt(x.value());
  return chain(root, 1 / (2 * root), x);
}
/// The cube root of x.
template <class T, int N>
[[nodiscard]] Dual<T, N> cbrt(const Dual<T, N>& x) {
  using std::cbrt;
  const T root = cbrt(x.value());
  return chain(root, 1 / (3 * root * root), x);
}
/// eˣ.
template <class T, int N>
[[nodiscard]] Dual<T, N> exp(const Dual<T, N>& x) {
  using std::exp;
  const T power = exp(x.value());
  return chain(power, power, x);
}
/// 2ˣ.
template <class T, int N>
[[nodiscard]] Dual<T, N> exp2(const Dual<T, N>& x) {
  using std::exp2;
  const T power = exp2(x.value());
  return chain(power, constant<T>(detail::ln2) * power, x);
}
/// eˣ − 1, accurate near 0.
template <class T, int N>
[[nodiscard]] Dual<T, N> expm1(const Dual<T, N>& x) {
  using std::expm1;
  const T power = expm1(x.value());
  return chain(power, power + 1, x);
}
/// The natural logarithm of x.
template <class T, int N>
[[nodiscard]] Dual<T, N> log(const Dual<T, N>& x) {
  using std::log;
  return chain(log(x.value()), 1 / x.value(), x);
}
/// The logarithm of x to base 2.
template <class T, int N>
[[nodiscard]] Dual<T, N> log2(const Dual<T, N>& x) {
  using std::log2;
  return chain(log2(x.value()), 1 / (constant<T>(detail::ln2) * x.value()), x);
}
/// The logarithm of x to base 10.
template <class T, int N>
[[nodiscard]] Dual<T, N> log10(const Dual<T, N>& x) {
  using std::log10;
  return chain(log10(x.value()), 1 / (constant<T>(detail::ln10) * x.value()), x);
}
/// The natural logarithm of 1 + x, accurate near 0.
template <class T, int N>
[[nodiscard]] Dual<T, N> log1p(const Dual<T, N>& x) {
  using std::log1p;
  return chain(log1p(x.value()), 1 / (1 + x.value()), x);
}
/// The sine of x [rad].
template <class T, int N>
[[nodiscard]] Dual<T, N> sin(const Dual<T, N>& x) {
  using std::cos, std::sin;
  return chain(sin(x.value()), cos(x.value()), x);
}
/// The cosine of x [rad].
template <class T, int N>
[[nodiscard]] Dual<T, N> cos(const Dual<T, N>& x) {
  using std::cos, std::sin;
  return chain(cos(x.value()), -sin(x.value()), x);
}
/// The tangent of x [rad].
template <class T, int N>
[[nodiscard]] Dual<T, N> tan(const Dual<T, N>& x) {
  using std::tan;
  const T slope = tan(x.value());
  return chain(slope, 1 + slope * slope, x);
}
/// The angle in [−π/2, π/2] whose sine is x.
template <class T, int N>
[[nodiscard]] Dual<T, N> asin(const Dual<T, N>& x) {
  using std::asin, std::sqrt;
  return chain(asin(x.value()), 1 / sqrt((1 - x.value()) * (1 + x.value())), x);
}
/// The angle in [0, π] whose cosine is x.
template <class T, int N>
[[nodiscard]] Dual<T, N> acos(const Dual<T, N>& x) {
  using std::acos, std::sqrt;
  return chain(acos(x.value()), -1 / sqrt((1 - x.value()) * (1 + x.value())), x);
}
/// The angle in (−π/2, π/2) whose tangent is x.
template <class T, int N>
[[nodiscard]] Dual<T, N> atan(const Dual<T, N>& x) {
  using std::atan;
  return chain(atan(x.value()), 1 / (1 + x.value() * x.value()), x);
}
/// The hyperbolic sine.
template <class T, int N>
[[nodiscard]] Dual<T, N> sinh(const Dual<T, N>& x) {
  using std::cosh, std::sinh;
  return chain(sinh(x.value()), cosh(x.value()), x);
}
/// The hyperbolic cosine.
template <class T, int N>
[[nodiscard]] Dual<T, N> cosh(const Dual<T, N>& x) {
  using std::cosh, std::sinh;
  return chain(cosh(x.value()), sinh(x.value()), x);
}
/// The hyperbolic tangent.
template <class T, int N>
[[nodiscard]] Dual<T, N> tanh(const Dual<T, N>& x) {
  using std::cosh, std::tanh;
  const T c = cosh(x.value());
  return chain(tanh(x.value()), 1 / (c * c), x);
}
/// The inverse of sinh.
template <class T, int N>
[[nodiscard]] Dual<T, N> asinh(const Dual<T, N>& x) {
  using std::asinh, std::sqrt;
  return chain(asinh(x.value()), 1 / sqrt(1 + x.value() * x.value()), x);
}
/// The inverse of cosh for x > 1.
template <class T, int N>
[[nodiscard]] Dual<T, N> acosh(const Dual<T, N>& x) {
  using std::acosh, std::sqrt;
  return chain(acosh(x.value()), 1 / (sqrt(x.value() - 1) * sqrt(x.value() + 1)), x);
}
/// The inverse of tanh for |x| < 1.
template <class T, int N>
[[nodiscard]] Dual<T, N> atanh(const Dual<T, N>& x) {
  using std::atanh;
  return chain(atanh(x.value()), 1 / ((1 - x.value()) * (1 + x.value())), x);
}
/// The error function, 2/√π ∫₀ˣ exp(−s²) ds.
template <class T, int N>
[[nodiscard]] Dual<T, N> erf(const Dual<T, N>& x) {
  using std::erf, std::exp;
  return chain(erf(x.value()), constant<T>(detail::two_by_root_pi) * exp(-x.value() * x.value()), x);
}
/// 1 − erf x, accurate for large x.
template <class T, int N>
[[nodiscard]] Dual<T, N> erfc(const Dual<T, N>& x) {
  using std::erfc, std::exp;
  return chain(erfc(x.value()), -constant<T>(detail::two_by_root_pi) * exp(-x.value() * x.value()), x);
}
/// The largest whole number that is not above x: a constant between its steps, as those below.
template <class T, int N>
[[nodiscard]] Dual<T, N> floor(const Dual<T, N>& x) {
  using std::floor;
  return floor(x.value());
}
/// The smallest whole number that is not below x.
template <class T, int N>
[[nodiscard]] Dual<T, N> ceil(const Dual<T, N>& x) {
  using std::ceil;
  return ceil(x.value());
}
/// x without what follows the decimal point.
template <class T, int N>
[[nodiscard]] Dual<T, N> trunc(const Dual<T, N>& x) {
  using std::trunc;
  return trunc(x.value());
}
/// The nearest whole number, away from 0 in the middle.
template <class T, int N>
[[nodiscard]] Dual<T, N> round(const Dual<T, N>& x) {
  using std::round;
  return round(x.value());
}
/// The nearest whole number, the even one in the middle.
template <class T, int N>
[[nodiscard]] Dual<T, N> rint(const Dual<T, N>& x) {
  using std::rint;
  return rint(x.value());
}
/// |x|; its derivative at 0 is that of x.
template <class T, int N>
[[nodiscard]] Dual<T, N> abs(const Dual<T, N>& x) {
  return select(x.value() < T(0), -x, x);
}
/// |x|, as `abs`.
template <class T, int N>
[[nodiscard]] Dual<T, N> fabs(const Dual<T, N>& x) {
  return abs(x);
}

/// Whether the value and all derivatives are finite.
template <class T, int N>
[[nodiscard]] bool isfinite(const Dual<T, N>& x) {
  using std::isfinite;
  bool finite = isfinite(x.value());
  for (int i = 0; i < N; ++i) finite = finite && isfinite(x.derivative(i));
  return finite;
}
/// Whether the value or a derivative is not-a-number.
template <class T, int N>
[[nodiscard]] bool isnan(const Dual<T, N>& x) {
  using std::isnan;
  bool found = isnan(x.value());
  for (int i = 0; i < N; ++i) found = found || isnan(x.derivative(i));
  return found;
}
/// Whether the value or a derivative is infinite.
template <class T, int N>
[[nodiscard]] bool isinf(const Dual<T, N>& x) {
  using std::isinf;
  bool found = isinf(x.value());
  for (int i = 0; i < N; ++i) found = found || isinf(x.derivative(i));
  return found;
}
/// Whether the value bears a minus sign.
template <class T, int N>
[[nodiscard]] bool signbit(const Dual<T, N>& x) {
  using std::signbit;
  return signbit(x.value());
}

}  // namespace dalembert
