#include <dalembert/integrate/verlet.hpp>

#include <cmath>

#include <dalembert/systems/rolling_rods.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace verlet_test {

using namespace dalembert;

auto rolling_rods() {
  const systems::RollingRodsParameters<double> p{.elements = 60, .kernel_width = 0.02};
  const auto start = systems::static_start(p);
  auto problem = start.problem();
  auto state = problem.state(start.chains, start.equilibrium.contact);
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
    CHECK((state.rods[i].configuration == before.rods[i].configuration).all());
    CHECK((state.rods[i].velocity == before.rods[i].velocity).all());
  }
  // It goes on from there.
  CHECK(stepper.step(problem, state, 1e-4).converged);
}

TEST_CASE("Verlet is symmetric without constraints") {
  rod::ElasticRod<double>::Parameters p;
  p.elements = 20;
  p.length = 1.0;
  const rod::CircularSection<double> section(
      {.radius = 0.01, .young = 1e6, .poisson = 0.4, .density = 1000.0});
  p.inertia = section.inertia();
  const rod::ElasticRod<double> rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  const rod::RodProblem problem(std::vector{rod});
  auto chain = rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = 0; k <= 20; ++k)
    chain.set_velocity(k, {std::sin(0.3 * k), std::cos(0.2 * k), 0.2},
                       {5 * std::sin(0.1 * k), 3.0, 4 * std::cos(0.3 * k)});
  auto state = problem.state({chain});
  auto stepper = Verlet{}.stepper(problem, state);
  for (int i = 0; i < 200; ++i) REQUIRE(stepper.step(problem, state, 1e-4).converged);
  CHECK((state.rods[0].configuration - chain.configuration).abs().maxCoeff() > 1e-3);
  state.rods[0].velocity *= -1;
  stepper.reset();
  for (int i = 0; i < 200; ++i) REQUIRE(stepper.step(problem, state, 1e-4).converged);
  CHECK((state.rods[0].configuration - chain.configuration).topRows(21).abs().maxCoeff() < 1e-11);
  CHECK((state.rods[0].velocity + chain.velocity).topRows(21).abs().maxCoeff() < 1e-8);
}

TEST_CASE("Verlet spins a free asymmetric node with second order and conserves its momentum") {
  // One rigid motion: no strain, only the splitting of the rotation is at work.
  rod::ElasticRod<double>::Parameters p;
  p.elements = 2;
  p.length = 1.0;
  p.inertia = {.mass = 1.0, .rotary = {0.02, 0.05, 0.04}};
  const Vec<double, 6> soft = Vec<double, 6>::Constant(1e-12);
  const rod::ElasticRod<double> rod(rod::LinearElastic<double>(soft), p);
  const rod::RodProblem problem(std::vector{rod});
  auto chain = rod.straight(Vec<double, 3>::Zero(), SO3<double>::identity());
  for (int k = 0; k <= 2; ++k) chain.set_velocity(k, Vec<double, 3>::Zero(), {1.0, 2.0, -0.7});
  const auto end = [&](int steps) {
    auto state = problem.state({chain});
    auto stepper = Verlet{}.stepper(problem, state);
    for (int i = 0; i < steps; ++i) REQUIRE(stepper.step(problem, state, 1.0 / steps).converged);
    const Vec<double, 6> drift = momentum(rod, state.rods[0]) - momentum(rod, chain);
    CHECK(drift.norm() < 1e-12);
    return state.rods[0].angular_velocity(1);
  };
  const Vec<double, 3> exact = end(6400);
  const double coarse = (end(100) - exact).norm();
  const double fine = (end(200) - exact).norm();
  CHECK(std::log2(coarse / fine) > 1.9);
  CHECK(std::log2(coarse / fine) < 2.1);
}

}  // namespace verlet_test
