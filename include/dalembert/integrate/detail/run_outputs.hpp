#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include <dalembert/integrate/detail/run_loop.hpp>

namespace dalembert::detail {

/// The search for one of the events. What a step throws is a failure of the run; what the function of an
/// event throws passes through; where the interpolant fails the steps tell.
template <class State>
class RunLoop<State>::Search final : public EventSearch<State> {
 public:
  Search(RunLoop& run, std::size_t event) : run_(run), event_(event) {}
  S value(const State& at) override { return run_.value(event_, at); }
  void forget_last_step() override { run_.forget_search(); }
  void step(State& state, S h) override {
    try {
      run_.search_step(state, h);
    } catch (const std::exception& cause) {
      run_.fail_because_of(cause);
    }
  }
  bool interpolate(S fraction, State& out) override {
    try {
      return run_.interpolate(fraction, out).converged;
    } catch (const std::exception&) {
      return false;
    }
  }

 private:
  RunLoop& run_;
  std::size_t event_;
};

/// Locate the events of the step just taken, and let them and the outputs before them happen in order: an
/// output at the time of an event comes before its action, be the end of the step an `output` or not
/// interpolated. A terminal event ends the run there. Returns whether one did.
template <class State>
bool RunLoop<State>::watch_events(bool output) {
  const std::size_t first = report_.hits.size();
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const S before = std::exchange(values_[i], value(i, state_));
    Search search(*this, i);
    auto hit = crossing_in_step(search, events_[i], {!traits_.has_fixed_step, traits_.is_dense}, before_,
                                state_, before, values_[i]);
    if (!hit) continue;
    report_.hits.push_back({i, std::move(*hit)});
    for (std::size_t at = report_.hits.size() - 1; at > first; --at) {  // in the order of time
      if (!(report_.hits[at].state.time < report_.hits[at - 1].state.time)) break;
      std::swap(report_.hits[at], report_.hits[at - 1]);
    }
  }
  const auto begin = report_.hits.begin() + static_cast<std::ptrdiff_t>(first);
  for (auto hit = begin; hit != report_.hits.end(); ++hit) {
    const bool terminal = events_[hit->event].terminal;
    serve_outputs(hit->state.time);
    if (terminal) state_ = hit->state;
    if (terminal || (output && hit->state.time == state_.time)) observe_once();
    act(hit->event, hit->state);
    if (!terminal) continue;
    report_.stopped_by = hit->event;
    report_.hits.erase(hit + 1, report_.hits.end());
    return true;
  }
  return false;
}

/// Show observers the interpolated states of the step just taken, up to the time `last` [s].
template <class State>
void RunLoop<State>::serve_outputs(S last) {
  if (!interpolates()) return;
  while (const std::optional<S> time = schedule_.output_between(served_, last)) {
    served_ = *time;
    if (served_ == state_.time) {
      observe(state_);
    } else {
      interpolate_at(served_);
      observe(between_);
    }
  }
}

/// Let `between_` be the state of the step just taken at the time t [s].
template <class State>
void RunLoop<State>::interpolate_at(S t) {
  const S fraction = std::clamp((t - before_.time) / (state_.time - before_.time), S(0), S(1));
  bool converged = false;
  try {
    converged = interpolate(fraction, between_).converged;
  } catch (const std::exception& cause) {
    fail_because_of(cause);
  }
  if (!converged) fail("an interpolated state did not converge");
  between_.time = t;
}

/// Show observers the present state, unless they have seen it.
template <class State>
void RunLoop<State>::observe_once() {
  if (served_ == state_.time) return;
  served_ = state_.time;
  observe(state_);
}

}  // namespace dalembert::detail
