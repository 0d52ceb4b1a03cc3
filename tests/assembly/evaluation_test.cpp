// What systems of many constraints see of one, beside the functions of the constraint.

#include <dalembert/assembly/detail/evaluation.hpp>

#include <cmath>

#include <dalembert/contact/friction.hpp>

#include "support/catch.hpp"
#include "support/dense_nodes.hpp"
#include "support/links.hpp"

namespace evaluation_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Column = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// What a constraint says of three nodes that move.
template <class C>
struct Scene : test::DenseNodes {
  C constraint{test::between_nodes<C>(set.draw, 0, 1, 1, 0)};
  PlacedConstraint<C> placed{constraint, x, 0};
  Evaluation<C>& e = placed.evaluation;

  Scene() : DenseNodes(test::seed(), {2, 1}) {
    find_velocities(placed.evaluator, x, e, placed.weights.data());
  }
  /// f(what is seen of the first marker, of the second).
  template <class F>
  auto direct(const F& f) {
    const auto seen = placed.evaluator.now(e.points);
    return f(seen[0], seen[1]);
  }
};

TEST_CASE("rows and those that react are seen where the constraint keeps them, or are the same",
          "[assembly][evaluation]") {
  Scene<test::Slanted> slanted;
  const auto& c = slanted.constraint;
  const auto pulls = slanted.direct([&](const auto& a, const auto& b) { return c.reaction(a, b, 0.7); });
  const auto holds =
      slanted.direct([&](const auto& a, const auto& b) { return c.velocity_constraint(a, b, 0.7); });
  const Column v = slanted.velocity();
  CHECK((slanted.rows(slanted.placed, true) * v - Column(pulls)).norm() < 1e-13);
  CHECK((slanted.rows(slanted.placed) * v + Column(slanted.e.known) - Column(holds)).norm() < 1e-13);
  CHECK(view_of(slanted.e, 0, 0).reacts_elsewhere);

  Scene<test::Ways> ways;
  const auto view = view_of(ways.e, 8, 5);
  CHECK(view.rows == 2);
  CHECK(view.row == 8);
  CHECK(view.positions == 1);
  CHECK(view.position == 5);
  CHECK(view.places == 2);
  CHECK(!view.reacts_elsewhere);
  CHECK(view.shape == nullptr);
  CHECK(ways.rows(ways.placed, true) == ways.rows(ways.placed));
  for (int r = 0; r < 2; ++r) CHECK(view.along[r] == ways.e.along(0, r));
}

TEST_CASE("friction is seen where there is some", "[assembly][evaluation]") {
  Scene<contact::Frictional<test::Ways>> at;
  CHECK(view_of(at.e, 0, 0).shape == nullptr);  // ε = 0: rows are exact
  at.e.friction.find(0.3, at.e.along);
  at.e.friction.set_duration(2, 5);
  const auto view = view_of(at.e, 0, 0);
  REQUIRE(view.shape != nullptr);
  REQUIRE(view.exact != nullptr);
  CHECK(view.resistance == Approx(0.3 * 5 / (2 * 5 + 0.3)));
  for (int i = 0; i < 4; ++i) {
    CHECK(view.shape[i] == at.e.friction.shape.data()[i]);
    CHECK(view.exact[i] == at.e.friction.exact.data()[i]);
  }
}

TEST_CASE("multipliers of positions act as those of rows that they are, and come back from these",
          "[assembly][evaluation]") {
  test::Draw draw(test::seed());
  for (const double size : {1e-6, 1.0, 1e6}) {
    Scene<test::Ways> at;
    at.e.along *= size;
    const Vec<double, 1> m(draw.between(0.5, 1));
    const Vec<double, 2> lambda = reactions_of(at.e, m);
    CHECK((Column(lambda) - Matrix(at.e.along).transpose() * m[0]).norm() < 1e-15 * size);
    CHECK(along_positions(at.e, lambda)[0] == Approx(m[0]).epsilon(1e-12));
    // what lies across is none of them, and what is nearest in multipliers is found
    const Vec<double, 2> across(-lambda[1], lambda[0]);
    CHECK(std::abs(along_positions(at.e, Vec<double, 2>(lambda + across))[0] - m[0]) < 1e-12);
  }
}

TEST_CASE("a constraint shares nodes until it is found alone, with a closed form or none",
          "[assembly][evaluation]") {
  EvaluationState e;
  CHECK(e.shares_nodes());
  CHECK(!e.has_closed_form());
  e.solution = RowSolution::own_cluster;
  CHECK(!e.shares_nodes());
  CHECK(!e.has_closed_form());
  e.solution = RowSolution::closed_form;
  CHECK(!e.shares_nodes());
  CHECK(e.has_closed_form());
}

}  // namespace evaluation_test
