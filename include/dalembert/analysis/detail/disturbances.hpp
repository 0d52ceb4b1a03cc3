#pragma once

#include <algorithm>
#include <string>

#include <dalembert/analysis/detail/neighbourhood.hpp>
#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>

/// Disturbed states of any problem that tells its states apart: by columns of numbers, by increments whose
/// numbers can be visited, or by increments that have nothing but a norm.
namespace dalembert::analysis::detail {

/// The increment u with from ⊕ u = to, of the problem or, found by its arguments, of its states.
template <class P>
[[nodiscard]] auto increment_between(const P& problem, const typename P::State& from,
                                     const typename P::State& to) {
  if constexpr (requires { problem.difference(from, to); })
    return problem.difference(from, to);
  else
    return difference(from, to);
}

/// What appends the numbers that it is called with to a column, or takes them from there.
template <class S, bool take>
struct NumberCopier {
  Column<S>& numbers;
  Eigen::Index next = 0;
  void copy(S& x) {
    if constexpr (take) {
      x = numbers[next++];
    } else {
      if (next == numbers.size()) numbers.conservativeResize(std::max<Eigen::Index>(16, 2 * next));
      numbers[next++] = x;
    }
  }
  void position(S& x) { copy(x); }
  void velocity(S& x) { copy(x); }
  void internal(S& x) { copy(x); }
};

/// Whether the numbers of a problem's increments are known.
template <class P>
inline constexpr bool has_numbers = CoordinateProblem<P> ||
                                    requires(const typename P::State& at, typename P::Increment& u,
                                             NumberCopier<typename P::Scalar, true>& visit) {
  visit_increment(at, u, visit);
};

/// The numbers of an increment from `at`.
template <class P>
[[nodiscard]] Column<typename P::Scalar> column_of(const typename P::State& at, typename P::Increment& u) {
  if constexpr (CoordinateProblem<P>) {
    return u.coordinates();
  } else {
    Column<typename P::Scalar> numbers;
    NumberCopier<typename P::Scalar, false> copier{numbers};
    visit_increment(at, u, copier);
    numbers.conservativeResize(copier.next);
    return numbers;
  }
}

/// Give an increment from `at` these numbers, and no time.
template <class P>
void set_column(const typename P::State& at, Column<typename P::Scalar>& numbers, typename P::Increment& u) {
  u.set_zero();
  if constexpr (CoordinateProblem<P>) {
    u.set_coordinates(numbers);
  } else {
    NumberCopier<typename P::Scalar, true> copier{numbers};
    visit_increment(at, u, copier);
  }
}

/// How long an increment from somewhere is: the Euclidean norm of its column, or its own norm if it has no
/// column.
template <class P>
[[nodiscard]] typename P::Scalar length_of(const typename P::State& at, typename P::Increment& u) {
  if constexpr (has_numbers<P>)
    return column_of<P>(at, u).norm();
  else
    return u.norm();
}

/// `at` ⊕ factor · u, with the algebraic coordinates that belong to it, on the constraints. Throws
/// NoConvergence if it cannot be brought there.
template <class P>
[[nodiscard]] typename P::State disturbed(const P& problem, const typename P::State& at,
                                          typename P::Scalar factor, const typename P::Increment& u) {
  typename P::Increment scaled = u;
  scaled.set_zero();
  scaled.add_scaled(factor, u);
  scaled.time = typename P::Scalar(0);
  typename P::State state = at;
  problem.retract(at, scaled, state);
  if constexpr (requires { problem.solve_algebraic(state); }) problem.solve_algebraic(state);
  if constexpr (requires { problem.project(state); })
    if (!problem.project(state).converged)
      throw NoConvergence("a disturbed state cannot be brought onto the constraints",
                          number::plain(state.time));
  return state;
}

/// Columns of numbers that are nothing special.
template <class S>
[[nodiscard]] Matrix<S> mixed_numbers(Eigen::Index rows, Eigen::Index columns) {
  Matrix<S> all(rows, columns);
  for (Eigen::Index i = 0; i < all.size(); ++i)
    all.data()[i] = S(0.6L) + S(0.4L) * std::cos(static_cast<S>(1 + 3 * i + i * i));
  return all;
}

/// `count` orthonormal columns, nothing special among those that the constraints allow about `at`; by
/// differences of width `width`.
template <class P>
[[nodiscard]] Matrix<typename P::Scalar> mixed_columns(const P& problem, const typename P::State& at,
                                                       int count, typename P::Scalar width) {
  using S = typename P::Scalar;
  const auto check = [&](bool enough, Eigen::Index directions) {
    require(1 <= count && enough, "lyapunov_spectrum", "count", count,
            "there are as many exponents as the constraints leave directions, here " +
                std::to_string(directions));
  };
  if constexpr (CoordinateProblem<P>) {
    const Matrix<S> allowed = Neighbourhood<P>(problem, at, S(1e-3L)).tangent_basis();
    check(count <= allowed.cols(), allowed.cols());
    Matrix<S> mixed = mixed_numbers<S>(allowed.cols(), count);
    orthonormalise(mixed);
    return allowed * mixed;
  } else {
    // Too many numbers to look along each: what is left of columns of any numbers when they are brought onto
    // the constraints.
    auto u = increment_between(problem, at, at);
    Matrix<S> columns = mixed_numbers<S>(column_of<P>(at, u).size(), count);
    for (int j = 0; j < count; ++j) {
      Column<S> numbers = columns.col(j) * (width / columns.col(j).norm());
      set_column<P>(at, numbers, u);
      auto moved = increment_between(problem, at, disturbed(problem, at, S(1), u));
      columns.col(j) = column_of<P>(at, moved) / width;
    }
    Matrix<S> independent = range(columns, S(1e-5L));
    check(count <= independent.cols(), independent.cols());
    return independent;
  }
}

}  // namespace dalembert::analysis::detail
