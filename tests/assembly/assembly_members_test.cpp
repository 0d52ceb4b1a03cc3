// States, powers and violations of assemblies, beside their equations.

#include <dalembert/assembly/detail/assembly_members.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <vector>

#include <dalembert/assembly/joints.hpp>
#include <dalembert/assembly/rigid_body.hpp>
#include <dalembert/contact/friction.hpp>
#include <dalembert/rod/body.hpp>

#include "support/catch.hpp"
#include "support/dense_nodes.hpp"
#include "support/links.hpp"
#include "support/rods.hpp"

namespace assembly_members_test {

using namespace dalembert;
using namespace dalembert::assembly;
using Body = RigidBody<double>;
using Rod = rod::ElasticRod<double>;
using Column = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using V3 = Vec<double, 3>;
using Rubbing = contact::Frictional<test::Ways>;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a state takes the starts of bodies in any order, of its own handles, each of them",
          "[assembly][assembly_members]") {
  const Body body({.mass = 1, .inertia = {1, 1, 1}});
  const auto set = bodies(body, body), others = bodies(body, body);
  const auto [a, b] = set.handles();
  const auto [c, d] = others.handles();
  const Assembly problem{set};
  const auto x = problem.state({{b, body.at({2, 0, 0})}, {a, body.at({1, 0, 0})}}, {}, 0.5);
  CHECK(x[a].position(0) == V3(1, 0, 0));
  CHECK(x[b].position(0) == V3(2, 0, 0));
  CHECK(x.time == 0.5);
  CHECK(x.set == set.id());
  CHECK_THROWS_WITH(problem.state({{a, body.at({1, 0, 0})}}),
                    ContainsSubstring("Assembly: body without a start = 1"));
  CHECK_THROWS_WITH(problem.state({{a, body.at({1, 0, 0})}, {d, body.at({1, 0, 0})}}),
                    ContainsSubstring("Assembly: handle = 1"));
  CHECK_THROWS_WITH(problem.state({{b, body.at({1, 0, 0})}, {a, body.at({1, 0, 0})}}, Column::Zero(2)),
                    ContainsSubstring("internal coordinates = 2") && ContainsSubstring("have 0"));
  const double never = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(problem.state({{b, body.at({1, 0, 0})}, {a, body.at({1, 0, 0})}}, {}, never),
                    ContainsSubstring("time = inf"));
}

TEST_CASE("a state that is moved has its held ends in place, its time and internal coordinates",
          "[assembly][assembly_members]") {
  Rod::Parameters p;
  p.start = rod::Boundary<double>::prescribed([](double t) {
    rod::EndMotion<double> m;
    m.position = V3(0.5 * t, 0, 0);
    m.velocity = V3(0.5, 0, 0);
    return m;
  });
  const Rod one = test::soft_rod<Rod>(0.02, 8, p);
  const Assembly problem{bodies(std::vector{one})};
  const auto x = problem.state({one.straight({0, 0, 0}, SO3<double>::identity())});
  CHECK(problem.make_loads().accelerations.size() == 1);  // some are prescribed
  auto by = problem.make_increment();
  by.time = 0.4;
  by.displacement[0](0, 1) = by.displacement[0](3, 1) = 0.01;
  auto y = x;
  problem.retract(x, by, y);
  CHECK(y.time == 0.4);
  CHECK((y[0].position(0) - V3(0.2, 0, 0)).norm() < 1e-15);
  CHECK((y[0].position(3) - x[0].position(3) - V3(0, 0.01, 0)).norm() < 1e-15);
}

/// Constraints between nodes that move anyhow, as an assembly and as matrices.
template <class C>
struct Scene : test::DenseNodes {
  std::vector<C> links = make();
  Assembly<Kinds<test::LooseNodes>, Kinds<C>> problem{assembly::bodies(set.bodies),
                                                      assembly::constraints(links)};
  Matrix A, V;
  Column u, error;  ///< A v + b, and φ
  static constexpr int R = ConstraintTraits<C>::rows, P = ConstraintTraits<C>::positions;

