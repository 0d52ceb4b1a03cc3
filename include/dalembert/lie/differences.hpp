#pragma once

#include <concepts>
#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/lie/concepts.hpp>

/// Jacobians by finite differences, of functions between groups, vectors and numbers: an independent check of
/// a derivative in closed form. They are good to about 10⁻¹¹ of the size of the function in double
/// precision, and slow.
namespace dalembert {

namespace detail {

/// The step whose cut-off and rounding errors are alike in a formula of fourth order.
template <PlainReal S>
[[nodiscard]] S difference_step() noexcept {
  return std::pow(std::numeric_limits<S>::epsilon(), S(0.2));
}

/// From `from` to `to`, as a column: a difference, or log(from⁻¹ to) on a group.
template <PlainReal S>
[[nodiscard]] Vec<S, 1> displacement(const S& from, const S& to) noexcept {
  return Vec<S, 1>(to - from);
}
template <PlainReal S, int N>
[[nodiscard]] Vec<S, N> displacement(const Vec<S, N>& from, const Vec<S, N>& to) noexcept {
  return to - from;
}
template <LieGroup G>
[[nodiscard]] typename G::Tangent displacement(const G& from, const G& to) noexcept {
  return (from.inverse() * to).log();
}

/// d/ds f(s) at s = 0 as a column, by the central formula of fourth order with step h.
template <class F, PlainReal S>
[[nodiscard]] auto difference(const F& f, S h) {
  const auto origin = f(S(0));
  const auto at = [&](S s) { return displacement(origin, f(s)); };
  using Column = decltype(at(h));
  return Column((S(8) * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h));
}

}  // namespace detail

/// The M×N Jacobian of f at g, for a function of an element of a group of dimension N: column i is the
/// derivative along s ↦ f(g exp(s eᵢ)). If f gives elements of a group, the rows are left-trivialised,
/// f(g)⁻¹ df; otherwise f gives a number or a `Vec<S, M>`. The step is that of the best accuracy where
/// twists of size 1 change f much.
template <class F, LieGroup G>
  requires PlainReal<typename G::Scalar>
[[nodiscard]] auto difference_jacobian(
    const F& f, const G& g, typename G::Scalar step = detail::difference_step<typename G::Scalar>()) {
  using S = typename G::Scalar;
  const auto column = [&](int i) {
    return detail::difference([&](S s) { return f(g * G::exp(s * G::Tangent::Unit(i))); }, step);
  };
  Mat<S, decltype(column(0))::RowsAtCompileTime, G::dof> J;
  for (int i = 0; i < G::dof; ++i) J.col(i) = column(i);
  return J;
}

/// The M×N Jacobian ∂f/∂x at x, for a function of N numbers; the rows are as above.
template <class F, PlainReal S, int N>
[[nodiscard]] auto difference_jacobian(const F& f, const Vec<S, N>& x,
                                       S step = detail::difference_step<S>()) {
  const auto column = [&](int i) {
    return detail::difference([&](S s) { return f(Vec<S, N>(x + s * Vec<S, N>::Unit(i))); }, step);
  };
  Mat<S, decltype(column(0))::RowsAtCompileTime, N> J;
  for (int i = 0; i < N; ++i) J.col(i) = column(i);
  return J;
}

}  // namespace dalembert
