#pragma once

#include <array>
#include <concepts>
#include <cstddef>

/// Butcher tableaus of explicit Runge–Kutta methods.
///   k_i = f(t + c_i h, y ⊕ h Σ_{j<i} a_ij k_j),   y⁺ = y ⊕ h Σ b_i k_i,   c_i = Σ_j a_ij
///   error estimate h Σ (b_i − b̂_i) k_i, where b̂ is the embedded method of a lower order
///   between the ends of the step, y(t + θh) = y ⊕ h Σ b_i(θ) k_i, 0 ≤ θ ≤ 1
/// Coefficients are ratios of integers or long decimals, rounded in the scalar that asks for them.
namespace dalembert::tableau {

/// s × s coefficients, row by row; the strictly lower triangle of an explicit method.
template <class S, int Stages>
using Square = std::array<std::array<S, static_cast<std::size_t>(Stages)>, static_cast<std::size_t>(Stages)>;
/// One coefficient per stage.
template <class S, int Stages>
using Row = std::array<S, static_cast<std::size_t>(Stages)>;

/// What `ExplicitRungeKutta` asks of a tableau: `stages`, `order`, `first_same_as_last` (the last stage is
/// evaluated at the end of the step), `a<S>`, `b<S>`; if it has an embedded method also `embedded_order` and
/// `error<S>` = b − b̂.
template <class T>
concept Explicit = requires {
  { T::stages } -> std::convertible_to<int>;
  { T::order } -> std::convertible_to<int>;
  { T::first_same_as_last } -> std::convertible_to<bool>;
  T::template a<double>[0][0];
  T::template b<double>[0];
};

/// An explicit tableau that also estimates its error.
template <class T>
concept Embedded = Explicit<T> && requires {
  { T::embedded_order } -> std::convertible_to<int>;
  T::template error<double>[0];
};

/// A tableau with a second, coarser estimate: from e of order p (`embedded_order`) and ê of order q
/// (`coarse_order`) follows the sharper estimate |e|²/√(|e|² + 0.01|ê|²), which shrinks like h^(2(p+1)
/// − (q+1)).
/// Source: Hairer, Nørsett, Wanner 1993, section II.10, eq (10.17).
template <class T>
concept TwiceEmbedded = Embedded<T> && requires {
  { T::coarse_order } -> std::convertible_to<int>;
  T::template coarse_error<double>[0];
};

/// A tableau with a continuous extension: `dense_order` q, so that a step's state between its ends has an
/// error like h^(q+1); `dense_stages`, and `dense_weights(θ)` = b_i(θ), one for each of them. Where these
/// are more than `stages`, the first of the others is at the end of the step, and `late_a<S>` holds the
/// coefficients of the rest.
template <class T>
concept Dense = Explicit<T> && requires {
  { T::dense_order } -> std::convertible_to<int>;
  { T::dense_stages } -> std::convertible_to<int>;
  T::dense_weights(0.5)[0];
  requires(T::dense_stages == T::stages || requires { T::template late_a<double>[0][0]; });
};

/// The power of h with which the error estimate of a tableau shrinks; 0 without one.
template <Explicit T>
inline constexpr int error_power = [] {
  if constexpr (TwiceEmbedded<T>)
    return 2 * (T::embedded_order + 1) - (T::coarse_order + 1);
  else if constexpr (Embedded<T>)
    return T::embedded_order + 1;
  return 0;
}();

/// The largest y such that the method does not enlarge any solution of ẋ = iωx with 0 ≤ ωh ≤ y, to
/// three decimals: |R(iy)| ≤ 1 for its stability function R(z) = 1 + Σ_k z^k bᵀA^(k−1)1.
template <Explicit T>
[[nodiscard]] double imaginary_limit() {
  constexpr std::size_t stages = T::stages;
  Row<double, T::stages> power{};  // A^(k−1) 1
  power.fill(1);
  std::array<double, stages + 1> coefficient{1};
  for (std::size_t k = 1; k <= stages; ++k) {
    Row<double, T::stages> next{};
    for (std::size_t i = 0; i < stages; ++i) {
      coefficient[k] += T::template b<double>[i] * power[i];
      for (std::size_t j = 0; j < i; ++j) next[i] += T::template a<double>[i][j] * power[j];
    }
    power = next;
  }
  const auto grows = [&](double y) {
    double real = 0, imaginary = 0;
    for (std::size_t k = stages + 1; k-- > 0;) {
      const double turned = coefficient[k] - y * imaginary;
      imaginary = y * real;
      real = turned;
    }
    return real * real + imaginary * imaginary > 1 + 1e-12;
  };
  int thousandths = 0;
  while (thousandths < 100000 && !grows(1e-3 * (thousandths + 1))) ++thousandths;
  return 1e-3 * thousandths;
}

namespace detail {

/// Decimals as numbers of type S, entry by entry.
template <class S, std::size_t N>
constexpr std::array<S, N> rounded(const std::array<long double, N>& digits) {
  std::array<S, N> row{};
  for (std::size_t i = 0; i < N; ++i) row[i] = S(digits[i]);
  return row;
}
/// The same for rows of them.
template <class S, std::size_t M, std::size_t N>
constexpr std::array<std::array<S, N>, M> rounded(const std::array<std::array<long double, N>, M>& digits) {
  std::array<std::array<S, N>, M> rows{};
  for (std::size_t i = 0; i < M; ++i) rows[i] = rounded<S>(digits[i]);
  return rows;
}

/// Weights at θ of the cubic that has the states and slopes of both ends, bent by rows d such that neither
/// moves:
///   θ(b + ϑ(e_0 − b + θ(2b − e_0 − e_last + ϑ(d_0 + θ(d_1 + ϑ(d_2 + …)))))),  ϑ = 1 − θ
/// Source: Hairer, Nørsett, Wanner 1993, section II.6.
template <class S, std::size_t N, std::size_t R>
constexpr std::array<S, N> bent_cubic(S theta, const std::array<S, N>& b, std::size_t last,
                                      const std::array<std::array<S, N>, R>& d) {
  const S rest = S(1) - theta;
  std::array<S, N> weights{};
  for (std::size_t i = 0; i < N; ++i) {
    S bend = d[R - 1][i];
    for (std::size_t r = R - 1; r-- > 0;) bend = d[r][i] + (r % 2 == 0 ? theta : rest) * bend;
    const S at_begin = i == 0 ? S(1) : S(0), at_end = i == last ? S(1) : S(0);
    const S cubic = S(2) * b[i] - at_begin - at_end + rest * bend;
    weights[i] = theta * (b[i] + rest * (at_begin - b[i] + theta * cubic));
  }
  return weights;
}

}  // namespace detail

/// The classical method of order 4. Source: Kutta 1901; its interpolant Hairer, Nørsett, Wanner 1993,
/// section II.6.
struct RungeKutta4 {
  static constexpr int stages = 4;                   ///< evaluations of the rates a step
  static constexpr int order = 4;                    ///< order of convergence
  static constexpr bool first_same_as_last = false;  ///< whether the last stage is the first of the next step
  static constexpr int dense_order = 3;              ///< order of the interpolant
  static constexpr int dense_stages = 4;             ///< stages that the interpolant asks for

