#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/integrate/detail/event_search.hpp>
#include <dalembert/integrate/detail/progress.hpp>
#include <dalembert/integrate/detail/schedule.hpp>
#include <dalembert/integrate/detail/step_control.hpp>
#include <dalembert/integrate/detail/step_floor.hpp>
#include <dalembert/integrate/detail/violation_watch.hpp>
#include <dalembert/integrate/drive_options.hpp>

namespace dalembert::detail {

/// What matters of a method, its workspace and its problem to the loop of a run.
struct RunTraits {
  int error_order = 0;              ///< of the method's estimate, 0 without one
  bool is_dense = false;            ///< steps can be interpolated
  bool tells_displacement = false;  ///< the workspace says how far a step went
  bool keeps_previous = false;      ///< the workspace has the state before its last step
  bool is_flow = false;             ///< steps end in good states, or leave theirs alone
  bool has_fixed_step = false;      ///< of one length
};

/// Throws std::invalid_argument for tolerances that the method knows nothing of.
template <class S>
void check_tolerances(const RunNumbers<S>& numbers, bool estimates_error, bool tells_displacement) {
  require(!numbers.adaptive() || estimates_error, "DriveOptions", "tolerance",
          std::max(numbers.tolerance, numbers.relative_tolerance),
          "this integrator does not estimate its error, so its steps cannot adapt");
  require(numbers.relative_tolerance == 0 || tells_displacement, "DriveOptions", "relative_tolerance",
          numbers.relative_tolerance,
          "this integrator does not tell how far a step goes, so it needs an absolute tolerance alone");
}

/// The loop of a run, for all problems, methods and observers whose states are alike: what it asks of those
/// is virtual, so that it is compiled once.
template <class State>
class RunLoop {
 public:
  using S = std::remove_cv_t<decltype(State::time)>;

  DriveReport<State> operator()();

 protected:
  /// How far a step has come that was asked for.
  struct Progressed {
    bool is_taken = false;  ///< it has ended, be it in a good state or not
    bool is_good = false;
  };

  RunLoop(State& state, const RunNumbers<S>& numbers, const RunTraits& traits,
          std::vector<EventRule<S>> events)
      : state_(state),
        numbers_(numbers),
        traits_(traits),
        events_(std::move(events)),
        schedule_(numbers.origin.value_or(state.time), numbers.until, numbers.step, numbers.output_interval,
                  state.time),
        control_(std::max(traits.error_order, 1)),
        floor_(numbers, state.time),
        watch_(numbers),
        before_(state),
        between_(state),
        trial_(std::min(numbers.step, numbers.longest_step)) {}
  ~RunLoop() = default;

  // Of the problem.
  virtual bool is_finite_throughout(const State& at) = 0;
  virtual Violation<S> violation(const State& at) = 0;
  virtual void check(const State& at) = 0;
  virtual S value(std::size_t event, const State& at) = 0;
  virtual void act(std::size_t event, const State& at) = 0;
  // Of the method's workspace.
  virtual StepReport<S> step(State& state, S h, Progressed& done) = 0;
  virtual void forget_last_step() = 0;
  virtual void put_previous(State& out) = 0;
  virtual S displacement() = 0;
  virtual StepReport<S> interpolate(S fraction, State& out) = 0;
  // Of the workspace that searches for events, so that the run is not disturbed.
  virtual void search_step(State& state, S h) = 0;
  virtual void forget_search() = 0;
  // Of the observers, with what the last step reported.
  virtual void observe(const State& at) = 0;

 private:
  using Target = typename Schedule<S>::Target;

  void advance();
  void look(bool check_too);
  Target adapted_target(S h);
  void fixed_step(const Target& target);
  void adapted_step(Target& target);
  void recall();
  std::optional<StepReport<S>> try_step(S h);
  S error_of(const StepReport<S>& step);
  void propose(S h, S error, bool again);
  [[noreturn]] void give_up();
  [[noreturn]] void fail_because_of(const std::exception& cause);
  [[noreturn]] void fail(const char* why);
  [[nodiscard]] IntegrationFailureWith<State> failure(const std::string& why) const;
  bool watch_events(bool output);
  void serve_outputs(S last);
  void interpolate_at(S t);
  void observe_once();

  /// Whether the steps' lengths are chosen by their errors.
  [[nodiscard]] bool adaptive() const noexcept { return traits_.error_order > 0 && numbers_.adaptive(); }
  /// Whether the state before a step need not be copied, because the stepper has it, or the step leaves it
  /// alone where it fails, and nothing else asks for it.
  [[nodiscard]] bool lazy() const noexcept {
    return (traits_.keeps_previous || traits_.is_flow) && !adaptive() &&
           (traits_.has_fixed_step || events_.empty());
  }
  /// Whether output times are interpolated.
  [[nodiscard]] bool interpolates() const noexcept {
    return traits_.is_dense && numbers_.dense && adaptive();
  }

  class Search;

