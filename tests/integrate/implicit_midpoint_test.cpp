#include <dalembert/integrate/implicit_midpoint.hpp>

#include <cmath>
#include <limits>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/implicit.hpp"

namespace implicit_midpoint_test {

using namespace dalembert;
using V3 = Vec<double, 3>;

/// log₂ of the ratio of the errors of steps of h and h/2 after a time.
template <class Method, class P, class State>
double observed_order(const Method& method, const P& problem, const State& start, const State& exact,
                      double h, int steps) {
  const double coarse = test::distance(test::stepped(method, problem, start, h, steps).first, exact),
               fine = test::distance(test::stepped(method, problem, start, h / 2, 2 * steps).first, exact);
  INFO("errors " << coarse << ", " << fine);
  CHECK(fine < coarse);
  return std::log2(coarse / fine);
}

TEST_CASE("the midpoint rule and discrete gradients follow a swinging rod with order 2", "[implicit]") {
  const auto made = test::swinging_rod(8, true, 0.5);
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto exact = test::stepped(Verlet{}, problem, start, 5e-6, 8000).first;
  CHECK(std::abs(observed_order(ImplicitMidpoint{}, problem, start, exact, 2e-4, 200) - 2) < 0.15);
  CHECK(std::abs(observed_order(DiscreteGradient{}, problem, start, exact, 2e-4, 200) - 2) < 0.15);
}

TEST_CASE("the midpoint rule and discrete gradients follow joined bodies with order 2", "[implicit]") {
  const auto made = test::double_pendulum();
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto exact = test::stepped(Verlet{}, problem, start, 1e-5, 20000).first;
  CHECK(std::abs(observed_order(ImplicitMidpoint{}, problem, start, exact, 4e-3, 50) - 2) < 0.15);
  CHECK(std::abs(observed_order(DiscreteGradient{}, problem, start, exact, 4e-3, 50) - 2) < 0.15);
}

TEST_CASE("discrete gradients keep the energy of a rod that swings far", "[implicit]") {
  const auto made = test::swinging_rod(16, true);
  const auto& problem = made.first;
  const auto& start = made.second;
  const double kinetic = problem.kinetic_energy(start);
  const auto [end, change] = test::stepped(DiscreteGradient{}, problem, start, 2e-3, 300);
  CHECK(problem.kinetic_energy(end) < 0.9 * kinetic);
  CHECK(change < 1e-12 * kinetic);
  CHECK(test::stepped(ImplicitMidpoint{}, problem, start, 2e-3, 300).second > 1e-8 * kinetic);
}

TEST_CASE("discrete gradients keep energy where bodies are joined, and the joints closed", "[implicit]") {
  const auto made = test::double_pendulum();
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto [end, change] = test::stepped(DiscreteGradient{}, problem, start, 0.01, 300);
  CHECK(change < 1e-12 * problem.kinetic_energy(start));
  CHECK(problem.constraint(end).position < 1e-15);
}

TEST_CASE("the midpoint rule keeps joints closed and at rest", "[implicit]") {
  const auto made = test::double_pendulum();
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto end = test::stepped(ImplicitMidpoint{}, problem, start, 0.01, 100).first;
  CHECK(problem.constraint(end).position < 1e-15);
  CHECK(problem.constraint(end).velocity < 1e-13);
}

TEST_CASE("implicit steps of a free rod keep its momenta", "[implicit]") {
  const auto made = test::swinging_rod(12, false);
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto& rod = problem.bodies<0>()[0];
  const Vec<double, 6> before = rod::momentum(rod, start[0]);
  const auto middle = test::stepped(ImplicitMidpoint{}, problem, start, 5e-3, 100).first;
  CHECK((rod::momentum(rod, middle[0]) - before).norm() < 1e-9 * before.norm());
  const auto between = test::stepped(DiscreteGradient{}, problem, start, 5e-3, 100).first;
  CHECK((rod::momentum(rod, between[0]) - before).norm() < 1e-12 * before.norm());
}

TEST_CASE("an implicit step of a free body keeps its energy and momentum", "[implicit]") {
  const assembly::RigidBody<double> body({.mass = 0.7, .inertia = {0.02, 0.03, 0.04}});
  const assembly::Assembly problem{assembly::bodies(std::vector{body})};
  auto chain = body.at(V3(1, 2, 3), SO3<double>::exp(V3(0.3, -0.4, 0.5)));
  chain.set_velocity(0, V3(1, 0, -1), V3(5, 3, 0.2));
  const auto start = problem.state({chain});
  const auto momentum = [](const auto& x) {
    const V3 w = x[0].angular_velocity(0);
    return V3(x[0].rotation(0).act(V3(0.02 * w[0], 0.03 * w[1], 0.04 * w[2])));
  };
  const auto [end, change] =
      test::stepped(ImplicitMidpoint{.newton = {.tolerance = 0}}, problem, start, 0.05, 200);
  CHECK(change < 1e-12 * problem.energy(start));
  CHECK((momentum(end) - momentum(start)).norm() < 1e-12);
  CHECK((end[0].angular_velocity(0) - start[0].angular_velocity(0)).norm() > 1);
}

TEST_CASE("discrete gradients go back where they came from", "[implicit]") {
  const auto made = test::swinging_rod(8, true);
  const auto& problem = made.first;
  const auto& start = made.second;
  auto there = test::stepped(DiscreteGradient{}, problem, start, 4e-3, 30).first;
  CHECK(test::distance(there, start) > 0.05);
  there[0].velocity *= -1;
  CHECK(test::distance(test::stepped(DiscreteGradient{}, problem, there, 4e-3, 30).first, start) < 1e-10);
}

TEST_CASE("steps far beyond the bound of explicit ones keep energy", "[implicit]") {
  const auto made = test::swinging_rod(16, true, 0.3);
  const auto& problem = made.first;
  const auto& start = made.second;
  const double longest = 2 / problem.frequency_bound(start);
  CHECK(test::stepped(DiscreteGradient{}, problem, start, 50 * longest, 40).second <
        1e-12 * problem.kinetic_energy(start));
}

TEST_CASE("implicit steps do not allocate", "[implicit]") {
  const auto made = test::swinging_rod(8, true);
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto check = [&](const auto& method) {
    auto state = start;
    auto stepper = method.stepper(problem, state);
    (void)stepper.step(problem, state, 1e-3);
    const long allocations = test::allocations_during([&] {
      for (int i = 0; i < 20; ++i) (void)stepper.step(problem, state, 1e-3);
      (void)stepper.step(problem, state, 2e-3);
    });
    CHECK(allocations == 0);
  };
  check(ImplicitMidpoint{});
  check(DiscreteGradient{});
}

TEST_CASE("an implicit step that does not converge leaves the state as it was", "[implicit]") {
  const auto made = test::swinging_rod(8, false, 3);
  const auto& problem = made.first;
  const auto& start = made.second;
  auto state = start;
  auto stepper = DiscreteGradient{.newton = {.tolerance = 0, .iterations = 1}}.stepper(problem, state);
  CHECK_THROWS_AS((void)stepper.step(problem, state, 0.01), NoConvergence);
  CHECK(state.time == start.time);
  CHECK(test::distance(state, start) == 0);
  CHECK_THROWS_AS(drive(DiscreteGradient{.newton = {.tolerance = 0, .iterations = 1}}, problem, state,
                        {.step = 0.01, .until = 0.1}),
                  IntegrationFailure);
}

TEST_CASE("an implicit step that is too long is taken in shorter ones", "[implicit]") {
  const auto made = test::swinging_rod(8, false, 3);
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto [once, change] = test::stepped(DiscreteGradient{}, problem, start, 0.04, 2);
  const auto halves = test::stepped(DiscreteGradient{}, problem, start, 0.02, 4).first;
  CHECK(test::distance(once, halves) < 1e-9);
  CHECK(std::abs(once.time - 0.08) < 1e-15);
  CHECK(change < 1e-12 * problem.energy(start));
}

TEST_CASE("the error estimate of an implicit step is its error, and shrinks like h³", "[implicit]") {
  const auto made = test::swinging_rod(8, true, 0.5);
  const auto& problem = made.first;
  const auto begun = test::stepped(Verlet{}, problem, made.second, 5e-6, 2000).first;
  const auto check = [&](const auto& method) {
    double estimates[2], errors[2];
    for (int i : {0, 1}) {
      const double h = i == 0 ? 1e-4 : 5e-5;
      auto state = begun;
      auto stepper = method.stepper(problem, state);
      (void)stepper.step(problem, state, h);
      const auto exact = test::stepped(Verlet{}, problem, state, h / 50, 50).first;
      estimates[i] = static_cast<double>(stepper.step(problem, state, h).error);
      errors[i] = test::distance(state, exact);
    }
    INFO("estimates " << estimates[0] << ", " << estimates[1] << ", errors " << errors[0] << ", "
                      << errors[1]);
    CHECK(std::abs(std::log2(estimates[0] / estimates[1]) - 3) < 0.3);
    CHECK(errors[1] < estimates[1]);
  };
  check(ImplicitMidpoint{});
  check(DiscreteGradient{});
}

TEST_CASE("a run chooses implicit steps by their errors", "[implicit]") {
  const auto made = test::double_pendulum();
  const auto& problem = made.first;
  const auto exact = test::stepped(Verlet{}, problem, made.second, 1e-5, 20000).first;
  const auto run = [&](double tolerance) {
    auto state = made.second;
    const auto report =
        drive(DiscreteGradient{}, problem, state, {.step = 1e-3, .until = 0.2, .tolerance = tolerance});
    CHECK(std::abs(problem.energy(state) - problem.energy(made.second)) < 1e-11);
    return std::pair(static_cast<double>(report.steps), test::distance(state, exact));
  };
  const auto [few, far] = run(1e-5);
  const auto [many, near] = run(1e-7);
  CHECK(far < 1e-2);
  CHECK(near < far / 8);
  CHECK(std::abs(std::log(many / few) / std::log(100.0) - 1.0 / 3) < 0.1);
}

TEST_CASE("an implicit method refuses options that mean nothing", "[implicit]") {
  const auto made = test::swinging_rod(4, true);
  const auto& problem = made.first;
  const auto& start = made.second;
  CHECK_THROWS_AS((void)ImplicitMidpoint{.newton = {.tolerance = -1}}.stepper(problem, start),
                  std::invalid_argument);
  CHECK_THROWS_AS((void)DiscreteGradient{.newton = {.iterations = 0}}.stepper(problem, start),
                  std::invalid_argument);
}

TEST_CASE("frozen matrices lead to the same step as fresh ones", "[implicit]") {
  const auto made = test::swinging_rod(8, false);
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto frozen = test::stepped(DiscreteGradient{}, problem, start, 4e-3, 20).first,
             fresh = test::stepped(DiscreteGradient{.newton = {.tolerance = 0, .frozen = false}}, problem,
                                   start, 4e-3, 20)
                         .first;
  CHECK(test::distance(frozen, fresh) < 1e-12);
}

}  // namespace implicit_midpoint_test
