#include <dalembert/implicit/implicit.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include <dalembert/contact/cylinder.hpp>
#include <dalembert/contact/plane.hpp>
#include <dalembert/integrate/generalized_alpha.hpp>
#include <dalembert/integrate/implicit_midpoint.hpp>
#include <dalembert/integrate/verlet.hpp>
#include <dalembert/systems/rolling_rods.hpp>
#include <dalembert/systems/woven_net.hpp>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/implicit.hpp"

namespace implicit_assembly_test {

using namespace dalembert;
using V3 = Vec<double, 3>;

auto rolling_rods() {
  const systems::RollingRodsParameters<double> p{.elements = 40, .kernel_width = 0.03};
  const auto start = systems::static_start(p);
  auto problem = start.problem();
  auto state = start.state;
  systems::set_initial_velocity(problem, state, p);
  return std::pair(problem, state);
}

TEST_CASE("rods that roll on each other keep their energy by discrete gradients", "[implicit]") {
  const auto made = rolling_rods();
  const auto& problem = made.first;
  const auto& start = made.second;
  const double kinetic = problem.kinetic_energy(start);
  const auto [end, change] = test::stepped(DiscreteGradient{}, problem, start, 1e-3, 60);
  CHECK(change < 1e-12 * kinetic);
  CHECK(problem.constraint(end).position < 1e-14);
}

TEST_CASE("what does implicit steps of an assembly is moved, and not copied", "[implicit]") {
  const auto made = rolling_rods();
  const auto& problem = made.first;
  auto stepper = DiscreteGradient{}.stepper(problem, made.second),
       other = DiscreteGradient{}.stepper(problem, made.second);
  static_assert(!std::is_copy_constructible_v<decltype(stepper)>);
  auto state = made.second, same = made.second;
  (void)other.step(problem, same, 1e-3);
  auto moved = std::move(stepper);
  (void)moved.step(problem, state, 1e-3);
  CHECK((state[0].configuration == same[0].configuration).all());
  CHECK((state[1].velocity == same[1].velocity).all());
}

TEST_CASE("a struck net of rolling rods keeps its energy by discrete gradients", "[implicit]") {
  const systems::WovenNetParameters<double> p{.rods = 2, .elements = 30};
  const auto net = systems::woven_net(p);
  const auto problem = net.problem();
  auto start = systems::come_to_rest(net, p, Verlet{}, 2e-5);
  systems::strike(problem, start, p);
  const auto [end, change] = test::stepped(DiscreteGradient{}, problem, start, 1e-3, 12);
  CHECK(change < 1e-12 * problem.kinetic_energy(start));
  CHECK(problem.constraint(end).position < 1e-14);
  const auto middle = test::stepped(ImplicitMidpoint{}, problem, start, 1e-3, 12).first;
  CHECK(problem.constraint(middle).velocity < 1e-12);

  // the matrix knows how the pull of the contacts turns
  auto stepper = DiscreteGradient{.newton = {.tolerance = 0, .frozen = false}}.stepper(problem, start);
  int most = 0;
  for (int i = 0; i < 5; ++i) most = std::max(most, stepper.step(problem, start, 1e-3).iterations);
  INFO("iterations " << most);
  CHECK(most <= 12);
}

static_assert(ImplicitProblem<std::remove_cvref_t<decltype(rolling_rods().first)>>);

TEST_CASE("the slip of discrete gradients at the nodes of time falls like h²", "[implicit]") {
  const auto made = rolling_rods();
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto slip = [&](double h, int steps) {
    auto state = start;
    auto stepper = DiscreteGradient{}.stepper(problem, state);
    double most = 0;
    for (int i = 0; i < steps; ++i) {
      (void)stepper.step(problem, state, h);
      most = std::max(most, problem.constraint(state).velocity);
    }
    return most;
  };
  const double coarse = slip(5e-4, 20), fine = slip(2.5e-4, 40);
  INFO("slips " << coarse << ", " << fine << " m/s");
  CHECK(coarse < 0.05);
  CHECK(std::abs(std::log2(coarse / fine) - 2) < 0.5);
}

TEST_CASE("the other implicit methods roll without slip where steps end", "[implicit]") {
  const auto made = rolling_rods();
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto check = [&](const auto& method) {
    const auto end = test::stepped(method, problem, start, 1e-3, 20).first;
    CHECK(problem.constraint(end).velocity < 1e-13);
    CHECK(problem.constraint(end).position < 1e-14);
  };
  check(ImplicitMidpoint{});
  check(GeneralizedAlpha{});
}

TEST_CASE("implicit methods follow rods that roll as Verlet's does, with order 2", "[implicit]") {
  const auto made = rolling_rods();
  const auto& problem = made.first;
  const auto& start = made.second;
  const auto exact = test::stepped(Verlet{}, problem, start, 1e-5, 1000).first;
  const auto check = [&](const auto& method) {
    const double coarse = test::distance(test::stepped(method, problem, start, 2.5e-4, 40).first, exact),
                 fine = test::distance(test::stepped(method, problem, start, 1.25e-4, 80).first, exact);
    INFO("errors " << coarse << ", " << fine << " m");
    CHECK(std::abs(std::log2(coarse / fine) - 2) < 0.3);
  };
  check(DiscreteGradient{});
  check(ImplicitMidpoint{});
  check(GeneralizedAlpha{});
}

TEST_CASE("implicit steps notice a contact that begins to pull in them", "[implicit]") {
  // on top of a sphere a ball presses with m(g − v²/(R + a)), and less where it goes down
  const double a = 0.1, radius = 0.5, g = 9.81;
  const assembly::RigidBody<double> ball(
      {.mass = 2, .inertia = V3::Constant(0.4 * 2 * a * a), .gravity = {0, 0, -g}});
  using OnSphere = contact::RollingOnCylinder<double, assembly::FrameMarker<double>>;
  const contact::Cylinder<double> sphere{radius, {0, 0, 0}, {0, 0, 0}};
  const assembly::Assembly problem{assembly::bodies(std::vector{ball}),
                                   assembly::constraints(std::vector{OnSphere{{0}, a, sphere}})};
  auto chain = ball.at(V3(0, 0, radius + a));
  const double speed = std::sqrt(0.9999 * g * (radius + a));
  chain.set_velocity(0, V3(speed, 0, 0), V3(0, speed / a, 0));
  const auto start = problem.state({chain});
  const auto refuses = [&](const auto& method) {
    auto x = start;
    auto stepper = method.stepper(problem, x);
    CHECK_THROWS_AS((void)stepper.step(problem, x, 0.02), ContactOpened);
  };
  refuses(ImplicitMidpoint{});
  refuses(DiscreteGradient{});
  refuses(GeneralizedAlpha{});
}

TEST_CASE("implicit steps refuse a state of another shape, and a contact that pulls", "[implicit]") {
  const double a = 0.1;
  const assembly::RigidBody<double> ball(
      {.mass = 2, .inertia = V3::Constant(0.4 * 2 * a * a), .gravity = {1, 0, 9.81}});
  const assembly::Assembly problem{
      assembly::bodies(std::vector{ball}),
      assembly::constraints(std::vector{contact::RollingOnPlane<double>{{0}, a}})};
  const auto start = problem.state({ball.at(V3(0, 0, a))});
  auto wrong = start;
  wrong.chains.push_back(wrong[0]);
  CHECK_THROWS_WITH(implicit_equations(problem, wrong), Catch::Matchers::ContainsSubstring("chains = 2"));
  auto x = start;
  auto midpoint = ImplicitMidpoint{}.stepper(problem, x);
  CHECK_THROWS_AS((void)midpoint.step(problem, x, 0.01), ContactOpened);
  x = start;
  auto gradient = DiscreteGradient{}.stepper(problem, x);
  CHECK_THROWS_AS((void)gradient.step(problem, x, 0.01), ContactOpened);
}

TEST_CASE("a ball rolls down a slope by five sevenths of what it would slide", "[implicit]") {
  const double a = 0.1, slope = 0.4;
  const assembly::RigidBody<double> ball({.mass = 2,
                                          .inertia = V3::Constant(0.4 * 2 * a * a),
                                          .gravity = {9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)}});
  const assembly::Assembly problem{
      assembly::bodies(std::vector{ball}),
      assembly::constraints(std::vector{contact::RollingOnPlane<double>{{0}, a}})};
  const auto start = problem.state({ball.at(V3(0, 0, a))});
  const auto check = [&](const auto& method) {
    const auto end = test::stepped(method, problem, start, 0.05, 10).first;
    CHECK(std::abs(end[0].linear_velocity(0)[0] - 5.0 / 7 * 9.81 * std::sin(slope) * 0.5) < 1e-11);
    CHECK(std::abs(end[0].position(0)[0] - 5.0 / 14 * 9.81 * std::sin(slope) * 0.25) < 1e-11);
    CHECK(std::abs(end[0].position(0)[2] - a) < 1e-15);
  };
  check(DiscreteGradient{});
  check(ImplicitMidpoint{});
}

