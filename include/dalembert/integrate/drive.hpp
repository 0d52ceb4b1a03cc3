#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <dalembert/integrate/drive_options.hpp>
#include <dalembert/integrate/schedule.hpp>

/// The one loop of every run.
///   drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 10.0}, observer, …);
namespace dalembert {

namespace detail {

/// Whether every number in `state` is finite, as far as can be told: the state's own word, else its energy.
template <Problem P>
bool is_finite(const P& problem, const typename P::State& state) {
  using std::isfinite;
  if constexpr (requires {
                  { state.is_finite() } -> std::convertible_to<bool>;
                }) {
    return state.is_finite();
  } else {
    return isfinite(problem.energy(state));
  }
}

/// Tells a run's progress now and then.
template <Problem P>
class ProgressReporter {
 public:
  ProgressReporter(const DriveOptions<P>& options, double start) : options_(options), start_(start) {}

  /// Call back if there is one and it is time to, or `always`.
  void tell(double now, bool always) {
    if (!options_.progress) return;
    const auto wall = std::chrono::steady_clock::now();
    if (!always && std::chrono::duration<double>(wall - told_).count() < options_.progress_interval) return;
    told_ = wall;
    const double span = static_cast<double>(options_.until) - start_;
    const double fraction = span > 0 ? (now - start_) / span : 1.0;
    const double spent = std::chrono::duration<double>(wall - began_).count();
    options_.progress({fraction, now, spent * (1.0 / fraction - 1.0)});
  }

 private:
  const DriveOptions<P>& options_;
  double start_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point told_ = began_;
};

/// The state of a run in progress; `drive` is its only user.
template <class M, Problem P, class... Observers>
class Drive {
 public:
  using S = typename P::Scalar;
  using State = typename P::State;

  Drive(const M& method, const P& problem, State& state, const DriveOptions<P>& options,
        Observers&... observers)
      : problem_(problem),
        state_(state),
        options_(options),
        observers_(observers...),
        stepper_(method.stepper(problem, std::as_const(state))),
        schedule_(options.origin.value_or(state.time), options.until, options.step, options.output_interval),
        before_(state),
        trial_(std::min(options.step, options.longest_step)) {}

  DriveReport<State> operator()() {
    ProgressReporter<P> progress(options_, static_cast<double>(state_.time));
    if (!is_finite(problem_, state_)) fail("the state at the start is not finite");
    for (const auto& event : options_.events) values_.push_back(event.value(problem_, state_));
    observe({});
    while (!schedule_.done(state_.time) && !report_.stopped_by) {
      advance();
      progress.tell(static_cast<double>(state_.time), false);
    }
    progress.tell(static_cast<double>(state_.time), true);
    return std::move(report_);
  }

 private:
  /// One step to the next target, what happens on the way, and the observers.
  void advance() {
    if (!lazy()) before_ = state_;
    auto target =
        options_.tolerance > 0 ? schedule_.within(state_.time, trial_) : schedule_.next(state_.time);
    const StepReport<S> step = options_.tolerance > 0 ? adapted_step(target) : fixed_step(target);
    ++report_.steps;
    const bool stopped = watch_events();
    if (target.output || stopped) observe(step);
  }

  StepReport<S> fixed_step(const typename Schedule<S>::Target& target) {
    const StepReport<S> step = [&] {
      try {
        return stepper_.step(problem_, state_, target.time - state_.time);
      } catch (const std::exception& cause) {
        if (lazy()) before_ = state_;  // a step that throws leaves its state alone
        fail_because_of(cause);
      }
    }();
    if (step.converged && is_finite(problem_, state_)) {
      state_.time = target.time;
      return step;
    }
    if constexpr (keeps_previous) {
      if (lazy()) before_ = stepper_.previous();
    }
    fail(step.converged ? "a step led to a state that is not finite" : "a step did not converge");
  }

  /// Whether the state before a step need not be copied, because the stepper has it and nothing else asks for it.
  [[nodiscard]] bool lazy() const noexcept {
    return keeps_previous && !(options_.tolerance > 0) && options_.events.empty();
  }

  /// Shorten the step until its error estimate meets the tolerance; propose the next one from it.
  StepReport<S> adapted_step(typename Schedule<S>::Target& target) {
    using std::abs, std::pow;
    const S exponent = S(-1) / S(error_order);
    const S shortest =
        S(16) * std::numeric_limits<S>::epsilon() * (abs(S(before_.time)) + abs(options_.until));
    for (bool again = false;; again = true) {
      const S h = target.time - before_.time;
      const auto step = try_step(h, h > shortest);
      const S error = step ? step->error / options_.tolerance : std::numeric_limits<S>::infinity();
      const S wish = S(0.9) * pow(std::max(error, S(1e-10)), exponent);
      if (error <= 1) {
        const S growth = std::clamp(wish, S(0.2), again ? S(1) : S(5));
        const bool clipped =
            h < S(0.9) * trial_;  // an output time cut this step short: keep the longer proposal
        trial_ = std::min(options_.longest_step, clipped ? std::max(trial_, h * growth) : h * growth);
        state_.time = target.time;
        return *step;
      }
      ++report_.rejected;
      state_ = before_;
      stepper_.reset();
      if (!(h > shortest)) fail("the tolerance cannot be met: the step became too short");
      trial_ = h * (step && error < std::numeric_limits<S>::infinity() ? std::clamp(wish, S(0.1), S(0.9))
                                                                       : S(0.25));
      target = schedule_.within(before_.time, trial_);
    }
  }

