#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/contact/rolling_contact.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/systems/ply.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "numbers.hpp"

/// One Verlet step of assemblies: two rods in rolling contact, rods on a plane, and pairs of crossing rods, and a ply, with many contacts, whose cost
/// is that of the step less that of the same rods without contacts.
namespace {

using namespace dalembert;
using Rod = rod::ElasticRod<double>;
using RollingContact = contact::RollingContact<double>;

constexpr double step = 2e-5;

/// Steps a copy of the start over and over, for at most 0.02 s of motion each.
template <class Problem>
void run(benchmark::State& state, const Problem& problem, const typename Problem::State& start,
         double contacts) {
  auto x = start;
  auto stepper = Verlet{}.stepper(problem, x);
  for (auto _ : state) {
    if (!stepper.step(problem, x, step).converged) state.SkipWithError("a step did not converge");
    if (x.time > 0.02) {
      state.PauseTiming();
      bench::check_chains(state, x.chains);
      x = start;
      stepper.reset();
      state.ResumeTiming();
    }
  }
  if (contacts > 0)
    state.counters["ns_per_contact"] = benchmark::Counter(
        contacts * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Two rods that are hooked into each other and struck.
struct Hooked {
  systems::RollingRodsParameters<double> p;
  systems::RollingRodsStart<double, contact::CubicSpline> start = systems::static_start(p);

  auto state() const {
    auto x = start.state;
    systems::set_initial_velocity(start.problem(), x, p);
    return x;
  }
  RollingContact crossing(std::size_t first) const {
    RollingContact c = start.crossing;
    c.first.body = first;
    c.second.body = first + 1;
    return c;
  }
};

/// So many pairs, each in contact or not.
template <bool in_contact>
void pairs(benchmark::State& state, int elements, std::size_t count) {
  const Hooked hooked{{.elements = elements}};
  const auto one = hooked.state();
  std::vector<Rod> rods;
  std::vector<rod::Chain<double>> chains;
  std::vector<RollingContact> crossings;
  Vec<double, Eigen::Dynamic> s(in_contact ? static_cast<Eigen::Index>(2 * count) : 0);
  for (std::size_t i = 0; i < count; ++i) {
    crossings.push_back(hooked.crossing(2 * i));
    for (std::size_t side = 0; side < 2; ++side) {
      rods.push_back(hooked.start.rods[side]);
      chains.push_back(one[side]);
      if (in_contact) s[static_cast<Eigen::Index>(2 * i + side)] = one.z[static_cast<Eigen::Index>(side)];
    }
  }
  if constexpr (in_contact) {
    const assembly::Assembly problem{assembly::bodies(rods), assembly::constraints(crossings)};
    run(state, problem, problem.state(chains, s), static_cast<double>(count));
  } else {
    const assembly::Assembly problem{assembly::bodies(rods)};
    run(state, problem, problem.state(chains), static_cast<double>(count));
  }
}

void two_rods(benchmark::State& state) { pairs<true>(state, static_cast<int>(state.range(0)), 1); }
void two_rods_apart(benchmark::State& state) { pairs<false>(state, static_cast<int>(state.range(0)), 1); }
void crossings(benchmark::State& state) { pairs<true>(state, 20, static_cast<std::size_t>(state.range(0))); }
void crossings_apart(benchmark::State& state) {
  pairs<false>(state, 20, static_cast<std::size_t>(state.range(0)));
}

/// A rod that rolls on a plane, with a contact at each node, or glides freely.
template <bool in_contact>
void rod_on_plane(benchmark::State& state) {
  const Hooked hooked{{.elements = static_cast<int>(state.range(0))}};
  auto p = hooked.start.rods[0].parameters();
  p.start = p.finish = rod::Boundary<double>::free();
  p.loads.gravity = {0, 0, -9.81};
  const Rod one(hooked.start.rods[0].material(), p);
  auto chain = one.straight({0, 0, 0.005}, SO3<double>::exp(Vec<double, 3>(0, M_PI / 2, 0)));
  std::vector<contact::RollingOnPlane<double>> contacts;
  for (Eigen::Index k = 0; k < one.nodes(); ++k) contacts.push_back({{0, k}, 0.005});
  if constexpr (in_contact) {
    const assembly::Assembly problem{assembly::bodies(one), assembly::constraints(contacts)};
    run(state, problem, problem.state({chain}), static_cast<double>(one.nodes()));
  } else {
    const assembly::Assembly problem{one};
    run(state, problem, problem.state({chain}), static_cast<double>(one.nodes()));
  }
}

/// Two rods wound around each other that roll on each other at so many nodes, or rest apart.
template <bool in_contact>
void ply(benchmark::State& state) {
  const auto stations = static_cast<int>(state.range(0));
  const auto made = systems::ply<contact::RollingStation>(
      systems::PlyParameters<double>{.elements = stations + 5, .turns = (stations + 5) / 40.0});
  if constexpr (in_contact) {
    const auto problem = made.problem();
    run(state, problem, problem.state(made.chains, made.stations.nearest), stations);
  } else {
    const assembly::Assembly problem{assembly::bodies(made.rods)};
    run(state, problem, problem.state(made.chains), stations);
  }
}

/// Pendulums on one heavy body, which is free or joined to space, each a row of so many links.
template <bool held, int links>
void pendulums(benchmark::State& state) {
  using Body = assembly::RigidBody<double>;
  using Joint = assembly::SphericalJoint<double>;
  using V = Vec<double, 3>;
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto body = [](double m) {
    return Body({.mass = m, .inertia = {m, m, m}, .gravity = {0, 0, -9.81}});
  };
  std::vector<Body> bodies{body(100)};
  std::vector<rod::Chain<double>> chains{bodies[0].at(V(0, 0, 0))};
  std::vector<Joint> joints;
  if (held) joints.push_back({{0, 0, V(0, 0, 0.1)}, assembly::FrameMarker<double>::in_space(V(0, 0, 0.1))});
  for (std::size_t i = 0; i < n; ++i) {
    V from(std::cos(0.7 * static_cast<double>(i)), std::sin(0.7 * static_cast<double>(i)), 0);
    std::size_t above = 0;
    for (int k = 0; k < links; ++k) {
      const V middle = from - V(0, 0, 0.25);
      bodies.push_back(body(0.1));
      chains.push_back(bodies.back().at(middle));
      joints.push_back({{bodies.size() - 1, 0, V(0, 0, 0.25)}, {above, 0, k == 0 ? from : V(0, 0, -0.25)}});
      above = bodies.size() - 1;
      from = middle - V(0, 0, 0.25);
    }
  }
  const assembly::Assembly problem{assembly::bodies(bodies), assembly::constraints(joints)};
  run(state, problem, problem.state(chains), static_cast<double>(n * links));
}

void many(benchmark::internal::Benchmark* b) {
  for (const int n : {25, 50, 100, 200, 400, 800}) b->Arg(n);
}
void sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {50, 100, 200, 400}) b->Arg(n);
}
void numbers(benchmark::internal::Benchmark* b) {
  for (const int n : {1, 16, 256, 4096}) b->Arg(n);
}
void stations(benchmark::internal::Benchmark* b) {
  for (const int n : {100, 400, 2000}) b->Arg(n);
}
BENCHMARK(two_rods)->Apply(sizes);
BENCHMARK(two_rods_apart)->Apply(sizes);
BENCHMARK(crossings)->Apply(numbers);
BENCHMARK(crossings_apart)->Apply(numbers);
BENCHMARK(rod_on_plane<true>)->Apply(sizes);
BENCHMARK(rod_on_plane<false>)->Apply(sizes);
BENCHMARK(ply<true>)->Apply(stations);
BENCHMARK(ply<false>)->Apply(stations);
BENCHMARK((pendulums<false, 1>))->Apply(many);
BENCHMARK((pendulums<true, 1>))->Apply(many);
BENCHMARK((pendulums<true, 3>))->Apply(many);

}  // namespace

BENCHMARK_MAIN();
