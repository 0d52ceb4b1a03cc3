#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/overlap.hpp>
#include <dalembert/contact/places.hpp>
#include <dalembert/systems/woven_net.hpp>

/// Searches whose cost per node, or body, should not depend on how many there are: for all places at which rods of a
/// woven net are near each other, of n rods each way and n² places; for those of small balls, among which one is large;
/// and for overlaps of linked bodies, each of which a joint keeps. A thousand bodies fit into caches that thirty thousand do
/// not: `from_memory` begins each search with caches full of other numbers, so that what is left is the growth of the work.
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

using Body = assembly::RigidBody<double>;
using Tube = contact::Tube<double>;

void count(benchmark::State& state, std::size_t bodies) {
  state.counters["ns_per_body"] =
      benchmark::Counter(static_cast<double>(bodies) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

enum class Data { cached, from_memory };

/// Time one search after another.
template <class F>
void search_again(benchmark::State& state, Data data, const F& search) {
  std::vector<char> others(data == Data::from_memory ? std::size_t{1} << 27 : 0);
  for (auto _ : state) {
    if (data == Data::from_memory) {
      state.PauseTiming();
      for (std::size_t i = 0; i < others.size(); i += 64) ++others[i];
      benchmark::DoNotOptimize(others.data());
      state.ResumeTiming();
    }
    search();
  }
}

/// Balls of 10 mm, 30 mm apart in a cube, and one of 1 m beside them, or another of their size.
void balls(benchmark::State& state, double largest, Data data) {
  const auto side = static_cast<std::size_t>(state.range(0)), small = side * side * side;
  const Body body{{.mass = 1, .inertia = {1, 1, 1}}};
  std::vector<rod::Chain<double>> chains;
  std::vector<Tube> tubes;
  for (std::size_t i = 0; i < small; ++i) {
    chains.push_back(
        body.at({0.03 * static_cast<double>(i % side), 0.03 * static_cast<double>(i / side % side),
                 0.03 * static_cast<double>(i / side / side)}));
    tubes.push_back(Tube::ball(i, 0.01));
  }
  chains.push_back(body.at({0, 0, -0.02 - largest}));
  tubes.push_back(Tube::ball(small, largest));
  contact::PlaceSearch<double> search(tubes, {.tolerance = 1e-3});
  search_again(state, data, [&] {
    if (!search(chains).empty()) state.SkipWithError("a place was found");
  });
  count(state, small + 1);
}
BENCHMARK_CAPTURE(balls, of_one_size, 0.01, Data::cached)->Arg(10)->Arg(18)->Arg(32);
BENCHMARK_CAPTURE(balls, of_one_size_from_memory, 0.01, Data::from_memory)->Arg(10)->Arg(18)->Arg(32);
BENCHMARK_CAPTURE(balls, one_large, 1.0, Data::cached)->Arg(10)->Arg(18)->Arg(32);
BENCHMARK_CAPTURE(balls, one_large_from_memory, 1.0, Data::from_memory)->Arg(10)->Arg(18)->Arg(32);

/// Balls in a row that overlap, each in a joint with the next.
void linked(benchmark::State& state, Data data) {
  const auto bodies = static_cast<std::size_t>(state.range(0));
  const Body body{{.mass = 1, .inertia = {1, 1, 1}}};
  std::vector<assembly::SphericalJoint<double>> joints;
  std::vector<Tube> tubes;
  assembly::State<double> x;
  for (std::size_t i = 0; i < bodies; ++i) {
    if (i > 0) joints.push_back({{i - 1, 0, {0.01, 0, 0}}, {i, 0, {-0.01, 0, 0}}});
    tubes.push_back(Tube::ball(i, 0.011));
    x.chains.push_back(body.at({0.02 * static_cast<double>(i), 0, 0}));
  }
  const assembly::Assembly problem{assembly::bodies(std::vector(bodies, body)),
                                   assembly::constraints(joints)};
  contact::OverlapCheck<double> check(tubes);
  search_again(state, data, [&] { check.look(problem, x); });
  count(state, bodies);
}
BENCHMARK_CAPTURE(linked, cached, Data::cached)->Arg(1000)->Arg(3200)->Arg(10000)->Arg(32000);
BENCHMARK_CAPTURE(linked, from_memory, Data::from_memory)->Arg(1000)->Arg(3200)->Arg(10000)->Arg(32000);

}  // namespace

BENCHMARK_MAIN();
