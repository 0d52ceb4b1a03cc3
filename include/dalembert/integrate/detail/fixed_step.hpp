#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/integrate/drive_options.hpp>
#include <dalembert/problem/concepts.hpp>

namespace dalembert::detail {

/// Throws std::invalid_argument for times that a flow whose steps all have one length does not step to.
template <class P>
void check_fixed_step(const P& problem, const typename P::State& state, const DriveOptions<P>& options) {
  if constexpr (FixedStepFlow<P>) {
    using S = typename P::Scalar;
    using std::abs, std::round;
    const S step = problem.time_step();
    const S slack = std::max(S(1e-12L), 4 * std::numeric_limits<S>::epsilon());
    require(abs(options.step - step) <= slack * step, "DriveOptions", "step", options.step,
            message({"all steps of this flow have the length ", step, " s"}));
    const auto whole = [&](const char* quantity, S span, S value) {
      const S count = span / step;
      require(abs(count - round(count)) <= S(1e-6L) * std::max(S(1), abs(count) * S(1e-3L)), "DriveOptions",
              quantity, value, message({"this flow goes in whole steps of ", step, " s"}));
    };
    whole("until", options.until - state.time, options.until);
    whole("origin", state.time - options.origin.value_or(state.time), options.origin.value_or(state.time));
    whole("output_interval", options.output_interval, options.output_interval);
  }
}

}  // namespace dalembert::detail
