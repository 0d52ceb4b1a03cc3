#include <benchmark/benchmark.h>

#include <cmath>

#include <dalembert/systems/rolling_rods.hpp>
#include <dalembert/systems/woven_net.hpp>

/// Equilibria found from straight rods: two rods hooked into each other, of N elements, and a woven net of N crossings, whose cost per
/// node, or crossing, should not depend on N.
namespace {

using namespace dalembert;

void hooked_rods(benchmark::State& state) {
  systems::RollingRodsParameters<double> p;
  p.elements = static_cast<int>(state.range(0));
  p.kernel_width = 8 * p.length / static_cast<double>(p.elements);
  double iterations = 0;
  for (auto _ : state) {
    const auto start = systems::static_start(p);
    if (!(start.normal_force() > 1)) state.SkipWithError("the rods do not press each other");
    iterations = start.equilibrium.search.iterations;
  }
  state.counters["iterations"] = iterations;
  state.counters["us_per_node_iteration"] =
      benchmark::Counter(2e-6 * iterations * static_cast<double>(p.elements + 1),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(hooked_rods)->Arg(100)->Arg(300)->Arg(1000)->Unit(benchmark::kMillisecond);

void resting_net(benchmark::State& state) {
  systems::WovenNetParameters<double> p;
  p.rods = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(systems::woven_net(p));
  state.counters["us_per_crossing"] =
      benchmark::Counter(static_cast<double>(p.rods * p.rods) * 1e-6,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(resting_net)->Arg(2)->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
