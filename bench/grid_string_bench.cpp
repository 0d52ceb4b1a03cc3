#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/string/grid_contact.hpp>

/// One Verlet step of strings on a grid: a free one beside a loop by hand over the same numbers, and two in contact beside the same two apart.
namespace {

using namespace dalembert;
using String = string::GridString<double>;
using Contact = string::GridContact<double>;
using Column = Vec<double, Eigen::Dynamic>;

String make(benchmark::State& state) { return String({.points = static_cast<int>(state.range(0))}); }
string::Profile<double> sine() {
  return {.displacement = [](double x) { return std::sin(x); }};
}

template <class Problem>
void run(benchmark::State& state, const Problem& problem, typename Problem::State x) {
  const double step =
      0.5 / problem.template bodies<0>()[0].parameters().c * problem.template bodies<0>()[0].spacing();
  auto stepper = Verlet{}.stepper(problem, x);
  for (auto _ : state)
    if (!stepper.step(problem, x, step).converged) state.SkipWithError("a step did not converge");
  if (!x.is_finite_throughout()) state.SkipWithError("the state is not finite");
  state.counters["ns_per_point"] = benchmark::Counter(
      static_cast<double>(state.range(0) * static_cast<long>(problem.template bodies<0>().size())) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void free_string(benchmark::State& state) {
  const String s = make(state);
  const assembly::Assembly problem{assembly::kinds(std::vector{s})};
  run(state, problem, problem.state(std::vector{s.line(sine())}));
}

/// The same step of the same numbers (u, u_t) in one sweep: the second half kick of a node follows its neighbours' drift.
void loop_by_hand(benchmark::State& state) {
  const String s = make(state);
  const auto line = s.line(sine());
  const Eigen::Index last = s.nodes() - 1;
  Column u = line.displacement, v = line.velocity, next_u = u, next_v = v;
  const double h = 0.5 * s.spacing(), half = h / 2 / (s.spacing() * s.spacing());
  for (auto _ : state) {
    const double* const a = u.data();
    const double* const b = v.data();
    double* const p = next_u.data();
    double* const q = next_v.data();
    constexpr Eigen::Index tile = 512;
    for (Eigen::Index from = 1; from < last; from += tile) {
      const Eigen::Index to = std::min(from + tile, last);
      for (Eigen::Index k = from; k < to; ++k) {
        q[k] = b[k] + half * (a[k + 1] - 2 * a[k] + a[k - 1]);
        p[k] = a[k] + h * q[k];
      }
      const Eigen::Index begin = std::max(Eigen::Index{1}, from - 1), end = to == last ? last : to - 1;
      for (Eigen::Index k = begin; k < end; ++k) q[k] += half * (p[k + 1] - 2 * p[k] + p[k - 1]);
    }
    std::swap(u, next_u);
    std::swap(v, next_v);
    benchmark::DoNotOptimize(u.data());
    benchmark::ClobberMemory();
  }
  state.counters["ns_per_point"] =
      benchmark::Counter(static_cast<double>(state.range(0)) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Two strings, in contact by a kernel of so many points or not at all.
template <bool in_contact>
void two_strings(benchmark::State& state) {
  const String s = make(state);
  const std::vector lines{s.line(sine()), s.line({})};
  if constexpr (in_contact) {
    const Contact c{{0, s, static_cast<double>(state.range(1)) / 4 * s.spacing()},
                    {1, s, static_cast<double>(state.range(1)) / 4 * s.spacing()},
                    1,
                    0.5,
                    0.4};
    const assembly::Assembly problem{assembly::kinds(std::vector{s, s}), assembly::kinds(std::vector{c})};
    run(state, problem, problem.state(lines, Vec<double, 2>(2.0, 2.7)));
  } else {
    const assembly::Assembly problem{assembly::kinds(std::vector{s, s})};
    run(state, problem, problem.state(lines));
  }
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {1000, 10000, 100000, 1000000}) b->Arg(n);
}

}  // namespace

BENCHMARK(free_string)->Apply(sizes);
BENCHMARK(loop_by_hand)->Apply(sizes);
BENCHMARK_TEMPLATE(two_strings, false)->Args({10000, 0});
BENCHMARK_TEMPLATE(two_strings, true)->Args({10000, 8})->Args({10000, 80})->Args({10000, 800});
