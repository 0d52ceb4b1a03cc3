#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
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
  int error_order = 0;          ///< of the method's estimate, 0 without one
  bool is_dense = false;        ///< steps can be interpolated
  bool keeps_previous = false;  ///< the workspace has the state before its last step
  bool is_flow = false;         ///< steps end in good states, or leave theirs alone
};

/// Throws std::invalid_argument for tolerances that the method knows nothing of.
template <class S>
[[gnu::cold, gnu::noinline]] void check_tolerances(const RunNumbers<S>& numbers, bool estimates_error,
                                                   bool tells_displacement) {
  require(!numbers.adaptive() || estimates_error, "DriveOptions", "tolerance",
          std::max(numbers.tolerance, numbers.relative_tolerance),
          "this integrator does not estimate its error, so its steps cannot adapt");
  require(numbers.relative_tolerance == 0 || tells_displacement, "DriveOptions", "relative_tolerance",
          numbers.relative_tolerance,
          "this integrator does not tell how far a step goes, so it needs an absolute tolerance alone");
}

/// The loop of a run, for all problems, methods and observers whose states are alike: what it asks of those
/// is virtual, so that it is compiled once; once more where some methods choose their steps, `adapts`, or all
/// steps of a flow have one length, so that no shorter one `searches` for events.
template <class State, bool adapts, bool searches>
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

  RunLoop(State& state, const RunNumbers<S>& numbers, const RunTraits& traits)
      : state_(state),
        numbers_(numbers),
        traits_(traits),
        schedule_(numbers.origin.value_or(state.time), numbers.until, numbers.step, numbers.output_interval,
                  state.time),
        control_(std::max(traits.error_order, 1)),
        floor_(numbers, state.time),
        watch_(numbers),
        before_(state),
        between_(between(state)),
        trial_(std::min(numbers.step, numbers.longest_step)) {}
  [[gnu::cold, gnu::noinline]] ~RunLoop();

  /// Out of line and small: what there is to copy is in the arrays of a state.
  [[gnu::cold, gnu::noinline]] static void copy(const State& from, State& to) { to = from; }

  // Of the problem.
  virtual bool is_finite_throughout(const State& at) = 0;
  virtual Violation<S> violation(const State& at) = 0;
  virtual void check(const State& at) = 0;
  virtual EventRule<S> rule(std::size_t event) = 0;
  virtual S value(std::size_t event, const State& at) = 0;
  virtual void act(std::size_t event, const State& at) = 0;
  // Of the method's workspace.
  virtual StepReport<S> step(State& state, S h, Progressed& done) = 0;
  virtual void forget_last_step() = 0;
  virtual void put_previous(State& out) = 0;
  virtual S displacement() = 0;
  virtual StepReport<S> interpolate(S fraction, State& out) = 0;
  virtual std::optional<S> guess(EventSearch<State>& search, S asked, const State& begin, const State& end,
                                 S before, S after) = 0;
  // Of the workspace that searches for events, so that the run is not disturbed.
  virtual void search_step(State& state, S h) = 0;
  virtual void forget_search() = 0;
  // Of the observers, with what the last step reported.
  virtual void observe(const State& at) = 0;

 private:
  using Target = typename Schedule<S>::Target;

  void advance();
  [[gnu::cold, gnu::noinline]] void look(bool check_too);
  Target adapted_target(S h);
  void fixed_step(const Target& target);
  void adapted_step(Target& target);
  void recall();
  std::optional<StepReport<S>> try_step(S h);
  S error_of(const StepReport<S>& report);
  void propose(S h, S error, bool again);
  [[noreturn, gnu::cold, gnu::noinline]] void give_up();
  [[noreturn, gnu::cold, gnu::noinline]] void fail_because_of(const std::exception& cause);
  [[noreturn, gnu::cold, gnu::noinline]] void fail(const char* why);
  [[nodiscard, gnu::cold, gnu::noinline]] IntegrationFailureWith<State> failure(const std::string& why) const;
  [[gnu::cold, gnu::noinline]] bool watch_events(bool output);
  void serve_outputs(S last);
  void interpolate_at(S t);
  void observe_once();

  /// Whether the steps' lengths are chosen by their errors.
  [[nodiscard]] bool adaptive() const noexcept { return adapts && numbers_.adaptive(); }
  /// Whether the state before a step need not be copied, because the stepper has it, or the step leaves it
  /// alone where it fails, and nothing else asks for it.
  [[nodiscard]] bool lazy() const noexcept {
    return (traits_.keeps_previous || traits_.is_flow) && !adaptive() && (!searches || numbers_.events == 0);
  }
  /// Whether output times are interpolated.
  [[nodiscard]] bool interpolates() const noexcept {
    return traits_.is_dense && numbers_.dense && adaptive();
  }

  class Search;

  /// Room for interpolated states, if there are some.
  struct Nothing {};
  using Between = std::conditional_t<adapts, State, Nothing>;
  static Between between([[maybe_unused]] const State& state) {
    if constexpr (adapts)
      return state;
    else
      return {};
  }

  State& state_;
  RunNumbers<S> numbers_;
  RunTraits traits_;
  Schedule<S> schedule_;
  StepControl<Number<S>> control_;
  StepFloor<S> floor_;
  ViolationWatch<S> watch_;
  State before_;
  Between between_;
  S trial_;
  std::exception_ptr left_{};  // what led the last step that was tried out of the model's validity
  S served_{};                 // the last time of output in the present step
  std::vector<S> values_{};
  DriveReport<State> report_{};
};

}  // namespace dalembert::detail

#include <dalembert/integrate/detail/run_loop_members.hpp>
