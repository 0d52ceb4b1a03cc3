// One step of two strings in rolling contact, by travelling waves:
//   waveguide                 a contact of grid width with the corrected weights, over the number of points: the time must not depend on it
//   waveguide_of_width        a contact of a fixed width in metres, over the number of points: the time goes with the points in the kernel
//   tape                      the history of a contact at a point, over the steps in which a wave passes the string
//   spectral_tape             the same to round-off, a tenth of the time in which a wave passes the string
// The contact moves at less than half the speed of waves, and the strings keep what energy they have.

#include <cmath>
#include <cstddef>

#include <benchmark/benchmark.h>

#include <dalembert/string/characteristic_solver.hpp>
#include <dalembert/string/spectral_characteristic_solver.hpp>
#include <dalembert/string/waveguide.hpp>

namespace {

using namespace dalembert;

constexpr strings::Pair<> strings{.F = 0.9, .G1 = 0.5, .G2 = 0.4, .s1 = 2, .s2 = 2.7};

strings::Profile<> sine() {
  return {.displacement = [](double x) { return std::sin(x); },
          .slope = [](double x) { return std::cos(x); }};
}

/// Refuse the result if the motion has lost energy, or stands still when it has gone on for a while.
template <class Flow, class State>
void check_motion(benchmark::State& timer, const Flow& flow, const State& state, double energy,
                  double allowed) {
  if (!(std::abs(flow.energy(state) / energy - 1) < allowed)) timer.SkipWithError("the energy has changed");
  if (state.time > 1 && !(std::abs(state.s1() - strings.s1) > 1e-6))
    timer.SkipWithError("the contact stands still");
}

template <class Weights>
void step_waveguide(benchmark::State& timer, const Weights& weights) {
  const strings::Waveguide<Weights> guide(strings, static_cast<int>(timer.range(0)), weights);
  auto state = guide.state(sine(), {});
  const double energy = guide.energy(state);
  for ([[maybe_unused]] auto _ : timer) guide.step(state);
  check_motion(timer, guide, state, energy, 1e-11);
}

void waveguide(benchmark::State& timer) { step_waveguide(timer, strings::CorrectedGaussian<>{}); }
BENCHMARK(waveguide)->RangeMultiplier(10)->Range(100, 1000000);

void waveguide_of_width(benchmark::State& timer) {
  step_waveguide(timer, strings::Gaussian<>{.width = 0.05});
}
BENCHMARK(waveguide_of_width)->RangeMultiplier(10)->Range(1000, 100000);

/// The history is begun anew after a hundred passages, so that it does not fill the memory.
void tape(benchmark::State& timer) {
  const strings::CharacteristicSolver<> flow(strings);
  const double step = strings.length / strings.c / static_cast<double>(timer.range(0));
  const auto longest = static_cast<std::size_t>(100 * timer.range(0));
  auto state = flow.state(sine(), {}, longest);
  const double energy = flow.energy(state);
  std::size_t steps = 0;
  for ([[maybe_unused]] auto _ : timer) {
    if (steps++ == longest) {
      timer.PauseTiming();
      state = flow.state(sine(), {}, longest);
      steps = 1;
      timer.ResumeTiming();
    }
    flow.step(state, step);
  }
  check_motion(timer, flow, state, energy, 1e-2);
}
BENCHMARK(tape)->RangeMultiplier(10)->Range(100, 10000);

void spectral_tape(benchmark::State& timer) {
  const strings::SpectralCharacteristicSolver<> flow(strings);
  const double step = strings.length / strings.c / 10;
  auto state = flow.state(sine(), {});
  const double energy = flow.energy(state);
  int steps = 0;
  for ([[maybe_unused]] auto _ : timer) {
    if (steps++ == 20) {  // two passages, after which kinks crowd
      timer.PauseTiming();
      state = flow.state(sine(), {});
      steps = 1;
      timer.ResumeTiming();
    }
    flow.step(state, step);
  }
  check_motion(timer, flow, state, energy, 1e-12);
}
BENCHMARK(spectral_tape);

}  // namespace
