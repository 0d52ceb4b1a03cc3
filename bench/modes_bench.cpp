#include <benchmark/benchmark.h>

#include <complex>
#include <vector>

#include <dalembert/modes/linearization.hpp>
#include <dalembert/rod/stiffness.hpp>

/// The ten lowest modes of a cantilever of N elements, and ten motions of it near a complex shift: the cost per node should not depend on N.
namespace {

using namespace dalembert;

struct Cantilever {
  explicit Cantilever(int elements)
      : problem(assembly::bodies(rod(elements))),
        state(problem.state(
            {problem.bodies<0>()[0].straight(Vec<double, 3>::Zero(), SO3<double>::identity())})) {}
  static rod::ElasticRod<double> rod(int elements) {
    const rod::CircularSection<double> section(
        {.radius = 0.02, .young = 1e5, .poisson = 0.3, .density = 2000.0, .shear_factor = 0.9});
    rod::ElasticRod<double>::Parameters p;
    p.elements = elements;
    p.length = 1.0;
    p.inertia = section.inertia();
    p.start = rod::Boundary<double>::clamped();
    return {rod::LinearElastic<double>(section.stiffness_diagonal()), p};
  }
  assembly::Assembly<assembly::Kinds<rod::ElasticRod<double>>> problem;
  assembly::State<double> state;
};

void count(benchmark::State& state) {
  state.counters["us_per_node"] =
      benchmark::Counter(static_cast<double>(state.range(0) + 1) * 1e-6,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void ten_modes(benchmark::State& state) {
  const Cantilever c(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto found = assembly::modes(c.problem, c.state, {.count = 10});
    if (std::abs(found[0].frequency() - 0.24839) > 1e-4) state.SkipWithError("the first mode is wrong");
  }
  count(state);
}
BENCHMARK(ten_modes)->RangeMultiplier(10)->Range(100, 10'000)->Unit(benchmark::kMillisecond);

void ten_motions(benchmark::State& state) {
  const Cantilever c(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto found =
        assembly::linearization(c.problem, c.state, {.count = 10, .shift = std::complex(0.0, 4.0)});
    if (std::abs(found[0].eigenvalue - std::complex(0.0, 4.299)) > 1e-2)
      state.SkipWithError("the first motion is wrong");
  }
  count(state);
}
BENCHMARK(ten_motions)->RangeMultiplier(10)->Range(100, 10'000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
