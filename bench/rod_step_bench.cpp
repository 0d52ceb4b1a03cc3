#include <benchmark/benchmark.h>

#include <cmath>
#include <span>
#include <type_traits>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/varying_rod.hpp>

#include "floor_rod.hpp"
#include "numbers.hpp"

/// One Verlet step of a free rod: the library, and the hand-written floor of the same scheme. Read ns_per_node_step, and the ratio of the two. The same of
/// rods whose elements have a stiffness and rest strains, and whose nodes an inertia, of their own.
namespace {

using namespace dalembert;
using rod::Boundary;

constexpr double radius = 0.005, spacing = 0.01;

template <class S>
rod::CircularSection<S> rubber() {
  return rod::CircularSection<S>(
      {.radius = S(radius), .young = S(1e6), .poisson = S(0.49), .density = S(1100)});
}

/// A gentle motion that stays so: a transverse wave of small amplitude with some spin.
double wave(double x, int mode) { return 0.1 * std::sin(M_PI * mode * x); }

template <class R>
R make_rod(int elements) {
  using S = typename R::Scalar;
  typename R::Parameters p;
  p.elements = elements;
  p.length = S(spacing * elements);
  const auto section = rubber<S>();
  if constexpr (std::is_same_v<R, rod::ElasticRod<S>>) {
    p.inertia = section.inertia();
    return R(rod::LinearElastic<S>(section.stiffness_diagonal()), p);
  } else {
    return rod::varying<R>(p, [&](S) { return section; });
  }
}

void count(benchmark::State& state, int nodes) {
  state.counters["ns_per_node_step"] =
      benchmark::Counter(static_cast<double>(nodes) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class R>
void step(benchmark::State& state) {
  using S = typename R::Scalar;
  const int elements = static_cast<int>(state.range(0));
  const double h = spacing;
  const assembly::Assembly problem{assembly::bodies(make_rod<R>(elements))};
  auto chain = problem.template bodies<0>()[0].straight(Vec<S, 3>::Zero(), SO3<S>::identity());
  for (int k = 0; k <= elements; ++k)
    chain.set_velocity(k, {S(wave(k * h, 2)), S(wave(k * h, 3)), S(wave(k * h, 1))},
                       {S(wave(k * h, 1)), S(wave(k * h, 2)), S(wave(k * h, 3))});
  auto x = problem.state({chain});
  auto stepper = Verlet{}.stepper(problem, x);
  for (auto _ : state) {
    if (!stepper.step(problem, x, S(1e-4)).converged) state.SkipWithError("a step did not converge");
  }
  bench::check_chains(state, x.chains);
  count(state, elements + 1);
}

template <floor_rod::Data data>
void floor_step(benchmark::State& state) {
  const int elements = static_cast<int>(state.range(0));
  const double h = spacing;
  const auto section = rubber<double>();
  const auto k6 = section.stiffness_diagonal();
  floor_rod::RodOf<data> r(elements, h, section.inertia().mass, section.inertia().rotary[0], k6[0], k6[2],
                           k6[3], k6[5]);
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
void library(benchmark::State& state) { step<rod::ElasticRod<double>>(state); }
void library_in_float(benchmark::State& state) { step<rod::ElasticRod<float>>(state); }
void varying_library(benchmark::State& state) { step<rod::VaryingRod<double>>(state); }
void coupled_library(benchmark::State& state) { step<rod::VaryingCoupledRod<double>>(state); }
void floor_of_the_machine(benchmark::State& state) { floor_step<floor_rod::Data::uniform>(state); }
void varying_floor(benchmark::State& state) { floor_step<floor_rod::Data::diagonal>(state); }
void coupled_floor(benchmark::State& state) { floor_step<floor_rod::Data::full>(state); }
BENCHMARK(library)->Apply(sizes);
BENCHMARK(floor_of_the_machine)->Apply(sizes);
BENCHMARK(library_in_float)->Apply(sizes);
BENCHMARK(varying_library)->Apply(sizes);
BENCHMARK(varying_floor)->Apply(sizes);
BENCHMARK(coupled_library)->Apply(sizes);
BENCHMARK(coupled_floor)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