  State& state_;
  RunNumbers<S> numbers_;
  RunTraits traits_;
  std::vector<EventRule<S>> events_;
  Schedule<S> schedule_;
  StepControl<Number<S>> control_;
  StepFloor<S> floor_;
  ViolationWatch<S> watch_;
  State before_;
  State between_;
  S trial_;
  std::exception_ptr left_{};  // what led the last step that was tried out of the model's validity
  S served_{};                 // the last time of output in the present step
  std::vector<S> values_{};
  DriveReport<State> report_{};
};

template <class State>
DriveReport<State> RunLoop<State>::operator()() {
  if (!adaptive()) state_.time = schedule_.rounded(state_.time);
  ProgressReporter progress(numbers_, number::plain(state_.time));
  if (!is_finite_throughout(state_)) fail("the state at the start is not finite");
  look(true);
  for (std::size_t i = 0; i < events_.size(); ++i) values_.push_back(value(i, state_));
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

/// One step to the next target, what happens on the way, and the observers.
template <class State>
void RunLoop<State>::advance() {
  if (!lazy()) before_ = state_;
  Target target = adaptive() ? adapted_target(trial_) : schedule_.next(state_.time);
  if (adaptive())
    adapted_step(target);
  else
    fixed_step(target);
  ++report_.steps;
  served_ = before_.time;
  if (watch_.due(report_.steps)) look(watch_.check_due(report_.steps));
  const bool stopped = !events_.empty() && watch_events(target.output);
  serve_outputs(state_.time);
  if (target.output || stopped) observe_once();
}

/// Measure the violation of the constraints in the present state, and let it be checked.
template <class State>
void RunLoop<State>::look(bool check_too) {
  try {
    if (watch_.looks_anew(state_.time)) watch_.take(violation(state_), state_.time);
    if (check_too && watch_.checks_anew(state_.time)) check(state_);
  } catch (const std::exception& cause) {
    if (report_.steps > 0) recall();
    fail_because_of(cause);
  }
}

/// The end of an adapted step of length h that begins at `before_`.
template <class State>
typename RunLoop<State>::Target RunLoop<State>::adapted_target(S h) {
  return interpolates() ? schedule_.freely(before_.time, h) : schedule_.within(before_.time, h);
}

template <class State>
void RunLoop<State>::fixed_step(const Target& target) {
  Progressed done;
  StepReport<S> report;
  try {
    report = step(state_, target.length, done);
  } catch (const std::exception& cause) {
    if (done.is_taken)
      recall();
    else if (lazy())
      before_ = state_;  // a step that throws leaves its state alone
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
template <class State>
void RunLoop<State>::recall() {
  if (!lazy()) return;
  if (traits_.keeps_previous)
    put_previous(before_);
  else
    before_ = state_;
}

/// Shorten the step until its error estimate meets the tolerance; propose the next one from it.
template <class State>
void RunLoop<State>::adapted_step(Target& target) {
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
    state_ = before_;
    forget_last_step();
    trial_ = h * S(control_.rejected(value_of(error)));
    target = adapted_target(trial_);
  }
}

/// Fail because steps have become too short: because of what the last one that was tried threw, if it did.
template <class State>
void RunLoop<State>::give_up() {
  try {
    if (left_) std::rethrow_exception(left_);
    throw StepTooShort(number::plain(trial_), number::plain(numbers_.tolerance),
                       number::plain(numbers_.relative_tolerance), number::plain(before_.time));
  } catch (const std::exception& cause) {
    fail_because_of(cause);
  }
}

/// The error estimate of a step in parts of what is tolerated; not-a-number or infinite if it is not finite.
template <class State>
typename RunLoop<State>::S RunLoop<State>::error_of(const StepReport<S>& report) {
  S tolerated = numbers_.tolerance;
  if (numbers_.relative_tolerance > 0) tolerated += numbers_.relative_tolerance * displacement();
  return report.error == 0 ? S(0) : report.error / tolerated;
}

/// The length of the next step, after one of length h that was accepted, `again` after a rejection.
template <class State>
void RunLoop<State>::propose(S h, S error, bool again) {
  const bool was_cut = h < S(0.9) * trial_;  // to end at an output time: keep the longer proposal
  const S growth = control_.accepted(value_of(error));
  if (was_cut) control_.reset();
  const S next = h * (again ? std::min(growth, S(1)) : growth);
  trial_ = std::min(numbers_.longest_step, was_cut ? std::max(trial_, next) : next);
}

/// A step of length h, or nothing if it did not converge or led out of the model's validity, which `left_`
/// then tells.
template <class State>
std::optional<StepReport<typename RunLoop<State>::S>> RunLoop<State>::try_step(S h) {
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

template <class State>
void RunLoop<State>::fail_because_of(const std::exception& cause) {
  state_ = before_;
  std::throw_with_nested(failure(cause.what()));
}

template <class State>
void RunLoop<State>::fail(const char* why) {
  state_ = before_;
  throw failure(why);
}

template <class State>
IntegrationFailureWith<State> RunLoop<State>::failure(const std::string& why) const {
  return {message({"integration stopped (", why, "); last good state"}), before_};
}

}  // namespace dalembert::detail

#include <dalembert/integrate/detail/run_outputs.hpp>
