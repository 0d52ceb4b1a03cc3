#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <dalembert/core/real.hpp>

/// Derivatives by central differences of order 8, with a second opinion of order 6 from the same samples.
namespace dalembert::analysis::detail {

/// A column of as many numbers as it happens to have.
template <class S>
using Column = Vec<S, Eigen::Dynamic>;

/// A matrix of any shape.
template <class S>
using Matrix = Mat<S, Eigen::Dynamic>;

/// A derivative, and how far two formulas for it are apart.
template <class S>
struct Slope {
  Column<S> value;
  S doubt{};
};

/// f′(0) of a column f(s), from f at ±h, …, ±4h: h⁸f⁽⁹⁾/630 is left out. `doubt` bounds
/// what the formula of order 6 leaves out.
/// Source: Fornberg 1988, table 1.
template <class S, class F>
[[nodiscard, gnu::cold, gnu::noinline]] Slope<S> slope_with(const F& f, S h) {
  constexpr std::array<S, 4> eighth = {S(4) / S(5), S(-1) / S(5), S(4) / S(105), S(-1) / S(280)};
  constexpr std::array<S, 4> sixth = {S(3) / S(4), S(-3) / S(20), S(1) / S(60), S(0)};
  Column<S> better, worse;
  for (std::size_t i = 0; i < 4; ++i) {
    const S s = static_cast<S>(i + 1) * h;
    const Column<S> forward = f(s), back = f(-s);
    const Column<S> difference = (forward - back) / h;
    if (i == 0) worse = better = Column<S>::Zero(difference.size());
    better += eighth[i] * difference;
    worse += sixth[i] * difference;
  }
  const S doubt = better.size() > 0 ? (better - worse).cwiseAbs().maxCoeff() : S(0);
  return {better, doubt};
}

/// The same with that of the steps h, h/2, …, h/16 whose formulas agree best: cut-off and rounding are then
/// alike.
template <class S, class F>
[[nodiscard]] Slope<S> slope_at_zero(const F& f, S h) {
  Slope<S> best = slope_with(f, h);
  for (int halvings = 1; halvings <= 4; ++halvings) {
    h /= 2;
    Slope<S> next = slope_with(f, h);
    if (!(best.doubt <= next.doubt)) best = std::move(next);
  }
  return best;
}

}  // namespace dalembert::analysis::detail
