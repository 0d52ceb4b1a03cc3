#include <dalembert/integrate/verlet.hpp>

#include <cmath>
#include <type_traits>
#include <utility>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/systems/rolling_rods.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/pendulum.hpp"

namespace verlet_test {

using namespace dalembert;

auto rolling_rods() {
  const systems::RollingRodsParameters<double> p{.elements = 60, .kernel_width = 0.02};
  const auto start = systems::static_start(p);
  auto problem = start.problem();
  auto state = start.state;
  systems::set_initial_velocity(problem, state, p);
  return std::pair(problem, state);
}

TEST_CASE("Verlet does not allocate in a step") {
  auto rods = rolling_rods();
  const auto& problem = rods.first;
  auto& state = rods.second;
  auto stepper = Verlet{}.stepper(problem, state);
  REQUIRE(stepper.step(problem, state, 1e-4).converged);
  bool converged = true;
  const long allocations = test::allocations_during([&] {
    for (int i = 0; i < 100; ++i) converged = converged && stepper.step(problem, state, 1e-4).converged;
  });
  CHECK(converged);
  CHECK(allocations == 0);
}

TEST_CASE("Verlet leaves the state as it was if a step fails") {
  auto rods = rolling_rods();
  const auto& problem = rods.first;
  auto& state = rods.second;
  auto stepper = Verlet{}.stepper(problem, state);
  for (int i = 0; i < 10; ++i) REQUIRE(stepper.step(problem, state, 1e-4).converged);
  const auto before = state;
  CHECK_THROWS_AS((void)stepper.step(problem, state, 1.0), InvalidState);
  CHECK(state.time == before.time);
  for (std::size_t i : {0u, 1u}) {
    CHECK((state[i].configuration == before[i].configuration).all());
    CHECK((state[i].velocity == before[i].velocity).all());
  }
  // It goes on from there.
  CHECK(stepper.step(problem, state, 1e-4).converged);
}

/// A pendulum that can be told that its step fails at the very end.
struct SplitPendulum : test::Pendulum {
  struct NodeLoads {
    double force = 0;
  };
  bool fails = false;
  NodeLoads make_loads() const { return {}; }
  void locate(const State&, NodeLoads&) const {}
  void loads(const State& at, NodeLoads& out) const { out.force = -stiffness * std::sin(at.q); }
  void add_constraint_forces(State& state, NodeLoads&) const {
    if (fails) throw ContactOpened("told to fail", state.time);
  }
  void kick(State& state, const NodeLoads& given, double h) const { state.v += h * given.force; }
  void kick_drift(const State& at, const NodeLoads& given, double kick, double h, State& out) const {
    out.time = at.time + h;
    out.v = at.v + kick * given.force;
    out.q = at.q + h * out.v;
  }
  Projection<double> project_position(State&, double, NodeLoads&) const { return {}; }
  Projection<double> finish_step(State& state, NodeLoads& loads) const {
    add_constraint_forces(state, loads);
    return {};
  }
};

TEST_CASE("Verlet goes on after a step that failed as if it had not been tried", "[verlet]") {
  SplitPendulum problem;
  SplitPendulum::State state{.q = 1};
  auto stepper = Verlet{}.stepper(problem, state);
  for (int i = 0; i < 3; ++i) REQUIRE(stepper.step(problem, state, 0.1).converged);
  auto untroubled = state;
  auto other = Verlet{}.stepper(problem, untroubled);
  const auto before = state;
  problem.fails = true;
  CHECK_THROWS_AS((void)stepper.step(problem, state, 0.5), ContactOpened);
  CHECK(state == before);
  problem.fails = false;
  REQUIRE(stepper.step(problem, state, 0.1).converged);
  REQUIRE(other.step(problem, untroubled, 0.1).converged);
  CHECK(state == untroubled);
}

/// A rod that is thrown as it bends.
auto thrown_rod() {
  rod::ElasticRod<double>::Parameters p;
  p.elements = 12;
  p.length = 1.0;
  const rod::CircularSection<double> section(
      {.radius = 0.01, .young = 1e6, .poisson = 0.4, .density = 1000.0});
  p.inertia = section.inertia();
  const rod::ElasticRod<double> rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  auto chain = rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = 0; k <= 12; ++k)
    chain.set_velocity(k, {1 + std::cos(0.5 * k), 0.3 * std::sin(0.4 * k), 0.2}, {0.1, 2.0, 3.0});
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  return std::pair(problem, problem.state({chain}));
}

