#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <string>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/detail/small_blocks.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/linalg/pivoted_qr.hpp>
#include <dalembert/mechanics/detail/differentiated_constraints.hpp>
#include <dalembert/mechanics/detail/higher_rows.hpp>
#include <dalembert/mechanics/detail/solve_checks.hpp>
#include <dalembert/mechanics/lagrangian.hpp>

/// How a motion answers to the reactions of rows of order 3 and above; the equations are numbered as in
/// mechanics/higher_order.hpp. The rates ξ̈, … are derivatives along the motion of the function a of (1),
/// exact, by numbers that carry derivatives inside each other.
namespace dalembert::detail {

/// What T carries at the bottom: the derivative by all the variables, one inside the other.
template <class S, class T>
[[nodiscard]] S innermost_derivative(const T& x) {
  if constexpr (std::same_as<T, S>)
    return x;
  else
    return innermost_derivative<S>(x.derivative(0));
}

/// The equations of the lower orders under the reactions of the higher ones.
template <class System>
struct HigherEquations {
  using Lower = LowerOrders<System>;
  using S = ScalarOf<System>;
  static constexpr int n = velocity_size<System>;
  static constexpr int h = higher_rows<System>;    ///< rows of order k
  static constexpr int k = higher_order<System>;   ///< their order
  static constexpr int m = h * (k - 2);            ///< (μ, μ̇, …, μ^(k−3))
  static constexpr int lower = row_total<System>;  ///< rows of orders 0 to 2
  static constexpr int reactions = derives_variational<System> ? lower : rows_of<Variational, System> - h;
  template <class T>
  using Equations = SaddlePoint<T, n, lower, reactions>;
  template <class T>
  using Solution = SaddlePointSolution<T, n, lower, reactions>;
  static constexpr int most_iterations = 30;

  /// R_W, the rows along which the reactions of order k act.
  template <class At, class T = typename At::Scalar>
  [[nodiscard]] static Mat<T, h, n> higher_variational(const Lower& system, const At& at) {
    if constexpr (derives_variational<System>) {
      RatesUpTo<Lower, T> rates;
      for (auto& x : rates) x = zeros<T, n>();
      rates[0] = at.xi;
      return linearised_higher_rows(system, at, rates).jacobian;
    } else {
      const Mat<T, reactions + h, n> all =
          over<T>(call<Variational, Lower>(system, at.g, at.time, at.xi, at.z));
      Mat<T, h, n> rows;
      for (int i = 0; i < h; ++i)
        for (int j = 0; j < n; ++j) rows(i, j) = all(reactions + i, j);
      return rows;
    }
  }

  /// M, and −bias + force without any reactions.
  template <class At, class T = typename At::Scalar>
  static void add_dynamics(const Lower& system, const At& at, Equations<T>& out) {
    const Vec<T, n> bias = euler_lagrange_bias(system, at, &out.mass);
    for (int i = 0; i < n; ++i) out.force[i] = -bias[i];
    if constexpr (has<Force, Lower>)
      add_scaled(out.force, T(1), Vec<T, n>(over<T>(call<Force, Lower>(system, at.g, at.time, at.xi, at.z))));
  }

  /// A, β and R_V of the lower orders, linearised at ξ̇.
  template <class At, class T = typename At::Scalar>
  static void add_lower_rows(const Lower& system, const At& at, const Vec<T, n>& xidot, Equations<T>& out) {
    [[maybe_unused]] const MixedRows<Lower> none{};
    [[maybe_unused]] const Vec<T, 0> zdot;
    if constexpr (0 < position_rows<Lower>) add_position_rows(system, none, at, out);
    if constexpr (0 < velocity_rows<Lower>) add_velocity_rows(system, none, at, zdot, out);
    if constexpr (0 < acceleration_rows<Lower>) add_acceleration_rows(system, at, xidot, zdot, out);
    if constexpr (!derives_variational<System> && reactions > 0) {
      const Mat<T, reactions + h, n> all =
          over<T>(call<Variational, Lower>(system, at.g, at.time, at.xi, at.z));
      for (int i = 0; i < reactions; ++i)
        for (int j = 0; j < n; ++j) out.variational(i, j) = all(i, j);
    }
  }

