#pragma once

#include <concepts>
#include <type_traits>

#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/dual.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/core/real.hpp>

/// Derivatives of functions of small vectors by forward automatic differentiation, exact to rounding and
/// without allocation; a sensitivity, of a whole run too, is such a derivative by a parameter. A function to
/// be differentiated takes a `Vec<D, N>` of a scalar type D that it does not choose, so it is a template or a
/// generic lambda, and computes with D throughout:
///   const auto energy = [](const auto& x) { return x[0] * x[0] * x[1]; };
///   const Vec<double, 2> slope = gradient(energy, Vec<double, 2>{1.0, 2.0});
namespace dalembert {

/// x as N independent variables: derivative i of variable i is 1.
template <Real T, int N>
[[nodiscard]] Vec<Dual<T, N>, N> seeded(const Vec<T, N>& x) noexcept {
  Vec<Dual<T, N>, N> variables;
  for (int i = 0; i < N; ++i) variables[i] = Dual<T, N>::variable(x[i], i);
  return variables;
}

/// x + s·direction as a function of one variable s, at s = 0.
template <Real T, int N>
[[nodiscard]] Vec<Dual<T, 1>, N> seeded(const Vec<T, N>& x, const Vec<T, N>& direction) noexcept {
  Vec<Dual<T, 1>, N> variables;
  for (int i = 0; i < N; ++i) variables[i] = Dual<T, 1>(x[i], Vec<T, 1>(direction[i]));
  return variables;
}

/// The gradient ∂f/∂x, a column of N numbers, of a scalar function f of N numbers.
template <class F, Real T, int N>
[[nodiscard]] Vec<T, N> gradient(const F& f, const Vec<T, N>& x) {
  const Dual<T, N> y = f(seeded(x));
  return y.derivatives();
}

/// The Jacobian ∂fᵢ/∂xⱼ, M×N, of a function f of N numbers that gives a column of M.
template <class F, Real T, int N>
[[nodiscard]] auto jacobian(const F& f, const Vec<T, N>& x) {
  constexpr int M = std::decay_t<decltype(f(seeded(x)))>::RowsAtCompileTime;
  const Vec<Dual<T, N>, M> y = f(seeded(x));
  Mat<T, M, N> J;
  for (int i = 0; i < M; ++i) detail::put_row(J, i, y[i].derivatives());
  return J;
}

/// The Hessian ∂²f/∂xᵢ∂xⱼ, N×N and symmetric to the last bit, of a scalar function f of N
/// numbers.
template <class F, Real T, int N>
[[nodiscard]] Mat<T, N> hessian(const F& f, const Vec<T, N>& x) {
  const Dual<Dual<T, N>, N> y = f(seeded(seeded(x)));
  Mat<T, N> H;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j <= i; ++j) H(i, j) = H(j, i) = y.derivative(i).derivative(j);
  return H;
}

/// d/ds f(x + s·direction) at s = 0: a number for a scalar function, a column of M numbers for one that
/// gives M. Costs two evaluations of f, whatever N is.
template <class F, Real T, int N>
[[nodiscard]] auto derivative_along(const F& f, const Vec<T, N>& x, const Vec<T, N>& direction) {
  using Result = std::decay_t<decltype(f(seeded(x, direction)))>;
  if constexpr (std::convertible_to<Result, Dual<T, 1>>) {
    const Dual<T, 1> y = f(seeded(x, direction));
    return y.derivative(0);
  } else {
    constexpr int M = Result::RowsAtCompileTime;
    const Vec<Dual<T, 1>, M> y = f(seeded(x, direction));
    Vec<T, M> slope;
    for (int i = 0; i < M; ++i) slope[i] = y[i].derivative(0);
    return slope;
  }
}

/// df/dt of a function of one number; a number or a column, as f gives.
template <class F, Real T>
[[nodiscard]] auto derivative(const F& f, const T& t) {
  return derivative_along([&f](const auto& x) { return f(x[0]); }, Vec<T, 1>(t), Vec<T, 1>(T(1)));
}

}  // namespace dalembert
