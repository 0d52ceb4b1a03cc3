#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/core/number.hpp>
#include <dalembert/integrate/events.hpp>

namespace dalembert {

/// How far a run has come.
struct Progress {
  double fraction;           ///< of the time span that is done, 0…1
  double time;               ///< of the state [s]
  double wall_seconds_left;  ///< estimate from the pace so far [s]; infinite before the first step
};

/// Steps of an adaptive run that have become too short to get on.
class StepTooShort : public InvalidState {
 public:
  /// The tolerances asked for a step of length `step` at `time` [s].
  StepTooShort(double step, double tolerance, double relative_tolerance, double time)
      : InvalidState(
            message({"the tolerance cannot be met: the step became too short, ", step,
                     " s for tolerance = ", tolerance, " and relative_tolerance = ", relative_tolerance}),
            time),
        step_(step),
        tolerance_(tolerance),
        relative_tolerance_(relative_tolerance) {}
  /// The step that was asked for [s].
  [[nodiscard]] double step() const noexcept { return step_; }
  /// `DriveOptions::tolerance`, which asked for it.
  [[nodiscard]] double tolerance() const noexcept { return tolerance_; }
  /// `DriveOptions::relative_tolerance`, likewise.
  [[nodiscard]] double relative_tolerance() const noexcept { return relative_tolerance_; }

 private:
  double step_, tolerance_, relative_tolerance_;
};

/// A state that is farther from its constraints than `DriveOptions::max_violation`.
struct ConstraintsViolated : InvalidState {
  /// `rows` of one order are `value` off, and `most` was allowed [unit of the row], at `time` [s].
  [[gnu::cold, gnu::noinline]] ConstraintsViolated(const char* rows, double value, double most, double time)
      : InvalidState(message({"the constraints are violated by more than max_violation: ", rows, " rows by ",
                              value, ", allowed is ", most}),
                     time) {}
};

namespace detail {

/// The numbers of `DriveOptions`, which see: a run reads them alike whatever its problem is.
template <class S>
struct RunNumbers {
  S step, cfl, until, output_interval;
  std::optional<S> origin;
  S tolerance, relative_tolerance, longest_step;
  std::optional<S> shortest_step;
  Violation<S> max_violation;
  long check_every;
  bool has_checks;
  std::size_t events;
  double progress_interval;
  const std::function<void(const Progress&)>* progress;
  bool dense, beyond_stability;

  [[nodiscard]] bool adaptive() const noexcept { return tolerance > 0 || relative_tolerance > 0; }
  /// Each throws std::invalid_argument for what breaks its rule.
  void check(S start) const;
  void check_function(bool is_there) const;
  void check_event(const std::string& its_name, bool has_function, S its_tolerance) const;
};

}  // namespace detail

/// What `drive` is to do. Times are those of the state [s].
template <class P>
struct DriveOptions {
  using Scalar = typename P::Scalar;  ///< the number type

