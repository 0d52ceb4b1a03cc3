#include <benchmark/benchmark.h>

#include <cmath>
#include <span>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "floor_rod.hpp"
#include "numbers.hpp"

/// One Verlet step of a free rod: the library, and the hand-written floor of the same scheme. Read ns_per_node_step, and the ratio of the two.
namespace {

using namespace dalembert;
using rod::Boundary;

constexpr double radius = 0.005;

rod::CircularSection<double> rubber() {
  return rod::CircularSection<double>({.radius = radius, .young = 1e6, .poisson = 0.49, .density = 1100.0});
}

/// A gentle motion that stays so: a transverse wave of small amplitude with some spin.
double wave(double x, int mode) { return 0.1 * std::sin(M_PI * mode * x); }

rod::ElasticRod<double> make_rod(int elements, double length) {
  rod::ElasticRod<double>::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = rubber().inertia();
  return {rod::LinearElastic<double>(rubber().stiffness_diagonal()), p};
}

void count(benchmark::State& state, int nodes) {
  state.counters["ns_per_node_step"] =
      benchmark::Counter(static_cast<double>(nodes) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void library(benchmark::State& state) {
  const int elements = static_cast<int>(state.range(0));
  const double h = 0.01;
  const assembly::Assembly problem{assembly::kinds(std::vector{make_rod(elements, h * elements)})};
  auto chain = problem.bodies<0>()[0].straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = 0; k <= elements; ++k)
    chain.set_velocity(k, {wave(k * h, 2), wave(k * h, 3), wave(k * h, 1)},
                       {wave(k * h, 1), wave(k * h, 2), wave(k * h, 3)});
  auto x = problem.state({chain});
  auto stepper = Verlet{}.stepper(problem, x);
  for (auto _ : state) {
    if (!stepper.step(problem, x, 1e-4).converged) state.SkipWithError("a step did not converge");
  }
  bench::check_chains(state, x.chains);
  count(state, elements + 1);
}

void floor_of_the_machine(benchmark::State& state) {
  const int elements = static_cast<int>(state.range(0));
  const double h = 0.01;
  const auto section = rubber();
  const auto k6 = section.stiffness_diagonal();
  floor_rod::Rod r(elements, h, section.inertia().mass, section.inertia().rotary[0], k6[0], k6[2], k6[3],
                   k6[5]);
  for (int k = 0; k <= elements; ++k)
    for (int i = 0; i < 3; ++i) {
      r.column(7 + i)[k] = wave(k * h, i == 2 ? 1 : 2 + i);
      r.column(10 + i)[k] = wave(k * h, 1 + i);
    }
  for (auto _ : state) {
    r.step(1e-4);
    benchmark::DoNotOptimize(r.column(0));
    benchmark::ClobberMemory();
  }
  for (int i = 0; i < 13; ++i)
    bench::check_all(state, std::span(r.column(i), static_cast<std::size_t>(elements) + 1));
  count(state, elements + 1);
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {50, 100, 200, 500, 1000, 5000, 10000, 50000, 100000}) b->Arg(n);
}
BENCHMARK(library)->Apply(sizes);
BENCHMARK(floor_of_the_machine)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
