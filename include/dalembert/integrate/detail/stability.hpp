#pragma once

#include <algorithm>

#include <dalembert/integrate/drive_options.hpp>
#include <dalembert/integrate/method.hpp>

namespace dalembert::detail {

/// Throws std::invalid_argument for steps of equal length beyond the stability limit of the method, with the bound; for an assembly with rigid bodies
/// beside rods, that of the rods.
template <class M, class P>
void check_stability(const P& problem, const typename P::State& state, const DriveOptions<P>& options) {
  if constexpr (HasStabilityLimit<M> && (FrequencyBoundedProblem<P> || WaveBoundedProblem<P>)) {
    using S = typename P::Scalar;
    if (options.adaptive() || options.beyond_stability) return;
    S longest = std::min(options.step, S(options.until - state.time));
    if (options.output_interval > 0) longest = std::min(longest, options.output_interval);
    const auto bound = [&] {
      if constexpr (FrequencyBoundedProblem<P>)
        return problem.frequency_bound(state);
      else
        return problem.wave_frequency_bound(state);
    };
    const double frequency = static_cast<double>(bound());
    if (!(static_cast<double>(longest) * frequency > M::stability_limit())) return;
    require(false, "DriveOptions", "step", longest,
            message({"steps of this method grow beyond ", M::stability_limit() / frequency,
                     " s = ", M::stability_limit(), "/omega where the fastest waves have omega = ", frequency,
                     " rad/s; take shorter steps, or set beyond_stability"}));
  }
}

}  // namespace dalembert::detail
