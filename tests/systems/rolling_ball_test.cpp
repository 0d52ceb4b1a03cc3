#include <dalembert/systems/rolling_ball.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <dalembert/integrate/drive.hpp>
#include <dalembert/integrate/explicit_rk.hpp>
#include <dalembert/mechanics/lagrange_dalembert.hpp>

#include "laws/system_laws.hpp"
#include "support/balls.hpp"
#include "support/catch.hpp"

namespace rolling_ball_test {

using namespace dalembert;
using Catch::Matchers::ContainsSubstring;
using systems::RollingBall;

static_assert(NonholonomicSystem<RollingBall<double>> && NonholonomicSystem<RollingBall<long double>>);

template <class S>
RollingBall<S> random_ball(laws::Random<S>& random) {
  const S m = random.positive(), radius = random.positive();
  return RollingBall<S>{{.mass = m, .radius = radius, .inertia = test::inertia<S>(random)}};
}

/// (5) of the header, with v̇ = R e₃ × (AẆ) turned round.
template <class S, class State>
auto chaplygin(const RollingBall<S>& ball, const State& state) {
  laws::Expected<RollingBall<S>> expected;
  const auto& p = ball.parameters();
  const S d = p.mass * p.radius * p.radius;
  const Mat<S, 3> turn = state.g.first().matrix();
  const Vec<S, 3> up = turn.row(2).transpose(), W = state.xi.template head<3>();
  const Vec<S, 3> momentum = p.inertia * W + d * (W - up * up.dot(W));
  const Mat<S, 3> about_contact = p.inertia + test::across(d, up);
  const Vec<S, 3> Wdot = about_contact.inverse() * (momentum.cross(W) + d * up.dot(W) * up.cross(W));
  const Vec<S, 3> omegadot = turn * Wdot;
  const Vec<S, 2> acceleration = p.radius * Vec<S, 2>(omegadot[1], -omegadot[0]);
  expected.xidot << Wdot, acceleration;
  expected.lambda = p.mass * acceleration;
  return expected;
}

TEMPLATE_TEST_CASE("a rolling ball has Chaplygin's equations at random states", "[ball]", double,
                   long double) {
  using S = TestType;
  laws::check_rates<RollingBall<S>>(
      random_ball<S>,
      [](const auto& problem, auto& random) {
        const auto g = test::configuration<S>(random);
        return problem.state(g, problem.system().rolling(g, random.template vector<3>()));
      },
      chaplygin<S, State<typename RollingBall<S>::Group>>);
}

TEST_CASE("the ball's momentum and mass are the derivatives of its Lagrangian, its power is nothing",
          "[ball]") {
  laws::Random<double> random;
  for (int i = 0; i < 20; ++i) {
    const LagrangeDAlembert problem{random_ball(random)};
    const auto g = test::configuration<double>(random);
    const auto state = problem.state(g, problem.system().rolling(g, random.vector<3>()));
    laws::check_closed_forms(problem.system(), state);
    laws::check_energy_rate(problem, state);
    auto rates = problem.make_rates();
    problem.rates(state, rates);
    CHECK(std::abs(problem.power(state, rates).constraint) < 1e-14);
  }
}

TEST_CASE("a homogeneous ball rolls straight on and keeps its spin, whatever that is", "[ball]") {
  const RollingBall<> ball{{.mass = 0.7, .radius = 0.3, .inertia = 0.025 * Mat<double, 3>::Identity()}};
  const LagrangeDAlembert problem{ball};
  laws::Random<double> random;
  const auto g = test::configuration<double>(random);
  auto state = problem.state(g, ball.rolling(g, {2.0, -3.0, 5.0}));
  const Vec<double, 3> omega = g.first().act(Vec<double, 3>(2.0, -3.0, 5.0));
  const Vec<double, 2> start = g.second().coordinates();
  drive(RungeKutta4{}, problem, state, {.step = 0.01, .until = 3.0});
  // The ball moves to the right of e₃ × ω: v = R(ω₂, −ω₁).
  const Vec<double, 2> path = 3.0 * 0.3 * Vec<double, 2>(omega[1], -omega[0]);
  CHECK((state.g.second().coordinates() - start - path).norm() < 1e-8);
  CHECK((state.g.first().act(Vec<double, 3>(state.xi.head<3>())) - omega).norm() < 1e-8);
  CHECK((state.g.first().matrix() - (SO3d::exp(3.0 * omega) * g.first()).matrix()).norm() < 1e-7);
}

TEST_CASE("Chaplygin's ball keeps its energy, and K in space, to the order of the steps", "[ball]") {
  Mat<double, 3> inertia;
  inertia << 0.31, 0.02, -0.01, 0.02, 0.42, 0.03, -0.01, 0.03, 0.5;
  const RollingBall<> ball{{.mass = 1.3, .radius = 0.9, .inertia = inertia}};
  const LagrangeDAlembert problem{ball};
  laws::Random<double> random;
  const auto g = test::configuration<double>(random);
  const auto start = problem.state(g, ball.rolling(g, {0.8, -0.5, 1.1}));
  const auto K = [&](const auto& at) -> Vec<double, 3> { return ball.contact_momentum(at.g, at.xi); };
  const Vec<double, 3> momentum = K(start), in_space = g.first().act(momentum);
  const double energy = problem.energy(start), along = momentum.dot(ball.vertical(g));
  const double spin = start.xi.head<3>().dot(ball.vertical(g));
  CHECK(energy == Approx(0.5 * start.xi.head<3>().dot(momentum)).epsilon(1e-14));  // E = ½ W·K
  auto state = start;
  double spin_change = 0;
  drive(RungeKutta4{}, problem, state, {.step = 0.005, .until = 20.0}, [&](const auto&, const auto& at) {
    const Vec<double, 3> now = K(at), up = ball.vertical(at.g);
    REQUIRE(std::abs(problem.energy(at) - energy) < 1e-9);
    REQUIRE(std::abs(now.squaredNorm() - momentum.squaredNorm()) < 1e-9);
    REQUIRE(std::abs(now.dot(up) - along) < 1e-9);
    REQUIRE((at.g.first().act(now) - in_space).norm() < 1e-9);
    REQUIRE(std::abs(up.norm() - 1) < 1e-13);
    spin_change = std::max(spin_change, std::abs(at.xi.template head<3>().dot(up) - spin));
  });
  CHECK(spin_change > 0.1);  // which is not one of the constants
}

TEST_CASE("impossible balls are refused, by name and value", "[ball]") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH((RollingBall<>{{.mass = -1}}), ContainsSubstring("RollingBall: mass = -1"));
  CHECK_THROWS_WITH((RollingBall<>{{.radius = 0}}), ContainsSubstring("RollingBall: radius = 0"));
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    CHECK_THROWS_AS((RollingBall<>{{.mass = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((RollingBall<>{{.radius = bad}}), std::invalid_argument);
    CHECK_THROWS_AS((RollingBall<>{{.inertia = bad * Mat<double, 3>::Identity()}}), std::invalid_argument);
  }
  const auto with = [](double a, double b, double c, double off = 0) {
    Mat<double, 3> inertia = Vec<double, 3>(a, b, c).asDiagonal();
    inertia(0, 1) = inertia(1, 0) = off;
    return RollingBall<>{{.inertia = inertia}};
  };
  CHECK_NOTHROW(with(1, 1, 2));  // a flat disc
  CHECK_NOTHROW(with(1.5, 1.5, 2, 0.5));
  CHECK_THROWS_WITH(with(1, 1, 2.01), ContainsSubstring("sum of the other two"));
  CHECK_THROWS_WITH(with(1.5, 1.5, 1.9, 1), ContainsSubstring("sum of the other two"));
  CHECK_THROWS_WITH(with(1, 1, 1, 1), ContainsSubstring("positive definite"));
  CHECK_THROWS_WITH(with(1, 1, -1), ContainsSubstring("positive definite"));
  Mat<double, 3> skewed = Mat<double, 3>::Identity();
  skewed(0, 2) = 0.1;
  CHECK_THROWS_WITH((RollingBall<>{{.inertia = skewed}}), ContainsSubstring("symmetric"));
}

}  // namespace rolling_ball_test
