#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/core/errors.hpp>
#include <dalembert/integrate/method.hpp>

/// Batches: the same small system from many initial states, or with many parameters, at once. The problem is
/// one over a `Pack` of numbers, whose lanes are members of the batch; blocks of as many members as there are
/// lanes go one after another, or over threads (integrate/batch_threads.hpp).
///   const ChaplyginSleigh<NativePack<double>> sleigh{{.mass = 1.0, .inertia = 1.0, .offset = 0.2}};
///   const LagrangeDAlembert problem{sleigh};
///   std::vector<State> members = …;                  // states over double
///   run_batch(RungeKutta4{}, problem, members, {.step = 0.01, .steps = 1000});
/// A member's motion does not depend on its neighbours, its place or the number of threads, bit for bit. A
/// member that leaves the model's validity becomes not-a-number and is reported; the others go on.
namespace dalembert {

/// A state of `Pack`s that can be taken apart: `mapped<T>(f)` is the state over T whose numbers are f of
/// these.
template <class State>
concept LaneState = PackReal<typename State::Scalar> && requires(const State& state) {
  typename State::template rebind<Number<typename State::Scalar>>;
};

/// The state of one member of a batch.
template <LaneState State>
using MemberState = typename State::template rebind<Number<typename State::Scalar>>;

/// What a batch is to do.
template <class S = double>
struct BatchOptions {
  S step{};               ///< length of a step [s]
  long steps = 0;         ///< how many
  long output_every = 0;  ///< steps between calls of the observer, from the start on; 0: only at the end
};

/// What a batch did.
struct BatchReport {
  std::vector<std::size_t> failed;  ///< members that are not finite at the end, in order
};

/// Blocks one after another.
struct Sequential {
  /// f(0), …, f(blocks − 1).
  template <class F>
  void operator()(std::size_t blocks, const F& f) const {
    for (std::size_t block = 0; block < blocks; ++block) f(block);
  }
};

namespace detail {

/// The numbers of a state, one after another.
template <class State>
[[nodiscard]] std::vector<typename State::Scalar> numbers_of(const State& state) {
  std::vector<typename State::Scalar> numbers;
  (void)state.template mapped<typename State::Scalar>([&](const auto& x) {
    numbers.push_back(x);
    return x;
  });
  return numbers;
}

/// Up to as many members as there are lanes, starting with `first`; lanes that are left get the last member.
template <LaneState State>
[[nodiscard]] State gathered(std::span<const MemberState<State>> members) {
  using S = typename State::Scalar;
  std::vector<S> packs(numbers_of(members[0]).size());
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(S::width); ++lane) {
    const auto numbers = numbers_of(members[std::min(lane, members.size() - 1)]);
    for (std::size_t i = 0; i < packs.size(); ++i) packs[i].set(static_cast<int>(lane), numbers[i]);
  }
  std::size_t next = 0;
  return members[0].template mapped<S>([&](const auto&) { return packs[next++]; });
}

/// Call observe(number of the member, its state) for every member of a block that starts with `first`.
template <LaneState State, class F>
void for_each_member(const State& state, std::size_t first, std::size_t count, F&& observe) {
  for (std::size_t lane = 0; lane < count; ++lane)
    observe(first + lane, state.template mapped<Number<typename State::Scalar>>(
                              [&](const auto& x) { return x[static_cast<int>(lane)]; }));
}

/// The problem of the block that starts with member `first`: the same for all, or made for it.
template <class Source>
[[nodiscard]] decltype(auto) problem_of(const Source& source, [[maybe_unused]] std::size_t first) {
  if constexpr (std::invocable<const Source&, std::size_t>)
    return source(first);
  else
    return (source);
}

}  // namespace detail

/// Step all `members` with `method`. `source` is the problem over packs, or, where parameters differ, a
/// function that makes the problem of the block of members that starts with its argument; a block has as many
/// members as the pack has lanes. `observe(number, state)` is called for every member at the start, every
/// `output_every` steps and at the end, or only at the end if that is 0, from the thread that steps it.
/// Blocks go as `executor` says. Throws std::invalid_argument for a step that is not finite, negative counts,
/// or a method that is to project, which packs cannot; what observers throw passes through.
template <class M, class Source, class Member, class Observer, class Executor = Sequential>
BatchReport run_batch(const M& method, const Source& source, std::span<Member> members,
                      const BatchOptions<typename Member::Scalar>& options, const Observer& observe,
                      const Executor& executor = {}) {
  using P = std::remove_cvref_t<decltype(detail::problem_of(source, 0))>;
  using State = typename P::State;
  static_assert(LaneState<State>, "a batch needs a problem over packs of numbers (core/pack.hpp)");
  static_assert(std::same_as<MemberState<State>, Member>,
                "members must be states of the same kind over plain numbers");
  require(std::isfinite(options.step), "BatchOptions", "step", options.step, "a step must be finite [s]");
  require(options.steps >= 0, "BatchOptions", "steps", options.steps, "a count must not be negative");
  require(options.output_every >= 0, "BatchOptions", "output_every", options.output_every,
          "a count must not be negative");
  if constexpr (requires { method.project ? 1 : 0; })
    require(!method.project, "run_batch", "method.project", true, "packs of numbers cannot be projected");

  constexpr auto width = static_cast<std::size_t>(State::Scalar::width);
  executor((members.size() + width - 1) / width, [&](std::size_t block) {
    const std::size_t first = block * width, count = std::min(width, members.size() - first);
    const auto& problem = detail::problem_of(source, first);
    State state = detail::gathered<State>(std::span<const Member>(members.subspan(first, count)));
    auto stepper = method.stepper(problem, state);
    if (options.output_every > 0) detail::for_each_member(state, first, count, observe);
    for (long i = 1; i <= options.steps; ++i) {
      (void)stepper.step(problem, state, typename State::Scalar(options.step));
      if (options.output_every > 0 && i % options.output_every == 0)
        detail::for_each_member(state, first, count, observe);
    }
    const bool seen = options.output_every > 0 && options.steps % options.output_every == 0;
    detail::for_each_member(state, first, count, [&](std::size_t i, const Member& member) {
      members[i] = member;
      if (!seen) observe(i, member);
    });
  });

  BatchReport report;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (!members[i].is_finite()) report.failed.push_back(i);
  return report;
}

/// The same without an observer.
template <class M, class Source, class Member, class Executor = Sequential>
BatchReport run_batch(const M& method, const Source& source, std::vector<Member>& members,
                      const BatchOptions<typename Member::Scalar>& options, const Executor& executor = {}) {
  return run_batch(
      method, source, std::span<Member>(members), options, [](std::size_t, const Member&) {}, executor);
}

}  // namespace dalembert
