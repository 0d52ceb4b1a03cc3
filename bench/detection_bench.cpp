#include <benchmark/benchmark.h>

#include <vector>

#include <dalembert/contact/places.hpp>
#include <dalembert/systems/woven_net.hpp>

/// A search for all places at which rods of a woven net are near each other, of n rods each way and n² places; its cost per node should not depend on n.
namespace {

using namespace dalembert;

void woven_net(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const systems::WovenNetParameters<double> p{.rods = n, .elements = 14 * (n + 1)};
  const auto net = systems::woven_net(p);
  std::vector<contact::Tube<double>> tubes;
  for (std::size_t i = 0; i < net.rods.size(); ++i)
    tubes.push_back(contact::Tube<double>::of_rod(i, net.rods[i], p.radius, p.kernel_width));
  contact::PlaceSearch<double> search(tubes, {.tolerance = p.radius});
  std::size_t found = 0;
  for (auto _ : state) found = search(net.chains).size();
  if (found != net.crossings.size()) state.SkipWithError("a place was not found");
  const double nodes = static_cast<double>(net.rods.size()) * (p.elements + 1);
  state.counters["ns_per_node"] = benchmark::Counter(
      nodes * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["ns_per_place"] =
      benchmark::Counter(static_cast<double>(found) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(woven_net)->Arg(2)->Arg(6)->Arg(20)->Arg(60);

}  // namespace

BENCHMARK_MAIN();
