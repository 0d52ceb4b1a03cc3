#pragma once

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/integrate/detail/stability.hpp>
#include <dalembert/integrate/drive_options.hpp>
#include <dalembert/integrate/method.hpp>

/// The step of an explicit method from the frequencies of a problem, by a Courant number, the `fraction`:
///   h = fraction · (stability limit of the method)/ω                                                   (1)
/// with the bound ω that the problem has on the angular frequencies of small motions about a state: 2/ω for
/// `Verlet`, 2.83/ω for `RungeKutta4`. Where rigid bodies are beside rods, ω is that of the waves in the
/// rods: a rigid body that swings faster than they do, on a stiff spring say, asks for a shorter step.
namespace dalembert {

/// A method with a stability limit, and a problem that bounds its frequencies, or those of its waves.
template <class M, class P>
concept StabilityBound = HasStabilityLimit<M> && detail::StepBoundedProblem<P>;

/// Equation (1) [s], rounded so that the step does not pass the limit. A motion that stiffens the problem may
/// pass it later: take a fraction below 1. Throws std::invalid_argument for a fraction outside (0, 1], and
/// where nothing in the problem swings.
template <class M, class P>
  requires StabilityBound<M, P>
[[nodiscard]] typename P::Scalar stable_step(const M&, const P& problem, const typename P::State& state,
                                             typename P::Scalar fraction) {
  using S = typename P::Scalar;
  require(fraction > 0 && fraction <= 1, "stable_step", "fraction", fraction, "it must lie in (0, 1]");
  const S frequency = number::as_constant(S(detail::fastest(problem, state)));
  S step = fraction * S(M::stability_limit()) / frequency;
  require(number::isfinite(step) && step > 0, "stable_step", "bound on the frequencies", frequency,
          "it must be positive and finite for a step to follow from it [rad/s]");
  while (detail::is_beyond_limit<M>(step, frequency)) step = S(std::nextafter(value_of(step), Number<S>(0)));
  return step;
}

namespace detail {

/// Let the step be what `cfl` stands for, if that is given. Throws std::invalid_argument for a pair without a
/// bound, and with a step of one's own.
template <class M, class P, class S>
void take_stable_step(const M& method, const P& problem, const typename P::State& state,
                      RunNumbers<S>& numbers) {
  if (numbers.cfl == S(0)) return;
  require(numbers.step == S(0), "DriveOptions", "step", numbers.step,
          "cfl stands for it, and one of the two is given");
  if constexpr (StabilityBound<M, P>)
    numbers.step = stable_step(method, problem, state, numbers.cfl);
  else
    require(false, "DriveOptions", "cfl", numbers.cfl,
            "this method has no stability limit, or the problem no bound on its frequencies: give a step");
  numbers.cfl = S(0);
}

}  // namespace detail

}  // namespace dalembert
