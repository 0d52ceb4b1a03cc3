#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <dalembert/integrate/detail/run_loop.hpp>

/// What members of `RunLoop` do, apart from their class so that a program can leave them to a library.
namespace dalembert::detail {

template <class State, bool adapts, bool searches>
DriveReport<State> RunLoop<State, adapts, searches>::operator()() {
  if (!adaptive()) state_.time = schedule_.rounded(state_.time);
  ProgressReporter progress(numbers_, number::plain(state_.time));
  if (!is_finite_throughout(state_)) fail("the state at the start is not finite");
  look(true);
  for (std::size_t i = 0; i < numbers_.events; ++i) values_.push_back(value(i, state_));
  observe(state_);
  while (!schedule_.done(state_.time) && !report_.stopped_by) {
    advance();
    progress.tell(number::plain(state_.time), false);
  }
  look(true);
  report_.violation = watch_.worst();
  report_.step = adaptive() ? trial_ : schedule_.step();
  progress.tell(number::plain(state_.time), true);
  return std::move(report_);
}

template <class State, bool adapts, bool searches>
RunLoop<State, adapts, searches>::~RunLoop() = default;

/// One step to the next target, what happens on the way, and the observers.
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::advance() {
  if (!lazy()) copy(state_, before_);
  Target target = adaptive() ? adapted_target(trial_) : schedule_.next(state_.time);
  if constexpr (adapts)
    adaptive() ? adapted_step(target) : fixed_step(target);
  else
    fixed_step(target);
  ++report_.steps;
  served_ = before_.time;
  if (watch_.due(report_.steps)) look(watch_.check_due(report_.steps));
  const bool stopped = numbers_.events > 0 && watch_events(target.output);
  serve_outputs(state_.time);
  if (target.output || stopped) observe_once();
}

/// Measure the violation of the constraints in the present state, and let it be checked.
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::look(bool check_too) {
  try {
    if (watch_.looks_anew(state_.time)) watch_.take(violation(state_), state_.time);
    if (check_too && watch_.checks_anew(state_.time)) check(state_);
  } catch (const std::exception& cause) {
    if (report_.steps > 0) recall();
    fail_because_of(cause);
  }
}

/// The end of an adapted step of length h that begins at `before_`.
template <class State, bool adapts, bool searches>
typename RunLoop<State, adapts, searches>::Target RunLoop<State, adapts, searches>::adapted_target(S h) {
  return interpolates() ? schedule_.freely(before_.time, h) : schedule_.within(before_.time, h);
}

template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::fixed_step(const Target& target) {
  Progressed done;
  StepReport<S> report;
  try {
    report = step(state_, target.length, done);
  } catch (const std::exception& cause) {
    if (done.is_taken)
      recall();
    else if (lazy())
      copy(state_, before_);  // a step that throws leaves its state alone
    fail_because_of(cause);
  }
  if (!done.is_good) {
    recall();
    fail(report.converged ? "a step led to a state that is not finite" : "a step did not converge");
  }
  state_.time = target.time;
}

/// Let `before_` be the state before the step just taken, if it was not copied then; of a flow, whose steps
/// end in good states, the one after it.
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::recall() {
  if (!lazy()) return;
  if (traits_.keeps_previous)
    put_previous(before_);
  else
    copy(state_, before_);
}

/// Shorten the step until its error estimate meets the tolerance; propose the next one from it.
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::adapted_step(Target& target) {
  for (bool again = false;; again = true) {
    if (floor_.ends_at(trial_, before_.time, again)) give_up();
    const S h = target.length;
    const auto taken = try_step(h);
    const S error = taken ? error_of(*taken) : std::numeric_limits<S>::infinity();
    if (error <= 1) {
      propose(h, error, again);
      state_.time = target.time;
      return;
    }
    ++report_.rejected;
    copy(before_, state_);
    forget_last_step();
    trial_ = h * S(control_.rejected(value_of(error)));
    target = adapted_target(trial_);
  }
}

/// Fail because steps have become too short: because of what the last one that was tried threw, if it did.
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::give_up() {
  try {
    if (left_) std::rethrow_exception(left_);
    throw StepTooShort(number::plain(trial_), number::plain(numbers_.tolerance),
                       number::plain(numbers_.relative_tolerance), number::plain(before_.time));
  } catch (const std::exception& cause) {
    fail_because_of(cause);
  }
}

/// The error estimate of a step in parts of what is tolerated; not-a-number or infinite if it is not finite.
template <class State, bool adapts, bool searches>
typename RunLoop<State, adapts, searches>::S RunLoop<State, adapts, searches>::error_of(
    const StepReport<S>& report) {
  S tolerated = numbers_.tolerance;
  if (numbers_.relative_tolerance > 0) tolerated += numbers_.relative_tolerance * displacement();
  return report.error == 0 ? S(0) : report.error / tolerated;
}

/// The length of the next step, after one of length h that was accepted, `again` after a rejection.
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::propose(S h, S error, bool again) {
  const bool was_cut = h < S(0.9) * trial_;  // to end at an output time: keep the longer proposal
  const S growth = control_.accepted(value_of(error));
  if (was_cut) control_.reset();
  const S next = h * (again ? std::min(growth, S(1)) : growth);
  trial_ = std::min(numbers_.longest_step, was_cut ? std::max(trial_, next) : next);
}

/// A step of length h, or nothing if it did not converge or led out of the model's validity, which `left_`
/// then tells.
template <class State, bool adapts, bool searches>
std::optional<StepReport<typename RunLoop<State, adapts, searches>::S>>
RunLoop<State, adapts, searches>::try_step(S h) {
  left_ = nullptr;
  Progressed done;
  try {
    const StepReport<S> report = step(state_, h, done);
    if (done.is_good) return report;
  } catch (const InvalidState&) {
    left_ = std::current_exception();
  } catch (const std::exception& cause) {
    fail_because_of(cause);
  }
  return {};
}

template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::fail_because_of(const std::exception& cause) {
  copy(before_, state_);
  std::throw_with_nested(failure(cause.what()));
}

template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::fail(const char* why) {
  copy(before_, state_);
  throw failure(why);
}

template <class State, bool adapts, bool searches>
IntegrationFailureWith<State> RunLoop<State, adapts, searches>::failure(const std::string& why) const {
  return {message({"integration stopped (", why, "); last good state"}), before_};
}

/// The search for one of the events. What a step throws is a failure of the run; what the function of an
/// event throws passes through; where the interpolant fails the steps tell.
template <class State, bool adapts, bool searches>
// Nobody frees it by its base. NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class RunLoop<State, adapts, searches>::Search final : public EventSearch<State> {
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
  std::optional<S> guess(S asked, const State& begin, const State& end, S before, S after) override {
    return run_.guess(*this, asked, begin, end, before, after);
  }

