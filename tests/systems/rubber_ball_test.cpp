#include <dalembert/systems/rubber_ball.hpp>

#include <cmath>
#include <stdexcept>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/balls.hpp"
#include "support/catch.hpp"

namespace rubber_ball_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::RubberBall;

static_assert(NonholonomicSystem<RubberBall<double>> && NonholonomicSystem<RubberBall<long double>>);

template <class S>
RubberBall<S> random_ball(laws::Random<S>& random) {
  const S m = random.positive(), radius = random.positive();
  return RubberBall<S>{{.mass = m, .radius = radius, .inertia = test::inertia<S>(random)}};
}

/// (4) of the header.
template <class S, class State>
auto rubber(const RubberBall<S>& ball, const State& state) {
  laws::Expected<RubberBall<S>> expected;
  const auto& p = ball.parameters();
  const Mat<S, 3> turn = state.g.first().matrix();
  const Vec<S, 3> up = turn.row(2).transpose(), W = state.xi.template head<3>();
  const Mat<S, 3> J = p.inertia + p.mass * p.radius * p.radius * Mat<S, 3>::Identity();
  const Mat<S, 3> inverse = J.inverse();
  const Vec<S, 3> momentum = J * W, gyroscopic = momentum.cross(W);
  const S torque = -up.dot(inverse * gyroscopic) / up.dot(inverse * up);
  const Vec<S, 3> Wdot = inverse * (gyroscopic + torque * up), omegadot = turn * Wdot;
  const Vec<S, 2> acceleration = p.radius * Vec<S, 2>(omegadot[1], -omegadot[0]);
  expected.xidot << Wdot, acceleration;
  const Vec<S, 2> force = p.mass * acceleration;
  expected.lambda = Vec<S, 3>(force[0], force[1], torque);
  return expected;
}

TEMPLATE_TEST_CASE("a rubber ball has its closed equations at random states", "[ball]", double, long double) {
  using S = TestType;
  laws::check_rates<RubberBall<S>>(
      random_ball<S>,
      [](const auto& problem, auto& random) {
        const auto g = test::configuration<S>(random);
        return problem.state(g, problem.system().rolling(g, random.template vector<3>()));
      },
      rubber<S, State<typename RubberBall<S>::Group>>);
}

TEST_CASE("the rubber ball's momentum and mass are the derivatives of its Lagrangian", "[ball]") {
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{random_ball(random)};
    const auto g = test::configuration<double>(random);
    const auto state = problem.state(g, problem.system().rolling(g, random.vector<3>()));
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
  }
}

TEST_CASE("the rubber ball keeps its energy and its horizontal momentum, and not the vertical", "[ball]") {
  const RubberBall<> ball{
      {.mass = 1.3, .radius = 0.6, .inertia = Vec<double, 3>(0.15, 0.4, 0.5).asDiagonal()}};
  const LagrangeDAlembert problem{ball};
  laws::Random<double> random;
  const auto g = test::configuration<double>(random);
  const auto start = problem.state(g, ball.rolling(g, {1.4, -0.9, 1.1}));
  const auto in_space = [&](const auto& at) -> Vec<double, 3> {
    return at.g.first().act(ball.contact_momentum(at.xi));
  };
  const Vec<double, 3> momentum = in_space(start);
  const double energy = problem.energy(start);
  CHECK(energy == Approx(0.5 * start.xi.head<3>().dot(ball.contact_momentum(start.xi))).epsilon(1e-14));
  auto state = start;
  double vertical_change = 0;
  drive(RungeKutta4{}, problem, state, {.step = 0.005, .until = 20.0}, [&](const auto&, const auto& at) {
    const Vec<double, 3> now = in_space(at);
    REQUIRE(std::abs(problem.energy(at) - energy) < 1e-9);
    REQUIRE((now - momentum).head<2>().norm() < 1e-9);
    REQUIRE(std::abs(at.xi.template head<3>().dot(ball.vertical(at.g))) < 1e-9);
    vertical_change = std::max(vertical_change, std::abs(now[2] - momentum[2]));
  });
  CHECK(vertical_change > 0.05);
}

/// The ball without the torque against its spin: the principle of Cendra et al. section 2, C_V from rolling alone.
template <class S = double>
struct WithoutTorque : RubberBall<S> {
  using RubberBall<S>::RubberBall;
  Mat<S, 2, 5> variational(const typename RubberBall<S>::Group& g) const {
    const Mat<S, 3> turn = g.first().matrix();
    const S radius = this->parameters().radius;
    Mat<S, 2, 5> rows = Mat<S, 2, 5>::Zero();
    rows.row(0).template head<3>() = -radius * turn.row(1);
    rows.row(1).template head<3>() = radius * turn.row(0);
    rows(0, 3) = rows(1, 4) = 1;
    return rows;
  }
};

TEST_CASE("without a torque against spin an uneven ball contradicts itself, and the rows are named",
          "[ball]") {
  laws::Random<double> random;
  const auto g = test::configuration<double>(random);
  const Vec<double, 3> W(0.8, -0.5, 1.1);
  {
    const LagrangeDAlembert problem{WithoutTorque<>{
        {.mass = 1.3, .radius = 0.6, .inertia = Vec<double, 3>(0.2, 0.35, 0.5).asDiagonal()}}};
    const auto state = problem.state(g, problem.system().rolling(g, W));
    auto rates = problem.make_rates();
    CHECK_THROWS_AS(problem.rates(state, rates), IncompatibleConstraints);
    CHECK_THROWS_WITH(problem.rates(state, rates), ContainsSubstring("no spin about the vertical"));
  }
  {
    const LagrangeDAlembert problem{
        WithoutTorque<>{{.mass = 1.3, .radius = 0.6, .inertia = 0.2 * Mat<double, 3>::Identity()}}};
    const auto start = RubberBall<>::Group::identity();  // where no rounding looks like a contradiction
    const auto state = problem.state(start, problem.system().rolling(start, W));
    auto rates = problem.make_rates();
    problem.rates(state, rates);  // a homogeneous ball needs no torque
    CHECK(rates.report.redundant_rows == 1);
    CHECK(rates.xidot.norm() < 1e-14);
    CHECK(rates.lambda.norm() < 1e-14);
  }
}

TEST_CASE("impossible rubber balls are refused", "[ball]") {
  CHECK_THROWS_WITH((RubberBall<>{{.mass = -1}}), ContainsSubstring("mass = -1"));
  CHECK_THROWS_WITH((RubberBall<>{{.radius = 0}}), ContainsSubstring("RubberBall: radius = 0"));
  CHECK_THROWS_AS((RubberBall<>{{.inertia = -Mat<double, 3>::Identity()}}), std::invalid_argument);
}

}  // namespace rubber_ball_test
