#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/real.hpp>

/// Functions of a number of any type, plain or with derivatives, by their full names: those of the standard
/// library, or those that the type has.
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
/// The natural logarithm.
template <class T>
[[nodiscard]] T log(const T& x) {
  using std::log;
  return log(x);
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
/// The type of a number without its derivatives.
template <class T>
using Plain = std::remove_cvref_t<decltype(value_of(std::declval<const T&>()))>;
/// The number without its derivatives, for messages and errors.
template <class T>
[[nodiscard]] constexpr double plain(const T& x) {
  return static_cast<double>(value_of(x));
}

/// How many times a T carries derivatives: 0 for a plain number, 1 for a dual one, 2 for a dual one of these.
/// Newton's method needs as many steps more once the values have arrived.
template <class T>
inline constexpr int derivative_order = 0;
/// Of dual numbers: one more than of what they are made of.
template <class T, int N>
inline constexpr int derivative_order<Dual<T, N>> = derivative_order<T> + 1;

/// How many plain numbers a T consists of: its value, then all derivatives.
template <class T>
inline constexpr int part_count = 1;
/// Of dual numbers: those of the value and of each derivative.
template <class T, int N>
inline constexpr int part_count<Dual<T, N>> = part_count<T>*(1 + N);
/// One of them, from 0 on, which is the value.
template <class T>
[[nodiscard]] constexpr Plain<T> part(const T& x, int i) {
  if constexpr (DualReal<T>) {
    constexpr int inner = part_count<T> / (1 + T::size);
    return i < inner ? part(x.value(), i) : part(x.derivative(i / inner - 1), i % inner);
  } else {
    return x;
  }
}
/// Change one of them.
template <class T>
constexpr void set_part(T& x, int i, const Plain<T>& to) {
  if constexpr (DualReal<T>) {
    constexpr int inner = part_count<T> / (1 + T::size);
    if (i < inner) return set_part(x.value(), i, to);
    auto derivative = x.derivative(i / inner - 1);
    set_part(derivative, i % inner, to);
    x.set_derivative(i / inner - 1, derivative);
  } else {
    x = to;
  }
}

/// The number as a constant: the derivatives are zero. For bounds and sizes, which decide and are not
/// differentiated.
template <class T>
[[nodiscard]] constexpr T as_constant(const T& x) {
  if constexpr (DualReal<T>)
    return T(value_of(x));
  else
    return x;
}

/// Whether x is zero with all its derivatives, in every lane; of a column, whether all its numbers are. What
/// it multiplies may then be left out, which a comparison x == 0 does not say: that sees values only.
template <class T>
[[nodiscard]] constexpr bool is_zero(const T& x) {
  bool zero = true;
  if constexpr (requires { x.coeff(0); }) {
    for (Eigen::Index i = 0; i < x.size(); ++i) zero = zero && is_zero(x.coeff(i));
  } else if constexpr (requires { x.is_constant(); }) {
    zero = x.is_constant() && is_zero(x.value());
  } else if constexpr (requires { x.derivative(0); }) {
    zero = is_zero(x.value());
    for (int i = 0; i < T::size; ++i) zero = zero && is_zero(x.derivative(i));
  } else if constexpr (PackReal<T>) {
    zero = all_lanes(x >= T(0)) && all_lanes(x <= T(0));
  } else {
    zero = x == T(0);
  }
  return zero;
}
/// Whether two numbers are equal with all their derivatives.
template <class T>
[[nodiscard]] constexpr bool equal(const T& a, const T& b) {
  if constexpr (PlainReal<T>)
    return a == b;
  else
    return is_zero(T(a - b));
}
/// The larger of `most` and x, kept in `most`; not-a-number as soon as one of them is.
template <class T>
constexpr void keep_larger(T& most, const T& x) noexcept {
  if (!(x <= most) && most == most) most = x;
}
/// What is next to nothing beside one, but not below what rounding leaves of numbers of this type.
template <class T>
[[nodiscard]] constexpr T above_rounding(T next_to_nothing) noexcept {
  return std::max(next_to_nothing, T(64) * std::numeric_limits<T>::epsilon());
}

}  // namespace dalembert::number
