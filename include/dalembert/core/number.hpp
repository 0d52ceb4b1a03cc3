#pragma once

#include <cmath>

#include <dalembert/core/real.hpp>

/// Functions of a number of any type, plain or with derivatives, by their full names: those of the standard library, or those that the type has.
namespace dalembert::number {

/// Whether it is finite, with its derivatives.
template <class T>
[[nodiscard]] bool isfinite(const T& x) {
  using std::isfinite;
  return isfinite(x);
}
/// |x|.
template <class T>
[[nodiscard]] T abs(const T& x) {
  using std::abs;
  return abs(x);
}
/// √x.
template <class T>
[[nodiscard]] T sqrt(const T& x) {
  using std::sqrt;
  return sqrt(x);
}
/// The exponential.
template <class T>
[[nodiscard]] T exp(const T& x) {
  using std::exp;
  return exp(x);
}
/// The sine.
template <class T>
[[nodiscard]] T sin(const T& x) {
  using std::sin;
  return sin(x);
}
/// The cosine.
template <class T>
[[nodiscard]] T cos(const T& x) {
  using std::cos;
  return cos(x);
}
/// The next whole number below.
template <class T>
[[nodiscard]] auto floor(const T& x) {
  using std::floor;
  return floor(value_of(x));
}
/// The nearest whole number.
template <class T>
[[nodiscard]] auto round(const T& x) {
  using std::round;
  return round(value_of(x));
}
/// The number without its derivatives, for messages and errors.
template <class T>
[[nodiscard]] constexpr double plain(const T& x) {
  return static_cast<double>(value_of(x));
}

}  // namespace dalembert::number
