#pragma once

#include <cmath>
#include <iterator>

#include <benchmark/benchmark.h>

/// A motion that dies away ends in subnormal numbers, with which a processor takes a hundred times as long. Every benchmark therefore
/// begins its motion anew before that, and refuses its result if a number has become subnormal all the same, or not finite.
namespace bench {

/// Steps after which a small system begins anew.
inline constexpr long restart = 1000;

/// Refuse the result if one of the numbers is subnormal or not finite.
template <class Numbers>
void check_all(benchmark::State& state, const Numbers& numbers) {
  for (const auto x : numbers) {
    const int kind = std::fpclassify(x);
    if (kind != FP_NORMAL && kind != FP_ZERO) state.SkipWithError("a number is subnormal or not finite");
  }
}

/// The same for what has `mapped`, such as the state of a small system.
template <class At>
void check_state(benchmark::State& state, const At& at) {
  (void)at.template mapped<double>([&](double x) {
    const int kind = std::fpclassify(x);
    if (kind != FP_NORMAL && kind != FP_ZERO) state.SkipWithError("a number is subnormal or not finite");
    return x;
  });
}

/// The same for the nodes of rods.
template <class Chains>
void check_chains(benchmark::State& state, const Chains& chains) {
  for (const auto& chain : chains) {
    check_all(state, chain.configuration.topRows(chain.nodes).reshaped());
    check_all(state, chain.velocity.topRows(chain.nodes).reshaped());
  }
}

}  // namespace bench
