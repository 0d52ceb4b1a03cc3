#include <benchmark/benchmark.h>

#include <chrono>
#include <vector>

#include <dalembert/analysis/tangent_spectrum.hpp>
#include <dalembert/assembly/kinetic_metric.hpp>
#include <dalembert/core/dual_functions.hpp>
#include <dalembert/core/dual_functions_of_several.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/rolling_rods.hpp>

/// Ten Lyapunov exponents of two rods of N elements that roll on each other, against the run alone over the
/// same time: both in turn, interval by interval, so that what else the machine does concerns both.
/// `run_alone` has one stepper that goes on, as a run has; the ratio of 5 s of motion is that of any other
/// time, intervals being alike.
namespace {

using namespace dalembert;
using Clock = std::chrono::steady_clock;

constexpr int exponents = 10;
constexpr double step = 1e-4, interval = 0.05;

/// The problem of these parameters over numbers with derivatives.
template <class D>
auto with_derivatives(const systems::RollingRodsParameters<double>& p) {
  using Rod = rod::ElasticRod<D>;
  using Contact = contact::RollingContact<D>;
  const rod::CircularSection<D> section({.radius = D(p.radius),
                                         .young = D(p.young),
                                         .poisson = D(p.poisson),
                                         .density = D(p.density),
                                         .shear_factor = D(p.shear_factor)});
  typename Rod::Parameters of;
  of.elements = p.elements;
  of.length = D(p.length);
  of.inertia = section.inertia();
  of.start = of.finish = rod::Boundary<D>::clamped();
  const Rod rod(rod::LinearElastic<D>(section.stiffness_diagonal()), of);
  const D width(p.kernel_width), radius(p.radius);
  const Contact contact{{0, rod, width}, {1, rod, width}, radius, radius, false};
  return assembly::Assembly<assembly::Kinds<Rod>, assembly::Kinds<Contact>>(
      assembly::bodies(std::vector{rod, rod}), assembly::constraints(std::vector{contact}));
}

/// Whoever carries tangent vectors against a run.
template <class Make>
void ratio(benchmark::State& state, const Make& make) {
  systems::RollingRodsParameters<double> p;
  p.elements = static_cast<int>(state.range(0));
  const auto start = systems::static_start(p);
  const auto problem = start.problem();
  using Problem = std::remove_cvref_t<decltype(problem)>;
  auto x = start.state;
  systems::set_initial_velocity(problem, x, p);
  auto tangents = make(p, problem, x);
  analysis::Directions<Problem> directions;
  directions.count = exponents;
  const analysis::LyapunovOptions<double> options{.step = step, .duration = 1, .interval = interval};
  analysis::detail::WeighedTangents<decltype(tangents)> weighed(tangents, directions, options, interval);
  auto stepper = Verlet{}.stepper(problem, x);
  const long steps = std::lround(interval / step);
  double alone = 0, with = 0;
  const auto seconds = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  for (auto _ : state) {
    auto from = Clock::now();
    for (long i = 0; i < steps; ++i)
      if (!stepper.step(problem, x, step).converged) state.SkipWithError("a step did not converge");
    alone += seconds(from);
    from = Clock::now();
    benchmark::DoNotOptimize(weighed.grow(step, steps));
    with += seconds(from);
  }
  state.counters["ratio"] = with / alone;
  state.counters["run_us_per_step"] = alone * 1e6 / static_cast<double>(state.iterations() * steps);
}

void by_differences(benchmark::State& state) {
  ratio(state, [](const auto&, const auto& problem, const auto& x) {
    return analysis::DifferencedTangents(Verlet{}, problem, x);
  });
}

void by_derivatives(benchmark::State& state) {
  ratio(state, [](const auto& p, const auto& problem, const auto& x) {
    static const auto over_duals = with_derivatives<Dual<double, exponents>>(p);
    return analysis::DerivedTangents(Verlet{}, problem, over_duals, x);
  });
}

BENCHMARK(by_differences)->Arg(100)->Iterations(100)->Unit(benchmark::kMillisecond);
BENCHMARK(by_derivatives)->Arg(100)->Iterations(100)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
