#include <dalembert/mechanics/friction.hpp>

#include <cmath>
#include <random>
#include <stdexcept>

#include <dalembert/integrate/collocation.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>
#include <dalembert/systems/chaplygin_sleigh.hpp>
#include <dalembert/systems/pendulum.hpp>
#include <dalembert/systems/rolling_ball.hpp>

#include "support/catch.hpp"

namespace friction_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using Sleigh = systems::ChaplyginSleigh<double>;

using FrictionalSleigh = decltype(with_friction(std::declval<Sleigh>(), 1.0, 0.1));
static_assert(MechanicalSystem<FrictionalSleigh> && !NonholonomicSystem<FrictionalSleigh>);
static_assert(kinematic_rows<FrictionalSleigh> == 0);

TEST_CASE("a sleigh with friction across its blade obeys its equations at random states", "[friction]") {
  std::mt19937 engine(test::seed());
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> positive(0.2, 3);
  for (int i = 0; i < 100; ++i) {
    const double m = positive(engine), I = positive(engine), a = normal(engine), k = I + m * a * a;
    const double nu = positive(engine), epsilon = 0.1 * positive(engine);
    const auto system = with_friction(Sleigh{{.mass = m, .inertia = I, .offset = a}}, nu, epsilon);
    const LagrangeDAlembert problem{system};
    const double u = normal(engine), v = normal(engine), omega = normal(engine);
    const auto state =
        problem.state(SE2d(normal(engine), normal(engine), normal(engine)), {u, v, omega}, 0.3);
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    const double drag = nu * v / epsilon;
    const Vec<double, 3> expected(v * omega + a * omega * omega, -u * omega - k / (I * m) * drag,
                                  a / I * drag);
    for (int j = 0; j < 3; ++j) CHECK(std::abs(rates.xidot[j] - expected[j]) < 1e-11 * (1 + drag * drag));
    CHECK(system.dissipation(state) == Approx(-drag * v));
    CHECK(problem.power(state, rates).dissipation == Approx(-drag * v));
    CHECK(std::abs(problem.power(state, rates).load) < 1e-12 * (1 + drag * drag));
    CHECK(system.slip(state)[0] == v);
    CHECK(problem.energy(state) ==
          Approx(m * (u * u + v * v) / 2 + k * omega * omega / 2 + m * a * omega * v));
  }
}

TEST_CASE("any friction matrix acts on a ball that slides on a plane", "[friction]") {
  // A uniform ball with velocity v and spin ω has the slip s = v − R(ω₂, −ω₁): Mv̇ = −F, Iω̇ = R e₃ × F.
  const systems::RollingBall<> ball{
      {.mass = 1.3, .radius = 0.6, .inertia = 0.25 * Mat<double, 3>::Identity()}};
  Mat<double, 2> nu;
  nu << 2.0, 0.4, 0.4, 0.9;
  const auto sliding = with_friction(ball, nu, 0.2);
  const LagrangeDAlembert problem{sliding};
  using Group = systems::RollingBall<>::Group;
  const SO3d A = SO3d::exp({0.3, -0.7, 0.5});
  const Vec<double, 3> omega(0.4, -1.1, 0.8), W = A.inverse().act(omega);
  Vec<double, 5> xi;
  xi << W[0], W[1], W[2], 0.5, -0.2;
  auto state = problem.state(Group(A, Rn<double, 2>()), xi);
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const Vec<double, 2> slip(0.5 - 0.6 * omega[1], -0.2 + 0.6 * omega[0]);
  const Vec<double, 2> force = -nu * slip / 0.2;
  for (int i = 0; i < 2; ++i) {
    CHECK(sliding.slip(state)[i] == Approx(slip[i]));
    CHECK(rates.xidot[3 + i] == Approx(force[i] / 1.3));
  }
  const Vec<double, 3> torque(0.6 * force[1], -0.6 * force[0], 0.0);  // −R e₃ × F
  const Vec<double, 3> spin = A.act(Vec<double, 3>(rates.xidot.head<3>()));
  for (int i = 0; i < 3; ++i) CHECK(spin[i] == Approx(torque[i] / 0.25).margin(1e-14));
}

