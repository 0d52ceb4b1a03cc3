#pragma once

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/core/number.hpp>
#include <dalembert/integrate/detail/event_search.hpp>
#include <dalembert/integrate/detail/is_finite.hpp>
#include <dalembert/integrate/detail/notify.hpp>
#include <dalembert/integrate/detail/progress.hpp>
#include <dalembert/integrate/detail/schedule.hpp>
#include <dalembert/integrate/detail/step_control.hpp>
#include <dalembert/integrate/detail/step_floor.hpp>
#include <dalembert/integrate/detail/violation_watch.hpp>
#include <dalembert/integrate/drive_options.hpp>

namespace dalembert::detail {

/// The state of a run in progress; `drive` is its only user.
template <class M, Observable P, class... Observers>
class Run {
 public:
  using S = typename P::Scalar;
  using State = typename P::State;
  using Report = StepReportOf<P>;
  using Stepper = std::remove_cvref_t<decltype(std::declval<const M&>().stepper(
      std::declval<const P&>(), std::declval<const State&>()))>;
  static constexpr bool keeps_previous = requires(const Stepper& stepper) {
    { stepper.previous() } -> std::same_as<const State&>;
  };
  static constexpr bool is_dense = HasDenseOutput<M> && DenseStepperFor<Stepper, P>;
  static constexpr bool tells_displacement = TellsDisplacement<Stepper, S>;

  Run(const M& method, const P& problem, State& state, const DriveOptions<P>& options,
      Observers&... observers)
      : problem_(problem),
        state_(state),
        options_(options),
        observers_(observers...),
        stepper_(method.stepper(problem, std::as_const(state))),
        schedule_(options.origin.value_or(state.time), options.until, options.step, options.output_interval,
                  state.time),
        control_(error_order),
        floor_(options, state.time),
        watch_(options),
        before_(state),
        between_(state),
        trial_(std::min(options.step, options.longest_step)) {
    if constexpr (!FixedStepFlow<P>)
      if (!options.events.empty()) locator_.emplace(method.stepper(problem, std::as_const(state)));
  }

