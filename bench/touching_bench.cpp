#include <benchmark/benchmark.h>

#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/thread_team.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>

#include "rubber_rod.hpp"

/// One Verlet step of what touches: a rod of N elements that lies or slides on a plane, in a tube that
/// turns, or hangs high above, and balls in columns of five, also by two threads, or flying. What a contact adds is the
/// difference to the rod that touches nothing.
namespace {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Touching;

void count(benchmark::State& state, Eigen::Index nodes) {
  state.counters["ns_per_node_step"] =
      benchmark::Counter(static_cast<double>(nodes) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
template <class Problem, class Method = Verlet>
void run(benchmark::State& state, const Problem& problem, const State<>& start, double step,
         Eigen::Index nodes, const Method& method = {}) {
  auto x = start;
  auto stepper = method.stepper(problem, x);
  for (auto _ : state)
    if (!stepper.step(problem, x, step).converged) state.SkipWithError("a step did not converge");
  count(state, nodes);
}

rod::ElasticRod<> rubber(Eigen::Index elements) {
  return rod::ElasticRod<>(bench::rubber_section(), {.elements = static_cast<int>(elements),
                                                     .length = 0.01 * static_cast<double>(elements),
                                                     .loads = {.gravity = {0, 0, -9.81}}});
}
void rod_at(benchmark::State& state, double height, double plane_velocity = 0) {
  const auto rod = rubber(state.range(0));
  const Assembly problem{
      rod, Touching<>{.friction = 0.4, .planes = {contact::Plane<>{.velocity = {0, plane_velocity, 0}}}}};
  const auto start = problem.state({rod.straight({0, 0, height}, {.direction = {1, 0, 0}})});
  run(state, problem, start, 1e-5, rod.nodes());
}
void rod_on_plane(benchmark::State& state) { rod_at(state, 0.01); }
void rod_sliding_on_plane(benchmark::State& state) { rod_at(state, 0.01, 1e4); }
void rod_in_tube(benchmark::State& state) {
  const auto rod = rubber(state.range(0));
  Touching<> what{.friction = 0.4};
  what.drums.push_back({.surface = {.radius = 0.05, .axis = {1, 0, 0}}, .inside = true});
  what.drums.back().angular_velocity = {1, 0, 0};
  const Assembly problem{rod, what};
  run(state, problem, problem.state({rod.straight({0, 0, -0.04}, {.direction = {1, 0, 0}})}), 1e-5,
      rod.nodes());
}
void rod_above_plane(benchmark::State& state) { rod_at(state, 1e6); }
void rod_without_plane(benchmark::State& state) {
  const auto rod = rubber(state.range(0));
  const Assembly problem{rod};
  run(state, problem, problem.state({rod.straight({0, 0, 1e6}, {.direction = {1, 0, 0}})}), 1e-5,
      rod.nodes());
}
void floor_of_the_machine(benchmark::State& state) {
  const int elements = static_cast<int>(state.range(0));
  bench::step_floor_of_rubber(state, elements);
  count(state, elements + 1);
}

/// Balls in columns of five, or each by itself in the air.
template <class Method = Verlet>
void balls(benchmark::State& state, bool columns, const Method& method = {}) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const double a = 0.1, m = 1, j = 0.4 * m * a * a;
  const RigidBody<> ball{{.mass = m, .inertia = {j, j, j}, .gravity = {0, 0, -9.81}}};
  const auto all = bodies(std::vector(n, ball));
  const auto [handles] = all.handles();
  Touching<> what{.friction = 0.4, .planes = {contact::Plane<>{}}};
  std::vector<rod::Chain<>> chains;
  for (std::size_t i = 0; i < n; ++i) {
    what.balls.push_back({frame(handles[i]), a});
    const double column = static_cast<double>(columns ? i / 5 : i),
                 place = columns ? static_cast<double>(i % 5) : 1e9;
    chains.push_back(ball.at({column, 0, a + 2 * a * place}));
  }
  const Assembly problem{all, what};
  run(state, problem, problem.state(chains), 1e-4, state.range(0), method);
}
/// What is not due to contacts: the same in the air, where nothing may touch.
void balls_that_touch_nothing(benchmark::State& state) {
  const RigidBody<> ball{{.mass = 1, .inertia = {0.004, 0.004, 0.004}, .gravity = {0, 0, -9.81}}};
  const auto n = static_cast<std::size_t>(state.range(0));
  const Assembly problem{std::vector(n, ball)};
  std::vector<rod::Chain<>> chains;
  for (std::size_t i = 0; i < n; ++i) chains.push_back(ball.at({static_cast<double>(i), 0, 2e8}));
  run(state, problem, problem.state(chains), 1e-4, state.range(0));
}
void balls_in_columns(benchmark::State& state) { balls(state, true); }
void balls_in_columns_by_two(benchmark::State& state) { balls(state, true, ThreadedVerlet{2}); }
void balls_in_the_air(benchmark::State& state) { balls(state, false); }

BENCHMARK(rod_on_plane)->Arg(50)->Arg(200)->Arg(1000);
BENCHMARK(rod_sliding_on_plane)->Arg(200);
BENCHMARK(rod_in_tube)->Arg(200);
BENCHMARK(rod_above_plane)->Arg(50)->Arg(200)->Arg(1000);
BENCHMARK(rod_without_plane)->Arg(50)->Arg(200)->Arg(1000);
BENCHMARK(floor_of_the_machine)->Arg(50)->Arg(200)->Arg(1000);
BENCHMARK(balls_in_columns)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(balls_in_columns_by_two)->Arg(10000)->UseRealTime();
BENCHMARK(balls_that_touch_nothing)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK(balls_in_the_air)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

}  // namespace

BENCHMARK_MAIN();