TEST_CASE("friction on a holonomic constraint resists its rate of change", "[friction]") {
  const systems::Pendulum<> pendulum{{.mass = 2, .length = 1.5, .gravity = 3}};
  const auto system = with_friction(pendulum, 0.7, 0.05);
  const LagrangeDAlembert problem{system};
  const auto state = problem.state(Rn<double, 2>(Vec<double, 2>(0.6, -0.8)), {0.4, 1.1});
  auto rates = problem.make_rates();
  problem.rates(state, rates);
  const double along = 0.6 * 0.4 - 0.8 * 1.1, drag = 0.7 * along / 0.05;
  CHECK(rates.xidot[0] == Approx(-drag * 0.6 / 2));
  CHECK(rates.xidot[1] == Approx(-3 + drag * 0.8 / 2));
  CHECK(problem.constraint(state).position == 0);
}

TEST_CASE("the energy of a frictional sleigh falls by what friction dissipates", "[friction]") {
  const auto system = with_friction(Sleigh{{.mass = 1.7, .inertia = 0.6, .offset = 0.35}}, 1.0, 0.1);
  const LagrangeDAlembert problem{system};
  auto state = problem.state(SE2d::identity(), {0.45, 0.2, -1.3});
  const double before = problem.energy(state);
  double lost = 0, last = system.dissipation(state);
  const double h = 1e-3;
  drive(Gauss<3>{}, problem, state, {.step = h, .until = 2.0}, [&](const auto&, const auto& at) {
    if (at.time == 0) return;
    lost += h * (last + system.dissipation(at)) / 2;
    last = system.dissipation(at);
  });
  CHECK(problem.energy(state) - before == Approx(lost).epsilon(1e-4));
  CHECK(lost < -0.1);
}

TEST_CASE("a sleigh under dry friction keeps its blade only while the reaction is weaker", "[friction]") {
  // Without an offset the sleigh runs in a circle, held by λ = m u ω = 1 as long as it does not slide.
  const Sleigh sleigh{{.mass = 1, .inertia = 1, .offset = 0}};
  const double epsilon = 1e-4;
  const auto slip_after = [&](double strength) {
    const LagrangeDAlembert problem{
        with_friction(sleigh, RegularisedCoulomb<double>{.strength = strength, .epsilon = epsilon})};
    auto state = problem.state(SE2d::identity(), {1, 0, 1});
    drive(Radau<2>{}, problem, state, {.step = 2e-3, .until = 0.2});
    return state.xi[1];
  };
  CHECK(slip_after(2.0) == Approx(-epsilon / std::sqrt(4.0 - 1.0)).epsilon(1e-2));  // F = λ
  CHECK(slip_after(0.5) < -0.05);  // v̇ = −uω + μ/m: half of what it takes to hold the blade
  CHECK(slip_after(0.5) > -0.15);
}

TEST_CASE("Radau takes steps of the slow motion, however strong the friction", "[friction]") {
  // To first order in ε the motion is that of the nonholonomic sleigh, which has a closed form.
  const Sleigh sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  for (const double epsilon : {1e-4, 1e-6, 1e-8}) {
    const LagrangeDAlembert problem{with_friction(sleigh, 1.0, epsilon)};
    const double N = 1 / 1.04;
    auto state = problem.state(SE2d::identity(), {-1, epsilon * N, 1 - 0.2 * N * epsilon * N});
    const auto report = drive(Radau<3>{}, problem, state, {.step = 0.05, .until = 5.0});
    const auto exact = sleigh.exact({.u = -1, .omega = 1, .phi = 0}, 5.0);
    CAPTURE(epsilon);
    CHECK(report.steps == 100);
    CHECK(std::abs(state.xi[0] - exact.u) < 2 * epsilon + 1e-8);
    CHECK(std::abs(state.xi[2] - exact.omega) < 2 * epsilon + 1e-8);
    CHECK(state.xi[1] == Approx(-epsilon * N * state.xi[0] * state.xi[2]).epsilon(2 * epsilon + 1e-5));
  }
}

