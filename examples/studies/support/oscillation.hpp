#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include <dalembert/integrate/events.hpp>

namespace example {

/// The zeros of a number along a run, for the events of `drive`.
template <class P>
[[nodiscard]] dalembert::Event<P> zeros_of(std::function<double(const typename P::State&)> number) {
  return {.name = "zero",
          .value = [number = std::move(number)](const P&, const typename P::State& x) { return number(x); }};
}

/// The angular frequency of an oscillation whose zeros a run has found, π times their number per time [rad/s]; not a number for fewer than two.
template <class Report>
[[nodiscard]] double frequency(const Report& report) {
  const auto count = report.hits.size();
  if (count < 2) return std::numeric_limits<double>::quiet_NaN();
  const double time = report.hits.back().state.time - report.hits.front().state.time;
  return static_cast<double>(dalembert::pi) * static_cast<double>(count - 1) / time;
}

}  // namespace example
