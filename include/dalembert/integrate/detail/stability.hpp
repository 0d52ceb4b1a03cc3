#pragma once

#include <algorithm>
#include <type_traits>

#include <dalembert/core/number.hpp>
#include <dalembert/integrate/drive_options.hpp>
#include <dalembert/integrate/method.hpp>

namespace dalembert::detail {

/// A problem that bounds the frequencies of all that moves, or of the waves in its elastic bodies.
template <class P>
concept StepBoundedProblem = FrequencyBoundedProblem<P> || WaveBoundedProblem<P>;

/// The bound of a problem on all its frequencies, or else on those of its waves [rad/s].
template <StepBoundedProblem P>
[[nodiscard]] typename P::Scalar fastest(const P& problem, const typename P::State& state) {
  if constexpr (FrequencyBoundedProblem<P>)
    return problem.frequency_bound(state);
  else
    return problem.wave_frequency_bound(state);
}

/// Whether steps of this length are beyond the stability limit of a method. The product is exact in float.
template <HasStabilityLimit M, class S>
[[nodiscard]] bool is_beyond_limit(const S& step, const S& frequency) {
  using Wide = std::common_type_t<Number<S>, double>;
  return static_cast<Wide>(value_of(step)) * static_cast<Wide>(value_of(frequency)) >
         static_cast<Wide>(M::stability_limit());
}

/// Throws std::invalid_argument for steps of equal length beyond the stability limit of the method, with the
/// bound; for an assembly with rigid bodies beside rods, that of the rods.
template <class M, class P>
void check_stability(const P& problem, const typename P::State& state,
                     const RunNumbers<typename P::Scalar>& options) {
  if constexpr (HasStabilityLimit<M> && StepBoundedProblem<P>) {
    using S = typename P::Scalar;
    if (options.adaptive() || options.beyond_stability) return;
    S longest = std::min(options.step, S(options.until - state.time));
    if (options.output_interval > 0) longest = std::min(longest, options.output_interval);
    const S bound = fastest(problem, state);
    if (!is_beyond_limit<M>(longest, bound)) return;
    const double frequency = number::plain(bound);
    require(false, "DriveOptions", "step", longest,
            message({"steps of this method grow beyond ", M::stability_limit() / frequency,
                     " s = ", M::stability_limit(), "/omega where the fastest waves have omega = ", frequency,
                     " rad/s; take shorter steps, or set beyond_stability"}));
  }
}

}  // namespace dalembert::detail