  /// a of (1) and the reactions of the lower orders, under those of the higher ones, `mu`. Throws
  /// IncompatibleConstraints or InvalidState where the lower orders leave the acceleration open, contradict
  /// each other, or repeat each other.
  template <class At, class T = typename At::Scalar>
  static void solve(const Lower& system, const At& at, const Vec<T, h>& mu, Equations<T>& equations,
                    Solution<T>& solution) {
    add_dynamics(system, at, equations);
    add_scaled(equations.force, T(1), transpose_times(higher_variational(system, at), mu));
    Vec<T, n> xidot = zeros<T, n>();
    // Derivatives follow the value: once it stays, each of them takes no more than another iteration.
    for (int iterations = 0, settled = 0; settled <= number::derivative_order<T>; ++iterations) {
      add_lower_rows(system, at, xidot, equations);
      if (!solve_regular(equations, solution)) throw_not_regular(equations, at);
      if constexpr (acceleration_rows<Lower> == 0) break;
      const auto change = value_of(largest(difference(solution.x, xidot)));
      const auto size = value_of(largest(solution.x));
      settled = settled > 0 || change <= 1000 * std::numeric_limits<S>::epsilon() * size ? settled + 1 : 0;
      xidot = solution.x;
      if (iterations == most_iterations)
        throw NoConvergence("LagrangeDAlembert: Newton's method for the rates does not converge",
                            number::plain(at.time));
    }
  }

  /// The motion as it would go on with μ^(k−2) = 0, and what that changes.
  struct Course {
    RatesUpTo<System, S> rates;  ///< ξ, ξ̇, …, ξ^(k−1)
    Vec<S, reactions> lambda;    ///< reactions of the lower orders
    Mat<S, n, h> gain;           ///< ∂ξ^(k−1)/∂μ^(k−2) = ∂a/∂μ
    Equations<S> equations;      ///< of the lower orders
  };
  static void find_course(const Lower& system, const StateOf<Lower>& at, const Vec<S, m>& z, Course& out) {
    Solution<S> solution;
    out.rates[0] = at.xi;
    follow<1>(system, at, z, out, solution, out.equations);
    out.lambda = solution.lambda;
    find_gain(system, at, z, out);
  }

  /// μ^(k−2) such that the rows of order k hold, from 0 by Newton's method, which takes one step where
  /// they are affine in ξ^(k−1); the course then goes there. Rows that follow from others are counted, and
  /// μ^(k−2) is then the one of least norm. Throws IncompatibleConstraints where no reaction can make the
  /// rows hold, InvalidState, NoConvergence.
  static SolveReport solve_higher(const Lower& system, const StateOf<Lower>& at, Course& course,
                                  Vec<S, h>& highest) {
    Vec<S, n>& top = course.rates[k - 1];
    const Vec<S, h> unscale = reaction_scales(course);
    HigherStep step;
    set_zero(highest);
    SolveReport report;
    for (report.iterations = 1;; ++report.iterations) {
      linearise(system, at, course, unscale, report.iterations == 1, step);
      if (step.holds && report.iterations > 1) return report;
      if (report.iterations == most_iterations)
        throw NoConvergence(
            "LagrangeDAlembert: Newton's method for rows of order 3 and above does not converge",
            number::plain(at.time));
      Vec<S, h> change = least_squares(step.matrix, step.rhs, report);
      check_higher(difference(times(step.matrix, change), step.rhs), step.terms, at.time);
      for (int i = 0; i < h; ++i) change[i] *= unscale[i];
      highest = sum(highest, change);
      const Vec<S, n> moved = times(course.gain, change);
      top = sum(top, moved);
      if (report.iterations > 1 && largest(moved) <= 1000 * std::numeric_limits<S>::epsilon() * largest(top))
        return report;
    }
  }

