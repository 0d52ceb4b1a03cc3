#pragma once

#include <algorithm>
#include <limits>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/integrate/detail/schedule.hpp>
#include <dalembert/integrate/drive_options.hpp>
#include <dalembert/problem/concepts.hpp>

namespace dalembert::detail {

/// Throws std::invalid_argument for times that a flow whose steps all have one length does not step to.
template <class P>
void check_fixed_step(const P& problem, const typename P::State& state,
                      const RunNumbers<typename P::Scalar>& options) {
  if constexpr (FixedStepFlow<P>) {
    using S = typename P::Scalar;
    using std::abs, std::round;
    const S step = problem.time_step();
    const S slack = std::max(S(1e-12L), 4 * std::numeric_limits<S>::epsilon());
    require(abs(options.step - step) <= slack * step, "DriveOptions", "step", options.step,
            message({"all steps of this flow have the length ", step, " s"}));
    // What is no whole number of steps to within this would be one by a step of another length.
    const auto whole = [&](const char* quantity, S span, S length, S value) {
      const S count = span / length;
      require(abs(count - round(count)) <= S(1e-6L) + 4 * std::numeric_limits<S>::epsilon() * abs(count),
              "DriveOptions", quantity, value, message({"this flow goes in whole steps of ", step, " s"}));
    };
    whole("output_interval", options.output_interval, step, options.output_interval);
    const S used = equal_step(options.step, options.output_interval);
    whole("until", options.until - state.time, used, options.until);
    whole("origin", state.time - options.origin.value_or(state.time), used,
          options.origin.value_or(state.time));
  }
}

}  // namespace dalembert::detail
