#include <dalembert/integrate/stable_step.hpp>

#include <cmath>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>

#include "support/catch.hpp"
#include "support/rods.hpp"

namespace stable_step_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;

TEST_CASE("a run takes the part of the longest stable step that it is asked to take", "[integrate]") {
  const assembly::Assembly problem{assembly::bodies(std::vector{test::soft_rod<Rod>(0.02, 10)})};
  const auto start =
      problem.state({problem.bodies<0>()[0].straight(V::Zero(), SO3<double>::identity(), 1.001)});
  const double omega = problem.frequency_bound(start);
  CHECK_THAT(stable_step(Verlet{}, problem, start, 0.5), WithinRel(1 / omega, 1e-14));
  CHECK_THAT(stable_step(RungeKutta4{}, problem, start, 1.0), WithinRel(std::sqrt(8.0) / omega, 1e-3));

  auto chosen = start, told = start;
  const double until = 20.3 / omega;
  CHECK(drive(Verlet{}, problem, chosen, {.cfl = 0.5, .until = until}).steps == 21);
  CHECK(drive(Verlet{}, problem, told, {.step = 1 / omega, .until = until}).steps == 21);
  CHECK((chosen[0].configuration == told[0].configuration).all());
  const double energy = problem.energy(start);
  auto x = start;
  drive(Verlet{}, problem, x, {.cfl = 0.95, .until = 2000 / omega});
  CHECK_THAT(problem.energy(x), WithinRel(energy, 0.5));
}

TEST_CASE("a step that cannot be chosen is refused", "[integrate]") {
  const assembly::Assembly problem{assembly::bodies(std::vector{test::soft_rod<Rod>(0.02, 10)})};
  auto x = problem.state({problem.bodies<0>()[0].straight(V::Zero(), SO3<double>::identity())});
  CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.cfl = 1.5, .until = 1}),
                    ContainsSubstring("stable_step: fraction = 1.5, but"));
  CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.cfl = -1, .until = 1}),
                    ContainsSubstring("stable_step: fraction = -1, but"));
  CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.step = 1e-4, .cfl = 0.5, .until = 1}),
                    ContainsSubstring("DriveOptions: step = 1e-04, but cfl stands for it") ||
                        ContainsSubstring("DriveOptions: step = 0.0001, but cfl stands for it"));
  CHECK_THROWS_WITH(drive(Verlet{}, problem, x, {.until = 1}),
                    ContainsSubstring("DriveOptions: step = 0, but"));

  const LagrangeDAlembert sleigh{systems::ChaplyginSleigh<double>{{}}};
  auto state = sleigh.state(SE2<double>::identity(), {0.3, 0.0, 1.2});
  CHECK_THROWS_WITH(drive(RungeKutta4{}, sleigh, state, {.cfl = 0.5, .until = 1}),
                    ContainsSubstring("DriveOptions: cfl = 0.5, but this method has no stability limit"));
}

TEST_CASE("a step that a rod does not stand is refused where rigid bodies are beside it", "[integrate]") {
  const auto rod = test::soft_rod<Rod>(0.02, 10);
  const assembly::RigidBody<double> ball{{.mass = 0.1, .inertia = {1e-4, 1e-4, 1e-4}}};
  const assembly::Assembly problem{assembly::bodies(std::vector{ball, ball}, std::vector{rod}),
                                   assembly::constraints(std::vector{assembly::Weld<double>{{1}, {2, 0}}})};
  const auto chain = rod.straight(V::Zero(), SO3<double>::identity(), 1.001);
  auto x = problem.state({ball.at({0, 1, 0}), ball.at(chain.position(0)), chain});
  const double omega = rod::frequency_bound(rod, chain);
  CHECK(problem.wave_frequency_bound(x) == omega);
  CHECK_THROWS_WITH(
      drive(Verlet{}, problem, x, {.step = 2.01 / omega, .until = 1}),
      ContainsSubstring("DriveOptions: step = ") && ContainsSubstring("where the fastest waves have omega"));
  CHECK(x.time == 0);
  CHECK_NOTHROW(drive(Verlet{}, problem, x, {.step = 1.99 / omega, .until = 2 / omega}));
  CHECK_NOTHROW(
      drive(Verlet{}, problem, x, {.step = 2.01 / omega, .until = 4 / omega, .beyond_stability = true}));
}

TEST_CASE("the longest stable step is accepted, in numbers of any precision", "[integrate]") {
  const auto check = [](auto zero) {
    using S = decltype(zero);
    using R = rod::ElasticRod<S>;
    int refused = 0;
    for (int elements = 3; elements < 43; ++elements) {
      const R rod = test::soft_rod<R>(0.02, elements);
      const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
      const auto start = problem.state({rod.straight(Vec<S, 3>::Zero(), SO3<S>::identity(), S(1.001))});
      const auto accepts = [&](const auto& method) {
        const S step = stable_step(method, problem, start, S(1));
        CHECK(step * problem.frequency_bound(start) > S(method.stability_limit()) * S(0.999999));
        auto x = start;
        try {
          drive(method, problem, x, {.cfl = 1, .until = S(1.5) * step});
        } catch (const std::invalid_argument&) {
          ++refused;
        }
      };
      accepts(Verlet{});
      accepts(RungeKutta4{});
    }
    CHECK(refused == 0);
  };
  check(0.0f);
  check(0.0);
}

TEST_CASE("a run chooses its step where rigid bodies are beside rods", "[integrate]") {
  const auto rod = test::soft_rod<Rod>(0.02, 10);
  const assembly::RigidBody<double> ball{{.mass = 0.1, .inertia = {1e-4, 2e-4, 1e-4}}};
  const assembly::Assembly problem{assembly::bodies(std::vector{ball, ball}, std::vector{rod}),
                                   assembly::constraints(std::vector{assembly::Weld<double>{{1}, {2, 0}}})};
  auto chain = rod.straight(V::Zero(), SO3<double>::identity(), 1.001);
  chain.set_velocity(10, V(0.3, 0.2, 0.1), V(0, 1, 0));
  const auto start = problem.state({ball.at({0, 1, 0}), ball.at(chain.position(0)), chain});
  const double omega = rod::frequency_bound(rod, chain);
  CHECK_THAT(stable_step(Verlet{}, problem, start, 0.9), WithinRel(1.8 / omega, 1e-14));
  auto chosen = start, told = start;
  CHECK(drive(Verlet{}, problem, chosen, {.cfl = 0.9, .until = 2000 / omega}).steps == 1112);
  drive(Verlet{}, problem, told, {.step = 1.8 / omega, .until = 2000 / omega});
  CHECK((chosen[2].configuration == told[2].configuration).all());
  CHECK_THAT(problem.energy(chosen), WithinRel(problem.energy(start), 0.5));
}

}  // namespace stable_step_test
