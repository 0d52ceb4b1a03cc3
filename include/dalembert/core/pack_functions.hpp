#pragma once

#include <type_traits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/pack.hpp>

/// The standard library's functions for packs, lane by lane. They are not quick: an inner loop keeps to those
/// of core/pack.hpp.
namespace dalembert {

/// The cube root, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> cbrt(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::cbrt(x); });
}
/// eˣ, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> exp(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::exp(x); });
}
/// 2ˣ, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> exp2(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::exp2(x); });
}
/// eˣ − 1, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> expm1(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::expm1(x); });
}
/// The natural logarithm, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> log(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::log(x); });
}
/// The logarithm to base 2, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> log2(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::log2(x); });
}
/// The logarithm to base 10, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> log10(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::log10(x); });
}
/// The natural logarithm of 1 + x, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> log1p(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::log1p(x); });
}
/// The tangent, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> tan(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::tan(x); });
}
/// The angle in [−π/2, π/2] with this sine, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> asin(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::asin(x); });
}
/// The angle in [0, π] with this cosine, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> acos(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::acos(x); });
}
/// The angle in (−π/2, π/2) with this tangent, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> atan(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::atan(x); });
}
/// The hyperbolic sine, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> sinh(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::sinh(x); });
}
/// The hyperbolic cosine, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> cosh(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::cosh(x); });
}
/// The hyperbolic tangent, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> tanh(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::tanh(x); });
}
/// The inverse of sinh, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> asinh(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::asinh(x); });
}
/// The inverse of cosh, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> acosh(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::acosh(x); });
}
/// The inverse of tanh, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> atanh(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::atanh(x); });
}
/// The error function, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> erf(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::erf(x); });
}
/// 1 − erf, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> erfc(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::erfc(x); });
}
/// The largest whole number that is not above, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> floor(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::floor(x); });
}
/// The smallest whole number that is not below, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> ceil(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::ceil(x); });
}
/// The number without what follows the decimal point, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> trunc(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::trunc(x); });
}
/// The nearest whole number, away from 0 in the middle, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> round(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::round(x); });
}
/// The nearest whole number, the even one in the middle, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> rint(Pack<T, W> a) {
  return each_lane(a, [](T x) { return std::rint(x); });
}
/// a to the power b, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> pow(Pack<T, W> a, std::type_identity_t<Pack<T, W>> b) {
  for (int i = 0; i < W; ++i) a.set(i, std::pow(a[i], b[i]));
  return a;
}
/// √(a² + b²), lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> hypot(Pack<T, W> a, std::type_identity_t<Pack<T, W>> b) {
  for (int i = 0; i < W; ++i) a.set(i, std::hypot(a[i], b[i]));
  return a;
}
/// What is left of a after it was divided by b, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> fmod(Pack<T, W> a, std::type_identity_t<Pack<T, W>> b) {
  for (int i = 0; i < W; ++i) a.set(i, std::fmod(a[i], b[i]));
  return a;
}
/// |a| with the sign of b, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> copysign(Pack<T, W> a, std::type_identity_t<Pack<T, W>> b) {
  for (int i = 0; i < W; ++i) a.set(i, std::copysign(a[i], b[i]));
  return a;
}
/// xy + z, lane by lane.
template <class T, int W>
[[nodiscard]] Pack<T, W> fma(Pack<T, W> x, Pack<T, W> y, Pack<T, W> z) {
  for (int i = 0; i < W; ++i) x.set(i, std::fma(x[i], y[i], z[i]));
  return x;
}

}  // namespace dalembert
