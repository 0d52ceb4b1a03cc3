// Constraints whose reactions act along other rows than they hold: the structured solver against the dense one, and what keeps its order.

#include <array>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/integrate/verlet.hpp>

#include "support/catch.hpp"
#include "support/dense_twin.hpp"
#include "support/turned_reactions.hpp"

namespace reactions_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Vec3 = Vec<double, 3>;
using test::Blade, test::RollingBall, test::slant;

/// The rates of both solvers in a state that moves as its rows have it, or does not.
template <class Joint>
void check_against_dense(const Body::Parameters& p, const Joint& joint, const SO3<double>& turn,
                         const Vec3& r, const Vec3& v, const Vec3& w) {
  const Assembly problem{bodies(std::vector{Body(p)}), constraints(std::vector{joint})};
  using Twin = test::DenseReactingTwin<1, Joint, 1>;
  const LagrangeDAlembert dense{Twin{{{{p}, {joint}}}}};
  auto chain = problem.template bodies<0>()[0].at(r, turn);
  chain.set_velocity(0, v, w);
  const auto x = problem.state({chain});
  typename Twin::Group g;
  g[0] = Product<SO3<double>, Rn<double, 3>>(turn, Rn<double, 3>(r));
  Vec<double, 6> xi;
  xi << w, v;
  const auto y = dense.state(g, xi);
  auto of_x = problem.make_rates();
  auto of_y = dense.make_rates();
  problem.rates(x, of_x);
  dense.rates(y, of_y);
  REQUIRE(of_x.lambda.size() == of_y.lambda.size());
  const double size = 1 + of_y.lambda.template lpNorm<Eigen::Infinity>();
  CHECK((of_x.lambda - of_y.lambda).template lpNorm<Eigen::Infinity>() < 1e-13 * size);
  for (int i = 0; i < 3; ++i) {
    CHECK(std::abs(of_x.xidot[0](0, 3 + i) - of_y.xidot[i]) < 1e-12 * size);
    CHECK(std::abs(of_x.xidot[0](0, i) - of_y.xidot[3 + i]) < 1e-12 * size);
  }
  const auto of_structured = problem.power(x, of_x);
  const auto of_dense = dense.power(y, of_y);
  CHECK(std::abs(of_structured.constraint - of_dense.constraint) < 1e-12 * size);
  CHECK(std::abs(of_structured.constraint) > 1e-3);  // they do work
}

const Body::Parameters edge{.mass = 1.7, .inertia = {0.4, 0.5, 0.6}, .gravity = {1, 0.5, -9.81}};
const Blade blade{{0, 0, {-0.3, 0.1, 0}}};
const Body::Parameters ball{.mass = 1.2, .inertia = {0.04, 0.05, 0.06}, .gravity = {2, -1, -9.81}};

TEST_CASE("a knife edge with a slanted reaction has the multipliers of the dense solver",
          "[assembly][reactions]") {
  std::mt19937 engine{test::seed()};
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int i = 0; i < 5; ++i)
    check_against_dense(edge, blade, SO3<double>::exp(Vec3(0, 0, 3 * draw(engine))),
                        {draw(engine), draw(engine), 0}, {2 + draw(engine), draw(engine), 0},
                        {0, 0, 2 + draw(engine)});
}

TEST_CASE("a ball with a slanted reaction has the multipliers of the dense solver", "[assembly][reactions]") {
  std::mt19937 engine{test::seed()};
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int i = 0; i < 5; ++i)
    check_against_dense(ball, RollingBall{{0}},
                        SO3<double>::exp(3 * Vec3(draw(engine), draw(engine), draw(engine))),
                        {draw(engine), draw(engine), 0.3}, {1 + draw(engine), draw(engine), 0},
                        {draw(engine), 2 + draw(engine), draw(engine)});
}

/// Orders of `verlet` from four runs, and the balance of power over the finest.
template <class Joint>
void check_order(const Body::Parameters& p, const Joint& joint, const Chain<double>& chain) {
  const Assembly problem{bodies(std::vector{Body(p)}), constraints(std::vector{joint})};
  auto start = problem.state({chain});
  problem.project(start);
  auto reference = start;
  drive(DormandPrince853{}, problem, reference, {.step = 1e-3, .until = 0.5});
  std::array<double, 4> errors{};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    auto x = start;
    drive(Verlet{}, problem, x, {.step = 4e-3 / (1 << i), .until = 0.5});
    CHECK(problem.constraint(x).velocity < 1e-13);
    CHECK(problem.constraint(x).position < 1e-15);
    errors[i] = (x[0].position(0) - reference[0].position(0)).norm() +
                (x[0].angular_velocity(0) - reference[0].angular_velocity(0)).norm();
  }
  for (std::size_t i = 0; i + 1 < errors.size(); ++i)
    CHECK(std::abs(std::log2(errors[i] / errors[i + 1]) - 2) < 0.15);
  auto x = start;
  auto r = problem.make_rates();
  const auto power = [&] {
    problem.rates(x, r);
    return problem.power(x, r).constraint;
  };
  const double energy = problem.energy(x);
  double work = 0;
  for (int i = 0; i < 500; ++i) {
    const double before = power();
    drive(DormandPrince853{}, problem, x, {.step = 1e-3, .until = x.time + 1e-3});
    work += (before + power()) / 2 * 1e-3;
  }
  CHECK(std::abs(work) > 1e-2);
  CHECK(std::abs(problem.energy(x) - energy - work) < 1e-5 * std::abs(work) + 1e-7);
}

