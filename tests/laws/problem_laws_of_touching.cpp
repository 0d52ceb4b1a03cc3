// Bodies that fly, lie, roll and slide on surfaces, alone and joined, for the laws of problems.

#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/touching_assembly.hpp>
#include <dalembert/rod/body.hpp>
#include "laws/error_rates.hpp"
#include "laws/problem_laws.hpp"
#include "support/catch.hpp"
#include "support/rods.hpp"

namespace test {

/// As without what touches.
template <class Bodies, class S, class... C>
struct ErrorRates<dalembert::assembly::Assembly<Bodies, dalembert::contact::WithTouching<S, C...>>>
    : ErrorRates<dalembert::assembly::Assembly<Bodies, dalembert::assembly::Kinds<C...>>> {};

}  // namespace test

namespace problem_laws_of_touching {

using namespace dalembert;
using assembly::RigidBody;
using contact::Plane;
using contact::Touching;
using Rod = rod::ElasticRod<double>;
using V = Vec<double, 3>;

const test::ProblemFamily family([](test::Problems& all, bool elsewhere) {
  const SO3<double> turn = elsewhere ? SO3<double>::exp({0.3, -1.1, 0.7}) : SO3<double>::identity();
  const V shift = elsewhere ? V(0.4, 0.3, -0.6) : V(0, 0, 0);
  const auto at = [&](const V& r) { return V(turn.act(r) + shift); };
  const double a = 0.1, m = 0.7, j = 0.4 * m * a * a;
  const RigidBody<> ball{{.mass = m, .inertia = {j, j, j}, .gravity = turn.act(V(0, 0, -9.81))}};
  Plane<> plane;
  plane.normal = turn.act(V(0, 0, 1));
  plane.point = shift;
  plane.velocity = turn.act(V(0.2, 0.1, 0));
  const auto set = [&](auto& chain, Eigen::Index k, const V& v, const V& w) {
    chain.set_velocity(k, turn.act(v), w);
  };

  const auto three = assembly::bodies(ball, ball, ball);
  const auto [first, second, third] = three.handles();
  const Touching<> what{.friction = 0.3,
                        .planes = {plane},
                        .balls = {{assembly::frame(first), a}, {assembly::frame(second), a}}};
  {
    const assembly::Assembly problem{three, what};
    auto flying = problem.state(
        {ball.at(at({0, 0, 0.5}), turn), ball.at(at({0.5, 0, 0.6}), turn), ball.at(at({0, 0.5, 0.6}), turn)});
    set(flying[0], 0, {1, 0.3, 0.2}, {2, 1, 0});
    test::add_problem(all, "balls that fly", problem, {flying}, {.equivariant = true});
    auto lying = problem.state(
        {ball.at(at({0, 0, a}), turn), ball.at(at({0.5, 0, a}), turn), ball.at(at({0, 0.5, 0.6}), turn)});
    set(lying[0], 0, {0.2, 0.1, 0}, {0, 0, 0});
    set(lying[1], 0, {0.2, 0.1, 0}, {0, 0, 0});
    auto sliding = lying;
    set(sliding[0], 0, {1, 0.3, 0}, {2, 1, 0.4});
    set(sliding[1], 0, {-1, 0.5, 0}, {-2, 0, 0});
    test::add_problem(all, "balls that lie and slide on a plane", problem, {lying, sliding},
                      {.reversible = false, .tells_rates_apart = false, .equivariant = true});
  }
  {
    const V half(0.3, 0, 0);
    const assembly::Assembly problem{
        three,
        assembly::constraints(
            assembly::SphericalJoint<>{assembly::frame(first), assembly::frame(third, V(-half))},
            assembly::SphericalJoint<>{assembly::frame(second), assembly::frame(third, half)}),
        what};
    auto sliding = problem.state(
        {ball.at(at({-0.3, 0, a}), turn), ball.at(at({0.3, 0, a}), turn), ball.at(at({0, 0, a}), turn)});
    set(sliding[0], 0, {1, 0.3, 0}, {2, 1, 0.4});
    set(sliding[1], 0, {1, 0.6, 0}, {-2, 0, 0});
    set(sliding[2], 0, {1, 0.45, 0}, {0, 0, 0.5});
    test::add_problem(all, "joined balls that slide on a plane", problem, {sliding},
                      {.reversible = false, .tells_rates_apart = false, .equivariant = true});
  }
  {
    Rod::Parameters p;
    p.loads.gravity = turn.act(V(0, 0, -9.81));
    const Rod rod = test::soft_rod<Rod>(0.01, 11, p);
    const assembly::Assembly problem{rod, Touching<>{.friction = 0.3, .planes = {plane}}};
    const double radius = contact::detail::radius_by_inertia<double>(rod);
    auto chain = rod.straight({0, 0, radius}, {.direction = {1, 0.2, 0}});
    test::transform<double>(chain, test::matrix(turn), shift);
    auto lying = problem.state({chain});
    for (Eigen::Index k = 0; k < lying[0].nodes; ++k) set(lying[0], k, {0.7, 0.2, 0}, {0, 0, 0});
    test::add_problem(all, "a rod that slides on a plane", problem, {lying},
                      {.reversible = false, .tells_rates_apart = false, .equivariant = true});
  }
});

}  // namespace problem_laws_of_touching
