// One part of an assembly, whose bodies and constraints do not act on those of others.

#include <dalembert/assembly/part.hpp>

#include <cmath>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/string/grid_contact.hpp>

#include "support/catch.hpp"
#include "support/dense_nodes.hpp"
#include "support/links.hpp"

namespace part_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Column = Eigen::VectorXd;
using test::LooseNodes;

/// Two chains, each too long to be in one part with the other, and a constraint on each.
template <class C>
struct Scene : test::DenseNodes {
  std::vector<C> links{test::between_nodes<C>(set.draw, 0, 3, 0, 200),
                       test::between_nodes<C>(set.draw, 1, 299, 1, 5)};
  Assembly<Kinds<LooseNodes>, Kinds<C>> problem;

  template <class Change>
  explicit Scene(const Change& change) : DenseNodes(test::seed(), {300, 300}, 0), problem(make(change)) {
    x = problem.state(x);
    x.time = 0.7;
    problem.project(x);
  }
  template <class Change>
  Assembly<Kinds<LooseNodes>, Kinds<C>> make(const Change& change) {
    for (auto& link : links) change(link);
    return Assembly(assembly::bodies(set.bodies), assembly::constraints(links));
  }
};

TEST_CASE("a part steps its own bodies and no others, in one pass as piece by piece", "[assembly][part]") {
  Scene<test::Leash> scene([](auto&) {});
  const auto& problem = scene.problem;
  REQUIRE(problem.parts() == 2);
  const double h = 1e-2;
  auto loads = problem.make_loads(), apart = loads;
  const auto part = problem.part(1);
  CHECK(part.nodes() == 300);
  part.locate(scene.x, loads);
  part.add_constraint_forces(scene.x, loads);
  CHECK(loads.lambda[0] == 0);
  CHECK(std::abs(loads.lambda[1]) > 1e-3);
  const assembly::detail::PlacedConstraint<test::Leash> placed(scene.links[1], scene.x, 0);
  const Column force = scene.rows(placed).transpose() * Column::Constant(1, loads.lambda[1]);
  CHECK((scene.column(loads.forces) - force).norm() < 1e-13 * force.norm());
  apart = loads;
  auto next = scene.x, by_pieces = scene.x;
  next.time = scene.x.time + h;
  part.begin_step(scene.x, loads, h, next, OneByOne{});
  part.kick_drift(scene.x, apart, h / 2, h, by_pieces);
  CHECK(by_pieces.time == scene.x.time + h);
  CHECK(scene.displacement(by_pieces).tail(1800).norm() > 0.1 * h);
  CHECK(part.project_position(next, h, loads).converged);
  const Column open = scene.displacement(by_pieces), fast = scene.velocity(by_pieces);
  CHECK(part.project_position(by_pieces, h, apart).converged);
  const Column closed = scene.displacement(by_pieces) - open;
  const auto moves = [&](const Column& c) {  // what moves nodes, without what turns them
    Column all = c;
    for (Eigen::Index i = 0; i < all.size(); ++i)
      if (i % 6 >= 3) all[i] = 0;
    return all;
  };
  CHECK(moves(closed).norm() > 1e-9);
  CHECK((moves(scene.velocity(by_pieces) - fast) - moves(closed) / h).norm() < 1e-5 * closed.norm() / h);
  part.end_step(next, loads, h, OneByOne{});
  part.loads(by_pieces, apart);
  part.kick(by_pieces, apart, h / 2);
  CHECK(part.finish_step(next, loads).converged);
  CHECK(part.finish_step(by_pieces, apart).converged);
  CHECK((scene.displacement(next) - scene.displacement(by_pieces)).norm() < 1e-15);
  CHECK((scene.velocity(next) - scene.velocity(by_pieces)).norm() < 1e-14);
  CHECK(problem.row_errors(next)[1] == Approx(0).margin(1e-14));
  CHECK(std::abs(problem.row_velocities(next)[1]) < 1e-14);
  CHECK(scene.displacement(next).head(1800).norm() == 0);
  CHECK((scene.velocity(next) - scene.velocity()).head(1800).norm() == 0);
  CHECK(loads.lambda[0] == 0);
}