  /// Coefficients a_ij.
  template <class S>
  static constexpr Square<S, 4> a = {{{}, {S(1) / S(2)}, {S(0), S(1) / S(2)}, {S(0), S(0), S(1)}}};
  template <class S>
  static constexpr Row<S, 4> b = {S(1) / S(6), S(1) / S(3), S(1) / S(3), S(1) / S(6)};  ///< weights b_i

  /// Weights of the interpolant at θ.
  template <class S>
  [[nodiscard]] static constexpr Row<S, 4> dense_weights(S theta) {
    const S square = theta * theta, cube = S(2) / S(3) * theta * square;
    return {theta - S(3) / S(2) * square + cube, square - cube, square - cube, cube - square / S(2)};
  }
};

/// Order 5 with an embedded method of order 4. Source: Dormand and Prince 1980, table 2; its interpolant
/// Shampine 1986 in the form of Hairer, Nørsett, Wanner 1993, section II.6.
struct DormandPrince54 {
  static constexpr int stages = 7;                  ///< evaluations of the rates a step
  static constexpr int order = 5;                   ///< order of convergence
  static constexpr int embedded_order = 4;          ///< order of the embedded solution
  static constexpr bool first_same_as_last = true;  ///< whether the last stage is the first of the next step
  static constexpr int dense_order = 4;             ///< order of the interpolant
  static constexpr int dense_stages = 7;            ///< stages that the interpolant asks for

  /// Coefficients a_ij.
  template <class S>
  static constexpr Square<S, 7> a = {{
      {},
      {S(1) / S(5)},
      {S(3) / S(40), S(9) / S(40)},
      {S(44) / S(45), S(-56) / S(15), S(32) / S(9)},
      {S(19372) / S(6561), S(-25360) / S(2187), S(64448) / S(6561), S(-212) / S(729)},
      {S(9017) / S(3168), S(-355) / S(33), S(46732) / S(5247), S(49) / S(176), S(-5103) / S(18656)},
      {S(35) / S(384), S(0), S(500) / S(1113), S(125) / S(192), S(-2187) / S(6784), S(11) / S(84)},
  }};
  template <class S>
  static constexpr Row<S, 7> b = a<S>[6];  ///< weights b_i
  /// Weights of the error estimate.
  template <class S>
  static constexpr Row<S, 7> error = {
      S(71) / S(57600),      S(0),           S(-71) / S(16695), S(71) / S(1920),
      S(-17253) / S(339200), S(22) / S(525), S(-1) / S(40)};

  /// Weights of the interpolant at θ.
  template <class S>
  [[nodiscard]] static constexpr Row<S, 7> dense_weights(S theta) {
    constexpr std::array<Row<S, 7>, 1> bend = {
        {{S(-12715105075) / S(11282082432), S(0), S(87487479700) / S(32700410799),
          S(-10690763975) / S(1880347072), S(701980252875) / S(199316789632), S(-1453857185) / S(822651844),
          S(69997945) / S(29380423)}}};
    return detail::bent_cubic(theta, b<S>, 6, bend);
  }
};

}  // namespace dalembert::tableau
