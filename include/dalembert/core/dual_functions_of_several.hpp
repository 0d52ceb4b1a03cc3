#pragma once

#include <concepts>
#include <type_traits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/number.hpp>

/// The standard library's functions of several numbers, of which one at least is dual and the others are of
/// its type or constants of it.
namespace dalembert {

namespace detail {
/// The type that holds an A and a B, if one of them is a constant of the other.
template <class A, class B>
using Wider = std::conditional_t<ConstantOf<B, A>, A, B>;
/// The dual number that all the operands are or are constants of; without one, a function drops out of the
/// overloads.
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
/// x to the power y. Where the power is a constant, x may be negative or 0 as for plain numbers; where it has
/// derivatives, x > 0, or x = 0 and y > 0.
template <class A, class B, class D = detail::CommonOfTwo<A, B>>
[[nodiscard]] D pow(const A& x, const B& y) {
  using std::log, std::pow;
  using T = typename D::Scalar;
  if constexpr (std::same_as<A, D> && std::same_as<B, D>) {
    const T power = pow(x.value(), y.value());
    T along_power(0);  // of a constant, and of 0 to any power that is positive
    if constexpr (PlainReal<Value<T>>) {
      if (number::equal(y, D(y.value()))) return pow(x, y.value());
      if (!(value_of(x) == 0 && value_of(y) > 0)) along_power = power * log(x.value());
    } else {
      along_power = power * log(x.value());
    }
    return chain(power, T(y.value() * pow(x.value(), y.value() - 1)), x, along_power, y);
  } else if constexpr (std::same_as<A, D>) {
    const auto& n = detail::operand<T>(y);
    if constexpr (PlainReal<Value<T>>)
      if (number::is_zero(T(n))) return T(1);
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

}  // namespace dalembert