TEST_CASE("an event along a rod under Verlet is where Verlet steps to from the step's beginning",
          "[verlet][events]") {
  const auto [problem, start] = thrown_rod();
  using P = std::remove_cvref_t<decltype(problem)>;
  const double h = 2e-4;
  const Event<P> event{.name = "tip", .value = [](const P&, const P::State& at) {
                         const Vec<double, 3> tip = at[0].position(12);
                         return tip[0] - 0.0011;
                       }};
  auto state = start;
  const auto report = drive(Verlet{}, problem, state, {.step = h, .until = 1e-3, .events = {event}});
  REQUIRE(report.hits.size() == 1);
  const auto& hit = report.hits.front().state;
  CHECK(std::abs(event.value(problem, hit)) < 1e-15);

  // Steps to the node before the event, then from there to the event at once.
  auto node = start;
  auto stepper = Verlet{}.stepper(problem, node);
  while (node.time + h < hit.time) REQUIRE(stepper.step(problem, node, h).converged);
  const auto begin = node;
  stepper.reset();
  REQUIRE(stepper.step(problem, node, hit.time - begin.time).converged);
  CHECK(hit.time - begin.time > 0.1 * h);
  CHECK((node[0].configuration - hit[0].configuration).abs().maxCoeff() < 1e-13);
  CHECK((node[0].velocity - hit[0].velocity).abs().maxCoeff() < 1e-11);

  // Whoever locates an event with the stepper of the run goes on undisturbed.
  auto end = begin, again = begin;
  stepper.reset();
  REQUIRE(stepper.step(problem, end, h).converged);
  again = end;
  const auto found =
      locate(event, problem, stepper, begin, end, event.value(problem, begin), event.value(problem, end));
  CHECK(found.time == hit.time);
  REQUIRE(stepper.step(problem, end, h).converged);
  auto fresh = Verlet{}.stepper(problem, again);
  REQUIRE(fresh.step(problem, again, h).converged);
  CHECK((end[0].velocity == again[0].velocity).all());
}

TEST_CASE("one stepper of Verlet serves two pairs of rods in turn") {
  auto rods = rolling_rods();
  const auto& problem = rods.first;
  auto one = rods.second, other = one;
  for (auto& chain : other.chains) chain.velocity *= 0.3;
  auto one_alone = one, other_alone = other;
  auto shared = Verlet{}.stepper(problem, one);
  auto first = Verlet{}.stepper(problem, one), second = Verlet{}.stepper(problem, one);
  for (int i = 0; i < 10; ++i) {
    REQUIRE(shared.step(problem, one, 1e-4).converged);
    REQUIRE(shared.step(problem, other, 1e-4).converged);
    REQUIRE(first.step(problem, one_alone, 1e-4).converged);
    REQUIRE(second.step(problem, other_alone, 1e-4).converged);
  }
  CHECK((one[0].configuration - one_alone[0].configuration).abs().maxCoeff() < 1e-13);
  CHECK((other[1].velocity - other_alone[1].velocity).abs().maxCoeff() < 1e-10);
  std::swap(one, other);  // the same time, other rods
  REQUIRE(shared.step(problem, other, 1e-4).converged);
  REQUIRE(first.step(problem, one_alone, 1e-4).converged);
  CHECK((other[0].configuration - one_alone[0].configuration).abs().maxCoeff() < 1e-13);
}

TEST_CASE("Verlet is symmetric without constraints") {
  rod::ElasticRod<double>::Parameters p;
  p.elements = 20;
  p.length = 1.0;
  const rod::CircularSection<double> section(
      {.radius = 0.01, .young = 1e6, .poisson = 0.4, .density = 1000.0});
  p.inertia = section.inertia();
  const rod::ElasticRod<double> rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  auto chain = rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = 0; k <= 20; ++k)
    chain.set_velocity(k, {std::sin(0.3 * k), std::cos(0.2 * k), 0.2},
                       {5 * std::sin(0.1 * k), 3.0, 4 * std::cos(0.3 * k)});
  auto state = problem.state({chain});
  auto stepper = Verlet{}.stepper(problem, state);
  for (int i = 0; i < 200; ++i) REQUIRE(stepper.step(problem, state, 1e-4).converged);
  CHECK((state[0].configuration - chain.configuration).abs().maxCoeff() > 1e-3);
  state[0].velocity *= -1;
  stepper.reset();
  for (int i = 0; i < 200; ++i) REQUIRE(stepper.step(problem, state, 1e-4).converged);
  CHECK((state[0].configuration - chain.configuration).topRows(21).abs().maxCoeff() < 1e-11);
  CHECK((state[0].velocity + chain.velocity).topRows(21).abs().maxCoeff() < 1e-8);
}

TEST_CASE("Verlet spins a free asymmetric node with second order and conserves its momentum") {
  // One rigid motion: no strain, only the splitting of the rotation is at work.
  rod::ElasticRod<double>::Parameters p;
  p.elements = 2;
  p.length = 1.0;
  p.inertia = {.mass = 1.0, .rotary = {0.02, 0.05, 0.04}};
  const Vec<double, 6> soft = Vec<double, 6>::Constant(1e-12);
  const rod::ElasticRod<double> rod(rod::LinearElastic<double>(soft), p);
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  auto chain = rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = 0; k <= 2; ++k) chain.set_velocity(k, Vec<double, 3>::Zero(), {1.0, 2.0, -0.7});
  const auto end = [&](int steps) {
    auto state = problem.state({chain});
    auto stepper = Verlet{}.stepper(problem, state);
    for (int i = 0; i < steps; ++i) REQUIRE(stepper.step(problem, state, 1.0 / steps).converged);
    const Vec<double, 6> drift = momentum(rod, state[0]) - momentum(rod, chain);
    CHECK(drift.norm() < 1e-12);
    return state[0].angular_velocity(1);
  };
  const Vec<double, 3> exact = end(6400);
  const double coarse = (end(100) - exact).norm();
  const double fine = (end(200) - exact).norm();
  CHECK(std::log2(coarse / fine) > 1.9);
  CHECK(std::log2(coarse / fine) < 2.1);
}

}  // namespace verlet_test
