#pragma once

#include <concepts>
#include <type_traits>

#include <Eigen/Core>

#include <dalembert/core/pack.hpp>

/// The scalars that the library computes with, and small vectors and matrices of them.
namespace dalembert {

/// Column vector of N scalars.
template <class S, int N>
using Vec = Eigen::Matrix<S, N, 1>;

/// Matrix of R rows and C columns, square unless C is given.
template <class S, int R, int C = R>
using Mat = Eigen::Matrix<S, R, C>;

/// A number with N derivatives of type T; T may be a Dual itself. Include core/dual.hpp to use it.
template <class T, int N>
class Dual;

namespace detail {

template <class S>
struct RealParts;

template <std::floating_point T>
struct RealParts<T> {
  using Value = T;
  using Number = T;
};

template <class T, int W>
struct RealParts<Pack<T, W>> {
  using Value = Pack<T, W>;
  using Number = T;
};

template <class T, int N>
struct RealParts<Dual<T, N>> : RealParts<T> {};

template <class S>
inline constexpr bool is_pack = false;
template <class T, int W>
inline constexpr bool is_pack<Pack<T, W>> = true;

template <class S>
inline constexpr bool is_dual = false;
template <class T, int N>
inline constexpr bool is_dual<Dual<T, N>> = true;

}  // namespace detail

/// A scalar of the library: float, double, long double, a `Pack` of them, or a `Dual` of any of these.
template <class S>
concept Real = std::same_as<S, std::remove_cv_t<S>> && requires {
  typename detail::RealParts<S>::Number;
};

/// A `Real` that is one plain number.
template <class S>
concept PlainReal = std::floating_point<S> && Real<S>;

/// A `Real` with several lanes and no derivatives.
template <class S>
concept PackReal = detail::is_pack<S>;

/// A `Real` that carries derivatives.
template <class S>
concept DualReal = detail::is_dual<S> && Real<S>;

/// A `Real` of one lane: a plain number, with derivatives or without.
template <class S>
concept SingleReal = Real<S> && std::floating_point<typename detail::RealParts<S>::Value>;

/// The floating-point type at the bottom of S.
template <Real S>
using Number = typename detail::RealParts<S>::Number;

/// S without derivatives: a plain number, or a pack of them.
template <Real S>
using Value = typename detail::RealParts<S>::Value;

/// x without its derivatives: x itself for a plain number and for a pack.
template <class T>
  requires PlainReal<T> || PackReal<T>
[[nodiscard]] constexpr T value_of(const T& x) noexcept { return x; }

/// x as a scalar T: lanes are filled, derivatives that x does not have are zero, derivatives that T does not have are dropped.
template <Real T, Real S>
[[nodiscard]] constexpr T convert(const S& x) noexcept {
  if constexpr (std::same_as<T, S>) {
    return x;
  } else if constexpr (DualReal<T>) {
    return T(convert<typename T::Scalar>(x));
  } else if constexpr (DualReal<S>) {
    return convert<T>(x.value());
  } else if constexpr (PackReal<S>) {
    static_assert(T::width == S::width, "packs convert to packs of as many lanes");
    T y;
    for (int i = 0; i < T::width; ++i) y.set(i, static_cast<Number<T>>(x[i]));
    return y;
  } else {
    return T(static_cast<Number<T>>(x));
  }
}

/// The constant x, given in the widest precision, as a scalar S without derivatives.
template <Real S>
[[nodiscard]] constexpr S constant(long double x) noexcept {
  return convert<S>(x);
}

/// The ratio of a circle's circumference to its diameter; `constant<S>(pi)` where S may be a pack or a dual.
inline constexpr long double pi = 3.14159265358979323846264338327950288L;

/// a where the condition holds, b elsewhere: a branch in the form that packs understand too.
template <class S>
[[nodiscard]] constexpr S select(bool condition, const S& a, const S& b) noexcept {
  return condition ? a : b;
}

namespace detail {

/// a × b, each component in one expression of its own.
template <class S>
[[nodiscard]] Vec<S, 3> cross(const Vec<S, 3>& a, const Vec<S, 3>& b) noexcept {
  return {S(a[1] * b[2] - a[2] * b[1]), S(a[2] * b[0] - a[0] * b[2]), S(a[0] * b[1] - a[1] * b[0])};
}

/// f of every entry of x, column by column.
template <class T, class S, int R, int C, class F>
[[nodiscard]] Mat<T, R, C> map_all(const Mat<S, R, C>& x, F&& f) {
  Mat<T, R, C> y;
  for (Eigen::Index i = 0; i < x.size(); ++i) y.coeffRef(i) = f(x.coeff(i));
  return y;
}

/// x with every entry converted to T.
template <Real T, class S, int R, int C>
[[nodiscard]] Mat<T, R, C> convert_all(const Mat<S, R, C>& x) noexcept {
  Mat<T, R, C> y;
  for (Eigen::Index i = 0; i < x.size(); ++i) y.coeffRef(i) = convert<T>(x.coeff(i));
  return y;
}

}  // namespace detail

/// Whether a condition holds in every lane: the one lane of a plain number.
[[nodiscard]] constexpr bool all_lanes(bool condition) noexcept { return condition; }

/// Whether a condition holds in some lane: the one lane of a plain number.
[[nodiscard]] constexpr bool any_lane(bool condition) noexcept { return condition; }

}  // namespace dalembert
