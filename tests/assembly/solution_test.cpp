// The structured solution of the equations of constraints, beside a dense one.

#include <dalembert/assembly/detail/solution.hpp>

#include <cmath>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/core/errors.hpp>

#include "support/catch.hpp"
#include "support/dense_system.hpp"
#include "support/links.hpp"

namespace solution_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Column = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Catch::Matchers::ContainsSubstring;
using test::between_nodes;

/// Two constraints that share a node, one that reacts along other rows, and one that is solved in closed
/// form.
struct Mixed : test::DenseSystem<test::Ways, test::Blades, test::Slanted, test::Leash> {
  Mixed()
      : DenseSystem(test::seed(), {2, 1, 1, 1, 1, 1, 1}, [](test::Draw& draw) {
          return Links{{between_nodes<test::Ways>(draw, 0, 1, 1, 0)},
                       {between_nodes<test::Blades>(draw, 1, 0, 2, 0)},
                       {between_nodes<test::Slanted>(draw, 3, 0, 4, 0)},
                       {between_nodes<test::Leash>(draw, 5, 0, 6, 0)}};
        }) {}
};

TEST_CASE("multipliers are those of the dense system, and their forces are among the loads",
          "[assembly][solution]") {
  Mixed at;
  auto solution = at.solution();
  solution.evaluate(at.x);
  const Column f = at.random(at.size);
  auto loads = at.numbers(f), room = at.none();
  Column lambda = Column::Zero(at.list.rows()), zdot;
  const auto report = solution.solve_multipliers(at.x, loads, room, lambda, zdot);
  const Column wanted = -at.system().fullPivLu().solve(at.A * at.accelerations(f) + at.drift);
  CHECK((lambda - wanted).norm() < 1e-11 * wanted.norm());
  CHECK((at.column(loads) - f - at.V.transpose() * wanted).norm() < 1e-11 * wanted.norm());
  CHECK(report.clusters == 3);
  CHECK(report.redundant_rows == 0);
  CHECK(at.work.parts[0].groups.size() == 2);  // but for what is solved in closed form
}

TEST_CASE("velocities are projected along the rows that react, or along the rows", "[assembly][solution]") {
  for (const Along along : {Along::reactions, Along::rows}) {
    Mixed at;
    auto solution = at.solution();
    State<double> y = at.x;
    if (along == Along::rows) {
      at.list.find_places(y, at.work);
      REQUIRE(solution.project_positions(y, 0, Along::rows).converged);
      at.x = y;
      at.find();
    } else {
      solution.evaluate(y);
    }
    const Matrix& pulls = along == Along::rows ? at.A : at.V;
    const Matrix g = at.A * at.inverse().asDiagonal() * pulls.transpose();
    const Column mu = -g.fullPivLu().solve(at.slip());
    CHECK(solution.project_velocities(y, along).moved > 0);
    CHECK((at.velocity(y) - at.velocity() - at.inverse().cwiseProduct(pulls.transpose() * mu)).norm() <
          1e-11 * mu.norm());
    CHECK((at.A * at.velocity(y) + at.known).norm() < 1e-12 * (1 + at.slip().norm()));
    CHECK(at.displacement(y).norm() < 1e-15);
  }
}

TEST_CASE("positions are closed along M⁻¹A_VᵀCᵀ, velocities with them, and the rows there are found",
          "[assembly][solution]") {
  Mixed at;
  auto solution = at.solution();
  at.list.find_places(at.x, at.work);
  State<double> y = at.x;
  const auto far = solution.project_positions(y, 0, Along::reactions);
  CHECK(far.converged);
  CHECK(far.iterations > 2);
  CHECK((at.velocity(y) - at.velocity()).norm() == 0);
  CHECK(at.displacement(y).norm() > 1e-3);
  at.x = y;
  at.x.time += 1e-5;  // which opens them
  at.find();
  y = at.x;
  const double per_time = 40;
  const Matrix rows = at.C_ * at.V;
  const Matrix g = rows * at.inverse().asDiagonal() * rows.transpose();
  const Column m = -g.fullPivLu().solve(at.error);
  const Column d = at.inverse().cwiseProduct(rows.transpose() * m);
  const auto near = solution.project_positions(y, 1 / per_time, Along::reactions);
  REQUIRE(at.error.norm() > 1e-7);
  CHECK((at.displacement(y) - d).norm() < 1e-3 * d.norm());
  CHECK((at.velocity(y) - at.velocity() - per_time * at.displacement(y)).norm() < 1e-3 * per_time * d.norm());
  CHECK(near.moved >= std::sqrt(m.dot(g * m)) * (1 - 1e-3));
  at.x = y;
  at.find();
  CHECK(at.error.norm() < 1e-14);
  // so that velocities can be projected at once
  solution.project_velocities(y, Along::reactions);
  CHECK((at.A * at.velocity(y) + at.known).norm() < 1e-12 * (1 + at.slip().norm()));
}

