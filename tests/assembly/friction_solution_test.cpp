// The structured solution of equations of which some rows are friction, beside a dense one.

#include <dalembert/assembly/detail/friction_solution.hpp>

#include <cmath>
#include <tuple>
#include <vector>

#include <dalembert/contact/friction.hpp>

#include "support/catch.hpp"
#include "support/dense_system.hpp"
#include "support/links.hpp"

namespace friction_solution_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Column = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Rubbing = contact::Frictional<test::Ways>;
using test::between_nodes;

/// Friction that shares a node with exact rows, more of it that is solved in closed form, and exact rows that
/// react along others.
struct Scene : test::DenseSystem<Rubbing, test::Blades, test::Slanted> {
  explicit Scene(double epsilon)
      : DenseSystem(test::seed(), {2, 1, 1, 1, 1, 1, 1}, [&](test::Draw& draw) {
          std::vector rubbing{between_nodes<Rubbing>(draw, 0, 1, 1, 0),
                              between_nodes<Rubbing>(draw, 3, 0, 4, 0)};
          rubbing[0].epsilon = epsilon;
          rubbing[1].epsilon = 3 * epsilon;
          return Links{rubbing,
                       {between_nodes<test::Blades>(draw, 1, 0, 2, 0)},
                       {between_nodes<test::Slanted>(draw, 5, 0, 6, 0)}};
        }) {
    E = T() * (Column(8) << epsilon, epsilon, 3 * epsilon, 3 * epsilon, 0, 0, 0, 0).finished().asDiagonal();
  }
  Matrix T() const { return Matrix::Identity(8, 8) - exact; }
  /// Its multipliers are exact rows' reactions to all loads, and friction of the slip, or none of that.
  void check_reactions(const Column& f, const Column& lambda, const Column& loads, bool with_friction) const {
    CHECK((loads - f - V.transpose() * lambda).norm() < 1e-12 * (1 + lambda.norm()));
    const Column rest = E * lambda + (with_friction ? 1.0 : 0.0) * T() * slip();
    CHECK(rest.norm() < 1e-11 * (1 + slip().norm()));
    CHECK((exact * (A * accelerations(loads) + drift)).norm() < 1e-11 * (1 + lambda.norm()));
  }

  Matrix E;  ///< εT
};

TEST_CASE("in a state friction is a load, to which the exact rows react with all others",
          "[assembly][friction]") {
  for (const double epsilon : {0.02, 1.0, 30.0}) {
    CAPTURE(epsilon);
    Scene at(epsilon);
    auto solution = at.solution();
    solution.evaluate(at.x);
    const Column f = at.random(at.size);
    auto loads = at.numbers(f), room = at.none();
    Column lambda = Column::Zero(8), zdot;
    const auto report = solution.solve_multipliers(at.x, loads, room, lambda, zdot);
    CHECK(report.clusters == 3);
    at.check_reactions(f, lambda, at.column(loads), true);
    // and to more loads without it
    Column more = Column::Zero(8);
    auto g = at.numbers(f);
    solution.react_to_more(at.x, g, room, more, zdot);
    at.check_reactions(f, more, at.column(g), false);
  }
}

/// f(scene, its solution in its state, step) for weak to strong friction and short to long steps.
template <class F>
void each_case(const F& f) {
  for (const double epsilon : {0.02, 1.0, 30.0})
    for (const double h : {1e-3, 0.7}) {
      CAPTURE(epsilon, h);
      Scene at(epsilon);
      auto solution = at.solution();
      solution.evaluate(at.x);
      f(at, solution, h);
    }
}

TEST_CASE("at the beginning of a step friction acts as it goes on in it", "[assembly][friction]") {
  each_case([](Scene& at, auto& solution, double h) {
    const Column f = at.random(at.size), a = at.A * at.accelerations(f) + at.drift;
    auto loads = at.numbers(f), room = at.none();
    Column lambda = Column::Zero(8), zdot;
    solution.react_in_step(at.x, loads, room, lambda, zdot, h);
    const auto system = (at.E + h * at.system()).fullPivLu();
    const Column first = system.solve(-(at.T() * at.slip() + h * a)),
                 second = system.solve(at.E * first - h * a), wanted = 2 * first - second;
    CHECK((lambda - wanted).norm() < 1e-10 * wanted.norm());
    CHECK((at.column(loads) - f - at.V.transpose() * wanted).norm() < 1e-10 * wanted.norm());
    // the systems of the state are found again
    solution.find_exact(at.x);
    auto again = at.numbers(f);
    solution.solve_multipliers(at.x, again, room, lambda, zdot);
    at.check_reactions(f, lambda, at.column(again), true);
  });
}

TEST_CASE("at the end of a step friction acts for half of it, exact rows at once", "[assembly][friction]") {
  each_case([](Scene& at, auto& solution, double h) {
    State<double> y = at.x, z = at.x;
    const Column p = (at.E + h / 2 * at.system()).fullPivLu().solve(-h / 2 * at.slip());
    const Column wanted = at.inverse().cwiseProduct(at.V.transpose() * p);
    CHECK(solution.project_in_step(y, h).moved > 0);
    CHECK((at.velocity(y) - at.velocity() - wanted).norm() < 1e-10 * (1 + wanted.norm()));
    CHECK((at.exact * (at.A * at.velocity(y) + at.known)).norm() < 1e-11 * (1 + at.slip().norm()));
    // with the reactions there, and loads as they are
    at.work.parts[0].step = h;
    const Column f = at.random(at.size);
    auto loads = at.numbers(f), room = at.none();
    Column lambda = Column::Zero(8), zdot;
    SolveReport report;
    solution.project_and_react(z, loads, room, lambda, zdot, report);
    CHECK((at.velocity(z) - at.velocity(y)).norm() < 1e-12);
    CHECK(at.column(loads) == f);
    CHECK(report.clusters == 3);
    at.x = z;
    at.find();
    at.check_reactions(f, lambda, f + at.V.transpose() * lambda, true);
  });
}

}  // namespace friction_solution_test