TEST_CASE("forces of a kick are those of the part's multipliers, friction as it goes on in the step",
          "[assembly][part]") {
  using Rubbing = contact::Frictional<test::Ways>;
  Scene<Rubbing> scene([](auto& link) { link.epsilon = 0.2; });
  const auto& problem = scene.problem;
  auto loads = problem.make_loads(), now = loads;
  const auto part = problem.part(0);
  part.locate(scene.x, loads);
  part.add_constraint_forces_of_step(scene.x, loads, 0.5);
  const assembly::detail::PlacedConstraint<Rubbing> placed(scene.links[0], scene.x, 0);
  const Column force = scene.rows(placed).transpose() * loads.lambda.head<2>();
  CHECK((scene.column(loads.forces) - force).norm() < 1e-13 * force.norm());
  CHECK(loads.lambda.tail<2>().norm() == 0);
  // in no time, it is that of the state; in half a second it has fallen
  const auto friction = [&](double h) {
    auto l = problem.make_loads();
    part.locate(scene.x, l);
    part.add_constraint_forces_of_step(scene.x, l, h);
    return Column(l.lambda.head<2>());
  };
  part.locate(scene.x, now);
  part.add_constraint_forces(scene.x, now);
  const Column at_once = now.lambda.head<2>();
  loads.forces.set_zero();
  part.add_constraint_forces(scene.x, loads);  // which finds the systems of the state again
  CHECK((loads.lambda.head<2>() - at_once).norm() < 1e-12 * at_once.norm());
  assembly::detail::PlacedConstraint<Rubbing> moving = placed;
  find_rates(scene.links[0], scene.x, moving.weights.data(), moving.evaluation);
  const auto a = scene.rows(placed);
  const auto T = (Eigen::Matrix2d::Identity() - moving.evaluation.friction.exact).eval();
  const Column slip = a * scene.velocity() + Column(moving.evaluation.known),
               rate = a * scene.accelerations(Column::Zero(scene.size)) + Column(moving.evaluation.drift);
  // (E + hG) λ₁ = −(T u + h a), (E + hG) λ₂ = E λ₁ − h a, λ = 2λ₁ − λ₂
  const double h = 0.5;
  const auto system = (0.2 * T + h * a * scene.inverse().asDiagonal() * a.transpose()).fullPivLu();
  const Column first = system.solve(-(T * slip + h * rate)),
               second = system.solve(0.2 * T * first - h * rate);
  CHECK((friction(h) - (2 * first - second)).norm() < 1e-10 * first.norm());
  CHECK((friction(1e-6) - at_once).norm() < 1e-4 * at_once.norm());
  CHECK((friction(0.5) - at_once).norm() > 1e-2 * at_once.norm());
}

/// A string by itself, or two in a contact.
struct Strings {
  using String = strings::GridString<double>;
  using Contact = strings::GridContact<double>;
  String one{{.c = 1.2, .points = 40, .density = 0.7}}, other{{.c = 0.8, .points = 48, .density = 1.6}};
  test::Draw draw{test::seed()};

  std::vector<Line<double>> lines() {
    std::vector<Line<double>> all{one.line({}), other.line({})};
    for (auto& line : all) {
      for (double& u : line.displacement) u = draw.between(-0.02, 0.02);
      for (double& v : line.velocity) v = draw.between(-0.3, 0.3);
    }
    hold(one, all[0], 0.0);
    hold(other, all[1], 0.0);
    return all;
  }
};

TEST_CASE("strings that step in one sweep get what a contact does to them as if they were kicked",
          "[assembly][part]") {
  Strings scene;
  const double h = 0.01;
  const auto run = [&](const auto& problem, const auto& at, bool sweep) {
    auto l = problem.make_loads();
    const auto part = problem.part(0);
    auto next = at;
    next.time = at.time + h;
    part.locate(at, l);
    part.loads(at, l);
    part.add_constraint_forces(at, l);
    if (sweep)
      part.begin_step(at, l, h, next, OneByOne{});
    else
      part.kick_drift(at, l, h / 2, h, next);
    (void)part.project_position(next, h, l);
    if (sweep) {
      part.end_step(next, l, h, OneByOne{});
    } else {
      part.loads(next, l);
      part.kick(next, l, h / 2);
    }
    (void)part.finish_step(next, l);
    return std::pair{next, l};
  };
  const auto check = [&](const auto& problem, const auto& at) {
    const auto [x, l] = run(problem, at, true);
    const auto [y, m] = run(problem, at, false);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK((x.lines[i].displacement - y.lines[i].displacement).norm() < 1e-14);
      CHECK((x.lines[i].velocity - y.lines[i].velocity).norm() < 1e-13);
      CHECK((x.lines[i].displacement - at.lines[i].displacement).norm() > 1e-4);
    }
    for (Eigen::Index i = 0; i < l.lambda.size(); ++i) CHECK(l.lambda[i] == Approx(m.lambda[i]));
  };
  const auto bodies = assembly::bodies(std::vector{scene.one, scene.other});
  const Assembly free{bodies};
  check(free, free.state(scene.lines()));
  const Strings::Contact contact{{0, scene.one, 0.3}, {1, scene.other, 0.3}, 1.5, 0.4, 0.3};
  const Assembly joined{bodies, assembly::constraints(std::vector{contact})};
  auto x = joined.state(scene.lines(), Vec<double, 2>(2.0, 2.7));
  joined.project(x);
  check(joined, x);
}

}  // namespace part_test
