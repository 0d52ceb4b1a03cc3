#pragma once

#include <cmath>

#include <dalembert/core/dual.hpp>
#include <dalembert/core/pack_functions.hpp>

/// The functions of <cmath> for dual numbers, found by their arguments as those of plain numbers are by `using std::sin`.
/// Where a function has no derivative, its derivative is that of one side, or infinite or not-a-number if it grows beyond bounds.
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

namespace detail {
/// The type that holds an A and a B, if one of them is a constant of the other.
template <class A, class B>
using Wider = std::conditional_t<ConstantOf<B, A>, A, B>;
/// The dual number that all the operands are or are constants of; without one, a function drops out of the overloads.
template <class D, class... Operand>
  requires(DualReal<D> && (ConstantOf<Operand, D> && ...))
using DualOf = D;
template <class A, class B>
using CommonOfTwo = DualOf<Wider<A, B>, A, B>;
template <class A, class B, class C>
using CommonOfThree = DualOf<Wider<Wider<A, B>, C>, A, B, C>;

/// What a number is worth to a dual number over T: its value, or the constant that it is.
template <class D, class U>
[[nodiscard]] constexpr typename D::Scalar value_for(const U& x) noexcept {
  if constexpr (std::same_as<U, D>)
    return x.value();
  else
    return operand<typename D::Scalar>(x);
}
/// (2) for a function of two numbers, of which one may be a constant.
template <class D, class A, class B>
[[nodiscard]] constexpr D chain_two(const typename D::Scalar& f, const typename D::Scalar& along_a,
                                    const A& a, const typename D::Scalar& along_b, const B& b) noexcept {
  if constexpr (!std::same_as<A, D>)
    return chain(f, along_b, b);
  else if constexpr (!std::same_as<B, D>)
    return chain(f, along_a, a);
  else
    return chain(f, along_a, a, along_b, b);
}
}  // namespace detail

/// The angle of the point (x, y), in (−π, π].
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D atan2(const A& y, const B& x) {
  using std::atan2;
  using T = typename D::Scalar;
  const T b = detail::value_for<D>(y), a = detail::value_for<D>(x), inverse = 1 / (a * a + b * b);
  return detail::chain_two<D>(atan2(b, a), a * inverse, y, -b * inverse, x);
}
/// √(x² + y²), for arguments that are not both 0.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D hypot(const A& x, const B& y) {
  using std::hypot;
  using T = typename D::Scalar;
  const T a = detail::value_for<D>(x), b = detail::value_for<D>(y), length = hypot(a, b);
  return detail::chain_two<D>(length, a / length, x, b / length, y);
}
/// √(x² + y² + z²), for arguments that are not all 0.
template <class A, class B, class C, class D = detail::CommonOfThree<A, B, C>>
[[nodiscard]] D hypot(const A& x, const B& y, const C& z) {
  using std::hypot;
  using T = typename D::Scalar;
  const D a(x), b(y), c(z);
  const T length = hypot(a.value(), hypot(b.value(), c.value()));
  return chain(length, a.value() / length, a, b.value() / length, b) + chain(T(0), c.value() / length, c);
}
/// x to the power y. Where the power is a constant, x may be negative or 0 as for plain numbers; else x > 0.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D pow(const A& x, const B& y) {
  using std::log, std::pow;
  using T = typename D::Scalar;
  if constexpr (std::same_as<A, D> && std::same_as<B, D>) {
    const T power = pow(x.value(), y.value());
    return chain(power, y.value() * pow(x.value(), y.value() - 1), x, power * log(x.value()), y);
  } else if constexpr (std::same_as<A, D>) {
    const auto& n = detail::operand<T>(y);
    if constexpr (PlainReal<Value<T>>)
      if (value_of(T(n)) == 0) return T(1);
    return chain(T(pow(x.value(), n)), T(n * pow(x.value(), n - 1)), x);
  } else {
    const T base(detail::operand<T>(x)), power = pow(base, y.value());
    return chain(power, power * log(base), y);
  }
}
/// What is left of x after it was divided by y, with the sign of x.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D fmod(const A& x, const B& y) {
  using std::fmod, std::trunc;
  using T = typename D::Scalar;
  const T a = detail::value_for<D>(x), b = detail::value_for<D>(y);
  return detail::chain_two<D>(fmod(a, b), T(1), x, -trunc(a / b), y);
}
/// |x| with the sign of y.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D copysign(const A& x, const B& y) {
  using std::copysign;
  using T = typename D::Scalar;
  const T a = detail::value_for<D>(x), b = detail::value_for<D>(y);
  return detail::chain_two<D>(copysign(a, b), copysign(T(1), a) * copysign(T(1), b), x, T(0), y);
}
/// The smaller number.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D min(const A& x, const B& y) {
  return select(detail::value_for<D>(y) < detail::value_for<D>(x), D(y), D(x));
}
/// The larger number.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D max(const A& x, const B& y) {
  return select(detail::value_for<D>(x) < detail::value_for<D>(y), D(y), D(x));
}
/// The smaller number; that which is a number, if one is not.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D fmin(const A& x, const B& y) {
  const D a(x), b(y);
  return !(a == a) || b < a ? b : a;
}
/// The larger number; that which is a number, if one is not.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D fmax(const A& x, const B& y) {
  const D a(x), b(y);
  return !(a == a) || a < b ? b : a;
}
/// xy + z.
template <class A, class B, class C, class D = detail::CommonOfThree<A, B, C>>
[[nodiscard]] D fma(const A& x, const B& y, const C& z) {
  using std::fma;
  const D a(x), b(y), c(z);
  return D(fma(a.value(), b.value(), c.value()), (a * b + c).derivatives());
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
