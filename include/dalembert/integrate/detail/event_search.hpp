#pragma once

#include <optional>

#include <dalembert/core/detail/cmath.hpp>
#include <dalembert/integrate/events.hpp>

namespace dalembert::detail {

/// What is to be searched for, where the function of an event is not told.
template <class S>
struct EventRule {
  SignChange crossing;
  bool terminal;
  S tolerance;

  [[nodiscard]] bool crossed(S before, S after) const noexcept {
    return detail::crossed(crossing, before, after);
  }
};

/// The crossing of an event that is not a number at an end of the step from `begin` to `end`, where it was
/// `before` and is `after`: it may be a number within. `after` becomes the last number that it was in the
/// step, or before it, so that no change of sign is lost.
template <class State, class S>
[[gnu::cold, gnu::noinline]] std::optional<State> crossing_beside_gap(EventSearch<State>& search,
                                                                      const EventRule<S>& event,
                                                                      const State& begin, const State& end,
                                                                      S before, S& after) {
  using std::isnan;
  const S width = end.time - begin.time, margin = S(0x1p-20) * width;
  State last = end, trial = begin;
  if (isnan(after)) {
    after = before;
    if (isnan(before)) return {};
    // Within a longer gap one look is enough; where it begins its edge is searched for.
    const int most_looks = isnan(search.value(begin)) ? 1 : 20;
    S low = 0, high = width, place = width - margin;
    for (int looks = 0; looks < most_looks; ++looks) {
      const S value = value_within(search, begin, place, trial);
      if (isnan(value)) {
        high = place;
      } else {
        low = place;
        after = value;
        last = trial;
        if (looks == 0) break;
      }
      place = (low + high) / 2;
    }
    if (!(low > 0)) return {};
  } else {
    before = value_within(search, begin, margin, trial);
  }
  if (!event.crossed(before, after)) return {};
  return find_crossing(search, event.tolerance, begin, last, before, after, std::optional<S>());
}

/// The state where `event` happened in the step from `begin` to `end`, if it did: its value was `before`, and
/// is `after`, which becomes the one to go on from. Where no shorter steps `search`, what happens in a step
/// does so at its end.
template <bool searches, class State, class S>
[[nodiscard]] std::optional<State> crossing_in_step([[maybe_unused]] EventSearch<State>& search,
                                                    const EventRule<S>& event,
                                                    [[maybe_unused]] const State& begin, const State& end,
                                                    S before, S& after) {
  using std::isnan;
  if constexpr (searches)
    if (isnan(before) || isnan(after)) return crossing_beside_gap(search, event, begin, end, before, after);
  if (isnan(after)) after = before;
  if (!event.crossed(before, after)) return {};
  if constexpr (searches)
    return find_crossing(search, event.tolerance, begin, end, before, after,
                         search.guess(event.tolerance, begin, end, before, after));
  else
    return end;
}

}  // namespace dalembert::detail