TEST_CASE("a projection and its reactions in one are the same one after the other", "[assembly][solution]") {
  const auto check = [](auto& at) {
    auto solution = at.solution();
    solution.evaluate(at.x);
    auto y = at.x, z = at.x;
    const Column f = at.random(at.size);
    auto one = at.numbers(f), other = one, room = at.none();
    Column lambda = Column::Zero(at.list.rows()), mu = lambda, zdot;
    SolveReport report;
    const auto moved = solution.project_and_react(y, one, room, lambda, zdot, report);
    const auto alone = solution.project_velocities(z, Along::reactions);
    const auto told = solution.solve_multipliers(z, other, room, mu, zdot);
    CHECK(moved.moved == Approx(alone.moved));
    CHECK(report.clusters == told.clusters);
    CHECK((at.velocity(y) - at.velocity(z)).norm() < 1e-13);
    CHECK((lambda - mu).norm() < 1e-12 * mu.norm());
    CHECK((at.column(one) - at.column(other)).norm() < 1e-12 * mu.norm());
    CHECK((at.velocity(y) - at.velocity()).norm() > 1e-3);
    return moved.moved;
  };
  Mixed mixed;
  check(mixed);
  test::DenseSystem<test::Leash> closed(test::seed(), {1, 1}, [](test::Draw& draw) {
    return std::tuple{std::vector{between_nodes<test::Leash>(draw, 0, 0, 1, 0)}};
  });
  const double energy = closed.slip()[0] * closed.slip()[0] / closed.system()(0, 0);
  CHECK(check(closed) == Approx(std::sqrt(energy)));
}

/// Blades that move by another time.
struct Late : test::Blades {
  static constexpr std::string_view name = "Late";
  double delay = 0;
  template <class T>
  Vec<T, 2> velocity_constraint(const FrameState<T>& a, const FrameState<T>& b, const T& t) const {
    return test::Blades::velocity_constraint(a, b, T(t + delay));
  }
};

TEST_CASE("rows that say the same are solved together, rows that contradict each other are refused by name",
          "[assembly][solution]") {
  for (const double delay : {0.0, 1.0}) {
    test::DenseSystem<test::Blades, Late> at(test::seed(), {1, 1}, [&](test::Draw& draw) {
      const auto one = between_nodes<test::Blades>(draw, 0, 0, 1, 0);
      Late other;
      other.first = one.first;
      other.second = one.second;
      other.delay = delay;
      return std::tuple{std::vector{one}, std::vector{other}};
    });
    auto solution = at.solution();
    solution.evaluate(at.x);
    State<double> y = at.x;
    if (delay > 0) {
      CHECK_THROWS_AS(solution.project_velocities(y, Along::reactions), IncompatibleConstraints);
      CHECK_THROWS_WITH(solution.project_velocities(y, Along::reactions),
                        ContainsSubstring("(body 0, body 1) contradicts other rows"));
      continue;
    }
    solution.project_velocities(y, Along::reactions);
    CHECK((at.A * at.velocity(y) + at.known).norm() < 1e-12);
    auto loads = at.numbers(at.random(at.size)), room = at.none();
    Column lambda = Column::Zero(4), zdot;
    CHECK(solution.solve_multipliers(at.x, loads, room, lambda, zdot).redundant_rows == 2);
    const Column a = at.accelerations(at.column(loads));
    CHECK((at.A * a + at.drift).norm() < 1e-11 * (1 + a.norm()));
  }
}

}  // namespace solution_test
