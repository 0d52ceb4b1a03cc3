#pragma once

#include <algorithm>
#include <utility>

#include <dalembert/analysis/lyapunov.hpp>
#include <dalembert/core/number.hpp>

/// Tangent vectors that a motion carries along: with the map Φ of some steps of a method from x to Φ(x),
///   δ ↦ DΦ(x) δ,    δ in the tangent space of the constraints at x.                              (1)
/// A tangent vector is a column of the numbers of an increment (η, δξ, δz) from the motion. Both ways below
/// differentiate the steps that are taken, not the equations of motion, so that (1) is the tangent map of
/// what is computed. Each carrier has a motion of its own, and
///   allowed(columns, reach)             these columns brought onto the constraints at `state()`
///   carry(columns, reach, step, steps)  moves the motion on, and replaces columns by (1)
/// `reach` is the factor by which columns are as small as differences need them.
namespace dalembert::analysis {

/// By differences of motions: (Φ(x ⊕ reach δ) ⊖ Φ(x))/reach, of first order in `reach`, for any problem that
/// tells its states apart by numbers. A column costs a run, and an interval two projections more.
template <class M, ComparableByNumbers P>
class DifferencedTangents {
 public:
  using Problem = P;                      ///< what moves
  using Scalar = typename P::Scalar;      ///< its number type
  using State = typename P::State;        ///< where it is
  using Matrix = detail::Matrix<Scalar>;  ///< columns

  /// From `start`, by steps of `method`; the problem must outlive this.
  DifferencedTangents(const M& method, const P& problem, const State& start)
      : problem_(&problem),
        state_(start),
        offset_(detail::increment_between(problem, start, start)),
        stepper_(method.stepper(problem, start)) {}

  /// What moves.
  [[nodiscard]] const P& problem() const noexcept { return *problem_; }
  /// Where the motion is.
  [[nodiscard]] const State& state() const noexcept { return state_; }

  /// See the head of this file. Throws NoConvergence if a state cannot be brought onto the constraints.
  [[nodiscard]] Matrix allowed(Matrix columns, Scalar reach) {
    for (Eigen::Index j = 0; j < columns.cols(); ++j)
      put(columns, j, state_, shadow(state_, columns, j, reach), reach);
    return columns;
  }
  /// See the head of this file. Throws NoConvergence if a step fails, or as above.
  void carry(Matrix& columns, Scalar reach, Scalar step, long steps) {
    offset_.set_zero();
    const State from = detail::disturbed(*problem_, state_, Scalar(1), offset_);
    state_ = from;
    detail::take_steps(stepper_, *problem_, state_, step, steps);
    for (Eigen::Index j = 0; j < columns.cols(); ++j) {
      State other = shadow(from, columns, j, reach);
      detail::take_steps(stepper_, *problem_, other, step, steps);
      put(columns, j, state_, other, reach);
    }
  }

 private:
  /// from ⊕ reach · column j, on the constraints.
  [[nodiscard]] State shadow(const State& from, const Matrix& columns, Eigen::Index j, Scalar reach) {
    detail::Column<Scalar> column = columns.col(j);
    detail::set_column<P>(from, column, offset_);
    return detail::disturbed(*problem_, from, reach, offset_);
  }
  /// Column j is how `to` lies from `from`.
  void put(Matrix& columns, Eigen::Index j, const State& from, const State& to, Scalar reach) const {
    auto u = detail::increment_between(*problem_, from, to);
    columns.col(j) = detail::column_of<P>(from, u) / reach;
  }

