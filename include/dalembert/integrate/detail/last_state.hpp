#pragma once

#include <array>
#include <concepts>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include <dalembert/core/detail/cmath.hpp>

namespace dalembert::detail {

/// Knows the state that a step ended in, so that what a stepper keeps for the next step is not used for
/// another state. The time may have been rounded otherwise since, as `drive` does. States that compare are
/// compared; of others it is the object that is, and where the arrays that it owns lie, so that two states
/// that were swapped are told apart: by `identity()` where the state has that, else by its own bytes. Numbers
/// that were changed inside its arrays go unnoticed.
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
      kept_ = trace(state);
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
      return trace(state) == kept_;
    }
  }

 private:
  static constexpr bool identified = requires(const State& state) {
    { state.identity() } -> std::convertible_to<const void*>;
  };
  using Trace = std::conditional_t<identified, std::array<const void*, 2>, std::array<char, sizeof(State)>>;
  using Kept = std::conditional_t<std::equality_comparable<State>, std::optional<State>, Trace>;
  using Time = decltype(State::time);

  /// What tells the object from others.
  [[nodiscard]] static Trace trace(const State& state) {
    if constexpr (identified) {
      return {&state, state.identity()};
    } else {
      Trace bytes;
      std::memcpy(bytes.data(), &state, sizeof(State));
      const auto* const begin = reinterpret_cast<const char*>(&state);
      std::memset(bytes.data() + (reinterpret_cast<const char*>(&state.time) - begin), 0, sizeof(Time));
      return bytes;
    }
  }

  Kept kept_{};
  Time time_{};
  Time slack_{};
  bool known_ = false;
};

}  // namespace dalembert::detail
