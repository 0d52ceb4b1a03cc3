#pragma once

#include <cmath>
#include <concepts>
#include <type_traits>

#include <dalembert/core/real.hpp>
#include <dalembert/core/small_blocks.hpp>
#include <unsupported/Eigen/AutoDiff>

/// Derivatives of functions of small vectors by forward automatic differentiation, exact to rounding and without
/// allocation. A function to be differentiated takes a `Vec<D, N>` of a scalar type D that it does not choose, so it is
/// a template or a generic lambda; it computes with D throughout, and gives its results the type D by name, since
/// Eigen's AutoDiffScalar builds expressions that `auto` must not keep:
///   const auto energy = [](const auto& x) -> typename std::decay_t<decltype(x)>::Scalar { return x[0] * x[0] * x[1]; };
///   const Vec<double, 2> slope = gradient(energy, Vec<double, 2>{1.0, 2.0});
namespace dalembert {

/// Lane by lane: a where the mask holds, b elsewhere, for duals of packs.
template <class T, int W, class D, int N>
[[nodiscard]] Dual<D, N> select(const Mask<T, W>& mask, const Dual<D, N>& a, const Dual<D, N>& b) noexcept {
  Vec<D, N> derivatives;
  for (int i = 0; i < N; ++i) derivatives[i] = select(mask, a.derivatives()[i], b.derivatives()[i]);
  return Dual<D, N>(select(mask, a.value(), b.value()), derivatives);
}

/// x as N independent variables: derivative i of variable i is 1.
template <Real T, int N>
[[nodiscard]] Vec<Dual<T, N>, N> seeded(const Vec<T, N>& x) noexcept {
  Vec<Dual<T, N>, N> variables;
  for (int i = 0; i < N; ++i) variables[i] = Dual<T, N>(x[i], N, i);
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

/// The Hessian ∂²f/∂xᵢ∂xⱼ, N×N and symmetric to rounding, of a scalar function f of N numbers.
template <class F, Real T, int N>
[[nodiscard]] Mat<T, N> hessian(const F& f, const Vec<T, N>& x) {
  const Dual<Dual<T, N>, N> y = f(seeded(seeded(x)));
  Mat<T, N> H;
  for (int i = 0; i < N; ++i) detail::put_row(H, i, y.derivatives()[i].derivatives());
  return H;
}

/// d/ds f(x + s·direction) at s = 0: a number for a scalar function, a column of M numbers for one that gives M. Costs two
/// evaluations of f, whatever N is.
template <class F, Real T, int N>
[[nodiscard]] auto derivative_along(const F& f, const Vec<T, N>& x, const Vec<T, N>& direction) {
  using Result = std::decay_t<decltype(f(seeded(x, direction)))>;
  if constexpr (std::convertible_to<Result, Dual<T, 1>>) {
    const Dual<T, 1> y = f(seeded(x, direction));
    return T(y.derivatives()[0]);
  } else {
    constexpr int M = Result::RowsAtCompileTime;
    const Vec<Dual<T, 1>, M> y = f(seeded(x, direction));
    Vec<T, M> slope;
    for (int i = 0; i < M; ++i) slope[i] = y[i].derivatives()[0];
    return slope;
  }
}

/// df/dt of a function of one number; a number or a column, as f gives.
template <class F, Real T>
[[nodiscard]] auto derivative(const F& f, const T& t) {
  return derivative_along([&f](const auto& x) { return f(x[0]); }, Vec<T, 1>(t), Vec<T, 1>(T(1)));
}

}  // namespace dalembert

/// Functions that Eigen's AutoDiffScalar lacks, or has with a heap allocation. They return values, not expressions.
namespace Eigen {

/// |x|; its derivative at 0 is that of x. Of duals of duals too.
template <class T, int N>
[[nodiscard]] AutoDiffScalar<Matrix<T, N, 1>> abs(const AutoDiffScalar<Matrix<T, N, 1>>& x) {
  if (x.value() < T(0)) return -x;
  return x;
}

/// The angle of the point (x, y), in (−π, π].
template <class T, int N>
[[nodiscard]] AutoDiffScalar<Matrix<T, N, 1>> atan2(const AutoDiffScalar<Matrix<T, N, 1>>& y,
                                                    const AutoDiffScalar<Matrix<T, N, 1>>& x) {
  using std::atan2;
  const T scale = T(1) / T(x.value() * x.value() + y.value() * y.value());
  const T along_y = x.value() * scale, along_x = y.value() * scale;
  return {T(atan2(y.value(), x.value())), y.derivatives() * along_y - x.derivatives() * along_x};
}

/// The angle whose tangent is x, in (−π/2, π/2).
template <class T, int N>
[[nodiscard]] AutoDiffScalar<Matrix<T, N, 1>> atan(const AutoDiffScalar<Matrix<T, N, 1>>& x) {
  using std::atan;
  const T slope = T(1) / T(T(1) + x.value() * x.value());
  return {T(atan(x.value())), x.derivatives() * slope};
}

/// √(x² + y²), for arguments that are not both 0.
template <class T, int N>
[[nodiscard]] AutoDiffScalar<Matrix<T, N, 1>> hypot(const AutoDiffScalar<Matrix<T, N, 1>>& x,
                                                    const AutoDiffScalar<Matrix<T, N, 1>>& y) {
  using std::hypot;
  const T length = hypot(x.value(), y.value());
  const T along_x = x.value() / length, along_y = y.value() / length;
  return {length, x.derivatives() * along_x + y.derivatives() * along_y};
}

/// x to a power that carries derivatives itself, x > 0.
template <class T, int N>
[[nodiscard]] AutoDiffScalar<Matrix<T, N, 1>> pow(const AutoDiffScalar<Matrix<T, N, 1>>& x,
                                                  const AutoDiffScalar<Matrix<T, N, 1>>& y) {
  using std::log, std::pow;
  const T value = pow(x.value(), y.value());
  const T along_x = value * y.value() / x.value(), along_y = value * log(x.value());
  return {value, x.derivatives() * along_x + y.derivatives() * along_y};
}

/// Whether the value and all derivatives are finite.
template <class T, int N>
[[nodiscard]] bool isfinite(const AutoDiffScalar<Matrix<T, N, 1>>& x) {
  using std::isfinite;
  bool finite = isfinite(x.value());
  for (int i = 0; i < N; ++i) finite = finite && isfinite(x.derivatives()[i]);
  return finite;
}

/// Products of vectors of duals of duals with plain numbers.
template <class T, int M, int N, class Operation>
  requires std::is_floating_point_v<T>
struct ScalarBinaryOpTraits<dalembert::Dual<dalembert::Dual<T, M>, N>, T, Operation> {
  using ReturnType = dalembert::Dual<dalembert::Dual<T, M>, N>;  ///< the type of the result
};
/// Lets Eigen mix the two scalars.
template <class T, int M, int N, class Operation>
  requires std::is_floating_point_v<T>
struct ScalarBinaryOpTraits<T, dalembert::Dual<dalembert::Dual<T, M>, N>, Operation> {
  using ReturnType = dalembert::Dual<dalembert::Dual<T, M>, N>;  ///< the type of the result
};

}  // namespace Eigen
