#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <type_traits>

namespace dalembert::detail {

/// Knows the state that a step ended in, so that what a stepper keeps for the next step is not used for another state. The time may have
/// been rounded otherwise since, as `drive` does. States that compare are compared; of others it is the object that is, and what its
/// `identity()` tells, where it has one: the array that it owns, so that two states that were swapped are told apart. Numbers that were
/// changed inside its arrays go unnoticed.
template <class State>
class LastState {
 public:
  /// `state` is where a step of length h [s] has ended.
  template <class S>
  void note(const State& state, S h) {
    using std::abs;
    if constexpr (std::equality_comparable<State>) {
      kept_ = state;
    } else {
      kept_ = &state;
      array_ = array_of(state);
    }
    time_ = state.time;
    slack_ = 64 * std::numeric_limits<S>::epsilon() * (abs(S(state.time)) + abs(h));
    known_ = true;
  }

  /// Forget it.
  void forget() noexcept { known_ = false; }

  /// Whether `state` is that state.
  [[nodiscard]] bool is(const State& state) const {
    using std::abs;
    if (!known_ || !(abs(state.time - time_) <= slack_)) return false;
    if constexpr (std::equality_comparable<State>) {
      State at_that_time = state;
      at_that_time.time = time_;
      return at_that_time == *kept_;
    } else {
      return &state == kept_ && array_of(state) == array_;
    }
  }

 private:
  using Kept = std::conditional_t<std::equality_comparable<State>, std::optional<State>, const State*>;
  using Time = decltype(State::time);

  [[nodiscard]] static const void* array_of([[maybe_unused]] const State& state) noexcept {
    if constexpr (requires {
                    { state.identity() } -> std::convertible_to<const void*>;
                  })
      return state.identity();
    return nullptr;
  }

  Kept kept_{};
  const void* array_ = nullptr;
  Time time_{};
  Time slack_{};
  bool known_ = false;
};

}  // namespace dalembert::detail