  DriveReport<State> operator()() {
    if (!adaptive()) state_.time = schedule_.rounded(state_.time);
    ProgressReporter<P> progress(options_, number::plain(state_.time));
    if (!is_finite_throughout(problem_, state_)) fail("the state at the start is not finite");
    look(true);
    for (const auto& event : options_.events) values_.push_back(event.value(problem_, state_));
    observe(state_, {});
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

 private:
  using Target = typename Schedule<S>::Target;

  /// One step to the next target, what happens on the way, and the observers.
  [[gnu::noinline]] void advance() {
    if (!lazy()) before_ = state_;
    Target target = adaptive() ? adapted_target(trial_) : schedule_.next(state_.time);
    Report step = one_step(target);
    if constexpr (ImpactProblem<P>) step.works = works_ += step.works;
    ++report_.steps;
    served_ = before_.time;
    if (watch_.due(report_.steps)) look(watch_.check_due(report_.steps));
    const bool stopped = !options_.events.empty() && watch_events(step, target.output);
    serve_outputs(state_.time, step);
    if (target.output || stopped) observe_once(step);
  }

  /// Measure the violation of the constraints in the present state, and let it be checked if `check` says so.
  void look(bool check) {
    try {
      watch_.look(problem_, state_);
      if (check) watch_.check(problem_, state_);
    } catch (const std::exception& cause) {
      if (report_.steps > 0) recall();
      fail_because_of(cause);
    }
  }

  /// The end of an adapted step of length h that begins at `before_`.
  Target adapted_target(S h) {
    return interpolates() ? schedule_.freely(before_.time, h) : schedule_.within(before_.time, h);
  }

  /// A step to the target, or, where lengths are chosen, to one nearer.
  Report one_step(Target& target) {
    if constexpr (EstimatesError<M>)
      if (adaptive()) return adapted_step(target);
    return fixed_step(target);
  }

  Report fixed_step(const Target& target) {
    Report step;
    bool stepped = false, good = false;
    try {
      step = stepper_.step(problem_, state_, target.length);
      stepped = true;
      good = step.converged && is_good(problem_, state_);
    } catch (const std::exception& cause) {
      if (stepped)
        recall();
      else if (lazy())
        before_ = state_;  // a step that throws leaves its state alone
      fail_because_of(cause);
    }
    if (!good) {
      recall();
      fail(step.converged ? "a step led to a state that is not finite" : "a step did not converge");
    }
    state_.time = target.time;
    return step;
  }

  /// Let `before_` be the state before the step just taken, if it was not copied then; of a flow, whose steps
  /// end in good states, the one after it.
  void recall() {
    if constexpr (keeps_previous) {
      if (lazy()) before_ = stepper_.previous();
    } else if constexpr (Flow<P>) {
      if (lazy()) before_ = state_;
    }
  }

  /// Whether the steps' lengths are chosen by their errors.
  [[nodiscard]] bool adaptive() const noexcept {
    if constexpr (EstimatesError<M>) return options_.adaptive();
    return false;
  }

  /// Whether the state before a step need not be copied, because the stepper has it, or the step leaves it
  /// alone where it fails, and nothing else asks for it.
  [[nodiscard]] bool lazy() const noexcept {
    constexpr bool need_not = keeps_previous || Flow<P>;
    return need_not && !adaptive() && (FixedStepFlow<P> || options_.events.empty());
  }

  /// Whether output times are interpolated.
  [[nodiscard]] bool interpolates() const noexcept { return is_dense && options_.dense && adaptive(); }

  /// Shorten the step until its error estimate meets the tolerance; propose the next one from it.
  Report adapted_step(Target& target) {
    for (bool again = false;; again = true) {
      if (floor_.ends_at(trial_, before_.time, again)) give_up();
      const S h = target.length;
      const auto step = try_step(h);
      const S error = step ? error_of(*step) : std::numeric_limits<S>::infinity();
      if (error <= 1) {
        propose(h, error, again);
        state_.time = target.time;
        return *step;
      }
      ++report_.rejected;
      state_ = before_;
      forget_last_step(stepper_);
      trial_ = h * S(control_.rejected(value_of(error)));
      target = adapted_target(trial_);
    }
  }

  /// Fail because steps have become too short: because of what the last one that was tried threw, if it did.
  [[noreturn, gnu::cold]] void give_up() {
    try {
      if (left_) std::rethrow_exception(left_);
      throw StepTooShort(number::plain(trial_), number::plain(options_.tolerance),
                         number::plain(options_.relative_tolerance), number::plain(before_.time));
    } catch (const std::exception& cause) {
      fail_because_of(cause);
    }
  }

  /// The error estimate of a step in parts of what is tolerated; not-a-number or infinite if it is not
  /// finite.
  S error_of(const Report& step) {
    S tolerated = options_.tolerance;
    if constexpr (tells_displacement) {
      if (options_.relative_tolerance > 0) tolerated += options_.relative_tolerance * stepper_.displacement();
    }
    return step.error == 0 ? S(0) : step.error / tolerated;
  }

  /// The length of the next step, after one of length h that was accepted, `again` after a rejection.
  void propose(S h, S error, bool again) {
    const bool was_cut = h < S(0.9) * trial_;  // to end at an output time: keep the longer proposal
    const S growth = control_.accepted(value_of(error));
    if (was_cut) control_.reset();
    const S next = h * (again ? std::min(growth, S(1)) : growth);
    trial_ = std::min(options_.longest_step, was_cut ? std::max(trial_, next) : next);
  }

  /// A step of length h, or nothing if it did not converge or led out of the model's validity, which `left_`
  /// then tells.
  std::optional<Report> try_step(S h) {
    left_ = nullptr;
    try {
      const Report step = stepper_.step(problem_, state_, h);
      if (step.converged && is_good(problem_, state_)) return step;
    } catch (const InvalidState&) {
      left_ = std::current_exception();
    } catch (const std::exception& cause) {
      fail_because_of(cause);
    }
    return {};
  }

  /// The result of f; whatever it throws is nested in an `IntegrationFailureWith` the state before the step.
  template <class F>
  auto guarded(F&& f) -> decltype(f()) {
    try {
      return f();
    } catch (const std::exception& cause) {
      fail_because_of(cause);
    }
  }

  [[noreturn, gnu::cold, gnu::noinline]] void fail_because_of(const std::exception& cause) {
    state_ = before_;
    std::throw_with_nested(failure(cause.what()));
  }

  [[noreturn, gnu::cold, gnu::noinline]] void fail(const std::string& why) {
    state_ = before_;
    throw failure(why);
  }

  [[gnu::cold, gnu::noinline]] IntegrationFailureWith<State> failure(const std::string& why) const {
    return {message({"integration stopped (", why, "); last good state"}), before_};
  }

  /// Locate the events of the step just taken, and let them and the outputs before them happen in order: an
  /// output at the time of an event comes before its action, be the end of the step an `output` or not
  /// interpolated. A terminal event ends the run there. Returns whether one did.
  bool watch_events(const Report& step, bool output) {
    const std::size_t first = report_.hits.size();
    const auto guard = [&](auto&& f) { return guarded(f); };
    SearchSteps<is_dense, Stepper, decltype(guard)> steps{locator_, stepper_, guard};
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto& event = options_.events[i];
      const S before = std::exchange(values_[i], event.value(problem_, state_));
      auto hit = crossing_in_step(event, problem_, steps, before_, state_, before, values_[i]);
      if (!hit) continue;
      report_.hits.push_back({i, std::move(*hit)});
      for (std::size_t at = report_.hits.size() - 1; at > first; --at) {  // in the order of time
        if (!(report_.hits[at].state.time < report_.hits[at - 1].state.time)) break;
        std::swap(report_.hits[at], report_.hits[at - 1]);
      }
    }
    const auto begin = report_.hits.begin() + static_cast<std::ptrdiff_t>(first);
    for (auto hit = begin; hit != report_.hits.end(); ++hit) {
      const auto& event = options_.events[hit->event];
      serve_outputs(hit->state.time, step);
      if (event.terminal) state_ = hit->state;
      if (event.terminal || (output && hit->state.time == state_.time)) observe_once(step);
      if (event.action) event.action(problem_, hit->state);
      if (!event.terminal) continue;
      report_.stopped_by = hit->event;
      report_.hits.erase(hit + 1, report_.hits.end());
      return true;
    }
    return false;
  }

