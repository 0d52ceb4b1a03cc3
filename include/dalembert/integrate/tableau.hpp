#pragma once

#include <array>
#include <concepts>

/// Butcher tableaus of explicit Runge–Kutta methods.
///   k_i = f(t + c_i h, y ⊕ h Σ_{j<i} a_ij k_j),   y⁺ = y ⊕ h Σ b_i k_i,   c_i = Σ_j a_ij
///   error estimate h Σ (b_i − b̂_i) k_i, where b̂ is the embedded method of a lower order
/// Coefficients are ratios of integers, rounded once in the scalar that asks for them.
namespace dalembert::tableau {

/// s × s coefficients, row by row; the strictly lower triangle of an explicit method.
template <class S, int Stages>
using Square = std::array<std::array<S, static_cast<std::size_t>(Stages)>, static_cast<std::size_t>(Stages)>;
/// One coefficient per stage.
template <class S, int Stages>
using Row = std::array<S, static_cast<std::size_t>(Stages)>;

/// What `ExplicitRungeKutta` asks of a tableau: `stages`, `order`, `first_same_as_last` (the last stage is evaluated
/// at the end of the step), `a<S>`, `b<S>`; if it has an embedded method also `embedded_order` and `error<S>` = b − b̂.
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

/// The classical method of order 4. Source: Kutta 1901.
struct RungeKutta4 {
  static constexpr int stages = 4;                   ///< evaluations of the rates a step
  static constexpr int order = 4;                    ///< order of convergence
  static constexpr bool first_same_as_last = false;  ///< whether the last stage is the first of the next step

  /// Coefficients a_ij.
  template <class S>
  static constexpr Square<S, 4> a = {{{}, {S(1) / S(2)}, {S(0), S(1) / S(2)}, {S(0), S(0), S(1)}}};
  template <class S>
  static constexpr Row<S, 4> b = {S(1) / S(6), S(1) / S(3), S(1) / S(3), S(1) / S(6)};  ///< weights b_i
};

/// Order 5 with an embedded method of order 4. Source: Dormand and Prince 1980, table 2.
struct DormandPrince54 {
  static constexpr int stages = 7;                  ///< evaluations of the rates a step
  static constexpr int order = 5;                   ///< order of convergence
  static constexpr int embedded_order = 4;          ///< order of the embedded solution
  static constexpr bool first_same_as_last = true;  ///< whether the last stage is the first of the next step

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
};

static_assert(Explicit<RungeKutta4> && !Embedded<RungeKutta4>);
static_assert(Embedded<DormandPrince54>);

}  // namespace dalembert::tableau
