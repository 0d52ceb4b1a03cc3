#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <vector>

#include <dalembert/contact/touches.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/thread_team.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "rubber_rod.hpp"

/// One Verlet step of rods that touch rods: pairs that lie across each other, each pressed alone; towers of
/// eight rods on a plane; a comb, one rod pressed across many; a strand, a rod that lies along the groove
/// between two others on a plane; and a heap at rest, of rods that were thrown into a box, which is one
/// cluster. The same rods without contacts are beside each: what a contact costs is the difference by their
/// number, in steps of a node of the `floor_of_the_machine`. And eight woodpiles with one thread and with two:
/// read the real time.
namespace {

using namespace dalembert;
using contact::Touching;
using V = Vec<double, 3>;

constexpr double radius = bench::rubber_radius;

/// A rod of elements `per_radius` radii long, pulled down with `gravity`.
rod::ElasticRod<> rubber(int elements, double gravity, double per_radius = 1) {
  return rod::ElasticRod<>(bench::rubber_section(), {.elements = elements,
                                                     .length = per_radius * radius * elements,
                                                     .loads = {.gravity = {0, 0, -gravity}},
                                                     .damping = {.rate = 30}});
}
/// Rods, and where they lie.
struct Rods {
  std::vector<rod::ElasticRod<>> rods{};
  std::vector<rod::Chain<>> chains{};

