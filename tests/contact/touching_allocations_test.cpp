// Steps of what touches allocate nothing where there are no more contacts than ever before.

#include <string>
#include <vector>

#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/rod/body.hpp>
#include <dalembert/rod/sections.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace touching_allocations_test {

using namespace dalembert;
using namespace dalembert::assembly;
using contact::Touching;

/// In some steps after the first of a run.
template <class Problem>
long allocations(const Problem& problem, State<> state) {
  auto stepper = Verlet{}.stepper(problem, state);
  for (int i = 0; i < 3; ++i) (void)stepper.step(problem, state, 1e-4);
  return test::allocations_during([&] {
    for (int i = 0; i < 20; ++i) (void)stepper.step(problem, state, 1e-4);
  });
}

RigidBody<> body(double radius) {
  const double j = 0.4 * radius * radius;
  return RigidBody<>{{.mass = 1, .inertia = {j, j, j}, .gravity = {0, 0, -9.81}}};
}

TEST_CASE("steps of clusters of contacts allocate nothing", "[contact][touching]") {
  const double a = 0.1;
  const auto ball = body(a);
  for (const int n : {2, 3, 7, 20}) {  // in a column, and another of two
    const auto all = bodies(std::vector(static_cast<std::size_t>(n + 2), ball));
    const auto [balls] = all.handles();
    Touching<> what{.friction = 0.3, .planes = {contact::Plane<>{}}};
    std::vector<Chain<>> chains;
    for (int i = 0; i < n + 2; ++i) {
      what.balls.push_back({frame(balls[static_cast<std::size_t>(i)]), a});
      chains.push_back(ball.at({i < n ? 0. : 1., 0, a + 2 * a * (i < n ? i : i - n)}));
      chains.back().set_velocity(0, {0.1, 0, 0}, {0, 0, 1});
    }
    const Assembly problem{all, what};
    CHECK(allocations(problem, problem.state(chains)) == 0);
  }
  {
    const auto all = bodies(ball, ball);
    const auto [one, two] = all.handles();
    Touching<> what{.friction = 0.3, .planes = {contact::Plane<>{}}};
    for (const double x : {-0.2, 0.2})
      for (const double y : {-0.2, 0.2}) what.balls.push_back({frame(one, {x, y, 0}), a});
    what.balls.push_back({frame(two), a});
    const Assembly problem{all, what};
    CHECK(allocations(problem, problem.state({{one, ball.at({0, 0, a})}, {two, ball.at({1, 0, a})}})) == 0);
  }
  const rod::CircularSection rubber({.radius = 0.01, .young = 1e6, .density = 1100});
  const rod::ElasticRod<> rod(rubber, {.elements = 20, .length = 0.3, .loads = {.gravity = {0, 0, -9.81}}});
  for (const bool groove : {false, true}) {
    Touching<> what{.friction = 0.3, .planes = {contact::Plane<>{}}};
    if (groove) {
      what.planes.emplace_back();
      what.planes.back().normal = {0, 1, 0};
    }
    const Assembly problem{rod, what};
    CHECK(allocations(problem, problem.state({rod.straight({0, 0.01, 0.01}, {.direction = {1, 0, 0}})})) ==
          0);
  }
}

}  // namespace touching_allocations_test
