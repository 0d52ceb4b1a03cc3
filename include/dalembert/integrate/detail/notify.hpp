#pragma once

#include <concepts>

#include <dalembert/problem/concepts.hpp>

namespace dalembert::detail {

/// Call an observer with the arguments that it takes.
template <class Observer, Observable P, class Report>
void notify(Observer& observer, const P& problem, const typename P::State& at, const Report& step) {
  if constexpr (std::invocable<Observer&, const P&, const typename P::State&, const Report&>) {
    observer(problem, at, step);
  } else {
    static_assert(
        std::invocable<Observer&, const P&, const typename P::State&>,
        "an observer must be callable as observer(problem, state) or observer(problem, state, report)");
    observer(problem, at);
  }
}

}  // namespace dalembert::detail
