// What the constraints of one kind do in the solution, beside dense matrices.

#include <dalembert/assembly/detail/constraints_of_kind.hpp>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/dense_system.hpp"
#include "support/links.hpp"
#include "support/on_axis.hpp"

namespace constraints_of_kind_test {

using namespace dalembert;
using namespace dalembert::assembly;
using namespace dalembert::assembly::detail;
using Column = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using test::between_nodes;

/// Of one kind a constraint that is solved alone, then two that share a node; of another kind one alone, that
/// has no closed form.
struct Scene : test::DenseSystem<test::Ways, test::Slanted> {
  typename List::Kinds kinds = list.kinds_of_part(0, work);
  ConstraintKind<double>& ways = *kinds.view()[0];
  ConstraintKind<double>& slanted = *kinds.view()[1];
  std::vector<std::size_t> groups;

  Scene()
      : DenseSystem(test::seed(), {2, 1, 1, 1, 1, 1, 1}, [](test::Draw& draw) {
          return Links{
              {between_nodes<test::Ways>(draw, 0, 1, 1, 0), between_nodes<test::Ways>(draw, 2, 0, 3, 0),
               between_nodes<test::Ways>(draw, 3, 0, 4, 0)},
              {between_nodes<test::Slanted>(draw, 5, 0, 6, 0)}};
        }) {
    list.find_places(x, work);
    ways.find_systems(x, nodes(), groups);
    slanted.find_systems(x, nodes(), groups);
    work.mu.setConstant(99);
    work.known.setConstant(99);
  }
  Reaction<double> reaction(Numbers& f, Column& lambda, Column& zdot) {
    return {x, n_, nullptr, f, lambda, zdot};
  }
  /// Rows 0 and 1 are those that are solved alone.
  Column alone(const Column& right) const {
    return -system().topLeftCorner<2, 2>().ldlt().solve(right.head<2>());
  }