  /// Change μ^(level) in z so that ξ^(level + 1) is as near to `aim` as can be, in the metric of kinetic
  /// energy.
  static void fit_reactions(const Lower& system, const StateOf<Lower>& at, int level, const Vec<S, n>& aim,
                            Vec<S, m>& z) {
    Course course;
    for (int iterations = 1;; ++iterations) {
      find_course(system, at, z, course);
      const auto& reached = course.rates[static_cast<std::size_t>(level) + 1];
      const Vec<S, n> push = times(course.equations.mass, difference(aim, reached));
      Mat<S, h> matrix;
      for (int i = 0; i < h; ++i)
        for (int j = 0; j < h; ++j)
          matrix(i, j) = inner(columns<1>(course.gain, i),
                               times(course.equations.mass, Vec<S, n>(columns<1>(course.gain, j))));
      SolveReport report;
      const Vec<S, h> step = least_squares(matrix, transpose_times(course.gain, push), report);
      const Vec<S, n> change = times(course.gain, step);
      for (int i = 0; i < h; ++i) z[level * h + i] += step[i];
      // The motion is affine in reactions but where rows of order 2 are not affine in the rates.
      if (largest(change) <= std::sqrt(std::numeric_limits<S>::epsilon()) * largest(aim) ||
          !(derives_variational<System> && 0 < acceleration_rows<Lower>))
        return;
      if (iterations == most_iterations)
        throw NoConvergence("LagrangeDAlembert: no reactions are found for these rates",
                            number::plain(at.time));
    }
  }

 private:
  /// Rate number `rate` and those after it, `at` being the state over numbers that know how it moves in rate
  /// − 1 times.
  template <int rate, class At, class T = typename At::Scalar>
  static void follow(const Lower& system, const At& at, const Vec<T, m>& z, Course& out,
                     Solution<T>& solution, Equations<T>& equations) {
    solve(system, at, part<h>(z), equations, solution);
    for (int i = 0; i < n; ++i) out.rates[rate][i] = innermost_derivative<S>(solution.x[i]);
    if constexpr (rate + 1 < k) {
      using D = Dual<T, 1>;
      const D s = D::variable(T(0), 0);
      StateOf<Lower, D> next;
      next.time = at.time + s;
      next.g = flowing<Lower, D>(at, s);
      for (int i = 0; i < n; ++i) next.xi[i] = at.xi[i] + s * solution.x[i];
      Vec<D, m> next_z;
      for (int i = 0; i < m; ++i) {
        next_z[i] = z[i];
        if (i + h < m) next_z[i] += s * z[i + h];
      }
      Solution<D> next_solution;
      Equations<D> next_equations;
      follow<rate + 1>(system, next, next_z, out, next_solution, next_equations);
    }
  }

  /// ∂a/∂μ: (3), or its derivative where reactions of the lower orders act along rows that depend on
  /// ξ̇.
  static void find_gain(const Lower& system, const StateOf<Lower>& at, [[maybe_unused]] const Vec<S, m>& z,
                        Course& out) {
    if constexpr (derives_variational<System> && 0 < acceleration_rows<Lower>) {
      using D = Dual<S, h>;
      Equations<D> equations;
      Solution<D> solution;
      StateOf<Lower, D> constant;
      constant.time = at.time;
      constant.g = at.g.template cast<D>();
      constant.xi = dual_vector<D>(at.xi);
      solve(system, constant, dual_vector<D, 0>(part<h>(z)), equations, solution);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < h; ++j) out.gain(i, j) = solution.x[i].derivative(j);
    } else {
      Equations<S> response = out.equations;
      Solution<S> solution;
      const Mat<S, h, n> rows = higher_variational(system, at);
      set_zero(response.drift);
      for (int i = 0; i < h; ++i) {
        for (int j = 0; j < n; ++j) response.force[j] = rows(i, j);
        if (!solve_regular(response, solution)) throw_not_regular(response, at);
        place(out.gain, 0, i, solution.x);
      }
    }
  }

