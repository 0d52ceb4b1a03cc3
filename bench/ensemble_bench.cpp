// Ensembles:
//   sleighs               ten thousand sleighs in lanes, a hundred steps each, over one and two threads; label: the hash of all numbers,
//                         which must be the same for both
//   rods                  a hundred rods of 40 elements that fly off, two hundred steps each, likewise
//   plain_loop, short_members   a million members of some ten microseconds, in a loop and as an ensemble with a file; read the ratio
//   handing_out           members that do nothing, handed out one by one and appended to a file: the time of one is what that costs
// Read the real time.

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/ensemble/run_ensemble.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/io/state_hash.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/rod.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

namespace {

using namespace dalembert;

/// A number in (−1, 1) from a seed.
double number(std::uint64_t seed) { return static_cast<double>(seed >> 11) * 0x1p-52 - 1; }

/// Counts the members, and shows the hash of what they returned.
void report(benchmark::State& state, const EnsembleResult& result) {
  io::NumberHash hash;
  for (const MemberRecord& each : result.members)
    for (const double value : each.values) hash.add(value);
  if (result.failed > 0) state.SkipWithError("a member failed");
  state.SetLabel(io::hash_text(hash.value()));
  state.counters["members"] = benchmark::Counter(static_cast<double>(result.members.size()),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

Threads threads(const benchmark::State& state) { return {static_cast<unsigned>(state.range(0))}; }

void sleighs(benchmark::State& state) {
  using Lanes = NativePack<double>;
  const LagrangeDAlembert lanes{systems::ChaplyginSleigh<Lanes>{{.mass = 1, .inertia = 1, .offset = 0.5}}};
  using Member = MemberState<decltype(lanes)::State>;
  const auto member = [&](MemberBlock& block) {
    std::vector<Member> states;
    for (std::size_t i = 0; i < block.size(); ++i)
      states.push_back({.xi = {number(block[i].seed()), 0, number(member_seed(block[i].seed(), 0))}});
    run_batch(RungeKutta4{}, lanes, states, {.step = 0.01, .steps = 100});
    for (std::size_t i = 0; i < block.size(); ++i) block.values(i)[0] = states[i].g.angle();
  };
  EnsembleResult result;
  for (auto _ : state)
    result = run_ensemble(10000, member, {.names = {"heading"}, .seed = 1}, threads(state));
  report(state, result);
}

void rods(benchmark::State& state) {
  constexpr int elements = 40;
  constexpr double length = 1;
  const rod::CircularSection<double> rubber(
      {.radius = 0.005, .young = 1e6, .poisson = 0.49, .density = 1100.0});
  rod::ElasticRod<double>::Parameters p;
  p.elements = elements;
  p.length = length;
  p.inertia = rubber.inertia();
  const rod::ElasticRod<double> one(rod::LinearElastic<double>(rubber.stiffness_diagonal()), p);
  const assembly::Assembly problem{one};
  const auto member = [&](MemberContext& context) {
    auto chain = one.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
    for (int k = 0; k <= elements; ++k)
      chain.set_velocity(k, {number(context.seed()) * k / elements, 0, 0.1}, {0, 0, 1.0});
    auto x = problem.state(std::vector{chain});
    auto stepper = Verlet{}.stepper(problem, x);
    for (int i = 0; i < 200; ++i) (void)stepper.step(problem, x, 2e-4);
    const auto hash = io::state_hash(x);
    return std::array{static_cast<double>(hash >> 32), static_cast<double>(hash & 0xffffffffU)};
  };
  EnsembleResult result;
  for (auto _ : state)
    result = run_ensemble(100, member, {.names = {"upper half", "lower half"}, .seed = 1}, threads(state));
  report(state, result);
}

/// Some ten microseconds of work, of one member at a time: a loop over many would be put into lanes.
[[gnu::noinline]] double work(std::uint64_t seed) {
  double x = number(seed);
  for (int i = 0; i < 2500; ++i) x = x * x - 1.5 + 1e-3 * x;
  return x;
}

constexpr std::size_t many = 1'000'000;

void plain_loop(benchmark::State& state) {
  std::vector<double> values(many);
  for (auto _ : state) {
    for (std::size_t i = 0; i < many; ++i) values[i] = work(member_seed(1, i));
    benchmark::DoNotOptimize(values.data());
  }
}

/// A file of an ensemble, removed at the end.
struct TemporaryFile {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "dalembert_ensemble_bench.runs";
  TemporaryFile() { std::filesystem::remove(path); }
  ~TemporaryFile() { std::filesystem::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
};

void short_members(benchmark::State& state) {
  for (auto _ : state) {
    const TemporaryFile file;
    const auto result = run_ensemble(many, [](std::uint64_t, std::uint64_t seed) { return work(seed); },
                                     {.names = {"x"}, .seed = 1, .file = file.path});
    benchmark::DoNotOptimize(result.members.data());
  }
}

void handing_out(benchmark::State& state) {
  constexpr std::size_t count = 20000;
  for (auto _ : state) {
    const TemporaryFile file;
    (void)run_ensemble(
        count, [](std::uint64_t index, std::uint64_t) { return static_cast<double>(index); },
        {.names = {"index"}, .file = file.path, .block = 1}, threads(state));
  }
  state.counters["one"] =
      benchmark::Counter(static_cast<double>(count),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(sleighs)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(rods)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(plain_loop)->Iterations(1)->Repetitions(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(short_members)->Iterations(1)->Repetitions(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(handing_out)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
