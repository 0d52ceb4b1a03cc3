#include <benchmark/benchmark.h>

#include <cmath>
#include <span>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/thread_team.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/systems/woven_net.hpp>

#include "floor_rod.hpp"
#include "numbers.hpp"

/// Steps over several threads: 100 rods of 100 elements, and beside them the hand-written floor of the same rods with the same threads; a net,
/// whose rods all belong together. Read the real time, and its ratio to that of one thread.
namespace {

using namespace dalembert;

constexpr int elements = 100, rods = 100;
constexpr double spacing = 0.01;

rod::CircularSection<double> rubber() {
  return rod::CircularSection<double>({.radius = 0.005, .young = 1e6, .poisson = 0.49, .density = 1100.0});
}
double wave(int k, int mode) { return 0.1 * std::sin(M_PI * mode * k * spacing); }

void library(benchmark::State& state) {
  rod::ElasticRod<double>::Parameters p;
  p.elements = elements;
  p.length = spacing * elements;
  p.inertia = rubber().inertia();
  const rod::ElasticRod<double> one(rod::LinearElastic<double>(rubber().stiffness_diagonal()), p);
  const assembly::Assembly problem{assembly::bodies(std::vector(std::size_t{rods}, one))};
  auto chain = one.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = 0; k <= elements; ++k)
    chain.set_velocity(k, {wave(k, 2), wave(k, 3), wave(k, 1)}, {wave(k, 1), wave(k, 2), wave(k, 3)});
  auto x = problem.state(std::vector(std::size_t{rods}, chain));
  auto stepper = ThreadedVerlet{.threads = static_cast<unsigned>(state.range(0))}.stepper(problem, x);
  for (auto _ : state)
    if (!stepper.step(problem, x, 1e-4).converged) state.SkipWithError("a step did not converge");
  bench::check_chains(state, x.chains);
}

void floor_of_the_machine(benchmark::State& state) {
  const auto section = rubber();
  const auto k6 = section.stiffness_diagonal();
  std::vector<floor_rod::Rod> all;
  for (int i = 0; i < rods; ++i) {
    all.emplace_back(elements, spacing, section.inertia().mass, section.inertia().rotary[0], k6[0], k6[2],
                     k6[3], k6[5]);
    for (int k = 0; k <= elements; ++k)
      for (int j = 0; j < 3; ++j) {
        all.back().column(7 + j)[k] = wave(k, j == 2 ? 1 : 2 + j);
        all.back().column(10 + j)[k] = wave(k, 1 + j);
      }
  }
  const ThreadTeam team(static_cast<unsigned>(state.range(0)));
  constexpr std::size_t together = 5;  // rods, as in a part of an assembly
  for (auto _ : state) {
    team(rods / together, [&](std::size_t part) {
      for (std::size_t i = part * together; i < (part + 1) * together; ++i) all[i].step(1e-4);
    });
    benchmark::ClobberMemory();
  }
  for (floor_rod::Rod& r : all)
    for (int i = 0; i < 13; ++i) bench::check_all(state, std::span(r.column(i), elements + 1));
}

void net(benchmark::State& state) {
  const systems::WovenNetParameters<double> p;
  const auto woven = systems::woven_net(p);
  const auto problem = woven.problem();
  auto x = problem.state(woven.chains, woven.z);
  systems::strike(problem, x, p);
  auto stepper = ThreadedVerlet{.threads = static_cast<unsigned>(state.range(0))}.stepper(problem, x);
  const auto start = x;
  long steps = 0;
  for (auto _ : state) {
    if (++steps % 400 == 0) {  // before a contact opens
      state.PauseTiming();
      x = start;
      stepper.reset();
      state.ResumeTiming();
    }
    if (!stepper.step(problem, x, 2e-5).converged) state.SkipWithError("a step did not converge");
  }
  bench::check_chains(state, x.chains);
}

BENCHMARK(floor_of_the_machine)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(library)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(net)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