  /// Length of a step, which is made a little shorter where it does not divide `output_interval`, so that all
  /// steps are equal: h′ = Δ/⌈Δ/h − 1e-6⌉; with a tolerance the first one to try.
  /// `DriveReport::step` tells the one that was used.
  Scalar step{};
  /// Instead of a step: the part of the longest stable one to take, in (0, 1], where the method has a
  /// stability limit and the problem bounds its frequencies (rods, strings, and assemblies of them with other
  /// bodies). It is that of the state at the start, `stable_step` in integrate/stable_step.hpp.
  Scalar cfl = 0;
  Scalar until{};              ///< end of the run, which is hit exactly
  Scalar output_interval = 0;  ///< observers are called at start + k·interval; 0: after every step
  /// Steps and outputs are counted from here; from the time of the state if nothing is said. A run that goes
  /// on from an output of another one, or after any of its steps where it had no `output_interval`, takes the
  /// start of that run, its `output_interval` and its `step` (after `cfl` the `DriveReport::step`): it steps
  /// to the same times and is the uninterrupted run bit for bit, but for methods whose workspace keeps what
  /// no state holds (`KeepsMemory` in integrate/method.hpp), which begin anew. A state whose time differs
  /// from such a step's by rounding alone gets the step's.
  std::optional<Scalar> origin{};
  /// Steps adapt if one of the two tolerances is > 0, so that the error estimate of each, a maximum norm over
  /// the increments of configuration, velocity and internal coordinates, stays below `tolerance` [units of
  /// the increments] plus `relative_tolerance` times the step's own increment. Both are the same in every
  /// frame. Where neighbouring motions keep their distance the error of a run is at most about the first
  /// times the number of steps plus the second times the length of the path, and mostly near the first
  /// itself.
  Scalar tolerance = 0;
  Scalar relative_tolerance = 0;                                  ///< see `tolerance`
  Scalar longest_step = std::numeric_limits<Scalar>::infinity();  ///< bound on adapted steps
  /// A run whose tolerance asks for a shorter step than this fails with `StepTooShort` inside; it may be
  /// shortened further only to end at an output time. If nothing is said, a run fails if ten thousand steps
  /// in a row are shorter than 1e-9 of its length, for at that pace it would not end; fewer of them, as after
  /// an impact, do no harm, down to the round-off of the time.
  std::optional<Scalar> shortest_step{};
  /// How far a state may be from its constraints; a step that ends farther off is a failure, with
  /// `ConstraintsViolated` inside. A bound is checked after every step, which costs some percent of an
  /// explicit one.
  Violation<Scalar> max_violation{std::numeric_limits<Scalar>::infinity(),
                                  std::numeric_limits<Scalar>::infinity()};
  /// With a tolerance and a method with dense output, output times are interpolated, so that steps are as
  /// long as the tolerance allows, and as many, whatever the interval. false: steps are cut to end at output
  /// times, and observers see only states that the method stepped to. Steps of equal length are never
  /// interpolated: they divide the interval.
  bool dense = true;
  /// Steps of equal length beyond the stability limit of the method, where the problem bounds its frequencies
  /// or the waves in its rods, are refused unless this is true. What holds at the start is asked for; a
  /// motion that stiffens the problem may pass the limit later.
  bool beyond_stability = false;
  std::vector<Event<P>> events{};  ///< zeros to watch for
  /// Called with the state at the start, after every `check_every` steps and at the end: a run that one of
  /// them refuses by throwing is a failure, with what it threw inside. `contact::no_overlap(problem)` is one.
  std::vector<std::function<void(const P&, const typename P::State&)>> checks{};
  long check_every = 100;                           ///< see `checks`
  std::function<void(const Progress&)> progress{};  ///< called now and then, and at the end
  double progress_interval = 0.2;                   ///< least wall time between such calls [s]

  /// Whether steps adapt.
  [[nodiscard]] bool adaptive() const noexcept { return tolerance > 0 || relative_tolerance > 0; }

