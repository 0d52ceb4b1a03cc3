#include <dalembert/integrate/detail/schedule.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "support/catch.hpp"

namespace schedule_test {

using dalembert::Schedule;

struct Stop {
  double time;
  bool output;
};

std::vector<Stop> all_stops(double start, double until, double step, double interval) {
  Schedule<double> schedule(start, until, step, interval);
  std::vector<Stop> stops;
  double now = start;
  while (!schedule.done(now)) {
    const auto target = schedule.next(now);
    REQUIRE(target.time > now);
    now = target.time;
    stops.push_back({target.time, target.output});
  }
  return stops;
}

TEST_CASE("the slack of a step is in proportion to it, however short or long", "[schedule]") {
  for (const double step : {0x1p-30, 1.0, 0x1p30}) {
    CAPTURE(step);
    CHECK(all_stops(0, 10 * step, step, 0).size() == 10);
    CHECK(all_stops(0, (10 + 1e-7) * step, step, 0).size() == 10);
    CHECK(all_stops(0, (10 + 1e-5) * step, step, 0).size() == 11);
  }
}

TEST_CASE("a schedule is taken up far from its start as if it had been followed all the way", "[schedule]") {
  // Nine digits of the time are before the point: a count of 1e12 steps, which nobody waits for.
  const double start = -1e9, step = 0x1p-10, interval = 0x1p-8, now = 0.75 * step;
  dalembert::Schedule<double> schedule(start, 1.0, step, interval, now);
  const auto first = schedule.next(now);
  CHECK(first.time == step);
  CHECK_FALSE(first.output);
  CHECK(*schedule.output_between(now, 1.0) == interval);
  for (const double from : {0.0, 0.05, 0.1, 0.3, 7.7}) {
    dalembert::Schedule<double> followed(0.0, 10.0, 0.1, 0.3), taken_up(0.0, 10.0, 0.1, 0.3, from);
    double time = 0;
    while (time <= from) time = followed.next(time).time;
    double other = from;
    while (!followed.done(time)) {
      const auto there = taken_up.next(other);
      CHECK(there.time == time);
      other = there.time;
      time = followed.next(time).time;
    }
  }
}

TEST_CASE("equal steps end at start + k step, the last at the end", "[schedule]") {
  const auto stops = all_stops(2.0, 3.05, 0.1, 0.0);
  REQUIRE(stops.size() == 11);
  for (std::size_t k = 0; k < 10; ++k) REQUIRE(stops[k].time == 2.0 + static_cast<double>(k + 1) * 0.1);
  REQUIRE(stops.back().time == 3.05);
}

TEST_CASE("a million steps do not drift", "[schedule]") {
  const auto stops = all_stops(0.0, 1e5, 0.1, 0.0);
  REQUIRE(stops.size() == 1000000);
  REQUIRE(stops[777776].time == 777777 * 0.1);
  REQUIRE(stops.back().time == 1e5);
}

TEST_CASE("rounding adds no step and no output before the end", "[schedule]") {
  // n · 0.1 may lie on either side of the decimal fraction that stands for the end: 3 · 0.3 < 0.9, 3 · 0.1 > 0.3.
  for (const int tenths : {1, 3, 7}) {
    const double spacing = tenths / 10.0;
    for (int n = 1; n <= 60; ++n) {
      CAPTURE(spacing, n);
      const auto count = static_cast<std::size_t>(n);
      const double until = n * tenths / 10.0;
      const auto steps = all_stops(0.0, until, spacing, 0.0);
      CHECK(steps.size() == count);
      CHECK(steps.back().time == until);
      const auto outputs = all_stops(0.0, until, 2 * spacing, spacing);
      CHECK(outputs.size() == count);
      CHECK(outputs.back().time == until);

      // Between free steps the end is no output of this kind.
      Schedule<double> schedule(0.0, until, spacing, spacing);
      int between = 0;
      for (std::optional<double> at = 0.0; (at = schedule.output_between(*at, until));) ++between;
      CHECK(between == n - 1);
    }
  }
}

TEST_CASE("an interval that is a multiple of the step adds no steps", "[schedule]") {
  const auto stops = all_stops(0.0, 30.0, 0.1, 0.3);
  REQUIRE(stops.size() == 300);
  long outputs = 0;
  for (const auto& stop : stops) {
    if (!stop.output) continue;
    ++outputs;
    REQUIRE((stop.time == static_cast<double>(outputs) * 0.3 || stop.time == 30.0));
  }
  REQUIRE(outputs == 100);
}

TEST_CASE("steps between two outputs are equal, the longest that divide the interval and are not longer",
          "[schedule]") {
  const auto stops = all_stops(0.0, 1.0, 0.1, 0.25);
  REQUIRE(stops.size() == 12);
  for (std::size_t i = 0; i < stops.size(); ++i) {
    CHECK(stops[i].time == Approx(static_cast<double>(i + 1) / 12).epsilon(1e-15));
    CHECK(stops[i].output == (i % 3 == 2));
  }
  REQUIRE(stops[2].time == 0.25);
  REQUIRE(stops.back().time == 1.0);
}

/// The steps of a run from `now` on.
template <class S>
std::vector<typename Schedule<S>::Target> targets(Schedule<S> schedule, S now) {
  std::vector<typename Schedule<S>::Target> all;
  for (now = schedule.rounded(now); !schedule.done(now);) {
    all.push_back(schedule.next(now));
    REQUIRE(all.back().time > now);
    now = all.back().time;
  }
  return all;
}

template <class S>
void check_equal_steps() {
  constexpr S eps = std::numeric_limits<S>::epsilon();
  for (const S scale : {S(1e-6), S(1), S(1e6)})
    for (const S begin : {S(0), S(-0.7), S(3)})
      for (const S ratio :
           {S(0.3), S(1), S(1.1), S(2.4413), S(3), S(10), S(10.00000001), S(10.01), S(36.9)}) {
        const int outputs = 7;
        const S interval = S(0.1) * scale, start = begin * interval, step = interval / ratio;
        CAPTURE(scale, begin, ratio);
        const auto all = targets<S>({start, start + outputs * interval, step, interval}, start);
        const auto each = static_cast<std::size_t>(std::max(S(1), std::ceil(ratio - S(1e-4))));
        REQUIRE(all.size() == outputs * each);
        const S used = Schedule<S>(start, start + interval, step, interval).step();
        CHECK(used == interval / static_cast<S>(each));
        CHECK(dalembert::equal_step(used, interval) == used);
        for (std::size_t i = 0; i < all.size(); ++i) {
          CAPTURE(i);
          CHECK(std::abs(all[i].length - used) <= 32 * eps * interval);
          CHECK(all[i].output == ((i + 1) % each == 0));
          if (all[i].output && i + 1 < all.size())
            CHECK(all[i].time == start + static_cast<S>((i + 1) / each) * interval);
        }
      }
}

TEST_CASE("steps are equal in runs of any scale, start and number type", "[schedule]") {
  check_equal_steps<float>();
  check_equal_steps<double>();
  check_equal_steps<long double>();
}

TEST_CASE("a run that was stopped at an output goes on with the same steps, bit for bit", "[schedule]") {
  for (const double start : {0.0, -0.05, 7.3})
    for (const double step : {0.013, 0.1, 0.7}) {
      const double interval = 0.1, until = start + 6.04;
      const auto whole = targets<double>({start, until, step, interval}, start);
      for (int tenths = 1; tenths < 60; ++tenths) {
        CAPTURE(start, step, tenths);
        // The end is given as a user would, and may be next to the time of the output.
        const double stop = start + tenths / 10.0;
        auto halves = targets<double>({start, stop, step, interval}, start);
        CHECK(halves.back().time == stop);
        halves.back().time = whole[halves.size() - 1].time;
        const auto rest = targets<double>({start, until, step, interval, stop}, stop);
        halves.insert(halves.end(), rest.begin(), rest.end());
        REQUIRE(halves.size() == whole.size());
        bool same = true;
        for (std::size_t i = 0; i < whole.size(); ++i)
          same = same && halves[i].time == whole[i].time && halves[i].length == whole[i].length &&
                 (halves[i].output == whole[i].output);
        CHECK(same);
      }
    }
}

TEST_CASE("rounding adds no step where numbers are coarse beside the step", "[schedule]") {
  for (const int thousandths : {1, 3, 7, 9}) {
    const float step = static_cast<float>(thousandths) / 1000;
    for (int n = 1; n <= 200; ++n) {
      CAPTURE(thousandths, n);
      const float until = static_cast<float>(n * thousandths) / 1000;
      CHECK(targets<float>({0, until, step, 0}, 0).size() == static_cast<std::size_t>(n));
      CHECK(targets<float>({8, 8 + until, step, 0}, 8).size() == static_cast<std::size_t>(n));
    }
  }
}

TEST_CASE("only the last step before the end and the first one off the grid are shorter", "[schedule]") {
  for (const double interval : {0.0, 1.0}) {
    const auto all = targets<double>({0.0, 10.03, 0.25, interval, 0.1}, 0.1);
    REQUIRE(all.size() == 41);
    CHECK(all.front().length == Approx(0.15));
    CHECK(all.back().length == Approx(0.03));
    for (std::size_t i = 1; i + 1 < all.size(); ++i) CHECK(all[i].length == 0.25);
  }
}

TEST_CASE("an interval shorter than the step decides", "[schedule]") {
  const auto stops = all_stops(-1.0, 1.0, 10.0, 0.5);
  REQUIRE(stops.size() == 4);
  for (const auto& stop : stops) REQUIRE(stop.output);
}

TEST_CASE("adapted steps are cut at outputs and at the end, and stretched to avoid a tiny one",
          "[schedule]") {
  Schedule<double> schedule(0.0, 1.0, 0.1, 0.5);
  REQUIRE(schedule.within(0.0, 0.3).time == 0.3);
  REQUIRE_FALSE(schedule.within(0.0, 0.3).output);
  REQUIRE(schedule.within(0.3, 0.3).time == 0.5);
  REQUIRE(schedule.within(0.3, 0.3).output);
  REQUIRE(schedule.within(0.5, 0.4999).time == 1.0);
  REQUIRE(schedule.done(1.0));
}

TEST_CASE("an adapted step passes over no output, however near the end", "[schedule]") {
  for (const double rest : {3e-6, 1e-4, 1e-2, 0.3}) {
    Schedule<double> schedule(0.0, 1.0 + rest, 0.1, 0.5);
    for (const double h : {0.5 + rest, 0.5, 0.4999, 0.5 + rest / 2, 2.0}) {
      CAPTURE(rest, h);
      const auto target = schedule.within(0.5, h);
      CHECK(target.time == 1.0);
      CHECK(target.output);
    }
    CHECK(schedule.within(1.0, 2.0).time == 1.0 + rest);
  }
  Schedule<double> schedule(0.0, 1.0 + 1e-9, 0.1, 0.5);  // an output and the end that are one
  CHECK(schedule.within(0.5, 0.5).time == 1.0 + 1e-9);
}

TEST_CASE("free steps are cut at the end only, and outputs are handed out between their ends", "[schedule]") {
  Schedule<double> schedule(1.0, 2.0, 0.1, 0.25);
  CHECK(schedule.freely(1.0, 0.7).time == 1.7);
  CHECK_FALSE(schedule.freely(1.0, 0.7).output);
  CHECK(schedule.output_between(1.0, 1.7) == 1.25);
  CHECK(schedule.output_between(1.25, 1.7) == 1.5);
  CHECK_FALSE(schedule.output_between(1.5, 1.7));
  CHECK(schedule.freely(1.7, 0.299).time == 2.0);
  CHECK(schedule.freely(1.7, 0.299).output);
  CHECK(schedule.output_between(1.7, 2.0) == 1.75);
  CHECK_FALSE(schedule.output_between(1.75, 2.0));  // the end is an output of its own
}

TEST_CASE("a run that goes on from a checkpoint skips the outputs before it", "[schedule]") {
  Schedule<double> schedule(0.0, 10.0, 0.1, 0.5);
  CHECK(schedule.output_between(3.1, 4.0) == 3.5);
  CHECK(schedule.output_between(3.5, 3.5) == std::nullopt);
}

TEST_CASE("without an interval free steps are outputs themselves", "[schedule]") {
  Schedule<double> schedule(0.0, 10.0, 0.1, 0.0);
  CHECK(schedule.freely(3.1, 0.2).output);
  CHECK_FALSE(schedule.output_between(0.0, 10.0));
}

}  // namespace schedule_test
