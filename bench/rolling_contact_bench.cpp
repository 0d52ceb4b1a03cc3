#include <benchmark/benchmark.h>

#include <cmath>
#include <span>
#include <string>

#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "floor_rod.hpp"
#include "numbers.hpp"

/// One Verlet step of two rods of N elements each: in rolling contact, without contact, and the hand-written floor of the two free rods.
/// What the contact adds is the difference of the first two; 100 floor node-steps are a hundred times the third's ns_per_node_step.
namespace {

using namespace dalembert;

constexpr double step = 2e-5;

systems::RollingRodsParameters<double> parameters(int elements) { return {.elements = elements}; }

void count(benchmark::State& state, int nodes) {
  state.counters["ns_per_node_step"] =
      benchmark::Counter(static_cast<double>(nodes) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Step a copy of the start over and over, for at most 0.2 s of motion each, so that every N does the same work.
template <class Problem>
void run(benchmark::State& state, const Problem& problem, const typename Problem::State& start) {
  auto x = start;
  auto stepper = Verlet{}.stepper(problem, x);
  for (auto _ : state) {
    if (!stepper.step(problem, x, step).converged) state.SkipWithError("a step did not converge");
    if (x.time > 0.2) {
      state.PauseTiming();
      bench::check_chains(state, x.chains);
      x = start;
      stepper.reset();
      state.ResumeTiming();
    }
  }
  count(state, static_cast<int>(2 * problem.template bodies<0>()[0].nodes()));
}

void rolling(benchmark::State& state) {
  const auto p = parameters(static_cast<int>(state.range(0)));
  const auto start = systems::static_start(p);
  const auto problem = start.problem();
  auto x = start.state;
  systems::set_initial_velocity(problem, x, p);
  run(state, problem, x);
}

void apart(benchmark::State& state) {
  const auto p = parameters(static_cast<int>(state.range(0)));
  const auto start = systems::static_start(p);
  const auto rolling = start.problem();
  auto x = start.state;
  systems::set_initial_velocity(rolling, x, p);
  const assembly::Assembly problem{assembly::bodies(start.rods)};
  run(state, problem, problem.state(x.chains));
}

void floor_of_the_machine(benchmark::State& state) {
  const int elements = static_cast<int>(state.range(0));
  const rod::CircularSection<double> section(
      {.radius = 0.005, .young = 1e6, .poisson = 0.49, .density = 1100.0});
  const auto k = section.stiffness_diagonal();
  const auto j = section.inertia();
  floor_rod::Rod one(elements, 1.0 / elements, j.mass, j.rotary[0], k[0], k[2], k[3], k[5]);
  for (int n = 0; n <= elements; ++n) one.column(7)[n] = 0.1 * std::sin(6.0 * n / elements);
  floor_rod::Rod two = one;
  for (auto _ : state) {
    one.step(step);
    two.step(step);
    benchmark::DoNotOptimize(one.column(0));
    benchmark::DoNotOptimize(two.column(0));
    benchmark::ClobberMemory();
  }
  for (int i = 0; i < 13; ++i)
    bench::check_all(state, std::span(one.column(i), static_cast<std::size_t>(elements) + 1));
  count(state, 2 * (elements + 1));
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {50, 100, 200, 400}) b->Arg(n);
}
BENCHMARK(rolling)->Apply(sizes);
BENCHMARK(apart)->Apply(sizes);
BENCHMARK(floor_of_the_machine)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