 private:
  assembly::detail::Nodes<double> n_ = nodes();
};

TEST_CASE("a constraint alone has a closed form, or is a group of its own; others wait for their cluster",
          "[assembly][constraints_of_kind]") {
  Scene at;
  CHECK(at.groups == std::vector{at.slanted.nodes(0).state.cluster});
  CHECK(at.ways.nodes(0).state.has_closed_form());
  CHECK(at.ways.nodes(1).state.shares_nodes());
  CHECK(at.ways.nodes(1).state.tangent);  // it has no places that slide
  CHECK(at.ways.find_system(0, at.x, at.nodes()));
  CHECK(!at.ways.find_system(2, at.x, at.nodes()));
  CHECK(!at.slanted.find_system(0, at.x, at.nodes()));
  CHECK(at.ways.nodes(1).windows[1].body == 3);
  const auto view = at.ways.view(2);
  CHECK(view.row == 4);
  CHECK(view.position == 2);
  CHECK(at.slanted.view(0).row == 6);
  CHECK(at.ways.size() == 3);
  CHECK(at.slanted.index() == 3);
  CHECK(at.ways.name_of_row(5, false) == "row 1 [m] of Ways 2 (body 3, body 4)");
  CHECK(at.ways.name_of_row(1, true) == "position row 0 of Ways 1 (body 2, body 3)");
  CHECK(at.ways.name_of_row(6, false).empty());
  CHECK(at.ways.name_of_row(3, true).empty());
  CHECK(at.slanted.name_of_row(7, false) == "row 1 [m] of Slanted 0 (body 5, body 6)");
}

TEST_CASE("reactions of one that is solved alone are found at once, the right sides of others are put",
          "[assembly][constraints_of_kind]") {
  Scene at;
  const Column f = at.random(at.size), u = at.A * at.accelerations(f) + at.drift;
  auto loads = at.numbers(f);
  Column lambda = Column::Constant(8, 50), zdot;
  const auto r = at.reaction(loads, lambda, zdot);
  at.ways.accelerate(r);
  const Column mu = at.alone(u);
  CHECK((lambda.head<2>() - mu).norm() < 1e-12 * mu.norm());
  CHECK(lambda.tail<6>() == Column::Constant(6, 50));
  CHECK((at.work.mu.segment<4>(2) + u.segment<4>(2)).norm() < 1e-12 * u.norm());
  CHECK(at.work.mu[0] == 99);
  CHECK(at.work.mu[6] == 99);  // of the other kind
  Column with = f + at.A.topRows<2>().transpose() * mu;
  CHECK((at.column(loads) - with).norm() < 1e-12 * mu.norm());
  // first and more reactions of the others, and what is left of their rows then
  const Column some = at.random(8);
  at.work.mu = some;
  at.ways.add_reactions(r, true);
  at.ways.add_reactions(r, false);
  with += 2 * at.A.middleRows<4>(2).transpose() * some.segment<4>(2);
  CHECK((lambda.segment<4>(2) - 2 * some.segment<4>(2)).norm() < 1e-14);
  CHECK((at.column(loads) - with).norm() < 1e-12 * with.norm());
  at.ways.find_rest(r);
  const Column rest = at.A * at.accelerations(with) + at.drift;
  CHECK((at.work.mu.segment<4>(2) + rest.segment<4>(2)).norm() < 1e-12 * rest.norm());
  // of given accelerations, where motions are prescribed
  const Column a = at.random(at.size);
  auto given = at.numbers(a);
  const auto n = at.nodes();
  const Reaction<double> led{at.x, n, &given, loads, lambda, zdot};
  at.ways.find_rest(led);
  CHECK((at.work.mu.segment<4>(2) + (at.A * a + at.drift).segment<4>(2)).norm() < 1e-12 * (1 + a.norm()));
}

TEST_CASE("drifts, slips and errors are put where their rows are", "[assembly][constraints_of_kind]") {
  Scene at;
  at.list.each(at.work, [&]<class K>(const K& c, Evaluation<K>& e, const Slot&) {
    find_rates(c, at.x, at.work.weights.data(), e);
  });
  at.ways.put_drifts();
  CHECK((at.work.known.segment<4>(2) - at.drift.segment<4>(2)).norm() < 1e-13);
  CHECK(at.work.known[1] == 99);
  at.slanted.put_slips(at.nodes());
  CHECK((at.work.known.tail<2>() - at.slip().tail<2>()).norm() < 1e-13);
  CHECK((at.work.known.segment<4>(2) - at.drift.segment<4>(2)).norm() < 1e-13);
  at.ways.put_errors(2);
  CHECK(at.work.push[2] == at.error[2]);
  CHECK(at.work.push[0] == 0);
}

TEST_CASE("a projection stops one that is solved alone, and notes how the others move",
          "[assembly][constraints_of_kind]") {
  Scene at;
  const Column u = at.slip(), mu = at.alone(u), m = at.inverse();
  State<double> y = at.x;
  double square = 0;
  const assembly::detail::Nodes<double> n{y.chains, y.lines, at.set.inertia, at.work.weights.data()};
  at.ways.project_velocities(y, n, Along::reactions, square);
  CHECK((at.velocity(y) - at.velocity() - m.cwiseProduct(at.A.topRows<2>().transpose() * mu)).norm() < 1e-12);
  CHECK(square == Approx(-mu.dot(u.head<2>())));
  CHECK((at.work.mu.segment<4>(2) + u.segment<4>(2)).norm() < 1e-13);
  CHECK((at.work.known.segment<4>(2) - u.segment<4>(2)).norm() < 1e-13);
  const Column before = at.velocity(y), some = at.random(8);
  at.work.mu = at.work.known = some;
  square = 0;
  at.ways.add_impulses(y, n, Along::reactions, square);
  const Column kick = m.cwiseProduct(at.A.middleRows<4>(2).transpose() * some.segment<4>(2));
  CHECK((at.velocity(y) - before - kick).norm() < 1e-13);
  CHECK(square == Approx(some.segment<4>(2).squaredNorm()));
  for (const Along along : {Along::reactions, Along::rows}) {
    State<double> z = at.x;
    const Matrix& pulls = along == Along::rows ? at.A : at.V;
    const assembly::detail::Nodes<double> of{z.chains, z.lines, at.set.inertia, at.work.weights.data()};
    at.slanted.add_impulses(z, of, along, square);
    CHECK(
        (at.velocity(z) - at.velocity() - m.cwiseProduct(pulls.bottomRows<2>().transpose() * some.tail<2>()))
            .norm() < 1e-13);
  }
}

TEST_CASE("a place moves as its tangency asks for, from where it was found",
          "[assembly][constraints_of_kind]") {
  test::DenseNodes at(test::seed(), {1, 1});
  auto& draw = at.set.draw;
  const test::OnAxis on{{0, 0, draw.vector(), draw.direction(), 2.0}, {1, 0, draw.vector()}};
  at.x.z = Vec<double, 1>(0.7);
  const ConstraintList<double, test::OnAxis> list({{on}}, at.x);
  auto work = list.make_workspace(at.x);
  const auto kinds = list.kinds_of_part(0, work);
  list.find_places(at.x, work);
  std::vector<std::size_t> groups;
  const assembly::detail::Nodes<double> n{at.x.chains, at.x.lines, at.set.inertia, work.weights.data()};
  kinds.view()[0]->find_systems(at.x, n, groups);
  Column lambda = Column::Zero(2), zdot = Column::Zero(1);
  auto loads = at.numbers(Column::Zero(at.size));
  kinds.view()[0]->accelerate({at.x, n, nullptr, loads, lambda, zdot});
  // F = (x_a − x_b)·e, e the axis, of length 1
  PlacedConstraint<test::OnAxis> placed(on, at.x, 0);
  find_velocities(placed.evaluator, at.x, placed.evaluation, placed.weights.data());
  const auto seen = placed.evaluator.now(placed.evaluation.points);
  const Vec<double, 3> e = seen[0].tangent, turning = seen[0].angular_velocity.cross(e);
  const double rate =
      (seen[0].velocity - seen[1].velocity).dot(e) + (seen[0].position - seen[1].position).dot(turning);
  CHECK(zdot[0] == Approx(-rate));
}

}  // namespace constraints_of_kind_test