/// How far a motion under friction ends from the constrained one, in steps that know nothing of ε.
template <class System, class Group>
double limit_error(const System& system, const Group& g, const typename Group::Tangent& xi, double epsilon) {
  const LagrangeDAlembert limit{system};
  const LagrangeDAlembert problem{with_friction(system, 1.0, epsilon)};
  auto constrained = limit.state(g, xi);
  auto state = problem.state(g, xi);
  drive(Radau<3>{}, limit, constrained, {.step = 0.02, .until = 1.0});
  drive(Radau<3>{}, problem, state, {.step = 0.02, .until = 1.0});
  return problem.difference(state, constrained).norm();
}

TEST_CASE("Radau does so where the direction of friction turns on the way", "[friction]") {
  const systems::RollingBall<> ball{
      {.mass = 1, .radius = 1, .inertia = Vec<double, 3>(0.3, 0.5, 0.7).asDiagonal()}};
  const systems::RollingBall<>::Group g(SO3d::exp({0.3, -0.7, 0.5}), Rn<double, 2>());
  const systems::Pendulum<> pendulum{{}};
  for (const double epsilon : {1e-4, 1e-6, 1e-8}) {
    CAPTURE(epsilon);
    CHECK(limit_error(ball, g, ball.rolling(g, {0.9, -0.7, 1.2}), epsilon) < 10 * epsilon + 1e-8);
    CHECK(limit_error(pendulum, pendulum.at_angle(0.3), Vec<double, 2>(0, 0), epsilon) <
          200 * epsilon + 1e-5);
  }
}

TEST_CASE("Radau damps a start off the slow motion within a few steps", "[friction]") {
  const Sleigh sleigh{{.mass = 1, .inertia = 1, .offset = 0.2}};
  const double epsilon = 1e-8, N = 1 / 1.04;
  const LagrangeDAlembert problem{with_friction(sleigh, 1.0, epsilon)};
  auto state = problem.state(SE2d::identity(), {-1, 0.2, 1});
  drive(Radau<3>{}, problem, state, {.step = 0.05, .until = 1.0});
  CHECK(state.xi[1] == Approx(-epsilon * N * state.xi[0] * state.xi[2]).epsilon(1e-3));
  // ψ = ω + (ma/K)v is not touched by friction: the transient leaves the motion that starts with ω = ψ.
  const auto exact = sleigh.exact({.u = -1, .omega = 1 + 0.2 / 1.04 * 0.2, .phi = 0}, 1.0);
  CHECK(std::abs(state.xi[0] - exact.u) < 1e-4);
  CHECK(std::abs(state.xi[2] - exact.omega) < 1e-4);
}

TEST_CASE("impossible frictions are refused, by name and value", "[friction]") {
  const Sleigh sleigh{{}};
  CHECK_THROWS_WITH(with_friction(sleigh, 1.0, 0.0), ContainsSubstring("LinearFriction: epsilon = 0"));
  CHECK_THROWS_WITH(with_friction(sleigh, -1.0, 0.1), ContainsSubstring("LinearFriction: coefficient = -1"));
  CHECK_THROWS_AS(with_friction(sleigh, std::nan(""), 0.1), std::invalid_argument);
  CHECK_THROWS_AS(with_friction(sleigh, 1.0, std::nan("")), std::invalid_argument);
  const systems::RollingBall<> ball{{}};
  Mat<double, 2> nu;
  nu << 1, 2, 2, 1;
  CHECK_THROWS_WITH(with_friction(ball, nu, 0.1), ContainsSubstring("positive definite"));
  nu << 1, 0.5, 0, 1;
  CHECK_THROWS_WITH(with_friction(ball, nu, 0.1), ContainsSubstring("symmetric"));
  CHECK_THROWS_WITH(with_friction(sleigh, RegularisedCoulomb<double>{.strength = 0, .epsilon = 1}),
                    ContainsSubstring("RegularisedCoulomb: strength = 0"));
}

}  // namespace friction_test
