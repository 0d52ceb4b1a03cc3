#pragma once

#include <benchmark/benchmark.h>

#include <dalembert/rod/sections.hpp>

#include "floor_rod.hpp"

/// A rod of rubber, ten millimetres thick, and the floor of the machine for its steps.
namespace bench {

inline constexpr double rubber_radius = 0.01;  // [m]

inline dalembert::rod::CircularSection<> rubber_section() {
  return dalembert::rod::CircularSection<>({.radius = rubber_radius, .young = 1e6, .density = 1100});
}
/// Steps of a rod of so many elements of the same length as its radius.
inline void step_floor_of_rubber(benchmark::State& state, int elements) {
  const auto section = rubber_section();
  const auto k = section.stiffness_diagonal();
  const auto j = section.inertia();
  floor_rod::Rod rod(elements, rubber_radius, j.mass, j.rotary[0], k[0], k[2], k[3], k[5]);
  for (auto _ : state) {
    rod.step(1e-5);
    benchmark::DoNotOptimize(rod.column(0));
    benchmark::ClobberMemory();
  }
}

}  // namespace bench
