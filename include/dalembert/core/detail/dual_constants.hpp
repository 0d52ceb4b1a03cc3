#pragma once

#include <concepts>
#include <type_traits>

#include <dalembert/core/real.hpp>

/// What can stand beside a dual number as a constant.
namespace dalembert::detail {

/// Whether a U can stand for a constant of a number over T: T itself, what is inside it, or a plain number.
template <class U, class T>
struct IsConstantOf : std::bool_constant<std::is_arithmetic_v<U> || std::same_as<U, T>> {};
template <class U, class T, int N>
struct IsConstantOf<U, Dual<T, N>>
    : std::bool_constant<std::same_as<U, Dual<T, N>> || IsConstantOf<U, T>::value> {};
template <class U, class T>
concept ConstantOf = IsConstantOf<U, T>::value;

/// A constant in a form in which it can be combined with a T at once: a plain number has the precision of T.
template <class T, class U>
[[nodiscard]] constexpr decltype(auto) operand(const U& x) noexcept {
  if constexpr (std::is_arithmetic_v<U>)
    return static_cast<Number<T>>(x);
  else
    return static_cast<const U&>(x);
}

}  // namespace dalembert::detail