  /// Newton's equations for the change of μ^(k−2), free of units: rows and reactions are measured by the
  /// diagonal of M.
  struct HigherStep {
    Mat<S, h> matrix;
    Vec<S, h> rhs;
    Vec<S, h> first;     ///< what the rows were worth at first
    Vec<S, h> terms;     ///< how large the terms of a row are: a sum much smaller is rounding
    bool holds = false;  ///< whether the rows hold already
  };
  [[nodiscard]] static S reciprocal_root(S square) { return square > 0 ? S(1) / number::sqrt(square) : S(1); }
  [[nodiscard]] static Vec<S, h> reaction_scales(const Course& course) {
    Vec<S, h> scales;
    for (int i = 0; i < h; ++i) {
      S square = 0;
      for (int j = 0; j < n; ++j)
        square += course.gain(j, i) * course.gain(j, i) * course.equations.mass(j, j);
      scales[i] = reciprocal_root(square);
    }
    return scales;
  }
  static void linearise(const Lower& system, const StateOf<Lower>& at, const Course& course,
                        const Vec<S, h>& unscale, bool is_first, HigherStep& out) {
    using std::abs, std::pow, std::sqrt;
    const Vec<S, n>& top = course.rates[k - 1];
    const LinearisedHigherRows<S, h, n> rows = linearised_higher_rows(system, at, course.rates);
    if (!all_finite(rows.value) || !all_finite(rows.jacobian))
      throw InvalidState("LagrangeDAlembert: the state is not finite", number::plain(at.time));
    if (is_first) out.first = rows.value;
    const S size =
        sqrt(abs(inner(at.xi, times(course.equations.mass, at.xi)))) * pow(largest(at.xi), S(k - 1));
    out.holds = true;
    for (int i = 0; i < h; ++i) {
      S square = 0, terms = abs(out.first[i]);
      for (int j = 0; j < n; ++j) {
        square += rows.jacobian(i, j) * rows.jacobian(i, j) / course.equations.mass(j, j);
        terms += abs(rows.jacobian(i, j) * top[j]);
      }
      const S scale = reciprocal_root(square);
      out.holds = out.holds && abs(rows.value[i]) <= 1000 * std::numeric_limits<S>::epsilon() * terms;
      out.rhs[i] = -scale * rows.value[i];
      out.terms[i] = scale * terms + size;
      for (int j = 0; j < h; ++j) {
        S entry = 0;
        for (int p = 0; p < n; ++p) entry += rows.jacobian(i, p) * course.gain(p, j);
        out.matrix(i, j) = scale * entry * unscale[j];
      }
    }
  }

  /// The shortest x for which a x is nearest to b.
  [[nodiscard]] static Vec<S, h> least_squares(const Mat<S, h>& a, const Vec<S, h>& b, SolveReport& report) {
    linalg::PivotedQr<S, h, h> qr(a, b);
    report.redundant_rows = h - qr.rank;
    return qr.solve();
  }

  /// Throws IncompatibleConstraints, naming the rows, unless what is left of them is rounding of their terms.
  static void check_higher(const Vec<S, h>& left, const Vec<S, h>& terms, const S& time) {
    std::string names;
    for (int i = 0; i < h; ++i)
      if (!(number::abs(left[i]) <= trusted<S> * terms[i]))
        names += (names.empty() ? "" : ", ") + constraint_name<Lower>(lower + i);
    if (!names.empty())
      throw IncompatibleConstraints(
          message({"LagrangeDAlembert: no reaction makes these rows hold (", names, ")"}),
          number::plain(time));
  }

  /// Says what is wrong with the lower orders.
  template <class At, class T = typename At::Scalar>
  [[noreturn, gnu::cold, gnu::noinline]] static void throw_not_regular(const Equations<T>& equations,
                                                                       const At& at) {
    const double time = number::plain(at.time);
    if constexpr (std::same_as<T, S>) {
      Solution<S> solution;
      Equations<S> given = equations;
      const S fastest = largest(at.xi);
      given.square_size = fastest * fastest * number::abs(inner(at.xi, times(given.mass, at.xi)));
      if constexpr (derives_variational<System> && acceleration_rows<Lower> == 0)
        given.variational = given.constraint;
      solve_by_qr(given, solution);
      check_solution<Lower>(solution, at.time);
    }
    throw InvalidState(
        "LagrangeDAlembert: under rows of order 3 and above the mass must be positive, and rows of lower "
        "order must not follow from each other",
        time);
  }
};

}  // namespace dalembert::detail