  Scene() : DenseNodes(test::seed(), {2, 1, 1, 1}, 0.3) {
    x = problem.state(x);
    A = V = Matrix::Zero(2 * R, size);
    u = Column::Zero(2 * R);
    error = Column::Zero(2 * P);
    for (int i = 0; i < 2; ++i) {
      const assembly::detail::PlacedConstraint<C> placed(links[static_cast<std::size_t>(i)], x, 0);
      A.middleRows<R>(i * R) = rows(placed);
      V.middleRows<R>(i * R) = rows(placed, true);
      u.segment<R>(i * R) = placed.evaluation.known;
      if constexpr (P > 0) error.segment<P>(i * P) = placed.evaluation.error;
    }
    u += A * velocity();
  }
  std::vector<C> make() {
    std::vector all{test::between_nodes<C>(set.draw, 0, 1, 1, 0),
                    test::between_nodes<C>(set.draw, 2, 0, 3, 0)};
    if constexpr (requires { all[0].epsilon; }) all[0].epsilon = 0.2, all[1].epsilon = 0.7;
    return all;
  }
};

template <class C>
void check_power() {
  CAPTURE(C::name);
  const Scene<C> at;
  auto rates = at.problem.make_rates();
  at.problem.rates(at.x, rates);
  const Column a = at.column(rates.xidot), lambda = rates.lambda, v = at.velocity();
  double work = 0;  // vᵀMa
  for (int k = 0; k < at.size; ++k) work += v[k] * a[k] / at.inverse()[k];
  const auto p = at.problem.power(at.x, rates);
  CHECK(p.constraint + p.dissipation + p.load == Approx(work));
  const double damped = -0.6 * at.problem.kinetic_energy(at.x), driven = lambda.dot(at.A * v - at.u);
  CHECK(p.load == Approx(driven));
  double rubbed = 0;
  if constexpr (requires { C::epsilon; })
    for (int i = 0; i < 2; ++i) {  // all but the part along C, which is the same everywhere
      const Eigen::Vector2d along = Eigen::Vector2d(-2, 1).normalized(), s = at.u.template segment<2>(2 * i);
      rubbed += lambda.segment<2>(2 * i).dot(s - along.dot(s) * along);
    }
  CHECK(p.dissipation == Approx(damped + rubbed));
  CHECK((rubbed < -1e-6) == requires { C::epsilon; });
}

TEST_CASE("the powers of constraints, of damping and of loads are all that changes the energy",
          "[assembly][assembly_members]") {
  check_power<test::Ways>();
  check_power<test::Slanted>();
  check_power<Rubbing>();
}

TEST_CASE(
    "a violation is the largest error and the largest velocity that breaks a row, slip under friction "
    "none",
    "[assembly][assembly_members]") {
  const Scene<test::Ways> exact;
  CHECK((Column(exact.problem.row_velocities(exact.x)) - exact.u).norm() < 1e-13);
  CHECK(exact.problem.constraint(exact.x).velocity == Approx(exact.u.lpNorm<Eigen::Infinity>()));
  CHECK(exact.problem.constraint(exact.x).position == Approx(exact.error.lpNorm<Eigen::Infinity>()));
  const Scene<Rubbing> rough;
  CHECK((Column(rough.problem.row_velocities(rough.x)) - rough.u).norm() < 1e-13);
  double most = 0;
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector2d along = Eigen::Vector2d(-2, 1).normalized();
    most = std::max(most, (along.dot(rough.u.segment<2>(2 * i)) * along).lpNorm<Eigen::Infinity>());
  }
  CHECK(rough.problem.constraint(rough.x).velocity == Approx(most));
}

TEST_CASE("a state is projected along the rows, or along those that react", "[assembly][assembly_members]") {
  const Scene<test::Slanted> at;
  for (const Along along : {Along::rows, Along::reactions}) {
    const Matrix& pulls = along == Along::rows ? at.A : at.V;
    const Matrix g = at.A * at.inverse().asDiagonal() * pulls.transpose();
    const Column kick = at.inverse().cwiseProduct(pulls.transpose() * g.fullPivLu().solve(-at.u));
    auto y = at.x;
    auto work = at.problem.make_workspace();
    const auto moved = at.problem.project(y, work, along);
    CHECK((at.velocity(y) - at.velocity() - kick).norm() < 1e-11 * kick.norm());
    CHECK(moved.converged);
    CHECK(moved.moved > 0);
  }
}

}  // namespace assembly_members_test