 private:
  RunLoop& run_;
  std::size_t event_;
};

/// Locate the events of the step just taken, and let them and the outputs before them happen in order: an
/// output at the time of an event comes before its action, be the end of the step an `output` or not
/// interpolated. A terminal event ends the run there. Returns whether one did.
template <class State, bool adapts, bool searches>
bool RunLoop<State, adapts, searches>::watch_events(bool output) {
  const std::size_t first = report_.hits.size();
  for (std::size_t i = 0; i < numbers_.events; ++i) {
    const S before = std::exchange(values_[i], value(i, state_));
    Search search(*this, i);
    auto hit = crossing_in_step<searches>(search, rule(i), before_, state_, before, values_[i]);
    if (!hit) continue;
    report_.hits.push_back({i, std::move(*hit)});
    for (std::size_t at = report_.hits.size() - 1; at > first; --at) {  // in the order of time
      if (!(report_.hits[at].state.time < report_.hits[at - 1].state.time)) break;
      std::swap(report_.hits[at], report_.hits[at - 1]);
    }
  }
  const auto begin = report_.hits.begin() + static_cast<std::ptrdiff_t>(first);
  for (auto hit = begin; hit != report_.hits.end(); ++hit) {
    const bool terminal = rule(hit->event).terminal;
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
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::serve_outputs(S last) {
  if constexpr (adapts) {
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
}

/// Let `between_` be the state of the step just taken at the time t [s].
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::interpolate_at(S t) {
  if constexpr (adapts) {
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
}

/// Show observers the present state, unless they have seen it.
template <class State, bool adapts, bool searches>
void RunLoop<State, adapts, searches>::observe_once() {
  if (served_ == state_.time) return;
  served_ = state_.time;
  observe(state_);
}

}  // namespace dalembert::detail
