#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

namespace dalembert::detail {

/// Knows the state that a step ended in, so that what a stepper keeps for the next step is not used for another state. The time may have
/// been rounded otherwise since, as `drive` does. States that compare are compared; of others it is the object that is: its own numbers, and where
/// the arrays that it owns lie in memory. So it is told from other states, also if two have been swapped, but numbers that were changed
/// inside its arrays go unnoticed.
template <class State>
class LastState {
 public:
  /// `state` is where a step of length h [s] has ended.
  template <class S>
  void note(const State& state, S h) {
    using std::abs;
    if constexpr (std::equality_comparable<State>)
      kept_ = state;
    else
      std::memcpy(kept_.data(), &state, sizeof(State));
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
      return at_that_time == kept_;
    } else {
      const auto* const begin = reinterpret_cast<const char*>(&state);
      const auto first = static_cast<std::size_t>(reinterpret_cast<const char*>(&state.time) - begin);
      const std::size_t rest = first + sizeof(state.time);
      return std::memcmp(begin, kept_.data(), first) == 0 &&
             std::memcmp(begin + rest, kept_.data() + rest, sizeof(State) - rest) == 0;
    }
  }

 private:
  using Kept = std::conditional_t<std::equality_comparable<State>, State, std::array<char, sizeof(State)>>;
  using Time = decltype(State::time);

  Kept kept_{};
  Time time_{};
  Time slack_{};
  bool known_ = false;
};

}  // namespace dalembert::detail
