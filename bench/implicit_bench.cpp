#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include <dalembert/implicit/implicit.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/rod/implicit.hpp>
#include <dalembert/rod/section.hpp>

#include "numbers.hpp"

/// One implicit step of a clamped rod of N elements that swings, ten times as long as an explicit one may be: what a node costs in each iteration of
/// Newton's method, with its loads, its stiffness, and the solution; where the matrix is frozen most iterations make none.
namespace {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;

Rod make_rod(int elements) {
  Rod::Parameters p;
  p.elements = elements;
  p.length = 0.01 * elements;
  const rod::CircularSection<double> section(
      {.radius = 0.01, .young = 1e6, .poisson = 0.4, .density = 1000.0});
  p.inertia = section.inertia();
  p.start = rod::Boundary<double>::clamped();
  return Rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
}

template <class Method>
void step(benchmark::State& state, const Method& method) {
  const int elements = static_cast<int>(state.range(0));
  const Rod rod = make_rod(elements);
  auto chain = rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = 1; k <= elements; ++k)
    chain.set_velocity(k, Vec<double, 3>(std::sin(0.1 * k), 0.5 * std::sin(0.07 * k), 0),
                       Vec<double, 3>(0, 10 * std::cos(0.1 * k), 1));
  const assembly::Assembly problem{rod};
  const auto start = problem.state({chain});
  const double h = 20 / problem.frequency_bound(start);
  auto x = start;
  auto stepper = method.stepper(problem, x);
  double iterations = 0;
  int steps = 0;
  for (auto _ : state) {
    iterations += stepper.step(problem, x, h).iterations;
    if (++steps % 100 == 0) {
      state.PauseTiming();
      bench::check_chains(state, x.chains);
      x = start;
      stepper.reset();
      state.ResumeTiming();
    }
  }
  state.counters["iterations_per_step"] = iterations / steps;
  state.counters["us_per_node_iteration"] =
      benchmark::Counter(static_cast<double>(elements + 1) * iterations * 1e-6,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void discrete_gradient(benchmark::State& state) { step(state, DiscreteGradient{}); }
void discrete_gradient_fresh(benchmark::State& state) {
  step(state, DiscreteGradient{.newton = {.tolerance = 0, .frozen = false}});
}
void implicit_midpoint(benchmark::State& state) { step(state, ImplicitMidpoint{}); }
void implicit_midpoint_fresh(benchmark::State& state) {
  step(state, ImplicitMidpoint{.newton = {.frozen = false}});
}
void generalized_alpha(benchmark::State& state) { step(state, GeneralizedAlpha{}); }

BENCHMARK(discrete_gradient)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(discrete_gradient_fresh)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(implicit_midpoint)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(implicit_midpoint_fresh)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(generalized_alpha)->Arg(100)->Arg(1000)->Arg(10000);

}  // namespace
