#pragma once

#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/problem/concepts.hpp>

namespace dalembert::detail {

/// Whether `Problem`s of type P can be linearised in numbers of a known count.
template <class P>
concept SmallProblem = Problem<P> && CoordinateSpace<typename P::Increment, typename P::Scalar>;

/// D = ∂slope/∂u at u = 0 in the coordinates u of states y ⊕ u, by central differences: for Newton's
/// method, which needs no more digits. Holds its own workspace.
template <SmallProblem P>
class SlopeJacobian {
 public:
  using Scalar = typename P::Scalar;                         ///< the number type
  static constexpr int dimension = P::Increment::dimension;  ///< numbers in a coordinate column
  using Matrix = Mat<Scalar, dimension>;                     ///< D

  /// For states of the shape of `state`.
  SlopeJacobian(const P& problem, const typename P::State& state)
      : moved_(state), rates_(problem.make_rates()), offset_(problem.make_increment()), slope_(offset_) {}

  /// D at `state`. Whatever the problem throws passes through.
  void compute(const P& problem, const typename P::State& state, Matrix& out) {
    offset_.set_zero();
    compute(problem, state, offset_, out);
  }
  /// ∂slope/∂u at u = `at`, which may be large.
  void compute(const P& problem, const typename P::State& state, const typename P::Increment& at,
               Matrix& out) {
    const Vec<Scalar, dimension> centre = at.coordinates();
    offset_.time = at.time;
    for (int j = 0; j < dimension; ++j) {
      const Vec<Scalar, dimension> ahead = slope_at(problem, state, centre, j, step);
      const Vec<Scalar, dimension> behind = slope_at(problem, state, centre, j, -step);
      for (int i = 0; i < dimension; ++i) out(i, j) = (ahead[i] - behind[i]) / (2 * step);
    }
  }

 private:
  /// The cube root of round-off balances truncation and rounding where coordinates and slopes are of order 1.
  inline static const Scalar step = std::cbrt(std::numeric_limits<Scalar>::epsilon());

  Vec<Scalar, dimension> slope_at(const P& problem, const typename P::State& state, Vec<Scalar, dimension> u,
                                  int j, Scalar h) {
    u[j] += h;
    offset_.set_coordinates(u);
    problem.retract(state, offset_, moved_);
    problem.solve_algebraic(moved_);
    problem.rates(moved_, rates_);
    problem.slope(moved_, offset_, rates_, slope_);
    return slope_.coordinates();
  }

  typename P::State moved_;
  typename P::Rates rates_;
  typename P::Increment offset_;
  typename P::Increment slope_;
};

}  // namespace dalembert::detail