  /// Throws std::invalid_argument for what breaks its rule, where the run begins at `start`.
  void check(Scalar start) const { check(start, numbers()); }
  /// The same with these for its numbers.
  void check(Scalar start, const detail::RunNumbers<Scalar>& its) const {
    its.check(start);
    for (const auto& one : checks) its.check_function(static_cast<bool>(one));
    for (const auto& event : events)
      its.check_event(event.name, static_cast<bool>(event.value), event.tolerance);
  }
  /// What of it is no function of the problem.
  [[nodiscard]] detail::RunNumbers<Scalar> numbers() const {
    return {step,
            cfl,
            until,
            output_interval,
            origin,
            tolerance,
            relative_tolerance,
            longest_step,
            shortest_step,
            max_violation,
            check_every,
            !checks.empty(),
            events.size(),
            progress_interval,
            &progress,
            dense,
            beyond_stability};
  }
};

/// What `drive` did.
template <class State>
struct DriveReport {
  long steps = 0;     ///< that were taken
  long rejected = 0;  ///< that were tried and thrown away because their error was too large
  /// Length of the equal steps [s], all but one that an event or the end cut short; see `DriveOptions::step`.
  /// Of an adaptive run the length that the next step would have.
  decltype(State::time) step{};
  std::vector<EventHit<State>> hits;        ///< events in order of time
  std::optional<std::size_t> stopped_by{};  ///< the terminal event that ended the run, if one did
  /// How far the run was from its constraints at most: at the start, after each of the first hundred steps
  /// and then every tenth, which costs next to nothing, and at the end. After every step if `max_violation`
  /// was given.
  Violation<decltype(State::time)> violation{};
};

template <class S>
[[gnu::cold, gnu::noinline]] void detail::RunNumbers<S>::check(S start) const {
  using std::isfinite;
  const char* const name = "DriveOptions";
  require(isfinite(start), "drive", "time of the state", start, "a run must begin at a finite time [s]");
  require(isfinite(step) && step > 0, name, "step", step, "a step must be positive and finite [s]");
  require(cfl == 0, name, "cfl", cfl, "it stands for the step, and one of the two is given");
  require(isfinite(until), name, "until", until, "the end of the run must be finite [s]");
  require(until >= start, name, "until", until,
          "the end of the run must not lie before the time of the state [s]");
  const S first = origin.value_or(start);
  require(isfinite(first) && first <= start, name, "origin", first,
          "the origin of the times must not lie after the time of the state [s]");
  const S largest = std::max({number::abs(start), number::abs(until), number::abs(first)});
  require(largest + step > largest, name, "step", step,
          "a step must not vanish beside the times of the run [s]");
  require(isfinite(output_interval) && output_interval >= 0, name, "output_interval", output_interval,
          "an interval must be finite and not negative [s]");
  require(output_interval == 0 || largest + output_interval > largest, name, "output_interval",
          output_interval, "an interval must not vanish beside the times of the run [s]");
  require(isfinite(tolerance) && tolerance >= 0, name, "tolerance", tolerance,
          "a tolerance must be finite and not negative");
  require(isfinite(relative_tolerance) && relative_tolerance >= 0, name, "relative_tolerance",
          relative_tolerance, "a tolerance must be finite and not negative");
  require(longest_step > 0, name, "longest_step", longest_step, "the longest step must be positive [s]");
  const S floor = shortest_step.value_or(S(0));
  require(isfinite(floor) && floor >= 0, name, "shortest_step", floor,
          "the shortest step must be finite and not negative [s]");
  require(!adaptive() || floor <= std::min(step, longest_step), name, "shortest_step", floor,
          "the shortest step must not be longer than the first or the longest one [s]");
  require(max_violation.position > 0, name, "max_violation.position", max_violation.position,
          "a bound must be positive, or infinite for none");
  require(max_violation.velocity > 0, name, "max_violation.velocity", max_violation.velocity,
          "a bound must be positive, or infinite for none");
  require(check_every >= 1, name, "check_every", check_every, "a number of steps must be positive");
  require(events == 0 || number::derivative_order<S> == 0, name, "events", events,
          "where an event lies is found by values alone: numbers with derivatives go without events");
}

template <class S>
void detail::RunNumbers<S>::check_function(bool is_there) const {
  require(is_there, "DriveOptions", "checks", "empty function", "a check must be a function");
}

template <class S>
void detail::RunNumbers<S>::check_event(const std::string& its_name, bool has_function,
                                        S its_tolerance) const {
  using std::isfinite;
  require(has_function, "DriveOptions", "event", its_name, "an event must have a function");
  require(isfinite(its_tolerance) && its_tolerance >= 0, "DriveOptions", "event.tolerance", its_tolerance,
          "a tolerance must be finite and not negative [s]");
}

}  // namespace dalembert
