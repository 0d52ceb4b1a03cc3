#pragma once

#include <limits>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/problem/implicit.hpp>

/// Newton's method for the equations of an implicit step.
namespace dalembert {

/// How the equations of an implicit step are solved.
struct NewtonOptions {
  double tolerance =
      1e-12;  ///< of the displacement in a step, in the kinetic metric, beside round-off, below which none can be asked
  int iterations = 40;  ///< at most
  bool frozen =
      true;  ///< keep the factors of the matrix, in the next steps too, for as long as they lead on fast

  /// Throws std::invalid_argument for a tolerance that is no number below 1, and without iterations.
  void check() const {
    require(tolerance >= 0 && tolerance < 1, "NewtonOptions", "tolerance", tolerance,
            "it must lie in [0, 1)");
    require(iterations >= 1, "NewtonOptions", "iterations", iterations, "there must be one at least");
  }
};

namespace detail {

/// Why an iteration ended.
template <class S>
[[noreturn, gnu::cold, gnu::noinline]] void throw_no_step(const char* why, S length, S time) {
  throw NoConvergence(
      message({"NoConvergence: an implicit step of ", length, " s ", why, "; take shorter steps,"}),
      number::plain(time));
}

/// Corrections that derivatives still need when the values have arrived; returns how many. Each makes the
/// derivatives of one order more exact, with a matrix of its own.
template <class E, class S>
[[nodiscard]] int correct_derivatives([[maybe_unused]] E& equations, [[maybe_unused]] const S& tolerance) {
  constexpr int orders = number::derivative_order<S>;
  if constexpr (orders > 0) {
    equations.find_residual();
    for (int order = 0; order < orders; ++order) {
      if (!equations.factor()) break;
      (void)equations.correct(tolerance);
      equations.find_residual();  // puts everything where the correction leads
    }
  }
  return orders;
}

/// Solves equations that were started, by corrections until one is below the tolerance; returns how many there were. Where the matrix is frozen, corrections shrink by a
/// factor that tells when the rest of them will be below the tolerance, and when a new matrix is due. Throws NoConvergence.
template <class E, class S>
[[nodiscard]] int solve_step(E& equations, const NewtonOptions& options, S length, S time) {
  const S rounding = S(16) * std::numeric_limits<S>::epsilon();
  const S tolerance =
      static_cast<S>(options.tolerance) > rounding ? static_cast<S>(options.tolerance) : rounding;
  const S slow = S(1) / S(5), half = S(1) / S(2), epsilon = std::numeric_limits<S>::epsilon();
  S last(0), before(0);  // the last size, and by what it shrank
  bool fresh = false;    // the matrix is of this step
  int stalled = 0;
  S factored_at(0);
  for (int i = 1; i <= options.iterations; ++i) {
    equations.find_residual();
    const bool renewed = !equations.has_factors() || !options.frozen;
    if (renewed) {
      if (!equations.factor()) throw_no_step("has a singular matrix", length, time);
      fresh = true;
    }
    const S size = equations.correct(tolerance);
    if (renewed) factored_at = size;
    if (!number::isfinite(size)) break;
    if (size <= tolerance) return i + correct_derivatives(equations, tolerance);
    if (last > S(0)) {
      const S rate = size / last, slower = rate > before ? rate : before;
      if (options.tolerance > 0 && before > S(0) && slower < S(1) &&
          size * slower <= (S(1) - slower) * tolerance)
        return i + correct_derivatives(equations, tolerance);
      before = rate;
      stalled = rate > half ? stalled + 1 : 0;
      // what does not shrink any more is round-off
      if (stalled > 1 && size < (fresh ? number::sqrt(epsilon) : S(1e3) * epsilon))
        return i + correct_derivatives(equations, tolerance);
      // a new matrix pays where it is much nearer to the end than the old one
      if (rate > slow && size > S(1e3) * epsilon && (!fresh || size < factored_at / S(10)))
        equations.forget_factors();
    }
    last = size;
  }
  equations.forget_factors();
  throw_no_step("does not converge", length, time);
}

}  // namespace detail

}  // namespace dalembert
