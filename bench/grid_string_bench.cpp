#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/string/grid_contact.hpp>

// One Verlet step of strings on a grid, over the number of elements:
//   free_string        a string alone
//   loop_by_hand       the same step of the same numbers (u, u_t) in one sweep to other arrays, which leaves the state before as it was, as steppers do
//   loop_in_place      the same in place, which leaves nothing of the state before
//   strings_in_contact two strings in contact by a kernel of so many points; `contact_ns` is what they take more than the same two apart, from the
//                      shortest of many times of both in turn, `contact_percent` that over the step, `ns_per_window_point` over the nodes that bear it
// The strings move everywhere and for ever: where a wave has yet to come numbers lie below 1e-308, with which processors compute slowly.
namespace {

using namespace dalembert;
using String = strings::GridString<double>;
using Contact = strings::GridContact<double>;
using Line = assembly::Line<double>;

String make(benchmark::State& timer) { return String({.points = static_cast<int>(timer.range(0))}); }
strings::Profile<double> waves(double phase) {
  return {
      .displacement = [=](double x) { return std::sin(x) + 0.1 * std::cos(phase) * std::sin(3 * x); },
      .velocity = [=](double x) { return 0.2 * std::sin(2 * x) + 0.1 * std::sin(phase) * std::sin(5 * x); }};
}
double step_of(const String& s) { return 0.5 * s.spacing() / s.parameters().c; }

// What is timed stands in functions of its own: a compiler takes those that only set something up for cold, and does not make their loops fast.

template <class Problem, class Stepper, class State>
[[gnu::noinline]] bool take_steps(const Problem& problem, Stepper& stepper, State& x, double step,
                                  int count) {
  bool converged = true;
  for (int i = 0; i < count; ++i) converged = stepper.step(problem, x, step).converged && converged;
  return converged;
}

/// The second kick of a node follows its neighbours' drift; a tile stays in the nearest cache until then.
[[gnu::noinline]] void step_by_hand(const Line& from, double h, double kick, Line& to) {
  const double* const __restrict u = from.displacement.data(), * const __restrict v = from.velocity.data();
  double* const __restrict u1 = to.displacement.data(), * const __restrict v1 = to.velocity.data();
  constexpr Eigen::Index tile = 128;
  const Eigen::Index last = from.displacement.size() - 1;
  for (Eigen::Index begin = 1; begin < last; begin += tile) {
    const Eigen::Index end = std::min(begin + tile, last);
    for (Eigen::Index k = begin; k < end; ++k) {
      const double kicked = v[k] + kick * (u[k + 1] - 2 * u[k] + u[k - 1]);
      v1[k] = kicked;
      u1[k] = u[k] + h * kicked;
    }
    const Eigen::Index first = std::max(begin - 1, Eigen::Index(1)), beyond = end == last ? last : end - 1;
    for (Eigen::Index k = first; k < beyond; ++k) v1[k] += kick * (u1[k + 1] - 2 * u1[k] + u1[k - 1]);
  }
}
[[gnu::noinline]] void step_in_place(Line& line, double h, double kick) {
  double* const __restrict u = line.displacement.data(), * const __restrict v = line.velocity.data();
  constexpr Eigen::Index tile = 256;
  const Eigen::Index last = line.displacement.size() - 1;
  double before = u[0];  // left of the tile, as it was
  for (Eigen::Index begin = 1; begin < last; begin += tile) {
    const Eigen::Index end = std::min(begin + tile, last);
    v[begin] += kick * (u[begin + 1] - 2 * u[begin] + before);
    for (Eigen::Index k = begin + 1; k < end; ++k) v[k] += kick * (u[k + 1] - 2 * u[k] + u[k - 1]);
    before = u[end - 1];
    for (Eigen::Index k = begin; k < end; ++k) u[k] += h * v[k];
    const Eigen::Index first = std::max(begin - 1, Eigen::Index(1)), beyond = end == last ? last : end - 1;
    for (Eigen::Index k = first; k < beyond; ++k) v[k] += kick * (u[k + 1] - 2 * u[k] + u[k - 1]);
  }
}

void per_point(benchmark::State& timer) {
  timer.counters["ns_per_point"] =
      benchmark::Counter(static_cast<double>(timer.range(0)) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void free_string(benchmark::State& timer) {
  const String s = make(timer);
  const assembly::Assembly problem{s};
  auto x = problem.state(std::vector{s.line(waves(1))});
  auto stepper = Verlet{}.stepper(problem, x);
  for ([[maybe_unused]] auto _ : timer)
    if (!take_steps(problem, stepper, x, step_of(s), 1)) timer.SkipWithError("a step did not converge");
  if (!x.is_finite_throughout()) timer.SkipWithError("the state is not finite");
  per_point(timer);
}

template <bool in_place>
void by_hand(benchmark::State& timer) {
  const String s = make(timer);
  Line line = s.line(waves(1)), next = line;
  const double h = step_of(s), kick = h / 2 / (s.spacing() * s.spacing());
  for ([[maybe_unused]] auto _ : timer) {
    if constexpr (in_place) {
      step_in_place(line, h, kick);
    } else {
      step_by_hand(line, h, kick, next);
      std::swap(line, next);
    }
  }
  // the last few steps beside those of the library
  Line expected = line;
  for (int i = 0; i < 3; ++i) {
    Line from = expected;
    s.step(from, h, expected);
    if constexpr (in_place) {
      step_in_place(line, h, kick);
    } else {
      step_by_hand(line, h, kick, next);
      std::swap(line, next);
    }
  }
  if (!((line.displacement - expected.displacement).norm() < 1e-10 * expected.displacement.norm()))
    timer.SkipWithError("the loop computes something else");
  per_point(timer);
}
void loop_by_hand(benchmark::State& timer) { by_hand<false>(timer); }
void loop_in_place(benchmark::State& timer) { by_hand<true>(timer); }

void strings_in_contact(benchmark::State& timer) {
  const String s = make(timer);
  const std::vector lines{s.line(waves(1)), s.line(waves(2))};
  const double points = static_cast<double>(timer.range(1)), width = points / 4 * s.spacing();
  const Contact c{{0, s, width}, {1, s, width}, 1, 0.5, 0.4};
  const assembly::Assembly touching{assembly::bodies(s, s), assembly::constraints(c)};
  const assembly::Assembly apart{assembly::bodies(s, s)};
  auto x = touching.state(lines, Vec<double, 2>(2.0, 2.7));
  touching.project(x);
  auto y = apart.state(lines);
  auto stepper = Verlet{}.stepper(touching, x);
  auto other = Verlet{}.stepper(apart, y);
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  constexpr int count = 10;
  double with = 1, without = 1;
  for ([[maybe_unused]] auto _ : timer) {
    const auto begin = Clock::now();
    if (!take_steps(touching, stepper, x, step_of(s), count)) timer.SkipWithError("a step did not converge");
    const auto middle = Clock::now();
    (void)take_steps(apart, other, y, step_of(s), count);
    const auto end = Clock::now();
    timer.SetIterationTime(seconds(middle - begin) / count);
    with = std::min(with, seconds(middle - begin) / count);
    without = std::min(without, seconds(end - middle) / count);
  }
  if (!x.is_finite_throughout() || !(std::abs(x.z[0] - 2) > 1e-9))
    timer.SkipWithError("the contact stands still");
  timer.counters["contact_ns"] = 1e9 * (with - without);
  timer.counters["contact_percent"] = 100 * (with / without - 1);
  timer.counters["ns_per_window_point"] = 1e9 * (with - without) / (2 * points);
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {1000, 10000, 100000, 1000000}) b->Arg(n);
}

}  // namespace

BENCHMARK(free_string)->Apply(sizes);
BENCHMARK(loop_by_hand)->Apply(sizes);
BENCHMARK(loop_in_place)->Apply(sizes);
BENCHMARK(strings_in_contact)->Args({10000, 8})->Args({10000, 80})->Args({10000, 800})->UseManualTime();