  void add(const rod::ElasticRod<>& rod, const V& middle, const V& along) {
    rods.push_back(rod);
    chains.push_back(rod.straight(middle - rod.length() / 2 * along, {.direction = along}));
  }
};
void count(benchmark::State& state, const char* name, std::size_t things) {
  state.counters[name] =
      benchmark::Counter(static_cast<double>(things) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
/// Steps of what lies still after some, by contact, with `method`.
template <class Method = Verlet>
void run(benchmark::State& state, const Rods& r, Touching<> what, bool touch, const Method& method = {}) {
  const assembly::Assembly together{r.rods, what};
  auto x = together.state(r.chains);
  const auto step = [&](const auto& problem, auto& stepper) {
    if (!stepper.step(problem, x, 1e-5).converged) state.SkipWithError("a step did not converge");
  };
  auto stepper = method.stepper(together, x);
  for (int i = 0; i < 20; ++i) step(together, stepper);
  const std::size_t contacts = contact::touches(together, x).size();
  step(together, stepper);  // which finds in a cache what that one pushed out
  if (touch) {
    for (auto _ : state) step(together, stepper);
  } else {
    const assembly::Assembly alone{r.rods};
    auto steps_alone = Verlet{}.stepper(alone, x);
    for (auto _ : state) step(alone, steps_alone);
  }
  state.counters["contacts"] = static_cast<double>(contacts);
  count(state, "ns_per_contact", contacts);
}

/// Pairs of rods across each other, each far from the others.
void crossings(benchmark::State& state, bool touch) {
  const auto down = rubber(8, 9.81), up = rubber(8, -9.81);
  Rods r;
  for (std::size_t i = 0; i < static_cast<std::size_t>(state.range(0)); ++i) {
    const V at(static_cast<double>(i % 100), static_cast<double>(i / 100), 0),
        off(0.3 * radius, 0.2 * radius, 0);
    r.add(up, at + off, {1, 0, 0});
    r.add(down, at + V(0, 0, 2 * radius), {0, 1, 0});
  }
  run(state, r, {.friction = 0.4}, touch);
}
/// Four layers of so many rods, so far apart, each layer across the one below, on a plane.
void pile(Rods& r, const rod::ElasticRod<>& rod, int in_layer, double apart, const V& foot) {
  for (int layer = 0; layer < 4; ++layer)
    for (int i = 0; i < in_layer; ++i) {
      const double side = apart * (i - 0.5 * (in_layer - 1)), up = (1 + 2 * layer) * radius;
      const bool across = layer % 2 != 0;
      r.add(rod, foot + (across ? V(side, 0, up) : V(0, side, up)), across ? V(0, 1, 0) : V(1, 0, 0));
    }
}
/// Towers of two rods in a layer, each far from the others: twelve contacts of rods, and those of nodes with
/// the plane.
void towers(benchmark::State& state, bool touch) {
  Rods r;
  for (std::size_t i = 0; i < static_cast<std::size_t>(state.range(0)); ++i)
    pile(r, rubber(8, 9.81), 2, 4 * radius, V(static_cast<double>(i % 100), static_cast<double>(i / 100), 0));
  run(state, r, {.friction = 0.4, .planes = {contact::Plane<>{}}}, touch);
}
/// Eight piles of four rods in a layer, by threads.
void woodpiles(benchmark::State& state) {
  Rods r;
  for (int i = 0; i < 8; ++i) pile(r, rubber(50, 9.81), 4, 12 * radius, V(i, 0, 0));
  run(state, r, {.friction = 0.4, .planes = {contact::Plane<>{}}}, true,
      ThreadedVerlet{.threads = static_cast<unsigned>(state.range(0))});
}
/// A rod pressed across many, four radii apart.
void comb(benchmark::State& state, bool touch) {
  const int teeth = static_cast<int>(state.range(0));
  Rods r;
  r.add(rubber(4 * teeth, 9.81), {0, 0, 2 * radius}, {1, 0, 0});
  for (int i = 0; i < teeth; ++i)
    r.add(rubber(4, -9.81), {4 * radius * (i - 0.5 * (teeth - 1)) + 0.3 * radius, 0.2 * radius, 0},
          {0, 1, 0});
  run(state, r, {.friction = 0.4}, touch);
}
/// A rod along the groove between two that lie on a plane: friction of more than tan 15° holds them.
void strand(benchmark::State& state, bool touch) {
  const auto rod = rubber(static_cast<int>(state.range(0)), 9.81);
  const V along(1, 0, 0);
  Rods r;
  r.add(rod, {0, radius, radius}, along);
  r.add(rod, {0, -radius, radius}, along);
  r.add(rod, {0, 0, radius * (1 + std::sqrt(3.0))}, along);
  run(state, r, {.friction = 0.4, .planes = {contact::Plane<>{}}}, touch);
}
/// Rods in a box of four walls.
struct Heap {
  Rods rods{};
  Touching<> what{.friction = 0.4, .planes = {contact::Plane<>{}}};
};
/// So many that were thrown there and came to rest; each number of them is thrown once.
const Heap& heap_at_rest(int count) {
  static std::map<int, Heap> heaps;
  Heap& heap = heaps[count];
  Rods& r = heap.rods;
  if (!r.rods.empty()) return heap;
  const int elements = 10;
  const double length = radius * 2 * elements;
  for (const V& normal : {V(1, 0, 0), V(-1, 0, 0), V(0, 1, 0), V(0, -1, 0)})
    heap.what.planes.push_back({.point = -0.75 * length * normal, .normal = normal});
  std::mt19937 draw(1);
  const auto number = [&] { return static_cast<double>(draw()) / 4294967296.0 - 0.5; };
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::acos(-1.0) * number();
    const V along = V(std::cos(angle), std::sin(angle), 0.2 * number()).normalized();
    r.add(rubber(elements, 9.81, 2), {0, 0, radius + 0.1 * length + i * (0.1 * length + 2.5 * radius)},
          along);
  }
  const assembly::Assembly falling{r.rods, heap.what};
  auto x = falling.state(r.chains);
  auto stepper = Verlet{}.stepper(falling, x);
  while (x.time < 3) (void)stepper.step(falling, x, 2e-4);
  r.chains = x.chains;
  return heap;
}
void heap(benchmark::State& state, bool touch) {
  const Heap& at_rest = heap_at_rest(static_cast<int>(state.range(0)));
  run(state, at_rest.rods, at_rest.what, touch);
}
void floor_of_the_machine(benchmark::State& state) {
  const int elements = static_cast<int>(state.range(0));
  bench::step_floor_of_rubber(state, elements);
  count(state, "ns_per_node_step", static_cast<std::size_t>(elements) + 1);
}

BENCHMARK(floor_of_the_machine)->Arg(200);
BENCHMARK_CAPTURE(crossings, that_touch, true)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(crossings, alone, false)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(towers, that_touch, true)->Arg(1)->Arg(10)->Arg(100)->Arg(400);
BENCHMARK_CAPTURE(towers, alone, false)->Arg(1)->Arg(10)->Arg(100)->Arg(400);
BENCHMARK_CAPTURE(comb, that_touches, true)->Arg(3)->Arg(12)->Arg(30)->Arg(100)->Arg(300);
BENCHMARK_CAPTURE(comb, alone, false)->Arg(3)->Arg(12)->Arg(30)->Arg(100)->Arg(300);
BENCHMARK_CAPTURE(strand, that_touches, true)->Arg(10)->Arg(30)->Arg(100);
BENCHMARK_CAPTURE(strand, alone, false)->Arg(10)->Arg(30)->Arg(100);
BENCHMARK_CAPTURE(heap, that_rests, true)->Arg(8)->Arg(25);
BENCHMARK_CAPTURE(heap, alone, false)->Arg(8)->Arg(25);

BENCHMARK(woodpiles)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