  /// A step of length h, or nothing if it led out of the model's validity and `may_shorten`.
  std::optional<StepReport<S>> try_step(S h, bool may_shorten) {
    try {
      const StepReport<S> step = stepper_.step(problem_, state_, h);
      if (step.converged && is_finite(problem_, state_)) return step;
    } catch (const InvalidState& cause) {
      if (!may_shorten) fail_because_of(cause);
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

  [[noreturn]] void fail_because_of(const std::exception& cause) {
    state_ = before_;
    std::throw_with_nested(failure(cause.what()));
  }

  [[noreturn]] void fail(const std::string& why) {
    state_ = before_;
    throw failure(why);
  }

  IntegrationFailureWith<State> failure(const std::string& why) const {
    return {"integration stopped (" + why + "); last good state", before_};
  }

  /// Locate the events of the step just taken; a terminal one ends the run there. Returns whether one did.
  bool watch_events() {
    if (options_.events.empty()) return false;
    const std::size_t first = report_.hits.size();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto& event = options_.events[i];
      const S before = std::exchange(values_[i], event.value(problem_, state_));
      if (!event.crossed(before, values_[i])) continue;
      report_.hits.push_back({i, guarded([&] {
                                return locate(event, problem_, stepper_, before_, state_, before, values_[i]);
                              })});
    }
    const auto begin = report_.hits.begin() + static_cast<std::ptrdiff_t>(first);
    std::stable_sort(begin, report_.hits.end(),
                     [](const auto& a, const auto& b) { return a.state.time < b.state.time; });
    for (auto hit = begin; hit != report_.hits.end(); ++hit) {
      const auto& event = options_.events[hit->event];
      if (event.action) event.action(problem_, hit->state);
      if (!event.terminal) continue;
      state_ = hit->state;
      report_.stopped_by = hit->event;
      report_.hits.erase(hit + 1, report_.hits.end());
      return true;
    }
    return false;
  }

  void observe(const StepReport<S>& step) {
    std::apply([&](auto&... observer) { (notify(observer, step), ...); }, observers_);
  }

  template <class Observer>
  void notify(Observer& observer, const StepReport<S>& step) {
    if constexpr (std::invocable<Observer&, const P&, const State&, const StepReport<S>&>) {
      observer(problem_, std::as_const(state_), step);
    } else {
      static_assert(
          std::invocable<Observer&, const P&, const State&>,
          "an observer must be callable as observer(problem, state) or observer(problem, state, report)");
      observer(problem_, std::as_const(state_));
    }
  }

  static constexpr int error_order = [] {
    if constexpr (EstimatesError<M>) return M::error_order;
    return 1;
  }();

  using Stepper = std::remove_cvref_t<decltype(std::declval<const M&>().stepper(
      std::declval<const P&>(), std::declval<const State&>()))>;
  static constexpr bool keeps_previous = requires(const Stepper& stepper) {
    { stepper.previous() } -> std::same_as<const State&>;
  };

  const P& problem_;
  State& state_;
  const DriveOptions<P>& options_;
  std::tuple<Observers&...> observers_;
  Stepper stepper_;
  Schedule<S> schedule_;
  State before_;
  S trial_;
  std::vector<S> values_{};
  DriveReport<State> report_{};
};

}  // namespace detail

/// Step `state` with `method` until `options.until`. Observers are called as observer(problem, state) or
/// observer(problem, state, report) at the start, at each output time and at the end.
/// Steps end at start + k·step, at output times and at the end, all of which are hit without drift; with a tolerance their
/// lengths are the integrator's choice, but output times and the end are hit all the same.
/// Throws std::invalid_argument for options that break their rule, and `IntegrationFailureWith<State>` when the run cannot
/// go on: it holds the last good state, which `state` then is too, and what caused it is nested inside.
/// What an observer, an event's function or its action throws passes through.
template <class M, class P, class... Observers>
DriveReport<typename P::State> drive(const M& method, const P& problem, typename P::State& state,
                                     const std::type_identity_t<DriveOptions<P>>& options,
                                     Observers&&... observers) {
  check_problem<P>();
  static_assert(MethodFor<M, P>,
                "this is no integrator for the problem (integrate/method.hpp): it needs order, symmetric "
                "and stepper(problem, state) with step(problem, state, h) and reset()");
  options.check(state.time);
  require(options.tolerance == 0 || EstimatesError<M>, "DriveOptions", "tolerance", options.tolerance,
          "this integrator does not estimate its error, so its steps cannot adapt");
  if constexpr (MethodFor<M, P>) {
    detail::Drive<M, P, std::remove_reference_t<Observers>...> run(method, problem, state, options,
                                                                   observers...);
    return run();
  }
}

}  // namespace dalembert