TEST_CASE("a ball that is pulled off its plane ends an implicit step", "[implicit]") {
  const assembly::RigidBody<double> ball({.mass = 2, .inertia = V3::Constant(0.01), .force = {0, 0, 1}});
  const assembly::Assembly problem{
      assembly::bodies(std::vector{ball}),
      assembly::constraints(std::vector{contact::RollingOnPlane<double>{{0}, 0.1}})};
  auto state = problem.state({ball.at(V3(0, 0, 0.1))});
  auto stepper = DiscreteGradient{}.stepper(problem, state);
  CHECK_THROWS_AS((void)stepper.step(problem, state, 0.01), ContactOpened);
  CHECK(state.time == 0);
}

TEST_CASE("implicit steps lead an end where it goes", "[implicit]") {
  rod::ElasticRod<double>::Parameters p;
  p.elements = 8;
  p.length = 0.5;
  const rod::CircularSection<double> section(
      {.radius = 0.01, .young = 1e6, .poisson = 0.4, .density = 1000.0});
  p.inertia = section.inertia();
  p.start = rod::Boundary<double>::prescribed([](double t) {
    rod::EndMotion<double> m;
    const double angle = 0.5 * std::sin(20 * t) * std::sin(20 * t), rate = 10 * std::sin(40 * t);
    m.position = {0, 0.1 * std::sin(20 * t) * std::sin(20 * t), 0};
    m.velocity = {0, 2 * std::sin(40 * t), 0};
    m.acceleration = {0, 80 * std::cos(40 * t), 0};
    m.quaternion = {std::cos(angle / 2), std::sin(angle / 2), 0, 0};
    m.angular_velocity = {rate, 0, 0};
    m.angular_acceleration = {400 * std::cos(40 * t), 0, 0};
    return m;
  });
  const rod::ElasticRod<double> rod(rod::LinearElastic<double>(section.stiffness_diagonal()), p);
  const assembly::Assembly problem{assembly::bodies(std::vector{rod})};
  const auto start = problem.state({rod.straight(V3::Zero(), SO3<double>::identity())});
  const auto exact = test::stepped(Verlet{}, problem, start, 1e-5, 6000).first;
  const auto check = [&](const auto& method) {
    const double coarse = test::distance(test::stepped(method, problem, start, 4e-4, 150).first, exact),
                 fine = test::distance(test::stepped(method, problem, start, 2e-4, 300).first, exact);
    INFO("errors " << coarse << ", " << fine << " m");
    CHECK(std::abs(std::log2(coarse / fine) - 2) < 0.3);
  };
  check(DiscreteGradient{});
  check(ImplicitMidpoint{});
  check(GeneralizedAlpha{});
}

TEST_CASE("implicit steps of rolling rods do not allocate while the contact bears on the same nodes",
          "[implicit]") {
  const auto made = rolling_rods();
  const auto& problem = made.first;
  const auto& start = made.second;
  auto state = start;
  auto stepper = ImplicitMidpoint{}.stepper(problem, state);
  for (int i = 0; i < 3; ++i) (void)stepper.step(problem, state, 2e-5);
  const long allocations = test::allocations_during([&] {
    for (int i = 0; i < 5; ++i) (void)stepper.step(problem, state, 2e-5);
  });
  CHECK(allocations == 0);
}

TEST_CASE("joints that are there twice hold as if they were there once", "[implicit]") {
  const auto [once, start] = test::double_pendulum();
  auto joints = once.constraints<0>();
  joints.push_back(joints[0]);
  const assembly::Assembly twice{assembly::bodies(once.bodies<0>()), assembly::constraints(joints)};
  const auto a = test::stepped(DiscreteGradient{}, once, start, 0.01, 20).first,
             b = test::stepped(DiscreteGradient{}, twice, start, 0.01, 20).first;
  CHECK(test::distance(a, b) < 1e-9);
}

}  // namespace implicit_assembly_test