  /// Show observers the interpolated states of the step just taken, up to the time `last` [s].
  void serve_outputs([[maybe_unused]] S last, [[maybe_unused]] const Report& step) {
    if constexpr (is_dense) {
      if (!interpolates()) return;
      while (const std::optional<S> time = schedule_.output_between(served_, last)) {
        served_ = *time;
        if (served_ == state_.time) {
          observe(state_, step);
        } else {
          interpolate(served_);
          observe(between_, step);
        }
      }
    }
  }

  /// Let `between_` be the state of the step just taken at the time t [s].
  void interpolate(S t) requires(is_dense) {
    const S fraction = std::clamp((t - before_.time) / (state_.time - before_.time), S(0), S(1));
    const auto report = guarded([&] { return stepper_.interpolate(problem_, fraction, between_); });
    if (!report.converged) fail("an interpolated state did not converge");
    between_.time = t;
  }

  /// Show observers the present state, unless they have seen it.
  void observe_once(const Report& step) {
    if (served_ == state_.time) return;
    served_ = state_.time;
    observe(state_, step);
  }

  void observe(const State& at, const Report& step) {
    if constexpr (ImpactProblem<P>) works_ = {};
    std::apply([&](auto&... observer) { (notify(observer, problem_, at, step), ...); }, observers_);
  }

  static constexpr int error_order = [] {
    if constexpr (EstimatesError<M>) return M::error_order;
    return 1;
  }();

  const P& problem_;
  State& state_;
  const DriveOptions<P>& options_;
  std::tuple<Observers&...> observers_;
  Stepper stepper_;
  std::optional<Stepper> locator_{};  // steps anew in search of events, so that the run is not disturbed
  Schedule<S> schedule_;
  StepControl<Number<S>> control_;
  StepFloor<S> floor_;
  ViolationWatch<P> watch_;
  State before_;
  State between_;
  S trial_;
  std::exception_ptr left_{};  // what led the last step that was tried out of the model's validity
  S served_{};                 // the last time of output in the present step
  std::vector<S> values_{};
  ContactWorks<S> works_{};  // of contacts since observers were called
  DriveReport<State> report_{};
};

}  // namespace dalembert::detail