  const P* problem_;
  State state_;
  typename P::Increment offset_;
  decltype(std::declval<const M&>().stepper(std::declval<const P&>(), std::declval<const State&>())) stepper_;
};

/// A problem over dual numbers whose states are those of P with derivatives.
template <class Q, class P>
concept DerivativesOf = ComparableByNumbers<P> && DualReal<typename Q::Scalar> && Problem<Q> &&
    detail::has_numbers<Q> && requires(const typename P::State& at, const typename Q::State& with) {
  {
    at.template mapped<typename Q::Scalar>([](const auto& x) { return typename Q::Scalar(x); })
    } -> std::same_as<typename Q::State>;
  {
    with.template mapped<typename P::Scalar>([](const auto& x) { return x.value(); })
    } -> std::same_as<typename P::State>;
};

/// By derivatives that numbers carry along: exact to rounding, no `reach` to choose. Q is the same problem
/// over numbers with N derivatives, of which each is a column; N columns go through a step together, more in
/// turns. A rod's loop takes the nodes of plain numbers in lanes and those of these one by one, so that
/// differences are cheaper where rods are many nodes long.
template <class M, class P, DerivativesOf<P> Q>
class DerivedTangents {
 public:
  using Problem = P;                      ///< what moves
  using Scalar = typename P::Scalar;      ///< its number type
  using State = typename P::State;        ///< where it is
  using Matrix = detail::Matrix<Scalar>;  ///< columns

  /// From `start`, by steps of `method`; both problems must outlive this.
  DerivedTangents(const M& method, const P& problem, const Q& with_derivatives, const State& start)
      : problem_(&problem),
        dual_(&with_derivatives),
        state_(start),
        stepper_(method.stepper(with_derivatives, lifted(start))) {}

  /// What moves.
  [[nodiscard]] const P& problem() const noexcept { return *problem_; }
  /// Where the motion is.
  [[nodiscard]] const State& state() const noexcept { return state_; }

  /// See the head of this file. Throws NoConvergence if a state cannot be brought onto the constraints.
  [[nodiscard]] Matrix allowed(Matrix columns, Scalar) {
    in_turns(columns, [](typename Q::State&) {});
    return columns;
  }
  /// See the head of this file. Throws NoConvergence if a step fails, or as above.
  void carry(Matrix& columns, Scalar, Scalar step, long steps) {
    state_ = in_turns(columns,
                      [&](typename Q::State& x) { detail::take_steps(stepper_, *dual_, x, D(step), steps); });
  }

 private:
  using D = typename Q::Scalar;

  [[nodiscard]] static typename Q::State lifted(const State& at) {
    return at.template mapped<D>([](const auto& x) { return D(x); });
  }
  [[nodiscard]] static State values(const typename Q::State& at) {
    return at.template mapped<Scalar>([](const D& x) { return Scalar(x.value()); });
  }
  /// Columns through `move`, as many at a time as a number has derivatives. Returns where the first of them
  /// went.
  template <class Move>
  State in_turns(Matrix& columns, const Move& move) {
    const typename Q::State from = lifted(state_);
    auto offset = detail::increment_between(*dual_, from, from);
    State end = state_;
    for (Eigen::Index first = 0; first == 0 || first < columns.cols(); first += D::size) {
      const auto count = std::min<Eigen::Index>(D::size, columns.cols() - first);
      detail::Column<D> numbers(columns.rows());
      for (Eigen::Index i = 0; i < columns.rows(); ++i) {
        numbers[i] = D(0);
        for (Eigen::Index j = 0; j < count; ++j)
          numbers[i].set_derivative(static_cast<int>(j), columns(i, first + j));
      }
      if (columns.rows() > 0) detail::set_column<Q>(from, numbers, offset);
      typename Q::State x = detail::disturbed(*dual_, from, D(1), offset);
      move(x);
      const State now = values(x);
      auto u = detail::increment_between(*dual_, lifted(now), x);
      const auto moved = detail::column_of<Q>(x, u);
      for (Eigen::Index i = 0; i < columns.rows(); ++i)
        for (Eigen::Index j = 0; j < count; ++j)
          columns(i, first + j) = moved[i].derivative(static_cast<int>(j));
      if (first == 0) end = now;
    }
    return end;
  }

  const P* problem_;
  const Q* dual_;
  State state_;
  decltype(std::declval<const M&>().stepper(std::declval<const Q&>(),
                                            std::declval<const typename Q::State&>())) stepper_;
};

}  // namespace dalembert::analysis