TEST_CASE("verlet is of order 2 on a knife edge with a slanted reaction", "[assembly][reactions]") {
  auto chain = Body(edge).at({0, 0, 0}, SO3<double>::exp(Vec3(0, 0, 0.4)));
  chain.set_velocity(0, {1, 0.3, 0}, {0, 0, 1.5});
  check_order(edge, blade, chain);
}

TEST_CASE("verlet is of order 2 on a ball with a slanted reaction", "[assembly][reactions]") {
  auto chain = Body(ball).at({0, 0, 0.3}, SO3<double>::exp(Vec3(0.3, 0.2, 0.4)));
  chain.set_velocity(0, {1, 0.3, 0}, {0.5, 2, 1.5});
  check_order(ball, RollingBall{{0}}, chain);
}

TEST_CASE("all that a step of verlet gives to a ball comes from gravity and along its reactions",
          "[assembly][reactions]") {
  const Body::Parameters p{.mass = 1.2, .inertia = {0.05, 0.05, 0.05}, .gravity = {2, -1, -9.81}};
  const Body body(p);
  for (const std::size_t copies : {std::size_t{1}, std::size_t{2}}) {  // solved alone, and together
    CAPTURE(copies);
    const Assembly problem{bodies(std::vector{body}), constraints(std::vector(copies, RollingBall{{0}}))};
    auto chain = body.at({0, 0, 0.3}, SO3<double>::exp(Vec3(0.3, 0.2, 0.4)));
    chain.set_velocity(0, {1, 0.3, 0}, {0.5, 2, 1.5});
    auto x = problem.state({chain});
    problem.project(x);
    const auto momenta = [&](const auto& at) {
      const auto& c = at[0];
      Vec<double, 6> both;
      both << p.mass * c.linear_velocity(0), p.inertia[0] * c.rotation(0).act(c.angular_velocity(0));
      return both;
    };
    const double h = 0.01;
    auto stepper = Verlet{}.stepper(problem, x);
    for (int i = 0; i < 20; ++i) {
      const auto before = momenta(x);
      REQUIRE(stepper.step(problem, x, h).converged);
      const Vec<double, 6> given = momenta(x) - before;
      const Vec3 force = given.head<3>() / h - p.mass * p.gravity, torque = given.tail<3>() / h;
      const double first = -torque[1] / RollingBall::radius, second = torque[0] / RollingBall::radius;
      CHECK(std::abs(first) + std::abs(second) > 0.1);
      CHECK(std::abs(force[0] - std::cos(slant) * first + std::sin(slant) * second) < 1e-11);
      CHECK(std::abs(force[1] - std::sin(slant) * first - std::cos(slant) * second) < 1e-11);
    }
  }
}

TEST_CASE("a repair goes the shortest way in the kinetic metric, whatever the reactions",
          "[assembly][reactions]") {
  const Assembly problem{bodies(std::vector{Body(edge)}), constraints(std::vector{blade})};
  auto chain = Body(edge).at({0.2, -0.1, 0}, SO3<double>::exp(Vec3(0, 0, 0.7)));
  chain.set_velocity(0, {1, 0.3, 0.2}, {0.3, -0.2, 1.5});
  auto x = problem.state({chain});
  const auto before = x;
  const auto done = problem.project(x);
  CHECK(problem.constraint(x).velocity < 1e-14);
  const auto product = [&](const auto& a, const auto& b) {
    double sum = 0;
    for (int i = 0; i < 6; ++i) sum += (i < 3 ? edge.mass : edge.inertia[i - 3]) * a(0, i) * b(0, i);
    return sum;
  };
  const rod::Columns<double, 6> change = x[0].velocity - before[0].velocity;
  CHECK(std::abs(std::sqrt(product(change, change)) - done.moved) < 1e-13);
  CHECK(std::abs(product(change, x[0].velocity)) < 1e-13);  // at right angles to all that the rows allow
  auto again = x;
  CHECK(problem.project(again).moved < 1e-14);
}

}  // namespace reactions_test
