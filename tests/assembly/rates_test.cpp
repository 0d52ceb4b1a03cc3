// What is computed of a state has room for the bodies and constraints that it is of.

#include <dalembert/assembly/rates.hpp>

#include <cstddef>
#include <vector>

#include <dalembert/assembly/assembly.hpp>
#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>

#include "support/catch.hpp"
#include "support/dense_nodes.hpp"
#include "support/links.hpp"

namespace rates_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Column = Eigen::VectorXd;

TEST_CASE("rates of one assembly hold what another one's would, and solve (1) with their loads",
          "[assembly][rates]") {
  test::DenseNodes scene(test::seed(), {2, 1, 3});
  const std::vector links{test::between_nodes<test::Ways>(scene.set.draw, 0, 1, 1, 0),
                          test::between_nodes<test::Ways>(scene.set.draw, 2, 2, 1, 0)};
  const Assembly problem{assembly::bodies(scene.set.bodies), assembly::constraints(links)};
  auto rates = problem.make_rates();
  CHECK(rates.lambda.size() == 4);
  CHECK(rates.zdot.size() == 0);
  REQUIRE(rates.xidot.size() == 3);
  const auto loads = problem.make_loads();
  CHECK(loads.lambda.size() == 4);
  CHECK(loads.accelerations.size() == 0);  // no motion is prescribed
  const State<double> x = problem.state(scene.x);
  problem.rates(x, rates);
  rates.loads.set_zero();  // bodies without forces leave them
  problem.rates(x, rates);
  CHECK(rates.report.clusters == 1);
  CHECK(rates.report.redundant_rows == 0);
  // the loads have the constraint forces, and give the accelerations
  Column force = Column::Zero(scene.size), left(4);
  for (std::size_t i = 0; i < 2; ++i) {
    assembly::detail::PlacedConstraint<test::Ways> placed(links[i], x, 0);
    find_velocities(placed.evaluator, x, placed.evaluation, placed.weights.data());
    placed.evaluator.find_drift(placed.evaluation, x);
    const auto a = scene.rows(placed);
    const auto first = static_cast<Eigen::Index>(2 * i);
    force += a.transpose() * rates.lambda.segment<2>(first);
    left.segment<2>(first) = a * scene.column(rates.xidot) + Column(placed.evaluation.drift);
  }
  CHECK(force.norm() > 1e-2);
  CHECK((scene.column(rates.loads) - force).norm() < 1e-13 * force.norm());
  CHECK((scene.column(rates.xidot) - scene.accelerations(force)).norm() < 1e-13 * (1 + force.norm()));
  CHECK(left.norm() < 1e-12 * (1 + force.norm()));
}

TEST_CASE("rates that are copied do not change with the others, and are visited number by number",
          "[assembly][rates]") {
  const RigidBody<double> body{{.mass = 2, .inertia = {1, 1, 1}, .gravity = {0, 0, -10}}};
  const Assembly problem{
      bodies(std::vector{body, body}),
      constraints(std::vector{SphericalJoint<double>{{0}, FrameMarker<double>::in_space({0, 0, 0})}})};
  const auto x = problem.state({body.at({0, 0, 0}), body.at({1, 0, 0})});
  auto rates = problem.make_rates();
  problem.rates(x, rates);
  const auto before = rates;
  struct Visitor {
    std::vector<double> accelerations{}, multipliers{};
    void velocity(double& value) { accelerations.push_back(value); }
    void internal(double&) { FAIL("there are no internal coordinates"); }
    void multiplier(double& value) { multipliers.push_back(value), value = 7; }
  } visitor;
  visit_rates(x, rates, visitor);
  CHECK(visitor.accelerations == std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, -10, 0, 0, 0});
  REQUIRE(visitor.multipliers.size() == 3);
  CHECK(visitor.multipliers[2] == Approx(20));
  CHECK(rates.lambda == Column::Constant(3, 7));
  CHECK(before.lambda[2] == Approx(20));
  CHECK(before.loads[1](0, 2) == -20);
}

}  // namespace rates_test
